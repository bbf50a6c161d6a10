// `npm run bench -- connectors`: the gateway's processor time for a payout through an adapter, beside one at
// the simulator direct, in one run and in turns; then payouts by the clock through the adapter. The direct
// one goes through an api that has no CONNECTORS, as of an installation with one bank.
//   npm run bench -- connectors [--payouts 300] [--rounds 5] [--rate 200] [--seconds 10]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'
import { freePort } from '../../../tools/ports.ts'
import { setRoutes, twoOperators } from '../../chaos/day/people.ts'
import { keyOf, startRail } from '../../chaos/day/rails.ts'
import type { Held } from '../../chaos/kit/bounded.ts'
import { createHttp, createLane, type Send } from '../../chaos/kit/http.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { quantile, tableText } from '../../chaos/kit/report.ts'
import { cpuSeconds, median, range } from '../kit/figures.ts'
import { type Bench, processorOf, runOn, tokensOf } from '../kit/stack.ts'

const OPTIONS = { payouts: 300, rounds: 5, rate: 200, seconds: 10 }
const { payouts: PAYOUTS, rounds: ROUNDS, rate: RATE, seconds: SECONDS } = readOptions(OPTIONS, [])

const MERCHANTS = 4
const AT_ONCE = 16
const LIMIT_MS = 30_000
const QUIET_MS = 20_000
const IDLE_SECONDS = 4
const RATIO_MOST = 1.1
/** Of payouts that were offered by the clock, those that are to be answered within the time that they were
 *  offered in, and a second. */
const HELD_LEAST = 0.99
const [TO_SIMULATOR, TO_ADAPTER] = ['033', '058']

/** An api of an installation with one bank, on the same cell. */
async function startDirect({ stack }: Bench, held: Held): Promise<{ url: string; pid: number }> {
  const port = await freePort()
  const source = fileURLToPath(new URL('../../../apps/gateway/src/api.ts', import.meta.url))
  const own = Object.entries(stack.env).filter(([name]) => !/^(?:CONNECTOR|OPERATOR)/.test(name))
  const child = spawn(process.execPath, ['--max-semi-space-size=64', fileOf('api', source)], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1', ...Object.fromEntries(own), PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  held.defer(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  const isThere = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isThere())) {
    if (child.exitCode !== null) throw new Error('the second api ended before it answered')
    await pause(50)
  }
  return { url, pid: child.pid ?? 0 }
}

let sent = 0
type Callers = { readonly send: Send; readonly tokens: readonly string[]; readonly wallets: readonly string[] }
/** Answers whether it was paid at once. */
async function payOut({ send, tokens, wallets }: Callers, url: string, bankCode: string): Promise<boolean> {
  sent += 1
  const at = sent % tokens.length
  const accountNumber = `3${String(sent).padStart(6, '0')}111`
  const reply = await send('POST', `${url}/api/v2/disbursements/single`, {
    headers: { authorization: `Bearer ${tokens[at]}` },
    limitMs: LIMIT_MS,
    body: {
      ...{ amount: 100, reference: `bench-${sent}`, narration: 'Wages', async: false },
      ...{ destinationBankCode: bankCode, destinationAccountNumber: accountNumber },
      destinationAccountName: accountName(bankCode, accountNumber),
      sourceAccountNumber: wallets[at],
    },
  })
  if (reply?.status !== 200) throw new Error(`a payout was refused: ${reply?.status} ${reply?.text}`)
  return (JSON.parse(reply.text) as { responseBody: { status: string } }).responseBody.status === 'SUCCESS'
}

/** Until the worker has nothing left of what was just done. */
async function quiet({ client }: Bench): Promise<void> {
  const left = 'select count(*)::int as count from outbox'
  const until = Date.now() + QUIET_MS
  while (Date.now() < until) {
    if ((await client.query<{ count: number }>(left)).rows[0]?.count === 0) return
    await pause(50)
  }
}

type Way = { readonly name: string; readonly url: string; readonly pid: number; readonly bankCode: string }

const usedBy = (bench: Bench, { pid }: Way): number => cpuSeconds(pid, false) + processorOf(bench).worker

/** Processor seconds that api and worker use in a second without payouts: who waits longer for a bank would
 *  pay for more of them. */
async function idle(bench: Bench, way: Way): Promise<number> {
  const before = usedBy(bench, way)
  await pause(IDLE_SECONDS * 1_000)
  return (usedBy(bench, way) - before) / IDLE_SECONDS
}

/** Processor milliseconds of api and worker for one payout, without what they use when nothing is to be
 *  done. */
async function measure(bench: Bench, callers: Callers, way: Way, idly: number): Promise<number> {
  const used = (): number => usedBy(bench, way) - (idly * performance.now()) / 1_000
  const lane = createLane(AT_ONCE)
  const before = used()
  const paid = await Promise.all(
    Array.from({ length: PAYOUTS }, (_, at) => lane(at, () => payOut(callers, way.url, way.bankCode))),
  )
  await quiet(bench)
  if (paid.includes(false)) throw new Error(`${way.name}: a payout was not paid at once`)
  return ((used() - before) * 1_000) / PAYOUTS
}

type Offered = { readonly waits: readonly number[]; readonly inTime: number }
const offerText = ({ waits, inTime }: Offered): string =>
  `${inTime} of ${waits.length} answered in time, p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms`

/** One every so often, whether or not the one before is answered. */
async function offer(callers: Callers, way: Way): Promise<Offered> {
  const [began, every] = [performance.now(), 1_000 / RATE]
  const waits: number[] = []
  const all = Array.from({ length: RATE * SECONDS }, async (_, at) => {
    await pause(at * every)
    const asked = performance.now()
    await payOut(callers, way.url, way.bankCode)
    waits.push(performance.now() - asked)
    return performance.now() - began <= (SECONDS + 1) * 1_000
  })
  return { waits, inTime: (await Promise.all(all)).filter(Boolean).length }
}

async function compare(bench: Bench, held: Held): Promise<boolean> {
  const { stack, merchants, apiUrl: url } = bench
  await stack.engine.createDatabase('adapters')
  const rail = await startRail(
    'providus',
    { port: adapterPort, databaseUrl: stack.engine.url('adapters'), gatewayUrl: url },
    held,
  )
  await setRoutes(operatorUrl, await twoOperators(stack.config), [
    { bankCode: TO_ADAPTER, connectors: ['providus', 'bank'] },
    { connectors: ['bank', 'providus'] },
  ])
  const direct = await startDirect(bench, held)
  const http = createHttp()
  held.defer(() => http.close())
  const callers = {
    send: http.send,
    tokens: await tokensOf(bench),
    wallets: merchants.map(({ walletNumber }) => walletNumber),
  }
  const pid = stack.pid('api') ?? 0
  const ways: readonly [Way, Way, Way] = [
    { name: 'simulator', ...direct, bankCode: TO_SIMULATOR },
    { name: 'routed to it', url, pid, bankCode: TO_SIMULATOR },
    { name: 'adapter', url, pid, bankCode: TO_ADAPTER },
  ]
  for (const way of ways) await measure(bench, callers, way, 0) // warms up
  const rates = await Promise.all(ways.map((way) => idle(bench, way)))
  const figures = ways.map((): number[] => [])
  // Every round begins with another, so that none is always the first.
  for (let round = 0; round < ROUNDS; round += 1)
    for (let turn = 0; turn < ways.length; turn += 1) {
      const at = (round + turn) % ways.length
      figures[at]?.push(await measure(bench, callers, ways[at] as Way, rates[at] ?? 0))
    }
  const [simple = 0, routed = 0, through = 0] = figures.map(median)
  const ratio = through / simple
  const micros = (values: readonly number[] = []): number[] => values.map((ms) => ms * 1_000)
  const shown = ways.map(({ name }, at) => {
    const own = micros(figures[at])
    return [name, `${Math.round(median(own))} µs of api and worker a payout ${range(own)}`] as const
  })
  const simply = await offer(callers, ways[0])
  const adapterBefore = cpuSeconds(rail.pid, false)
  const offered = await offer(callers, ways[2])
  const adapterMicros = ((cpuSeconds(rail.pid, false) - adapterBefore) / (RATE * SECONDS)) * 1e6
  console.log(
    tableText([
      ...shown,
      [
        'ratio',
        `adapter / simulator ${ratio.toFixed(3)}, at most ${RATIO_MOST}; routing alone ${(routed / simple).toFixed(3)}`,
      ],
      ['by the clock', `${RATE} a second for ${SECONDS} s`],
      ['simulator', offerText(simply)],
      ['adapter', `${offerText(offered)}; ${Math.round(adapterMicros)} µs of the adapter itself a payout`],
    ]),
  )
  const isHeld = offered.inTime >= RATE * SECONDS * HELD_LEAST
  console.log(`bench connectors: ${ratio <= RATIO_MOST && isHeld ? 'PASS' : 'FAIL'}`)
  return ratio <= RATIO_MOST && isHeld
}

const [adapterPort, operatorPort] = [await freePort(), await freePort()]
const operatorUrl = `http://127.0.0.1:${operatorPort}`
const env = {
  ...{ OPERATOR_PORT: String(operatorPort), OPERATOR_URL: operatorUrl },
  ...{ CONNECTORS: `providus=http://127.0.0.1:${adapterPort}`, CONNECTOR_PROVIDUS_KEY: keyOf('providus') },
}
const parts = ['simulator', 'api', 'worker'] as const
await runOn({ merchants: MERCHANTS, env, parts, walletKobo: () => 100_000_000_000n }, compare)
