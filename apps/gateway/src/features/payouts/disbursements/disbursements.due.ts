import {
  APPROVE_DISBURSEMENT,
  EXPIRE_BATCH,
  EXPIRE_DISBURSEMENT,
  INQUIRE_DISBURSEMENT,
  SEND_DISBURSEMENT,
} from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground, inLine } from '#core/agenda.ts'
import { askServers } from './approval.ts'
import { expirePayouts, type Payouts } from './bank.ts'
import { type Batches, expireBatches } from './batches.ts'

export const payoutsDue = (payouts: Payouts): DueHandlers => ({
  // A silent bank, or a merchant's server, takes its ten seconds; expiries and deliveries do not wait for it.
  [SEND_DISBURSEMENT]: inBackground(payouts.sendAll),
  [INQUIRE_DISBURSEMENT]: inBackground(payouts.inquireAll),
  [APPROVE_DISBURSEMENT]: inBackground((cell, ids) => askServers(payouts.ctx, payouts.merchants, cell, ids)),
  [EXPIRE_DISBURSEMENT]: inLine((cell, ids) => expirePayouts(payouts, cell, ids)),
})

export const batchesDue = (batches: Batches): DueHandlers => ({
  [EXPIRE_BATCH]: inLine((cell, ids) => expireBatches(batches, cell, ids)),
})
