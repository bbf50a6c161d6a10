// `npm run bench -- settlements`: a settlement run over 100,000 transactions of 1,000 merchants, by the
// worker, as its timer starts it; to wallets, to banks, to sub accounts. The time from the timer until
// everybody is settled must be below 30 s. Then it is waited until the bank has paid its part, and the sums
// are compared with what was loaded; ends with 1 when one is wrong. Processor seconds stand beside the time,
// because neighbours on the machine lengthen the one and not the other.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { readOptions } from '../../chaos/kit/options.ts'
import { loadPayments, prepareMerchants } from '../../chaos/settlements/load.ts'
import { secondsSince } from '../kit/figures.ts'
import { type Bench, processorOf, runOn } from '../kit/stack.ts'

const OPTIONS = { transactions: 100_000, merchants: 1_000 }
const { transactions: TRANSACTIONS, merchants: MERCHANTS } = readOptions(OPTIONS, [])
const LIMIT_S = 30
const BANK_LIMIT_S = 120

async function until(client: pg.Client, text: string, limitS: number): Promise<void> {
  const end = performance.now() + limitS * 1000
  for (;;) {
    const { rows } = await client.query<{ left: number }>(text)
    if (rows[0]?.left === 0) return
    if (performance.now() > end) throw new Error(`not finished in ${limitS} s: ${rows[0]?.left} left`)
    await pause(50)
  }
}

async function measure(bench: Bench): Promise<boolean> {
  const { client, ids } = bench
  const loading = performance.now()
  await prepareMerchants(client, ids)
  const owed = await loadPayments(client, ids, TRANSACTIONS)
  for (const table of ['transactions', 'transfers', 'inbound_credits']) await client.query(`analyze ${table}`)
  console.log(`${TRANSACTIONS} transactions of ${MERCHANTS} merchants loaded in ${secondsSince(loading)} s`)
  const before = processorOf(bench)
  const running = performance.now()
  await client.query(`insert into agenda (kind, merchant_id, subject, due_at) values ('settlements.run', 0, 0, now())`)
  await until(
    client,
    "select count(*)::int as left from agenda where kind = 'settlements.run' and due_at <= now()",
    10 * LIMIT_S,
  )
  await until(client, 'select count(*)::int as left from settlement_lines where settlement_id is null', 10 * LIMIT_S)
  const took = Number(secondsSince(running))
  const after = processorOf(bench)
  const used = (part: 'PostgreSQL' | 'worker') => `${part} ${(after[part] - before[part]).toFixed(1)} s`
  const { rows } =
    await client.query(`select count(*)::int as settlements, sum(lines)::int as lines, sum(kobo)::text as kobo,
    count(*) filter (where destination = 'BANK')::int as banks from settlements`)
  const [{ settlements, lines, kobo, banks }] = rows
  console.log(
    `settled in ${took} s: ${settlements} settlements of ${lines} lines, ${banks} of them to banks (limit ${LIMIT_S} s); processor: ${used('PostgreSQL')}, ${used('worker')}`,
  )
  const paying = performance.now()
  await until(client, `select count(*)::int as left from settlements where status <> 'COMPLETED'`, BANK_LIMIT_S)
  console.log(`the bank had paid its orders ${secondsSince(paying)} s later`)
  const sound = BigInt(kobo) === owed
  if (!sound) console.log(`WRONG: settled ${kobo} kobo of ${owed}`)
  const quick = took < LIMIT_S
  console.log(sound && quick ? 'PASS' : 'FAIL')
  return sound && quick
}

const parts = ['simulator', 'api', 'worker'] as const
await runOn({ merchants: MERCHANTS, env: { LOG_LEVEL: 'error' }, parts }, measure)
