// A check that never fails checks nothing: every invariant is given a fault to find, in a transaction that is
// rolled back.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Ask, askOn, askOne, askSlice, type Position } from '#core/books/check.ts'
import type { Slices } from '#core/books/slices.ts'
import { mergeBooks } from '#core/feature.ts'
import { FEATURES } from '../../src/feature-list.ts'
import { chargeWith } from '../features/collections/cards.ts'
import { send, sendBatch } from '../features/wallets/wallets.ts'
import { checkBooks, violationsIn } from '../kit/books.ts'
import { advance, CELLS, initialise, paid, subAccount, useHarness } from '../kit/harness.ts'
import { MERCHANT_PLANTS, type MerchantScene, merchantScene } from './plants/access/merchants.plants.ts'
import { BILL_PLANTS, type BillScene, billScene } from './plants/bills.plants.ts'
import { IN_PAGE_PLANTS, type InPageScene, inPageScene } from './plants/collections/in-page.plants.ts'
import { LINK_PLANTS, type LinkScene, linkScene } from './plants/collections/payment-links.plants.ts'
import { DEBIT_PLANTS, type DebitScene, debitScene } from './plants/direct-debit.plants.ts'
import { FEE_PLANTS, type FeeScene, feeScene } from './plants/fees.plants.ts'
import { INVOICE_PLANTS, type InvoiceScene, invoiceScene } from './plants/invoices.plants.ts'
import { LIMIT_PLANTS, type LimitScene, limitScene } from './plants/limit-profiles.plants.ts'
import { PAYCODE_PLANTS, type PaycodeScene, paycodeScene } from './plants/paycodes.plants.ts'
import { PAYOUT_PLANTS, type PayoutScene, payoutScene } from './plants/payouts.plants.ts'
import { ACT_PLANTS, type ActScene, actScene } from './plants/people/acts.plants.ts'
import { RECEIPT_PLANTS } from './plants/receipts.plants.ts'
import { RECEIVABLE_PLANTS, type ReceivableScene, receivableScene } from './plants/receivables.plants.ts'
import { RECON_PLANTS, type ReconScene, reconScene } from './plants/reconciliation.plants.ts'
import { REFUND_PLANTS, type RefundScene, refundScene } from './plants/refunds.plants.ts'
import { RESERVED_PLANTS, type ReservedScene, reservedScene } from './plants/reserved-accounts.plants.ts'
import { SETTLEMENT_PLANTS, type SettlementScene, settlementScene } from './plants/settlements.plants.ts'
import { VERIFICATION_PLANTS, type VerificationScene, verificationScene } from './plants/verification.plants.ts'
import { WALLET_PLANTS, type WalletScene, walletScene } from './plants/wallets.plants.ts'
import { entries } from './postings.ts'

const { invariants: INVARIANTS, slices: SLICED } = mergeBooks(FEATURES)

// Every plant is rolled back: the first and the last test look at the books whole.
const harness = useHarness({ booksAfterEach: false })

/** What the plants are about: a paid transaction, one that waits, one paid by card, their merchant, and
 *  another one. */
type Scene = {
  paid: bigint
  waiting: bigint
  byCard: bigint
  main: bigint
  other: bigint
  transfer: bigint
  event: bigint
  /** The account of a sub account, and the posting of a split payment that credits it. */
  share: bigint
  splitTransfer: bigint
  /** Money that is held. */
  held: bigint
} & PayoutScene &
  RefundScene &
  SettlementScene &
  ReservedScene &
  FeeScene &
  ReceivableScene &
  ReconScene &
  DebitScene &
  InvoiceScene &
  LimitScene &
  LinkScene &
  InPageScene &
  MerchantScene &
  VerificationScene &
  WalletScene &
  BillScene &
  PaycodeScene &
  ActScene
type Plant = readonly [what: string, sql: (scene: Scene) => string]

/** A right block over everything up to a transaction, as the worker would have made it. */
const sealUpTo = (id: bigint): string => `
  insert into search_blocks (merchant_id, number, after_at, after_id, last_at, last_id, sealed, rows)
  select t.merchant_id, 1, '-infinity', 0, t.created_at, t.id, true, (
    select count(*) from transactions o where o.merchant_id = t.merchant_id and (o.created_at, o.id) <= (t.created_at, t.id))
  from transactions t where t.id = ${id};
  insert into search_parts (merchant_id, number, status, rows, paid_kobo, amounts, ids, places)
  select merchant_id, 1, status, count(*), sum(paid_kobo), array_agg(kobo order by kobo, place), array_agg(id order by kobo, place), array_agg(place order by kobo, place)
  from (select t.*, row_number() over (order by t.created_at, t.id)::int as place from transactions t join search_blocks b using (merchant_id)
    where (t.created_at, t.id) <= (b.last_at, b.last_id)) t group by merchant_id, status;`
const RETURNED = `update suspense_items set status = 'RETURNED', return_session_id = 'x', closed_at = created_at`

const PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'a run of the books that is not over has its timer': [
    ['it is gone', () => `delete from agenda where kind = 'books.night'`],
  ],
  'entries of a transfer sum to zero, and are two or more, each of something and of another account': [
    [
      'an entry is a kobo more',
      (s) => `update entries set kobo = kobo + 1 where transfer_id = ${s.transfer} and account_id = 0`,
    ],
    ['an entry is gone', (s) => `delete from entries where transfer_id = ${s.transfer} and account_id = 0`],
    [
      'a transfer has one entry only',
      (s) => `delete from entries where transfer_id = ${s.transfer} and account_id <> 0`,
    ],
    ['they are gone', (s) => `update transfers set accounts = '{}', amounts = '{}' where id = ${s.transfer}`],
    [
      'an account has two entries',
      (
        s,
      ) => `update transfers set accounts = accounts || 0::bigint, amounts = amounts[:cardinality(amounts) - 1] || array[amounts[cardinality(amounts)] + 5, -5]
        where id = ${s.transfer}`,
    ],
    [
      'an entry of nothing',
      (s) =>
        `update transfers set accounts = accounts || 99::bigint, amounts = amounts || 0::bigint where id = ${s.transfer}`,
    ],
  ],
  'an account number is of the connector whose bank issued it': [
    [
      'of another',
      () =>
        `update virtual_accounts set connector = 2 where account_number = (select min(account_number) from virtual_accounts)`,
    ],
    [
      'of a stock that another has',
      () =>
        `insert into connectors (id, name) values (2, 'second');
         insert into bank_numbers (account_number, bank_code, connector) select account_number, bank_code, 2 from virtual_accounts limit 1`,
    ],
  ],
  'every entry has its account': [['it is gone', () => 'delete from accounts where id = 0']],
  'a running balance equals its entries': [
    [
      'a wallet holds a kobo more',
      (s) => `update accounts set balance_kobo = balance_kobo + 1 where id = ${s.main * 16n + 9n}`,
    ],
    [
      'a hold holds money that nobody posted',
      (s) => `update accounts set balance_kobo = 5 where id = ${s.main * 16n + 10n}`,
    ],
    ['an entry of a wallet is gone', (s) => `delete from entries where account_id = ${s.main * 16n + 9n}`],
  ],
  'no running balance is below zero': [
    [
      'a wallet is overdrawn',
      (s) =>
        `alter table accounts drop constraint balance_not_negative; update accounts set balance_kobo = -1 where id = ${s.main * 16n + 9n}`,
    ],
  ],
  'a roll-up equals the entries below the horizon': [
    [
      'it holds a kobo more',
      () => 'insert into rollups as r values (0, 1) on conflict (account_id) do update set kobo = r.kobo + 1',
    ],
    ['the horizon ran ahead of it', () => 'delete from rollups; update rollup_horizon set upto_xid = 9000000000000'],
  ],
  'no number of the ledger is ahead of its cluster': [
    ['a restored roll-up', () => 'update rollup_horizon set upto_xid = 9000000000000'],
    ['a restored settlement', () => 'update settlement_horizon set upto_xid = 9000000000000'],
    ['a restored transfer', (s) => `update transfers set xid = 9000000000000 where id = ${s.transfer}`],
  ],
  'a posting touches one merchant and the house only': [
    ['a transfer under another name', (s) => `update transfers set merchant_id = ${s.other} where id = ${s.transfer}`],
    [
      "an entry in another merchant's account",
      (s) =>
        `update entries set account_id = ${s.other * 16n + 8n} where transfer_id = ${s.transfer} and account_id = ${s.main * 16n + 8n}`,
    ],
  ],
  'an account belongs to the merchant, or the sub account or wallet of the merchant, that its id names': [
    ['another merchant', (s) => `update accounts set merchant_id = ${s.other} where id = ${s.main * 16n + 9n}`],
    [
      "another merchant's sub account",
      (s) => `update sub_accounts set merchant_id = ${s.other} where id = ${s.share / 16n}`,
    ],
    ['no sub account', (s) => `delete from sub_accounts where id = ${s.share / 16n}`],
    [
      'the account of a bank, of another kind',
      () =>
        `insert into connectors values (2, 'x'); insert into accounts (id, merchant_id, kind) values (32, 0, 'AGENTS')`,
    ],
    [
      'what an acquirer owes us, of another kind',
      () => `insert into connectors values (2, 'x'); update accounts set kind = 'BANK' where id = 33`,
    ],
    ['a share by another name', (s) => `update accounts set kind = 'PENDING' where id = ${s.share}`],
  ],
  'every sub account has its account': [['it is gone', (s) => `delete from accounts where id = ${s.share}`]],
  'a share goes to a sub account that the split names, and none is below zero': [
    [
      'the transaction has no split',
      (s) =>
        `update transactions t set split = null from transfers f where f.object_id = t.id and f.id = ${s.splitTransfer}`,
    ],
    [
      'the split names another',
      (s) =>
        `update transactions t set split = replace(split, '${s.share / 16n}', '1') from transfers f where f.object_id = t.id and f.id = ${s.splitTransfer}`,
    ],
    [
      'a share that is taken away',
      (s) => `update entries set kobo = -kobo where transfer_id = ${s.splitTransfer} and account_id = ${s.share}`,
    ],
  ],
  'a paid transaction has exactly its money': [
    ['no credit', (s) => `delete from inbound_credits where transaction_id = ${s.paid} and outcome = 'COUNTED'`],
    [
      'a credit of another amount',
      (s) => `update inbound_credits set kobo = kobo + 1 where transaction_id = ${s.paid} and outcome = 'COUNTED'`,
    ],
    [
      'a suspended credit that is called counted',
      () => `update inbound_credits set outcome = 'COUNTED' where outcome = 'SUSPENDED'`,
    ],
  ],
  'an approved charge paid its transaction, by card, with its amount': [
    ['by transfer', (s) => `update transactions set payment_method = 'ACCOUNT_TRANSFER' where id = ${s.byCard}`],
    ['another amount', (s) => `update card_charges set kobo = kobo + 1 where transaction_id = ${s.byCard}`],
    ['for another merchant', (s) => `update card_charges set merchant_id = ${s.other} where status = 'APPROVED'`],
    [
      'for one that waits',
      (s) => `update card_charges set transaction_id = ${s.waiting} where transaction_id = ${s.byCard}`,
    ],
  ],
  'an approved charge is posted once, to what its acquirer owes us, and nothing else of a transaction is': [
    ['no entry', () => 'delete from entries where account_id = 1'],
    ['to another acquirer', (s) => entries('account_id = 33', s.byCard, 'COLLECTION', 'account_id = 1')],
    ['by another acquirer', (s) => `update card_charges set connector = 2 where transaction_id = ${s.byCard}`],
    ['a charge that took nothing', () => `update card_charges set status = 'APPROVED' where status = 'OTP'`],
    ['a charge that is forgotten', () => `update card_charges set status = 'DECLINED' where status = 'APPROVED'`],
  ],
  'nothing but charges, refunds to cards and settlements is on what acquirers owe us': [
    ['a fee', (s) => `update transfers set kind = 'FEE' where object_id = ${s.byCard} and kind = 'COLLECTION'`],
    [
      "another object's",
      (s) => `update transfers set object = 'bill' where object_id = ${s.byCard} and kind = 'COLLECTION'`,
    ],
  ],
  'a charge that waits has its timer, or is left to people': [
    ['none', () => `delete from agenda where kind = 'cards.look'`],
  ],
  'a stored card comes from an approved charge of its merchant': [
    ['of another merchant', (s) => `update card_tokens set merchant_id = ${s.other}`],
    ['of none', () => 'update card_tokens set charge_id = -charge_id'],
    ['of one that was declined', () => `update card_charges set status = 'DECLINED' where status = 'APPROVED'`],
    ['the charge names another', () => `update card_charges set token = 'x' where status = 'APPROVED'`],
    ['against the will of its owner', () => `update card_charges set keep_card = false where status = 'APPROVED'`],
  ],
  'a stored card is charged by the connector that knows it': [
    ['by another', () => `update card_charges set connector = 2 where token is not null`],
  ],
  'at most five charges of a transaction reached the issuer': [
    [
      'six more',
      () => `insert into card_charges (id, merchant_id, transaction_id, reference, status, channel, kobo, bin, last4, exp_month, exp_year,
        return_token, created_at) select -n, merchant_id, transaction_id, 'x' || n, 'REVERSED', 'API', kobo, bin, last4, exp_month, exp_year,
        'x', created_at from (select * from card_charges where status = 'APPROVED' limit 1) c, generate_series(1, 6) n`,
    ],
  ],
  'at most six codes of a transaction went to the issuer and were not right': [
    ['seven', () => `update card_charges set codes_sent = 7 where status = 'APPROVED'`],
  ],
  'an attempt with a card is forgotten by a timer': [['none', () => `delete from agenda where kind = 'cards.forget'`]],
  'the money of a transaction is in the ledger, less its fee': [
    ['the fee is a kobo more', (s) => `update transactions set fee_kobo = fee_kobo + 1 where id = ${s.paid}`],
    ['the posting is about another object', (s) => `update transfers set object_id = 1 where id = ${s.transfer}`],
    [
      'it is posted twice',
      (s) => `insert into transfers (id, merchant_id, kind, object, object_id, at, accounts, amounts)
        select 1, merchant_id, kind, object, object_id, at, accounts, amounts from transfers where id = ${s.transfer}`,
    ],
    [
      'it is posted for a transaction that waits',
      (s) => `update transfers set object_id = ${s.waiting} where id = ${s.transfer}`,
    ],
    [
      'a share is gone',
      (s) => `delete from entries where transfer_id = ${s.splitTransfer} and account_id = ${s.share}`,
    ],
  ],
  'status fits the amounts': (
    [
      ['PAID and less', 'paid_kobo = paid_kobo - 1'],
      ['PAID and less than a tolerance allows', 'paid_kobo = paid_kobo - 6, tolerance_kobo = 5'],
      ['PARTIALLY_PAID and all', `status = 'PARTIALLY_PAID'`],
      ['OVERPAID and not more', `status = 'OVERPAID'`],
      ['EXPIRED and money', `status = 'EXPIRED'`],
      ['PENDING and money', `status = 'PENDING'`],
    ] as const
  ).map(([what, set]) => [
    what,
    (s: Scene) =>
      `alter table transactions drop constraint transactions_status_fits_amount; update transactions set ${set} where id = ${s.paid}`,
  ]),
  'every credit is posted once, with its amount': [
    ['another amount', (s) => `update inbound_credits set kobo = kobo + 1 where transaction_id = ${s.paid}`],
    ['no posting', () => 'update inbound_credits set transfer_id = -transfer_id'],
  ],
  'every suspended credit has its item, and every item its credit': [
    ['no item', () => 'delete from suspense_items'],
    ['no credit', () => `delete from inbound_credits where outcome = 'SUSPENDED'`],
    ['another amount', () => 'update suspense_items set kobo = kobo + 1'],
  ],
  'suspense holds what its items say': [
    [
      'an item more',
      () =>
        `insert into suspense_items (id, merchant_id, transaction_id, bank_reference, kobo, reason, owner, decide_by, created_at)
          select 1, merchant_id, transaction_id, 'x', kobo, reason, owner, decide_by, created_at
          from suspense_items where status = 'HELD'`,
    ],
    ['no entry', () => 'delete from entries where account_id = 3'],
    ['an item is called returned', (s) => `${RETURNED} where id = ${s.held}`],
  ],
  'an item in suspense holds its money until it is returned or reassigned, and nothing after': [
    ['it is called returned', (s) => `${RETURNED} where id = ${s.held}`],
    [
      'it is called held',
      () =>
        `update suspense_items set status = 'HELD', return_session_id = null, closed_at = null where status = 'RETURNED'`,
    ],
    ['a return of another amount', () => 'update entries set kobo = kobo - 1 where account_id = 3 and kobo < 0'],
  ],
  'an item in suspense has the timer of its day, and one that goes back a timer that asks': [
    ['no timer', (s) => `delete from agenda where subject = ${s.held}`],
    ['nobody asks the bank', (s) => `update suspense_items set status = 'RETURNING' where id = ${s.held}`],
  ],
  'a transaction takes money until it is closed': [
    ['PAID and open', (s) => `update transactions set closed_at = null where id = ${s.paid}`],
    ['PENDING and closed', (s) => `update transactions set closed_at = created_at where id = ${s.waiting}`],
  ],
  'history follows the edges of its machine': [
    ['another action', (s) => `update state_changes set action = 'expire' where object_id = ${s.paid}`],
    ['out of a final state', (s) => `update state_changes set from_state = 'CANCELLED' where object_id = ${s.paid}`],
    ['a state that is not there', (s) => `update state_changes set to_state = 'LOST' where object_id = ${s.paid}`],
  ],
  'history has no gaps and each step begins where the last ended': [
    ['a version is left out', (s) => `update state_changes set version = 3 where object_id = ${s.paid}`],
    ['it begins elsewhere', (s) => `update state_changes set from_state = 'FAILED' where object_id = ${s.paid}`],
    [
      'a step begins where the last did not end',
      (s) => `insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, at)
        select object, object_id, 3, merchant_id, 'expire', 'PENDING', 'EXPIRED', at from state_changes where object_id = ${s.paid}`,
    ],
  ],
  'an object shows its last step': [
    ['another version', (s) => `update transactions set version = 7 where id = ${s.paid}`],
    ['another state', (s) => `update transactions set status = 'CANCELLED' where id = ${s.waiting}`],
    ['no history', (s) => `delete from state_changes where object_id = ${s.paid}`],
    ['an item of suspense too', (s) => `update suspense_items set version = 7 where id = ${s.held}`],
  ],
  'a move that books has its transfer': [
    ['none', (s) => `update state_changes set transfer_id = null where object_id = ${s.paid}`],
    ['one that is not there', (s) => `update state_changes set transfer_id = 1 where object_id = ${s.paid}`],
  ],
  'a move that tells has its event': [
    ['it is gone', (s) => `delete from events where id = ${s.event}`],
    ['it is of another version', (s) => `update events set object_version = 9 where id = ${s.event}`],
  ],
  'every suspended credit was notified': [
    ['no event', () => `delete from events where type = 'REJECTED_PAYMENT'`],
    [
      'one event for two credits',
      () =>
        `insert into suspense_items (id, merchant_id, transaction_id, bank_reference, kobo, reason, owner, decide_by, created_at)
          select 1, merchant_id, transaction_id, 'x', kobo, reason, owner, decide_by, created_at from suspense_items where status = 'HELD'`,
    ],
  ],
  'an event is numbered or waits in the outbox, never both': [
    ['both', (s) => `insert into outbox (event_id, merchant_id) values (${s.event}, ${s.main})`],
    ['neither', (s) => `delete from event_numbers where event_id = ${s.event}`],
    [
      'twice in the outbox',
      () => 'insert into outbox (event_id, merchant_id) select event_id, merchant_id from outbox',
    ],
  ],
  'numbers of a merchant have no gaps': [
    ['the first is left out', (s) => `delete from event_numbers where number = 1 and merchant_id = ${s.main}`],
    ['one is left out', (s) => `update event_numbers set number = number + 100000 where event_id = ${s.event}`],
  ],
  'the counter of a merchant is its last number': [
    ['it is ahead', (s) => `update event_counters set last_number = last_number + 1 where merchant_id = ${s.main}`],
    ['it is behind', (s) => `update event_counters set last_number = last_number - 1 where merchant_id = ${s.main}`],
    ['it is gone', (s) => `delete from event_counters where merchant_id = ${s.main}`],
    ['it counts nothing', () => `insert into event_counters values (1, 1)`],
  ],
  'a delivery goes to the merchant of its event': [
    ['to another', (s) => `update deliveries set merchant_id = ${s.other}`],
  ],
  'an activity has one address': [
    [
      'two',
      () => `insert into endpoints (id, merchant_id, url, activities, event_types, description, created_at)
        select id + 1, merchant_id, url || '/too', activities, '{}', '', created_at from endpoints where activities <> '{}' limit 1`,
    ],
  ],
  'a delivery goes to an endpoint of its merchant': [
    ["to another's", (s) => `update endpoints set merchant_id = ${s.other}`],
    ['to none', () => 'delete from endpoints'],
  ],
  'what waits for an endpoint that was removed is given up': [
    [
      'it waits',
      (s) => `update endpoints set status = 'REMOVED';
        update deliveries set state = 'PENDING' where event_id = ${s.event}`,
    ],
  ],
  'a delivered delivery has an attempt that was answered 200': [
    ['no attempt', () => 'delete from delivery_attempts'],
    ['another answer', () => 'update delivery_attempts set status = 500'],
    ['the 200 of another endpoint', () => 'update delivery_attempts set endpoint_id = endpoint_id + 1'],
    ['the 200 of another event', () => 'update delivery_attempts set event_id = event_id + 1000000'],
  ],
  'a waiting transaction has its timer': [
    ['none', (s) => `delete from agenda where subject = ${s.waiting}`],
    ['one of another kind', (s) => `update agenda set kind = 'x' where subject = ${s.waiting}`],
  ],
  'the keys of a transaction are those of its customer': [
    ['another address', (s) => `update transactions set customer_email = 'other@example.com' where id = ${s.paid}`],
    ['another name', (s) => `update transactions set customer_name = 'Other' where id = ${s.paid}`],
  ],
  'blocks of a merchant follow each other without gap or overlap': [
    [
      'a gap between two',
      (s) => `${sealUpTo(s.paid)} insert into search_blocks (merchant_id, number, after_at, after_id, last_at, last_id)
        select merchant_id, 2, last_at, last_id + 1, last_at, last_id + 2 from search_blocks`,
    ],
    ['no first one', (s) => `${sealUpTo(s.paid)} delete from search_parts; update search_blocks set number = 2`],
    [
      'it does not begin at the beginning',
      (s) => `${sealUpTo(s.paid)} update search_blocks set after_at = '2020-01-01'`,
    ],
  ],
  'a sealed block says what its rows say': [
    ['a row more', (s) => `${sealUpTo(s.paid)} update search_blocks set rows = rows + 1`],
    ['a kobo more', (s) => `${sealUpTo(s.paid)} update search_parts set amounts[1] = amounts[1] + 1`],
    ['a kobo paid more', (s) => `${sealUpTo(s.paid)} update search_parts set paid_kobo = paid_kobo + 1`],
    ['another state', (s) => `${sealUpTo(s.paid)} update search_parts set status = 'EXPIRED'`],
    ['another place', (s) => `${sealUpTo(s.paid)} update search_parts set places[1] = places[1] + 1`],
    ['no parts', (s) => `${sealUpTo(s.paid)} delete from search_parts`],
    [
      'a row came late',
      (s) => `${sealUpTo(s.paid)} update transactions t set created_at = p.created_at - interval '1 ms'
        from transactions p where p.id = ${s.paid} and t.id = ${s.waiting}`,
    ],
  ],
  'a value that a sealed block counts has that many rows, and they paid that much': [
    [
      'a row more',
      (s) => `${sealUpTo(s.paid)} insert into search_values (merchant_id, kind, key, number, rows)
        select merchant_id, 'email', email_key, 1, 2 from transactions where id = ${s.paid}`,
    ],
    [
      'a kobo more',
      (s) => `${sealUpTo(s.paid)} insert into search_values (merchant_id, kind, key, number, rows, paid_rows, paid_kobo)
        select merchant_id, 'email', email_key, 1, 1, 1, paid_kobo + 1 from transactions where id = ${s.paid}`,
    ],
  ],
  'a sealed block holds final states only': [['it holds one that waits', (s) => sealUpTo(s.waiting)]],
  'an account number leads to a transaction or a reserved account of the same merchant': [
    ['of another merchant', (s) => `update virtual_accounts set merchant_id = ${s.other}`],
    ['to nothing', (s) => `update virtual_accounts set transaction_id = 1 where transaction_id = ${s.paid}`],
    [
      'to the merchant, but it is not its wallet',
      (s) => `update merchants set wallet_number = 'x' where id = ${s.main}`,
    ],
  ],
  'the number of a wallet is taken for ever': [
    ['it is free', (s) => `delete from virtual_accounts where transaction_id = ${s.main}`],
    ['it will be', (s) => `update virtual_accounts set expires_at = '2030-01-01' where transaction_id = ${s.main}`],
    ['another has it', (s) => `update virtual_accounts set transaction_id = 1 where transaction_id = ${s.main}`],
  ],
  'a top-up is in the wallet whose number it names, and nothing else is posted as one': [
    [
      'of another wallet',
      (s) => `update inbound_credits set account_number = 'x' where transaction_id is null and merchant_id = ${s.main}`,
    ],
    ['of another merchant', (s) => `update inbound_credits set merchant_id = ${s.other} where transaction_id is null`],
    ['a kobo more', () => 'update inbound_credits set kobo = kobo + 1 where transaction_id is null'],
    ['posted as something else', () => `update transfers set kind = 'FUNDING' where kind = 'TOP_UP'`],
    ['something else posted as one', (s) => `update transfers set kind = 'TOP_UP' where id = ${s.transfer}`],
    [
      'to no wallet',
      (s) => `update entries e set account_id = ${s.other * 16n + 9n} from transfers t
      where t.id = e.transfer_id and t.kind = 'TOP_UP' and e.account_id > 15`,
    ],
  ],
  'a top-up was notified once': [
    [
      'never',
      () =>
        `delete from events e using inbound_credits c where c.outcome = 'TOPPED_UP' and e.object_id = c.transfer_id`,
    ],
    [
      'to another',
      (s) =>
        `update events e set merchant_id = ${s.other} from inbound_credits c where c.outcome = 'TOPPED_UP' and e.object_id = c.transfer_id`,
    ],
    [
      'twice',
      () => `insert into events (id, merchant_id, type, object, object_id, object_version, shape, body, at)
      select e.id + 500000, e.merchant_id, e.type, e.object, e.object_id, 2, e.shape, e.body, e.at from events e
      join inbound_credits c on c.outcome = 'TOPPED_UP' and e.object_id = c.transfer_id`,
    ],
  ],
  'transfers have places without gaps in the order of their times': [
    [
      'a gap',
      (s) => `update disbursements set place = place + 10 where merchant_id = ${s.main} and batch_id is not null`,
    ],
    [
      'a time before the one before',
      (s) =>
        `update disbursements set created_at = created_at - interval '1 day' where merchant_id = ${s.main} and place = 2`,
    ],
  ],
  'single transfers have places without gaps in the order of all': [
    [
      'a gap',
      (s) =>
        `update disbursements set single_place = single_place + 1 where merchant_id = ${s.main} and batch_id is null`,
    ],
  ],
  'batches have places without gaps': [['a gap', () => 'update batches set place = place + 1000']],
  'a merchant has as many transfers and batches as its counters say': [
    ['a transfer more', () => 'update transfer_counters set transfers = transfers + 1'],
    ['a single one more', () => 'update transfer_counters set singles = singles + 1'],
    ['a batch more', () => 'update transfer_counters set batches = batches + 1'],
    ['a later time', () => `update transfer_counters set last_at = last_at + interval '1 ms'`],
    ['none', () => 'delete from transfer_counters'],
    ['counters of nothing', (s) => `insert into transfer_counters (merchant_id, transfers) values (${s.other}, 1)`],
  ],
  'every whole block of transfers is there and says what its rows say': [
    ['none', (s) => wholeBlock(s.other, 'amounts', 'places').split(';')[0] as string],
    ['a kobo more', (s) => wholeBlock(s.other, 'array[amounts[1] + 1] || amounts[2:]', 'places')],
    ['another place', (s) => wholeBlock(s.other, 'amounts', 'array[places[2], places[1]] || places[3:]')],
    ['ids that leave one out', (s) => wholeBlock(s.other, 'amounts', 'places', 'last_id - 1')],
    [
      'of nothing',
      (s) =>
        `insert into transfer_blocks select ${s.other}, 0, 1, 4096, array_agg(n), array_agg(n) from generate_series(1, 4096) n`,
    ],
  ],
  'a transaction holds its payment reference': [
    ['it is gone', (s) => `delete from payment_references where transaction_id = ${s.paid}`],
    [
      'it names another',
      (s) => `update payment_references set transaction_id = ${s.waiting} where transaction_id = ${s.paid}`,
    ],
  ],
  'a payment reference names a transaction of its merchant': [
    [
      'no transaction',
      (s) => `update payment_references set transaction_id = transaction_id + 9000000 where transaction_id = ${s.paid}`,
    ],
    [
      'of another name',
      (s) => `update payment_references set payment_reference = 'x' where transaction_id = ${s.paid}`,
    ],
    [
      'of another merchant',
      (s) => `update payment_references set merchant_id = ${s.other} where transaction_id = ${s.paid}`,
    ],
  ],
  'a credit holds its bank session': [
    ['it is gone', () => 'delete from bank_sessions'],
    ['it names another posting', () => 'update bank_sessions set transfer_id = 1'],
    ['it is of another merchant', (s) => `update bank_sessions set merchant_id = ${s.other}`],
  ],
  'a bank session names a credit': [
    ['no credit', (s) => `delete from inbound_credits where transaction_id = ${s.paid}`],
    ['of another name', () => `update bank_sessions set bank_reference = 'x' || bank_reference`],
  ],
  ...PAYOUT_PLANTS,
  ...REFUND_PLANTS,
  ...PAYCODE_PLANTS,
  ...INVOICE_PLANTS,
  ...RECEIPT_PLANTS,
  ...SETTLEMENT_PLANTS,
  ...RESERVED_PLANTS,
  ...LIMIT_PLANTS,
  ...LINK_PLANTS,
  ...IN_PAGE_PLANTS,
  ...MERCHANT_PLANTS,
  ...VERIFICATION_PLANTS,
  ...FEE_PLANTS,
  ...RECEIVABLE_PLANTS,
  ...RECON_PLANTS,
  ...DEBIT_PLANTS,
  ...WALLET_PLANTS,
  ...BILL_PLANTS,
  ...ACT_PLANTS,
}

/** 4,096 transfers, and a block about them as it should be but for what is given. */
const wholeBlock = (merchant: bigint, amounts: string, places: string, lastId = 'last_id'): string => `
  insert into disbursements (id, merchant_id, reference, transaction_reference, status, kobo, fee_kobo, held, narration, source_account, bank_code,
    account_number, two_fa, description, created_at, place, single_place)
  select n, ${merchant}, 'x' || n, 'x' || n, 'FAILED', n * 7 % 100 + 1, 0, false, '', '', '', '', false, '', '2026-01-01', n, n from generate_series(1, 4096) n;
  insert into transfer_blocks select ${merchant}, 0, first_id, ${lastId}, ${amounts}, ${places} from (select min(id) as first_id, max(id) as last_id,
    array_agg(kobo order by kobo, place) as amounts, array_agg(place::smallint order by kobo, place) as places
    from disbursements where merchant_id = ${merchant}) b`

let scene: Scene
beforeAll(async () => {
  const h = harness()
  const { main, other } = h.merchants
  const paycodes = await paycodeScene(h)
  const payouts = await payoutScene(h)
  const settlements = await settlementScene(h)
  const debits = await debitScene(h)
  await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
  const { transactionReference, accountNumber } = await paid(h, main)
  await h.pay(accountNumber, 700) // it is paid already: suspense
  // From an account that takes nothing back.
  const held = await h.pay(accountNumber, 800, { senderAccountNumber: '0123450009' })
  await advance(h, 1) // numbered, delivered, sent back
  await paid(h, main) // waits in the outbox
  const waiting = await initialise(h, main)
  const byCard = await chargeWith(h, main, 'plain')
  await chargeWith(h, main, 'otp')
  const { subAccountCode } = await subAccount(h, main)
  const split = await paid(h, main, { incomeSplitConfig: [{ subAccountCode, splitPercentage: 20 }] })
  await h.pay(main.walletNumber, 300)
  const reserved = await reservedScene(h)
  const customers = await walletScene(h)
  const [receivables, fees] = [await receivableScene(h), await feeScene(h)]
  const [recon, invoices] = [await reconScene(h), await invoiceScene(h)]
  const refunds = await refundScene(h) // one of them waits two hours for its bank: the clock moves no further
  const bills = await billScene(h) // and one its biller
  await send(h, main)
  await sendBatch(h, main, [20, 30])
  const one = async (text: string, value: unknown) => BigInt((await h.sql('01', text, [value]))[0].id)
  const id = await one('select id from transactions where reference = $1', transactionReference)
  scene = {
    ...receivables,
    ...fees,
    ...recon,
    ...(await payouts()),
    ...(await refunds()),
    ...(await paycodes()),
    ...invoices,
    ...settlements,
    ...reserved,
    ...(await limitScene(h)),
    ...(await linkScene(h)),
    ...(await inPageScene(h)),
    ...(await merchantScene(h)),
    ...(await verificationScene(h)),
    ...customers,
    ...(await debits()),
    ...bills,
    ...(await actScene(h)),
    paid: id,
    waiting: await one('select id from transactions where reference = $1', waiting.transactionReference),
    byCard: await one('select id from transactions where reference = $1', byCard.transactionReference),
    main: main.id,
    other: other.id,
    transfer: await one(`select id from transfers where object = 'transaction' and object_id = $1`, id),
    event: await one(`select id from events where type = 'SUCCESSFUL_TRANSACTION' and object_id = $1`, id),
    share: (await one('select id from sub_accounts where code = $1', subAccountCode)) * 16n + 11n,
    held: await one('select id from suspense_items where bank_reference = $1', held.json.sessionId),
    splitTransfer: await one(
      'select f.id from transfers f join transactions t on t.id = f.object_id where t.reference = $1',
      split.transactionReference,
    ),
  }
})

let planting: pg.Client | null = null
afterAll(() => planting?.end())
/** Whatever is done here is undone. By one connection, which knows the tables after the first time. */
async function undone<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (!planting) {
    planting = new pg.Client({ connectionString: harness().databases['01'] })
    await planting.connect()
  }
  await planting.query('begin')
  try {
    return await work(planting)
  } finally {
    await planting.query('rollback')
  }
}

/** The violations that slices of few rows find together. */
async function inSlices(ask: Ask, invariant: string, slices: Slices): Promise<bigint> {
  let sum = 0n
  for (let after: Position = null; ; ) {
    const { violations, next } = await askSlice(ask, INVARIANTS[invariant] as string, slices, after, 20)
    sum += violations
    if (next === null) return sum
    after = next
  }
}

describe('checkBooks', () => {
  test('every invariant has a planted fault', () => {
    expect(Object.keys(PLANTS).toSorted()).toEqual(Object.keys(INVARIANTS).toSorted())
    for (const plants of Object.values(PLANTS)) expect(plants.length).toBeGreaterThan(0)
  })

  test('books that are in order have no violation', async () => {
    expect(await undone(violationsIn)).toEqual([])
    expect(await checkBooks(harness().databases['01'])).toEqual([])
  })

  const rows = Object.entries(PLANTS).flatMap(([invariant, plants]) =>
    plants.map(([what, sql]) => ({ invariant, what, sql })),
  )
  test.each(rows)('$invariant: $what', async ({ invariant, sql }) => {
    await undone(async (client) => {
      const results = [await client.query(sql(scene))].flat()
      expect(results.at(-1)?.rowCount, 'the plant changed something').toBeGreaterThan(0)
      // Asked as production asks: by the role of the engine, and in slices what the night asks in slices.
      await client.query('set local role cowrie_engine')
      const ask = askOn(client, 60_000)
      const { violations } = await askOne(ask, INVARIANTS[invariant] as string)
      expect(violations).toBeGreaterThan(0n)
      const slices = SLICED[invariant]
      expect(slices ? await inSlices(ask, invariant, slices) : violations).toBe(violations)
    })
  })

  test('no plant was left behind', async () => {
    for (const cell of CELLS) expect(await checkBooks(harness().databases[cell]), cell).toEqual([])
  })

  test('an invariant that is asked in slices is one of the list', () => {
    expect(Object.keys(SLICED).filter((name) => !(name in INVARIANTS))).toEqual([])
  })

  test('names the invariant, how many rows break it and one of them, for a fault that is committed', async () => {
    const h = harness()
    const wallet = scene.main * 16n + 9n
    await h.sql('01', 'update accounts set balance_kobo = balance_kobo + 1 where id = $1', [wallet])
    try {
      expect(await checkBooks(h.databases['01'])).toEqual([
        { invariant: 'a running balance equals its entries', rows: 1, example: `["${wallet}"]` },
        { invariant: 'a wallet holds what the last line of its statement says', rows: 1, example: `["${wallet}"]` },
      ])
    } finally {
      await h.sql('01', 'update accounts set balance_kobo = balance_kobo - 1 where id = $1', [wallet])
    }
  })
})
