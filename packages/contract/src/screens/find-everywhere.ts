// Find anything, for the operator: the same box over all merchants and cells. Every cell is asked at once;
// one that does not answer in time is named, because what it has is missing from what is shown.
import Type, { type Static } from 'typebox'
import { view } from '../kit/act.ts'
import { AmountNumber } from '../kit/money.ts'
import type { OperatorPermission } from '../kit/permissions.ts'

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Which permission shows it. */
export const EVERYWHERE_KINDS = {
  MERCHANT: 'operator.merchants.read',
  PAYMENT: 'operator.merchants.read',
  REFUND: 'operator.merchants.read',
  PAYOUT: 'operator.merchants.read',
  BATCH: 'operator.merchants.read',
  INVOICE: 'operator.merchants.read',
  MANDATE: 'operator.merchants.read',
  PAYMENT_LINK: 'operator.merchants.read',
  RESERVED_ACCOUNT: 'operator.merchants.read',
  SETTLEMENT: 'operator.settlements.read',
  SUSPENSE: 'operator.suspense.read',
  BREAK: 'operator.books.read',
} as const satisfies Readonly<Record<string, OperatorPermission>>
export type EverywhereKind = keyof typeof EVERYWHERE_KINDS

export const FoundEverywhere = Type.Object({
  kind: Type.Enum(Object.keys(EVERYWHERE_KINDS) as EverywhereKind[]),
  cell: Type.String({ examples: ['01'] }),
  merchant: Nullable(Type.String({ description: 'API key; null: nobody’s, or not live yet' })),
  merchantName: Nullable(Type.String()),
  reference: Type.String({ description: 'What it is known by' }),
  name: Nullable(Type.String({ description: 'Whose customer’s, where it is somebody’s' })),
  amount: Nullable(AmountNumber),
  state: Nullable(Type.String()),
  at: Nullable(Type.String({ description: 'When it was made; ISO 8601, UTC' })),
  path: Type.String({ description: 'Of its screen, below the console' }),
})
export type FoundEverywhere = Static<typeof FoundEverywhere>

/** A cell that takes longer is named and not waited for. */
export const CELL_ANSWERS_WITHIN_MS = 2_000

export const findEverywhere = view({
  id: 'find.everywhere',
  side: 'operator',
  permission: 'operator.merchants.read',
  concerns: 'installation',
  summary: 'Find which merchant and cell a name, a reference, an account number or an id of the bank belongs to',
  query: Type.Object({
    text: Type.Optional(Type.String({ maxLength: 200, description: 'The whole of it; of a merchant’s name a part' })),
  }),
  reply: Type.Object({
    found: Type.Array(FoundEverywhere),
    silent: Type.Array(Type.String(), { description: 'Cells that did not answer in time' }),
  }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
})
