import {
  CLOSE_MANDATE,
  END_MANDATE,
  INQUIRE_DEBIT,
  MANDATE_UNAUTHORISED,
  REGISTER_MANDATE,
  SEND_DEBIT,
} from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground, inLine } from '#core/agenda.ts'
import type { Shared } from '#core/feature.ts'
import type { DebitBank } from './bank.ts'
import { closeAll, endAll, giveUpAll, registerAll } from './mandates.ts'

// A silent bank or scheme takes its ten seconds; expiries and deliveries do not wait for it.

export const mandatesDue = ({ ctx, merchants }: Pick<Shared, 'ctx' | 'merchants'>): DueHandlers => ({
  [REGISTER_MANDATE]: inBackground((cell, ids) => registerAll(ctx, merchants, cell, ids)),
  [CLOSE_MANDATE]: inBackground((cell, ids) => closeAll(ctx, cell, ids)),
  [MANDATE_UNAUTHORISED]: inLine((cell, ids) => giveUpAll(ctx, cell, ids)),
  [END_MANDATE]: inLine((cell, ids) => endAll(ctx, cell, ids)),
})

export const debitsDue = (bank: DebitBank): DueHandlers => ({
  [SEND_DEBIT]: inBackground(bank.sendAll),
  [INQUIRE_DEBIT]: inBackground(bank.inquireAll),
})
