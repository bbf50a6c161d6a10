import type { Feature } from '../../core/feature.ts'
import { handsOf } from './follow.ts'
import { reconciliationBooks } from './reconciliation.books.ts'
import { reconciliationDue } from './reconciliation.due.ts'
import { ensureDays } from './reconciliation.ts'

export const reconciliation: Feature = {
  name: 'reconciliation',
  due: (shared) => reconciliationDue(handsOf(shared)),
  ensureTimers: ensureDays,
  books: [reconciliationBooks],
}
