// One round of payments, on the bare engine or through HTTP, and what it cost: processor time of each
// process, bytes of WAL, bytes on disk. Every round starts on tables that were emptied, loaded for a moment
// and analyzed, as a cell is after its first minutes: the plans that PostgreSQL keeps are those of tables
// with rows.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { realClock } from '../../../apps/gateway/src/kit/clock.ts'
import { firstIdInMonth, monthAt } from '../../../apps/gateway/src/kit/ids.ts'
import { migrate } from '../../../tools/migrate.ts'
import { withClient } from '../../chaos/kit/database.ts'
import { cpuSeconds } from '../kit/figures.ts'
import { type Bench, postmasterPid } from '../kit/stack.ts'
import { lastingBytes, type TableBytes } from './bytes.ts'

const run = promisify(execFile)
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const CLIENTS = 16
const WARM_SECONDS = 2
/** What a payment writes. */
export const HOT_TABLES = [
  'transactions',
  'virtual_accounts',
  'payment_references',
  'inbound_credits',
  'bank_sessions',
  'transfers',
  'state_changes',
  'events',
  'outbox',
  'agenda',
]
/** Written by the worker from the others; they count as bytes on disk, and are emptied with them. */
const FOLLOWING = ['event_numbers', 'deliveries', 'settlement_lines']

export type Measured = {
  readonly paymentsPerSecond: number
  readonly perCpuSecond: number
  /** In microseconds per payment. */
  readonly apiMicros: number
  readonly engineMicros: number
  readonly workerMicros: number
  /** Per payment. */
  readonly walBytes: number
  readonly diskBytes: number
  readonly p50: number
  readonly p99: number
}
export type MeasuredHttp = Measured & {
  /** With the worker: what lasts, by table. */
  readonly lasting?: TableBytes
}
export type Variant = { readonly connections: number; readonly worker: boolean }
export type Tools = {
  readonly pgbench: string
  readonly wrk: string
  readonly tokens: string
  readonly bareUrl: string
}

/** The bare engine: its own database with the same schema, so that the two never share a page. */
export async function prepareBare({ stack }: Bench): Promise<string> {
  await stack.engine.createDatabase('bare')
  const url = stack.engine.url('bare')
  await migrate(url)
  const month = monthAt(realClock.now())
  await withClient(url, async (client) => {
    await client.query('select open_month($1)', [String(month)])
    await client.query(
      `create sequence bare_ids start ${firstIdInMonth(month) + 1_000_000n}; grant usage on sequence bare_ids to cowrie_engine`,
    )
  })
  return url
}

const empty = (url: string) =>
  withClient(url, (client) => client.query(`truncate ${[...HOT_TABLES, ...FOLLOWING].join(', ')}`))
/** Neither database has work left from the round before: its vacuum would write WAL into this one's
 *  figures. */
const emptyBoth = (bench: Bench, tools: Tools) =>
  Promise.all([empty(tools.bareUrl), empty(bench.stack.databaseUrl('01'))])
const settle = (url: string) =>
  withClient(url, async (client) => {
    await client.query(`vacuum analyze ${HOT_TABLES.join(', ')}`)
    await client.query('checkpoint')
  })

type Counters = { readonly wal: number; readonly disk: number; readonly [process: string]: number }
/** What has been used so far: bytes, and the processor seconds of each process. */
async function counters(bench: Bench, url: string, parts: readonly ('api' | 'worker')[]): Promise<Counters> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ wal: string; disk: string }>(
      `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as wal,
         (select sum(pg_total_relation_size(name::regclass) + coalesce((select sum(pg_total_relation_size(relid))
           from pg_partition_tree(name::regclass) where isleaf and relid <> name::regclass), 0)) from unnest($1::text[]) as x(name))::text as disk`,
      [[...HOT_TABLES, ...FOLLOWING]],
    ),
  )
  const seconds = parts.map((part) => [part, cpuSeconds(bench.stack.pid(part) ?? 0, false)])
  return {
    wal: Number(rows[0]?.wal),
    disk: Number(rows[0]?.disk),
    engine: cpuSeconds(postmasterPid(bench.stack), true),
    ...Object.fromEntries(seconds),
  }
}

function costs(before: Counters, after: Counters, payments: number) {
  const used = (name: string): number => (after[name] ?? 0) - (before[name] ?? 0)
  const micros = (name: string): number => (used(name) / payments) * 1e6
  return {
    perCpuSecond: payments / (used('engine') + used('api') + used('worker')),
    apiMicros: micros('api'),
    engineMicros: micros('engine'),
    workerMicros: micros('worker'),
    walBytes: used('wal') / payments,
    diskBytes: used('disk') / payments,
  }
}

async function pgbench(bench: Bench, tools: Tools, seconds: number): Promise<{ rate: number; latency: number }> {
  const [first, second] = [bench.ids[0] ?? 0n, bench.ids[1] ?? (bench.ids[0] ?? 0n) + 1n]
  const values = { merchants: bench.ids.length, base: first, step: second - first }
  const { stdout } = await run(
    tools.pgbench,
    [
      ...['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(seconds), '-f', file('bare.sql')],
      ...Object.entries(values).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      tools.bareUrl,
    ],
    { env: { ...process.env, PGOPTIONS: '-c role=cowrie_engine' } },
  )
  const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
  if (failed > 0) throw new Error(`pgbench: ${failed} failed`)
  return {
    rate: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]),
    latency: Number(/latency average = ([\d.]+)/.exec(stdout)?.[1]),
  }
}

/** `keep`: what the gateway's tables hold stays. */
export async function measureBare(bench: Bench, tools: Tools, seconds: number, keep = false): Promise<Measured> {
  await bench.stack.kill('worker')
  await (keep ? empty(tools.bareUrl) : emptyBoth(bench, tools))
  await pgbench(bench, tools, WARM_SECONDS)
  await settle(tools.bareUrl)
  const before = await counters(bench, tools.bareUrl, [])
  const { rate, latency } = await pgbench(bench, tools, seconds)
  const after = await counters(bench, tools.bareUrl, [])
  return { paymentsPerSecond: rate, ...costs(before, after, rate * seconds), p50: latency, p99: latency }
}

type WrkResult = {
  paid: number
  refused: number
  requests: number
  seconds: number
  p50: number
  p99: number
  errors: number
}
let loads = 0
/** Payments over so many connections; fails when one is refused. */
export async function load(bench: Bench, tools: Tools, connections: number, seconds: number): Promise<WrkResult> {
  loads += 1
  const { stack } = bench
  const { stdout } = await run(tools.wrk, [
    ...['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--latency', '-s', file('payments.lua')],
    `http://127.0.0.1:${stack.ports.api}`,
    // Nine digits that make the sessions and references of a load its own.
    ...['--', tools.tokens, stack.config.keys.bank[0].key, String(100_000_000 + loads)],
  ])
  const result = JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? '{}') as WrkResult
  if (result.refused > 0 || result.errors > 0)
    throw new Error(`HTTP: ${result.refused} refused, ${result.errors} errors`)
  return result
}

export async function measureHttp(
  bench: Bench,
  tools: Tools,
  { connections, worker }: Variant,
  seconds: number,
  warmed: () => Promise<unknown>,
  /** What the tables hold stays. */
  keep = false,
): Promise<MeasuredHttp> {
  const url = bench.stack.databaseUrl('01')
  const parts = worker ? (['api', 'worker'] as const) : (['api'] as const)
  await bench.stack.kill('worker') // not stopped, it could hold a lock; nothing of the round before follows into this one
  await (keep ? empty(tools.bareUrl) : emptyBoth(bench, tools))
  if (worker) await bench.stack.start('worker')
  const warm = await load(bench, tools, connections, WARM_SECONDS)
  await settle(url)
  await warmed()
  const before = await counters(bench, url, parts)
  const result = await load(bench, tools, connections, seconds)
  const after = await counters(bench, url, parts)
  await checkSums(url, warm.paid + result.paid)
  return {
    ...(worker && !keep ? { lasting: await withClient(url, lastingBytes) } : {}),
    paymentsPerSecond: result.paid / result.seconds,
    ...costs(before, after, result.paid),
    p50: result.p50,
    p99: result.p99,
  }
}

/** What was answered is in the books: as many payments at least, and entries that sum to zero. */
async function checkSums(url: string, answered: number): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query(`select (select count(*) from transactions where status = 'PAID')::int as paid,
      (select coalesce(sum(kobo), 0) from entries)::text as sum, (select count(*) from inbound_credits)::int as credits`),
  )
  const { paid, sum, credits } = rows[0] as { paid: number; sum: string; credits: number }
  if (paid < answered || credits !== paid || sum !== '0')
    throw new Error(`books: ${paid} paid, ${credits} credits, ${answered} answered, sum ${sum}`)
}
