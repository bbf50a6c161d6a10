// The kill test: api and worker are killed at random under a load that arrives by the clock. It must show that every
// acknowledged payment exists exactly once, that the books hold and that every event is delivered.
//   npm run chaos -- [--kills 100] [--seconds 145] [--cells 1|2] [--rate 100] [--seed N] [--plant lose|double]
import { randomInt } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { whenOrphaned } from '../tools/orphan.ts'
import { type Stack, startStack } from '../tools/stack.ts'
import { check, type Evidence, outstanding } from './checks.ts'
import { createGate, createHttp } from './http.ts'
import { type Killer, planKills, startKiller } from './killer.ts'
import { createLoad, type Load } from './load.ts'
import { planPayments } from './plan.ts'
import { PLANTS, type Plant, plant } from './plant.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Outcome, progress, table, verdict } from './words.ts'
import { chaosMerchants, compiledOnce, seedMerchants, steadyPorts } from './world.ts'

const QUIET_LIMIT_MS = 60_000
const PROGRESS_MS = 10_000

type Options = {
  readonly kills: number
  readonly seconds: number
  readonly cells: number
  readonly rate: number
  readonly seed: number
  readonly plant: Plant | undefined
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '145' },
      cells: { type: 'string', default: '1' },
      rate: { type: 'string', default: '100' },
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      plant: { type: 'string' },
    },
  })
  const numbers = [values.kills, values.seconds, values.cells, values.rate, values.seed].map(Number)
  const [kills, seconds, cells, rate, seed] = numbers as [number, number, number, number, number]
  const planted = PLANTS.find((name) => name === values.plant)
  if (!numbers.every(Number.isSafeInteger) || seconds < 1 || rate < 1 || kills < 0 || ![1, 2].includes(cells))
    throw new Error('kills, seconds, cells (1 or 2), rate and seed must be whole numbers')
  if (planted !== values.plant) throw new Error(`--plant is one of ${PLANTS.join(', ')}`)
  return { kills, seconds, cells, rate, seed, plant: planted }
}

/** Whatever was started and must not outlive the run. */
type Held = {
  stack?: Stack
  receiver?: Receiver
  http?: ReturnType<typeof createHttp>
}

async function release(held: Held): Promise<void> {
  await held.http?.close()
  await held.stack?.stop()
  await held.receiver?.close()
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

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<boolean> {
  const cells = ['01', '02'].slice(0, options.cells)
  const merchants = chaosMerchants(`chaos ${options.seed}`, cells)
  const plan = planPayments(options.seed, { ...options, merchants })
  const refusing = new Set(plan.filter((payment) => payment.refusesFirst).map((payment) => payment.paymentReference))
  const receiver = await startReceiver(merchants, (paymentReference) => refusing.has(paymentReference))
  held.receiver = receiver
  const ended: string[] = []
  const stack = await startStack(
    {
      dir,
      ports: await steadyPorts(),
      cells,
      seed: `chaos ${options.seed}`,
      parts: ['simulator', 'api', 'worker'],
      logLevel: 'fatal', // what is refused while parts die is counted below, not told line by line
      env: await compiledOnce(join(dir, 'compiled')),
      onExit: (part, how) => ended.push(`${part}: ${how}`),
    },
    async (config) => {
      await seedMerchants(config, merchants, ({ path }) => receiver.url + path)
    },
  )
  held.stack = stack
  const http = createHttp()
  held.http = http
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
  if (signal.aborted) return false
  if (options.plant) {
    await stack.kill('worker') // nobody rolls up while the books are being spoilt
    console.log(`planted: ${await plant(stack.databaseUrl('01'), options.plant)}`)
  }
  const outcome: Outcome = { ...options, load, killer, ended, quietMs, receiver, findings: await check(evidence) }
  console.log(table(outcome))
  const wrong = verdict(outcome)
  console.log([...wrong, `chaos: ${wrong.length === 0 ? 'PASS' : 'FAIL'}`].join('\n'))
  return wrong.length === 0
}

async function main(): Promise<number> {
  const options = readOptions()
  const { kills, seconds, cells, rate, seed } = options
  console.log(`chaos: --kills ${kills} --seconds ${seconds} --cells ${cells} --rate ${rate} --seed ${seed}`)
  const dir = await mkdtemp(join(tmpdir(), 'cowrie-chaos-'))
  await chmod(dir, 0o755) // PostgreSQL runs as another user when we are root
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  whenOrphaned(() => stopping.abort())
  const held: Held = {}
  let passed = false
  let broken = false
  try {
    passed = await run(options, dir, held, stopping.signal)
  } catch (error) {
    console.log(`chaos: BROKEN, nothing was shown: ${(error as Error).stack}`)
    broken = true
  } finally {
    await release(held)
  }
  if (passed || stopping.signal.aborted) await rm(dir, { recursive: true, force: true })
  else console.log(`The run is kept in ${dir}`)
  if (stopping.signal.aborted) return 130
  if (broken) return 2 // neither a pass nor a finding: a control that breaks must not count as one that saw its fault
  return passed ? 0 : 1
}

if (import.meta.main) process.exit(await main())
