// Disputes of card charges: the payer, or the payer's bank, wants the money of a charge back. A connector
// reports what its acquirer says; the gateway records it and tells its operators. No money is moved by a
// notice: a person answers a dispute at the acquirer, and what a lost one costs is in the acquirer's
// settlement.
import Type, { type Static } from 'typebox'
import { Named } from '../../kit/fields.ts'
import { AmountIn } from '../../kit/money.ts'
import { route } from '../../kit/spec.ts'
import { bankSide } from '../connector.ts'
import { cardNotice } from './cards.ts'

export const DISPUTE_STATES = ['OPENED', 'ANSWERED', 'WON', 'LOST', 'CLOSED'] as const
export type DisputeState = (typeof DISPUTE_STATES)[number]
/** In these somebody still has to do something. */
export const OPEN_DISPUTES = ['OPENED', 'ANSWERED'] as const satisfies readonly DisputeState[]

const DisputeReference = Type.String({
  pattern: '^[!-~]{1,60}$',
  description: "The acquirer's identifier of the dispute, never used for another",
})

/** Connector → gateway: a charge is disputed, or a dispute has changed. */
export const disputeNotice = route({
  ...bankSide,
  id: 'bank.dispute',
  method: 'POST',
  path: '/connector/v2/disputes',
  summary: 'The acquirer reports a dispute of a card charge',
  description:
    'A new one, or one that has changed. Recorded and shown to the operator; no money is moved. Notices may be repeated and out of order: the one with the latest `at` counts.',
  body: Type.Object({
    chargeReference: cardNotice.body.properties.chargeReference,
    disputeReference: DisputeReference,
    amount: AmountIn,
    state: Type.Enum([...DISPUTE_STATES], {
      description:
        'OPENED: the charge is disputed, and an answer is due. ANSWERED: the acquirer or the payer’s bank decides. WON: the money stays. LOST: the money goes back to the payer. CLOSED: over, and the acquirer does not say for whom',
    }),
    reasonCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: "The scheme's or the acquirer's" }),
    ),
    reason: Type.Optional(Type.String({ maxLength: 200, description: 'In words' })),
    dueAt: Type.Optional(
      Type.String({ maxLength: 40, description: 'ISO 8601, UTC; until when an answer is accepted' }),
    ),
    at: Type.String({ maxLength: 40, description: 'ISO 8601, UTC; when it happened at the acquirer' }),
  }),
  reply: Named('DisputeNoticeTaken', { disputeReference: DisputeReference, outcome: Type.Literal('TAKEN') }),
  errors: ['SIGNATURE_INVALID', 'CHARGE_UNKNOWN'],
})
export type DisputeNotice = Static<typeof disputeNotice.body>
