// Direct debit: a customer allows a merchant, once, to take money from an account, and the merchant takes it.
// What the interface promises.
import Type from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber, nairaText } from '../kit/money.ts'
import { PageNumber, PageSize } from '../kit/paging.ts'
import { machine, route } from '../kit/spec.ts'
import { CLOSE_MANDATE, END_MANDATE, MANDATE_UNAUTHORISED, REGISTER_MANDATE } from '../kit/timers.ts'
import { IncomeSplits } from './splits.ts'
import { Email, Reference, Text, transactionMachine } from './transactions.ts'

/** A mandate that the customer does not authorise ends after this long. */
export const AUTHORISE_WITHIN_DAYS = 30
/** What the customer pays from the account of the mandate to authorise it. */
export const TOKEN_KOBO = 5_000n
/** The longest time that a list of mandates may span. */
export const LIST_DAYS_MAX = 90
/** The shortest window of a mandate that renews itself. */
export const RENEWED_WINDOW_HOURS_MIN = 24
/** The scheme that mandates are registered with. */
export const SCHEME = 'NDD'

export const mandateMachine = machine({
  name: 'mandate',
  table: 'mandates',
  start: 'INITIATED',
  states: {
    INITIATED: {
      says: 'Awaiting the customer, who was emailed the instructions.',
      waits: 'payer',
      minutesMax: AUTHORISE_WITHIN_DAYS * 24 * 60,
      timers: [MANDATE_UNAUTHORISED, END_MANDATE, REGISTER_MANDATE, CLOSE_MANDATE],
    },
    ACTIVE: {
      says: 'Authorised: debits are possible from its start date to its end date.',
      waits: 'merchant',
      timers: [END_MANDATE, CLOSE_MANDATE],
    },
    FAILED: { says: 'Declined by the customer.' },
    EXPIRED: { says: 'Not authorised in time, or past its end date.' },
    CANCELLED: { says: 'Cancelled by the merchant, or by the customer where that is allowed.' },
  },
  moves: [
    { on: 'authorise', from: ['INITIATED'], to: 'ACTIVE', emits: 'MANDATE_UPDATE' },
    { on: 'decline', from: ['INITIATED'], to: 'FAILED', emits: 'MANDATE_UPDATE' },
    { on: 'expire', from: ['INITIATED', 'ACTIVE'], to: 'EXPIRED', emits: 'MANDATE_UPDATE' },
    { on: 'cancel', from: ['INITIATED', 'ACTIVE'], to: 'CANCELLED', emits: 'MANDATE_UPDATE' },
    // Renewed for the same length of time.
    { on: 'renew', from: ['ACTIVE'], to: 'ACTIVE', emits: 'MANDATE_UPDATE' },
    // The merchant's request to cancel: the scheme is asked, and no further debit is accepted. The status
    // stays, so no event is sent.
    { on: 'withdraw', from: ['INITIATED'], to: 'INITIATED' },
    { on: 'requestCancel', from: ['ACTIVE'], to: 'ACTIVE' },
  ],
})

const common = { auth: 'bearer', group: 'Direct debit' } as const
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const status = Type.Enum(Object.keys(mandateMachine.states))
const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '[^\\s]' })
const MandateCode = Type.String({ examples: ['CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD'] })
const Day = Type.String({
  maxLength: 40,
  description: 'West Africa Time unless an offset is given; a space or a T between date and time',
  examples: ['2026-05-02 08:00:00'],
})
const ListDay = Type.String({ description: 'UTC', examples: ['2026-05-02T07:00:00.000+0000'] })

const MandateAnswer = Named('MandateAnswer', {
  responseMessage: Type.String(),
  mandateReference: Type.String(),
  mandateCode: MandateCode,
  mandateStatus: status,
})

export const MandateRecord = Named('MandateRecord', {
  mandateCode: MandateCode,
  externalMandateReference: Type.String({ description: "The merchant's mandateReference" }),
  mandateReference: Type.String({ description: 'The same value' }),
  startDate: ListDay,
  endDate: ListDay,
  mandateStatus: status,
  mandateAmount: Type.Number({ description: 'Naira; 0 when no total amount was set' }),
  contractCode: Type.String(),
  autoRenew: Type.Boolean(),
  customerPhoneNumber: Type.String(),
  customerEmailAddress: Type.String(),
  customerAddress: Type.String(),
  customerName: Type.String(),
  customerAccountName: Type.String({ description: 'The account name held by the bank' }),
  customerAccountNumber: Type.String(),
  customerAccountBankCode: Type.String(),
  mandateDescription: Type.String(),
  debitAmount: Nullable(AmountNumber),
  authorizationMessage: Nullable(
    Type.String({
      description: `What the customer has to do: pay a token of ₦${nairaText(TOKEN_KOBO)}. Present while the mandate is INITIATED; null until the scheme has responded`,
    }),
  ),
  authorizationLink: Nullable(Type.String({ description: 'The page where the customer can decide' })),
  responseMessage: Type.String({ examples: ['Active Mandate'] }),
  schemeCode: Type.String(),
})

export const createMandate = route({
  ...common,
  id: 'mandates.create',
  permission: 'collections.write',
  contractFields: ['contractCode'],
  method: 'POST',
  path: '/api/v1/direct-debit/mandate/create',
  summary: 'Ask a customer for a mandate',
  description:
    "The customer is emailed instructions: paying a token of ₦50.00 from the account within 30 days authorises the mandate; otherwise it is EXPIRED. With autoRenew, a mandate is renewed at its end date for the same length of time. mandateAmount is for the whole life of the mandate and is not renewed. customerAccountName, if given, must match the name held by the bank, by the same rule as for single transfers; the record shows the bank's name.",
  body: Type.Object({
    contractCode: Type.String({ minLength: 1, maxLength: 20 }),
    mandateReference: Reference,
    autoRenew: Type.Optional(Type.Boolean()),
    customerName: Line(200),
    customerEmailAddress: Email,
    customerPhoneNumber: Line(40),
    customerAddress: Line(500),
    customerAccountNumber: Type.String({ minLength: 1, maxLength: 20 }),
    customerAccountBankCode: Type.String({ minLength: 1, maxLength: 10 }),
    customerAccountName: Type.Optional(Text(200)),
    mandateDescription: Line(500),
    mandateStartDate: Day,
    mandateEndDate: Day,
    mandateAmount: Type.Optional(AmountIn),
    debitAmount: Type.Optional(AmountIn),
    customerCancellation: Type.Optional(Type.Boolean()),
  }),
  reply: MandateAnswer,
  errors: [
    'CONTRACT_UNKNOWN',
    'MANDATE_START_PAST',
    'MANDATE_END_EARLY',
    'MANDATE_BANK_UNKNOWN',
    'MANDATE_ACCOUNT_INVALID',
    'MANDATE_NAME_MISMATCH',
    'MANDATE_REFERENCE_USED',
  ],
})

export const getMandates = route({
  ...common,
  id: 'mandates.get',
  permission: 'collections.read',
  method: 'GET',
  path: '/api/v1/direct-debit/mandate/',
  summary: 'Get mandates by your references',
  description: 'Unknown references are left out of the response.',
  query: Type.Object({
    mandateReferences: Type.String({
      minLength: 1,
      maxLength: 5000,
      description: 'One, or several separated by commas',
    }),
  }),
  reply: Type.Array(MandateRecord),
  errors: ['FIELD_MISSING'],
})

/** The states that a list can be asked for; PENDING is another word for INITIATED. */
const LISTED_STATES = ['PENDING', ...Object.keys(mandateMachine.states)] as const

export const listMandates = route({
  ...common,
  id: 'mandates.list',
  permission: 'collections.read',
  method: 'GET',
  path: '/api/v1/direct-debit/mandates',
  summary: 'List mandates',
  description: 'Newest first. A mandate must match every filter given.',
  query: Type.Object({
    startDate: Type.Optional(Type.String({ maxLength: 100, description: 'Created on or after this date' })),
    endDate: Type.Optional(
      Type.String({
        maxLength: 100,
        description: `Created on or before this date; at most ${LIST_DAYS_MAX} days after startDate`,
      }),
    ),
    customerEmail: Type.Optional(Type.String({ maxLength: 254 })),
    schemeCode: Type.Optional(Type.String({ maxLength: 20 })),
    mandateStatus: Type.Optional(Type.Enum([...LISTED_STATES])),
    page: Type.Optional(PageNumber),
    size: Type.Optional(PageSize),
  }),
  reply: Type.Object({
    content: Type.Array(MandateRecord),
    totalElements: Type.Integer(),
    totalPages: Type.Integer(),
    pageNumber: Type.Integer({ description: 'From 0' }),
    pageSize: Type.Integer(),
    first: Type.Boolean(),
    last: Type.Boolean({ description: 'Whether this is the last page' }),
    numberOfElements: Type.Integer({ description: 'Items on this page' }),
    empty: Type.Boolean(),
  }),
  errors: [],
})

export const DebitRecord = Named('DebitRecord', {
  transactionStatus: Type.Enum(Object.keys(transactionMachine.states), {
    description: "PENDING, then PAID or FAILED: the status of the debit's transaction",
  }),
  responseMessage: Nullable(Type.String()),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  debitAmount: AmountNumber,
  narration: Type.String(),
  mandateCode: MandateCode,
})

export const debitMandate = route({
  ...common,
  id: 'mandates.debit',
  outcome: { ask: 'mandates.debitStatus', by: 'paymentReference' },
  permission: 'collections.write',
  contractFields: ['mandateCode'],
  method: 'POST',
  path: '/api/v1/direct-debit/mandate/debit',
  summary: "Debit a customer's account",
  description:
    'An accepted debit is PENDING and then sent to the bank. A debit is a transaction: SUCCESSFUL_TRANSACTION reports that it is PAID, and search and status find it like any other.',
  body: Type.Object({
    paymentReference: Reference,
    mandateCode: Type.String({ minLength: 1, maxLength: 60 }),
    debitAmount: AmountIn,
    narration: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
    customerEmail: Email,
    incomeSplitConfig: Type.Optional(IncomeSplits),
  }),
  reply: DebitRecord,
  errors: [
    'AMOUNT_TOO_SMALL',
    'PAYMENT_LIMIT',
    'PAYMENT_DAY_LIMIT',
    'MANDATE_NOT_FOUND',
    'DUPLICATE_PAYMENT_REFERENCE',
    'MANDATE_NOT_ACTIVE',
    'MANDATE_NOT_STARTED',
    'DEBIT_AMOUNT_FIXED',
    'MANDATE_AMOUNT_SPENT',
    'CONTRACT_UNKNOWN',
    'SUB_ACCOUNT_UNKNOWN',
    'SPLIT_INVALID',
  ],
})

export const getDebit = route({
  ...common,
  id: 'mandates.debitStatus',
  permission: 'collections.read',
  contractFields: ['paymentReference'],
  method: 'GET',
  path: '/api/v1/direct-debit/mandate/debit-status',
  summary: 'Get the status of a debit',
  description: 'By your `paymentReference`. A debit is PENDING until the bank has answered.',
  query: Type.Object({ paymentReference: Type.String({ minLength: 1, maxLength: 100 }) }),
  reply: DebitRecord,
  errors: ['FIELD_MISSING', 'DEBIT_NOT_FOUND'],
})

export const cancelMandate = route({
  ...common,
  id: 'mandates.cancel',
  permission: 'collections.write',
  contractFields: ['mandateCode'],
  method: 'PATCH',
  path: '/api/v1/direct-debit/mandate/cancel-mandate/{mandateCode}',
  summary: 'Cancel a mandate',
  description:
    'The scheme is asked to cancel, and the mandate is CANCELLED once it confirms; until then its status does not change. No new debits are accepted; those already accepted continue. Calling again before the scheme confirms returns the same response.',
  reply: MandateAnswer,
  errors: ['MANDATE_NOT_FOUND', 'MANDATE_ENDED'],
})
