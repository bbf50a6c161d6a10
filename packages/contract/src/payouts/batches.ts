// Batches: many transfers accepted together, paid one by one.
import Type from 'typebox'
import { Reference, Text } from '../collections/transactions.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { EXPIRE_BATCH } from '../kit/timers.ts'
import { AUTHORISE_WITHIN_HOURS, Code, Resent, TransferRecord } from './disbursements.ts'

const BATCH_ROWS_MAX = 5_000

export const batchMachine = machine({
  name: 'batch',
  table: 'batches',
  start: ['AWAITING_PROCESSING', 'PENDING_AUTHORIZATION'],
  states: {
    PENDING_AUTHORIZATION: {
      says: 'Awaiting the code that was emailed to the merchant; the money of all rows is held.',
      waits: 'merchant',
      minutesMax: AUTHORISE_WITHIN_HOURS * 60,
      timers: [EXPIRE_BATCH],
    },
    OTP_EMAIL_DISPATCH_FAILED: {
      says: 'The code could not be emailed; request another.',
      waits: 'merchant',
      minutesMax: AUTHORISE_WITHIN_HOURS * 60,
      timers: [EXPIRE_BATCH],
    },
    AWAITING_PROCESSING: {
      says: 'Its rows are being paid, each independently.',
      waits: 'bank',
      follows: 'disbursement',
    },
    COMPLETED: { says: 'Every row has reached its final state.' },
    EXPIRED: { says: 'Never authorised; the money is back in the wallet.' },
  },
  moves: [
    { on: 'mailFailed', from: ['PENDING_AUTHORIZATION'], to: 'OTP_EMAIL_DISPATCH_FAILED' },
    { on: 'mailSent', from: ['OTP_EMAIL_DISPATCH_FAILED'], to: 'PENDING_AUTHORIZATION' },
    { on: 'authorise', from: ['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'], to: 'AWAITING_PROCESSING' },
    { on: 'complete', from: ['AWAITING_PROCESSING'], to: 'COMPLETED' },
    { on: 'expire', from: ['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'], to: 'EXPIRED' },
  ],
})

const common = { auth: 'bearer', group: 'Bulk transfers', addressErrorCode: 'TRANSFER_FROM_FOREIGN_ADDRESS' } as const
const batchStatus = Type.Enum(Object.keys(batchMachine.states))
const WithOffset = Type.String({ description: 'UTC', examples: ['2026-05-02T14:09:02.004+00:00'] })

const totals = {
  totalAmount: AmountNumber,
  totalFee: Type.Unsafe<number>({
    ...AmountNumber,
    description:
      'Naira; the fees of the rows that were paid or still wait. Rows that are FAILED, EXPIRED or REVERSED cost nothing',
  }),
  batchReference: Type.String(),
  batchStatus,
  totalTransactionsCount: Type.Integer(),
  dateCreated: WithOffset,
}
export const BatchResult = Named('BatchResult', {
  ...totals,
  transactionBatchReference: Type.String({ examples: ['CWDB0120260502140902000042K2P9QX'] }),
})

const Row = Named('NewBatchRow', {
  amount: AmountIn,
  reference: Reference,
  narration: Type.Optional(Text(200)),
  destinationBankCode: Type.String({ maxLength: 10 }),
  destinationAccountNumber: Type.String({ maxLength: 20 }),
  destinationAccountName: Type.Optional(Text(200)),
  currency: Type.Optional(Type.String({ maxLength: 3 })),
  currencyCode: Type.Optional(Type.String({ maxLength: 3 })),
})

export const initiateBatch = route({
  ...common,
  id: 'batches.initiate',
  outcome: { ask: 'batches.get', by: 'reference', from: 'batchReference' },
  permission: 'payouts.send',
  method: 'POST',
  path: '/api/v2/disbursements/batch',
  summary: `Send money to up to ${BATCH_ROWS_MAX.toLocaleString('en')} accounts`,
  feature: 'TRANSFERS',
  description:
    'The money of all valid rows is held at once, then each row is paid independently. With BREAK, a row whose account cannot be validated rejects the whole batch; with CONTINUE that row is FAILED from the start and the others proceed. Counts and `totalAmount` include it, `totalFee` does not. An amount that is none, a reference that occurs twice or that was used before rejects the batch in either mode.',
  bodyBytesMax: 4 * 1024 * 1024,
  bodyKeysMax: BATCH_ROWS_MAX * 16,
  body: Type.Object({
    title: Type.String({ minLength: 1, maxLength: 200 }),
    batchReference: Reference,
    narration: Text(200),
    sourceAccountNumber: Type.String({ minLength: 1, maxLength: 20 }),
    onValidationFailure: Type.Optional(Type.Enum(['CONTINUE', 'BREAK'], { description: 'Default CONTINUE' })),
    notificationInterval: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description: 'Send BATCH_PROGRESS each time this many percent of the rows are done',
      }),
    ),
    transactionList: Type.Array(Row, { minItems: 1, maxItems: BATCH_ROWS_MAX }),
  }),
  reply: BatchResult,
  status422As: 400,
  errors: [
    'TRANSFERS_NOT_APPROVED',
    'WALLET_NOT_YOURS',
    'ROW_INVALID',
    'DAILY_LIMIT',
    'RECEIVABLE_OPEN',
    'INSUFFICIENT_FUNDS',
    'TRANSFER_REFERENCE_USED',
  ],
})

export const authoriseBatch = route({
  ...common,
  id: 'batches.authorise',
  outcome: { ask: 'batches.get', by: 'reference' },
  permission: 'payouts.send',
  method: 'POST',
  path: '/api/v2/disbursements/batch/validate-otp',
  summary: 'Authorise a batch with the emailed code',
  description: 'Its rows are paid from then on. The state tells how far it is.',
  feature: 'TRANSFERS',
  body: Type.Object({
    reference: Type.String({ ...Reference, description: 'The batch reference' }),
    authorizationCode: Code,
  }),
  secretFields: ['authorizationCode'],
  reply: BatchResult,
  errors: [
    'BATCH_UNKNOWN',
    'TRANSFER_NOT_WAITING',
    'APPROVAL_WAITING',
    'DAILY_LIMIT',
    'CODE_WRONG',
    'CODE_VOID',
    'AUTHORIZATION_LOCKED',
    'RECEIVABLE_OPEN',
  ],
})

export const resendBatchCode = route({
  ...common,
  id: 'batches.resendCode',
  permission: 'payouts.send',
  method: 'POST',
  path: '/api/v2/disbursements/batch/resend-otp',
  summary: 'Email a new code for a batch',
  description: 'The new code replaces the one before.',
  body: Type.Object({
    batchReference: Type.Optional(Reference),
    reference: Type.Optional(Type.String({ ...Reference, description: 'Alternative to batchReference' })),
  }),
  reply: Resent,
  errors: ['BATCH_UNKNOWN', 'TRANSFER_NOT_WAITING', 'APPROVAL_WAITING', 'CODES_TOO_MANY'],
})

export const getBatch = route({
  ...common,
  id: 'batches.get',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/batch/summary',
  summary: 'Get the progress of a batch',
  description: 'How many rows, and how much, are paid, failed and pending.',
  query: Type.Object({ reference: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Named('BatchSummary', {
    title: Type.String(),
    ...totals,
    failedCount: Type.Integer(),
    successfulCount: Type.Integer(),
    pendingCount: Type.Integer(),
    pendingAmount: AmountNumber,
    failedAmount: AmountNumber,
    successfulAmount: AmountNumber,
  }),
  errors: ['FIELD_MISSING', 'BATCH_NOT_FOUND'],
})

const paging = { pageNo: Type.Optional(PageNumber), pageSize: Type.Optional(PageSize) }

export const listBatches = route({
  ...common,
  id: 'batches.list',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/bulk/transactions',
  summary: 'List batches',
  description: 'Newest first.',
  query: Type.Object(paging),
  reply: Page(BatchResult),
  errors: [],
})

export const listBatchesOfWallet = route({
  ...common,
  id: 'batches.listOfWallet',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/bulk',
  summary: 'List batches (alternative path)',
  description: 'As the list of batches; with `sourceAccountNumber` those of one wallet.',
  query: Type.Object({ ...paging, sourceAccountNumber: Type.Optional(Type.String({ maxLength: 20 })) }),
  reply: Page(BatchResult),
  errors: ['WALLET_NOT_YOURS'],
})

export const listBatchRows = route({
  ...common,
  id: 'batches.rows',
  permission: 'payouts.read',
  method: 'GET',
  path: '/api/v2/disbursements/bulk/{batchReference}/transactions',
  summary: 'List the rows of a batch',
  description: 'In the order of the request, each with its state.',
  query: Type.Object(paging),
  reply: Page(TransferRecord),
  errors: ['BATCH_NOT_FOUND'],
})
