// `npm run bench -- connectors-payments`: the gateway's processor time for a payment by transfer whose number
// and money come from a bank behind an adapter, beside one at the simulator direct, in one run and in turns;
// then payments by the clock through the adapter. Two installations stand side by side: one with the
// simulator alone, and one whose first bank reports no credits, so that payers get numbers of Providus.
//   npm run bench -- connectors-payments [--payments 300] [--rounds 5] [--rate 200] [--seconds 10]
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../tools/ports.ts'
import { keyOf, startRail } from '../../chaos/day/rails.ts'
import type { Held } from '../../chaos/kit/bounded.ts'
import { createHttp, createLane, type Send } from '../../chaos/kit/http.ts'
import { readOptions } from '../../chaos/kit/options.ts'
import { quantile, tableText } from '../../chaos/kit/report.ts'
import { cpuSeconds, median, range } from '../kit/figures.ts'
import { type Bench, openBench, processorOf, run, tokensOf } from '../kit/stack.ts'

const OPTIONS = { payments: 300, rounds: 5, rate: 200, seconds: 10 }
const { payments: PAYMENTS, rounds: ROUNDS, rate: RATE, seconds: SECONDS } = readOptions(OPTIONS, [])

const MERCHANTS = 4
const AT_ONCE = 16
const LIMIT_MS = 30_000
/** After the last payer has paid. */
const COUNTED_WITHIN_MS = 60_000
const STOCKED_WITHIN_MS = 180_000
const IDLE_SECONDS = 4
const RATIO_MOST = 1.1
/** Of payments that were offered by the clock, those that are to be PAID within the time that they were
 *  offered in, and a second. */
const HELD_LEAST = 0.99
const NAIRA = 100

/** An installation, and how a payer pays at its bank. */
type Way = {
  readonly name: string
  readonly bench: Bench
  readonly tokens: readonly string[]
  readonly pay: (account: Account) => Promise<void>
}
type Account = { readonly accountNumber: string; readonly bankCode: string }

let sent = 0

async function post<T>(send: Send, url: string, token: string, body: object): Promise<T> {
  const reply = await send('POST', url, { headers: { authorization: `Bearer ${token}` }, limitMs: LIMIT_MS, body })
  if (reply?.status !== 200) throw new Error(`${url}: ${reply?.status} ${reply?.text}`)
  return (JSON.parse(reply.text) as { readonly responseBody: T }).responseBody
}

/** A merchant asks for money, and its payer pays. */
async function pay(send: Send, { bench, tokens, pay: atBank }: Way): Promise<void> {
  sent += 1
  const at = sent % tokens.length
  const [token = '', merchant] = [tokens[at], bench.merchants[at]]
  const url = bench.apiUrl
  const { transactionReference } = await post<{ transactionReference: string }>(
    send,
    `${url}/api/v1/merchant/transactions/init-transaction`,
    token,
    {
      ...{ amount: NAIRA, customerName: 'Ada Obi', customerEmail: 'ada@bench.example', currencyCode: 'NGN' },
      ...{ paymentReference: `bench-${sent}`, paymentDescription: 'Cloth', contractCode: merchant?.contractCode },
    },
  )
  const path = '/api/v1/merchant/bank-transfer/init-payment'
  await atBank(await post<Account>(send, url + path, token, { transactionReference }))
}

const paidCount = async ({ bench: { client } }: Way): Promise<number> =>
  (await client.query<{ count: number }>(`select count(*)::int as count from transactions where status = 'PAID'`))
    .rows[0]?.count ?? 0

async function untilPaid(way: Way, count: number, until: number): Promise<number> {
  let paid = await paidCount(way)
  while (paid < count && performance.now() < until) {
    await pause(50)
    paid = await paidCount(way)
  }
  return paid
}

const usedBy = ({ bench }: Way): number => {
  const { api, worker } = processorOf(bench)
  return api + worker
}

/** Processor seconds that api and worker use in a second without payments. */
async function idle(way: Way): Promise<number> {
  const before = usedBy(way)
  await pause(IDLE_SECONDS * 1_000)
  return (usedBy(way) - before) / IDLE_SECONDS
}

/** Processor milliseconds of api and worker for one payment, without what they use when nothing is to be
 *  done. */
async function measure(send: Send, way: Way, idly: number): Promise<number> {
  const used = (): number => usedBy(way) - (idly * performance.now()) / 1_000
  const lane = createLane(AT_ONCE)
  const [before, already] = [used(), await paidCount(way)]
  await Promise.all(Array.from({ length: PAYMENTS }, (_, at) => lane(at, () => pay(send, way))))
  const paid = (await untilPaid(way, already + PAYMENTS, performance.now() + COUNTED_WITHIN_MS)) - already
  if (paid < PAYMENTS) throw new Error(`${way.name}: ${paid} of ${PAYMENTS} are PAID`)
  return ((used() - before) * 1_000) / PAYMENTS
}

type Offered = { readonly waits: readonly number[]; readonly inTime: number }
const offerText = ({ waits, inTime }: Offered): string =>
  `${inTime} of ${RATE * SECONDS} PAID in time; a payer waits p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms for both calls and the bank`

/** One every so often, whether or not the one before is done. */
async function offer(send: Send, way: Way): Promise<Offered> {
  const [began, every, already] = [performance.now(), 1_000 / RATE, await paidCount(way)]
  const waits: number[] = []
  const all = Array.from({ length: RATE * SECONDS }, async (_, at) => {
    await pause(at * every)
    const asked = performance.now()
    await pay(send, way)
    waits.push(performance.now() - asked)
  })
  const [inTime] = await Promise.all([
    untilPaid(way, already + RATE * SECONDS, began + (SECONDS + 1) * 1_000),
    Promise.all(all),
  ])
  await untilPaid(way, already + RATE * SECONDS, performance.now() + COUNTED_WITHIN_MS)
  return { waits, inTime: inTime - already }
}

async function open(env: Record<string, string>, held: Held): Promise<Pick<Way, 'bench' | 'tokens'>> {
  const bench = await openBench({ merchants: MERCHANTS, env, parts: ['simulator', 'api', 'worker'] }, held)
  return { bench, tokens: await tokensOf(bench) }
}

/** Until there are numbers for everybody: how fast a bank issues them is not what is measured. */
async function stocked({ client }: Bench, count: number): Promise<void> {
  const until = performance.now() + STOCKED_WITHIN_MS
  const text = 'select count(*)::int as count from bank_numbers where taken_at is null'
  while (((await client.query<{ count: number }>(text)).rows[0]?.count ?? 0) < count) {
    if (performance.now() > until) throw new Error('the bank issues numbers too slowly')
    await pause(500)
  }
}

async function compare(held: Held): Promise<boolean> {
  const { send, close } = createHttp()
  held.defer(close)
  const simple = await open({}, held)
  const payAtSimulator = async ({ accountNumber, bankCode }: Account): Promise<void> => {
    const body = { bankCode, accountNumber, amount: NAIRA, scenario: 'exact' }
    const reply = await send('POST', `http://127.0.0.1:${simple.bench.stack.ports.simulator}/api/transfers`, {
      ...{ body, limitMs: LIMIT_MS },
    })
    if (reply?.status !== 200) throw new Error(`the payer could not pay: ${reply?.text}`)
  }
  const port = await freePort()
  const needed = PAYMENTS * (ROUNDS + 1) + RATE * SECONDS
  const env = {
    ...{ CONNECTORS: `providus=http://127.0.0.1:${port}`, CONNECTOR_PROVIDUS_KEY: keyOf('providus') },
    ...{ SIMULATOR_WITHOUT: 'credits', NUMBERS_STOCK: String(needed + 200) },
  }
  const routed = await open(env, held)
  const { stack } = routed.bench
  await stack.engine.createDatabase('adapters')
  const gatewayUrl = routed.bench.apiUrl
  const rail = await startRail('providus', { port, databaseUrl: stack.engine.url('adapters'), gatewayUrl }, held)
  const payAtProvidus = ({ accountNumber, bankCode }: Account): Promise<void> => {
    if (bankCode !== '101') throw new Error(`a payer got a number of ${bankCode}`)
    return rail.credit(accountNumber, BigInt(NAIRA * 100))
  }
  await stocked(routed.bench, needed)
  const ways: readonly [Way, Way] = [
    { name: 'simulator', ...simple, pay: payAtSimulator },
    { name: 'adapter', ...routed, pay: payAtProvidus },
  ]
  for (const way of ways) await measure(send, way, 0) // warms up
  const rates = [await idle(ways[0]), await idle(ways[1])] as const
  const figures: readonly [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round += 1)
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const))
      figures[at].push(await measure(send, ways[at], rates[at]))
  const ratio = median(figures[1]) / median(figures[0])
  const simply = await offer(send, ways[0])
  const adapterBefore = cpuSeconds(rail.pid, false)
  const offered = await offer(send, ways[1])
  const adapterMicros = ((cpuSeconds(rail.pid, false) - adapterBefore) / (RATE * SECONDS)) * 1e6
  console.log(
    tableText([
      ...ways.map(({ name }, at) => {
        const own = (figures[at as 0 | 1] ?? []).map((ms) => ms * 1_000)
        return [name, `${Math.round(median(own))} µs of api and worker a payment ${range(own)}`] as const
      }),
      ['ratio', `adapter / simulator ${ratio.toFixed(3)}, at most ${RATIO_MOST}`],
      ['by the clock', `${RATE} a second for ${SECONDS} s`],
      ['simulator', offerText(simply)],
      ['adapter', `${offerText(offered)}; ${Math.round(adapterMicros)} µs of the adapter itself a payment`],
    ]),
  )
  const isHeld = offered.inTime >= RATE * SECONDS * HELD_LEAST
  console.log(`bench connectors-payments: ${ratio <= RATIO_MOST && isHeld ? 'PASS' : 'FAIL'}`)
  return ratio <= RATIO_MOST && isHeld
}

await run(compare)
