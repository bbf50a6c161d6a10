// The agents' side of the bank connector protocol: who pays out the cash of a paycode. Signed like everything
// in connector.ts.
//
// An agent enters the code of a beneficiary. The network enquires (`enquirePaycode`) what it is worth and for
// whom, the agent checks the person, and the network redeems it (`redeemPaycode`) under a session of its own.
// The agent pays out after a 200, and after nothing else. Without a response the outcome is unknown: the
// network repeats the same redemption under the same session until it gets one; a session that redeemed a
// code gets the same response for ever.
//
// Codes are secrets of the beneficiary: the network does not store them.
import Type, { type Static } from 'typebox'
import { AmountIn, AmountText } from '../kit/money.ts'
import { route } from '../kit/spec.ts'
import { SESSION_ID } from './connector.ts'

/** Two digits of the cell, and eight that nobody guesses. */
export const PAYCODE = '^\\d{10}$'
/** Wrong codes of one agent within so many minutes; then every code is refused, until the oldest of them is
 *  that old. */
export const WRONG_PAYCODES_MAX = 5
export const WRONG_PAYCODES_MINUTES = 15

const bankSide = { auth: 'bank', group: 'Bank connector' } as const
const Code = Type.String({ pattern: PAYCODE, description: 'As the beneficiary gave it' })
const AgentId = Type.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
  description: "The network's own name of the agent, always the same: wrong codes are counted by it",
})
const throttled = `After ${WRONG_PAYCODES_MAX} wrong codes of one agent within ${WRONG_PAYCODES_MINUTES} minutes every code of that agent is refused, also a right one.`

/** Agents → gateway: what is this code worth, and for whom? */
export const enquirePaycode = route({
  ...bankSide,
  id: 'bank.paycodeEnquiry',
  method: 'POST',
  path: '/connector/v1/paycodes/enquiries',
  summary: 'An agent asks for whom a paycode is, and how much',
  description: throttled,
  body: Type.Object({ paycode: Code, agentId: AgentId }),
  reply: Type.Object({
    beneficiaryName: Type.String(),
    amount: AmountText,
    expiresAt: Type.String({ description: 'ISO 8601, UTC' }),
  }),
  errors: ['SIGNATURE_INVALID', 'PAYCODE_UNKNOWN', 'PAYCODE_OVER', 'MERCHANT_SUSPENDED', 'AGENT_THROTTLED'],
})

/** Agents → gateway: cash is about to be paid out. */
export const redeemPaycode = route({
  ...bankSide,
  id: 'bank.paycodeRedemption',
  method: 'POST',
  path: '/connector/v1/paycodes/redemptions',
  summary: 'An agent redeems a paycode',
  description: `After a 200 the cash is paid out. Once per session, however often it is repeated: the response stays the same. ${throttled} A wrong amount counts as a wrong code.`,
  body: Type.Object({
    sessionId: Type.String({
      pattern: SESSION_ID,
      description: "The network's identifier of the redemption: 30 digits, never used for another",
    }),
    paycode: Code,
    amount: AmountIn,
    agentId: AgentId,
  }),
  reply: Type.Object({
    sessionId: Type.String(),
    transactionReference: Type.String({ examples: ['CWPC-013f0c9be2d14a7781c5e6ab90d24f17'] }),
    beneficiaryName: Type.String(),
    amount: AmountText,
    redeemedAt: Type.String({ description: 'ISO 8601, UTC' }),
  }),
  errors: [
    'SIGNATURE_INVALID',
    'AMOUNT_INVALID',
    'PAYCODE_UNKNOWN',
    'PAYCODE_OVER',
    'MERCHANT_SUSPENDED',
    'PAYCODE_OTHER_AMOUNT',
    'PAYCODE_SESSION_USED',
    'AGENT_THROTTLED',
  ],
})
export type PaycodeRedemption = Static<typeof redeemPaycode.body>
