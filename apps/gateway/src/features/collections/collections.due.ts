import type { DueHandlers, DueRow } from '../../core/agenda.ts'
import { OVERDUE_TIMER, passDay, RETURN_TIMER, returnItems } from './suspense.ts'

const subjects = (rows: readonly DueRow[]): bigint[] => rows.map((row) => row.subject)

export const collectionsDue: DueHandlers = {
  // A silent bank takes its ten seconds; expiries and deliveries do not wait for it.
  [RETURN_TIMER]: { aside: true, run: (ctx, cell, rows) => returnItems(ctx, cell, subjects(rows)) },
  [OVERDUE_TIMER]: (ctx, cell, rows) => passDay(ctx, cell, subjects(rows)),
}
