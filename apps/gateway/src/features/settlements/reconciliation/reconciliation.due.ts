import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { DAY_TIMER } from '#core/routing/statement-days.ts'
import type { Handlers } from './follow.ts'
import { reconcileDays } from './reconciliation.ts'

export const reconciliationDue = (handlers: Handlers): DueHandlers => ({
  // It waits for the bank's statement; payments and deliveries do not wait for it.
  [DAY_TIMER]: { background: true, run: (ctx, cell, rows) => reconcileDays(ctx, cell, listSubjects(rows), handlers) },
})
