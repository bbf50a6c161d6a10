// The lines of a statement: from the books of the bank, as printed, with what is printed wrong on purpose.
import { STATEMENT_PAGE } from '@cowrie/contract/bank/statement-connector'
import type pg from 'pg'
import { BOOK_COLUMNS, LINE_COLUMNS, PRINT_FAULTS } from './statements.faults.sql.ts'
import { FAULTY_BALANCE } from './statements.faults.ts'

/** Each gives kind, direction, session_id, of_session_id, kobo, booked_at, bank_code, account_number,
 *  sender_name, sender_account_number, sender_bank_code, says of what was booked from $1 until $2, and not
 *  after $3. */
const BOOKS: readonly string[] = [
  `select 'CREDIT', 'IN', session_id, null, kobo, paid_at, bank_code, account_number, sender_name, sender_account_number,
     sender_bank_code, coalesce(narration, '') from transfers where paid_at >= $1 and paid_at < $2 and paid_at <= $3`,
  `select 'RETURN', 'OUT', r.return_session_id, r.session_id, t.kobo, r.returned_at, t.bank_code, t.account_number, null, null, null, r.reason
     from returns r join transfers t using (session_id) where r.returned_at >= $1 and r.returned_at < $2 and r.returned_at <= $3`,
  `select 'REVERSAL', 'OUT', r.reversal_session_id, r.session_id, t.kobo, r.reversed_at, t.bank_code, t.account_number, null, null, null, r.reason
     from credit_reversals r join transfers t using (session_id)
     where r.reversed_at >= $1 and r.reversed_at < $2 and r.reversed_at <= $3`,
  `select case m.kind when 'PAID' then 'PAYOUT' else 'PAYOUT_REVERSAL' end, case m.kind when 'PAID' then 'OUT' else 'IN' end, m.session_id, null,
     m.kobo, m.booked_at, null, null, null, null, null, coalesce(p.narration, '') from payout_money m join payouts p using (session_id)
     where m.booked_at >= $1 and m.booked_at < $2 and m.booked_at <= $3`,
  `select case m.kind when 'TAKEN' then 'DEBIT' else 'REVERSAL' end, case m.kind when 'TAKEN' then 'IN' else 'OUT' end, m.session_id,
     case m.kind when 'RETURNED' then m.session_id end, m.kobo, m.booked_at, a.bank_code, a.account_number, null, null, null, coalesce(d.narration, '')
     from debit_money m join debits d using (session_id) join mandates a using (mandate_code)
     where m.booked_at >= $1 and m.booked_at < $2 and m.booked_at <= $3`,
]

const BOOKED = `select ${BOOK_COLUMNS}, null::text as acquirer, false as day_only from (${BOOKS.join(' union all ')}) as b(${BOOK_COLUMNS})`

export type LineRow = {
  line: number
  kind: string
  direction: 'IN' | 'OUT'
  session_id: string
  of_session_id: string | null
  kobo: bigint
  booked_at: Date
  bank_code: string | null
  account_number: string | null
  sender_name: string | null
  sender_account_number: string | null
  sender_bank_code: string | null
  says: string
  acquirer: string | null
  day_only: boolean
}

export type Queryable = Pick<pg.Pool, 'query'>

/** Sessions that are due to turn. */
export async function listDue(pool: pg.Pool, table: 'payouts' | 'debits', now: Date): Promise<string[]> {
  const { rows } = await pool.query<{ session_id: string }>(`select session_id from ${table} where turns_at <= $1`, [
    now,
  ])
  return rows.map(({ session_id }) => session_id)
}

const PRINTED = `select line, ${LINE_COLUMNS} from statement_lines where day = $1 and line > $2 order by line limit ${STATEMENT_PAGE}`

export async function listLines(db: Queryable, date: string, after: number): Promise<LineRow[]> {
  const { rows } = await db.query<LineRow>(PRINTED, [date, after])
  return rows
}

type Totals = { count: number; money_in: bigint; money_out: bigint; opening_kobo: bigint; closing_kobo: bigint }

export async function findTotals(db: Queryable, date: string): Promise<Totals> {
  const { rows } = await db.query<Totals>(
    `select count(l.*)::int as count, coalesce(sum(l.kobo) filter (where direction = 'IN'), 0)::int8 as money_in,
       coalesce(sum(l.kobo) filter (where direction = 'OUT'), 0)::int8 as money_out, opening_kobo, closing_kobo
     from statement_days d left join statement_lines l using (day) where d.day = $1 group by d.day`,
    [date],
  )
  return rows[0] ?? { count: 0, money_in: 0n, money_out: 0n, opening_kobo: 0n, closing_kobo: 0n }
}

/** False when the day was printed already. */
export async function insertDay(client: pg.PoolClient, date: string, now: Date): Promise<boolean> {
  const { rowCount } = await client.query(
    'insert into statement_days (day, printed_at) values ($1, $2) on conflict do nothing',
    [date, now],
  )
  return rowCount === 1
}

export async function print(client: pg.PoolClient, date: string, bounds: readonly Date[]): Promise<void> {
  await client.query(
    `create temp table printing on commit drop as select ${LINE_COLUMNS} from statement_lines with no data`,
  )
  await client.query(`insert into printing (${LINE_COLUMNS}) ${BOOKED}`, [...bounds])
  for (const { text, values } of PRINT_FAULTS(date)) await client.query(text, values)
  await client.query(
    `insert into statement_lines (day, line, ${LINE_COLUMNS})
     select $1, row_number() over (order by booked_at, kind, session_id), ${LINE_COLUMNS} from printing`,
    [date],
  )
  await client.query(BALANCES, [date, bounds[0], FAULTY_BALANCE])
}

// What was printed of the days before, and what was booked on days that nobody asked for; then the lines of
// the day. So a line that is printed wrong is in the balance as it is printed.
const BALANCES = `
with before as (
  select coalesce(sum(case direction when 'IN' then kobo else -kobo end), 0) as kobo from statement_lines where day < $1
), unprinted as (
  select coalesce(sum(case direction when 'IN' then kobo else -kobo end), 0) as kobo
  from (${BOOKED.replaceAll('$1', `'-infinity'`).replaceAll('$2', '$2::timestamptz').replaceAll('$3', '$2::timestamptz')}) as b
  where not exists (select from statement_days d where d.day = (b.booked_at at time zone 'Africa/Lagos')::date)
), today as (
  select coalesce(sum(case direction when 'IN' then kobo else -kobo end), 0) as kobo from statement_lines where day = $1
), wrong as (
  select coalesce(sum((spec->>'kobo')::int8), 0) as kobo from statement_faults where fault = $3
)
update statement_days set opening_kobo = before.kobo + unprinted.kobo, closing_kobo = before.kobo + unprinted.kobo + today.kobo + wrong.kobo
from before, unprinted, today, wrong where day = $1`
