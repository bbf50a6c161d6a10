import type { Feature } from '#core/feature.ts'
import { sharedHandlers } from './follow.ts'
import { reconciliationBooks } from './reconciliation.books.ts'
import { declared } from './reconciliation.declared.sql.ts'
import { reconciliationDue } from './reconciliation.due.ts'
import { ensureDays } from './reconciliation.ts'

export const reconciliation: Feature = {
  name: 'reconciliation',
  ...declared,
  due: (shared) => reconciliationDue(sharedHandlers(shared)),
  ensureTimers: ensureDays,
  books: [reconciliationBooks],
}
