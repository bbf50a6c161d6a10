// The invariants of the books: each is a query that lists what violates it, and its name says what holds. They hold at every
// instant, so they may be asked of any snapshot: after every test, by `npm run books`, and every night. They know nothing of the
// code that writes; what a feature promises about its rows stands in the file of its name.

import { RUN_INVARIANTS } from '../../features/books/books.books.ts'
import { CARD_INVARIANTS } from '../../features/cards/cards.books.ts'
import { COLLECTION_INVARIANTS } from '../../features/collections/collections.books.ts'
import { FEE_INVARIANTS } from '../../features/collections/fees.books.ts'
import { DEBIT_INVARIANTS } from '../../features/direct-debit/direct-debit.books.ts'
import { PAYOUT_INVARIANTS } from '../../features/disbursements/disbursements.books.ts'
import { TRANSFER_LIST_INVARIANTS } from '../../features/disbursements/lists.books.ts'
import { INVOICE_INVARIANTS } from '../../features/invoices/invoices.books.ts'
import { RECEIVABLE_INVARIANTS } from '../../features/receivables/receivables.books.ts'
import { RECON_INVARIANTS } from '../../features/reconciliation/reconciliation.books.ts'
import { REFUND_INVARIANTS } from '../../features/refunds/refunds.books.ts'
import { RESERVED_INVARIANTS } from '../../features/reserved-accounts/reserved-accounts.books.ts'
import { SETTLEMENT_INVARIANTS } from '../../features/settlements/settlements.books.ts'
import { SEARCH_INVARIANTS } from '../../features/transactions/search.books.ts'
import { EVENT_INVARIANTS } from './events.ts'
import { HISTORY_INVARIANTS } from './histories.ts'
import { LEDGER_INVARIANTS } from './ledger.ts'

/** name → the query of its violations. */
export const INVARIANTS: Readonly<Record<string, string>> = {
  ...LEDGER_INVARIANTS,
  ...COLLECTION_INVARIANTS,
  ...CARD_INVARIANTS,
  ...HISTORY_INVARIANTS,
  ...EVENT_INVARIANTS,
  ...SEARCH_INVARIANTS,
  ...TRANSFER_LIST_INVARIANTS,
  ...PAYOUT_INVARIANTS,
  ...DEBIT_INVARIANTS,
  ...INVOICE_INVARIANTS,
  ...RECON_INVARIANTS,
  ...RECEIVABLE_INVARIANTS,
  ...FEE_INVARIANTS,
  ...REFUND_INVARIANTS,
  ...SETTLEMENT_INVARIANTS,
  ...RESERVED_INVARIANTS,
  ...RUN_INVARIANTS,
}
