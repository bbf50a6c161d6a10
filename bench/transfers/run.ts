// `npm run bench:transfers`: two million transfers of a thousand merchants, one million of them of one merchant: half of
// those single, half in a thousand batches. Every list and every filter of the search is asked over HTTP for its first, middle and last page
// of 10 and of 1,000. Totals and pages are compared with SQL; ends with 1 when one is wrong. `over` marks a p99 above 50 ms.
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { logIn } from '../../chaos/kit/world.ts'
import { cpuSeconds } from '../kit/figures.ts'
import { type BenchStack, openBench, postmasterPid, withBench } from '../kit/stack.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '2000000' },
    merchants: { type: 'string', default: '1000' },
    requests: { type: 'string', default: '100' }, // for each case, place and size
  },
})
const [ROWS, MERCHANTS, REQUESTS] = [Number(options.rows), Number(options.merchants), Number(options.requests)]
const LIMIT_MS = 50
const DAYS = 90
const WARM_UP = 10
const RUN = 500 // a batch of so many rows, then as many single transfers

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`

// ---- the load: every second row is the big merchant's, in the order of time. Amounts are log-normal.

const LOAD = `
insert into disbursements (id, merchant_id, reference, transaction_reference, batch_id, batch_row, status, version, kobo, fee_kobo, held, narration,
  source_account, bank_code, account_number, account_name, given_name, name_score, two_fa, description, session_id, created_at, completed_at,
  place, single_place)
select 1000000000 + n, merchant, 'wage-' || n, 'CWDS01' || n, case when big and r < ${RUN} then 900000000 + run end, case when big and r < ${RUN} then r end,
  'SUCCESS', 2, kobo, 1000, true, 'Wages of May', '0110000001', '058', lpad((n % 90000)::text, 10, '0'), 'ADA NNEKA OBI', 'Ada Obi', 87, false,
  'Transaction successful', lpad(n::text, 30, '0'), at, at + interval '2 s', place, case when not big then place when r >= ${RUN} then run * ${RUN} + r - ${RUN} + 1 end
from (
  select n, big, case when big then $1::bigint else ($2::bigint[])[1 + k % ${MERCHANTS - 1}] end as merchant,
    case when big then k + 1 else k / ${MERCHANTS - 1} + 1 end as place, k / ${2 * RUN} as run, (k % ${2 * RUN})::int as r,
    greatest(2000, round(exp(8 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(6.283185307 * random()))) * 100)::bigint as kobo,
    date_trunc('milliseconds', $3::timestamptz - interval '${DAYS} days' * (1 - n::float8 / $4)) as at
  from (select n, n % 2 = 0 as big, (n - 1) / 2 as k from generate_series($5::bigint, $6::bigint) n) x
) x`

const AFTER = `
insert into batches (id, merchant_id, reference, transaction_reference, title, narration, source_account, status, version, two_fa, rows, open_rows, kobo,
  fee_kobo, created_at, place)
select batch_id, merchant_id, 'batch-' || batch_id, 'CWDB01' || batch_id, 'Wages', 'Wages', '0110000001', 'COMPLETED', 2, false, count(*), 0, sum(kobo),
  sum(fee_kobo), min(created_at), row_number() over (order by batch_id)
from disbursements where batch_id is not null group by batch_id, merchant_id;
insert into transfer_counters (merchant_id, transfers, singles, batches, last_at)
select merchant_id, count(*), count(single_place), count(distinct batch_id), max(created_at) from disbursements group by merchant_id;
insert into transfer_blocks (merchant_id, number, amounts, places)
select merchant_id, (place - 1) / 4096, array_agg(kobo order by kobo, place), array_agg(place order by kobo, place) from disbursements
group by 1, 2 having count(*) = 4096`

async function load(client: pg.Client, ids: readonly bigint[]): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index i
     where indrelid = 'disbursements'::regclass and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '512MB'; select setseed(0.42)`,
  )
  const end = new Date()
  for (let first = 1; first <= ROWS; first += 250_000)
    await client.query(LOAD, [ids[0], ids.slice(1), end, ROWS, first, Math.min(ROWS, first + 249_999)])
  for (const { text } of indexes) await client.query(text)
  await client.query(AFTER)
  for (const table of ['disbursements', 'batches', 'transfer_counters', 'transfer_blocks'])
    await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
}

// ---- what is asked

type Case = {
  readonly name: string
  readonly path: string
  readonly query: Record<string, string | number>
  /** From what, which, and in which order; null for what is not a list. */
  readonly sql: { readonly from: string; readonly order: string } | null
}

const PREFIX = '/api/v2/disbursements'

function casesOf(wallet: string): Case[] {
  const now = Date.now()
  const ago = (days: number): number => now - days * 86_400_000
  const at = (ms: number): string => `to_timestamp(${ms} / 1000.0)`
  const search = (name: string, query: Case['query'], where: string): Case => ({
    name: `search, ${name}`,
    path: `${PREFIX}/search-transactions`,
    query: { sourceAccountNumber: wallet, ...query },
    sql: { from: `disbursements where merchant_id = $1 and ${where}`, order: 'created_at desc, place desc' },
  })
  const wideDates = { startDate: ago(85), endDate: ago(3) }
  const narrowDates = { startDate: ago(40.02), endDate: ago(40) }
  const between = ({ startDate, endDate }: typeof wideDates) => `created_at between ${at(startDate)} and ${at(endDate)}`
  const wide = { amountFrom: 1000, amountTo: 20_000 }
  const narrow = { amountFrom: 2980, amountTo: 2981 }
  const amounts = (range: typeof wide) => `kobo between ${range.amountFrom}00 and ${range.amountTo}00`
  return [
    {
      name: 'single transfers',
      path: `${PREFIX}/single/transactions`,
      query: {},
      sql: { from: 'disbursements where merchant_id = $1 and batch_id is null', order: 'created_at desc, place desc' },
    },
    {
      name: 'batches',
      path: `${PREFIX}/bulk/transactions`,
      query: {},
      sql: { from: 'batches where merchant_id = $1', order: 'created_at desc, place desc' },
    },
    search('no filter', {}, 'true'),
    search('startDate', { startDate: ago(30) }, `created_at >= ${at(ago(30))}`),
    search('dates, wide', wideDates, between(wideDates)),
    search('dates, narrow', narrowDates, between(narrowDates)),
    search('amountFrom', { amountFrom: 3000 }, 'kobo >= 300000'),
    search('amountTo', { amountTo: 3000 }, 'kobo <= 300000'),
    search('amounts, wide', wide, amounts(wide)),
    search('amounts, narrow', narrow, amounts(narrow)),
    search('amounts, none', { amountFrom: 0, amountTo: 1 }, 'kobo between 0 and 100'),
    search('both, wide', { ...wideDates, ...wide }, `${between(wideDates)} and ${amounts(wide)}`),
    search('both, narrow', { ...narrowDates, ...narrow }, `${between(narrowDates)} and ${amounts(narrow)}`),
    search('wide dates, narrow amounts', { ...wideDates, ...narrow }, `${between(wideDates)} and ${amounts(narrow)}`),
    { name: 'wallet balance', path: `${PREFIX}/wallet-balance`, query: { accountNumber: wallet }, sql: null },
    { name: 'summary', path: `${PREFIX}/single/summary`, query: { reference: `wage-${ROWS}` }, sql: null },
  ]
}

// ---- asking

type Body = {
  totalElements: number
  last: boolean
  content: { reference?: string; batchReference?: string }[]
}
type Ask = (path: string, query: Case['query']) => Promise<Body>

const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

async function timed(ask: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < REQUESTS + WARM_UP; n += 1) {
    const since = performance.now()
    await ask()
    if (n >= WARM_UP) times.push(performance.now() - since) // the first ones make the plans
  }
  return times.sort((a, b) => a - b)
}

async function measure(client: pg.Client, ask: Ask, merchant: bigint, { path, query, sql }: Case) {
  const wrong = new Set<string>()
  if (sql === null) return { total: 1, places: [await timed(() => ask(path, query))], wrong }
  const total = (await client.query(`select count(*)::int as total from ${sql.from}`, [merchant])).rows[0]
    .total as number
  const places: number[][] = []
  for (const pageSize of [10, 1000]) {
    const pages = Math.max(1, Math.ceil(total / pageSize))
    for (const pageNo of [0, Math.floor(pages / 2), pages - 1]) {
      const { rows } = await client.query<{ reference: string }>(
        `select reference from ${sql.from} order by ${sql.order} offset ${pageNo * pageSize} limit ${pageSize}`,
        [merchant],
      )
      const expected = rows.map((row) => row.reference).join()
      const times = await timed(async () => {
        const body = await ask(path, { ...query, pageNo, pageSize })
        if (body.totalElements !== total) wrong.add(`total ${body.totalElements}, expected ${total}`)
        if (body.last !== pageNo >= pages - 1) wrong.add(`page ${pageNo} of ${pageSize}: last is ${body.last}`)
        if (body.content.map((item) => item.reference ?? item.batchReference).join() !== expected)
          wrong.add(`page ${pageNo} of ${pageSize} differs`)
      })
      places.push(times)
    }
  }
  return { total, places, wrong }
}

const figures = (places: readonly number[][]): string =>
  places
    .map(
      (times) => `${percentile(times, 0.5).toFixed(1).padStart(6)} /${percentile(times, 0.99).toFixed(1).padStart(6)}`,
    )
    .join('  ')

async function run(bench: BenchStack, client: pg.Client): Promise<boolean> {
  const since = performance.now()
  await load(client, bench.ids)
  const { rows: sizes } = await client.query(`select pg_size_pretty(pg_table_size('disbursements')) as rows,
    pg_size_pretty(pg_indexes_size('disbursements')) as indexes, pg_size_pretty(pg_total_relation_size('transfer_blocks')) as blocks`)
  console.log(`${ROWS} transfers of ${MERCHANTS} merchants loaded in ${seconds(since)}; ${JSON.stringify(sizes[0])}`)
  const apiUrl = `http://127.0.0.1:${bench.stack.ports.api}`
  const [big] = bench.merchants as [(typeof bench.merchants)[number]]
  const token = await logIn(apiUrl, big)
  const ask: Ask = async (path, query) => {
    const params = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const answer = await fetch(`${apiUrl}${path}?${params.toString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path}?${params.toString()}: ${answer.status} ${text}`)
    return (JSON.parse(text) as { responseBody: Body }).responseBody
  }
  const idle = await timed(async () => (await fetch(`${apiUrl}/health`)).text())
  console.log(`p50 / p99 in ms of ${REQUESTS} requests each: first, middle and last page of 10, then of 1,000`)
  console.log(`${'(GET /health)'.padEnd(32)} ${''.padStart(8)}  ${figures([idle])}`)
  const [postmaster, api] = [postmasterPid(bench.stack), bench.stack.pid('api') ?? 0]
  const cpu = () => cpuSeconds(postmaster, true) + cpuSeconds(api, false)
  let sound = true
  for (const one of casesOf(big.walletNumber)) {
    const before = cpu()
    const { total, places, wrong } = await measure(client, ask, bench.ids[0] as bigint, one)
    const cpuMs = ((cpu() - before) / (places.length * (REQUESTS + WARM_UP))) * 1000
    const verdict = Math.max(...places.map((times) => percentile(times, 0.99))) <= LIMIT_MS ? 'PASS' : 'over'
    console.log(
      `${one.name.padEnd(32)} ${String(total).padStart(8)}  ${figures(places)}  cpu ${cpuMs.toFixed(1).padStart(5)}  ${verdict}`,
    )
    for (const what of wrong) {
      console.log(`  WRONG: ${what}`)
      sound = false
    }
  }
  return sound
}

await withBench(openBench(MERCHANTS), run)
