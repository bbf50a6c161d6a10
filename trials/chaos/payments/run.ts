// The kill test: api and worker are killed at random under a load that arrives by the clock. It must show
// that every acknowledged payment exists exactly once, that the books hold and that every event is delivered.
//   npm run trial -- payments [--kills 100] [--seconds 145] [--cells 1|2] [--rate 100] [--seed N] [--plant
//     lose|double]
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { createGate, createHttp } from '../kit/http.ts'
import { type Killer, planKills, startKiller } from '../kit/killer.ts'
import { readOptions } from '../kit/options.ts'
import { chaosMerchants, seedMerchants, startChaosStack } from '../kit/world.ts'
import { check, type Evidence, outstanding } from './checks.ts'
import { createLoad, type Load } from './load.ts'
import { planPayments } from './plan.ts'
import { PLANTS, plant } from './plant.ts'
import { startReceiver } from './receiver.ts'
import { type Outcome, progress, table, verdict } from './report.ts'

const QUIET_LIMIT_MS = 60_000
const PROGRESS_MS = 10_000

type Options = ReturnType<typeof parseOptions>

function parseOptions() {
  const options = readOptions({ kills: 100, seconds: 145, cells: 1, rate: 100 }, PLANTS)
  if (options.seconds < 1 || options.rate < 1) throw new Error('--seconds and --rate must be at least 1')
  if (![1, 2].includes(options.cells)) throw new Error('--cells must be 1 or 2')
  return options
}

/** Load and kills, then the wait until nothing is on its way any more. */
async function storm(
  options: Options,
  stack: Stack,
  load: Load,
  plan: ReturnType<typeof planPayments>,
  evidence: Evidence,
  signal: AbortSignal,
): Promise<{ readonly killer: Killer; readonly quietMs: number }> {
  const startedAt = Date.now()
  const quietFrom = startedAt + options.seconds * 1000
  const limit = quietFrom + QUIET_LIMIT_MS
  const killer = startKiller(stack, planKills(options.seed, options.kills, options.seconds), startedAt)
  const ticker = setInterval(() => progress(Date.now() - startedAt, load, killer), PROGRESS_MS)
  const until = (ms: number) => pause(Math.max(0, ms - Date.now()), undefined, { signal }).catch(() => undefined)
  try {
    await load.run(plan, startedAt)
    await until(quietFrom)
    load.close()
    await killer.stop()
    await Promise.race([load.settled(), until(limit)])
    while (!signal.aborted && Date.now() < limit && (await outstanding(evidence)) > 0) await pause(500)
    load.freeze()
  } finally {
    clearInterval(ticker)
    await killer.stop() // or it would start again what the stack is about to stop
  }
  return { killer, quietMs: Date.now() - quietFrom }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const cells = ['01', '02'].slice(0, options.cells)
  const merchants = chaosMerchants(`chaos ${options.seed}`, cells)
  const plan = planPayments(options.seed, { ...options, merchants })
  const refusing = new Set(plan.filter((payment) => payment.refusesFirst).map((payment) => payment.paymentReference))
  const receiver = await startReceiver(merchants, (paymentReference) => refusing.has(paymentReference))
  held.defer(() => receiver.close())
  const ended: string[] = []
  const stack = await startChaosStack(
    {
      dir,
      cells,
      seed: `chaos ${options.seed}`,
      parts: ['simulator', 'api', 'worker'],
      onExit: (part, how) => ended.push(`${part}: ${how}`),
    },
    (config) => seedMerchants(config, merchants, ({ path }) => receiver.url + path),
  )
  held.defer(() => stack.stop())
  const http = createHttp()
  held.defer(() => http.close())
  const apiUrl = `http://127.0.0.1:${stack.ports.api}`
  const load = createLoad({
    apiUrl,
    gate: createGate(http.send, `${apiUrl}/health`, signal),
    bankUrl: `http://127.0.0.1:${stack.ports.simulator}`,
    merchants,
    send: http.send,
    journal: join(dir, 'acknowledged.jsonl'),
    signal,
  })
  const evidence: Evidence = {
    cells: cells.map((cell) => ({ cell, url: stack.databaseUrl(cell) })),
    simulatorUrl: stack.engine.url('simulator'),
    merchants,
    acknowledged: load.acknowledged,
    receiver,
  }
  const { killer, quietMs } = await storm(options, stack, load, plan, evidence, signal)
  if (signal.aborted) return null
  if (options.plant) {
    await stack.kill('worker') // nothing rolls up while the fault is planted
    console.log(`planted: ${await plant(stack.databaseUrl('01'), options.plant)}`)
  }
  const outcome: Outcome = { ...options, load, killer, ended, quietMs, receiver, findings: await check(evidence) }
  return { says: table(outcome), wrong: verdict(outcome) }
}

await main(import.meta, () => ({ name: 'payments', options: parseOptions(), limitMs: null, run }))
