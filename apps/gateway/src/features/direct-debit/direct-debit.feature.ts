import type { Feature } from '../../core/feature.ts'
import { debitBankOf } from './bank.ts'
import { directDebitBooks, directDebitTimers } from './direct-debit.books.ts'
import { directDebitRoutes } from './direct-debit.routes.ts'
import { mandatesOf } from './mandates.ts'

export const directDebit: Feature = {
  name: 'direct-debit',
  routes: (desk, shared) => directDebitRoutes(desk, mandatesOf(shared), debitBankOf(shared)),
  due: (shared) => ({ ...mandatesOf(shared).due, ...debitBankOf(shared).due }),
  books: [directDebitBooks],
  lostTimers: directDebitTimers,
}
