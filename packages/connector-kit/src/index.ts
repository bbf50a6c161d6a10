// What an adapter imports.
export { isReady, migrate, type Store } from './database/database.ts'
export { type Clock, systemClock } from './kit/clock.ts'
export type { Storable } from './kit/secretless.ts'
export { isSigned, type Keys, sign } from './kit/signing.ts'
export { createLog, type Log } from './log/log.ts'
export type { Accepted, Asked, Forwarded, Known, OrderMapping, Outgoing, Refused, Unknown } from './orders/mapping.ts'
export { createOrders, type Learned, type OrderEvent, type Orders } from './orders/orders.ts'
