// What each table, view, sequence and function of a cell is for: the comments of docs/reference/schema.sql, in its order. A
// name that is missing here, or that no migration creates, stops the generation.

export type Section = { readonly title: string; readonly tables: Readonly<Record<string, string>> }

export const SECTIONS: readonly Section[] = [
  {
    title: 'The cell',
    tables: {
      migrations: 'Which migrations were applied, with their digests.',
      settings: 'What the database is for ever: live or sandbox.',
      sandbox_clock: 'How far the clock of the sandbox has been moved.',
    },
  },
  {
    title: 'Merchants',
    tables: {
      merchants: 'A merchant: credentials, allowed addresses, rate limit, wallet number.',
      contracts: 'The contract codes of a merchant; every transaction names one.',
      fee_schedules: 'The fee of payments. Dated rows, never edited; a posting names the one it used.',
      payment_policies:
        'What is done with money that does not match. Dated rows, never edited; the newest is in force.',
      merchant_revision: 'Raised by every change to what processes cache of merchants, so that they read it again.',
      sub_accounts: "Who gets a share of a merchant's payments. A deleted one stays: money may be owed to it.",
      sub_account_banks: 'Every bank account that a sub account has had or has asked for.',
      code_guards: 'Wrong authorisation codes per merchant, and whether they are locked.',
    },
  },
  {
    title: 'The ledger',
    tables: {
      accounts:
        'The ledger accounts: id = owner * 16 + kind (core/chart.ts). A balance is kept only where it must not be overdrawn.',
      transfers: 'One balanced posting. Insert-only.',
      entries:
        'The signed amounts of a posting: positive is a credit, negative a debit; they sum to zero. Insert-only.',
      rollups: 'The balance, up to the horizon, of accounts that keep no running balance.',
      rollup_horizon: 'The database transaction number up to which entries are in rollups.',
      receivable_moves: 'Every change of what a merchant owes after reversals. Insert-only.',
      books_runs: 'The nightly runs of the invariants.',
      books_results: 'What each invariant found in a run.',
    },
  },
  {
    title: 'Collecting',
    tables: {
      transactions: "A merchant's request for money, and what was paid of it.",
      virtual_accounts: 'Which account number belongs to which transaction or reserved account, and until when.',
      reserved_accounts: 'Account numbers that belong to one customer of a merchant permanently.',
      invoices: 'An invoice beside its transaction.',
      invoice_counters: 'How many invoices a merchant has made.',
      inbound_credits: 'Every credit that the bank reported, once.',
      credit_reversals: 'Every reversal of a credit that the bank reported, once.',
      suspense_items: 'Money that was not counted: whose it may be, why, and by when it is decided.',
      card_charges: 'Attempts to charge a card. No card number is stored.',
      card_tokens: 'Stored cards that a merchant may charge again.',
      card_attempts: 'Recent attempts per card, for the limit; deleted after an hour.',
      mandates: 'Direct debit mandates: what a payer allowed, and what was collected under it.',
      debits: 'One collection under a mandate, beside its transaction.',
    },
  },
  {
    title: 'Searching',
    tables: {
      search_blocks: "Runs of a merchant's older transactions, for searches that count.",
      search_parts: 'The transactions of a block in one state, by amount.',
      search_values: 'E-mail addresses and names that many transactions of a block share.',
      transfer_counters: 'How many disbursements a merchant has made: the last list number.',
      transfer_blocks: "Runs of 4,096 of a merchant's disbursements, by amount.",
    },
  },
  {
    title: 'Paying out',
    tables: {
      disbursements: 'A payout from a wallet to a bank account.',
      batches: 'Many disbursements in one request.',
      authorizations: 'The code that authorises a disbursement, batch or refund, as a keyed digest.',
      disbursement_settings: 'What a merchant may pay out, and its limits. No row: nothing.',
      disbursement_days: 'What was accepted per day of West Africa Time, for the daily limit.',
      refunds: 'Money returned to a payer.',
      bank_orders: 'One instruction to the bank to pay a refund or a settlement.',
    },
  },
  {
    title: 'Settling',
    tables: {
      settlement_rules: 'When and where a merchant is settled. Dated rows, never edited.',
      settlement_holds: 'Merchants whose settlements the operator has stopped.',
      holidays: 'Days on which next-day settlements are not paid, besides weekends.',
      settlement_horizon: 'The database transaction number up to which postings have become settlement lines.',
      settlement_lines: 'What is owed to a merchant or sub account by one posting, and which settlement paid it.',
      settlements: 'What was paid to a merchant or sub account at once, with the hash of its statement.',
      settlement_heads: "The end of each merchant's chain of statements.",
      returned_lines: 'The lines of a settlement that was returned; they are settled again.',
    },
  },
  {
    title: 'Reconciling',
    tables: {
      statement_days: "The days of the bank's statement: how far each was read, and whether it was compared.",
      statement_lines: 'What the bank booked, line by line, for each reading of a day.',
      statement_booked: 'The lines of the readings that were completed: what our books are compared with.',
      recon_breaks: "Differences between the bank's books and ours, until they are closed.",
    },
  },
  {
    title: 'History, events and work',
    tables: {
      state_changes: 'Every move of every object through its state machine. Insert-only.',
      events: 'What happened to objects of merchants, with the exact bytes that are sent. Insert-only.',
      outbox: 'Events that have no number and no deliveries yet.',
      event_numbers: 'The number of each event: 1, 2, 3 … per merchant, without gaps.',
      event_counters: 'The last event number of each merchant.',
      endpoints: 'Where events are sent, and how healthy the receiver is.',
      deliveries: 'One event for one endpoint, and whether it was delivered.',
      delivery_attempts: 'Every attempt of a delivery. Insert-only.',
      agenda: 'Work that is due later: kind, subject, time, lease.',
      requests: 'Idempotency keys, with the response that a repeat gets.',
      mails: 'Mails to send, and sent.',
    },
  },
]

export const SEQUENCES: Readonly<Record<string, string>> = {
  ids: 'Ids of all objects; a process takes them in blocks.',
  account_serials: 'The changing part of one-time account numbers; a process takes them in blocks.',
  reserved_serials: 'The changing part of reserved account numbers.',
}

export const FUNCTIONS: Readonly<Record<string, string>> = {
  acting_merchant: 'The merchant that the row-level policies of this database transaction are for.',
  acts_for_account: 'Whether a ledger account belongs to that merchant or to one of its sub accounts.',
  search_key: 'The key under which an e-mail address or a name is searched.',
  raise_merchant_revision: 'Raises merchant_revision.',
  ledger_offset: 'Added to database transaction numbers, so that they count on after a logical restore.',
  horizon_holder: 'The session or prepared transaction that holds the horizon back.',
}
