import { INQUIRE_BILL } from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground } from '#core/agenda.ts'
import type { Biller } from './biller.ts'

export const billsDue = (biller: Biller): DueHandlers => ({
  // A silent biller takes its ten seconds; expiries and deliveries do not wait for it.
  [INQUIRE_BILL]: inBackground(biller.inquireAll),
})
