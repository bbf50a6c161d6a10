// The settlement test: payments are loaded, a run begins and is killed at an instant drawn from the seed; again and again, each run with
// what the last one left. In every third round two runs go at once. The last run is left alone, and then everybody must have been paid
// exactly once.
//   npm run chaos:settlements -- [--kills 20] [--payments 1000] [--merchants 200] [--seed N] [--plant twice|lost]
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { joinMerchant } from '../../apps/gateway/src/features/merchants/merchants.ts'
import { loadPayments, prepareMerchants } from '../../bench/settlements/load.ts'
import { type Stack, startStack, withGateway } from '../../tools/stack.ts'
import { withClient } from '../kit/database.ts'
import { runBounded } from '../main.ts'
import { chaosMerchants, compiledOnce, steadyPorts } from '../world.ts'
import { faults, madeSoFar, PLANTS, type Plant, plant, unpaid, unsettled } from './checks.ts'

const RUNNER = fileURLToPath(new URL('./runner.ts', import.meta.url))
const BANK_LIMIT_MS = 60_000
/** About what a group of merchants takes: a kill falls anywhere into it. */
const MOMENT_MS = 150

type Options = {
  readonly kills: number
  readonly payments: number
  readonly merchants: number
  readonly seed: number
  readonly plant: Plant | undefined
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string', default: '20' },
      payments: { type: 'string', default: '1000' },
      merchants: { type: 'string', default: '200' },
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      plant: { type: 'string' },
    },
  })
  const wished = PLANTS.find((name) => name === values.plant)
  if (wished !== values.plant) throw new Error(`--plant is one of ${PLANTS.join(', ')}`)
  const number = (text: string): number => {
    if (!/^\d+$/.test(text)) throw new Error('every option but --plant is a whole number')
    return Number(text)
  }
  return {
    kills: number(values.kills),
    payments: number(values.payments),
    merchants: number(values.merchants),
    seed: number(values.seed),
    plant: wished,
  }
}

type Held = { stack?: Stack; runners?: Set<ChildProcess> }

/** A run, once it has begun. */
async function begin(stack: Stack, held: Held): Promise<ChildProcess> {
  const child = spawn(process.execPath, [RUNNER], {
    env: { ...stack.env, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  held.runners?.add(child)
  child.once('exit', () => held.runners?.delete(child))
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('a run ended before it began')
    }),
  ])
  return child
}
const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Repeatable parts from 0 to 1. */
function partsFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Kills a run, or two, at an instant that was drawn: after so many of the settlements that it will make, and a moment more. */
async function killOne(
  stack: Stack,
  held: Held,
  settlements: number,
  two: boolean,
  draw: () => number,
): Promise<string | null> {
  const url = stack.databaseUrl('01')
  const before = await madeSoFar(url)
  const [part, moment] = [draw(), draw() * MOMENT_MS]
  const children = await Promise.all(Array.from({ length: two ? 2 : 1 }, () => begin(stack, held)))
  const going = () => children.some((child) => child.exitCode === null)
  while (going() && (await madeSoFar(url)) - before < Math.floor(part * settlements)) await pause(2)
  await pause(moment)
  const met = going()
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(ended))
  return met ? `${(await madeSoFar(url)) - before} of ${settlements}` : null
}

async function storm(
  options: Options,
  stack: Stack,
  ids: readonly bigint[],
  held: Held,
  signal: AbortSignal,
): Promise<bigint> {
  const url = stack.databaseUrl('01')
  const load = () => withClient(url, (client) => loadPayments(client, ids, options.payments))
  await withClient(url, (client) => prepareMerchants(client, ids))
  const settlements = options.merchants + Math.floor(options.merchants / 5) // every fifth has a sub account
  const draw = partsFrom(options.seed)
  const seen: string[] = []
  let owed = 0n
  while (seen.length < options.kills && !signal.aborted) {
    owed += await load()
    const point = await killOne(stack, held, settlements, seen.length % 3 === 2, draw)
    if (point !== null) seen.push(point) // else the run was over before: no kill
  }
  if (signal.aborted) return owed
  console.log(`kills, and the settlements that were made by then: ${seen.join(', ')}`)
  await ended(await begin(stack, held))
  return owed
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<boolean> {
  const runners = new Set<ChildProcess>()
  held.runners = runners
  // Whoever ends the test ends the runs too, or it would wait for them and leave PostgreSQL behind.
  signal.addEventListener('abort', () => {
    for (const child of runners) child.kill('SIGKILL')
  })
  const merchants = chaosMerchants(`settlements ${options.seed}`, ['01'], options.merchants)
  const ids: bigint[] = []
  const stack = await startStack(
    {
      dir,
      ports: await steadyPorts(),
      cells: ['01'],
      seed: `settlements ${options.seed}`,
      parts: ['simulator', 'api'],
      logLevel: 'fatal',
      env: await compiledOnce(join(dir, 'compiled')),
    },
    (config) =>
      withGateway(config, async ({ ctx }) => {
        for (const merchant of merchants) ids.push(await joinMerchant(ctx, '01', merchant))
      }),
  )
  held.stack = stack
  const url = stack.databaseUrl('01')
  const owed = await storm(options, stack, ids, held, signal)
  if (signal.aborted) return false
  await stack.start('worker') // sends what goes to banks
  const end = Date.now() + BANK_LIMIT_MS
  while (!signal.aborted && Date.now() < end && (await unpaid(url)) > 0) await pause(250)
  await stack.kill('worker')
  if (options.plant) await plant(url, options.plant)
  const wrong = await faults(url, `http://127.0.0.1:${stack.ports.simulator}`, owed)
  const [made, open, free] = [await madeSoFar(url), await unpaid(url), await unsettled(url)]
  console.log(
    `${owed} kobo of ${options.merchants} merchants, ${made} settlements; ${open} of them open, ${free} lines not settled`,
  )
  if (open + free > 0) wrong.push('not everything was settled and paid')
  for (const line of wrong) console.log(line)
  return wrong.length === 0
}

async function release(held: Held): Promise<void> {
  for (const child of held.runners ?? []) child.kill('SIGKILL')
  await held.stack?.stop()
}

if (import.meta.main) {
  const options = readOptions()
  const bounded = (dir: string, held: Held, signal: AbortSignal) => run(options, dir, held, signal)
  process.exit(await runBounded<Held>({ name: 'chaos:settlements', options, run: bounded, release }))
}
