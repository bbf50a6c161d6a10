// What an order consists of, as far as it is stored: payouts, and refunds to cards.
import { createHash } from 'node:crypto'
import type { CardRefundOrder } from '@cowrie/contract/bank/card-refund-connector'
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { PAYOUT_CODES } from '@cowrie/contract/payouts/payout-codes'
import { type Storable, withoutCards } from '../kit/secretless.ts'

export type Contents = Storable<PayoutOrder>
export type RefundContents = Storable<CardRefundOrder>

export type OrderKind<C> = {
  readonly table: 'orders' | 'card_refunds'
  /** By name, so that whatever else a message holds is not stored. */
  readonly names: readonly (keyof C & string)[]
  /** Texts that people write, and may write a card number into. */
  readonly free: readonly (keyof C & string)[]
  /** The codes that this kind of order ends with, and their texts. */
  readonly codes: Readonly<Record<string, string>>
}

export const CONTENTS = [
  'sessionId',
  'amount',
  'destinationBankCode',
  'destinationAccountNumber',
  'destinationAccountName',
  'narration',
  'senderName',
  'senderAccountNumber',
] as const satisfies readonly (keyof Contents)[]

export const PAYOUTS: OrderKind<Contents> = {
  table: 'orders',
  names: CONTENTS,
  free: ['destinationAccountName', 'narration', 'senderName'],
  codes: PAYOUT_CODES,
}

export const CARD_REFUNDS: OrderKind<RefundContents> = {
  table: 'card_refunds',
  names: ['sessionId', 'chargeReference', 'amount', 'narration', 'merchantName'],
  free: ['narration', 'merchantName'],
  codes: Object.fromEntries(Object.entries(RESPONSE_CODES).map(([code, { says }]) => [code, says])),
}

export const contentsOf = <C>({ names, free }: OrderKind<C>, order: C): C =>
  Object.fromEntries(
    names.map((name) => [name, free.includes(name) ? withoutCards(String(order[name])) : order[name]]),
  ) as C

/** Tells two orders apart, also when the contents of the first are long erased. */
export const digestOf = <C>({ names }: OrderKind<C>, order: C): string =>
  createHash('sha256')
    .update(JSON.stringify(names.map((name) => [name, order[name]])))
    .digest('hex')
