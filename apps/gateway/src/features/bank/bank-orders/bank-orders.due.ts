import { INQUIRE_ORDER, SEND_ORDER } from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground } from '#core/agenda.ts'
import type { Orders } from './bank-orders.ts'

export const ordersDue = (orders: Orders): DueHandlers => ({
  // A silent bank takes its ten seconds; expiries and deliveries do not wait for it.
  [SEND_ORDER]: inBackground(orders.sendAll),
  [INQUIRE_ORDER]: inBackground(orders.inquireAll),
})
