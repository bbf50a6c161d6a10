// Payouts and transactions of the last 90 days, as many of each, as the gateway would have left them: each in
// the month of its id, in the order of time. Every second row is the big merchant's. Amounts are log-normal.
import type pg from 'pg'
import { monthAfter, monthAt } from '../../../apps/gateway/src/kit/ids.ts'
import { DAY_MS } from '../../../packages/contract/src/kit/durations.ts'

export const DAYS = 90
/** A batch of so many rows, then as many single transfers. */
export const RUN = 500
const CHUNK = 250_000

/** $1 the big merchant, $2 the others, $3 now, $4 how many rows, $5 and $6 the places. */
const ROWS = `
select n, big, k, merchant, kobo, at, to_char(at at time zone 'Africa/Lagos', 'YYYYMM')::bigint * 1000000000000 + n as id from (
  select n, big, k, case when big then $1::bigint else ($2::bigint[])[1 + k % cardinality($2::bigint[])] end as merchant,
    greatest(2000, round(exp(8 + 1.2 * sqrt(-2 * ln(1 - random())) * cos(6.283185307 * random()))) * 100)::bigint as kobo,
    date_trunc('milliseconds', $3::timestamptz - interval '${DAYS} days' * (1 - n::float8 / $4)) as at
  from (select n, n % 2 = 0 as big, (n - 1) / 2 as k from generate_series($5::bigint, $6::bigint) n) x
) x`

const PAYOUTS = `
insert into disbursements (id, merchant_id, reference, transaction_reference, batch_id, batch_row, status, version, kobo, fee_kobo, held, narration,
  source_account, bank_code, account_number, account_name, given_name, name_score, two_fa, description, session_id, created_at, completed_at,
  place, single_place)
select id, merchant, 'wage-' || n, 'CWDS01' || n, case when big and r < ${RUN} then 900000000 + run end, case when big and r < ${RUN} then r end,
  'SUCCESS', 2, kobo, 1000, true, 'Wages of May', '0110000001', '058', lpad((n % 90000)::text, 10, '0'), 'ADA NNEKA OBI', 'Ada Obi', 87, false,
  'Transaction successful', lpad(n::text, 30, '0'), at, at + interval '2 s', place,
  case when not big then place when r >= ${RUN} then run * ${RUN} + r - ${RUN} + 1 end
from (
  select *, case when big then k + 1 else k / cardinality($2::bigint[]) + 1 end as place, k / ${2 * RUN} as run, (k % ${2 * RUN})::int as r from (${ROWS}) x
) x`

const AFTER_PAYOUTS = `
insert into payout_references select merchant_id, reference, id from disbursements;
insert into batches (id, merchant_id, reference, transaction_reference, title, narration, source_account, status, version, two_fa, rows, open_rows, kobo,
  fee_kobo, created_at, place)
select batch_id, merchant_id, 'batch-' || batch_id, 'CWDB01' || batch_id, 'Wages', 'Wages', '0110000001', 'COMPLETED', 2, false, count(*), 0, sum(kobo),
  sum(fee_kobo), min(created_at), row_number() over (order by batch_id)
from disbursements where batch_id is not null group by batch_id, merchant_id;
insert into transfer_counters (merchant_id, transfers, singles, batches, last_at)
select merchant_id, count(*), count(single_place), count(distinct batch_id), max(created_at) from disbursements group by merchant_id;
insert into transfer_blocks (merchant_id, number, first_id, last_id, amounts, places)
select merchant_id, (place - 1) / 4096, min(id), max(id), array_agg(kobo order by kobo, place),
  array_agg(((place - 1) % 4096 + 1)::smallint order by kobo, place) from disbursements
group by 1, 2 having count(*) = 4096`

const TRANSACTIONS = `
insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email, description,
  methods, meta_data, status, version, payment_method, paid_kobo, fee_kobo, created_at, expires_at, closed_at, email_key, name_key)
select id, merchant, 'CWRY|01|20260101000000|' || n, 'order-' || n, '0112345678', kobo, name, name || '@example.com', 'Two yards of adire',
  'TC', '{"order":' || n || '}', 'PAID', 2, 'ACCOUNT_TRANSFER', kobo, kobo * 15 / 1000, at, at + interval '40 min', at + interval '3 min',
  search_key(name || '@example.com'), search_key(name)
from (select *, 'customer' || (hashint8(n) & 262143) as name from (${ROWS}) x) x`

/** Fills a partitioned table; its indexes are made afterwards, which is faster. */
async function fill(client: pg.Client, table: string, insert: string, rows: number, ids: readonly bigint[], now: Date) {
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as text from pg_index
     where indrelid = $1::regclass and not indisunique`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (let first = 1; first <= rows; first += CHUNK)
    await client.query(insert, [ids[0], ids.slice(1), now, rows, first, Math.min(rows, first + CHUNK - 1)])
  for (const { text } of indexes) await client.query(text)
}

/** So many payouts and so many transactions, half of each the first merchant's. Transactions are not sealed
 *  yet. */
export async function load(client: pg.Client, ids: readonly bigint[], rows: number, now: Date): Promise<void> {
  const last = monthAt(now)
  for (let month = monthAt(new Date(now.getTime() - DAYS * DAY_MS)); month <= last; month = monthAfter(month))
    await client.query('select open_month($1)', [String(month)])
  await client.query(
    `set synchronous_commit = off; set maintenance_work_mem = '1GB'; set work_mem = '512MB'; select setseed(0.42)`,
  )
  await fill(client, 'disbursements', PAYOUTS, rows, ids, now)
  await client.query(AFTER_PAYOUTS)
  await fill(client, 'transactions', TRANSACTIONS, rows, ids, now)
  for (const table of [
    'disbursements',
    'payout_references',
    'batches',
    'transfer_counters',
    'transfer_blocks',
    'transactions',
  ])
    await client.query(`vacuum analyze ${table}`)
  await client.query('checkpoint')
}
