// `npm run bench:screens`: one merchant with a million payments. Every list of the dashboard that grows with payments is asked over HTTP with a
// session for its first page and one in its middle; totals are compared with SQL. Then all of it is exported while payments are offered,
// between two stretches of the same payments without an export. Ends with 1 when a total is wrong, a page is over 100 ms at p95, a payment is
// refused, the export takes more than 30 s or is not whole, or payments take more than twice as long at p99.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import type pg from 'pg'
import { rollUp } from '../../apps/gateway/src/core/ledger/ledger.ts'
import { createSealing } from '../../apps/gateway/src/features/transactions/blocks.ts'
import { personIn, sessionHeader } from '../../apps/gateway/test/people/sessions.ts'
import { logIn } from '../../chaos/kit/world.ts'
import { withGateway } from '../../tools/sandbox/stack.ts'
import { type BenchStack, openBench, withBench } from '../kit/stack.ts'
import { type Case, casesOf } from './cases.ts'
import { loadPayments } from './load.ts'
import { type Offered, offer, type Payee } from './offer.ts'

const { values: options } = parseArgs({
  options: {
    payments: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '100' }, // of each list and place
    rate: { type: 'string', default: '200' }, // payments a second beside the export
  },
})
const [PAYMENTS, REQUESTS, RATE] = [Number(options.payments), Number(options.requests), Number(options.rate)]
const MERCHANTS = 50
const LIST_LIMIT_MS = 100
const EXPORT_LIMIT_SECONDS = 30
const WARM_UP = 10
/** Payments alone, before and after the export. */
const ALONE_SECONDS = 20
const MEMORY_LIMIT_MB = 100

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

type Headers = Readonly<Record<string, string>>
type World = {
  readonly apiUrl: string
  readonly headers: Headers
  readonly payees: readonly Payee[]
  readonly bench: BenchStack
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
async function lists(world: World, client: pg.Client): Promise<string[]> {
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
      `${name.padEnd(38)} ${percentile(times, 0.5).toFixed(1).padStart(7)} /${percentile(times, 0.95).toFixed(1).padStart(7)}  ${verdict}`,
    )
  line(idle.name, health, '')
  for (const one of await casesOf(client, world.bench.ids[0] as bigint)) {
    const times = await timesOf(world, one)
    const over = percentile(times, 0.95) > LIST_LIMIT_MS
    line(one.name, times, over ? 'over' : 'PASS')
    if (over) slow.push(one.name)
  }
  return slow
}

type Exported = { readonly seconds: number; readonly rows: number; readonly bytes: number; readonly last: string }

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

const TAKE = fileURLToPath(new URL('./take.ts', import.meta.url))

/** Asks for the file and takes it whole. */
async function takeExport(world: World): Promise<Exported> {
  const began = performance.now()
  const url = await writtenExport(world)
  console.log(`export: written in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const { stdout } = await promisify(execFile)(process.execPath, [TAKE, url, JSON.stringify(world.headers)])
  const taken = JSON.parse(stdout) as Omit<Exported, 'seconds'>
  return { ...taken, seconds: (performance.now() - began) / 1000 }
}

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

async function exportBesidePayments(world: World): Promise<string[]> {
  const { bench, apiUrl, payees } = world
  const offered = (ends: () => boolean): Promise<Offered> =>
    offer(apiUrl, bench.stack.config.keys.bank[0].key, payees, RATE, ends)
  const alone = (): Promise<Offered> => {
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
  const file = await takeExport(world).finally(() => {
    over = true
  })
  const during = await beside
  await watch
  const after = await alone()
  const p99 = (one: Offered): number => percentile(one.times, 0.99)
  const without = Math.max(p99(before), p99(after))
  console.log(
    `export: ${file.rows} rows, ${(file.bytes / 1e6).toFixed(0)} MB in ${file.seconds.toFixed(1)} s; "${file.last}"`,
  )
  const faults: string[] = []
  for (const [part, [first = 0, ...later]] of memory) {
    const highest = Math.max(first, ...later)
    console.log(`memory of the ${part}: ${first.toFixed(0)} MB at the beginning, at most ${highest.toFixed(0)} MB`)
    if (highest - first > MEMORY_LIMIT_MB) faults.push(`the memory of the ${part} grew`)
  }
  for (const [name, one] of Object.entries({ before, during, after }))
    console.log(
      `payments ${name}: ${one.times.length} paid, ${one.refused.length} refused, p50 ${percentile(one.times, 0.5).toFixed(1)} ms, p99 ${p99(one).toFixed(1)} ms`,
    )
  console.log(`p99 beside the export ${(p99(during) / without).toFixed(2)} of without`)
  if (file.seconds > EXPORT_LIMIT_SECONDS) faults.push('the export took too long')
  if (!file.last.startsWith(`# end, rows=${file.rows}, `) || file.rows < PAYMENTS)
    faults.push('the export is not whole')
  if (p99(during) > 2 * without) faults.push('payments took more than twice as long')
  for (const refused of [before, during, after].flatMap((one) => one.refused).slice(0, 3)) faults.push(refused)
  return faults
}

async function run(bench: BenchStack, client: pg.Client): Promise<boolean> {
  await loadPayments(client, bench.ids[0] as bigint, PAYMENTS)
  const session = await withGateway(bench.stack.config, async (gateway) => {
    const seal = createSealing(gateway.ctx, { merchants: 1000, blocksEach: 1000, blocks: 500 })
    while ((await seal('01')) > 0);
    await rollUp(gateway.ctx, '01')
    return personIn({ gateway }, 'merchant', 'owner', { merchant: { cell: '01', id: bench.ids[0] as bigint } })
  })
  await client.query('vacuum analyze search_blocks, search_parts, search_values')
  const apiUrl = `http://127.0.0.1:${bench.stack.ports.api}`
  const payees: Payee[] = []
  for (const merchant of bench.merchants)
    payees.push({ token: await logIn(apiUrl, merchant), contractCode: merchant.contractCode })
  const world: World = { apiUrl, headers: sessionHeader(session), payees, bench }
  const faults = (await lists(world, client)).map((name) => `${name}: over ${LIST_LIMIT_MS} ms at p95`)
  await bench.stack.start('worker')
  faults.push(...(await exportBesidePayments(world)))
  for (const fault of faults) console.log(`FAIL: ${fault}`)
  return faults.length === 0
}

await withBench(openBench(MERCHANTS), run)
