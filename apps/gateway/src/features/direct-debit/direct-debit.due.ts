import {
  CLOSE_MANDATE,
  END_MANDATE,
  INQUIRE_DEBIT,
  MANDATE_UNAUTHORISED,
  REGISTER_MANDATE,
  SEND_DEBIT,
} from '@cowrie/contract/kit/timers'
import { aside, type DueHandlers, inLine } from '../../core/agenda.ts'
import type { DebitBank } from './bank.ts'
import type { Mandates } from './mandates.ts'

// A silent bank or scheme takes its ten seconds; expiries and deliveries do not wait for it.

export const mandatesDue = (mandates: Mandates): DueHandlers => ({
  [REGISTER_MANDATE]: aside(mandates.registerAll),
  [CLOSE_MANDATE]: aside(mandates.closeAll),
  [MANDATE_UNAUTHORISED]: inLine(mandates.giveUpAll),
  [END_MANDATE]: inLine(mandates.endAll),
})

export const debitsDue = (bank: DebitBank): DueHandlers => ({
  [SEND_DEBIT]: aside(bank.sendAll),
  [INQUIRE_DEBIT]: aside(bank.inquireAll),
})
