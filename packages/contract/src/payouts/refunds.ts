// Refunds: money of a transaction that was paid by transfer or by card goes back to its payer, out of the
// merchant's wallet. What the interface promises.
import Type from 'typebox'
import { Reference } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { CreationMoment, Page, PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { APPROVE_REFUND, EXPIRE_REFUND } from '../kit/timers.ts'
import { AUTHORISE_WITHIN_HOURS, Code, Resent } from './disbursements.ts'

export const REFUND_MINIMUM_KOBO = 10_000n
/** The same for an account and for a card. What the payment itself cost is not returned. */
export const REFUND_FEE_KOBO = 1_000n
export const REASON_MAX = 64
export const NOTE_MAX = 16

export const refundMachine = machine({
  name: 'refund',
  table: 'refunds',
  start: 'PENDING',
  states: {
    PENDING: {
      says: 'Accepted; amount and fee are held. The bank or card issuer has not confirmed payment yet, or the merchant has not authorised or approved it yet.',
      waits: 'bank',
      timers: [EXPIRE_REFUND, APPROVE_REFUND], // of one that waits for its code or a person, or for approval; from then on it follows its order
      follows: 'bank_order',
    },
    COMPLETED: { says: 'Paid to the payer. A bank or card issuer may still reverse it.' },
    FAILED: {
      says: 'Not paid, not approved, or reversed by the bank or card issuer; amount and fee are back in the wallet.',
    },
  },
  moves: [
    { on: 'authorise', from: ['PENDING'], to: 'PENDING' },
    { on: 'release', from: ['PENDING'], to: 'PENDING' }, // by one of the merchant's people
    { on: 'approve', from: ['PENDING'], to: 'PENDING' },
    { on: 'complete', from: ['PENDING'], to: 'COMPLETED', emits: 'SUCCESSFUL_REFUND', books: true },
    { on: 'fail', from: ['PENDING'], to: 'FAILED', emits: 'FAILED_REFUND', books: true },
    // The interface has no state for it: what the payer does not have was not refunded, and can be refunded
    // again.
    { on: 'reverse', from: ['COMPLETED'], to: 'FAILED', emits: 'FAILED_REFUND', books: true },
  ],
})

const Moment = Type.String({ description: 'West Africa Time', examples: ['02/05/2026 03:00:00 PM'] })

export const RefundRecord = Named('RefundRecord', {
  refundReference: Type.String(),
  transactionReference: Type.String(),
  refundReason: Type.String(),
  customerNote: Type.String(),
  refundAmount: AmountNumber,
  refundType: Type.Enum(['FULL_REFUND', 'PARTIAL_REFUND'], {
    description: 'FULL_REFUND: this refund alone covers the whole amount paid',
  }),
  refundStatus: Type.Enum(Object.keys(refundMachine.states) as (keyof (typeof refundMachine)['states'])[]),
  refundStrategy: Type.Enum(['MERCHANT_WALLET', 'ORIGINAL_PAYMENT_SOURCE'], {
    description:
      'ORIGINAL_PAYMENT_SOURCE: to the account or the card that paid. MERCHANT_WALLET: to an account given by the merchant. The money leaves the wallet either way',
  }),
  authorization: Type.Optional(
    Type.Enum(['CODE_SENT', 'APPROVAL'], {
      description:
        'CODE_SENT: awaiting the code that was emailed to the owner. APPROVAL: above approvalAbove of the transfer settings, or proposed with a key of scope AGENT; awaiting the approval of one of your people; a code does not release it. Absent when there is nothing to authorise',
    }),
  ),
  comment: Type.String(),
  createdOn: Moment,
  reference: Type.String({ examples: ['CWRF|01|20260502150000|000127'] }),
  completedOn: Type.Optional(Moment),
  fee: AmountNumber,
  currencyCode: Type.String(),
  destinationAccountNumber: Type.Optional(
    Type.String({
      description:
        "As given by the merchant; the payer's own account is masked except for the last four digits. A refund to a card has no destination account",
    }),
  ),
  destinationAccountName: Type.Optional(Type.String()),
  destinationBankCode: Type.Optional(Type.String()),
  destinationBankName: Type.Optional(Type.String()),
  maskedPan: Type.Optional(
    Type.String({
      description: 'The card that the money goes back to; card payments only',
      examples: ['506104******0216'],
    }),
  ),
})

const common = { auth: 'bearer', group: 'Refunds' } as const
/** Longer texts pass the schema, so that the refusal can be R8. */
const Words = (description: string) =>
  Type.String({ maxLength: 1_000, pattern: '^[^\\u0000-\\u001f\\u007f]*$', description })

export const initiateRefund = route({
  ...common,
  id: 'refunds.initiate',
  outcome: { ask: 'refunds.get', by: 'refundReference' },
  permission: 'refunds.send',
  proposable: true,
  method: 'POST',
  path: '/api/v1/refunds/initiate-refund',
  summary: 'Refund all or part of a transaction',
  description:
    'Transactions paid by bank transfer or by card can be refunded, whole or in parts; a direct debit cannot. The refunds of a transaction, pending and completed, never exceed what was paid. The amount and a fee of 10 naira leave the wallet at once and are returned if the refund fails; the fee is the same for accounts and cards, is charged for each refund, and the fee of the payment itself is not returned. A card payment goes back to its card through the issuer, ORIGINAL_PAYMENT_SOURCE, and is PENDING until the issuer has confirmed it; a destination account is refused with R6. For a bank transfer, without a destination the money goes to the account that paid; a transaction paid from several accounts needs a destination. A refund to an account that did not pay is subject to the controls of a transfer: approval, limits (it counts in spentToday) and, if OTP is on and the account name matches no payer, a code that is emailed to the owner; with an approval address set, your server is asked as for a transfer. Any refund above approvalAbove of the transfer settings is PENDING with authorization APPROVAL, its money held, until one of your people approves it; if it is rejected, or nobody decides within a day, it is FAILED and the money is back. With a key of scope AGENT every refund waits like this, whatever its amount.',
  body: Type.Object({
    transactionReference: Type.String({ minLength: 1, maxLength: 100 }),
    refundReference: Reference,
    refundAmount: AmountIn,
    refundReason: Words(`At most ${REASON_MAX} characters`),
    customerNote: Words(`At most ${NOTE_MAX} characters; shown to the payer`),
    destinationAccountNumber: Type.Optional(Type.String({ maxLength: 20 })),
    destinationAccountBankCode: Type.Optional(Type.String({ maxLength: 10 })),
    destinationBankCode: Type.Optional(
      Type.String({ maxLength: 10, description: 'Alternative to destinationAccountBankCode' }),
    ),
  }),
  reply: RefundRecord,
  errors: [
    'FIELD_MISSING',
    'FIELD_INVALID',
    'AMOUNT_INVALID',
    'REFUND_TRANSACTION_UNKNOWN',
    'REFUND_NOT_PERMITTED',
    'REFUND_TOO_LARGE',
    'REFUND_TOO_SMALL',
    'REFUND_FUNDS',
    'RECEIVABLE_OPEN',
    'REFUND_ACCOUNT_INVALID',
    'REFUND_TEXT_TOO_LONG',
    'REFUND_REFERENCE_USED',
    'REFUND_BALANCE_UNAVAILABLE',
    'REFUND_ENQUIRY_UNANSWERED',
    'REFUND_ALL_DONE',
    'TRANSFERS_NOT_APPROVED',
    'TRANSFER_LIMIT',
    'DAILY_LIMIT',
    'PROPOSAL_UNDECIDABLE',
    'PROPOSALS_TOO_MANY',
  ],
})

export const getRefund = route({
  ...common,
  id: 'refunds.get',
  permission: 'refunds.read',
  method: 'GET',
  path: '/api/v1/refunds/{refundReference}',
  summary: 'Get a refund by its reference',
  description: 'By your `refundReference`: its state and where the money went.',
  reply: RefundRecord,
  errors: ['REFUND_NOT_FOUND'],
})

export const authoriseRefund = route({
  ...common,
  id: 'refunds.authorise',
  outcome: { ask: 'refunds.get', by: 'refundReference' },
  permission: 'refunds.send',
  method: 'POST',
  path: '/api/v1/refunds/{refundReference}/authorize',
  summary: 'Authorise a refund with the emailed code',
  description: `A code becomes invalid after five wrong attempts. A refund that is not authorised within ${AUTHORISE_WITHIN_HOURS} hours is FAILED, and amount and fee are back in the wallet.`,
  body: Type.Object({ authorizationCode: Code }),
  secretFields: ['authorizationCode'],
  reply: RefundRecord,
  errors: [
    'REFUND_NOT_FOUND',
    'TRANSFER_NOT_WAITING',
    'APPROVAL_WAITING',
    'DAILY_LIMIT',
    'CODE_WRONG',
    'CODE_VOID',
    'AUTHORIZATION_LOCKED',
    'RECEIVABLE_OPEN',
  ],
})

export const resendRefundCode = route({
  ...common,
  id: 'refunds.resendCode',
  permission: 'refunds.send',
  method: 'POST',
  path: '/api/v1/refunds/{refundReference}/resend-otp',
  summary: 'Email a new code for a refund',
  description: 'The new code replaces the one before.',
  reply: Resent,
  errors: ['REFUND_NOT_FOUND', 'TRANSFER_NOT_WAITING', 'APPROVAL_WAITING', 'CODES_TOO_MANY', 'RECEIVABLE_OPEN'],
})

export const listRefunds = route({
  ...common,
  id: 'refunds.list',
  permission: 'refunds.read',
  method: 'GET',
  path: '/api/v1/refunds',
  summary: 'List refunds, newest first',
  description: 'A refund must match every filter given. Totals are exact. An unknown status matches nothing.',
  query: Type.Object({
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
    transactionReference: Type.Optional(Type.String({ maxLength: 100 })),
    refundStatus: Type.Optional(Type.String({ maxLength: 20 })),
    from: Type.Optional(CreationMoment),
    to: Type.Optional(CreationMoment),
  }),
  reply: Page(RefundRecord),
  errors: ['FIELD_INVALID'],
})
