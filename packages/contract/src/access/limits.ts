// Up to which amounts a merchant collects and pays out, in one payment and in a day. The operator sets them,
// with two people; they are in force at once, and what was in force before stays on record.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'
import { AmountIn, AmountText } from '../kit/money.ts'
import { OVERVIEW_MOST } from '../settlements/fees.ts'

export const LIMIT_KINDS = ['COLLECTIONS', 'PAYOUTS'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]

const Kind = Type.Enum([...LIMIT_KINDS])
const Nullable = Type.Union([AmountText, Type.Null()], { description: 'Naira; null: no limit' })
const Limit = Type.Object({
  kind: Kind,
  perPayment: Nullable,
  perDay: Nullable,
  validFrom: Type.Union([Type.String(), Type.Null()], { description: 'UTC; null: since the account was opened' }),
})

export const setLimits = act({
  id: 'limits.set',
  side: 'operator',
  permission: 'operator.limits.write',
  concerns: 'merchant',
  summary: 'Set how much a merchant may ask for in one payment and in a day, or pay out in one transfer and in a day',
  input: Type.Object({
    kind: Kind,
    perPayment: Type.Optional(AmountIn),
    perDay: Type.Optional(AmountIn),
  }),
  reply: Limit,
  errors: ['LIMIT_WRONG', 'AMOUNT_INVALID'],
  approval: 'always',
  stepUp: true,
})

const listed = {
  concerns: 'merchant',
  query: Type.Object({}),
  reply: Type.Object({ inForce: Type.Array(Limit), before: Type.Array(Limit) }),
  errors: [],
} as const

export const listLimits = view({
  ...listed,
  id: 'limits.list',
  side: 'operator',
  permission: 'operator.merchants.read',
  summary: 'List the limits of a merchant: those in force and those before',
})

export const myLimits = view({
  ...listed,
  id: 'limits.mine',
  side: 'merchant',
  permission: 'settings.read',
  summary: 'List your limits: those in force and those before',
})

export const overviewLimits = view({
  id: 'limits.overview',
  side: 'operator',
  permission: 'operator.merchants.read',
  concerns: 'cell',
  summary: 'List the limits in force of all merchants of a cell',
  query: Type.Object({
    kind: Type.Optional(Kind),
    search: Type.Optional(Type.String({ maxLength: 100, description: 'Part of the merchant’s name, or its API key' })),
  }),
  reply: Type.Object({
    limits: Type.Array(Type.Object({ ...Limit.properties, merchant: Type.String(), merchantName: Type.String() })),
    more: Type.Boolean({ description: `True: there are more than the ${OVERVIEW_MOST} that are shown` }),
  }),
  errors: ['PERMISSION_DENIED'],
})
