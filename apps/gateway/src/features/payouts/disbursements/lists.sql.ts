// The statements of listings of transfers and batches: the newest first, with exact totals.
// Transfers have places from 1 in the order of acceptance, and their times follow it: a page without amounts
// is a range of places, of those that have not left with their month. Amounts are counted in blocks of 4,096
// (accept.sql.ts makes them) and, behind the last block, row by row.

import { lastLeft } from '#core/cells/departed.ts'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement } from '#kit/ctx.ts'
import { BLOCK } from './acceptance/accept.sql.ts'
import type { BatchSummary } from './batches.sql.ts'
import type { Row } from './disbursements.sql.ts'

/** What a record shows, and no more: on a page of a thousand every column is read a thousand times. */
const SHOWN = [
  ...(['reference', 'transaction_reference', 'status', 'kobo', 'fee_kobo', 'narration', 'source_account'] as const),
  ...(['bank_code', 'account_number', 'account_name', 'given_name', 'name_score', 'two_fa', 'description'] as const),
  ...(['session_id', 'questions', 'question_at', 'created_at'] as const),
] as const
export type ListedRow = Pick<Row, (typeof SHOWN)[number]>
const COLUMNS = SHOWN.join(', ')

export type Cut = { readonly offset: number; readonly size: number }
export type Counted<T> = { readonly rows: T[]; readonly total: number }
/** Places, both ends with it; empty when the last is before the first. */
type Range = { readonly first: bigint; readonly last: bigint }

const lengthOf = ({ first, last }: Range): number => (last < first ? 0 : Number(last - first) + 1)

/** A page of a range, from its newest end: again a range. */
const pageIn = ({ first, last }: Range, { offset, size }: Cut): Range => {
  const newest = last - BigInt(offset)
  const oldest = newest - BigInt(size) + 1n
  return { first: oldest > first ? oldest : first, last: newest }
}

async function page<T>(read: Read, list: Statement, merchantId: bigint, range: Range, cut: Cut): Promise<Counted<T>> {
  const [total, asked] = [lengthOf(range), pageIn(range, cut)]
  if (cut.offset >= total) return { rows: [], total }
  return { rows: await read.query<T>(list, [merchantId, asked.first, asked.last]), total }
}

const COUNTERS: Statement = {
  name: 'transfers_counters',
  text: `select c.singles, c.batches, ${lastLeft('singles', '$1')} + 1 as first_single, ${lastLeft('batches', '$1')} + 1 as first_batch
    from transfer_counters c where c.merchant_id = $1`,
}
type Counters = Pick<Rows['transfer_counters'], 'singles' | 'batches'> & { first_single: bigint; first_batch: bigint }
/** The last places of a merchant, and the first that have not left. */
async function countersOf(read: Read, merchantId: bigint): Promise<Counters> {
  const [row] = await read.query<Counters>(COUNTERS, [merchantId])
  return row ?? { singles: 0n, batches: 0n, first_single: 1n, first_batch: 1n }
}

const SINGLES: Statement = {
  name: 'transfers_singles',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and single_place between $2 and $3 order by single_place desc`,
}
export async function listSingles(read: Read, merchantId: bigint, cut: Cut): Promise<Counted<ListedRow>> {
  const { singles, first_single: first } = await countersOf(read, merchantId)
  return page(read, SINGLES, merchantId, { first, last: singles }, cut)
}

const BATCHES: Statement = {
  name: 'batches_list',
  text: `select id, reference, transaction_reference, status, rows, kobo, created_at from batches where merchant_id = $1 and place between $2 and $3 order by place desc`,
}
export async function listBatches(read: Read, merchantId: bigint, cut: Cut): Promise<Counted<BatchSummary>> {
  const { batches, first_batch: first } = await countersOf(read, merchantId)
  return page(read, BATCHES, merchantId, { first, last: batches }, cut)
}

const FEES: Statement = {
  name: 'batches_fees',
  text: `
select b.id as batch_id, sum(d.fee_kobo)::bigint as fee_kobo
from batches b join disbursements d on d.merchant_id = b.merchant_id and d.batch_id = b.id
where b.merchant_id = $1 and b.id = any($2::bigint[]) and d.status <> all($3::text[]) group by b.id`,
}
/** What the rows of each batch cost that are in none of these states. */
export async function sumFees(
  read: Read,
  merchantId: bigint,
  batchIds: readonly bigint[],
  uncharged: readonly string[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (batchIds.length === 0) return new Map()
  const found = await read.query<{ batch_id: bigint; fee_kobo: bigint }>(FEES, [
    merchantId,
    numbers(batchIds),
    uncharged,
  ])
  return new Map(found.map(({ batch_id, fee_kobo }) => [batch_id, fee_kobo]))
}

const ROWS: Statement = {
  name: 'batches_rows',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and batch_id = $2 and batch_row >= $3 order by batch_row limit $4`,
}
/** Rows of a batch in their own order, which has no gaps. */
export const listRows = (read: Read, merchantId: bigint, batchId: bigint, cut: Cut): Promise<ListedRow[]> =>
  read.query<ListedRow>(ROWS, [merchantId, batchId, cut.offset, cut.size])

// ---- search

export type Filter = {
  readonly from: Date | null
  readonly to: Date | null
  readonly least: bigint | null
  readonly most: bigint | null
}

const RANGE: Statement = {
  name: 'transfers_range',
  text: `
select case when $2::timestamptz is null then g.gone + 1 else (
    select greatest(d.place, g.gone + 1) from disbursements d
    where d.merchant_id = $1 and d.created_at >= $2 order by d.created_at, d.place limit 1) end as first,
  case when $3::timestamptz is null then (select c.transfers from transfer_counters c where c.merchant_id = $1) else (
    select d.place from disbursements d where d.merchant_id = $1 and d.created_at <= $3 order by d.created_at desc, d.place desc limit 1) end as last
from (select ${lastLeft('transfers', '$1')} as gone) g`,
}
/** The places of the transfers of a time. */
async function rangeOf(read: Read, merchantId: bigint, { from, to }: Filter): Promise<Range> {
  const [row] = await read.query<{ first: bigint | null; last: bigint | null }>(RANGE, [merchantId, from, to])
  return row?.first && row.last ? { first: row.first, last: row.last } : { first: 1n, last: 0n }
}

const FOUND: Statement = {
  name: 'transfers_found',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and place between $2 and $3 order by place desc`,
}
export async function search(read: Read, merchantId: bigint, filter: Filter, cut: Cut): Promise<Counted<ListedRow>> {
  const range = await rangeOf(read, merchantId, filter)
  return filter.least === null && filter.most === null
    ? page(read, FOUND, merchantId, range, cut)
    : searchAmounts(read, merchantId, range, filter, cut)
}

// ---- amounts

/** Behind the last block: counted row by row. */
const YOUNG = -1n

/** Where the amounts of a block that are asked for begin and end; a limit that is not given costs nothing. */
const BOUNDS = `case when $4::bigint is null then 0 else width_bucket($4::bigint - 1, amounts) end as below,
  case when $5::bigint is null then ${BLOCK} else width_bucket($5::bigint, amounts) end as up_to`
const FITS = 'place between $2 and $3 and kobo >= coalesce($4, 0) and kobo <= coalesce($5, 9223372036854775807)'
const YOUNGEST = `(select coalesce(max(number) + 1, 0) * ${BLOCK} from transfer_blocks where merchant_id = $1)`

// A long array is read from its own table by each function that is given it; joined to an empty one it is
// read once.
const COUNT_BLOCKS: Statement = {
  name: 'transfers_count_amounts',
  text: `
select number, below, up_to, case when whole then up_to - below
  else (select count(*) from unnest(places[below + 1:up_to]) as x(nth) where number * ${BLOCK} + nth between $2 and $3) end as rows
from (
  select number, places, ${BOUNDS}, number * ${BLOCK} + 1 >= $2 and (number + 1) * ${BLOCK} <= $3 as whole
  from (
    select number, places, case when $4::bigint is null or $5::bigint is null then amounts else amounts || '{}' end as amounts
    from transfer_blocks
    where merchant_id = $1 and number between ($2::bigint - 1) / ${BLOCK} and ($3::bigint - 1) / ${BLOCK} offset 0
  ) b offset 0
) b
union all
select ${YOUNG}, 0, 0, count(*) from disbursements where merchant_id = $1 and place > ${YOUNGEST} and ${FITS}`,
}

// The bounds are known from the count: amounts are not read again. Ids say in which month a row lies: without
// them each would be looked for in every month.
const IN_BLOCKS: Statement = {
  name: 'transfers_in_blocks',
  text: `
with page as materialized (
  select place, first_id, last_id from (
    select b.number * ${BLOCK} + x.nth as place, b.first_id, b.last_id from unnest($6::bigint[], $9::int[], $10::int[]) as a(number, below, up_to)
    cross join lateral (
      select number, first_id, last_id, places[a.below + 1:a.up_to] as places from transfer_blocks
      where merchant_id = $1 and number = a.number offset 0
    ) b
    cross join lateral unnest(b.places) as x(nth) where b.number * ${BLOCK} + x.nth between $2 and $3
    union all
    select place, id, id from disbursements where ${YOUNG} = any($6::bigint[]) and merchant_id = $1 and place > ${YOUNGEST} and ${FITS}
  ) found order by place desc offset $7 limit $8
)
select ${COLUMNS} from page cross join lateral (
  select ${COLUMNS} from disbursements d
  where d.merchant_id = $1 and d.place = page.place and d.id between page.first_id and page.last_id offset 0
) d order by page.place desc`,
}

type Part = { number: bigint; below: number; up_to: number; rows: bigint }

async function searchAmounts(
  read: Read,
  merchantId: bigint,
  range: Range,
  { least, most }: Filter,
  cut: Cut,
): Promise<Counted<ListedRow>> {
  if (range.last < range.first || (least !== null && most !== null && least > most)) return { rows: [], total: 0 }
  const values = [merchantId, range.first, range.last, least, most]
  const parts = await read.query<Part>(COUNT_BLOCKS, values)
  const newestFirst = parts.toSorted((a, b) =>
    a.number === YOUNG ? -1 : b.number === YOUNG ? 1 : a.number > b.number ? -1 : 1,
  )
  let total = 0
  let skipped = 0
  const holding: Part[] = []
  for (const part of newestFirst) {
    const [begins, ends] = [total, total + Number(part.rows)]
    total = ends
    if (ends <= cut.offset) skipped = ends
    else if (begins < cut.offset + cut.size) holding.push(part)
  }
  if (cut.offset >= total) return { rows: [], total }
  const rows = await read.query<ListedRow>(IN_BLOCKS, [
    ...values,
    holding.map(({ number }) => number),
    cut.offset - skipped,
    cut.size,
    holding.map(({ below }) => below),
    holding.map(({ up_to }) => up_to),
  ])
  return { rows, total }
}

// The lists of one customer's wallet. They are counted: transfers are numbered by merchant, not by wallet.

const IN_WALLET = `from disbursements where merchant_id = $1 and wallet_id = $2
  and created_at >= coalesce($3::timestamptz, '-infinity') and created_at <= coalesce($4::timestamptz, 'infinity')
  and kobo >= coalesce($5::bigint, 0) and kobo <= coalesce($6::bigint, 9223372036854775807)`
const WALLET_COUNT: Statement = { name: 'wallet_transfers_count', text: `select count(*)::int as total ${IN_WALLET}` }
const WALLET_PAGE: Statement = {
  name: 'wallet_transfers_page',
  text: `select ${COLUMNS} ${IN_WALLET} order by place desc offset $7 limit $8`,
}
export async function searchWallet(
  read: Read,
  merchantId: bigint,
  walletId: bigint,
  { from, to, least, most }: Filter,
  { offset, size }: Cut,
): Promise<Counted<ListedRow>> {
  const asked = [merchantId, walletId, from, to, least, most]
  const [counted] = await read.query<{ total: number }>(WALLET_COUNT, asked)
  return { rows: await read.query<ListedRow>(WALLET_PAGE, [...asked, offset, size]), total: counted?.total ?? 0 }
}

const WALLET_BATCH_COUNT: Statement = {
  name: 'wallet_batches_count',
  text: 'select count(*)::int as total from batches where merchant_id = $1 and source_account = $2',
}
const WALLET_BATCHES: Statement = {
  name: 'wallet_batches_page',
  text: `select id, reference, transaction_reference, status, rows, kobo, created_at from batches
  where merchant_id = $1 and source_account = $2 order by place desc offset $3 limit $4`,
}
export async function listWalletBatches(
  read: Read,
  merchantId: bigint,
  accountNumber: string,
  { offset, size }: Cut,
): Promise<Counted<BatchSummary>> {
  const [counted] = await read.query<{ total: number }>(WALLET_BATCH_COUNT, [merchantId, accountNumber])
  const rows = await read.query<BatchSummary>(WALLET_BATCHES, [merchantId, accountNumber, offset, size])
  return { rows, total: counted?.total ?? 0 }
}
