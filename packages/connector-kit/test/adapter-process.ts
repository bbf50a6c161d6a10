// A whole adapter as a process of its own, for tests that kill it. What it is to do comes as JSON in its
// first argument, because a process that may die anywhere can be given nothing later; `die` names the point
// at which it kills itself, as `kill -9` would.
import pg from 'pg'
import { createLog, createOrders, createOutbox, drainOnSignals, migrate, serve } from '../src/index.ts'
import { createMapping } from './mapping.ts'

export type Death = 'accepted' | 'marked' | null
export type AdapterConfig = {
  readonly databaseUrl: string
  readonly schema: string
  readonly upstreamUrl: string
  readonly gatewayUrl: string
  readonly keys: readonly string[]
  /** How far its clock is ahead of real time. */
  readonly aheadMs: number
  readonly die: Death
  /** At the n-th time that it gets there. */
  readonly dieAfter: number
}

const config = JSON.parse(process.argv[2] ?? '') as AdapterConfig
if (process.channel) process.on('disconnect', () => process.exit(0))

const clock = { now: () => new Date(Date.now() + config.aheadMs) }
const pool = new pg.Pool({ connectionString: config.databaseUrl, max: 10 })

const POINTS: Readonly<Record<Exclude<Death, null>, RegExp>> = {
  accepted: /^\s*insert into \w+\.orders \(/,
  marked: /set state = 'FORWARDED'/,
}
let reached = 0
if (config.die !== null) {
  const point = POINTS[config.die]
  const query = pool.query.bind(pool) as (text: string, values: unknown[]) => Promise<unknown>
  // After the commit, before anything else.
  Object.assign(pool, {
    query: async (text: string, values: unknown[]) => {
      const result = await query(text, values)
      if (point.test(text)) reached += 1
      if (reached >= config.dieAfter) process.kill(process.pid, 'SIGKILL')
      return result
    },
  })
}

const store = { pool, schema: config.schema, clock }
const log = createLog({ name: 'adapter', clock, write: () => undefined })
const keys = () => config.keys
const mapping = {
  ...createMapping(() => config.upstreamUrl),
  self: { bankCode: '999', bankName: 'Bank of the test', environment: 'TEST' as const },
}
await migrate(store)
const signing = { now: () => new Date() }
const outbox = createOutbox({ ...store, gatewayUrl: config.gatewayUrl, keys, log, signingClock: signing })
const orders = createOrders({ ...store, mapping, notify: outbox.notify })
const server = await serve({ ...store, clock: signing, mapping, orders, keys, log })
drainOnSignals(server, () => outbox.stop().then(() => pool.end()), log)
process.send?.({ url: server.url })
outbox.start()
