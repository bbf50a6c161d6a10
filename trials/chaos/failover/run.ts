// Failovers under load: three nodes under pg_auto_failover, the primary of which is killed, frozen, cut off
// from the network, or killed after its standbys received nothing for a second. What was acknowledged must be
// there once, every repeat of what was answered must be answered alike, the books must hold, and callers must
// be refused for seconds only. Two controls lose some, and the checks find it: `--plant asynchronous`,
// commits that do not wait for a standby; `--plant alone`, repeats that are answered from rows that only one
// node has.
//   npm run trial -- failover [--failovers 20] [--rate 100] [--refused 6] [--seed N]
//     [--plant asynchronous|alone]
// `--refused` is for how many seconds callers may be, at p95. The short form allows more: --failovers 2
// --rate 30 --refused 20. A machine whose root may not make network namespaces ends with 3 and says so.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fromSource, type Stack } from '../../../tools/sandbox/stack.ts'
import { CannotRun, type Held, main, type Report } from '../kit/bounded.ts'
import { withClient } from '../kit/database.ts'
import { createGate, createHttp } from '../kit/http.ts'
import { readOptions } from '../kit/options.ts'
import { plantingFlags } from '../kit/plants.ts'
import { count, quantile, tableText, wrongText } from '../kit/report.ts'
import { chaosMerchants, logIn, seedMerchants, startChaosStack } from '../kit/world.ts'
import { check, type Evidence, outstanding } from '../payments/checks.ts'
import { createLoad, type Load } from '../payments/load.ts'
import { type PlannedPayment, planPayments } from '../payments/plan.ts'
import { startReceiver } from '../payments/receiver.ts'
import { startCaller } from './caller.ts'
import { type Formation, forbidden, type Node, needed, openFormation } from './nodes.ts'
import { ANSWERS_ALONE } from './plant.ts'

const GIVEN_UP_MOST = 0.02
const QUIET_LIMIT_MS = 90_000
const LONGEST_SECONDS = 60
/** Between failovers, so that each begins in peace. */
const PEACE_MS = 4_000
const DEAF_MS = 1_000
const UP_AGAIN_MS = 3_000

type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ failovers: 20, rate: 100, refused: 6 }, ['asynchronous', 'alone'])

type Strike = {
  readonly name: string
  /** Answers when the primary was lost. */
  do(primary: Node, standbys: readonly Node[], formation: Formation): Promise<number>
  undo(primary: Node): void
}

/** It takes connections again; whoever replaces it meanwhile is as good. */
async function upAgain(formation: Formation, node: Node): Promise<void> {
  const limit = Date.now() + UP_AGAIN_MS
  const asked = () => withClient(formation.url(node, 'cell_01'), (client) => client.query('select 1'))
  while (Date.now() < limit) {
    if (await asked().catch(() => null)) return
    await pause(50)
  }
}

const at =
  (lose: (primary: Node) => void): Strike['do'] =>
  async (primary) => {
    const lost = Date.now()
    lose(primary)
    return lost
  }

const ALONE = 'crashed and up again alone, then killed'
const DEAF = 'killed, its standbys deaf'
/** What a control is struck by, each time. */
const STRUCK_BY = { asynchronous: DEAF, alone: ALONE } as const

const STRIKES: readonly Strike[] = [
  { name: 'killed', do: at((primary) => primary.kill()), undo: (primary) => primary.start() },
  { name: 'frozen', do: at((primary) => primary.freeze()), undo: (primary) => primary.thaw() },
  { name: 'cut off', do: at((primary) => primary.cutOff()), undo: (primary) => primary.reconnect() },
  {
    // It comes up with rows that no standby has, and callers repeat what they asked.
    name: ALONE,
    do: async (primary, standbys, formation) => {
      for (const standby of standbys) standby.deafen()
      await pause(DEAF_MS)
      const lost = Date.now()
      primary.crash()
      await upAgain(formation, primary)
      await pause(DEAF_MS)
      primary.kill()
      for (const standby of standbys) standby.hear()
      return lost
    },
    undo: (primary) => primary.start(),
  },
  {
    name: DEAF,
    do: async (primary, standbys) => {
      for (const standby of standbys) standby.deafen()
      // No commit is acknowledged in this second: it is made here, and not by what follows.
      await pause(DEAF_MS)
      const lost = Date.now()
      primary.kill()
      for (const standby of standbys) standby.hear()
      return lost
    },
    undo: (primary) => primary.start(),
  },
]

type Failover = { readonly name: string; readonly refusedMs: number; readonly wholeMs: number }

async function strike(
  formation: Formation,
  { name, ...one }: Strike,
  caller: ReturnType<typeof startCaller>,
): Promise<Failover> {
  const primary = await formation.primary()
  const lost = await one.do(
    primary,
    formation.nodes.filter((node) => node !== primary),
    formation,
  )
  const next = await formation.replaced(primary)
  const replacedMs = Date.now() - lost
  await caller.answeredAfter(Date.now())
  const refusedMs = caller.longestGapAfter(lost)
  one.undo(primary)
  await formation.whole()
  const wholeMs = Date.now() - lost
  console.log(
    `${name}: ${primary.host} → ${next.host}, replaced after ${replacedMs} ms, callers refused ${refusedMs} ms, three nodes again after ${wholeMs} ms`,
  )
  return { name, refusedMs, wholeMs }
}

/** As long as it takes: payments by the clock until the last failover is over. */
function* whileWanted(plan: readonly PlannedPayment[], wanted: () => boolean): Iterable<PlannedPayment> {
  for (const payment of plan) {
    if (!wanted()) return
    yield payment
  }
}

async function storm(
  options: Options,
  formation: Formation,
  stack: Stack,
  load: Load,
  caller: ReturnType<typeof startCaller>,
  plan: readonly PlannedPayment[],
  signal: AbortSignal,
): Promise<{ failovers: Failover[]; others: string[] }> {
  let wanted = true
  const running = load.run(
    whileWanted(plan, () => wanted),
    Date.now(),
  )
  const failovers: Failover[] = []
  try {
    for (let n = 0; n < options.failovers && !signal.aborted; n += 1) {
      await pause(PEACE_MS)
      const { plant } = options
      const one = plant ? STRIKES.find(({ name }) => name === STRUCK_BY[plant]) : STRIKES[n % STRIKES.length]
      failovers.push(await strike(formation, one as Strike, caller))
    }
  } finally {
    wanted = false
    await running
    load.close()
    caller.stop()
  }
  const limit = Date.now() + QUIET_LIMIT_MS
  await Promise.race([load.settled(), pause(QUIET_LIMIT_MS)])
  const evidence = {
    cells: [{ cell: '01', url: formation.url(await formation.primary(), 'cell_01') }],
    simulatorUrl: stack.engine.url('simulator'),
  }
  while (!signal.aborted && Date.now() < limit && (await outstanding(evidence)) > 0) await pause(500)
  const others = await load.repeatAll()
  load.freeze()
  return { failovers, others }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const [why, missing] = [forbidden(), needed()]
  if (why !== null) throw new CannotRun(why)
  if (missing !== null) throw new Error(missing)
  const formation = await openFormation(join(dir, 'nodes'))
  held.defer(() => formation.stop())
  const merchants = chaosMerchants(`chaos ${options.seed}`, ['01'])
  const plan = planPayments(options.seed, {
    rate: options.rate,
    seconds: options.failovers * LONGEST_SECONDS,
    merchants,
  })
  const refusing = new Set(plan.filter((payment) => payment.refusesFirst).map((payment) => payment.paymentReference))
  const receiver = await startReceiver(merchants, (reference) => refusing.has(reference))
  held.defer(() => receiver.close())
  const ended: string[] = []
  const first = await formation.primary()
  const stack = await startChaosStack(
    {
      ...{ dir, seed: `chaos ${options.seed}`, parts: ['simulator', 'api', 'worker'] },
      elsewhere: { hosts: formation.hosts, url: (database) => formation.url(first, database) },
      onExit: (part, how) => ended.push(`${part}: ${how}`),
      ...(options.plant === 'alone' ? { launch: (part) => fromSource(part, plantingFlags(ANSWERS_ALONE)) } : {}),
    },
    (config) => seedMerchants(config, merchants, ({ path }) => receiver.url + path),
  )
  held.defer(() => stack.stop())
  if (options.plant === 'asynchronous')
    await withClient(formation.url(first, 'postgres'), (client) =>
      client.query('alter database cell_01 set synchronous_commit = local'),
    )
  const http = createHttp()
  held.defer(() => http.close())
  const apiUrl = `http://127.0.0.1:${stack.ports.api}`
  const load = createLoad({
    ...{ apiUrl, merchants, signal, send: http.send, journal: join(dir, 'acknowledged.jsonl') },
    gate: createGate(http.send, `${apiUrl}/health`, signal),
    bankUrl: `http://127.0.0.1:${stack.ports.simulator}`,
  })
  const [merchant] = merchants
  if (!merchant) return null
  const caller = startCaller(apiUrl, await logIn(apiUrl, merchant), merchant.contractCode)
  const { failovers, others } = await storm(options, formation, stack, load, caller, plan, signal)
  if (signal.aborted) return null
  const url = formation.url(await formation.primary(), 'cell_01')
  const evidence: Evidence = {
    ...{ cells: [{ cell: '01', url }], simulatorUrl: stack.engine.url('simulator') },
    ...{ merchants, acknowledged: load.acknowledged, receiver },
  }
  return report(options, failovers, load, others, ended, await check(evidence))
}

function report(
  options: Options,
  failovers: readonly Failover[],
  load: Load,
  others: readonly string[],
  ended: readonly string[],
  findings: Awaited<ReturnType<typeof check>>,
): Report {
  const { counts, acknowledged } = load
  const refused = failovers.map(({ refusedMs }) => refusedMs)
  const p95 = refused.toSorted((a, b) => a - b)[Math.ceil(refused.length * 0.95) - 1] ?? 0
  const givenUp = counts.started - counts.paid - counts.neverSent - load.faults.length
  const lost = findings.violations.get('an acknowledged payment is lost') ?? []
  const rows: [string, string][] = [
    ['failovers', `${failovers.length}`],
    [
      'payments',
      `${count(counts.started)} sent, ${count(acknowledged.size)} acknowledged, ${count(counts.paid)} paid, ${count(givenUp)} abandoned`,
    ],
    ['lost', `${lost.length}`],
    ['repeated', `every request that was answered; ${count(others.length)} answered otherwise`],
    [
      'callers refused',
      `p50 ${quantile(refused, 0.5)} ms, p95 ${quantile(refused, 0.95)} ms, max ${quantile(refused, 1)} ms`,
    ],
    [
      'three nodes again',
      `p50 ${quantile(
        failovers.map(({ wholeMs }) => wholeMs),
        0.5,
      )} ms`,
    ],
  ]
  const says = tableText(rows)
  // The control passes when the check has seen what it must see.
  if (options.plant)
    return { says, wrong: lost.length + others.length > 0 ? [] : [`nothing is lost by the plant ${options.plant}`] }
  const wrong: string[] = []
  for (const [kind, examples] of findings.violations) wrong.push(wrongText(kind, examples))
  if (others.length > 0) wrong.push(wrongText('a repeat was answered otherwise', others))
  if (load.faults.length > 0) wrong.push(wrongText('payments did not complete', load.faults))
  if (ended.length > 0) wrong.push(wrongText('a process exited unexpectedly', ended))
  if (givenUp > counts.started * GIVEN_UP_MOST)
    wrong.push(wrongText('too many payments were abandoned', [`${givenUp} of ${counts.started}`]))
  if (p95 > options.refused * 1000) wrong.push(wrongText('callers were refused for too long', refused.map(String)))
  return { says, wrong }
}

await main(import.meta, () => ({ name: 'failover', options: parseOptions(), limitMs: null, run }))
