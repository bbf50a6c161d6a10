// The ledger: transfers and their entries, insert-only. A positive entry credits its account, a negative one
// debits it; the entries of a transfer sum to zero. One function posts; one function reads a balance.
//
// Accounts with a running balance are locked in id order and changed once per statement, however many
// postings touch them; the database refuses a balance below zero by the constraint balance_not_negative.
// Accounts without one are summed: what was rolled up at a horizon no open transaction can cross, plus the
// entries since.
//
// Every entry of a wallet is also a line of its statement (`wallet_movements`), written by the statement that
// posts it.

import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { engineTx } from '../cells/cells.ts'
import { isOfKind, keepsBalance, ofKind } from './chart.ts'
import { endOfSlice, HORIZON, SLICE } from './horizons.ts'

export type Entry = { readonly account: bigint; readonly kobo: bigint }
export type Posting = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly kind: string
  readonly object: string
  readonly objectId: bigint
  /** The schedule that a fee of it was computed by. */
  readonly feeScheduleId?: bigint | null
  readonly entries: readonly Entry[]
}

/** Entries of zero are left out (a fee of 0 makes none); what remains must balance. */
export function posting(spec: Posting): Posting {
  const entries = spec.entries.filter((entry) => entry.kobo !== 0n)
  const sum = entries.reduce((total, entry) => total + entry.kobo, 0n)
  const accounts = new Set(entries.map((entry) => entry.account))
  if (sum !== 0n || entries.length < 2 || accounts.size !== entries.length) {
    fail('INTERNAL', {}, `posting ${spec.kind} of ${spec.object} ${spec.objectId} is not balanced`)
  }
  return { ...spec, entries }
}

/** The entries of several postings one after another, as statements take them; which of them are whose,
 *  `spans` says. */
export type EntryArrays = {
  readonly objects: readonly bigint[]
  readonly transfers: readonly bigint[]
  readonly accounts: readonly bigint[]
  readonly kobo: readonly bigint[]
  /** By the transfer's id: the places of its first and its last entry, from 1. */
  readonly spans: ReadonlyMap<bigint, readonly [first: bigint, last: bigint]>
  /** The accounts to lock. */
  readonly running: readonly bigint[]
  /** Whether a wallet is among them: its statement gets a line. */
  readonly wallets: boolean
}
export function entryArrays(postings: readonly Posting[]): EntryArrays {
  const [objects, transfers, accounts, kobo]: [bigint[], bigint[], bigint[], bigint[]] = [[], [], [], []]
  const spans = new Map<bigint, readonly [bigint, bigint]>()
  for (const { objectId, id, entries } of postings) {
    spans.set(id, [BigInt(accounts.length + 1), BigInt(accounts.length + entries.length)])
    for (const entry of entries) {
      objects.push(objectId)
      transfers.push(id)
      accounts.push(entry.account)
      kobo.push(entry.kobo)
    }
  }
  const running = [...new Set(accounts.filter(keepsBalance))]
  const wallets = running.some((account) => isOfKind(account, 'WALLET'))
  return { objects, transfers, accounts, kobo, spans, running, wallets }
}

/** Which accounts a statement locks and changes, and how its parts are named. */
type BalanceSource = {
  /** A relation with account_id and kobo; where wallets are among the accounts also with transfer_id and nth,
   *  the order of the entries. */
  readonly source: string
  /** An array of the accounts to lock. */
  readonly running: string
  /** The time of the lines of statements; null: no wallet is among the accounts. */
  readonly now: string | null
  /** The step of the same statement that updates a partitioned table, if there is one. It is brought to its
   *  end before anything is locked: PostgreSQL 18 up to 18.4 frees what it finds partitions with when a lock
   *  was waited for (a use after free, fixed later). */
  readonly after?: string
}

/** The locks, the one update per running account, and the lines in the statements of wallets. */
export const balanceSteps = ({ source, running, now, after }: BalanceSource): string => `
locked as materialized (
  select id, moved_id from accounts where id = any(${running})${after ? ` and (select count(*) from ${after}) >= 0` : ''} order by id for update),
updated_balances as (
  update accounts a set balance_kobo = a.balance_kobo + s.kobo${now ? counted(now) : ''}
  from (select account_id, sum(kobo)::bigint as kobo${now ? LINES : ''} from ${source} where account_id = any(${running}) group by account_id) s
    join locked k on k.id = s.account_id
  where a.id = s.account_id returning a.id${now ? BEFORE : ''}
)${now ? linesStep(source) : ''}`

const IS_WALLET = ofKind('account_id', 'WALLET')
const LINES = `, count(*) filter (where ${IS_WALLET}) as lines, max(transfer_id) filter (where ${IS_WALLET}) as last_id`
const counted = (
  now: string,
): string => `, movements = a.movements + s.lines, moved_id = greatest(a.moved_id, s.last_id),
    moved_at = case when s.lines = 0 then a.moved_at else greatest(a.moved_at, ${now}) end`
/** Before this statement; the row itself is as it is after it. */
const BEFORE = `, a.merchant_id, a.moved_at as line_at, a.balance_kobo - s.kobo as before_kobo, a.movements - s.lines as before_lines, k.moved_id as before_id`
/** Under the lock of its wallet: numbers have no gaps, and neither a time nor a month is before that of the
 *  number before. What comes in stands before what goes out, as postings of one statement are applied
 *  together. */
const linesStep = (source: string): string => `, lines as (
  insert into wallet_movements (account_id, number, line_id, merchant_id, transfer_id, kobo, balance_kobo, at)
  select l.account_id, u.before_lines + row_number() over w, greatest(u.before_id, max(l.transfer_id) over w), u.merchant_id, l.transfer_id,
    l.kobo, u.before_kobo + sum(l.kobo) over w, u.line_at
  from ${source} l join updated_balances u on u.id = l.account_id where ${ofKind('l.account_id', 'WALLET')}
  window w as (partition by l.account_id order by l.kobo < 0, l.nth))`

const POST: Statement = {
  name: 'ledger_post',
  text: `
with p as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::int[], $8::int[])
    as p(id, merchant_id, kind, object, object_id, fee_schedule_id, first_entry, last_entry)
), e as materialized (
  select * from unnest($9::bigint[], $10::bigint[], $13::bigint[]) with ordinality as e(account_id, kobo, transfer_id, nth)
), ${balanceSteps({ source: 'e', running: '$11::bigint[]', now: '$12::timestamptz' })}, posted as (
  insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
  select id, merchant_id, kind, object, object_id, fee_schedule_id, $12::timestamptz,
    ($9::bigint[])[first_entry:last_entry], ($10::bigint[])[first_entry:last_entry] from p
)
select count(*) as updated from updated_balances`,
}

export async function post(t: Tx, given: readonly Posting[]): Promise<void> {
  const postings = given.map(posting)
  const { transfers, accounts, kobo, spans, running } = entryArrays(postings)
  const rows = await insufficientFunds(
    t.query<{ updated: bigint }>(POST, [
      postings.map((p) => p.id),
      postings.map((p) => p.merchantId),
      postings.map((p) => p.kind),
      postings.map((p) => p.object),
      postings.map((p) => p.objectId),
      postings.map((p) => p.feeScheduleId ?? null),
      postings.map((p) => spans.get(p.id)?.[0]),
      postings.map((p) => spans.get(p.id)?.[1]),
      accounts,
      kobo,
      running,
      t.now,
      transfers,
    ]),
  )
  if (Number(rows[0]?.updated) !== running.length)
    fail('INTERNAL', {}, `postings to ${running.join(', ')}: an account does not exist`)
}

/** The one database error that is an answer for the caller: known by the constraint's name and nothing
 *  else. */
export async function insufficientFunds<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'balance_not_negative') fail('INSUFFICIENT_FUNDS')
    throw error
  }
}

const LOCK: Statement = {
  name: 'ledger_lock',
  text: `
-- all merchants: the wallets that one database transaction debits or credits, in the order in which everybody locks
select id, balance_kobo from accounts where id = any($1::bigint[]) and balance_kobo is not null order by id for update`,
}
/** What each wallet holds, from now until the end of the transaction. */
export async function lockWallets(t: Tx, accounts: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const rows = await t.query<{ balance_kobo: bigint; id: Rows['accounts']['id'] }>(LOCK, [numbers(accounts)])
  return new Map(rows.map((row) => [row.id, row.balance_kobo]))
}

/** The balance of an account, for a statement that needs it on its own snapshot. */
export const BALANCE_OF = (account: string): string => `
-- all merchants: an account id already names its merchant
select coalesce(a.balance_kobo,
  coalesce((select r.kobo from rollups r where r.account_id = a.id), 0)
  + coalesce((select sum(e.kobo) from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo)
      where e.account_id = a.id and t.xid >= (select upto_xid from rollup_horizon)), 0)
)::bigint as kobo
from accounts a where a.id = ${account}`

const BALANCE: Statement = { name: 'ledger_balance', text: BALANCE_OF('$1') }

export async function balance(read: Read, account: bigint): Promise<bigint> {
  const rows = await read.query<{ kobo: bigint }>(BALANCE, [account])
  return rows[0]?.kobo ?? fail('INTERNAL', {}, `ledger account ${account} not found`)
}

const BALANCES: Statement = {
  name: 'ledger_balances',
  text: `
-- all merchants: account ids already name their merchants
with recent as materialized (
  select e.account_id, sum(e.kobo)::bigint as kobo from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo)
  where e.account_id = any($1::bigint[]) and t.xid >= (select upto_xid from rollup_horizon) group by e.account_id
)
select a.id, coalesce(a.balance_kobo, coalesce(r.kobo, 0) + coalesce(n.kobo, 0))::bigint as kobo
from accounts a left join rollups r on r.account_id = a.id left join recent n on n.account_id = a.id where a.id = any($1::bigint[])`,
}

/** Those of several accounts at once, by account. One that does not exist is a fault, never a balance of
 *  zero: nothing can have been posted to it. */
export async function balances(read: Read, accounts: readonly bigint[]): Promise<(account: bigint) => bigint> {
  const rows = await read.query<{ kobo: bigint; id: Rows['accounts']['id'] }>(BALANCES, [numbers(accounts)])
  const found = new Map(rows.map((row) => [row.id, row.kobo]))
  return (account) => found.get(account) ?? fail('INTERNAL', {}, `ledger account ${account} not found`)
}

const ROLL_UP: Statement = {
  name: 'ledger_roll_up',
  text: `
with horizon as materialized (select upto_xid from rollup_horizon for update),
news as materialized (select ${endOfSlice('(select upto_xid from horizon)', '$1')} as xid, ${HORIZON} as all_xid),
sums as (
  select e.account_id, sum(e.kobo)::bigint as kobo
  from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo) join accounts a on a.id = e.account_id
  where t.xid >= (select upto_xid from horizon) and t.xid < (select xid from news) and a.balance_kobo is null
  group by e.account_id
), rolled as (
  insert into rollups as r (account_id, kobo) select account_id, kobo from sums
  on conflict (account_id) do update set kobo = r.kobo + excluded.kobo returning 1
), moved as (
  update rollup_horizon set upto_xid = (select xid from news) where (select xid from news) > (select upto_xid from horizon)
)
select (select count(*) from rolled)::int as accounts, xid < all_xid as more from news`,
}

/** Folds entries below the horizon into the roll-ups; the worker does it every few seconds. Each slice is a
 *  transaction of its own, so that what was read stays read. */
export async function rollUp(ctx: Ctx, cell: CellId, slice = SLICE): Promise<number> {
  let accounts = 0
  for (;;) {
    const [row] = await engineTx(ctx, cell, (t) => t.query<{ accounts: number; more: boolean }>(ROLL_UP, [slice]))
    accounts += row?.accounts ?? 0
    if (!row?.more) return accounts
  }
}

const OPEN_ACCOUNTS: Statement = {
  name: 'ledger_open_accounts',
  text: `insert into accounts (id, merchant_id, kind, balance_kobo)
    select id, merchant_id, kind, case when running then 0 end
    from unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[]) as x(id, merchant_id, kind, running)
    on conflict do nothing`,
}

export async function openAccounts(
  t: Tx,
  accounts: readonly { id: bigint; merchantId: bigint; kind: string }[],
): Promise<void> {
  await t.query(OPEN_ACCOUNTS, [
    accounts.map((a) => a.id),
    accounts.map((a) => a.merchantId),
    accounts.map((a) => a.kind),
    accounts.map((a) => keepsBalance(a.id)),
  ])
}
