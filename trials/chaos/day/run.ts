// A day on rails: the gateway, three adapters with fakes of their banks and the simulator run as processes,
// payouts are routed among three banks, cards are charged at the fourth, and each in turn fails for an hour.
// Payouts go on by another bank, nothing is paid twice, and our books are those of the banks.
//   npm run trial -- day [--operations 10000] [--seed N] [--plant
//     twice|unpaid|elsewhere|lost|kobo|charged|unstated]
// By which clock: the day is that of the gateway and the simulator, whose clock is moved from hour to hour;
// an outage is an hour of it, with four stops in which payouts come. Adapters and fakes live in real time,
// and signatures are always signed with that. While the simulator fails payers get account numbers of
// Providus, and pay there. Cards have one acquirer: what it does not answer is asked about until it does.
import { join } from 'node:path'
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { HOUR_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { createHttp } from '../kit/http.ts'
import { readOptions } from '../kit/options.ts'
import { wrongText } from '../kit/report.ts'
import { chaosMerchants, seedMerchants, startChaosStack, steadyNumbers, steadyPorts } from '../kit/world.ts'
import { readCards, returnMoney } from './cards.ts'
import { check, type Evidence, FINAL, falsified, PLANTS, readEvidence, readPaid, readRows } from './checks.ts'
import { createLoad, type Load } from './load.ts'
import { createMidnights, type Midnights } from './midnights.ts'
import { setRoutes, type Two, twoOperators } from './people.ts'
import { HOURS, type Operation, outageIn, planDay, QUARTERS, ROUTES } from './plan.ts'
import { ADAPTERS, CONNECTED, type Connected, keyOf, type Running, startRail, type Upstream } from './rails.ts'
import { table } from './report.ts'

const MERCHANTS = 5
const TWO_DAYS_SECONDS = 2 * 86_400
/** What a whole day may take: a start, the walk of the clock, and each operation. */
const [LIMIT_MS, LIMIT_OPERATION_MS] = [240_000, 100]
/** How long the simulator keeps somebody waiting whom it does not answer: its outage is to be an hour of the
 *  gateway's clock, not of ours. */
const SILENCE_MS = '500'

/** Of so many operations one is a charge that the acquirer never receives. It does not say so, and is asked
 *  about it to the end. */
const NEVER_RECEIVED_EVERY = 2_500

type Options = ReturnType<typeof parseOptions>
function parseOptions() {
  const options = readOptions({ operations: 10_000 }, PLANTS)
  if (options.operations < 300) throw new Error('--operations must be at least 300: fewer say nothing of an outage')
  return options
}

type World = {
  readonly stack: Stack
  readonly running: Readonly<Record<Connected, Running>>
  readonly bankUrl: string
}

async function openWorld(options: Options, dir: string, held: Held) {
  const seed = `day ${options.seed}`
  const merchants = chaosMerchants(seed, ['01'], MERCHANTS)
  const ports = await steadyPorts()
  const [providus = 0, nibss = 0, paystack = 0] = await steadyNumbers(CONNECTED.length)
  const portOf: Readonly<Record<Connected, number>> = { providus, nibss, paystack }
  const operatorUrl = `http://127.0.0.1:${ports.operator}`
  const ended: string[] = []
  let operators: Two | null = null
  const stack = await startChaosStack(
    {
      ...{ dir, seed, ports, parts: ['simulator', 'api', 'worker'] },
      onExit: (part, how) => ended.push(`${part}: ${how}`),
      env: {
        ...{ OPERATOR_PORT: String(ports.operator), OPERATOR_URL: operatorUrl, SIMULATOR_SILENCE_MS: SILENCE_MS },
        SIMULATOR_WITHOUT: 'card',
        CONNECTORS: CONNECTED.map((name) => `${name}=http://127.0.0.1:${portOf[name]}`).join(','),
        ...Object.fromEntries(CONNECTED.map((name) => [`CONNECTOR_${name.toUpperCase()}_KEY`, keyOf(name)])),
      },
    },
    async (config) => {
      await seedMerchants(config, merchants)
      operators = await twoOperators(config)
    },
  )
  held.defer(() => stack.stop())
  await stack.engine.createDatabase('adapters')
  const databaseUrl = stack.engine.url('adapters')
  const gatewayUrl = `http://127.0.0.1:${ports.api}`
  const start = (name: Connected) =>
    startRail(name, { port: portOf[name], databaseUrl, gatewayUrl, statements: join(dir, `${name}-statements`) }, held)
  const running = { providus: await start('providus'), nibss: await start('nibss'), paystack: await start('paystack') }
  if (operators === null) throw new Error('nobody is there to set routes')
  await setRoutes(operatorUrl, operators, ROUTES)
  const bankUrl = `http://127.0.0.1:${ports.simulator}`
  const world: World = { stack, running, bankUrl }
  return { world, merchants, ended }
}

// ---- outages

async function simulatorFaults({ bankUrl }: World, faults: object): Promise<void> {
  const answer = await fetch(`${bankUrl}/api/payout-faults`, { method: 'POST', body: JSON.stringify(faults) })
  if (answer.status !== 200) throw new Error(`the simulator refused its faults: ${await answer.text()}`)
}

/** A bank goes as banks do: it first pays some and does not say so, then it answers nothing that can be used,
 *  and not to a question either. */
async function fail(world: World, rail: Upstream, { seed, operations }: Options): Promise<void> {
  // Half of them are paid without a word, half never arrive.
  if (rail === 'bank') return simulatorFaults(world, { seed, lost: 1 })
  const fake = world.running[rail]
  if (rail === 'paystack') {
    const never = Math.ceil(operations / NEVER_RECEIVED_EVERY)
    // Not silent: an adapter waits for silence by the real clock, and the day moves another.
    await fake.next('charge', 'status', { status: 503, times: never })
    await fake.next('charge', 'half')
    return fake.next('verify', 'status', { status: 503 })
  }
  await fake.next('order', 'mute', { times: 2 })
  await fake.next('order', 'half', { times: 2 })
  await fake.next('order', 'status', { status: 503 })
  await fake.next('inquiry', 'status', { status: 503 })
}

/** Then everything: a transfer through NIBSS does not even come to be sent, because it begins with the
 *  name. */
async function failWholly(world: World, rail: Upstream): Promise<void> {
  if (rail !== 'bank' && rail !== 'paystack') await world.running[rail].next('name', 'status', { status: 503 })
}

const heal = (world: World, rail: Upstream): Promise<void> =>
  rail === 'bank' ? simulatorFaults(world, {}) : world.running[rail].reset()

// ---- the day

/** Answers how many payouts a person had to end. An hour after an outage the bank has said in writing what it
 *  has received. */
async function live(
  world: World,
  load: Load,
  midnights: Midnights,
  plan: readonly Operation[],
  options: Options,
): Promise<number> {
  let byHand = 0
  for (let hour = 0; hour < HOURS; hour += 1) {
    const failing = outageIn(hour)
    const stops = failing === null ? 1 : QUARTERS
    if (failing !== null) await fail(world, failing, options)
    for (let quarter = 0; quarter < stops; quarter += 1) {
      if (failing !== null && quarter === QUARTERS / 2) await failWholly(world, failing)
      await load.carry(plan.filter((one) => one.hour === hour && one.quarter === quarter))
      await midnights.advance(HOUR_SECONDS / stops)
    }
    if (failing !== null) await heal(world, failing)
    if (outageIn(hour - 1) !== null) byHand += await endWhatNobodyKnows(world)
    await returnMoney(world.running.paystack)
  }
  return byHand
}

/** What waits at an adapter and is not in its bank's books was never received there. Answers how many that
 *  were. */
async function endWhatNobodyKnows({ stack, running }: World): Promise<number> {
  const waiting = (await readRows(stack.databaseUrl('01'))).filter(({ status }) => !FINAL.has(status))
  let count = 0
  for (const adapter of ADAPTERS) {
    const known = new Set((await running[adapter].books()).map(({ accountNumber }) => accountNumber))
    const unheard = waiting.filter((row) => row.connector === adapter && !known.has(row.account_number))
    const sessions = unheard.flatMap(({ session_id }) => session_id ?? [])
    await running[adapter].endByHand(sessions)
    count += sessions.length
  }
  return count
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const { world, merchants, ended } = await openWorld(options, dir, held)
  const http = createHttp()
  held.defer(() => http.close())
  const load = createLoad(http.send, world.stack, { merchants, providus: world.running.providus }, signal)
  const plan = planDay(options.seed, options.operations, MERCHANTS)
  const began = performance.now()
  const midnights = createMidnights(load, world.running, options.plant === 'unstated')
  const byHand = await live(world, load, midnights, plan, options)
  // By the hour first, as payouts are asked about; then past two nights, with reconciliation and settlements.
  for (const seconds of [HOUR_SECONDS, TWO_DAYS_SECONDS]) {
    await midnights.advance(seconds)
    await returnMoney(world.running.paystack)
  }
  await midnights.advance(HOUR_SECONDS)
  const seconds = (performance.now() - began) / 1000
  if (signal.aborted) return null
  const url = world.stack.databaseUrl('01')
  const places = { url, simulatorUrl: world.stack.engine.url('simulator') }
  const { accepted } = load
  const collected = load.collected.map(({ reference }) => reference)
  const { charged } = midnights
  const came = { providus: load.elsewhere.kobo - charged.providus, nibss: -charged.nibss }
  const seen = await readEvidence(places, await readPaid(world.bankUrl, world.running), came)
  const cards = await readCards(url, load.charged, world.running.paystack)
  const evidence: Evidence = falsified({ accepted, collected, cards, ...seen }, options.plant)
  const says = table(evidence, { operations: plan.length, seconds, byHand, elsewhere: load.elsewhere.count })
  const found = check(evidence)
  for (const { invariant, rows, example } of await checkBooks(url))
    found.set(`books: ${invariant}`, [`${rows} rows, for example ${example}`])
  if (load.faults.length > 0) found.set('a request got an unexpected response', load.faults)
  if (ended.length > 0) found.set('a process exited unexpectedly', ended)
  return { says, wrong: [...found].map(([kind, examples]) => wrongText(kind, examples)) }
}

await main(import.meta, () => {
  const options = parseOptions()
  return { name: 'day', options, limitMs: LIMIT_MS + options.operations * LIMIT_OPERATION_MS, run }
})
