// `npm run bench -- settlements`: a settlement run over 100,000 transactions of 1,000 merchants, by the
// worker, as its timer starts it; to wallets, to banks, to sub accounts. The time from the timer until
// everybody is settled must be below 30 s. Then it is waited until the bank has paid its part, and the sums
// are compared with what was loaded; ends with 1 when one is wrong. Processor seconds stand beside the time,
// because neighbours on the machine lengthen the one and not the other.
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { loadPayments, prepareMerchants } from '../../chaos/settlements/load.ts'
import { cpuSeconds } from '../kit/figures.ts'
import { type BenchStack, openBench, postmasterPid, withBench } from '../kit/stack.ts'

const { values: options } = parseArgs({
  options: { transactions: { type: 'string', default: '100000' }, merchants: { type: 'string', default: '1000' } },
})
const [TRANSACTIONS, MERCHANTS] = [Number(options.transactions), Number(options.merchants)]
const LIMIT_S = 30
const BANK_LIMIT_S = 120

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)

async function until(client: pg.Client, text: string, limitS: number): Promise<void> {
  const end = performance.now() + limitS * 1000
  for (;;) {
    const { rows } = await client.query<{ left: number }>(text)
    if (rows[0]?.left === 0) return
    if (performance.now() > end) throw new Error(`not finished in ${limitS} s: ${rows[0]?.left} left`)
    await pause(50)
  }
}

async function run({ stack, ids }: BenchStack, client: pg.Client): Promise<boolean> {
  const loading = performance.now()
  await prepareMerchants(client, ids)
  const owed = await loadPayments(client, ids, TRANSACTIONS)
  for (const table of ['transactions', 'transfers', 'entries', 'inbound_credits'])
    await client.query(`analyze ${table}`)
  console.log(`${TRANSACTIONS} transactions of ${MERCHANTS} merchants loaded in ${seconds(loading)} s`)
  const [postmaster, worker] = [postmasterPid(stack), stack.pid('worker') ?? 0]
  const cpu = () => [cpuSeconds(postmaster, true), cpuSeconds(worker, false)] as const
  const before = cpu()
  const running = performance.now()
  await client.query(`insert into agenda (kind, merchant_id, subject, due_at) values ('settlements.run', 0, 0, now())`)
  await until(
    client,
    "select count(*)::int as left from agenda where kind = 'settlements.run' and due_at <= now()",
    10 * LIMIT_S,
  )
  await until(client, 'select count(*)::int as left from settlement_lines where settlement_id is null', 10 * LIMIT_S)
  const took = Number(seconds(running))
  const [engine, own] = cpu().map((now, at) => (now - (before[at] ?? 0)).toFixed(1))
  const { rows } =
    await client.query(`select count(*)::int as settlements, sum(lines)::int as lines, sum(kobo)::text as kobo,
    count(*) filter (where destination = 'BANK')::int as banks from settlements`)
  const [{ settlements, lines, kobo, banks }] = rows
  console.log(
    `settled in ${took} s: ${settlements} settlements of ${lines} lines, ${banks} of them to banks (limit ${LIMIT_S} s); processor: PostgreSQL ${engine} s, worker ${own} s`,
  )
  const paying = performance.now()
  await until(client, `select count(*)::int as left from settlements where status <> 'COMPLETED'`, BANK_LIMIT_S)
  console.log(`the bank had paid its orders ${seconds(paying)} s later`)
  const sound = BigInt(kobo) === owed
  if (!sound) console.log(`WRONG: settled ${kobo} kobo of ${owed}`)
  const quick = took < LIMIT_S
  console.log(sound && quick ? 'PASS' : 'FAIL')
  return sound && quick
}

await withBench(openBench(MERCHANTS, { LOG_LEVEL: 'error' }, ['simulator', 'api', 'worker']), run)
