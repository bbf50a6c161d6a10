// A merchant with very many payments, in two months that are over, with their events and settlement lines;
// one settlement for each day.
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { realClock } from '../../../apps/gateway/src/kit/clock.ts'
import { monthAt, monthBefore } from '../../../apps/gateway/src/kit/ids.ts'
import { loadMonth } from '../growth/load.ts'

/** The lines name a settlement for each day; these rows make them settlements that list them. */
const SETTLEMENTS = `
insert into settlements (id, merchant_id, number, reference, status, version, kobo, amount_kobo, fee_kobo, shares_kobo, lines, transactions,
  from_at, to_at, destination, bank_code, account_number, account_name, previous_hash, hash, signature, key_id, created_at, completed_at)
select settlement_id, $1, row_number() over (order by settlement_id), '01BENCH' || settlement_id, 'COMPLETED', 2, sum(kobo), sum(amount_kobo),
  sum(fee_kobo), 0, count(*), count(*), min(at), max(at) + interval '1 s', 'BANK', '058', '0123456789', 'MERCHANT', $2, $2, $2, 'bench', max(at),
  max(at) from settlement_lines where merchant_id = $1 group by settlement_id`

export async function loadPayments(client: pg.Client, merchant: bigint, payments: number): Promise<void> {
  const now = monthAt(realClock.now())
  const months = [monthBefore(now, 2), monthBefore(now, 1)]
  for (const month of months) {
    const took = await loadMonth(client, month, payments / months.length, [merchant])
    console.log(`loaded ${payments / months.length} payments of ${month} in ${Math.round(took)} s`)
  }
  await client.query(SETTLEMENTS, [merchant, createHash('sha256').update('bench').digest('hex')])
  // Their settlement lines were loaded with them: nothing is to be gathered.
  await client.query('update settlement_horizon set upto_xid = pg_current_xact_id()::text::bigint + ledger_offset()')
  await client.query('vacuum analyze')
  await client.query('checkpoint')
}
