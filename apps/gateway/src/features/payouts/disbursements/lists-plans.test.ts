// What the lists read. A merchant with 20,500 payouts in two months, among 300 with forty: the planner
// believes that a merchant has few. No page may cost what the merchant has: neither by the plan that is kept
// for all nor by one that is made for the question.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAs } from '#core/cells/logins.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { firstIdInMonth, monthAt } from '#kit/ids.ts'
import { useHarness } from '#test/kit/harness.ts'
import { BLOCK } from './acceptance/accept.sql.ts'
import { findBatch, lockWaitingRows, sumByStatus } from './batches.sql.ts'
import * as lists from './lists.sql.ts'

const harness = useHarness()
const ROWS = 20_500
const RUN = 500
const A_BATCH = 900_000_007n
/** Look-ups that find nothing, the limits of a time, counters, blocks. */
const BESIDE = 40
/** Behind the last block amounts are compared row by row. */
const REST = ROWS % BLOCK

let client: pg.Client
let merchant: bigint

/** $1 the merchant, $2 and $3 the first ids of two months, $4 their border. Its own come first: 500 of a
 *  batch, then 500 single. */
const LOAD = `
insert into disbursements (id, merchant_id, reference, transaction_reference, batch_id, batch_row, status, kobo, fee_kobo, held, narration,
  source_account, bank_code, account_number, two_fa, description, session_id, created_at, place, single_place)
select case when place <= half then $2::bigint else $3::bigint end + n, merchant_id, 'wage-' || n, 'CWDS01' || n,
  case when big and r < ${RUN} then 900000000 + run end, case when big and r < ${RUN} then r end, case when run = 7 and r < ${RUN} then 'PENDING_BATCH_AUTHORIZATION' else 'SUCCESS' end, 2000 + n * 7919 % 100000, 1000, true, 'Wages',
  '0110000001', '058', lpad((n % 900)::text, 10, '0'), false, '', lpad(n::text, 30, '0'),
  $4::timestamptz + interval '1 min' * (place - half), place,
  case when not big then place when r >= ${RUN} then run * ${RUN} + r - ${RUN} + 1 end
from (
  select n, n <= ${ROWS} as big, case when n <= ${ROWS} then $1::bigint else 1000 + n % 300 end as merchant_id,
    case when n <= ${ROWS} then n else (n - ${ROWS} - 1) / 300 + 1 end as place, case when n <= ${ROWS} then ${ROWS / 2} else 20 end as half, (n - 1) / ${2 * RUN} as run, ((n - 1) % ${2 * RUN})::int as r
  from generate_series(1::bigint, ${ROWS} + 12000) n
) x`
const after = (merchantId: bigint): string => `
insert into batches (id, merchant_id, reference, transaction_reference, title, narration, source_account, status, two_fa, rows, open_rows, kobo, fee_kobo,
  created_at, place)
select batch_id, merchant_id, 'batch-' || batch_id, 'CWDB01' || batch_id, '', '', '', 'COMPLETED', false, count(*), 0, sum(kobo), 0, min(created_at),
  row_number() over (order by batch_id)
from disbursements where batch_id is not null group by batch_id, merchant_id;
insert into transfer_counters (merchant_id, transfers, singles, batches, last_at)
select merchant_id, count(*), count(single_place), count(distinct batch_id), max(created_at) from disbursements where merchant_id = ${merchantId} group by 1;
insert into transfer_blocks (merchant_id, number, first_id, last_id, amounts, places)
select merchant_id, (place - 1) / ${BLOCK}, min(id), max(id), array_agg(kobo order by kobo, place),
  array_agg(((place - 1) % ${BLOCK} + 1)::smallint order by kobo, place) from disbursements group by 1, 2 having count(*) = ${BLOCK};
analyze disbursements; analyze batches; analyze transfer_counters; analyze transfer_blocks`

// In a transaction that is never committed: the books of this cell stay as they are.
beforeAll(async () => {
  const h = harness()
  merchant = h.merchants.main.id
  const types = {
    getTypeParser: (oid: number) => (oid === pg.types.builtins.INT8 ? BigInt : pg.types.getTypeParser(oid)),
  }
  client = new pg.Client({
    ...startAs(h.databases['01'], 'cowrie_app'),
    types: types as unknown as pg.CustomTypesConfig,
  })
  await client.connect()
  const month = monthAt(h.gateway.ctx.clock.now())
  const before = month - (month % 100n === 1n ? 89n : 1n)
  const border = `${String(month).slice(0, 4)}-${String(month).slice(4)}-01T00:00:00+01:00`
  await client.query('begin')
  await client.query('set local role none')
  await client.query('select open_month($1)', [before])
  await client.query(LOAD, [merchant, firstIdInMonth(before), firstIdInMonth(month), border])
  await client.query(after(merchant))
  await client.query('set local role cowrie_app')
  await client.query(`set local cowrie.merchant = '${merchant}'`)
}, 120_000)
afterAll(async () => {
  await client.query('rollback')
  await client.end()
})

type Node = {
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly Node[]
}
const READS = /^(?:Seq|Index|Index Only|Bitmap Index) Scan$/
/** Rows and entries of indexes that a plan has read, whether they were of use or not. A look that finds
 *  nothing counts as one. */
function readBy(node: Node): number {
  const inner = (node.Plans ?? []).reduce((sum, one) => sum + readBy(one), 0)
  if (!READS.test(node['Node Type'])) return inner
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return inner + Math.max(1, node['Actual Rows'] + removed) * node['Actual Loops']
}

const literal = (value: unknown): string => {
  if (value === null) return 'null'
  const text =
    value instanceof Date
      ? value.toISOString()
      : Array.isArray(value)
        ? `{${value.join()}}`
        : String(value as bigint | number | string)
  return `'${text}'`
}

type Seen = { readonly name: string; readonly read: number }
/** Runs each statement as the gateway has it, and says what it read. */
function watched(seen: Seen[]): Read {
  const prepared = new Set<string>()
  const query = async <Row>({ name, text }: Statement, values: readonly unknown[]): Promise<Row[]> => {
    if (!prepared.has(name)) await client.query(`prepare "${name}" as ${text}`)
    prepared.add(name)
    const call = `execute "${name}"(${values.map(literal).join(', ')})`
    const explained = await client.query(`explain (analyze, format json) ${call}`)
    seen.push({ name, read: readBy(explained.rows[0]['QUERY PLAN'][0].Plan) })
    return (await client.query<Row & object>(call)).rows
  }
  return { query, cell: '01', now: new Date(0), institution: undefined as never, shapes: undefined as never }
}

const ALL = { from: null, to: null, least: null, most: null }
const moment = async (place: number): Promise<Date> =>
  (await client.query('select created_at from disbursements where merchant_id = $1 and place = $2', [merchant, place]))
    .rows[0].created_at

type Question = (read: Read, cut: lists.Cut) => Promise<unknown[]>
const search =
  (filter: () => Promise<Partial<lists.Filter>>): Question =>
  async (read, cut) =>
    (await lists.search(read, merchant, { ...ALL, ...(await filter()) }, cut)).rows
const amounts = { least: 50_000n, most: 80_000n }

/** Each question, and how many rows it may read beside those of the page. */
const QUESTIONS: Readonly<Record<string, readonly [Question, number]>> = {
  'single transfers': [async (read, cut) => (await lists.listSingles(read, merchant, cut)).rows, 0],
  batches: [async (read, cut) => (await lists.listBatches(read, merchant, cut)).rows, 0],
  'the rows of a batch': [(read, cut) => lists.listRows(read, merchant, A_BATCH, { ...cut, offset: 100 }), 0],
  'the summary of a batch': [(read) => sumByStatus(read, merchant, A_BATCH), RUN],
  'the rows of a batch that wait for its code': [(read) => lockWaitingRows(read as Tx, merchant, A_BATCH), RUN],
  'a batch by its reference': [async (read) => [await findBatch(read, merchant, `batch-${A_BATCH}`)], 0],
  'search without a filter': [search(async () => ({})), 0],
  'search by time': [search(async () => ({ from: await moment(100), to: await moment(19_900) })), 0],
  'search by amount': [search(async () => amounts), REST],
  'search by few amounts': [search(async () => ({ least: 55_000n, most: 55_100n })), REST],
  'search by both': [search(async () => ({ ...amounts, from: await moment(100), to: await moment(19_900) })), REST],
}

describe.each(['force_generic_plan', 'force_custom_plan'])('lists read what they show and no more: %s', (mode) => {
  test.each(Object.entries(QUESTIONS))('%s', async (_, [question, more]) => {
    await client.query(`set local plan_cache_mode = ${mode}`)
    for (const offset of [0, 5_000])
      for (const size of [10, 1000]) {
        const seen: Seen[] = []
        await client.query('deallocate all')
        const shown = await question(watched(seen), { offset, size })
        expect(shown.length > 0 || offset > 0, 'the first page shows something').toBe(true)
        for (const { name, read } of seen)
          expect(read, `${name}, ${size} from ${offset}`).toBeLessThan(size + more + BESIDE)
      }
  })
})
