// Disbursements: money out of a merchant's wallet, one transfer at a time. What the interface promises.
import Type from 'typebox'
import { Reference, Text } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber, AmountText } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { APPROVE_DISBURSEMENT, EXPIRE_DISBURSEMENT, INQUIRE_DISBURSEMENT, SEND_DISBURSEMENT } from '../kit/timers.ts'

export const OTP_MINUTES = 10
export const OTP_TRIES = 5
/** Wrong codes of one merchant within a day, whatever they were for, after which nothing is authorised any
 *  more. */
export const WRONG_CODES_MAX = 15
export const WRONG_CODES_HOURS = 24
/** A transfer or batch that nobody authorises ends after this long, and its money is free again. */
export const AUTHORISE_WITHIN_HOURS = 24
export const DUPLICATE_SECONDS = 120

export const disbursementMachine = machine({
  name: 'disbursement',
  table: 'disbursements',
  start: ['AWAITING_PROCESSING', 'PENDING', 'PENDING_AUTHORIZATION', 'PENDING_BATCH_AUTHORIZATION', 'FAILED'],
  states: {
    AWAITING_PROCESSING: {
      says: 'Accepted; its money is held; not sent to the bank yet.',
      waits: 'bank',
      timers: [SEND_DISBURSEMENT],
    },
    PENDING_AUTHORIZATION: {
      says: 'Awaiting the code that was emailed to the merchant, or the approval of one of its people; its money is held.',
      waits: 'merchant',
      minutesMax: AUTHORISE_WITHIN_HOURS * 60,
      timers: [EXPIRE_DISBURSEMENT],
    },
    PENDING_BATCH_AUTHORIZATION: {
      says: 'A row of a batch that is awaiting its code.',
      waits: 'merchant',
      minutesMax: AUTHORISE_WITHIN_HOURS * 60,
      follows: 'batch',
    },
    OTP_EMAIL_DISPATCH_FAILED: {
      says: 'The code could not be emailed; request another.',
      waits: 'merchant',
      minutesMax: AUTHORISE_WITHIN_HOURS * 60,
      timers: [EXPIRE_DISBURSEMENT],
    },
    PENDING: {
      says: 'Sent to the bank, or about to be; the gateway inquires until the outcome is known. With an approval address set, also while the merchant is asked to approve it.',
      waits: 'bank',
      timers: [INQUIRE_DISBURSEMENT, APPROVE_DISBURSEMENT], // the second of one that waits for approval
    },
    SUCCESS: { says: 'Paid. A bank may still reverse it.' },
    FAILED: { says: 'Not paid; the money is back in the wallet.' },
    REVERSED: { says: 'Paid, then reversed by the bank; amount and fee are back in the wallet.' },
    EXPIRED: { says: 'Never authorised; the money is back in the wallet.' },
  },
  moves: [
    { on: 'mailFailed', from: ['PENDING_AUTHORIZATION'], to: 'OTP_EMAIL_DISPATCH_FAILED' },
    { on: 'mailSent', from: ['OTP_EMAIL_DISPATCH_FAILED'], to: 'PENDING_AUTHORIZATION' },
    { on: 'authorise', from: ['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'], to: 'PENDING' },
    { on: 'release', from: ['PENDING_AUTHORIZATION'], to: 'AWAITING_PROCESSING' },
    { on: 'authoriseBatch', from: ['PENDING_BATCH_AUTHORIZATION'], to: 'AWAITING_PROCESSING' },
    { on: 'send', from: ['AWAITING_PROCESSING'], to: 'PENDING' },
    { on: 'askApproval', from: ['AWAITING_PROCESSING'], to: 'PENDING' },
    { on: 'approve', from: ['PENDING'], to: 'AWAITING_PROCESSING' },
    { on: 'succeed', from: ['PENDING'], to: 'SUCCESS', emits: 'SUCCESSFUL_DISBURSEMENT', books: true },
    { on: 'fail', from: ['PENDING'], to: 'FAILED', emits: 'FAILED_DISBURSEMENT', books: true },
    { on: 'reverse', from: ['SUCCESS'], to: 'REVERSED', emits: 'REVERSED_DISBURSEMENT', books: true },
    {
      on: 'expire',
      from: ['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'PENDING_BATCH_AUTHORIZATION'],
      to: 'EXPIRED',
      books: true,
    },
  ],
})

/** What a transfer costs, by its amount: the tiers of the central bank. */
export const PAYOUT_FEES: readonly { readonly upToKobo: bigint; readonly feeKobo: bigint }[] = [
  { upToKobo: 500_000n, feeKobo: 1_000n },
  { upToKobo: 5_000_000n, feeKobo: 2_500n },
]
const PAYOUT_FEE_ABOVE = 5_000n
export const payoutFee = (kobo: bigint): bigint =>
  PAYOUT_FEES.find(({ upToKobo }) => kobo <= upToKobo)?.feeKobo ?? PAYOUT_FEE_ABOVE

const common = { auth: 'bearer', group: 'Transfers', addressErrorCode: 'TRANSFER_FROM_FOREIGN_ADDRESS' } as const
const WithOffset = Type.String({ description: 'UTC', examples: ['2026-05-02T14:07:31.120+00:00'] })
const AccountNumber = Type.String({ pattern: '^\\d{10}$' })
const BankCode = Type.String({ pattern: '^\\d{3,6}$' })
const status = Type.Enum(Object.keys(disbursementMachine.states))

const SenderInfo = Named('SenderInfo', {
  sourceAccountNumber: Type.Optional(Text(40)),
  sourceAccountName: Type.Optional(Text(200)),
  senderBankCode: Type.Optional(Text(10)),
  sourceAccountBvn: Type.Optional(Text(20)),
})

export const NameMatch = Named(
  'NameMatch',
  {
    given: Type.String({ description: 'The name in the request' }),
    held: Type.String({ description: 'The account name held by the bank' }),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
  },
  { description: 'How the two names compare; absent when no name was given' },
)

/** What was charged and kept. */
export const FeeCharged = Type.Unsafe<number>({
  ...AmountNumber,
  description: 'Naira; what was charged and kept: 0 once it is FAILED, EXPIRED or REVERSED',
})
export const FeeReturned = Type.Optional(
  Type.Unsafe<number>({
    ...AmountNumber,
    description: 'Naira; only when REVERSED: the fee that came back with the amount',
  }),
)

/** What initiating a transfer, or authorising it, answers. */
export const TransferResult = Named('TransferResult', {
  amount: AmountNumber,
  reference: Type.String(),
  status,
  dateCreated: WithOffset,
  totalFee: FeeCharged,
  feeReturned: FeeReturned,
  destinationAccountName: Type.String({ description: 'The account name held by the bank' }),
  destinationBankName: Type.String(),
  destinationAccountNumber: Type.String(),
  destinationBankCode: Type.String(),
  comment: Type.Optional(Type.String({ description: 'Absent while awaiting a code' })),
  senderInfo: Type.Optional(SenderInfo),
  sessionId: Type.Optional(Type.String({ description: '30 digits; identifies the transfer at the bank' })),
  transactionReference: Type.String(),
  nameMatch: Type.Optional(NameMatch),
})

const fields = {
  amount: AmountIn,
  reference: Reference,
  narration: Text(200),
  destinationBankCode: BankCode,
  destinationAccountNumber: AccountNumber,
}

export const initiateTransfer = route({
  ...common,
  id: 'transfers.initiate',
  outcome: { ask: 'transfers.get', by: 'reference' },
  permission: 'payouts.send',
  proposable: true,
  method: 'POST',
  path: '/api/v2/disbursements/single',
  summary: 'Send money from the wallet to a bank account',
  feature: 'TRANSFERS',
  description:
    'Amount and fee are held at once. With OTP on, the status is PENDING_AUTHORIZATION and a code is emailed to the merchant. Without OTP, the response has the final status if the bank answers quickly, and PENDING otherwise; with `async` it is sent before the bank is called. With an approval address set, the status is PENDING while your server is asked, and FAILED, "Not approved by the merchant", unless it approves. destinationAccountName is compared with the name held by the bank. With a key of scope AGENT every transfer is PENDING_AUTHORIZATION until one of your people approves it, whatever its amount; if it is rejected, or nobody decides within a day, it is EXPIRED and the money is back.',
  body: Type.Object({
    ...fields,
    destinationAccountName: Type.String({ minLength: 1, maxLength: 200, pattern: '[^\\s]' }),
    sourceAccountNumber: Type.String({
      minLength: 1,
      maxLength: 20,
      description: "The merchant's wallet, or that of one of its customers",
    }),
    currency: Type.Optional(Type.String({ maxLength: 3 })),
    currencyCode: Type.Optional(Type.String({ maxLength: 3, description: 'Alternative to `currency`' })),
    async: Type.Optional(Type.Boolean()),
    senderInfo: Type.Optional(SenderInfo),
  }),
  reply: TransferResult,
  status422As: 400,
  errors: [
    'TRANSFERS_NOT_APPROVED',
    'WALLET_NOT_YOURS',
    'CURRENCY_UNKNOWN',
    'BANK_UNKNOWN',
    'DESTINATION_INVALID',
    'NAME_MISMATCH',
    'TRANSFER_LIMIT',
    'DAILY_LIMIT',
    'RECEIVABLE_OPEN',
    'INSUFFICIENT_FUNDS',
    'TRANSFER_REFERENCE_USED',
    'TRANSFER_DUPLICATE',
    'PROPOSAL_UNDECIDABLE',
    'PROPOSALS_TOO_MANY',
  ],
})

export const Code = Type.String({ pattern: '^\\d{4,10}$', description: 'The code from the email' })
export const Resent = Named('Resent', {
  message: Type.Literal('Authorization code will be processed and sent to predefined email addresses(s)'),
})

export const authoriseTransfer = route({
  ...common,
  id: 'transfers.authorise',
  outcome: { ask: 'transfers.get', by: 'reference' },
  permission: 'payouts.send',
  method: 'POST',
  path: '/api/v2/disbursements/single/validate-otp',
  summary: 'Authorise a transfer with the emailed code',
  description: 'The answer has the final state if the bank answers quickly, and PENDING otherwise.',
  feature: 'TRANSFERS',
  body: Type.Object({ reference: Reference, authorizationCode: Code }),
  secretFields: ['authorizationCode'],
  reply: TransferResult,
  errors: [
    'TRANSFER_UNKNOWN',
    'TRANSFER_NOT_WAITING',
    'APPROVAL_WAITING',
    'DAILY_LIMIT',
    'CODE_WRONG',
    'CODE_VOID',
    'AUTHORIZATION_LOCKED',
    'RECEIVABLE_OPEN',
  ],
})

export const resendTransferCode = route({
  ...common,
  id: 'transfers.resendCode',
  permission: 'payouts.send',
  method: 'POST',
  path: '/api/v2/disbursements/single/resend-otp',
  summary: 'Email a new code for a transfer',
  description: 'The new code replaces the one before.',
  body: Type.Object({ reference: Reference }),
  reply: Resent,
  errors: ['TRANSFER_UNKNOWN', 'TRANSFER_NOT_WAITING', 'APPROVAL_WAITING', 'CODES_TOO_MANY'],
})

/** A transfer in summaries, lists, batches and searches. */
export const TransferRecord = Named('TransferRecord', {
  amount: AmountNumber,
  reference: Type.String(),
  narration: Type.String(),
  currency: Type.String(),
  fee: FeeCharged,
  feeReturned: FeeReturned,
  twoFaEnabled: Type.Boolean(),
  status,
  transactionDescription: Type.String(),
  transactionReference: Type.String({ examples: ['CWDS0120260502140731000042QW7RTY'] }),
  createdOn: Type.String({ description: 'UTC, whole seconds', examples: ['2026-05-02T14:07:32.000+00:00'] }),
  sourceAccountNumber: Type.String(),
  destinationAccountNumber: Type.String(),
  destinationAccountName: Type.Optional(Type.String({ description: 'Absent when the account could not be validated' })),
  destinationBankCode: Type.String(),
  destinationBankName: Type.Optional(Type.String()),
  sessionId: Type.Optional(Type.String()),
  nameMatch: Type.Optional(NameMatch),
  inquiry: Type.Optional(
    Type.Object(
      {
        questions: Type.Integer({ description: 'How often the bank was asked for the outcome' }),
        nextQuestionAt: Type.String({ description: 'ISO 8601, UTC' }),
      },
      { description: 'Present while the outcome is not known' },
    ),
  ),
})

export const getTransfer = route({
  ...common,
  id: 'transfers.get',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/single/summary',
  summary: 'Get a transfer',
  description: 'A single transfer or a row of a batch, by your reference.',
  query: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: TransferRecord,
  errors: ['FIELD_MISSING', 'TRANSFER_NOT_FOUND'],
})

export const listTransfers = route({
  ...common,
  id: 'transfers.list',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/single/transactions',
  summary: 'List single transfers',
  description: 'Newest first, without the rows of batches.',
  query: Type.Object({ pageNo: Type.Optional(PageNumber), pageSize: Type.Optional(PageSize) }),
  reply: Page(TransferRecord),
  errors: [],
})

const Moment = Type.String({
  maxLength: 100,
  description: 'Milliseconds since 1970, ISO 8601, or the string form of a JavaScript Date',
})
export const searchTransfers = route({
  ...common,
  id: 'transfers.search',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/search-transactions',
  summary: 'Search transfers',
  description:
    'Single transfers and rows of batches of one wallet, newest first. A transfer must match every filter given.',
  query: Type.Object({
    sourceAccountNumber: Type.String({ minLength: 1, maxLength: 20 }),
    pageNo: Type.Optional(PageNumber),
    pageSize: Type.Optional(PageSize),
    startDate: Type.Optional(Moment),
    endDate: Type.Optional(Moment),
    amountFrom: Type.Optional(AmountIn),
    amountTo: Type.Optional(AmountIn),
  }),
  reply: Page(TransferRecord),
  errors: ['FIELD_MISSING', 'AMOUNT_INVALID', 'WALLET_NOT_YOURS'],
})

export const getWalletBalance = route({
  ...common,
  id: 'wallet.balance',
  permission: 'wallets.read',
  method: 'GET',
  path: '/api/v2/disbursements/wallet-balance',
  summary: 'Get the wallet balance',
  description: 'What can be paid out, what is held for transfers, and what you owe.',
  query: Type.Object({ accountNumber: Type.String({ minLength: 1, maxLength: 20 }) }),
  reply: Type.Object({
    availableBalance: Type.String({ ...AmountText, description: 'What can be paid out now' }),
    ledgerBalance: Type.String({ ...AmountText, description: 'Includes what is held for pending transfers' }),
    receivable: Type.String({
      ...AmountText,
      description: 'What you owe for money that a bank reversed; collected from the next money you receive',
    }),
  }),
  errors: ['FIELD_MISSING', 'WALLET_NOT_YOURS'],
})

export const validateAccount = route({
  ...common,
  id: 'transfers.validateAccount',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v1/disbursements/account/validate',
  summary: 'Validate a bank account and get its name',
  description: 'The bank is asked. No money is moved.',
  query: Type.Object({
    accountNumber: Type.String({ minLength: 1, maxLength: 20 }),
    bankCode: Type.String({ minLength: 1, maxLength: 10 }),
  }),
  reply: Type.Object({ accountNumber: Type.String(), accountName: Type.String(), bankCode: Type.String() }),
  errors: ['FIELD_MISSING', 'BANK_UNKNOWN', 'DESTINATION_INVALID'],
})
