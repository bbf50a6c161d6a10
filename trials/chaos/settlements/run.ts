// The settlement test: payments are loaded, a run begins and is killed at an instant chosen by the seed;
// again and again, each run with what the last one left. In every third round two runs go at once. The last
// run is left alone, and then everybody must have been paid exactly once.
//   npm run trial -- settlements [--kills 20] [--payments 1000] [--merchants 200] [--seed N] [--plant
//     twice|lost]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { withClient } from '../kit/database.ts'
import { readOptions } from '../kit/options.ts'
import { mulberry32 } from '../kit/random.ts'
import { chaosMerchants, seedMerchants, startChaosStack } from '../kit/world.ts'
import { faults, madeSoFar, PLANTS, plant, unpaid, unsettled } from './checks.ts'
import { loadPayments, prepareMerchants } from './load.ts'

const RUNNER = fileURLToPath(new URL('./runner.ts', import.meta.url))
const BANK_LIMIT_MS = 60_000
/** About what a group of merchants takes: a kill falls anywhere into it. */
const MOMENT_MS = 150

type Options = ReturnType<typeof parseOptions>

const parseOptions = () => readOptions({ kills: 20, payments: 1000, merchants: 200 }, PLANTS)

/** A run, once it has begun. */
async function begin(stack: Stack, runners: Set<ChildProcess>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [RUNNER], {
    env: { ...stack.env, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  runners.add(child)
  child.once('exit', () => runners.delete(child))
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('a settlement run ended before it started')
    }),
  ])
  return child
}
const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Kills a run, or two, at a random instant: after so many of the settlements that it will make, and a moment
 *  more. */
async function killOne(
  stack: Stack,
  runners: Set<ChildProcess>,
  settlements: number,
  two: boolean,
  random: () => number,
): Promise<string | null> {
  const url = stack.databaseUrl('01')
  const before = await madeSoFar(url)
  const [part, moment] = [random(), random() * MOMENT_MS]
  const children = await Promise.all(Array.from({ length: two ? 2 : 1 }, () => begin(stack, runners)))
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
  runners: Set<ChildProcess>,
  signal: AbortSignal,
): Promise<bigint> {
  const url = stack.databaseUrl('01')
  const load = () => withClient(url, (client) => loadPayments(client, ids, options.payments))
  await withClient(url, (client) => prepareMerchants(client, ids))
  const settlements = options.merchants + Math.floor(options.merchants / 5) // every fifth has a sub account
  const random = mulberry32(options.seed)
  const seen: string[] = []
  let owed = 0n
  while (seen.length < options.kills && !signal.aborted) {
    owed += await load()
    const point = await killOne(stack, runners, settlements, seen.length % 3 === 2, random)
    if (point !== null) seen.push(point) // else the run was over before: no kill
  }
  if (signal.aborted) return owed
  console.log(`settlements made before each kill: ${seen.join(', ')}`)
  await ended(await begin(stack, runners))
  return owed
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const seed = `settlements ${options.seed}`
  const merchants = chaosMerchants(seed, ['01'], options.merchants)
  let ids: readonly bigint[] = []
  const stack = await startChaosStack({ dir, seed, parts: ['simulator', 'api'] }, async (config) => {
    ids = await seedMerchants(config, merchants)
  })
  held.defer(() => stack.stop())
  const runners = new Set<ChildProcess>()
  const killRunners = () => {
    for (const child of runners) child.kill('SIGKILL')
  }
  held.defer(killRunners)
  // Whoever ends the test ends the runs too, or it would wait for them and leave PostgreSQL behind.
  signal.addEventListener('abort', killRunners)
  const url = stack.databaseUrl('01')
  const owed = await storm(options, stack, ids, runners, signal)
  if (signal.aborted) return null
  await stack.start('worker') // sends what goes to banks
  const end = Date.now() + BANK_LIMIT_MS
  while (!signal.aborted && Date.now() < end && (await unpaid(url)) > 0) await pause(250)
  await stack.kill('worker')
  if (options.plant) await plant(url, options.plant)
  const wrong = await faults(url, `http://127.0.0.1:${stack.ports.simulator}`, owed)
  const [made, open, free] = [await madeSoFar(url), await unpaid(url), await unsettled(url)]
  const says = `${owed} kobo of ${options.merchants} merchants, ${made} settlements; ${open} of them open, ${free} lines not settled`
  return { says, wrong: open + free > 0 ? [...wrong, 'not everything was settled and paid'] : wrong }
}

await main(import.meta, () => ({ name: 'settlements', options: parseOptions(), run }))
