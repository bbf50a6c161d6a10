// Which invariants the nightly run asks in slices: those that say something of each row, or of rows with one key, of a large
// table, and find what they compare it with by an index. A slice is a range of the table's key; its rows stand for the table
// in the query, everything else is whole. The other invariants compare totals or both sides of a join, which no slice can: each
// is one statement that reads its tables whole, under a limit of time (docs/decisions/0024-books.md).
export type Slices = { readonly table: string; readonly keys: readonly string[] }

const by = (table: string, ...keys: string[]): Slices => ({ table, keys })
const TRANSFERS = by('transfers', 'id')
const ENTRIES = by('entries', 'transfer_id')
const TRANSACTIONS = by('transactions', 'id')
const CREDITS = by('inbound_credits', 'bank_reference')
const HISTORY = by('state_changes', 'object', 'object_id')
const DELIVERIES = by('deliveries', 'event_id', 'endpoint_id')

/** name of the invariant → the table it goes through, by a key that has an index. */
export const SLICED: Readonly<Record<string, Slices>> = {
  'entries of a transfer sum to zero and are two or more': ENTRIES,
  'every transfer has entries': TRANSFERS,
  'every entry has its transfer': ENTRIES,
  'every entry has its account': ENTRIES,
  'a posting touches one merchant and the house only': TRANSFERS,
  'a paid transaction has exactly its money': TRANSACTIONS,
  'status fits the amounts': TRANSACTIONS,
  'a transaction takes money until it is closed': TRANSACTIONS,
  'the keys of a transaction are those of its customer': TRANSACTIONS,
  'a transaction is flagged exactly if money of it was taken back, and takes no more': TRANSACTIONS,
  'no invoice has failed': TRANSACTIONS,
  'every credit is posted once, with its amount': CREDITS,
  'an account number leads to a transaction or a reserved account of the same merchant': by(
    'virtual_accounts',
    'account_number',
    'bank_code',
  ),
  'an approved charge paid its transaction, by card, with its amount': by('card_charges', 'id'),
  'history follows the edges of its machine': HISTORY,
  'history has no gaps and each step begins where the last ended': HISTORY,
  'a move that books has its transfer': HISTORY,
  'an event is numbered or waits in the outbox, never both': by('events', 'id'),
  'numbers of a merchant have no gaps': by('event_numbers', 'merchant_id'),
  'a delivery goes to the merchant of its event': DELIVERIES,
  'a delivery goes to an endpoint of its merchant': DELIVERIES,
  'what waits for an endpoint that was removed is given up': DELIVERIES,
  'a delivered delivery has an attempt that was answered 200': DELIVERIES,
  'a sealed block says what its rows say': by('search_blocks', 'merchant_id', 'number'),
  'a value that a sealed block counts has that many rows': by('search_values', 'merchant_id', 'kind', 'key', 'number'),
  'a transfer with a code is under way if its code was used, and waits or is over if not': by('disbursements', 'id'),
}
