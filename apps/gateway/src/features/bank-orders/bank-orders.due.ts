import { INQUIRE_ORDER, SEND_ORDER } from '@cowrie/contract/kit/timers'
import { aside, type DueHandlers } from '../../core/agenda.ts'
import type { Orders } from './bank-orders.ts'

export const ordersDue = (orders: Orders): DueHandlers => ({
  // A silent bank takes its ten seconds; expiries and deliveries do not wait for it.
  [SEND_ORDER]: aside(orders.sendAll),
  [INQUIRE_ORDER]: aside(orders.inquireAll),
})
