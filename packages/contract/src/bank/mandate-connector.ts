// The mandate scheme's side of the bank connector protocol: mandates and the debits on them. Signed like
// everything in connector.ts; answers are plain JSON without the envelope.
//
// A mandate has one code, chosen by the gateway before the first request. The scheme asks the customer, and
// reports (`mandateNotice`) the decision. The gateway enforces the dates and limits of a mandate; the scheme
// makes every debit on an active mandate.
//
// A debit has one session, chosen by the gateway before the first attempt, and works like a payout: once per
// session, however often it is repeated; no response does not mean refused; what the bank learns later it
// reports (`debitNotice`).
import Type, { type Static } from 'typebox'
import { AmountText } from '../kit/money.ts'
import { route } from '../kit/spec.ts'
import { NoticeTaken, SESSION_ID } from './connector.ts'

export const MANDATE_CODE = '^CWDD\\|\\d{2}[0-9A-HJKMNP-TV-Z]{26}$'

const bankSide = { auth: 'bank', group: 'Bank connector' } as const
const MandateCode = Type.String({
  pattern: MANDATE_CODE,
  description: 'Chosen by the gateway, never used for another mandate',
  examples: ['CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD'],
})
const DebitSession = Type.String({
  pattern: SESSION_ID,
  description: 'Chosen by the gateway: 30 digits, never used for another debit',
})
const ResponseCode = Type.String({ minLength: 2, maxLength: 2, description: '`00` is success' })
const Moment = Type.String({ description: 'ISO 8601, UTC' })

/** What a code says; a merchant reads the words as `responseMessage` of a debit. */
export const DEBIT_CODES: Readonly<Record<string, string>> = {
  '00': 'Approved or completed successfully',
  '05': "Reversed by the customer's bank",
  '06': 'Dormant customer account',
  '07': 'Invalid customer account number',
  '09': 'Debit processing in progress',
  '16': 'Unknown bank code',
  '21': 'No action taken',
  '25': 'Unable to locate record',
  '57': 'The mandate does not allow this debit',
  '91': "The customer's bank is not available",
  '97': "Debit timed out while waiting for the customer's bank",
}
export const debitText = (code: string): string => DEBIT_CODES[code] ?? `Unknown response code ${code}`

/** Bank → gateway: what the customer has decided. */
export const mandateNotice = route({
  ...bankSide,
  id: 'bank.mandate',
  method: 'POST',
  path: '/connector/v1/mandates',
  summary: 'The mandate scheme reports the decision on a mandate',
  description:
    'ACTIVE: the customer has paid the token. DECLINED: the customer has refused. CANCELLED: the customer or the gateway has ended it. Notices may be duplicated, concurrent and out of order; nothing follows DECLINED or CANCELLED.',
  body: Type.Object({
    mandateCode: MandateCode,
    status: Type.Enum(['ACTIVE', 'DECLINED', 'CANCELLED']),
    at: Moment,
  }),
  reply: Type.Object({ mandateCode: Type.String(), outcome: Type.Literal('TAKEN') }),
  errors: ['SIGNATURE_INVALID', 'MANDATE_UNKNOWN'],
})
export type MandateNotice = Static<typeof mandateNotice.body>

/** Bank → gateway: the outcome of a debit. */
export const debitNotice = route({
  ...bankSide,
  id: 'bank.debit',
  method: 'POST',
  path: '/connector/v1/debits',
  summary: 'The bank reports the outcome of a debit',
  description:
    'Notices may be duplicated, concurrent, out of order, and earlier than the response to the instruction. REVERSED follows a SUCCESS, reported or not; nothing follows FAILED or REVERSED.',
  body: Type.Object({
    sessionId: DebitSession,
    status: Type.Enum(['SUCCESS', 'FAILED', 'REVERSED']),
    responseCode: ResponseCode,
    message: Type.String({ maxLength: 200 }),
    at: Moment,
  }),
  reply: NoticeTaken,
  errors: ['SIGNATURE_INVALID', 'DEBIT_UNKNOWN'],
})
export type DebitNotice = Static<typeof debitNotice.body>

export const MANDATE_PATHS = {
  /** POST MandateOrder → MandateAnswer: the scheme asks the customer. Once per code, whatever is repeated;
   *  409 when the code belongs to another mandate. */
  mandates: '/bank/v1/mandates',
  /** POST MandateInquiry → MandateAnswer, which is final: the mandate is over, also one the scheme never
   *  received. */
  mandateEnds: '/bank/v1/mandates/end',
  /** POST DebitOrder → DebitAnswer. Once per session, whatever is repeated; 409 when the session belongs to
   *  another. */
  debits: '/bank/v1/debits',
  /** POST DebitInquiry → DebitAnswer; UNKNOWN when the bank never received the session. */
  debitInquiries: '/bank/v1/debits/inquiry',
  /** POST DebitInquiry → DebitAnswer, which is final: what was not debited yet never will be. */
  debitBars: '/bank/v1/debits/bar',
} as const

const Line = Type.String({ minLength: 1, maxLength: 200 })

export const MandateOrder = Type.Object({
  mandateCode: MandateCode,
  merchantName: Line,
  customerName: Line,
  customerBankCode: Type.String({ minLength: 1, maxLength: 10 }),
  customerAccountNumber: Type.String({ pattern: '^\\d{10}$' }),
  customerAccountName: Line,
  description: Type.String({ maxLength: 500 }),
  startDate: Moment,
  endDate: Moment,
  autoRenew: Type.Boolean({ description: 'At its end date the mandate is renewed for the same length of time' }),
  amount: Type.Optional(Type.String({ ...AmountText, description: 'Limit for the total of all debits' })),
  debitAmount: Type.Optional(Type.String({ ...AmountText, description: 'Amount of every debit, where it is fixed' })),
  customerCancellation: Type.Boolean({ description: 'Whether the customer may cancel it with the scheme' }),
  authorizeBy: Type.String({ description: 'ISO 8601, UTC; the customer cannot authorise it later' }),
})
export type MandateOrder = Static<typeof MandateOrder>

export const MandateAnswer = Type.Object({
  mandateCode: MandateCode,
  status: Type.Enum(['WAITING', 'ACTIVE', 'DECLINED', 'CANCELLED'], { description: 'WAITING: awaiting the customer' }),
  authorizationMessage: Type.String({
    maxLength: 1000,
    description: 'What the customer has to do: the token, and the account to pay it to',
  }),
  authorizationLink: Type.String({ maxLength: 2000, description: 'A page where the customer can decide' }),
})
export type MandateAnswer = Static<typeof MandateAnswer>
export const MandateInquiry = Type.Object({ mandateCode: MandateCode })

export const DebitOrder = Type.Object({
  sessionId: DebitSession,
  mandateCode: MandateCode,
  amount: AmountText,
  narration: Type.String({ maxLength: 200 }),
})
export type DebitOrder = Static<typeof DebitOrder>

export const DEBIT_STATUSES = ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED', 'UNKNOWN'] as const
export const DebitAnswer = Type.Object({
  sessionId: DebitSession,
  status: Type.Enum([...DEBIT_STATUSES], {
    description:
      'SUCCESS: debited. FAILED: not debited, and never will be. PENDING: the bank does not know yet. REVERSED: debited, then returned. UNKNOWN, to an inquiry only: the bank has no such instruction; one in transit may still arrive',
  }),
  responseCode: ResponseCode,
  message: Type.String({ maxLength: 200, description: 'Text for `responseCode`' }),
})
export type DebitAnswer = Static<typeof DebitAnswer>
export const DebitInquiry = Type.Object({ sessionId: DebitSession })
