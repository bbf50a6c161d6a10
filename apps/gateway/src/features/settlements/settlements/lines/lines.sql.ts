// The statements of what is to be settled: taken from the ledger, marked with the settlement that pays it,
// read for statements.

import { houseAccount, isOwed, kindIn, ofKind, ownerIn } from '#core/ledger/chart.ts'
import { endOfSlice, HORIZON, NEWEST } from '#core/ledger/horizons.ts'
import type { Rows } from '#core/rows.ts'
import { moments, numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

// A settlement's own postings pay what is owed, or give it back; they are nothing owed and become no lines.
// What a settlement collects for the house is a line at once (collecting.ts).
/** The run for everybody; and the timer of one merchant that could not be settled with the others. */
export const RUN = 'settlements.run'
export const RUN_ONE = 'settlements.one'

const GATHER: Statement = {
  name: 'settlements_gather',
  text: `
-- all merchants: one scan of what every merchant was credited since the last one
with horizon as materialized (select upto_xid, run_at from settlement_horizon for update),
news as materialized (select ${endOfSlice('(select upto_xid from horizon)', '$3')} as xid, ${HORIZON} as all_xid),
news_entries as (
  select t.id, t.merchant_id, t.object, t.object_id, t.at, e.account_id, e.kobo,
    coalesce(sum(e.kobo) filter (where e.account_id = ${houseAccount('FEE_INCOME')}) over w, 0)::bigint as fee,
    coalesce(sum(e.kobo) filter (where ${isOwed('e.account_id')}) over w, 0)::bigint as owed,
    (json_agg(json_build_object('code', s.code, 'kobo', e.kobo::text)) filter (where s.id is not null) over w)::text as shares
  from transfers t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo) left join sub_accounts s on ${ofKind('e.account_id', 'SHARE')} and s.id = ${ownerIn('e.account_id')}
  where t.xid >= (select upto_xid from horizon) and t.xid < (select xid from news) and t.object <> 'settlement'
    and t.kind <> 'RECEIVABLE_COLLECTION'
  window w as (partition by t.id order by s.code rows between unbounded preceding and unbounded following)
), fresh as (
  insert into settlement_lines (transfer_id, account_id, merchant_id, object, object_id, at, kobo, amount_kobo, fee_kobo, shares)
  select id, account_id, merchant_id, object, object_id, at, kobo, fee + owed, fee, shares
  from news_entries where ${isOwed('account_id')}
  returning merchant_id
), late as materialized ( -- separately, so that no plan reads the entries of everything for it: nearly always there is none
  select t.merchant_id, t.accounts from transfers t where t.xid >= (select all_xid from news) and t.object <> 'settlement'
), wanted as materialized (
  select coalesce((select run_at from horizon) > $2::timestamptz, false) as timed, (
    exists (select from fresh f where not exists (select from settlement_holds h where h.merchant_id = f.merchant_id))
    or exists (select from settlement_lines l where l.settlement_id is null
      and not exists (select from settlement_holds h where h.merchant_id = l.merchant_id))
    -- What an open transaction holds back will be owed: the run of the day comes for it, and again until it is there.
    or exists (select from late t where exists (select from unnest(t.accounts) as account_id where ${isOwed('account_id')})
      and not exists (select from settlement_holds h where h.merchant_id = t.merchant_id))) as waits
), timed as (
  insert into agenda (kind, merchant_id, subject, due_at) select '${RUN}', 0, 0, $1::timestamptz from wanted where waits and not timed
), moved as (
  update settlement_horizon set upto_xid = greatest(upto_xid, (select xid from news)),
    run_at = case when w.waits and not w.timed then $1::timestamptz else run_at end from wanted w
)
select (select count(*) from fresh)::int as lines, (select greatest(upto_xid, (select xid from news)) from horizon) as upto,
  (select xid < all_xid from news) as more`,
}
export type Gathered = { readonly lines: number; readonly upto: bigint }

/** Takes a slice of what was committed since the last time, and puts the next run on the agenda when
 *  something waits to be paid. A run that was due before `lostBefore` and did not come is put there again. */
export async function gather(
  t: Tx,
  runAt: Date,
  lostBefore: Date,
  slice: number,
): Promise<Gathered & { readonly more: boolean }> {
  const [row] = await t.query<Gathered & { more: boolean }>(GATHER, [runAt, lostBefore, slice])
  return row ?? { lines: 0, upto: 0n, more: false }
}

const NEWS: Statement = {
  name: 'settlements_news',
  text: `
-- all merchants: whether anybody was credited since the last time, or the next run has to be put on the agenda
select h.run_at is null or h.run_at <= $1 or exists (select from transfers t where t.xid >= h.upto_xid) as news from settlement_horizon h`,
}
/** Whether to gather would find something to do. */
export const hasNews = async (read: Read, lostBefore: Date): Promise<boolean> =>
  (await read.query<{ news: boolean }>(NEWS, [lostBefore]))[0]?.news ?? true

const NEWEST_XID: Statement = {
  name: 'settlements_newest_xid',
  text: `select ${NEWEST} as xid`,
}
/** Everything committed by now is below it. */
export const newestXid = async (read: Read): Promise<bigint> =>
  (await read.query<{ xid: bigint }>(NEWEST_XID, []))[0]?.xid ?? 0n

const RAN: Statement = {
  name: 'settlements_ran',
  text: 'update settlement_horizon set run_at = null where run_at <= $1',
}
/** The run that was on the agenda is over. */
export const forgetRun = (t: Tx): Promise<unknown> => t.query(RAN, [t.now])

const SOON: Statement = {
  name: 'settlements_run_soon',
  text: `
-- all merchants: one run for all of them; nothing when one is to come as soon as that
with moved as (update settlement_horizon set run_at = $1 where run_at is null or run_at <= $2 or run_at > $1 returning run_at)
insert into agenda (kind, merchant_id, subject, due_at) select '${RUN}', 0, 0, run_at from moved`,
}
/** Puts a run for everybody on the agenda, sooner than the daily one. */
export const runSoon = (t: Tx, at: Date): Promise<unknown> => t.query(SOON, [at, t.now])

const ONE_LATER: Statement = {
  name: 'settlements_one_later',
  text: `insert into agenda (kind, merchant_id, subject, due_at) select '${RUN_ONE}', id, id, $2 from unnest($1::bigint[]) as m(id)
    where not exists (select from agenda a where a.kind = '${RUN_ONE}' and a.merchant_id = m.id)`,
}
/** Merchants that could not be settled are tried by themselves, each on a timer of its own. */
export const settleLater = (t: Tx, merchantIds: readonly bigint[], at: Date): Promise<unknown> =>
  t.query(ONE_LATER, [numbers(merchantIds), at])

const WAITING: Statement = {
  name: 'settlements_waiting',
  text: `
-- all merchants: the next ones, by id, that are owed something
select l.merchant_id as id from settlement_lines l where l.settlement_id is null and l.merchant_id > $1
  and not exists (select from settlement_holds h where h.merchant_id = l.merchant_id)
group by l.merchant_id order by l.merchant_id limit $2`,
}
export const waitingMerchants = async (read: Read, after: bigint, limit: number): Promise<bigint[]> =>
  (await read.query<{ id: bigint }>(WAITING, [after, limit])).map(({ id }) => id)

/** Rules that have begun, to accounts that may receive. */
export const rulesInForce = (now: string): string => `settlement_rules r
  left join destinations d on d.kind = 'SETTLEMENT_RULE' and d.subject = r.id
  where r.valid_from <= ${now}
    and (d.id is null or d.stopped_at is null and d.in_force_from <= ${now} and (d.confirmed_at is not null or not d.needs_person))`

const INSTANT: Statement = {
  name: 'settlements_instant',
  text: `
-- all merchants: those that are paid as soon as they are owed something; what a bank has sent back waits for the daily run, and so
-- does everything of a merchant whose grant was withdrawn
select m.id from (
  select distinct on (r.merchant_id) r.merchant_id as id, r.schedule from ${rulesInForce('$1')}
  order by r.merchant_id, r.valid_from desc, r.id desc) m
where m.schedule = 'INSTANT' and not exists (select from settlement_holds h where h.merchant_id = m.id)
  and (select f.granted from feature_grants f where f.merchant_id = m.id and f.feature = 'INSTANT_SETTLEMENT' order by f.id desc limit 1)
  and exists (select from settlement_lines l where l.merchant_id = m.id and l.settlement_id is null
    and not exists (select from returned_lines r where r.transfer_id = l.transfer_id and r.account_id = l.account_id)) order by m.id`,
}
export const instantMerchants = async (read: Read): Promise<bigint[]> =>
  (await read.query<{ id: bigint }>(INSTANT, [read.now])).map(({ id }) => id)

/** A schedule holds back money that came after its cutoff, and nothing else: what is below zero counts at
 *  once, or money would be paid that is known to be gone; and so does what the merchant owes for it
 *  instead. */
const due = (cutoff: string): string => `(l.at < ${cutoff} or l.kobo < 0 or l.object = 'receivable')`

const OWED: Statement = {
  name: 'settlements_owed',
  text: `
select l.merchant_id, l.account_id, sum(l.kobo)::bigint as kobo, count(*)::int as lines,
  count(distinct l.object_id) filter (where l.object = 'transaction')::int as transactions
from unnest($1::bigint[], $2::timestamptz[]) as x(merchant_id, cutoff)
join settlement_lines l on l.merchant_id = x.merchant_id and l.settlement_id is null and ${due('x.cutoff')}
group by l.merchant_id, l.account_id order by l.merchant_id, ${kindIn('l.account_id')}, l.account_id`,
}
export type OwedRow = Pick<Rows['settlement_lines'], 'merchant_id' | 'account_id'> & {
  kobo: bigint
  lines: number
  transactions: number
}
/** What is owed to whom: the merchant itself before its sub accounts. */
export const owed = (
  read: Read,
  due: readonly { readonly merchantId: bigint; readonly cutoff: Date }[],
): Promise<OwedRow[]> =>
  read.query<OwedRow>(OWED, [numbers(due.map((one) => one.merchantId)), moments(due.map((one) => one.cutoff))])

// A payment of several parts was split when the first of them came.
const LATER_SHARES: Statement = {
  name: 'settlements_later_shares',
  text: `
select l.account_id as id, sum(l.kobo)::bigint as kobo
from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) as x(merchant_id, cutoff, since)
join settlement_lines l on l.merchant_id = x.merchant_id and l.settlement_id is null and ${due('x.cutoff')}
  and l.at >= x.since and ${ofKind('l.account_id', 'SHARE')}
where case l.object
  when 'transaction' then not exists (select from settlement_lines f
    where f.object_id = l.object_id and f.object = 'transaction' and f.merchant_id = l.merchant_id and f.at < x.since)
  when 'receivable' then exists (select from receivable_moves m where m.id = l.transfer_id and m.merchant_id = l.merchant_id and m.later_share)
  else false end
group by l.account_id`,
}
/** What is due to sub accounts of payments that were split since a moment, less what was collected of it, by
 *  their accounts. */
export async function laterShares(
  read: Read,
  asked: readonly { readonly merchantId: bigint; readonly cutoff: Date; readonly since: Date }[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (asked.length === 0) return new Map()
  const rows = await read.query<{ id: bigint; kobo: bigint }>(LATER_SHARES, [
    numbers(asked.map((one) => one.merchantId)),
    moments(asked.map((one) => one.cutoff)),
    moments(asked.map((one) => one.since)),
  ])
  return new Map(rows.map(({ id, kobo }) => [id, kobo]))
}

const INSERT: Statement = {
  name: 'settlements_insert_lines',
  text: `
insert into settlement_lines (transfer_id, account_id, merchant_id, object, object_id, at, kobo, amount_kobo, fee_kobo, shares)
select f.id, e.account_id, f.merchant_id, f.object, f.object_id, f.at, e.kobo, e.kobo, 0,
  case when s.id is not null then json_build_array(json_build_object('code', s.code, 'kobo', e.kobo::text))::text end
from transfers f join lateral unnest(f.accounts, f.amounts) as e(account_id, kobo) on ${isOwed('e.account_id')}
left join sub_accounts s on ${ofKind('e.account_id', 'SHARE')} and s.id = ${ownerIn('e.account_id')} and s.merchant_id = f.merchant_id
where f.id = any($1::bigint[])`,
}
/** Lines of transfers that were posted a moment ago and are never gathered. */
export const insertLines = (t: Tx, transferIds: readonly bigint[]): Promise<unknown> =>
  t.query(INSERT, [numbers(transferIds)])

export type Claim = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly account: bigint
  readonly cutoff: Date
  /** What the account holds: no more is paid. */
  readonly holds: bigint
  /** Of a sub account that got another account: the money earned between these. Null is without end. */
  readonly since: Date | null
  readonly until: Date | null
  /** Whether what is below zero is deducted here. */
  readonly below: boolean
}
export type ClaimedRow = { id: bigint; kobo: bigint; lines: number; transactions: number; from_at: Date }

/** Whether a line belongs to a period of `x`. What a bank has sent back did not reach the account it was
 *  earned for: it goes to the one that is in force now. */
const within = (x: string, now: string): string => `(${x}.since is null and ${x}.until is null or case
    when exists (select from returned_lines r where r.transfer_id = l.transfer_id and r.account_id = l.account_id and r.merchant_id = l.merchant_id)
    then ${now}::timestamptz else l.at end between coalesce(${x}.since, '-infinity') and coalesce(${x}.until - interval '1 microsecond', 'infinity'))`
/** Whether a claim takes a line. */
const taken = (x: string, now: string): string =>
  `case when l.kobo < 0 then ${x}.below else ${due(`${x}.cutoff`)} and ${within(x, now)} end`

/** The place of what is below zero, beside the periods. */
export const BELOW_ZERO = -1

const OWED_BY_PERIOD: Statement = {
  name: 'settlements_owed_by_period',
  text: `
select x.account_id, case when l.kobo < 0 then ${BELOW_ZERO} else x.place end as place, sum(l.kobo)::bigint as kobo
from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::int[], $5::timestamptz[], $6::timestamptz[], $7::boolean[])
  as x(merchant_id, account_id, cutoff, place, since, until, below)
join settlement_lines l on l.merchant_id = x.merchant_id and l.account_id = x.account_id and l.settlement_id is null and ${taken('x', '$8')}
group by 1, 2`,
}
export type PeriodAsked = Omit<Claim, 'id' | 'holds' | 'below'> & { readonly place: number }
/** What is due of each period, by account and place. */
export async function owedByPeriod(read: Read, asked: readonly PeriodAsked[]): Promise<Map<string, bigint>> {
  const rows = await read.query<{ account_id: bigint; place: number; kobo: bigint }>(OWED_BY_PERIOD, [
    numbers(asked.map((one) => one.merchantId)),
    numbers(asked.map((one) => one.account)),
    moments(asked.map((one) => one.cutoff)),
    numbers(asked.map((one) => one.place)),
    moments(asked.map((one) => one.since)),
    moments(asked.map((one) => one.until)),
    numbers(asked.map((one) => one.place === 0)),
    read.now,
  ])
  return new Map(rows.map((row) => [`${row.account_id}/${row.place}`, row.kobo]))
}

// The sum and the marks are of one snapshot: a line that is gathered meanwhile is in neither.
const CLAIM: Statement = {
  name: 'settlements_claim',
  text: `
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::timestamptz[], $7::timestamptz[], $8::boolean[])
    as x(id, merchant_id, account_id, cutoff, holds, since, until, below)
), due as materialized (
  select x.id, x.merchant_id, x.account_id, x.cutoff, x.since, x.until, x.below, sum(l.kobo)::bigint as kobo, count(*)::int as lines,
    count(distinct l.object_id) filter (where l.object = 'transaction')::int as transactions, min(l.at) as from_at
  from x join settlement_lines l on l.merchant_id = x.merchant_id and l.account_id = x.account_id
    and l.settlement_id is null and ${taken('x', '$9')}
  group by x.id, x.merchant_id, x.account_id, x.cutoff, x.since, x.until, x.below, x.holds having sum(l.kobo) > 0 and sum(l.kobo) <= x.holds
), marked as (
  update settlement_lines l set settlement_id = d.id from due d
  where l.merchant_id = d.merchant_id and l.account_id = d.account_id and l.settlement_id is null and ${taken('d', '$9')}
)
select id, kobo, lines, transactions, from_at from due`,
}
/** Marks what each settlement pays. One that would pay nothing is left out, and so is one that would pay more
 *  than its account holds, because a reversal is not a line yet: their lines stay free. */
export const claim = (t: Tx, claims: readonly Claim[]): Promise<ClaimedRow[]> =>
  t.query<ClaimedRow>(CLAIM, [
    numbers(claims.map((one) => one.id)),
    numbers(claims.map((one) => one.merchantId)),
    numbers(claims.map((one) => one.account)),
    moments(claims.map((one) => one.cutoff)),
    numbers(claims.map((one) => one.holds)),
    moments(claims.map((one) => one.since)),
    moments(claims.map((one) => one.until)),
    numbers(claims.map((one) => one.below)),
    t.now,
  ])

const FREE: Statement = {
  name: 'settlements_free',
  text: `
with kept as (
  insert into returned_lines (settlement_id, transfer_id, account_id, merchant_id)
  select settlement_id, transfer_id, account_id, merchant_id from settlement_lines where settlement_id = any($1::bigint[])
)
update settlement_lines set settlement_id = null where settlement_id = any($1::bigint[]) and merchant_id is not null`,
}
/** Settlements came back: what they were made of is kept, and free to be paid again. */
export const freeLines = (t: Tx, settlementIds: readonly bigint[]): Promise<unknown> =>
  t.query(FREE, [numbers(settlementIds)])

export type LineRow = Pick<
  Rows['settlement_lines'],
  'transfer_id' | 'object_id' | 'at' | 'kobo' | 'amount_kobo' | 'fee_kobo' | 'shares'
> &
  Pick<Rows['transfers'], 'kind' | 'fee_schedule_id'> & {
    settlement_id: bigint
    basis_points: bigint | null
    flat_kobo: bigint | null
    cap_kobo: bigint | null
    reference: string | null
    payment_reference: string | null
  }

/** Lines of settlements in the order of their statements; those of one that came back as they were then. A
 *  settlement has one account, so that transfers tell its lines apart. A fee that was quoted to the payer is
 *  its own cap: `least` passes over null. */
const linesOf = (of: string): string => `
select n.settlement_id, l.transfer_id, l.object_id, f.kind, l.at, l.kobo, l.amount_kobo, l.fee_kobo, f.fee_schedule_id,
  s.basis_points, s.flat_kobo, least(s.cap_kobo, t.quoted_fee_kobo) as cap_kobo, l.shares, t.reference, t.payment_reference
from (${of}) n
join settlement_lines l on l.transfer_id = n.transfer_id and l.account_id = n.account_id
join transfers f on f.id = n.transfer_id
left join fee_schedules s on s.id = f.fee_schedule_id and s.merchant_id = l.merchant_id
left join transactions t on l.object = 'transaction' and t.id = l.object_id and t.merchant_id = l.merchant_id
order by n.settlement_id, l.transfer_id`

const FRESH_PAGE: Statement = {
  name: 'settlements_lines_fresh',
  text: linesOf(`select settlement_id, transfer_id, account_id from settlement_lines where settlement_id = any($1::bigint[])
  and (settlement_id, transfer_id) > ($2, $3) and merchant_id is not null order by settlement_id, transfer_id limit $4`),
}
/** Of settlements that are being made, page by page after a place. */
export const freshLines = (
  t: Tx,
  settlementIds: readonly bigint[],
  after: { readonly settlementId: bigint; readonly transferId: bigint },
  limit: number,
): Promise<LineRow[]> =>
  t.query<LineRow>(FRESH_PAGE, [numbers(settlementIds), after.settlementId, after.transferId, limit])

const ALL_LINES: Statement = {
  name: 'settlements_lines_all',
  text: linesOf(`select settlement_id, transfer_id, account_id from settlement_lines where merchant_id = $1 and settlement_id = $2
  union all select settlement_id, transfer_id, account_id from returned_lines where merchant_id = $1 and settlement_id = $2`),
}
export const allLines = (read: Read, merchantId: bigint, settlementId: bigint): Promise<LineRow[]> =>
  read.query<LineRow>(ALL_LINES, [merchantId, settlementId])

const TRANSACTION_IDS: Statement = {
  name: 'settlements_transaction_ids',
  text: `
select l.object_id as id from settlement_lines l where l.merchant_id = $1 and l.settlement_id = $2 and l.object = 'transaction'
union select l.object_id from returned_lines r join settlement_lines l on l.transfer_id = r.transfer_id and l.account_id = r.account_id
  where r.merchant_id = $1 and r.settlement_id = $2 and l.object = 'transaction'
order by 1 limit $3 offset $4`,
}
/** Some of the transactions that a settlement pays. */
export const transactionIds = async (
  read: Read,
  merchantId: bigint,
  settlementId: bigint,
  limit: number,
  offset: number,
): Promise<bigint[]> =>
  (await read.query<{ id: bigint }>(TRANSACTION_IDS, [merchantId, settlementId, limit, offset])).map(({ id }) => id)
