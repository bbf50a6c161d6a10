// The adapters test: real adapters, each with a fake of its bank, are killed (SIGKILL) at random moments
// while they forward orders, and started again. It must show that no order was sent to a bank twice, that
// none is lost, that everything answered SUCCESS is in the bank's books and nothing answered FAILED is, and
// that every order comes to an end. What was marked and never reached the bank is ended by a person, with the
// bank's word.
//   npm run trial -- rails [--kills 100] [--clients 10] [--seed N] [--plant twice|lost|untrue|forgotten]
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openGateway } from '../../../packages/connector-exam/src/gateway/gateway.ts'
import { startPostgres } from '../../../tools/postgres/postgres.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { mulberry32, shuffled } from '../kit/random.ts'
import { type Evidence, type Hunted, PLANTS, planted, table, verdict } from './checks.ts'
import { adapterOf, ask, type Load, type Ordered, startLoad } from './load.ts'
import { CALL_SECONDS, KEY, openRail, RAILS, type Rail } from './rails.ts'

const LIFE_MS = { least: 250, more: 500 }
/** After an order was seen on its way: before it is read, while it is recorded, marked, sent or answered. */
const MOMENT_MS = 60
/** Nobody orders any more; then what was accepted and not forwarded is forwarded by the adapter itself, some
 *  seconds later. */
const LEFT_LIMIT_MS = 60_000
const ASKED_AT_ONCE = 8
/** What a kill may take on a busy machine, with the restart after it. */
const KILL_LIMIT_MS = 5_000

type Options = ReturnType<typeof parseOptions>

function parseOptions() {
  const options = readOptions({ kills: 100, clients: 10 }, PLANTS)
  if (options.kills < RAILS.length || options.clients < 1) throw new Error('--kills must be at least 2, --clients 1')
  return options
}

/** How the bank treats the orders of one life of its adapter: mostly it takes its time, and now and then it
 *  misbehaves. */
async function plan(rail: Rail, random: () => number): Promise<void> {
  const slow = Array.from({ length: 12 }, () => ({
    ...{ behaviour: 'slow' as const, delayMs: 5 + Math.floor(random() * 100), times: 4 },
  }))
  const bad = [
    { behaviour: 'mute' as const },
    { behaviour: 'deaf' as const },
    { behaviour: 'half' as const },
    { behaviour: 'status' as const, status: 500, taken: true },
    { behaviour: 'html' as const },
  ]
  await rail.calm()
  for (const one of shuffled([...slow, ...bad], random)) await rail.plan({ on: 'order', ...one })
  if (random() < 0.5) await rail.plan({ on: 'name', behaviour: 'slow', delayMs: 60, times: 6 })
}

/** Waits until an order is on its way, and a moment more. Returns how many are. */
async function moment(load: Load, random: () => number, signal: AbortSignal): Promise<number> {
  const until = Date.now() + 10_000
  await pause(LIFE_MS.least + random() * LIFE_MS.more)
  for (;;) {
    while (load.underWay() === 0 && !signal.aborted && Date.now() < until) await pause(1)
    await pause(random() * MOMENT_MS)
    if (load.underWay() > 0 || signal.aborted || Date.now() >= until) return load.underWay()
  }
}

async function hunt(rail: Rail, load: Load, kills: number, random: () => number, signal: AbortSignal): Promise<Hunted> {
  const hunted = { kills: 0, met: 0, idle: 0, recoveries: [] as number[] }
  while (hunted.kills < kills && !signal.aborted) {
    await plan(rail, random)
    const met = await moment(load, random, signal)
    if (signal.aborted) break
    const downSince = Date.now()
    await rail.kill()
    hunted.kills += 1
    hunted.met += met
    if (met === 0) hunted.idle += 1
    await rail.start()
    hunted.recoveries.push(Date.now() - downSince)
  }
  await rail.calm()
  return hunted
}

/** One after the other, some at a time. */
async function forEach(all: readonly Ordered[], work: (one: Ordered) => Promise<unknown>): Promise<void> {
  const queue = all.values()
  const next = async (): Promise<void> => {
    for (const one of queue) await work(one)
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, next))
}

/** Everything that is open is asked about; what the bank does not have is ended by a person. Then all are
 *  asked about once more. */
async function conclude(rail: Rail, ordered: readonly Ordered[], signal: AbortSignal): Promise<void> {
  const until = Date.now() + LEFT_LIMIT_MS
  while ((await rail.left()) > 0 && Date.now() < until && !signal.aborted) await pause(100)
  // Nobody says that the bank does not have an order while it may still be on its way there.
  await pause(1_000 * (CALL_SECONDS + 1))
  const adapter = adapterOf(rail)
  await forEach(
    ordered.filter(({ said }) => said === null),
    (one) => ask(adapter, one),
  )
  const paid = new Set((await rail.books()).orders.map(({ reference }) => reference))
  for (const one of ordered.filter(({ said, reference }) => said === null && !paid.has(reference)))
    if ((await rail.settle(one.sessionId)) === 'changed') Object.assign(one, { said: 'FAILED', by: 'a person' })
  await forEach(ordered, async (one) => {
    one.atLast = (await adapter.inquire(one.sessionId)).status
  })
}

async function storm(rail: Rail, kills: number, options: Options, at: number, signal: AbortSignal) {
  const random = mulberry32(options.seed + at)
  await rail.start()
  const load = startLoad(rail, options.clients, random, signal)
  const hunted = await hunt(rail, load, kills, random, signal)
  await load.stop()
  await conclude(rail, load.ordered, signal)
  return { hunted, ordered: load.ordered, faults: load.faults, books: await rail.books() }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const env = { NODE_COMPILE_CACHE: join(dir, 'compiled') }
  const engine = await startPostgres({ dir: join(dir, 'postgres') })
  held.defer(() => engine.stop())
  const databaseOf = (name: string): string => name.replaceAll('-', '_')
  for (const name of RAILS) await engine.createDatabase(databaseOf(name))
  // Each has a share of the kills, and both run at once: one is killed while the other forwards.
  const share = (at: number): number => Math.floor((options.kills + RAILS.length - 1 - at) / RAILS.length)
  const all = await Promise.all(
    RAILS.map(async (name, at): Promise<Evidence> => {
      const gateway = await openGateway()
      held.defer(() => gateway.close())
      gateway.share([KEY])
      const places = { databaseUrl: engine.url(databaseOf(name)), gatewayUrl: gateway.url, env }
      const rail = await openRail(name, places, held)
      const seen = await storm(rail, share(at), options, at, signal)
      return { rail: name, ...seen, notices: gateway.notices, faults: [...seen.faults, ...gateway.faults] }
    }),
  )
  if (signal.aborted) return null
  const evidence = options.plant ? [planted(all[0] as Evidence, options.plant), ...all.slice(1)] : all
  return { says: table(evidence), wrong: verdict(evidence, options.kills) }
}

await main(import.meta, () => {
  const options = parseOptions()
  return { name: 'rails', options, limitMs: 120_000 + options.kills * KILL_LIMIT_MS, run }
})
