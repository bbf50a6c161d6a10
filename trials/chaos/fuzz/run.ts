// Fuzz: requests over all routes, of keys and of people, made from the contract: seven in ten nearly valid,
// two mutated, one of raw bytes. No answer may be a fault of ours, late, or without the envelope; no process
// may end; and afterwards the books must be in order.
//   npm run trial -- fuzz [--requests 10000] [--width 16] [--seed N] [--plant status|shape]
import { createHmac } from 'node:crypto'
import { Agent, request } from 'undici'
import { SIGNATURE_HEADER, signedText, TIMESTAMP_HEADER } from '../../../packages/contract/src/bank/connector.ts'
import { ROUTES } from '../../../packages/contract/src/index.ts'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import { freePort } from '../../../tools/ports.ts'
import { bankKeyOf } from '../../../tools/sandbox/seed.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { mulberry32 } from '../kit/random.ts'
import { count, wrongText } from '../kit/report.ts'
import { type ChaosMerchant, chaosMerchants, logIn, seedMerchants, startChaosStack } from '../kit/world.ts'
import { type Answer, faultOf } from './answers.ts'
import { harms, PEOPLE, type People, peopleIn, sessionFor, sideOf, stayIn } from './people.ts'
import { basicOf, requestFor, type Sent } from './requests.ts'
import { chance, pick, type Random, Seen } from './values.ts'

const MERCHANTS = 4
/** The clock is moved by itself, between rounds: beside other requests something is always due. */
const ALONE = 'sandbox.advance'
const ROUND = 2_000
const MINUTES_10 = 600
const HANGS_MS = 65_000
/** A move over weeks does thousands of deadlines, each at its own instant. */
const WALK_HANGS_MS = 300_000
const SLOWEST = 5

type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ requests: 10_000, width: 16 }, ['status', 'shape'])

type Tally = { asked: number; succeeded: number; slowest: string; slowestMs: number }
type Findings = Map<string, string[]>

const found = (findings: Findings, kind: string, example: string): void => {
  findings.set(kind, [...(findings.get(kind) ?? []), example])
}

type World = {
  readonly url: string
  readonly agent: Agent
  readonly merchants: readonly ChaosMerchant[]
  /** Its keys are rotated and lost. */
  readonly sacrificed: ChaosMerchant
  /** Operators suspend it, and change its addresses and limits. */
  readonly target: ChaosMerchant
  readonly operatorUrl: string
  readonly people: People
  readonly operatorSeen: Seen
  readonly databaseUrl: string
  readonly tokens: string[]
  readonly seen: readonly Seen[]
  readonly signed: (path: string, body: string, method: string) => Record<string, string>
}

async function exchange(world: World, sent: Sent): Promise<Answer> {
  const began = performance.now()
  const hangsMs = sent.route.id === ALONE ? WALK_HANGS_MS : HANGS_MS
  const base = sideOf(sent.route) === 'operator' ? world.operatorUrl : world.url
  const answer = await request(base + sent.path, {
    method: sent.route.method,
    dispatcher: world.agent,
    headers: sent.headers,
    headersTimeout: hangsMs,
    bodyTimeout: hangsMs,
    ...(sent.body === undefined ? {} : { body: sent.body }),
  })
  const text = await answer.body.text()
  const type = String(answer.headers['content-type'] ?? '')
  return { status: answer.statusCode, text, ms: performance.now() - began, type }
}

const show = ({ route, kind, path, body }: Sent, { status, text }: Answer): string =>
  `${route.method} ${path.slice(0, 120)} (${kind}) ${String(body ?? '').slice(0, 160)} → ${status} ${text.slice(0, 160)}`

async function one(world: World, route: Route, random: Random, tallies: Map<string, Tally>, findings: Findings) {
  const at = Math.floor(random() * world.merchants.length)
  const side = sideOf(route)
  const merchant = harms(route) ? world.target : (world.merchants[at] as ChaosMerchant)
  // What harms a merchant knows no other by name.
  const seen = harms(route) ? new Seen() : side === 'operator' ? world.operatorSeen : (world.seen[at] as Seen)
  const session = side ? sessionFor(world.people, side, at, random) : ''
  const keys = { token: world.tokens[at] ?? '', basic: basicOf(world.sacrificed), session }
  const sent = requestFor(route, { random, seen, merchant }, keys, (path, body) =>
    world.signed(path, body, route.method),
  )
  const tally = tallies.get(route.id) ?? { asked: 0, succeeded: 0, slowest: '', slowestMs: 0 }
  tallies.set(route.id, tally)
  tally.asked += 1
  try {
    const answer = await exchange(world, sent)
    if (answer.status < 300) {
      tally.succeeded += 1
      if (!route.file) seen.learn((JSON.parse(answer.text) as { responseBody?: unknown }).responseBody)
    }
    if (answer.ms > tally.slowestMs) Object.assign(tally, { slowestMs: answer.ms, slowest: show(sent, answer) })
    const fault = faultOf(sent, answer)
    if (fault !== null) found(findings, `${route.id}: ${fault}`, show(sent, answer))
  } catch (error) {
    found(findings, `${route.id}: no answer`, `${route.method} ${sent.path.slice(0, 120)}: ${(error as Error).message}`)
  }
}

async function round(
  world: World,
  n: number,
  width: number,
  random: Random,
  tallies: Map<string, Tally>,
  findings: Findings,
) {
  const routes = [...ROUTES.filter((route) => route.id !== ALONE), ...PEOPLE]
  let left = n
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await one(world, pick(random, routes), random, tallies, findings)
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
}

async function moveClock(world: World, random: Random, tallies: Map<string, Tally>, findings: Findings): Promise<void> {
  const route = ROUTES.find(({ id }) => id === ALONE)
  if (!route) return
  for (let i = 0; i < 3; i += 1)
    await one(world, route, () => (chance(random, 0.5) ? random() : 0.95), tallies, findings)
  // They may have moved it past the hour of every token.
  for (const [at, merchant] of world.merchants.entries()) world.tokens[at] = await logIn(world.url, merchant)
  const body = JSON.stringify({ seconds: MINUTES_10 })
  const headers = { authorization: `Bearer ${world.tokens[0]}`, 'content-type': 'application/json' }
  const moved = await exchange(world, { route, kind: 'nearly valid', path: route.path, headers, body })
  await stayIn(world.databaseUrl, JSON.parse(moved.text).responseBody.now)
}

const signer =
  (key: string): World['signed'] =>
  (path, body, method) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const digest = createHmac('sha256', key)
      .update(signedText(timestamp, method, path, body))
      .digest('hex')
    return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${digest}` }
  }

function report(options: Options, tallies: Map<string, Tally>, findings: Findings, seconds: number): void {
  const never = [...tallies].filter(([, { succeeded }]) => succeeded === 0).map(([id]) => id)
  const succeeded = [...tallies.values()].reduce((sum, tally) => sum + tally.succeeded, 0)
  for (const [kind, examples] of findings) console.log(wrongText(kind, examples))
  console.log(`  ${count(succeeded)} of ${count(options.requests)} requests succeeded, in ${Math.round(seconds)} s`)
  const slow = [...tallies].toSorted(([, a], [, b]) => b.slowestMs - a.slowestMs).slice(0, SLOWEST)
  for (const [id, { slowest, slowestMs }] of slow) console.log(`  slow: ${id} ${Math.round(slowestMs)} ms: ${slowest}`)
  console.log(`  ${tallies.size} routes; ${never.length} never succeeded: ${never.join(', ')}`)
  console.log(`  ${[...findings.values()].reduce((sum, examples) => sum + examples.length, 0)} findings`)
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<boolean> {
  const seed = `fuzz ${options.seed}`
  const all = chaosMerchants(seed, ['01'], MERCHANTS + 2)
  const findings: Findings = new Map()
  const operatorPort = await freePort()
  const operatorUrl = `http://127.0.0.1:${operatorPort}`
  let people: People = { ofMerchant: [], operators: [] }
  const stack: Stack = await startChaosStack(
    {
      ...{ dir, seed, parts: ['simulator', 'api', 'worker'] },
      env: { ANONYMOUS_PER_SECOND: '1000000', OPERATOR_PORT: String(operatorPort), OPERATOR_URL: operatorUrl },
      onExit: (part, how) => found(findings, `${part} ended`, how),
    },
    async (config) => {
      people = await peopleIn(config, all, await seedMerchants(config, all))
    },
  )
  held.defer(() => stack.stop())
  const agent = new Agent({ connections: options.width, pipelining: 1 })
  held.defer(() => agent.destroy())
  const url = `http://127.0.0.1:${stack.ports.api}`
  const merchants = all.slice(0, MERCHANTS)
  const tokens = await Promise.all(merchants.map((merchant) => logIn(url, merchant)))
  const world: World = {
    ...{ url, agent, merchants, tokens, sacrificed: all[MERCHANTS] as ChaosMerchant },
    ...{ target: all[MERCHANTS + 1] as ChaosMerchant, operatorUrl, people, operatorSeen: new Seen() },
    databaseUrl: stack.databaseUrl('01'),
    ...{ seen: merchants.map(() => new Seen()), signed: signer(bankKeyOf(seed)) },
  }
  const random = mulberry32(options.seed)
  const tallies = new Map<string, Tally>()
  const began = performance.now()
  for (let sent = 0; sent < options.requests && !signal.aborted; sent += ROUND) {
    await round(world, Math.min(ROUND, options.requests - sent), options.width, random, tallies, findings)
    await moveClock(world, random, tallies, findings)
  }
  if (options.plant) {
    const [route] = ROUTES
    const sent = { route: route as Route, kind: 'raw', path: '/', headers: {}, body: undefined } as const
    const answer = { status: options.plant === 'status' ? 500 : 200, text: '{}', ms: 1, type: '' }
    const fault = faultOf(sent, answer)
    if (fault !== null) found(findings, `planted: ${fault}`, 'a planted answer')
  }
  report(options, tallies, findings, (performance.now() - began) / 1000)
  return findings.size === 0 && !signal.aborted
}

await main(import.meta, () => ({ name: 'fuzz', options: parseOptions(), limitMs: null, run }))
