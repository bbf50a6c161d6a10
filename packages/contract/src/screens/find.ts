// Find anything: whatever somebody pastes leads to where it is shown. References carry kind and cell, so this
// is a look-up, not a search.
import Type, { type Static } from 'typebox'
import { view } from '../kit/act.ts'
import { AmountNumber } from '../kit/money.ts'
import type { MerchantPermission } from '../kit/permissions.ts'

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** Which permission shows it, and where. */
export const FOUND_KINDS = {
  PAYMENT: ['collections.read', '/payments/'],
  REFUND: ['refunds.read', '/refunds/'],
  PAYOUT: ['payouts.read', '/payouts/'],
  BATCH: ['payouts.read', '/payouts/batches/'],
  SETTLEMENT: ['settlements.read', '/settlements/'],
  INVOICE: ['collections.read', '/invoices/'],
  MANDATE: ['collections.read', '/mandates/'],
  PAYMENT_LINK: ['collections.read', '/links/'],
  RESERVED_ACCOUNT: ['collections.read', '/accounts/'],
  CUSTOMER: ['collections.read', '/customers/'],
  EVENT: ['events.read', '/developers/events/'],
  REQUEST: ['requests.read', '/developers/requests?requestId='],
} as const satisfies Readonly<Record<string, readonly [permission: MerchantPermission, path: string]>>
export type FoundKind = keyof typeof FOUND_KINDS

export const FoundItem = Type.Object({
  kind: Type.Enum(Object.keys(FOUND_KINDS) as FoundKind[]),
  reference: Type.String({ description: 'What it is known by' }),
  name: Nullable(Type.String({ description: 'Whose, where it is somebody’s' })),
  amount: Nullable(AmountNumber),
  state: Nullable(Type.String()),
  at: Nullable(Type.String({ description: 'When it was made; ISO 8601, UTC' })),
  path: Type.String({ description: 'Of its screen, below the dashboard' }),
})
export type FoundItem = Static<typeof FoundItem>

export const findAnything = view({
  id: 'find.anything',
  side: 'merchant',
  permission: 'collections.read',
  concerns: 'merchant',
  summary: 'Find what a reference, an account number, an e-mail address or an id of the bank belongs to',
  query: Type.Object({ text: Type.Optional(Type.String({ maxLength: 200, description: 'The whole of it' })) }),
  reply: Type.Object({ found: Type.Array(FoundItem) }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
})
