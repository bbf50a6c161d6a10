// The adapters, each between a fake of its bank and a gateway that records notices: how it is started and
// killed, and what its bank has.

import pg from 'pg'
import * as nibss from '../../../connectors/nibss-easypay/test/processes.ts'
import { referenceOf } from '../../../connectors/providus/src/mapping.ts'
import * as providus from '../../../connectors/providus/test/processes.ts'
import { type BookRow, createUpstream, type Plan } from '../../../packages/connector-exam/src/subject/upstream.ts'
import { createOrders, systemClock } from '../../../packages/connector-kit/src/index.ts'
import type { Held } from '../kit/bounded.ts'

export const RAILS = ['providus', 'nibss-easypay'] as const
export type RailName = (typeof RAILS)[number]

export const KEY = 'a key that both sides share'
/** Institution of the sessions, and so of the adapter that takes no others. */
export const INSTITUTION = nibss.INSTITUTION
/** After this long no call to a bank is under way any more. */
export const CALL_SECONDS = 5
/** The gateway is answered sooner than usual, so that a silent bank keeps no client for long. */
const LIMITS = { ANSWER_SECONDS: '1', CALL_SECONDS: String(CALL_SECONDS) }

/** What the bank has. `received`: the reference of every call for an order, taken or not. */
export type Books = { readonly received: readonly string[]; readonly orders: readonly BookRow[] }

export type Rail = {
  readonly name: RailName
  /** Where the adapter answers now; nowhere while it is dead. */
  readonly url: () => string
  start(): Promise<void>
  /** SIGKILL. */
  kill(): Promise<void>
  /** What the bank knows an order by. */
  referenceOf(sessionId: string): string
  plan(plan: Plan): Promise<unknown>
  /** From now on the bank treats every call as usual. */
  calm(): Promise<void>
  books(): Promise<Books>
  /** How many orders the adapter has accepted and not forwarded. */
  left(): Promise<number>
  /** A person's word for an order that the bank has said it does not have. */
  settle(sessionId: string): Promise<string>
}

/** Nobody listens there. */
export const NOWHERE = 'http://127.0.0.1:1'
type Started = { readonly url: string; readonly kill: () => Promise<unknown>; readonly stop: () => Promise<unknown> }
type Fake = { readonly url: string; readonly receivedPath: string; readonly start: () => Promise<Started> }
type Places = {
  readonly databaseUrl: string
  readonly gatewayUrl: string
  /** For the adapter's environment, beside its settings. */
  readonly env: Readonly<Record<string, string>>
}

async function openProvidus({ databaseUrl, gatewayUrl, env }: Places, held: Held): Promise<Fake> {
  const fake = await providus.startFake()
  held.defer(() => fake.kill())
  const places = { fakeUrl: fake.url, databaseUrl, schema: 'providus', gatewayUrl, keys: [KEY] }
  const settings = { ...providus.settingsOf(places), ...LIMITS, ...env }
  return { url: fake.url, receivedPath: '/fake/received', start: () => providus.startAdapter(fake, settings) }
}

async function openNibss({ databaseUrl, gatewayUrl, env }: Places, held: Held): Promise<Fake> {
  const fake = await nibss.startFake()
  held.defer(() => fake.kill())
  const settings = { ...nibss.settings({ databaseUrl, gatewayUrl, nibssUrl: fake.url }, [KEY]), ...LIMITS, ...env }
  return { url: fake.url, receivedPath: '/exam/received', start: () => nibss.startAdapter(settings) }
}

const OPEN = { providus: openProvidus, 'nibss-easypay': openNibss }
const SCHEMAS = { providus: 'providus', 'nibss-easypay': 'nibss_easypay' }
const REFERENCES = { providus: referenceOf, 'nibss-easypay': (sessionId: string) => sessionId }

const never = (): Promise<never> => Promise.reject(new Error('the person who settles calls no bank'))

/** On an empty database. The adapter has been started and stopped once, so that its tables are there and
 *  later starts find it compiled. */
export async function openRail(name: RailName, places: Places, held: Held): Promise<Rail> {
  const pool = new pg.Pool({ connectionString: places.databaseUrl, max: 2 })
  pool.on('error', () => undefined)
  held.defer(() => pool.end())
  const fake = await OPEN[name](places, held)
  await (await fake.start()).stop()
  const upstream = createUpstream(fake.url)
  const schema = SCHEMAS[name]
  let adapter: Started | null = null
  const kill = async (): Promise<void> => {
    const running = adapter
    adapter = null
    await running?.kill()
  }
  held.defer(kill)
  const received = async (): Promise<readonly string[]> => {
    const answer = await fetch(fake.url + fake.receivedPath)
    return ((await answer.json()) as { readonly references: readonly string[] }).references
  }
  return {
    name,
    kill,
    url: () => adapter?.url ?? NOWHERE,
    start: async () => {
      adapter = await fake.start()
      if (adapter.url === NOWHERE) throw new Error(`the adapter ${name} did not start`)
    },
    referenceOf: REFERENCES[name],
    plan: (plan) => upstream.next(plan),
    calm: () => upstream.reset(),
    books: async () => ({ received: await received(), orders: (await upstream.books()).orders }),
    left: async () => {
      const text = `select count(*)::int as count from ${schema}.orders where state = 'ACCEPTED'`
      return (await pool.query<{ count: number }>(text)).rows[0]?.count ?? 0
    },
    settle: (sessionId) => {
      const orders = createOrders({ pool, schema, clock: systemClock, mapping: { forward: never, ask: never } })
      return orders.settle(sessionId, { kind: 'known', status: 'FAILED', code: '21' }, 'the person of this run')
    },
  }
}
