// What an order consists of, as far as it is stored.
import { createHash } from 'node:crypto'
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import { type Storable, withoutCards } from '../kit/secretless.ts'

export type Contents = Storable<PayoutOrder>

/** By name, so that whatever else a message holds is not stored. */
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

/** Texts that people write, and may write a card number into. */
const FREE: ReadonlySet<string> = new Set([
  'destinationAccountName',
  'narration',
  'senderName',
] satisfies (keyof Contents)[])

export const contentsOf = (order: PayoutOrder): Contents =>
  Object.fromEntries(
    CONTENTS.map((name) => [name, FREE.has(name) ? withoutCards(order[name]) : order[name]]),
  ) as Contents

/** Tells two orders apart, also when the contents of the first are long erased. */
export const digestOf = (order: PayoutOrder): string =>
  createHash('sha256')
    .update(JSON.stringify(CONTENTS.map((name) => [name, order[name]])))
    .digest('hex')
