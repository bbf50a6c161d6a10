// A rolling restart under load: two apis behind HAProxy and two workers are restarted one after the other, as a deployment does it, while
// payments arrive by the clock. It must show that no call fails, of merchants or of the bank, and that the books hold.
//   npm run chaos:rolling -- [--restarts 10] [--rate 100] [--drain 2] [--seed N] [--plant kill|cut]
// Needs haproxy. `kill` ends processes with kill -9, `cut` lets them stop listening at once: both must be found.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lacks } from '../../tools/programs.ts'
import { type Held, runBounded } from '../kit/bounded.ts'
import { createGate, createHttp, type Send } from '../kit/http.ts'
import { readOptions } from '../kit/options.ts'
import { count, quantile, tableText, wrongText } from '../kit/report.ts'
import { chaosMerchants, seedMerchants, startChaosStack, steadyPorts } from '../kit/world.ts'
import { check, type Evidence, type Findings, outstanding } from '../payments/checks.ts'
import { createLoad, type Load } from '../payments/load.ts'
import { planPayments } from '../payments/plan.ts'
import { startReceiver } from '../payments/receiver.ts'
import type { Row } from './balancer.ts'
import { type RunningFleet, startFleet } from './fleet.ts'

const CELL = '01'
const LOAD_SECONDS_MAX = 1_800
const BEFORE_MS = 2_000
const QUIET_LIMIT_MS = 60_000
/** A call is slow on a small machine while a process starts beside it. Slow is not failed. */
const CALL_LIMIT_MS = 30_000

type Options = ReturnType<typeof parseOptions>
function parseOptions() {
  const options = readOptions({ restarts: 10, rate: 100, drain: 2 }, ['kill', 'cut'])
  if (options.restarts < 1 || options.rate < 1) throw new Error('--restarts and --rate must be at least 1')
  return options
}

type Restart = { readonly name: string; readonly stopMs: number; readonly startMs: number; readonly ended: string }
type Outcome = {
  readonly load: Load
  readonly failed: readonly string[]
  readonly calls: number
  readonly restarts: readonly Restart[]
  readonly rows: readonly Row[]
  readonly seconds: number
  readonly findings: Findings
}

/** Every call is counted, and one without a good answer is kept: this load repeats, and a repeated call has failed. */
function counting(inner: Send) {
  const failed: string[] = []
  let calls = 0
  const send: Send = async (method, url, options) => {
    const began = Date.now()
    calls += 1
    const reply = await inner(method, url, { ...options, limitMs: CALL_LIMIT_MS })
    if (reply === null || reply.status >= 500 || reply.status === 409)
      failed.push(
        `${method} ${url} after ${Date.now() - began} ms: ${reply?.status ?? 'no answer'} ${reply?.text ?? ''}`,
      )
    return reply
  }
  return { send, failed, calls: () => calls }
}

/** One after the other, and on only when the balancer sends to the new one. */
async function roll(
  options: Options,
  { fleet, balancer, members }: RunningFleet,
  signal: AbortSignal,
): Promise<Restart[]> {
  const done: Restart[] = []
  for (let round = 1; round <= options.restarts; round += 1) {
    for (const member of members) {
      if (signal.aborted) return done
      const times = await fleet.restart(member, options.plant === 'kill' ? 'SIGKILL' : 'SIGTERM')
      done.push({ name: member.name, ...times })
      const isUp = async () =>
        (await balancer.rows()).some(({ svname, status }) => svname === member.name && status === 'UP')
      while (member.part === 'api' && !signal.aborted && !(await isUp())) await pause(LOOK_UP_MS)
    }
    console.log(`  round ${round} of ${options.restarts}`)
  }
  return done
}
const LOOK_UP_MS = 50

const times = (restarts: readonly Restart[], part: string, which: 'stopMs' | 'startMs'): string => {
  const values = restarts.filter(({ name }) => name.startsWith(part)).map((one) => one[which])
  return `p50 ${quantile(values, 0.5)} ms, max ${quantile(values, 1)} ms`
}

function table({ load, failed, calls, restarts, rows, seconds, findings }: Outcome): string {
  const all = rows.find(({ svname }) => svname === 'BACKEND') ?? {}
  const { counts, latencies } = load
  return tableText([
    ['payments', `${count(counts.started)} in ${seconds} s, ${count(counts.paid)} paid`],
    ['calls', `${count(calls)} of merchants and payers, ${failed.length} failed`],
    [
      'latency',
      `p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms, max ${quantile(latencies, 1)} ms`,
    ],
    [
      'balancer',
      `${count(Number(all['stot']))} requests, ${all['hrsp_5xx']} of them 5xx, ${all['eresp']} without an answer, ${all['econ']} without a connection, ${all['wretr']} connections tried again`,
    ],
    [
      'api',
      `${restarts.filter(({ name }) => name.startsWith('api')).length} restarts; stop ${times(restarts, 'api', 'stopMs')}; start ${times(restarts, 'api', 'startMs')}`,
    ],
    [
      'worker',
      `${restarts.filter(({ name }) => name.startsWith('worker')).length} restarts; stop ${times(restarts, 'worker', 'stopMs')}; start ${times(restarts, 'worker', 'startMs')}`,
    ],
    ['events', `${count(findings.events)}, ${count(findings.delivered)} deliveries`],
  ])
}

function verdict(options: Options, { load, failed, restarts, rows, findings }: Outcome): string[] {
  const wrong: string[] = []
  const all = rows.find(({ svname }) => svname === 'BACKEND') ?? {}
  if (failed.length > 0) wrong.push(wrongText('calls failed', failed))
  // The bank's own calls go through the balancer too.
  for (const name of ['hrsp_5xx', 'eresp', 'econ', 'srv_abrt'])
    if (all[name] !== '0') wrong.push(wrongText('the balancer saw failures', [`${name}: ${all[name]}`]))
  const harsh = restarts.filter(({ ended }) => ended !== 'code 0').map(({ name, ended }) => `${name}: ${ended}`)
  if (harsh.length > 0) wrong.push(wrongText('processes did not end well', harsh))
  if (restarts.length !== options.restarts * 4) wrong.push(wrongText('restarts are missing', [String(restarts.length)]))
  if (load.faults.length > 0) wrong.push(wrongText('payments failed', load.faults))
  if (load.counts.paid !== load.counts.started)
    wrong.push(wrongText('payments are not paid', [`${load.counts.started - load.counts.paid}`]))
  for (const [kind, examples] of findings.violations) wrong.push(wrongText(kind, examples))
  return wrong
}

/** Payments by the clock, second by second, for as long as the restarts take. */
async function storm(
  options: Options,
  rolling: RunningFleet,
  load: Load,
  merchants: Evidence['merchants'],
  signal: AbortSignal,
): Promise<{ restarts: Restart[]; seconds: number }> {
  const { rate, seed } = options
  const plan = planPayments(seed, { rate, seconds: LOAD_SECONDS_MAX, merchants })
  const startedAt = Date.now()
  const over = new AbortController()
  const rolled = pause(BEFORE_MS)
    .then(() => roll(options, rolling, signal))
    .finally(() => over.abort())
  rolled.catch(() => undefined) // it is waited for below
  for (let second = 0; second < LOAD_SECONDS_MAX && !over.signal.aborted && !signal.aborted; second += 1)
    await load.run(plan.slice(second * rate, (second + 1) * rate), startedAt)
  return { restarts: await rolled, seconds: Math.round((Date.now() - startedAt) / 1000) }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<boolean> {
  if (lacks('haproxy')) throw new Error('haproxy is not installed')
  const merchants = chaosMerchants(`rolling ${options.seed}`, [CELL])
  const receiver = await startReceiver(merchants, () => false)
  held.defer(() => receiver.close())
  const ports = await steadyPorts()
  const stack = await startChaosStack(
    { dir, cells: [CELL], seed: `rolling ${options.seed}`, ports, parts: ['simulator'] },
    (config) => seedMerchants(config, merchants, ({ path }) => receiver.url + path),
  )
  held.defer(() => stack.stop())
  const env = {
    ...stack.env,
    DRAIN_SECONDS: String(options.plant === 'cut' ? 0 : options.drain),
    STOP_SECONDS: '25',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  const rolling = await startFleet(dir, ports.api, held, () => env)
  const http = createHttp()
  held.defer(() => http.close())
  const { send, failed, calls } = counting(http.send)
  const apiUrl = `http://127.0.0.1:${ports.api}`
  const load = createLoad({
    apiUrl,
    gate: createGate(http.send, `${apiUrl}/health`, signal),
    bankUrl: `http://127.0.0.1:${ports.simulator}`,
    merchants,
    send,
    journal: join(dir, 'acknowledged.jsonl'),
    signal,
  })
  const evidence: Evidence = {
    cells: [{ cell: CELL, url: stack.databaseUrl(CELL) }],
    simulatorUrl: stack.engine.url('simulator'),
    merchants,
    acknowledged: load.acknowledged,
    receiver,
  }
  const { restarts, seconds } = await storm(options, rolling, load, merchants, signal)
  await load.settled()
  const limit = Date.now() + QUIET_LIMIT_MS
  while (!signal.aborted && Date.now() < limit && (await outstanding(evidence)) > 0) await pause(200)
  load.freeze()
  if (signal.aborted) return false
  const rows = await rolling.balancer.rows()
  const outcome: Outcome = { load, failed, calls: calls(), restarts, rows, seconds, findings: await check(evidence) }
  console.log(table(outcome))
  const wrong = verdict(options, outcome)
  if (wrong.length > 0) console.log(wrong.join('\n'))
  return wrong.length === 0
}

if (import.meta.main)
  process.exit(await runBounded({ name: 'chaos:rolling', options: parseOptions(), limitMs: null, run }))
