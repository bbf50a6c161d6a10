// Direct debit: a payer allows a merchant to collect from a bank account, and the merchant does.
// mandates.ts is the permission, debits.ts each collection, bank.ts its way to the bank.
import type { Feature } from '#core/feature.ts'
import { sharedDebitBank } from './bank.ts'
import { directDebitBooks, directDebitTimers } from './direct-debit.books.ts'
import { declared } from './direct-debit.declared.sql.ts'
import { debitsDue, mandatesDue } from './direct-debit.due.ts'
import { directDebitRoutes } from './direct-debit.routes.ts'
import { debitViews } from './lists.ts'

export const directDebit: Feature = {
  name: 'direct-debit',
  ...declared,
  routes: (deps, shared) => directDebitRoutes(deps, sharedDebitBank(shared)),
  views: () => debitViews,
  due: (shared) => ({ ...mandatesDue(shared), ...debitsDue(sharedDebitBank(shared)) }),
  books: [directDebitBooks],
  lostTimers: directDebitTimers,
}
