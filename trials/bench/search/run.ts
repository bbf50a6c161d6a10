// `npm run bench -- search`: five million transactions, one million of them of one merchant and ten thousand
// of another. Every single filter is asked over HTTP for its first, a random and its last page, of both.
// Totals, and one random page of each filter, are compared with SQL. Ends with 1 when one is wrong; `over`
// marks a p99 of more than 50 ms. `cpu` is the time of the processor that api and PostgreSQL took per
// request: it means something even when others use the machine.
import type pg from 'pg'
import { readOptions } from '../../chaos/kit/options.ts'
import { quantileOf, secondsSince } from '../kit/figures.ts'
import { type Bench, processorOf, runOn, sealAll, tokensOf } from '../kit/stack.ts'

/** `requests`: for each filter and place. */
const { rows: ROWS, requests: REQUESTS } = readOptions({ rows: 5_000_000, requests: 100 }, [])
const OTHERS = 400
const LIMIT_MS = 50
const DAYS = 90
const SIZE = 10
const WARM_UP = 10

// ---- the load: every fifth row is the big merchant's, every five hundredth the small one's; in the order of
// time, as they would have come. Amounts are log-normal; one e-mail address has a twentieth of a merchant's
// rows, one name a tenth.

const LOAD = `
insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email, description,
  methods, meta_data, status, version, payment_method, paid_kobo, fee_kobo, created_at, expires_at, closed_at, email_key, name_key)
select 1000000000 + n, merchant, 'CWRY|01|20260101000000|' || n, 'order-' || n, '0112345678', kobo, name, email, 'Two yards of adire',
  'TC', '{"order":' || n || '}', status, case status when 'PENDING' then 1 else 2 end,
  case when paid > 0 then 'ACCOUNT_TRANSFER' end, paid, paid * 15 / 1000, at, at + interval '40 min',
  case when status <> 'PENDING' then at + interval '3 min' end, search_key(email), search_key(name)
from (
  select *, case status when 'PAID' then kobo when 'PARTIALLY_PAID' then kobo / 2 when 'OVERPAID' then kobo * 2 else 0 end as paid,
    case when k % 10 = 1 then 'Ngozi Bello' else 'Customer ' || (hashint8(n) & 262143) end as name,
    case when k % 20 = 2 then 'hot@example.com' else 'c' || (hashint8(n) & 262143) || '@example.com' end as email
  from (
    select n, case when n % 5 = 0 then n / 5 else n / 500 end as k,
      case when n % 5 = 0 then $1::bigint when n % 500 = 1 then $2::bigint else ($3::bigint[])[1 + n % ${OTHERS}] end as merchant,
      greatest(2000, round(exp(8 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(6.283185307 * random()))) * 100)::bigint as kobo,
      date_trunc('milliseconds', $4::timestamptz - interval '${DAYS} days' * (1 - n::float8 / $5)) as at,
      case when $4::timestamptz - interval '${DAYS} days' * (1 - n::float8 / $5) > $4::timestamptz - interval '40 min' and n % 2 = 0 then 'PENDING'
        when r < 0.70 then 'PAID' when r < 0.94 then 'EXPIRED' when r < 0.96 then 'FAILED' when r < 0.98 then 'PARTIALLY_PAID'
        when r < 0.99997 then 'OVERPAID' else 'CANCELLED' end as status
    from (select n, random() as r from generate_series($6::bigint, $7::bigint) n) x
  ) x
) x`

async function load(client: pg.Client, ids: readonly bigint[]): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as text from pg_index
     where indrelid = 'transactions'::regclass and not indisunique`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(`set synchronous_commit = off; set maintenance_work_mem = '1GB'; select setseed(0.42)`)
  const end = new Date()
  for (let first = 1; first <= ROWS; first += 250_000)
    await client.query(LOAD, [ids[0], ids[1], ids.slice(2), end, ROWS, first, Math.min(ROWS, first + 249_999)])
  for (const { text } of indexes) await client.query(text)
  await client.query('vacuum analyze transactions')
  await client.query('checkpoint')
}

// ---- what is asked

type Filter = { readonly name: string; readonly query: Record<string, string | number>; readonly sql: string }

async function filtersOf(client: pg.Client, merchant: bigint): Promise<Filter[]> {
  const { rows } = await client.query(
    `select payment_reference, reference, (kobo / 100)::text as naira, customer_email, created_at from transactions
     where merchant_id = $1 and email_key <> search_key('hot@example.com') order by created_at offset 432 limit 1`,
    [merchant],
  )
  const { rows: times } = await client.query(
    `select percentile_disc(0.37) within group (order by created_at) as early, percentile_disc(0.81) within group (order by created_at) as late
     from transactions where merchant_id = $1`,
    [merchant],
  )
  const [early, late] = [times[0].early as Date, times[0].late as Date]
  const one = rows[0] as Record<string, string>
  const text = (value: unknown): string => `'${String(value)}'`
  const at = (moment: Date): string => `to_timestamp(${moment.getTime()} / 1000.0)`
  return [
    { name: 'none', query: {}, sql: 'true' },
    ...['PAID', 'EXPIRED', 'FAILED', 'CANCELLED', 'PENDING'].map((status) => ({
      name: `paymentStatus ${status}`,
      query: { paymentStatus: status },
      sql: `status = ${text(status)}`,
    })),
    { name: 'amount, common', query: { amount: 20 }, sql: 'kobo = 2000' },
    { name: 'amount, rare', query: { amount: one['naira'] as string }, sql: `kobo = ${one['naira']} * 100` },
    { name: 'fromAmount', query: { fromAmount: 3000 }, sql: 'kobo >= 300000' },
    { name: 'fromAmount, few', query: { fromAmount: 200000 }, sql: 'kobo >= 20000000' },
    { name: 'toAmount', query: { toAmount: 3000 }, sql: 'kobo <= 300000' },
    { name: 'from', query: { from: early.getTime() }, sql: `created_at >= ${at(early)}` },
    { name: 'to', query: { to: late.getTime() }, sql: `created_at <= ${at(late)}` },
    {
      name: 'customerEmail, 1 in 20',
      query: { customerEmail: 'HOT@example.com' },
      sql: `customer_email = 'hot@example.com'`,
    },
    {
      name: 'customerEmail, few',
      query: { customerEmail: one['customer_email'] as string },
      sql: `customer_email = ${text(one['customer_email'])}`,
    },
    { name: 'customerName, 1 in 10', query: { customerName: 'ngozi bello' }, sql: `customer_name = 'Ngozi Bello'` },
    {
      name: 'paymentReference',
      query: { paymentReference: one['payment_reference'] as string },
      sql: `payment_reference = ${text(one['payment_reference'])}`,
    },
    {
      name: 'transactionReference',
      query: { transactionReference: one['reference'] as string },
      sql: `reference = ${text(one['reference'])}`,
    },
    {
      name: 'from, to, status, fromAmount',
      query: { from: early.getTime(), to: late.getTime(), paymentStatus: 'PAID', fromAmount: 3000 },
      sql: `created_at between ${at(early)} and ${at(late)} and status = 'PAID' and kobo >= 300000`,
    },
  ]
}

// ---- asking

type Body = { totalElements: number; last: boolean; totalPages: number; content: { transactionReference: string }[] }
type Measured = {
  readonly total: number
  readonly places: readonly number[][]
  readonly cpuMs: number
  readonly wrong: readonly string[]
}

async function measure(
  client: pg.Client,
  cpu: () => number,
  ask: (query: Filter['query']) => Promise<Body>,
  merchant: bigint,
  { query, sql }: Filter,
): Promise<Measured> {
  const truth = async (text: string): Promise<string[]> =>
    (await client.query<{ value: string }>(text, [merchant])).rows.map(({ value }) => value)
  const total = Number(
    (await truth(`select count(*) as value from transactions where merchant_id = $1 and ${sql}`))[0] ?? 0,
  )
  const pages = Math.max(1, Math.ceil(total / SIZE))
  const random = () => Math.floor(Math.random() * pages)
  const wrong: string[] = []
  const check = (body: Body, page: number) => {
    if (body.totalElements !== total) wrong.push(`total ${body.totalElements}, expected ${total}`)
    if (body.last !== page >= pages - 1) wrong.push(`page ${page}: last is ${body.last}`)
    const here = Math.max(0, Math.min(SIZE, total - page * SIZE))
    if (body.content.length !== here) wrong.push(`page ${page}: ${body.content.length} items, expected ${here}`)
  }
  const page = random()
  const seen = (await ask({ ...query, page, size: SIZE })).content.map((item) => item.transactionReference)
  const expected = await truth(`select reference as value from transactions where merchant_id = $1 and ${sql}
    order by created_at desc, id desc offset ${page * SIZE} limit ${SIZE}`)
  if (JSON.stringify(seen) !== JSON.stringify(expected)) wrong.push(`page ${page} differs`)
  const places: number[][] = []
  const before = cpu()
  for (const place of [() => 0, random, () => pages - 1]) {
    const times: number[] = []
    for (let n = 0; n < REQUESTS + WARM_UP; n += 1) {
      const at = place()
      const since = performance.now()
      const body = await ask({ ...query, page: at, size: SIZE })
      if (n >= WARM_UP) times.push(performance.now() - since) // the first ones make the plans
      check(body, at)
    }
    places.push(times)
  }
  const cpuMs = ((cpu() - before) / (3 * (REQUESTS + WARM_UP))) * 1000
  return { total, places, cpuMs, wrong: [...new Set(wrong)] }
}

const figures = (places: readonly number[][]): string =>
  places
    .map(
      (times) => `${quantileOf(times, 0.5).toFixed(1).padStart(6)} /${quantileOf(times, 0.99).toFixed(1).padStart(6)}`,
    )
    .join('  ')
const worst = ({ places }: Measured): number => Math.max(...places.map((times) => quantileOf(times, 0.99)))

async function askAll(bench: Bench): Promise<boolean> {
  const { client, apiUrl } = bench
  let since = performance.now()
  await load(client, bench.ids)
  console.log(`${ROWS} transactions of ${OTHERS + 2} merchants loaded and indexed in ${secondsSince(since)} s`)
  since = performance.now()
  await sealAll(bench)
  const made = 'select count(*)::int as n, (avg(rows))::int as rows from search_blocks where sealed'
  const [blocks] = (await client.query<{ n: number; rows: number }>(made)).rows
  const { rows: sizes } = await client.query(`select
    pg_size_pretty(pg_table_size('transactions')) as rows, pg_size_pretty(pg_indexes_size('transactions')) as indexes,
    pg_size_pretty(pg_total_relation_size('search_blocks') + pg_total_relation_size('search_parts') + pg_total_relation_size('search_values')) as blocks`)
  console.log(`${blocks?.n} blocks of ${blocks?.rows} sealed in ${secondsSince(since)} s; ${JSON.stringify(sizes[0])}`)
  const tokens = await tokensOf(bench, 2)
  const askAs = (token = '') => {
    return async (query: Filter['query']): Promise<Body> => {
      const params = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const answer = await fetch(`${apiUrl}/api/v1/transactions/search?${params.toString()}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${params.toString()}: ${answer.status} ${text}`)
      return (JSON.parse(text) as { responseBody: Body }).responseBody
    }
  }
  const merchants = [0, 1].map((at) => ({ id: bench.ids[at] as bigint, ask: askAs(tokens[at]) }))
  const [big, small] = merchants as [(typeof merchants)[number], (typeof merchants)[number]]
  console.log(`p50 / p99 in ms of ${REQUESTS} requests each: first page, random page, last page of ${SIZE}`)
  console.log(
    `${'filter'.padEnd(28)} ${'found'.padStart(8)}  ${'merchant with a fifth'.padEnd(42)}    cpu  ${'found'.padStart(8)}  ${'one with a five hundredth'.padEnd(42)}    cpu`,
  )
  // What the machine itself adds: the same client, the same server, nothing to search.
  const idle: number[] = []
  for (let n = 0; n < 3 * REQUESTS; n += 1) {
    const began = performance.now()
    await (await fetch(`${apiUrl}/health`)).text()
    idle.push(performance.now() - began)
  }
  console.log(`${'(GET /health)'.padEnd(28)} ${''.padStart(8)}  ${figures([idle])}`)
  const cpu = () => {
    const { api, PostgreSQL } = processorOf(bench)
    return api + PostgreSQL
  }
  let sound = true
  const bigFilters = await filtersOf(client, big.id)
  const smallFilters = await filtersOf(client, small.id)
  for (const [at, filter] of bigFilters.entries()) {
    const a = await measure(client, cpu, big.ask, big.id, filter)
    const b = await measure(client, cpu, small.ask, small.id, smallFilters[at] as Filter)
    const verdict = Math.max(worst(a), worst(b)) <= LIMIT_MS ? 'PASS' : 'over'
    console.log(
      `${filter.name.padEnd(28)} ${String(a.total).padStart(8)}  ${figures(a.places)}  ${a.cpuMs.toFixed(1).padStart(5)}  ${String(b.total).padStart(8)}  ${figures(b.places)}  ${b.cpuMs.toFixed(1).padStart(5)}  ${verdict}`,
    )
    for (const what of [...a.wrong, ...b.wrong]) {
      console.log(`  WRONG: ${what}`)
      sound = false
    }
  }
  return sound
}

await runOn({ merchants: OTHERS + 2 }, askAll)
