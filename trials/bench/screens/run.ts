// `npm run bench -- screens`: one merchant with a million payments. Every list of the dashboard that grows
// with payments is asked over HTTP with a session for its first page and one in its middle; totals are
// compared with SQL. Then all of it is exported while payments are offered, between two stretches of the same
// payments without an export. Ends with 1 when a total is wrong, a page is over 100 ms at p95, a payment is
// refused, the export takes more than 30 s or is not whole, or payments take more than twice as long at p99.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { rollUp } from '../../../apps/gateway/src/core/ledger/ledger.ts'
import { personIn, sessionHeader } from '../../../apps/gateway/test/people/sessions.ts'
import { withGateway } from '../../../tools/sandbox/stack.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { quantileOf, stolenSeconds } from '../kit/figures.ts'
import { type Bench, processorOf, runOn, sealAll, tokensOf } from '../kit/stack.ts'
import { type Case, casesOf } from './cases.ts'
import { loadPayments } from './load.ts'
import { type Offered, offer, openPool, type Payee } from './offer.ts'
import { contentOf, take } from './take.ts'

/** `requests`: of each list and place; `rate`: payments a second beside the export. */
const OPTIONS = { payments: 1_000_000, requests: 100, rate: 200 }
const { payments: PAYMENTS, requests: REQUESTS, rate: RATE } = readOptions(OPTIONS, [])
const MERCHANTS = 50
const LIST_LIMIT_MS = 100
const EXPORT_LIMIT_SECONDS = 30
const WARM_UP = 10
/** Payments alone, before and after the export. */
const ALONE_SECONDS = 20
const MEMORY_LIMIT_MB = 100
const SLOWEST_SHOWN = 5

type Headers = Readonly<Record<string, string>>
type World = {
  readonly apiUrl: string
  readonly headers: Headers
  readonly payees: readonly Payee[]
  readonly bench: Bench
}

async function timesOf({ apiUrl, headers }: World, { name, path, query, total }: Case): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < REQUESTS + WARM_UP; n += 1) {
    const since = performance.now()
    const answer = await fetch(`${apiUrl}${path}?${new URLSearchParams(query).toString()}`, { headers })
    const text = await answer.text()
    if (n >= WARM_UP) times.push(performance.now() - since) // the first ones make the plans
    if (answer.status !== 200) throw new Error(`${name}: ${answer.status} ${text.slice(0, 300)}`)
    const found = (JSON.parse(text) as { responseBody: { totalElements?: number } }).responseBody.totalElements
    if (total !== null && found !== total) throw new Error(`${name}: ${found} in all, expected ${total}`)
  }
  return times
}

/** Every list; answers the names of those that are too slow. */
async function lists(world: World): Promise<string[]> {
  const slow: string[] = []
  const idle = { name: '(GET /health)', path: '/health', query: {}, total: null }
  const health: number[] = []
  for (let n = 0; n < REQUESTS; n += 1) {
    const since = performance.now()
    await (await fetch(world.apiUrl + idle.path)).text()
    health.push(performance.now() - since)
  }
  console.log(`p50 / p95 in ms of ${REQUESTS} requests each`)
  const line = (name: string, times: readonly number[], verdict: string): void =>
    console.log(
      `${name.padEnd(38)} ${quantileOf(times, 0.5).toFixed(1).padStart(7)} /${quantileOf(times, 0.95).toFixed(1).padStart(7)}  ${verdict}`,
    )
  line(idle.name, health, '')
  for (const one of await casesOf(world.bench.client, world.bench.ids[0] as bigint)) {
    const times = await timesOf(world, one)
    const over = quantileOf(times, 0.95) > LIST_LIMIT_MS
    line(one.name, times, over ? 'over' : 'PASS')
    if (over) slow.push(one.name)
  }
  return slow
}

type Asked = { readonly reference: string; readonly state: string; readonly rows: number; readonly rowsWritten: number }

/** Asks for all of it and waits until the worker has written it; answers where it is taken. */
async function writtenExport({ apiUrl, headers }: World): Promise<string> {
  const ask = async <T>(path: string, body?: object): Promise<T> => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetch(`${apiUrl}/dashboard/v1/${path}`, {
      ...sent,
      headers: { ...headers, 'content-type': 'application/json' },
    })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { responseBody: T }).responseBody
  }
  const { reply } = await ask<{ reply: Asked }>('acts/exports.request', { input: {} })
  for (;;) {
    const { content } = await ask<{ content: readonly Asked[] }>('views/exports.list')
    const one = content.find(({ reference }) => reference === reply.reference)
    if (one?.state === 'READY') return `${apiUrl}/dashboard/v1/exports/${reply.reference}/payments.csv`
    if (one?.state === 'FAILED') throw new Error('the export failed')
    await pause(250)
  }
}

/** Asks for all of it and takes it; answers how many seconds that took. */
async function takeExport(world: World, file: string): Promise<number> {
  const began = performance.now()
  const seconds = (): number => (performance.now() - began) / 1000
  const url = await writtenExport(world)
  console.log(`export: written in ${seconds().toFixed(1)} s`)
  await take(url, world.headers, file)
  return seconds()
}

const timesIn = ({ timed }: Offered): number[] => timed.map(({ ms }) => ms)

/** The seconds in which a payment took longest: a few stalls and a slow half of all look the same at p99. */
function slowestOf({ timed }: Offered): string {
  const worst = new Map<number, number>()
  for (const { at, ms } of timed) worst.set(Math.floor(at), Math.max(ms, worst.get(Math.floor(at)) ?? 0))
  const slowest = [...worst].toSorted((a, b) => b[1] - a[1]).slice(0, SLOWEST_SHOWN)
  return `slowest ${slowest.map(([second, ms]) => `${ms.toFixed(0)} ms in second ${second}`).join(', ')}`
}

/** Processor seconds so far; the host takes what other machines of its own need. */
const usedSoFar = (bench: Bench): Record<string, number> => {
  const { api, worker, PostgreSQL: engine, client } = processorOf(bench)
  return { engine, api, worker, 'this bench': client, 'the host': stolenSeconds() }
}
type Stretch = Offered & { readonly used: string }

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function exportBesidePayments(world: World): Promise<string[]> {
  const { bench, apiUrl, payees } = world
  const pool = openPool(apiUrl)
  const offered = async (ends: () => boolean): Promise<Stretch> => {
    const before = usedSoFar(bench)
    const since = performance.now()
    const one = await offer(pool, bench.stack.config.keys.bank[0].key, payees, RATE, ends)
    const seconds = (performance.now() - since) / 1000
    const used = Object.entries(usedSoFar(bench)).map(
      ([name, after]) => `${name} ${(((after - (before[name] ?? 0)) / seconds) * 100).toFixed(0)} %`,
    )
    return { ...one, used: used.join(', ') }
  }
  const alone = (): Promise<Stretch> => {
    const end = performance.now() + ALONE_SECONDS * 1000
    return offered(() => performance.now() > end)
  }
  await alone() // warms up
  const before = await alone()
  const processes = (['api', 'worker'] as const).map((part) => ({ part, pid: bench.stack.pid(part) ?? 0 }))
  const memory = new Map<string, number[]>(processes.map(({ part }) => [part, []]))
  let over = false
  const beside = offered(() => over)
  const watch = (async () => {
    while (!over) {
      for (const { part, pid } of processes) memory.get(part)?.push(residentMb(pid))
      await pause(500)
    }
  })()
  const packed = join(bench.folder, 'export.gz')
  const taken = await takeExport(world, packed).finally(() => {
    over = true
  })
  const during = await beside
  await watch
  const after = await alone()
  await pool.close()
  const file = await contentOf(packed)
  const p99 = (one: Offered): number => quantileOf(timesIn(one), 0.99)
  const without = Math.max(p99(before), p99(after))
  console.log(`export: ${file.rows} rows, ${(file.bytes / 1e6).toFixed(0)} MB in ${taken.toFixed(1)} s; "${file.last}"`)
  const faults: string[] = []
  for (const [part, [first = 0, ...later]] of memory) {
    const highest = Math.max(first, ...later)
    console.log(`memory of the ${part}: ${first.toFixed(0)} MB at the beginning, at most ${highest.toFixed(0)} MB`)
    if (highest - first > MEMORY_LIMIT_MB) faults.push(`the memory of the ${part} grew`)
  }
  for (const [name, one] of Object.entries({ before, during, after }))
    console.log(
      `payments ${name}: ${one.timed.length} paid, ${one.refused.length} refused, p50 ${quantileOf(timesIn(one), 0.5).toFixed(1)} ms, p99 ${p99(one).toFixed(1)} ms; ${slowestOf(one)}\n  of one processor: ${one.used}`,
    )
  console.log(`p99 beside the export ${(p99(during) / without).toFixed(2)} of without`)
  if (taken > EXPORT_LIMIT_SECONDS) faults.push('the export took too long')
  if (!file.last.startsWith(`# end, rows=${file.rows}, `) || file.rows < PAYMENTS)
    faults.push('the export is not whole')
  if (p99(during) > 2 * without) faults.push('payments took more than twice as long')
  for (const refused of [before, during, after].flatMap((one) => one.refused).slice(0, 3)) faults.push(refused)
  return faults
}

async function measure(bench: Bench): Promise<boolean> {
  const { client, apiUrl, merchants } = bench
  const [first] = bench.ids as [bigint]
  await loadPayments(client, first, PAYMENTS)
  await sealAll(bench)
  const session = await withGateway(bench.stack.config, async (gateway) => {
    await rollUp(gateway.ctx, '01')
    return personIn({ gateway }, 'merchant', 'owner', { merchant: { cell: '01', id: first } })
  })
  const tokens = await tokensOf(bench)
  const payees = merchants.map(({ contractCode }, at): Payee => ({ token: tokens[at] ?? '', contractCode }))
  const world: World = { apiUrl, headers: sessionHeader(session), payees, bench }
  const faults = (await lists(world)).map((name) => `${name}: over ${LIST_LIMIT_MS} ms at p95`)
  await bench.stack.start('worker')
  faults.push(...(await exportBesidePayments(world)))
  for (const fault of faults) console.log(`FAIL: ${fault}`)
  return faults.length === 0
}

await runOn({ merchants: MERCHANTS }, measure)
