// What a merchant is charged, and up to which amounts it collects and pays out: dated rows that are never
// edited. A schedule is of a method of payment, of all methods that have none of their own, or of what
// leaves.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'
import { AmountIn, AmountText } from '../kit/money.ts'

export const COLLECTION_METHODS = ['ACCOUNT_TRANSFER', 'USSD', 'CARD', 'DIRECT_DEBIT'] as const
export type CollectionMethod = (typeof COLLECTION_METHODS)[number]
/** What is charged for beside collections. Without a schedule of the merchant the tariff for all applies. */
export const CHARGED = ['PAYOUT', 'REFUND', 'VERIFICATION'] as const
export type Charged = (typeof CHARGED)[number]
const FEE_METHODS = ['ANY', ...COLLECTION_METHODS, ...CHARGED] as const
export type FeeMethod = (typeof FEE_METHODS)[number]
const BEARERS = ['MERCHANT', 'CUSTOMER'] as const
export type Bearer = (typeof BEARERS)[number]
/** What a customer can bear the fee of: where the payer chooses how to pay, and sees the fee before
 *  paying. */
export const CUSTOMER_BEARS: readonly FeeMethod[] = ['ANY', 'ACCOUNT_TRANSFER', 'USSD', 'CARD']

const Method = Type.Enum([...FEE_METHODS], {
  description:
    'A method of payment; ANY: every method that has no schedule of its own; PAYOUT (paycodes too), REFUND or VERIFICATION',
})
const BasisPoints = Type.Integer({ minimum: 0, maximum: 10_000, description: 'Hundredths of a percent' })
const BearerField = Type.Enum([...BEARERS], {
  description:
    'CUSTOMER: the fee is quoted to the payer and paid on top of the amount; for ANY, ACCOUNT_TRANSFER, USSD and CARD. Reserved accounts, invoices, stored cards and direct debits cannot ask for more than the amount: there the merchant bears it all the same',
})
const ValidFrom = Type.String({
  maxLength: 40,
  description: 'An instant with its offset, or a day of West Africa Time; not in the past. At once if not given',
  examples: ['2026-11-23', '2026-11-23T00:00:00+01:00'],
})
const Moment = Type.String({ description: 'UTC', examples: ['2026-05-02T14:07:31.120Z'] })

const State = Type.Enum(['IN_FORCE', 'COMING', 'PAST'])
const Schedule = Type.Object({
  id: Type.String({ description: 'The version; postings and statements name it' }),
  method: Method,
  basisPoints: BasisPoints,
  flat: AmountText,
  cap: AmountText,
  bearer: BearerField,
  validFrom: Moment,
  state: State,
})
const Schedules = Type.Object({
  schedules: Type.Array(Schedule, { description: 'By method, the newest first' }),
})

/** What a dry run shows: the last thirty days again, as they were priced by what is in force now, and by what
 *  is proposed. */
export const FeePreview = Type.Object({
  from: Moment,
  to: Moment,
  methods: Type.Array(
    Type.Object({ method: Method, count: Type.Integer(), volume: AmountText, feeNow: AmountText, feeThen: AmountText }),
  ),
})

export const setFees = act({
  id: 'fees.set',
  side: 'operator',
  permission: 'operator.fees.write',
  concerns: 'merchant',
  summary: 'Set what a merchant is charged for a method of payment, from now or from a later day on',
  input: Type.Object({
    method: Method,
    basisPoints: BasisPoints,
    flat: Type.Optional(AmountIn),
    cap: AmountIn,
    bearer: Type.Optional(BearerField),
    validFrom: Type.Optional(ValidFrom),
  }),
  reply: Schedule,
  errors: ['FEE_BEARER', 'FEE_DATE', 'FEE_DATE_TAKEN', 'AMOUNT_INVALID'],
  approval: 'always',
  stepUp: true,
  dryRun: true,
  preview: FeePreview,
})

const listed = { concerns: 'merchant', query: Type.Object({}), reply: Schedules, errors: [] } as const
export const listFees = view({
  ...listed,
  id: 'fees.list',
  side: 'operator',
  permission: 'operator.fees.read',
  summary: 'List the fee schedules of a merchant: past, in force and coming',
})
export const myFees = view({
  ...listed,
  id: 'fees.mine',
  side: 'merchant',
  permission: 'settings.read',
  summary: 'List your fee schedules: past, in force and coming',
})

/** Of each cell; who looks for one narrows it by method or merchant. */
export const OVERVIEW_MOST = 200
const Search = Type.String({ maxLength: 100, description: 'Part of the merchant’s name, or its API key' })

export const overviewFees = view({
  id: 'fees.overview',
  side: 'operator',
  permission: 'operator.fees.read',
  concerns: 'cell',
  summary: 'List the fee schedules of all merchants of a cell, by merchant and method',
  query: Type.Object({
    state: Type.Optional(State),
    method: Type.Optional(Method),
    search: Type.Optional(Search),
  }),
  reply: Type.Object({
    schedules: Type.Array(
      Type.Object({ ...Schedule.properties, merchant: Type.String(), merchantName: Type.String() }),
    ),
    more: Type.Boolean({ description: `True: there are more than the ${OVERVIEW_MOST} that are shown` }),
  }),
  errors: ['PERMISSION_DENIED'],
})
