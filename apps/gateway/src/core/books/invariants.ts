// The invariants of the books: each is a query that lists what violates it, and its name says what holds. They hold at every
// instant, so they may be asked of any snapshot: after every test, by `npm run books`, and every night. They know nothing of the
// code that writes; what a feature promises about its rows stands in the file of its name.
import { CARD_INVARIANTS } from './cards.ts'
import { COLLECTION_INVARIANTS } from './collections.ts'
import { DEBIT_INVARIANTS } from './direct-debit.ts'
import { EVENT_INVARIANTS } from './events.ts'
import { FEE_INVARIANTS } from './fees.ts'
import { HISTORY_INVARIANTS } from './histories.ts'
import { INVOICE_INVARIANTS } from './invoices.ts'
import { LEDGER_INVARIANTS } from './ledger.ts'
import { PAYOUT_INVARIANTS } from './payouts.ts'
import { RECEIVABLE_INVARIANTS } from './receivables.ts'
import { RECON_INVARIANTS } from './reconciliation.ts'
import { REFUND_INVARIANTS } from './refunds.ts'
import { RESERVED_INVARIANTS } from './reserved-accounts.ts'
import { RUN_INVARIANTS } from './runs.ts'
import { SEARCH_INVARIANTS } from './search.ts'
import { SETTLEMENT_INVARIANTS } from './settlements.ts'
import { TRANSFER_LIST_INVARIANTS } from './transfer-lists.ts'

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
