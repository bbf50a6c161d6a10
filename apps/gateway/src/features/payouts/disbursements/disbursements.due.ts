import {
  APPROVE_DISBURSEMENT,
  EXPIRE_BATCH,
  EXPIRE_DISBURSEMENT,
  INQUIRE_DISBURSEMENT,
  SEND_DISBURSEMENT,
} from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground, inLine } from '#core/agenda.ts'
import type { Payouts } from './bank.ts'
import type { Batches } from './batches.ts'

export const payoutsDue = (payouts: Payouts): DueHandlers => ({
  // A silent bank, or a merchant's server, takes its ten seconds; expiries and deliveries do not wait for it.
  [SEND_DISBURSEMENT]: inBackground(payouts.sendAll),
  [INQUIRE_DISBURSEMENT]: inBackground(payouts.inquireAll),
  [APPROVE_DISBURSEMENT]: inBackground(payouts.approveAll),
  [EXPIRE_DISBURSEMENT]: inLine(payouts.expireAll),
})

export const batchesDue = (batches: Batches): DueHandlers => ({ [EXPIRE_BATCH]: inLine(batches.expireAll) })
