// `npm run bench`: payments a second through HTTP against bare pgbench on the same tables, alternating in one run. On a
// small and noisy machine only the ratio means something; its last line is `ratio R`.
import { execFile, execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import pg from 'pg'
import { logIn } from '../../chaos/kit/world.ts'
import { migrate } from '../../tools/migrate.ts'
import { cpuSeconds, median, range } from '../kit/figures.ts'
import { type BenchStack, need, openBench, postmasterPid } from '../kit/stack.ts'

const run = promisify(execFile)
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const { values: options } = parseArgs({
  options: {
    merchants: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '64' },
    profile: { type: 'string' }, // a folder for a CPU profile of the api
  },
})
const [MERCHANTS, ROUNDS, SECONDS, CONNECTIONS] = [
  options.merchants,
  options.rounds,
  options.seconds,
  options.connections,
].map(Number) as [number, number, number, number]
const CLIENTS = 16
const HOT_TABLES =
  'transactions, virtual_accounts, inbound_credits, transfers, entries, state_changes, events, outbox, agenda'

type Measured = {
  readonly paymentsPerSecond: number
  readonly perCpuSecond: number
  /** Of that, in microseconds per payment: the api process and PostgreSQL. */
  readonly apiMicros: number
  readonly engineMicros: number
  readonly p50: number
  readonly p99: number
}

async function emptyTables(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`truncate ${HOT_TABLES}`)
  await client.query('vacuum analyze transactions')
  await client.query('checkpoint')
  await client.end()
}

/** The bare engine: its own database with the same schema, so that the two never share a page. */
async function prepareBare({ stack }: BenchStack): Promise<string> {
  await stack.engine.createDatabase('bare')
  const url = stack.engine.url('bare')
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('create sequence bare_ids start 1000000; grant usage on sequence bare_ids to cowrie_engine')
  await client.end()
  return url
}

async function measureBare(bench: BenchStack, pgbench: string, url: string): Promise<Measured> {
  await emptyTables(url)
  const [first, second] = [bench.ids[0] ?? 0n, bench.ids[1] ?? (bench.ids[0] ?? 0n) + 1n]
  const postmaster = postmasterPid(bench.stack)
  const before = cpuSeconds(postmaster, true)
  const { stdout } = await run(
    pgbench,
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      String(CLIENTS),
      '-j',
      '2',
      '-T',
      String(SECONDS),
      '-f',
      file('bare.sql'),
      '-D',
      `merchants=${MERCHANTS}`,
      '-D',
      `base=${first}`,
      '-D',
      `step=${second - first}`,
      url,
    ],
    { env: { ...process.env, PGOPTIONS: '-c role=cowrie_engine' } },
  )
  const cpu = cpuSeconds(postmaster, true) - before
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  const latency = Number(/latency average = ([\d.]+)/.exec(stdout)?.[1])
  const failed = Number(/number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? 0)
  if (failed > 0) throw new Error(`pgbench: ${failed} failed`)
  const payments = rate * SECONDS
  return {
    paymentsPerSecond: rate,
    perCpuSecond: payments / cpu,
    apiMicros: 0,
    engineMicros: (cpu / payments) * 1e6,
    p50: latency,
    p99: latency,
  }
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

async function measureHttp(bench: BenchStack, wrk: string, tokens: string, round: number): Promise<Measured> {
  await emptyTables(bench.stack.databaseUrl('01'))
  const apiUrl = `http://127.0.0.1:${bench.stack.ports.api}`
  const [postmaster, api] = [postmasterPid(bench.stack), bench.stack.pid('api') ?? 0]
  const before = { engine: cpuSeconds(postmaster, true), api: cpuSeconds(api, false) }
  const name = String(100_000_000 + round) // nine digits that make the sessions of a round its own
  const { stdout } = await run(wrk, [
    '-t',
    '1',
    '-c',
    String(CONNECTIONS),
    '-d',
    `${SECONDS}s`,
    '--latency',
    '-s',
    file('payments.lua'),
    apiUrl,
    '--',
    tokens,
    bench.stack.config.bankKey,
    name,
  ])
  const engineCpu = cpuSeconds(postmaster, true) - before.engine
  const apiCpu = cpuSeconds(api, false) - before.api
  const result = JSON.parse(/RESULT (.*)/.exec(stdout)?.[1] ?? '{}') as WrkResult
  if (result.refused > 0 || result.errors > 0)
    throw new Error(`HTTP: ${result.refused} refused, ${result.errors} errors`)
  await checkSums(bench.stack.databaseUrl('01'), result.paid)
  return {
    paymentsPerSecond: result.paid / result.seconds,
    perCpuSecond: result.paid / (engineCpu + apiCpu),
    apiMicros: (apiCpu / result.paid) * 1e6,
    engineMicros: (engineCpu / result.paid) * 1e6,
    p50: result.p50,
    p99: result.p99,
  }
}

/** What was answered is in the books: as many payments at least, and entries that sum to zero. */
async function checkSums(url: string, answered: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select (select count(*) from transactions where status = 'PAID')::int as paid,
    (select coalesce(sum(kobo), 0) from entries)::text as sum, (select count(*) from inbound_credits)::int as credits`)
  await client.end()
  const { paid, sum, credits } = rows[0] as { paid: number; sum: string; credits: number }
  if (paid < answered || credits !== paid || sum !== '0')
    throw new Error(`books: ${paid} paid, ${credits} credits, ${answered} answered, sum ${sum}`)
}

function report(name: string, runs: readonly Measured[], unit: string): void {
  const of = (key: keyof Measured) => runs.map((measured) => measured[key])
  console.log(
    `${name.padEnd(10)} ${String(Math.round(median(of('paymentsPerSecond')))).padStart(7)} payments/s ${range(of('paymentsPerSecond')).padEnd(14)}` +
      ` ${String(Math.round(median(of('perCpuSecond')))).padStart(6)} per CPU-s (api ${Math.round(median(of('apiMicros')))} + engine ${Math.round(median(of('engineMicros')))} µs)   p50 ${median(of('p50')).toFixed(1)} ms, p99 ${median(of('p99')).toFixed(1)} ms per ${unit}`,
  )
}

const pgbench = need('pgbench', 'postgresql-15')
const wrk = need('wrk', 'wrk')
console.log(
  `${MERCHANTS} merchants, ${ROUNDS} rounds of ${SECONDS} s each; pgbench ${CLIENTS} clients, HTTP ${CONNECTIONS} connections`,
)
console.log(execFileSync(pgbench, ['--version'], { encoding: 'utf8' }).trim())
const bench = await openBench(
  MERCHANTS,
  options.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${options.profile}` } : {},
)
try {
  const bareUrl = await prepareBare(bench)
  const apiUrl = `http://127.0.0.1:${bench.stack.ports.api}`
  const tokens = join(bench.stack.engine.dataDir, '..', '..', 'tokens')
  const lines = []
  for (const merchant of bench.merchants) lines.push(`${await logIn(apiUrl, merchant)} ${merchant.contractCode}`)
  await writeFile(tokens, `${lines.join('\n')}\n`)
  await measureHttp(bench, wrk, tokens, 0) // warms the api and the caches; not counted
  const [bare, http]: [Measured[], Measured[]] = [[], []]
  for (let round = 1; round <= ROUNDS; round += 1) {
    bare.push(await measureBare(bench, pgbench, bareUrl))
    http.push(await measureHttp(bench, wrk, tokens, round))
    console.log(
      `round ${round}: bare ${Math.round(bare.at(-1)?.paymentsPerSecond ?? 0)}, HTTP ${Math.round(http.at(-1)?.paymentsPerSecond ?? 0)} payments/s`,
    )
  }
  report('bare', bare, 'payment (average)')
  report('HTTP', http, 'request')
  const ratio = median(http.map((m) => m.paymentsPerSecond)) / median(bare.map((m) => m.paymentsPerSecond))
  console.log(`ratio ${ratio.toFixed(2)}`)
} finally {
  await bench.close()
}
