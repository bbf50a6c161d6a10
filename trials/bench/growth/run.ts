// `npm run bench -- growth`: what a payment costs on empty tables, and on tables with months of payments:
// processor time of PostgreSQL and bytes of WAL; what the lists take; and a month that leaves and returns
// meanwhile. Processor time is taken as a multiple of what bare pgbench takes in the same round, always on
// empty tables: what else the machine does meets both alike. The last lines are ratios of medians. --payments
// and --months say how much is loaded.
import { setTimeout as pause } from 'node:timers/promises'
import { realClock } from '../../../apps/gateway/src/kit/clock.ts'
import { monthAt } from '../../../apps/gateway/src/kit/ids.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { median } from '../kit/figures.ts'
import { type Bench, need, runOn, tokensFile, tokensOf } from '../kit/stack.ts'
import { type Measured, measureBare, measureHttp, prepareBare, type Tools } from '../payments/measure.ts'
import { leaveAndReturn } from './leave.ts'
import { listTimes } from './lists.ts'
import { loadMonth } from './load.ts'

/** `payments`: of a month. */
const OPTIONS = { merchants: 1_000, payments: 1_000_000, months: 4, rounds: 5, seconds: 8 }
const options = readOptions(OPTIONS, [])
const { merchants: MERCHANTS, payments: PAYMENTS, months: MONTHS, rounds: ROUNDS, seconds: SECONDS } = options

/** Payments go on for so long while the oldest month leaves and returns. */
const LEAVING_SECONDS = 60

type Round = { readonly engine: number; readonly wal: number }

const monthBefore = (month: bigint): bigint => month - (month % 100n === 1n ? 89n : 1n)
const figures = ({ engineMicros, apiMicros, walBytes, diskBytes, p99, paymentsPerSecond }: Measured): string =>
  `${Math.round(paymentsPerSecond)}/s, engine ${Math.round(engineMicros)} µs, api ${Math.round(apiMicros)} µs, WAL ${Math.round(walBytes)} B, disk ${Math.round(diskBytes)} B, p99 ${Math.round(p99)} ms`

/** Bytes of each growing table, heap and indexes, with all its partitions. */
const SIZES = `select x.name, sum(pg_table_size(t.relid))::bigint as heap, sum(pg_indexes_size(t.relid))::bigint as indexes
  from (select name from month_tables union all values ('payment_references'), ('bank_sessions')) x(name)
  cross join lateral (select relid from pg_partition_tree(x.name::regclass) where isleaf union select x.name::regclass) t(relid)
  group by 1 order by 2 desc`

/** Lets a worker make blocks of all that was loaded. */
async function seal({ stack, client }: Bench): Promise<void> {
  const left = `select m.id from merchants m where not exists (select from search_blocks b where b.merchant_id = m.id and b.sealed)
    and (select count(*) from (select from transactions t where t.merchant_id = m.id limit 300) t) = 300 limit 1`
  // Their settlement lines were loaded with them: nothing is to be gathered.
  await client.query('update settlement_horizon set upto_xid = pg_current_xact_id()::text::bigint + ledger_offset()')
  await stack.start('worker')
  while ((await client.query(left)).rows.length > 0) await pause(1_000)
  await stack.kill('worker')
}

await runOn({ merchants: MERCHANTS }, async (bench) => {
  const { client } = bench
  const logins = await tokensOf(bench)
  const tokens = await tokensFile(bench, logins)
  const tools: Tools = {
    ...{ pgbench: need('pgbench', 'postgresql-15'), wrk: need('wrk', 'wrk') },
    ...{ tokens, bareUrl: await prepareBare(bench) },
  }
  const nothing = async (): Promise<void> => undefined
  const round = async (name: string, keep: boolean): Promise<Round> => {
    const bare = await measureBare(bench, tools, SECONDS, keep)
    const measured = await measureHttp(bench, tools, { connections: 64, worker: false }, SECONDS, nothing, keep)
    console.log(`${name}: ${figures(measured)}; bare engine ${Math.round(bare.engineMicros)} µs`)
    return { engine: measured.engineMicros / bare.engineMicros, wal: measured.walBytes }
  }
  await round('warm-up', false)
  const empty: Round[] = []
  for (let n = 1; n <= ROUNDS; n += 1) empty.push(await round(`empty, round ${n}`, false))
  const listsEmpty = await listTimes(bench, logins)
  let month = monthAt(realClock.now())
  for (let n = 0; n < MONTHS; n += 1) {
    month = monthBefore(month)
    console.log(
      `loaded ${PAYMENTS} payments of ${month} in ${Math.round(await loadMonth(client, month, PAYMENTS, bench.ids))} s`,
    )
  }
  await client.query('vacuum analyze')
  await seal(bench)
  await client.query('checkpoint')
  for (const { name, heap, indexes } of (await client.query<{ name: string; heap: string; indexes: string }>(SIZES))
    .rows)
    console.log(
      `${name.padEnd(20)} ${(Number(heap) / PAYMENTS / MONTHS).toFixed(0).padStart(5)} B heap, ${(Number(indexes) / PAYMENTS / MONTHS).toFixed(0).padStart(4)} B indexes a payment`,
    )
  const loaded: Round[] = []
  for (let n = 1; n <= ROUNDS; n += 1) loaded.push(await round(`loaded, round ${n}`, true))
  for (const [name, p99] of await listTimes(bench, logins))
    console.log(`list, ${name}: p99 ${listsEmpty.get(name)?.toFixed(1)} ms empty, ${p99.toFixed(1)} ms loaded`)
  for (const line of await leaveAndReturn(bench, tools, month, LEAVING_SECONDS)) console.log(line)
  const ratio = (key: keyof Round): string =>
    (median(loaded.map((one) => one[key])) / median(empty.map((one) => one[key]))).toFixed(2)
  console.log(`engine ${ratio('engine')}\nWAL ${ratio('wal')}`)
  return true
})
