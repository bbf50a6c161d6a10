// Account numbers that a bank has issued and does not keep: it withdraws them, or finds that it knows nothing
// of them. The gateway gives them to nobody from then on. No money is moved by a notice, and what still
// arrives at such a number is counted.
import Type, { type Static } from 'typebox'
import { Named } from '../../kit/fields.ts'
import { route } from '../../kit/spec.ts'
import { bankSide } from '../connector.ts'

const AccountNumber = Type.String({ pattern: '^\\d{10}$' })

/** Connector → gateway: a number that it issued can be paid to no longer. */
export const numberNotice = route({
  ...bankSide,
  id: 'bank.number',
  method: 'POST',
  path: '/connector/v2/number-notices',
  summary: 'A number that the bank issued can no longer be paid to',
  description:
    'For connectors that issue numbers. The number leaves the stock for good. Notices may be repeated: the first one counts.',
  body: Type.Object({
    accountNumber: AccountNumber,
    bankCode: Type.String({ minLength: 1, maxLength: 10 }),
    state: Type.Enum(['WITHDRAWN', 'UNKNOWN'], {
      description: 'WITHDRAWN: the bank has closed it. UNKNOWN: the bank knows no such number of ours any more',
    }),
    at: Type.String({ maxLength: 40, description: 'ISO 8601, UTC; when it happened at the bank' }),
  }),
  reply: Named('NumberNoticeTaken', { accountNumber: AccountNumber, outcome: Type.Literal('TAKEN') }),
  errors: ['SIGNATURE_INVALID', 'NUMBER_UNKNOWN'],
})
export type NumberNotice = Static<typeof numberNotice.body>
