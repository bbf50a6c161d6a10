// Settlements: what was collected is paid to the merchant and its sub accounts, and every payment comes with
// a statement that proves itself. docs/settlements.md tells it to merchants, and the canonical form that is
// hashed (statement.ts).
import Type from 'typebox'
import { StatusRecord } from '../collections/transactions.ts'
import { act } from '../kit/act.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountText } from '../kit/money.ts'
import { CreationMoment, Page, PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'

export const settlementMachine = machine({
  name: 'settlement',
  table: 'settlements',
  start: ['PAYING', 'COMPLETED'],
  states: {
    PAYING: {
      says: 'The bank was instructed to pay it and has not confirmed yet.',
      waits: 'bank',
      follows: 'bank_order',
    },
    COMPLETED: { says: 'Credited to the wallet, or confirmed by the bank.' },
    RETURNED: {
      says: 'Not paid, or reversed, by the bank. Its lines are paid with the next settlement.',
    },
  },
  moves: [
    { on: 'complete', from: ['PAYING'], to: 'COMPLETED', emits: 'SETTLEMENT', books: true },
    { on: 'return', from: ['PAYING'], to: 'RETURNED', books: true },
    { on: 'takeBack', from: ['COMPLETED'], to: 'RETURNED', books: true },
  ],
})

/** So many transactions are listed in the event of a settlement; `transactionsCount` counts all. */
export const EVENT_TRANSACTIONS_MAX = 1_000

const DESTINATIONS = ['WALLET', 'BANK'] as const
export const SCHEDULES = ['SAME_DAY', 'INSTANT', 'T_PLUS_1'] as const
export type Schedule = (typeof SCHEDULES)[number]

const common = { auth: 'bearer', group: 'Settlements' } as const
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Reference = Type.String({ examples: ['01Q7H2M0XA4LPD93ZRT6'], description: '20 upper-case letters and digits' })
const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T21:00:00.000Z'] })
/** Corrections are below zero. */
const SignedText = Type.String({
  pattern: '^-?\\d+\\.\\d\\d$',
  description: 'Naira as decimal text; a correction is negative',
  examples: ['985.00'],
})
const Status = Type.Enum(Object.keys(settlementMachine.states))
const BeneficiaryType = Type.Enum(['MERCHANT', 'SUB_ACCOUNT'])

const Rule = Named('SettlementRule', {
  destination: Type.Enum([...DESTINATIONS]),
  schedule: Type.Enum([...SCHEDULES], {
    description:
      'SAME_DAY: every day at 22:00 West Africa Time. T_PLUS_1: at 22:00 on the next working day. INSTANT: within seconds; needs the feature INSTANT_SETTLEMENT, which the operator grants',
  }),
  bankCode: Nullable(Type.String()),
  bankName: Nullable(Type.String()),
  accountNumber: Nullable(Type.String()),
  accountName: Nullable(Type.String({ description: 'As held by the bank' })),
  validFrom: Nullable(Moment),
})

const NewRule = Named('NewSettlementRule', {
  destination: Type.Enum([...DESTINATIONS]),
  schedule: Type.Enum([...SCHEDULES]),
  bankCode: Type.Optional(Type.String({ minLength: 1, maxLength: 10 })),
  accountNumber: Type.Optional(Type.String({ pattern: '^\\d{10}$' })),
})
const RULE_REFUSALS = [
  'FEATURE_NOT_GRANTED',
  'SETTLEMENT_ACCOUNT_REQUIRED',
  'BANK_UNKNOWN',
  'BANK_ACCOUNT_UNKNOWN',
] as const

export const getSettlementRule = route({
  ...common,
  id: 'settlements.rule',
  permission: 'settlements.read',
  method: 'GET',
  path: '/api/v1/settlement-rule',
  summary: 'Get the settlement rule',
  description: 'Where and when settlements are paid.',
  reply: Rule,
  errors: [],
})

export const putSettlementRule = route({
  ...common,
  auth: 'basic',
  id: 'settlements.setRule',
  permission: 'settlements.write',
  trail: true,
  method: 'PUT',
  path: '/api/v1/settlement-rule',
  summary: 'Set the settlement rule',
  description:
    'Where and when settlements are paid. Authorization: Basic base64(apiKey:secretKey), as for login: a token is not enough to redirect money. The account name comes from the bank. Takes effect with the next settlement; the merchant is notified by email.',
  body: NewRule,
  reply: Rule,
  errors: [
    'AUTHORIZATION_MISSING',
    'CREDENTIALS_INVALID',
    'ADDRESS_NOT_ALLOWED',
    'MERCHANT_SUSPENDED',
    'RATE_LIMITED',
    ...RULE_REFUSALS,
  ],
})

/** The same for people. Tried first, it says whose account the bank says it is; the proof of identity stands
 *  in for the secret key. */
export const setOwnRule = act({
  id: 'settlements.setRule',
  side: 'merchant',
  permission: 'settlements.write',
  concerns: 'merchant',
  summary: 'Set where and when settlements are paid',
  input: NewRule,
  reply: Rule,
  errors: ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', ...RULE_REFUSALS],
  stepUp: true,
  dryRun: true,
})

const Destination = Named('SettlementDestination', {
  type: Type.Enum([...DESTINATIONS]),
  bankCode: Type.String(),
  accountNumber: Type.String(),
  accountName: Type.String(),
})

/** A settlement as an item of the list. */
const Settlement = Named('Settlement', {
  settlementReference: Reference,
  number: Type.Integer({ description: '1, 2, 3 … per merchant; the order of the hash chain' }),
  status: Status,
  beneficiaryType: BeneficiaryType,
  beneficiaryCode: Type.String({ description: 'The sub account code, or the settlement profile of the merchant' }),
  amount: AmountText,
  transactionsCount: Type.Integer(),
  destination: Destination,
  createdOn: Moment,
  completedOn: Nullable(Moment),
  hash: Type.String(),
})

export const listSettlements = route({
  ...common,
  id: 'settlements.list',
  permission: 'settlements.read',
  method: 'GET',
  path: '/api/v1/settlements',
  summary: 'List settlements',
  description:
    'Newest first, those of sub accounts included. A settlement must match every filter given: by amount and day, a line of a bank statement finds its settlement.',
  query: Type.Object({
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
    fromAmount: Type.Optional(AmountIn),
    toAmount: Type.Optional(AmountIn),
    from: Type.Optional(CreationMoment),
    to: Type.Optional(CreationMoment),
  }),
  reply: Page(Settlement),
  errors: ['AMOUNT_INVALID', 'FIELD_INVALID'],
})

export const StatementLine = Named('StatementLine', {
  kind: Type.String({ description: 'COLLECTION, or the kind of correction', examples: ['COLLECTION'] }),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  at: Moment,
  amount: SignedText,
  fee: SignedText,
  feeRule: Named('FeeRule', {
    id: Type.String({ description: 'The version of the fee schedule; empty when none was applied' }),
    basisPoints: Type.Integer({ description: 'Hundredths of a percent' }),
    cap: Type.String({ description: 'Naira; the maximum fee' }),
    flat: Type.Optional(Type.String({ description: 'Naira; the flat part of the fee, where it has one' })),
  }),
  shares: Type.Array(Named('StatementShare', { subAccountCode: Type.String(), amount: SignedText }), {
    description: 'The shares of sub accounts, ordered by code',
  }),
  net: SignedText,
})
export const StatementTotals = Named('StatementTotals', {
  lines: Type.Integer(),
  transactions: Type.Integer(),
  amount: SignedText,
  fee: SignedText,
  shares: SignedText,
  net: AmountText,
})

export const Statement = Named('Statement', {
  settlementReference: Reference,
  number: Type.Integer(),
  status: Status,
  beneficiaryType: BeneficiaryType,
  beneficiaryCode: Type.String(),
  destination: Destination,
  currency: Type.String(),
  from: Moment,
  to: Moment,
  createdOn: Moment,
  lines: Type.Array(StatementLine),
  totals: StatementTotals,
  previousHash: Type.String({ description: "The hash of the merchant's previous settlement; 64 zeros for the first" }),
  hash: Type.String({ description: 'SHA-256 of the canonical text, in hexadecimal digits' }),
  signature: Type.String({ description: 'Ed25519 over the digits of `hash`, in base64' }),
  keyId: Type.String({ description: 'Identifies the signing key; see settlement-key' }),
})

export const getStatement = route({
  ...common,
  id: 'settlements.statement',
  permission: 'settlements.read',
  method: 'GET',
  path: '/api/v1/settlements/{settlementReference}/statement',
  summary: 'Get the statement of a settlement',
  description:
    'Every line with fee, fee rule, shares and net; totals to the kobo; the hash of the previous statement, its own hash, and a signature. The guide to settlements explains how the hash is computed.',
  reply: Statement,
  errors: ['SETTLEMENT_NOT_FOUND'],
})

export const getStatementCsv = route({
  ...common,
  id: 'settlements.statementCsv',
  permission: 'settlements.read',
  method: 'GET',
  path: '/api/v1/settlements/{settlementReference}/statement.csv',
  summary: 'Get the statement of a settlement as CSV',
  description: 'Comma-separated values, without the envelope.',
  reply: Type.String(),
  file: 'text/csv',
  errors: ['SETTLEMENT_NOT_FOUND'],
})

export const getSettlementKey = route({
  ...common,
  auth: 'none',
  id: 'settlements.key',
  method: 'GET',
  path: '/api/v1/settlement-key',
  summary: 'Get the public key for verifying statements',
  description: 'Anybody may read it. A statement names by `keyId` which key signed it.',
  reply: Type.Object({
    keyId: Type.String(),
    algorithm: Type.Literal('Ed25519'),
    publicKey: Type.String({ description: 'SPKI in PEM' }),
    others: Type.Array(Named('SettlementPublicKey', { keyId: Type.String(), publicKey: Type.String() }), {
      description: 'Keys that signed earlier statements, or will sign next. A statement names its own by `keyId`',
    }),
  }),
  errors: [],
})

export const getSettlementDetail = route({
  ...common,
  id: 'settlements.detail',
  permission: 'settlements.read',
  contractFields: ['transactionReference'],
  method: 'GET',
  path: '/api/v1/settlement-detail',
  summary: 'Get how a transaction was settled',
  description: 'What each beneficiary got of it, and when.',
  query: Type.Object({ transactionReference: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: Type.Object({
    transactionReference: Type.String(),
    settlementReference: Reference,
    settlementDate: Type.String({ examples: ['02/05/2026 10:00:12 PM'] }),
    settlementAmount: AmountText,
    currency: Type.String(),
    transaction: StatusRecord,
    beneficiaries: Type.Array(
      Named('SettlementBeneficiary', {
        beneficiaryType: BeneficiaryType,
        beneficiaryCode: Type.String(),
        beneficiaryIncome: AmountText,
        incurredFee: AmountText,
        settlementStatus: Type.Enum(['PENDING', ...Object.keys(settlementMachine.states)]),
        settlementInformation: Nullable(
          Named('SettlementInformation', {
            settledDate: Type.String(),
            settlementReference: Reference,
            settlementAmount: SignedText,
            settlementFee: AmountText,
            destinationAccountNumber: Type.String(),
            destinationAccountName: Type.String(),
            destinationBankName: Type.String(),
            destinationBankCode: Type.String(),
          }),
        ),
      }),
      { description: "Each income is before the beneficiary's part of the fee" },
    ),
  }),
  errors: ['TRANSACTION_NOT_FOUND', 'SETTLEMENT_NOT_FOUND'],
})

export const findBySettlement = route({
  ...common,
  id: 'settlements.transactions',
  permission: 'settlements.read',
  method: 'GET',
  path: '/api/v1/transactions/find-by-settlement-reference',
  summary: 'List the transactions of a settlement',
  description: 'As the status records of transactions, in pages.',
  query: Type.Object({
    reference: Type.String({ minLength: 1, maxLength: 40 }),
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
  }),
  reply: Page(StatusRecord),
  errors: ['SETTLEMENT_NOT_FOUND'],
})

export const runSettlements = route({
  ...common,
  id: 'settlements.run',
  permission: 'settlements.write',
  group: 'Sandbox',
  sandbox: true,
  noIdempotencyKey: true,
  method: 'POST',
  path: '/sandbox/settlements/run',
  summary: 'Settle everything that is due, now',
  description: 'In live this happens on schedule.',
  reply: Type.Object({
    settlements: Type.Array(
      Named('SettlementMade', {
        settlementReference: Reference,
        amount: AmountText,
        transactionsCount: Type.Integer(),
      }),
    ),
  }),
  errors: [],
})
