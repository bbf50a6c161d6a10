// Payments by the clock through HAProxy to two apis, with two workers behind them, for as long as somebody
// restarts these processes. What was answered, what was not, and what the books say afterwards is the
// outcome.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import type { Held } from '../kit/bounded.ts'
import { createGate, createHttp, type Send } from '../kit/http.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import { check, type Evidence, outstanding } from '../payments/checks.ts'
import { createLoad, type Load } from '../payments/load.ts'
import { planPayments } from '../payments/plan.ts'
import type { Receiver } from '../payments/receiver.ts'
import { type Env, type RunningFleet, startFleet } from './fleet.ts'
import type { Outcome, Restart } from './report.ts'

export const CELL = '01'
const LOAD_SECONDS_MAX = 1_800
const BEFORE_MS = 2_000
const QUIET_LIMIT_MS = 60_000
const LOOK_UP_MS = 50
/** A call is slow on a small machine while a process starts beside it. Slow is not failed. */
const CALL_LIMIT_MS = 30_000

export type Storm = {
  readonly dir: string
  readonly seed: number
  readonly rate: number
  readonly drain: number
  readonly behind: number
  readonly plant: 'kill' | 'cut' | undefined
  readonly stack: Stack
  readonly merchants: readonly ChaosMerchant[]
  /** Who joins meanwhile, and is paid by the course; in whatever cell they are by the end. */
  readonly newcomers?: readonly ChaosMerchant[]
  readonly receiver: Receiver
  /** What the processes are first started from; see `Fleet.use`. */
  readonly build?: string
  /** What they are started with beside the stack's own settings, asked at every start. */
  readonly settings?: () => Env
  /** How many restarts there will be. */
  readonly wanted: number
  /** What happens under the load. */
  course(rolling: Rolling): Promise<void>
}
export type Rolling = Pick<RunningFleet, 'fleet' | 'members'> & {
  /** All four, one after the other, and on only when the balancer sends to the new one. */
  roll(): Promise<void>
}

/** Every call is counted, and one without a good answer is kept: this load repeats, and a repeated call has
 *  failed. All that it asks is well formed and allowed, so any other answer than 200 is a failure too. */
function counting(inner: Send) {
  const failed: string[] = []
  let calls = 0
  const send: Send = async (method, url, options) => {
    const began = Date.now()
    calls += 1
    const reply = await inner(method, url, { ...options, limitMs: CALL_LIMIT_MS })
    if (reply?.status !== 200)
      failed.push(
        `${method} ${url} after ${Date.now() - began} ms: ${reply?.status ?? 'no answer'} ${reply?.text ?? ''}`,
      )
    return reply
  }
  return { send, failed, calls: () => calls }
}

const startStorm = ({ dir, drain, plant, stack, build, settings }: Storm, held: Held): Promise<RunningFleet> => {
  const env = {
    ...stack.env,
    DRAIN_SECONDS: String(plant === 'cut' ? 0 : drain),
    STOP_SECONDS: '25',
    TRUSTED_PROXIES: '127.0.0.1',
  }
  return startFleet(dir, stack.ports.api, held, () => ({ ...env, ...settings?.() }), build)
}

async function rollAll({ plant }: Storm, parts: RunningFleet, done: Restart[], signal: AbortSignal): Promise<void> {
  const { fleet, balancer, members } = parts
  for (const member of members) {
    if (signal.aborted) return
    const times = await fleet.restart(member, plant === 'kill' ? 'SIGKILL' : 'SIGTERM')
    done.push({ name: member.name, ...times })
    const isUp = async () =>
      (await balancer.rows()).some(({ svname, status }) => svname === member.name && status === 'UP')
    while (member.part === 'api' && !signal.aborted && !(await isUp())) await pause(LOOK_UP_MS)
  }
}

/** Payments by the clock, second by second, for as long as the course takes. */
async function blow(storm: Storm, parts: RunningFleet, load: Load, signal: AbortSignal) {
  const { rate, seed, merchants } = storm
  const plan = planPayments(seed, { rate, seconds: LOAD_SECONDS_MAX, merchants })
  const restarts: Restart[] = []
  const startedAt = Date.now()
  const over = new AbortController()
  const rolled = pause(BEFORE_MS)
    .then(() => storm.course({ ...parts, roll: () => rollAll(storm, parts, restarts, signal) }))
    .finally(() => over.abort())
  rolled.catch(() => undefined) // it is waited for below
  for (let second = 0; second < LOAD_SECONDS_MAX && !over.signal.aborted && !signal.aborted; second += 1)
    await load.run(plan.slice(second * rate, (second + 1) * rate), startedAt)
  const [seconds, paidThen] = [Math.round((Date.now() - startedAt) / 1000), load.counts.paid]
  await rolled
  return { restarts, seconds, paidThen }
}

/** Null when somebody ended it. */
export async function underLoad(storm: Storm, held: Held, signal: AbortSignal): Promise<Outcome | null> {
  const { stack, merchants, newcomers = [], receiver, rate, behind, plant, wanted } = storm
  const parts = await startStorm(storm, held)
  const http = createHttp()
  held.defer(() => http.close())
  const { send, failed, calls } = counting(http.send)
  const apiUrl = `http://127.0.0.1:${stack.ports.api}`
  const load = createLoad({
    apiUrl,
    gate: createGate(http.send, `${apiUrl}/health`, signal),
    bankUrl: `http://127.0.0.1:${stack.ports.simulator}`,
    merchants,
    send,
    journal: join(storm.dir, 'acknowledged.jsonl'),
    signal,
  })
  const evidence: Evidence = {
    cells: [...new Set([CELL, ...newcomers.map(({ cell }) => cell)])].map((cell) => ({
      cell,
      url: stack.databaseUrl(cell),
    })),
    simulatorUrl: stack.engine.url('simulator'),
    merchants: [...merchants, ...newcomers],
    acknowledged: load.acknowledged,
    receiver,
  }
  const blown = await blow(storm, parts, load, signal)
  load.close() // what a slow machine never came to is counted as that, and not waited for
  await load.settled()
  const limit = Date.now() + QUIET_LIMIT_MS
  while (!signal.aborted && Date.now() < limit && (await outstanding(evidence)) > 0) await pause(200)
  load.freeze()
  if (signal.aborted) return null
  const rows = await parts.balancer.rows()
  return { rate, behind, plant, wanted, load, failed, calls: calls(), rows, ...blown, findings: await check(evidence) }
}
