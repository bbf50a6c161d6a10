import type { Feature } from '../../core/feature.ts'
import { handsOf } from './follow.ts'
import { reconciliationBooks } from './reconciliation.books.ts'
import { ensureDays, reconciliationDue } from './reconciliation.ts'

export const reconciliation: Feature = {
  name: 'reconciliation',
  due: (shared) => reconciliationDue(handsOf(shared)),
  ensureTimers: ensureDays,
  books: [reconciliationBooks],
}
