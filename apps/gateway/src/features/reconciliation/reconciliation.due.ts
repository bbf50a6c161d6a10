import { type DueHandlers, subjectsOf } from '../../core/agenda.ts'
import type { Hands } from './follow.ts'
import { DAY_TIMER, reconcileDays } from './reconciliation.ts'

export const reconciliationDue = (hands: Hands): DueHandlers => ({
  // It waits for the bank's statement; payments and deliveries do not wait for it.
  [DAY_TIMER]: { background: true, run: (ctx, cell, rows) => reconcileDays(ctx, cell, subjectsOf(rows), hands) },
})
