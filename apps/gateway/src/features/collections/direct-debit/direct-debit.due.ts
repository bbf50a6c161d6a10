import {
  CLOSE_MANDATE,
  END_MANDATE,
  INQUIRE_DEBIT,
  MANDATE_UNAUTHORISED,
  REGISTER_MANDATE,
  SEND_DEBIT,
} from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground, inLine } from '#core/agenda.ts'
import type { DebitBank } from './bank.ts'
import type { Mandates } from './mandates.ts'

// A silent bank or scheme takes its ten seconds; expiries and deliveries do not wait for it.

export const mandatesDue = (mandates: Mandates): DueHandlers => ({
  [REGISTER_MANDATE]: inBackground(mandates.registerAll),
  [CLOSE_MANDATE]: inBackground(mandates.closeAll),
  [MANDATE_UNAUTHORISED]: inLine(mandates.giveUpAll),
  [END_MANDATE]: inLine(mandates.endAll),
})

export const debitsDue = (bank: DebitBank): DueHandlers => ({
  [SEND_DEBIT]: inBackground(bank.sendAll),
  [INQUIRE_DEBIT]: inBackground(bank.inquireAll),
})
