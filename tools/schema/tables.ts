// What each table, view, sequence and function of a cell is for, and which part of the gateway owns a table:
// the comments of docs/reference/schema.sql, in its order. A name that is missing here, or that no migration
// creates, stops the generation.

/** Whose it is, and what it is for. The owner is core or a feature, which alone writes it; what core reads is
 *  core's, and `tools/tidy/tables.ts` says which features write that. */
export type Table = readonly [owner: string, comment: string]
export type Section = { readonly title: string; readonly tables: Readonly<Record<string, Table>> }

export const SECTIONS: readonly Section[] = [
  {
    title: 'The cell',
    tables: {
      migrations: ['core', 'Which migrations were applied, with their digests.'],
      settings: ['core', 'What the database is for ever: live or sandbox.'],
      master_keys: [
        'core',
        'The versions of the master key that sealed something here, by fingerprint; the keys that outlive them, sealed.',
      ],
      payout_routes: [
        'core',
        'Which connectors payouts of this cell go through, by bank and amount. A version for each change.',
      ],
      capability_routes: [
        'core',
        'Which connectors this cell asks for account numbers, cards, mandates and identities. A version for each change.',
      ],
      cell_intake: ['access/placement', 'Whether this cell takes new merchants, and since when. One row.'],
      connectors: ['core', 'Whom the gateway talks to: banks, acquirers, schemes.'],
      bank_numbers: ['core', 'Account numbers that a bank issued to this cell, in stock.'],
      number_orders: [
        'bank/bank-numbers',
        'What was ordered of them; an order is repeated until the bank has answered it.',
      ],
      sandbox_clock: ['core', 'How far the clock of the sandbox has been moved.'],
      month_tables: ['core', 'The tables that are partitioned by months, and how each partition is made.'],
      months: ['core', 'The months that have their partitions, and what of each has left.'],
      departed_months: [
        'core',
        'The months that have left. What has an id below the end of the last of them is not here.',
      ],
      departed_numbers: [
        'core',
        "The last numbers of a merchant's payouts, batches, invoices and events that left with a month.",
      ],
      departed_settlements: ['core', 'What of the lines of a settlement left with a month.'],
      month_changes: ['core', 'A month that was changed while it was about to leave.'],
    },
  },
  {
    title: 'Merchants',
    tables: {
      merchants: ['core', 'A merchant: credentials, allowed addresses, rate limit, wallet number.'],
      feature_grants: [
        'core',
        'Features that the operator granted or withdrew: who, when and why. Insert-only; the newest counts.',
      ],
      merchant_files: [
        'access/merchants',
        "The life of a merchant, from the application on: its state, and what is known of the business. Its id is the merchant's.",
      ],
      merchant_documents: [
        'access/merchants',
        'What was recorded of the documents of a merchant. Insert-only; the newest of a kind counts.',
      ],
      key_links: [
        'access/merchants',
        'One-time links by which an owner gets a secret key; of the token only a keyed digest.',
      ],
      api_keys: [
        'core',
        'Limited API keys of merchants: scope, contracts, networks. Never changed but for their end; raises the revision.',
      ],
      view_grants: [
        'screens/viewing',
        "One of the operator's people sees the merchant's screens, read only, for an hour; how often they looked is counted.",
      ],
      contracts: ['core', 'The contract codes of a merchant; every transaction names one.'],
      fee_schedules: [
        'core',
        'Fees by method of payment, of payouts, refunds and verification. Dated rows, never edited; a posting names the one it used.',
      ],
      merchant_limits: [
        'core',
        'How much a merchant collects and pays out. Dated rows, never edited; the newest of a kind counts.',
      ],
      payment_policies: [
        'core',
        'What is done with money that does not match. Dated rows, never edited; the newest is in force.',
      ],
      brandings: [
        'core',
        'What customers of a merchant see beside its name: logo, colour, whom to ask. No row: nothing.',
      ],
      merchant_revision: [
        'core',
        'Raised by every change to what processes cache of merchants, so that they read it again.',
      ],
      sub_accounts: [
        'collections/sub-accounts',
        "Who gets a share of a merchant's payments. A deleted one stays: money may be owed to it.",
      ],
      sub_account_banks: [
        'collections/sub-accounts',
        'Every bank account that a sub account has had or has asked for.',
      ],
      destinations: [
        'wallets/destinations',
        "Accounts that receive a merchant's money without a further act: who added each, from when on it receives, who confirmed or stopped it.",
      ],
      code_guards: ['wallets/authorisation', 'Wrong authorisation codes per merchant, and whether they are locked.'],
      erasures: ['screens/persons', 'That personal data of a payer was erased: when, and how many rows. Insert-only.'],
    },
  },
  {
    title: 'People (in the database of identities; empty in other cells)',
    tables: {
      people: ['access/people', 'A person: address, name, password digest, seed of the authenticator app (sealed).'],
      memberships: ['access/people', 'Whom a person belongs to, a merchant or the operator, and with which role.'],
      sessions: ['access/people', 'Where people are logged in; the token is there as a digest.'],
      invitations: ['access/people', 'Invitations by mail, and links that reset a password; each is good once.'],
      recovery_codes: ['access/people', 'Codes in place of an authenticator app, as keyed digests; each good once.'],
      former_passwords: ['access/people', 'The last passwords of a person, as digests: none is taken again.'],
      devices: ['access/people', 'The browsers and command lines that a person has come in from.'],
      people_mails: ['access/people', 'Mails to people, sealed until they are sent.'],
    },
  },
  {
    title: 'What people do',
    tables: {
      approvals: [
        'core',
        'Acts that one person asked for and another must approve: what exactly, who asked, who decided.',
      ],
      trail: ['core', 'The audit trail: who did what, from where and why; one hash chain per merchant. Insert-only.'],
      trail_heads: ['core', 'The last line of each chain of the audit trail.'],
      security_events: ['core', 'What happened to people, rights, keys and destinations. Insert-only.'],
      security_outbox: ['core', 'Who is still to be told of a security event: by mail, file or post.'],
      trail_signatures: ['access/trail-signing', 'The heads of those chains, signed by a key of no database.'],
      passkeys: [
        'access/people',
        'The passkeys of people: public keys and counters. Ended, never deleted. Used in the database of identities.',
      ],
      challenges: [
        'access/people',
        'What passkeys and the identity provider have answered already, until it expires: no answer counts twice.',
      ],
      exports: [
        'screens/exports',
        'Files of payments that somebody asked for, and how far a worker has come with each. Deleted after a week.',
      ],
      export_pieces: ['screens/exports', 'The bytes of such a file: one gzip stream in pieces.'],
      saved_views: ['screens/saved-views', "Filters of lists under a name, one person's or everybody's at a merchant."],
      oidc_links: ['access/people', 'Who a person is at the identity provider. Insert-only.'],
    },
  },
  {
    title: 'The ledger',
    tables: {
      accounts: [
        'core',
        'The ledger accounts: id = owner * 16 + kind (core/chart.ts). A balance is kept only where it must not be overdrawn.',
      ],
      transfers: [
        'core',
        'One balanced posting, with its entries: positive is a credit, negative a debit; they sum to zero. Insert-only.',
      ],
      entries: ['core', 'The entries of transfers, a row each.'],
      wallet_movements: [
        'core',
        'The statements of wallets: every entry of one, numbered, with the balance after it. Insert-only.',
      ],
      rollups: ['core', 'The balance, up to the horizon, of accounts that keep no running balance.'],
      rollup_horizon: ['core', 'The database transaction number up to which entries are in rollups.'],
      receivable_moves: [
        'wallets/receivables',
        'Every change of what a merchant owes after reversals and corrections. Insert-only.',
      ],
      books_runs: ['settlements/books', 'The nightly runs of the invariants.'],
      books_results: ['settlements/books', 'What each invariant found in a run.'],
    },
  },
  {
    title: 'Collecting',
    tables: {
      transactions: ['collections/transactions', "A merchant's request for money, and what was paid of it."],
      payment_references: [
        'collections/transactions',
        "A merchant's own names of its transactions: each is used once.",
      ],
      virtual_accounts: [
        'core',
        'Which account number belongs to which transaction or reserved account, and until when.',
      ],
      number_ranges: ['core', 'Account numbers that a cell may give out: from, to, bank, purpose.'],
      former_holders: ['core', 'Who had an account number before its present holder: a late payer means them.'],
      reserved_accounts: [
        'collections/reserved-accounts',
        'Account numbers that belong to one customer of a merchant permanently.',
      ],
      limit_profiles: [
        'collections/limit-profiles',
        'How much a reserved account under it takes, in one transfer and in a day.',
      ],
      limit_uses: [
        'collections/limit-profiles',
        'What a reserved account under a limit profile took today. One row each, begun anew every day.',
      ],
      invoices: ['collections/invoices', 'An invoice beside its transaction.'],
      invoice_counters: ['collections/invoices', 'How many invoices a merchant has made.'],
      stranger_payments: ['collections/transactions', 'Open payments of strangers, with what each counts for.'],
      stranger_counts: ['collections/transactions', 'How many of those a payment link, a merchant or a network has.'],
      payment_links: ['collections/payment-links', 'Addresses that a merchant hands out to be paid at.'],
      payment_link_uses: ['collections/payment-links', 'Transactions started at a payment link, numbered.'],
      page_settings: ['collections/in-page', 'Whose web pages may open the checkout, and what those may do.'],
      page_openings: ['collections/in-page', 'Transactions that a page opened: from where, and who named the amount.'],
      inbound_credits: ['collections/credits', 'Every credit that the bank reported, once.'],
      bank_sessions: ['collections/credits', "The bank's own names of credits: each is taken once."],
      credit_reversals: ['collections/credits', 'Every reversal of a credit that the bank reported, once.'],
      suspense_items: [
        'collections/credits',
        'Money that was not counted: whose it may be, why, and by when it is decided.',
      ],
      card_charges: ['collections/cards', 'Attempts to charge a card. No card number is stored.'],
      card_disputes: ['collections/disputes', 'Disputes of card charges, as connectors report them.'],
      card_tokens: ['collections/cards', 'Stored cards that a merchant may charge again.'],
      card_attempts: ['collections/cards', 'Recent attempts per card, for the limit; deleted after an hour.'],
      mandates: [
        'collections/direct-debit',
        'Direct debit mandates: what a payer allowed, and what was collected under it.',
      ],
      debits: ['collections/direct-debit', 'One collection under a mandate, beside its transaction.'],
    },
  },
  {
    title: 'Searching',
    tables: {
      search_blocks: ['collections/transactions', "Runs of a merchant's older transactions, for searches that count."],
      search_parts: ['collections/transactions', 'The transactions of a block in one state, by amount.'],
      search_values: [
        'collections/transactions',
        'E-mail addresses and names that many transactions of a block share.',
      ],
      transfer_counters: ['payouts/disbursements', 'How many disbursements a merchant has made: the last list number.'],
      transfer_blocks: ['payouts/disbursements', "Runs of 4,096 of a merchant's disbursements, by amount."],
    },
  },
  {
    title: 'Paying out',
    tables: {
      disbursements: ['payouts/disbursements', 'A payout from a wallet to a bank account.'],
      payout_references: ['payouts/disbursements', "A merchant's own names of its disbursements: each is used once."],
      batches: ['payouts/disbursements', 'Many disbursements in one request.'],
      authorizations: [
        'wallets/authorisation',
        'The code that authorises a disbursement, batch or refund, as a keyed digest.',
      ],
      customer_wallets: [
        'wallets/wallets',
        "The wallets of a merchant's customers: their numbers, and who they are for.",
      ],
      disbursement_settings: ['core', 'What a merchant may pay out, and its limits. No row: nothing.'],
      disbursement_days: ['wallets/wallets', 'What was accepted per day of West Africa Time, for the daily limit.'],
      payees: ['wallets/wallets', 'Accounts that a merchant paid while it has an amount for new ones.'],
      refunds: ['payouts/refunds', 'Money returned to a payer.'],
      payout_details: ['core', 'What a bank says of a payout beside its outcome: its name in the network, its charge.'],
      bank_orders: [
        'bank/bank-orders',
        'One instruction to a bank, or to the issuer of a card, to pay a refund or a settlement.',
      ],
      bills: ['payouts/bills', 'Airtime, data, electricity and the like, paid to a biller out of a wallet.'],
      bill_references: ['payouts/bills', "A merchant's own names of its bills: each is used once."],
      paycodes: ['payouts/paycodes', 'A code with which a beneficiary takes cash at an agent.'],
      paycode_guards: ['payouts/paycodes', 'Wrong paycodes per agent, for the limit.'],
    },
  },
  {
    title: 'Verifying',
    tables: {
      verifications: [
        'collections/verification',
        'What the registers of people were asked for a merchant, and what it cost. Insert-only.',
      ],
    },
  },
  {
    title: 'Settling',
    tables: {
      settlement_rules: ['settlements/settlements', 'When and where a merchant is settled. Dated rows, never edited.'],
      settlement_holds: ['settlements/settlements', 'Merchants whose settlements the operator has stopped.'],
      holidays: ['settlements/settlements', 'Days on which next-day settlements are not paid, besides weekends.'],
      settlement_horizon: [
        'core',
        'The database transaction number up to which postings have become settlement lines.',
      ],
      settlement_lines: [
        'settlements/settlements',
        'What is owed to a merchant or sub account by one posting, and which settlement paid it.',
      ],
      settlements: [
        'settlements/settlements',
        'What was paid to a merchant or sub account at once, with the hash of its statement.',
      ],
      settlement_heads: ['core', "The end of each merchant's chain of statements."],
      returned_lines: [
        'settlements/settlements',
        'The lines of a settlement that was returned; they are settled again.',
      ],
    },
  },
  {
    title: 'Reconciling',
    tables: {
      statement_days: ['core', "The days of the bank's statement: how far each was read, and whether it was compared."],
      house_bookings: [
        'settlements/house-bookings',
        'What banks charged us, acquirers paid us and we moved between banks, each line of a statement once.',
      ],
      statement_lines: ['settlements/reconciliation', 'What the bank booked, line by line, for each reading of a day.'],
      statement_booked: [
        'settlements/reconciliation',
        'The lines of the readings that were completed: what our books are compared with.',
      ],
      approved_postings: ['core', 'Postings that two people decided on, each with its approval.'],
      corrections_undone: [
        'settlements/corrections',
        'Corrections that two people undid, each with the posting that did. Insert-only.',
      ],
      recon_breaks: ['bank/breaks', "Differences between the bank's books and ours, until they are closed."],
    },
  },
  {
    title: 'History, events and work',
    tables: {
      state_changes: ['core', 'Every move of every object through its state machine. Insert-only.'],
      events: [
        'core',
        'What happened to objects of merchants, with the exact bytes that are sent. Insert-only; values can be erased.',
      ],
      event_shapes: ['core', 'What bodies of events have in common; an event keeps what varies.'],
      event_traces: [
        'core',
        'The trace that the request named which caused an event. Unlogged; leaves with the attempts.',
      ],
      outbox: ['core', 'Events that have no number and no deliveries yet.'],
      event_numbers: ['core', 'The number of each event: 1, 2, 3 … per merchant, without gaps.'],
      event_counters: ['core', 'The last event number of each merchant.'],
      endpoints: ['core', 'Where events are sent, and how healthy the receiver is.'],
      deliveries: ['core', 'One event for one endpoint, and whether it was delivered.'],
      delivery_attempts: ['core', 'Every attempt of a delivery. Insert-only.'],
      agenda: ['core', 'Work that is due later: kind, subject, time, lease.'],
      requests: ['core', 'Idempotency keys, with the response that a repeat gets.'],
      request_log: [
        'access/request-log',
        'One line per request of a merchant or a person; no body, no header. Unlogged; deleted after some days.',
      ],
      mails: ['events/mails', 'Mails to send, and sent.'],
      receipt_settings: [
        'screens/receipts',
        'Which receipts a merchant has sent, and up to which event they were looked at. No row: none.',
      ],
      receipts: [
        'screens/receipts',
        'Receipts to send, and sent; what stands on one is in its event. Deleted after a week.',
      ],
    },
  },
]

/** The owner of each table. */
export const OWNERS: ReadonlyMap<string, string> = new Map(
  SECTIONS.flatMap(({ tables }) => Object.entries(tables).map(([name, [owner]]) => [name, owner] as const)),
)

export const SEQUENCES: Readonly<Record<string, string>> = {
  ids: 'Ids of all objects; a process takes them in blocks.',
}

export const FUNCTIONS: Readonly<Record<string, string>> = {
  api_keys_only_end: 'Refuses any change of a limited key but its end.',
  open_table: 'Opens a new table to the two roles, with its policies and grants; for migrations.',
  by_months: 'Has a table partitioned by months; for migrations.',
  add_partition: 'Makes one partition of one table and attaches it.',
  open_month: 'Makes the partitions of a month, unless they are there.',
  leaving_order: 'The tables of months, in the order in which they are locked when one leaves.',
  note_month_change: 'Notes that a month was changed while it was about to leave.',
  guard_month: 'Has changes of a month noted.',
  unguard_month: 'Has them noted no more.',
  span_month: "When the first and the last of each merchant's transactions of a month were made.",
  prepare_leaving: 'Computes ahead what is written when a month leaves.',
  detach_month: 'Lets a month leave.',
  prepare_return: 'Proves ahead that the rows of a month that left are of that month.',
  attach_month: 'Takes the month that left last back.',
  acting_merchant: 'The merchant that the row-level policies of this database transaction are for.',
  acts_for_accounts: 'Whether each account is one that the merchant this database transaction acts for may post to.',
  acts_for_account: 'Whether a ledger account belongs to that merchant or to one of its sub accounts.',
  forget_attempts: 'Deletes the attempts to deliver the events of a month.',
  event_body: 'The exact bytes of the body of an event, as they are sent and signed.',
  erased: 'What stands in place of a value that was erased.',
  refuse_retired_key: 'Refuses what a retired version of the master key has sealed.',
  refuse_all_but_erasing: 'Lets columns of a row be erased, and not changed.',
  refuse_all_but_erasing_values: 'The same for the values of an event.',
  nobody_paid: 'Whether a payment that had an account number is over, and no money ever came for it.',
  search_key: 'The key under which an e-mail address or a name is searched.',
  raise_merchant_revision: 'Raises merchant_revision.',
  post_to_acquirer:
    'Puts the account of its acquirer in place of the first one, in card postings of the version before migration 0056.',
  open_receivable: 'Opens the account of what a new connector owes us, for the same version.',
  ledger_offset: 'Added to database transaction numbers, so that they count on after a logical restore.',
  horizon_holder: 'The session or prepared transaction that holds the horizon back.',
}
