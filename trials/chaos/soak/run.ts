// The soak: a whole gateway for an hour. Two apis behind HAProxy, two workers, the bank and receivers of
// every sort run as processes, a mixed load comes by the clock, and a schedule of the seed kills, restarts,
// freezes and moves what it can. Memory must stay flat, lags must come back, and at the end everything that
// was acknowledged must be there once.
//   npm run trial -- soak [--minutes 60] [--rate 3] [--gap 40] [--seed N] [--failovers 1] [--page file]
//     [--date
//     text] [--plant leak|lag|lost|kobo|unheard|crowd]
// Needs haproxy. One api and one worker are never killed: their memory is what is judged. `--plant` is the
// control of a rule.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { HOUR_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import { lacks } from '../../../tools/programs.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main } from '../kit/bounded.ts'
import { createHttp } from '../kit/http.ts'
import { readOptions } from '../kit/options.ts'
import { count } from '../kit/report.ts'
import { chaosMerchants, logIn, seedMerchants, startChaosStack, steadyNumbers, steadyPorts } from '../kit/world.ts'
import { plant } from '../nemesis/checks.ts'
import { createCaller, type Seen } from '../nemesis/load.ts'
import { type Member, type RunningFleet, startFleet } from '../rolling/fleet.ts'
import { makeCertificates } from '../webhooks/certificates.ts'
import { IN_FLIGHT_MAX, isHonest, onTheirWay } from '../webhooks/checks.ts'
import { startZoo, type Zoo } from '../webhooks/keeper.ts'
import { assignBehaviours, type ZooMerchant } from '../webhooks/plan.ts'
import type { ZooReport } from '../webhooks/zoo.ts'
import { checkAll, untaken } from './checks.ts'
import { type Database, openDatabase } from './database.ts'
import { type Load, measured, reserveAccounts, startLoad } from './load.ts'
import { pageOf } from './page.ts'
import {
  callersAreServed,
  type Heap,
  lagsAreBounded,
  memoryIsBounded,
  memoryIsFlat,
  processesLived,
  type Verdict,
  verdictOf,
} from './rules.ts'
import { startSamples } from './sample.ts'
import { type Battlefield, GAP_SECONDS, planStrikes, type Struck, strikeAll } from './strikes.ts'

const [MERCHANTS, HOSTILE] = [17, 8] // a prime, so that each merchant has all sorts of turns
const QUIET_LIMIT_MS = 120_000
const TWO_DAYS_SECONDS = 2 * 86_400
const PLANTED_LAG_MS = 100_000
const PLANTS = ['leak', 'lag', 'lost', 'kobo', 'unheard', 'crowd'] as const

type Options = ReturnType<typeof parseOptions>
function parseOptions() {
  const options = readOptions({ minutes: 60, rate: 3, gap: GAP_SECONDS, failovers: 1 }, PLANTS, ['page', 'date'])
  if ([options.minutes, options.rate, options.gap].some((one) => one < 1))
    throw new Error('--minutes, --rate and --gap must be at least 1')
  return options
}

type World = {
  readonly stack: Stack
  readonly running: RunningFleet
  readonly database: Database
  readonly zoo: Zoo
  readonly merchants: readonly (ZooMerchant & { readonly id: bigint })[]
}

const heapFile = (dir: string, { name }: Member): string => join(dir, 'heap', `${name}.txt`)
/** The second of each part lives through the whole run. */
const isSpared = ({ name }: Member): boolean => name.endsWith('-2')

function envOf(options: Options, dir: string, stack: Stack) {
  const look = fileURLToPath(new URL('heap.ts', import.meta.url))
  return (member: Member): Record<string, string> => ({
    ...stack.env,
    ...{ DRAIN_SECONDS: '2', STOP_SECONDS: '25', TRUSTED_PROXIES: '127.0.0.1', NODE_OPTIONS: `--import ${look}` },
    ...(isSpared(member) ? { SOAK_HEAP: heapFile(dir, member) } : {}),
    ...(isSpared(member) && member.part === 'api' && options.plant === 'leak' ? { SOAK_LEAK: '1' } : {}),
  })
}

async function openWorld(options: Options, dir: string, held: Held): Promise<World> {
  const certificates = await makeCertificates(join(dir, 'certificates'))
  const seed = `soak ${options.seed}`
  const named = assignBehaviours(options.seed, chaosMerchants(seed, ['01'], MERCHANTS), HOSTILE, certificates !== null)
  const [closed = 0] = await steadyNumbers(1)
  const zoo = await startZoo(named, certificates, closed)
  held.defer(() => zoo.stop())
  const database = await openDatabase(dir, held, options.failovers)
  const ports = await steadyPorts()
  let ids: readonly bigint[] = []
  const stack = await startChaosStack(
    {
      dir,
      seed,
      ports,
      parts: ['simulator'],
      ...database.place,
      env: certificates ? { NODE_EXTRA_CA_CERTS: certificates.authority } : {},
    },
    async (config) => {
      ids = await seedMerchants(config, named, (merchant) => zoo.urlOf(merchant))
    },
  )
  held.defer(() => stack.stop())
  mkdirSync(join(dir, 'heap'))
  const running = await startFleet(dir, ports.api, held, envOf(options, dir, stack))
  const merchants = named.map((merchant, at) => ({ ...merchant, id: ids[at] as bigint }))
  return { stack, running, database, zoo, merchants }
}

/** Both workers stand still for longer than any strike may take. */
async function plantLag({ running: { fleet, members } }: World, seconds: number): Promise<void> {
  await pause((seconds * 1000) / 4)
  const pids = members.filter(({ part }) => part === 'worker').map((member) => fleet.pid(member))
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) if (pid !== undefined) process.kill(pid, name)
  }
  signal('SIGSTOP')
  await pause(PLANTED_LAG_MS)
  signal('SIGCONT')
}

type Storm = {
  readonly seen: Seen
  readonly load: Load
  readonly total: { readonly calls: number; readonly refused: number }
  readonly struck: readonly Struck[]
  readonly samples: ReturnType<typeof startSamples>['samples']
  readonly startedAt: number
  readonly quiet: boolean
  /** Moves the clock at the api that is never killed, past the balancer, which would not wait so long. */
  readonly advance: (seconds: number) => Promise<void>
}

async function storm(options: Options, world: World, held: Held, signal: AbortSignal): Promise<Storm> {
  const { stack, running, database, merchants } = world
  const http = createHttp()
  held.defer(() => http.close())
  const calls = measured(http.send, `http://127.0.0.1:${stack.ports.api}`)
  const caller = createCaller(calls.send, stack, merchants, signal)
  const spared = running.members.find((member) => isSpared(member) && member.part === 'api') as Member
  const direct = createCaller(http.send, { ...stack, ports: { ...stack.ports, api: spared.port } }, merchants, signal)
  const seen: Seen = { paid: new Set(), payouts: new Set(), refunds: new Set() }
  const ids = merchants.map(({ id }) => id)
  const seconds = options.minutes * 60
  const callers = { caller, merchants, ids, seen }
  const accounts = await reserveAccounts(callers)
  const startedAt = Date.now()
  const load = startLoad(callers, accounts, { rate: options.rate, seconds, startedAt }, signal)
  const honest = merchants.filter(isHonest).map(({ id }) => id)
  const members = new Map(running.members.map((member) => [member.name, member]))
  const sampler = startSamples(
    {
      ...{ members: running.members, names: [...members.keys(), 'bank'], honest, look: () => database.look() },
      pid: (name) => {
        const member = members.get(name)
        return member ? running.fleet.pid(member) : stack.pid('simulator')
      },
      url: () => stack.databaseUrl('01'),
      window: calls.take,
      payments: () => seen.paid.size,
    },
    startedAt,
  )
  // Its token may be of an hour that has passed: then once more.
  const advance = (by: number): Promise<void> => direct.advance(by).catch(() => direct.advance(by))
  // Each instant of a walk waits until nothing is due, and somebody who answers after a minute always has
  // something due.
  const move = async (by: number): Promise<void> => {
    await pointHostile(world, false)
    await advance(by)
    await pointHostile(world, true)
  }
  const field: Battlefield = { stack, running, database, advance: move }
  try {
    const drawn = planStrikes(options.seed, seconds, database.noFailover === null ? options.failovers : 0, options.gap)
    // The control of lags stands alone: a strike that takes minutes, or ends what stands still, would explain
    // them.
    const plan = options.plant === 'lag' ? drawn.filter(({ kind }) => !/worker|clock/.test(kind)) : drawn
    const [struck] = await Promise.all([
      strikeAll(field, plan, startedAt, signal),
      options.plant === 'lag' ? plantLag(world, seconds) : null,
      load.done,
    ])
    await database.look()
    const quiet = await untilQuiet(world, signal)
    await pause(4_000) // one more look at the lags
    await sampler.stop()
    calls.take()
    return { seen, load, total: calls.total, struck, samples: sampler.samples, startedAt, quiet, advance }
  } finally {
    await sampler.stop()
  }
}

/** Takes the hostile receivers off, as their merchants would, or puts them back. */
async function pointHostile({ stack, zoo, merchants }: World, there: boolean): Promise<void> {
  const apiUrl = `http://127.0.0.1:${stack.ports.api}`
  const point = async (merchant: ZooMerchant): Promise<void> => {
    const headers = { authorization: `Bearer ${await logIn(apiUrl, merchant)}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ all: there ? zoo.urlOf(merchant) : null })
    const answer = await fetch(`${apiUrl}/sandbox/webhook-urls`, { method: 'PUT', headers, body })
    if (answer.status !== 200) throw new Error(`a receiver could not be moved: ${await answer.text()}`)
  }
  await Promise.all(merchants.filter((one) => !isHonest(one)).map(point))
}

/** The clock walks, so that every payout has its outcome and two nights have compared our books with the
 *  bank's. */
async function conclude(world: World, { advance }: Storm): Promise<void> {
  const { running } = world
  await pointHostile(world, false)
  for (const member of running.members)
    if (member.part === 'api' && !isSpared(member)) await running.fleet.end(member, 'SIGTERM')
  for (const seconds of [HOUR_SECONDS, HOUR_SECONDS, HOUR_SECONDS, TWO_DAYS_SECONDS]) await advance(seconds)
}

/** Until nothing of honest merchants is on its way. */
async function untilQuiet({ stack, merchants }: World, signal: AbortSignal): Promise<boolean> {
  const honest = merchants.filter(isHonest).map(({ id }) => id)
  const giveUpAt = Date.now() + QUIET_LIMIT_MS
  while (!signal.aborted && Date.now() < giveUpAt) {
    if ((await onTheirWay(stack.databaseUrl('01'), honest).catch(() => 1)) === 0) return true
    await pause(500)
  }
  return false
}

function readHeaps(dir: string, members: readonly Member[], startedAt: number): Record<string, Heap> {
  const read = (file: string): Heap =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(' ').map(Number) as [number, number])
          .map(([at, megabytes]) => ({ at: (at - startedAt) / 1000, megabytes }))
          .filter(({ at }) => at >= 0)
      : []
  return Object.fromEntries(members.filter(isSpared).map((member) => [member.name, read(heapFile(dir, member))]))
}

/** Of the first event that an honest merchant took, nothing is known any more. */
function unheard(report: ZooReport, merchants: readonly ZooMerchant[]): ZooReport {
  const gone = report.arrivals.find(({ merchant }) => isHonest(merchants[merchant] as ZooMerchant))?.id
  return { ...report, arrivals: report.arrivals.filter(({ id }) => id !== gone) }
}

/** A slow receiver had five more of its requests open at once than it had. */
function crowded(report: ZooReport, merchants: readonly ZooMerchant[]): ZooReport {
  const one = report.arrivals.find(({ merchant }) => !isHonest(merchants[merchant] as ZooMerchant))
  if (one === undefined) throw new Error('no arrival to falsify')
  const more = Array.from({ length: IN_FLIGHT_MAX }, () => ({ ...one, until: one.at + 1 }))
  return { ...report, arrivals: [...report.arrivals, ...more] }
}

const falsified = (plant: Options['plant'], report: ZooReport, merchants: readonly ZooMerchant[]): ZooReport => {
  if (plant === 'unheard') return unheard(report, merchants)
  return plant === 'crowd' ? crowded(report, merchants) : report
}

const git = (...args: string[]): string => {
  try {
    return execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

function factsOf(options: Options, { seen, load, total, struck }: Storm): [string, string][] {
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes'
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return [
    ['Commit', `${git('rev-parse', '--short=12', 'HEAD') || 'unknown'}${changed}`],
    ['Date', options.date ?? 'not given'],
    ['Machine', `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${gigabytes} GB, Node ${process.version}`],
    ['Seed', String(options.seed)],
    ['Length', `${options.minutes} minutes`],
    ['Load', `${options.rate} payments a second by the clock, ${count(load.started())} in all`],
    [
      'Acknowledged',
      `${count(seen.paid.size)} payments, ${count(seen.payouts.size)} payouts, ${count(seen.refunds.size)} refunds, ${count(load.reserved())} transfers into reserved accounts`,
    ],
    ['Calls', `${count(total.calls)}, ${count(total.refused)} of them refused`],
    ['Receivers', `${MERCHANTS - HOSTILE} honest, ${HOSTILE} slow, wrong or hostile`],
    ['Strikes', String(struck.length)],
  ]
}

async function judge(options: Options, dir: string, world: World, end: Storm, quiet: boolean): Promise<Verdict[]> {
  const { stack, running, merchants } = world
  const { seen, samples, struck, startedAt, total } = end
  const spared = running.members.filter(isSpared).map(({ name }) => name)
  const heaps = readHeaps(dir, running.members, startedAt)
  if (options.plant === 'lost') await plant(stack, seen, 'lose')
  if (options.plant === 'kobo') await plant(stack, seen, 'kobo')
  const report = falsified(options.plant, await world.zoo.report(), merchants)
  const isOfDatabase = ({ kind }: Struck) => kind === 'crash database' || kind === 'failover'
  const lostAt = struck.filter(isOfDatabase).map(({ at }) => startedAt + at)
  const failed = struck.filter(({ fault }) => fault).map(({ kind, note }) => `${kind}: ${note}`)
  return [
    ...(await checkAll(stack, merchants, seen, report, { kills: struck.length, lostAt })),
    verdictOf(
      'the queues drained',
      quiet && end.quiet ? [] : ['something is still on its way'],
      'nothing was left on its way',
    ),
    ...Object.entries(heaps).map(([name, heap]) => memoryIsFlat(name, heap, options.minutes * 60)),
    memoryIsBounded(samples),
    lagsAreBounded(samples, struck),
    callersAreServed(total, samples, struck),
    processesLived(samples, struck, spared),
    verdictOf('every strike took place', failed, `${struck.length} strikes, and what was struck was there again`),
  ]
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<boolean> {
  if (lacks('haproxy')) throw new Error('haproxy is not installed')
  const world = await openWorld(options, dir, held)
  const end = await storm(options, world, held, signal)
  if (signal.aborted) return false
  await conclude(world, end)
  const quiet = (await untilQuiet(world, signal)) && (await untaken(world.stack)) === 0
  await world.running.fleet.stop() // nothing moves while the evidence is read
  const verdicts = await judge(options, dir, world, end, quiet)
  const facts = factsOf(options, end)
  for (const [name, value] of facts) console.log(`  ${name.padEnd(12)} ${value}`)
  for (const { rule, held: kept, says } of verdicts) console.log(`${kept ? 'ok  ' : 'FAIL'} ${rule}: ${says}`)
  const { noFailover } = world.database
  const page = pageOf({
    ...{ facts, verdicts, struck: end.struck, samples: end.samples, seconds: options.minutes * 60 },
    heaps: readHeaps(dir, world.running.members, end.startedAt),
    missing:
      noFailover === null
        ? []
        : [`No database machine was lost in this run: ${noFailover}. \`npm run trial -- failover\` is the test of it.`],
  })
  if (options.page !== undefined) writeFileSync(options.page, page)
  return verdicts.every(({ held: kept }) => kept)
}

await main(import.meta, () => ({ name: 'soak', options: parseOptions(), limitMs: null, run }))
