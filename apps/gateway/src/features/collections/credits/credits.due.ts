import { RETURN_SUSPENSE, SUSPENSE_OVERDUE } from '@cowrie/contract/kit/timers'
import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { handleOverdue, returnItems } from './suspense.ts'

export const creditsDue: DueHandlers = {
  // A silent bank takes its ten seconds; expiries and deliveries do not wait for it.
  [RETURN_SUSPENSE]: { background: true, run: (ctx, cell, rows) => returnItems(ctx, cell, listSubjects(rows)) },
  [SUSPENSE_OVERDUE]: (ctx, cell, rows) => handleOverdue(ctx, cell, listSubjects(rows)),
}
