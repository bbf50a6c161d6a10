// The end-of-day statement. A day that is over is printed once and never changed; the day under way is shown
// as it is.
//   books of the bank → lines in the order they were booked → what is printed wrong on purpose
//     (statements.faults.ts) → pages
// Whatever else the bank books is added by one more query in BOOKS (statements.sql.ts).

import type { Statement, StatementLine } from '@cowrie/contract/bank/statement-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import { type Clock, westAfricanDay } from '../kit/clock.ts'
import { inTransaction } from '../kit/database.ts'
import { presentDebit } from '../mandates/debits.sql.ts'
import { present } from '../payouts/payouts.sql.ts'
import { findTotals, insertDay, type LineRow, listDue, listLines, print, type Queryable } from './statements.sql.ts'

const shown = (row: LineRow): StatementLine => ({
  line: row.line,
  kind: row.kind,
  direction: row.direction,
  sessionId: row.session_id,
  ofSessionId: row.of_session_id,
  amount: nairaText(row.kobo),
  bookedAt: row.booked_at.toISOString(),
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  sender:
    row.sender_name === null
      ? null
      : {
          name: row.sender_name,
          accountNumber: row.sender_account_number ?? '',
          bankCode: row.sender_bank_code ?? '',
        },
  text: row.says.slice(0, 200),
  ...(row.acquirer === null ? {} : { acquirer: row.acquirer }),
  ...(row.day_only ? { dayOnly: true } : {}),
})

/** What is due turns when it is next read: the statement reads all of it. */
async function applyDue(pool: pg.Pool, now: Date): Promise<void> {
  for (const [table, look] of [
    ['payouts', present],
    ['debits', presentDebit],
  ] as const) {
    for (const sessionId of await listDue(pool, table, now)) await look(pool, sessionId, now)
  }
}

async function pageOf(db: Queryable, date: string, after: number): Promise<Statement> {
  const { count, money_in, money_out, opening_kobo, closing_kobo } = await findTotals(db, date)
  const rows = await listLines(db, date, after)
  const last = rows.at(-1)?.line ?? after
  return {
    date,
    count,
    amountIn: nairaText(money_in),
    amountOut: nairaText(money_out),
    openingBalance: nairaText(opening_kobo),
    closingBalance: nairaText(closing_kobo),
    lines: rows.map(shown),
    next: last < count ? String(last) : null,
  }
}

/** Null when the text is not a date. */
export async function statementOf(pool: pg.Pool, clock: Clock, date: string, after: number): Promise<Statement | null> {
  const day = westAfricanDay(date)
  if (day === null) return null
  const now = clock.now()
  await applyDue(pool, now)
  const isOver = now >= day.until
  const bounds = [day.from, day.until, now]
  if (isOver) {
    await inTransaction(pool, async (client) => {
      if (await insertDay(client, date, now)) await print(client, date, bounds)
    })
    return pageOf(pool, date, after)
  }
  // The current day is printed, shown, and rolled back.
  const client = await pool.connect()
  try {
    await client.query('begin')
    await insertDay(client, date, now)
    await print(client, date, bounds)
    return await pageOf(client, date, after)
  } finally {
    await client.query('rollback')
    client.release()
  }
}
