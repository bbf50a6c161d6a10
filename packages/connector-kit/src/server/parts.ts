// What the gateway's calls are answered from.
import type { CardSettings } from '@cowrie/contract/bank/v2/cards'
import type { Cards } from '../cards/cards.ts'
import type { Meter } from '../kit/meter.ts'
import type { Numbers } from '../numbers/numbers.ts'
import type { RefundContents } from '../orders/contents.ts'
import type { Orders } from '../orders/orders.ts'
import type { Reply } from './door.ts'
import type { BankMapping } from './mapping.ts'

export type Request = { readonly json: unknown; readonly query: URLSearchParams }
export type Handler = (request: Request) => Promise<Reply>
export type RouteParts = {
  readonly orders?: Orders
  readonly numbers?: Numbers
  readonly cards?: Cards
  readonly cardSettings?: CardSettings
  readonly cardRefunds?: Orders<RefundContents>
  readonly mapping: BankMapping
  readonly meter: Meter
}
export type Routes = Map<string, Handler>
