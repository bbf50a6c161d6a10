// One gateway with two banks, both the simulator, each with books of its own; a clock that both follow; and
// people at the operator's. Its databases are new, the cluster is the programme's.
import pg from 'pg'
import { walkIn } from '../../../apps/gateway/src/features/screens/sandbox/sandbox.ts'
import { sharedOf } from '../../../apps/gateway/test/features/access/acts.ts'
import { byTwo } from '../../../apps/gateway/test/features/access/merchants.ts'
import { answering } from '../../../apps/gateway/test/features/bank/issuing-bank.ts'
import { SECOND_KEY, type SecondBank, secondBank } from '../../../apps/gateway/test/features/bank/second-bank.ts'
import type { Harness } from '../../../apps/gateway/test/kit/harness.ts'
import { type Cluster, open } from '../../../apps/gateway/test/kit/open.ts'
import { DAY_MS, HOUR_MS } from '../../../packages/contract/src/kit/durations.ts'
import { withClient } from '../kit/database.ts'
import { DAYS, DAYS_AFTER } from './plan.ts'

export const CELL = '01'
export type BankName = 'bank' | 'second'
/** Payouts to this bank go through the second connector. */
export const BY_SECOND = '057'
/** Whose numbers the second bank gives out. */
export const ISSUER = '101'

/** The number of the second connector. */
const SECOND = 2
/** Of the payouts of a history some are larger, and some not. */
export const LARGE_REVERSAL_KOBO = 800_000n
const SETTINGS = { CONNECTIONS: '16', LARGE_REVERSAL: String(LARGE_REVERSAL_KOBO / 100n) }
/** Hundreds of numbers run out one by one; a worker may be a quarter of an hour late. */
const STRIDE_MS = 15 * 60_000
/** As our books call money of a bank. */
export const nameOf = (bank: BankName, session: string): string => (bank === 'bank' ? session : `${SECOND} ${session}`)
export type World = {
  readonly h: Harness
  readonly second: SecondBank
  /** The books of the banks, which the programme may change: a bank does what it wants. */
  readonly books: Readonly<Record<BankName, pg.Pool>>
  readonly urlOf: Readonly<Record<BankName, string>>
  readonly keyOf: Readonly<Record<BankName, string>>
  /** Midnight of Lagos of the first day. */
  readonly firstDay: Date
  /** Moves the clock of the gateway and of its first bank. */
  readonly walk: ReturnType<typeof walkIn>
  close(): Promise<void>
}

/** A few days before a month ends, so that every history has the end of one. */
function firstDayOf(now: Date): number {
  const lagos = new Date(now.getTime() + HOUR_MS)
  const endOf = (month: number): number => Date.UTC(lagos.getUTCFullYear(), lagos.getUTCMonth() + month, 1) - HOUR_MS
  const [first = 0, next = 0] = [1, 2].map((month) => endOf(month) - (DAYS - 2) * DAY_MS)
  return first > now.getTime() ? first : next
}

export async function openWorld(cluster: Cluster): Promise<World> {
  const firstDay = new Date(firstDayOf(new Date(Date.now())))
  let second: SecondBank | null = null
  const { harness: h, close } = await open({
    ...{ settles: true, silenceMs: 20, cluster },
    settings: async ({ apiUrl, databases }) => {
      await begin(databases, firstDay)
      second = await secondBank(apiUrl, { issues: ISSUER, clusterUrl: cluster.url })
      return { CONNECTORS: `second=${second.url}`, CONNECTOR_SECOND_KEY: SECOND_KEY, ...SETTINGS }
    },
  })
  if (second === null) throw new Error('the second bank did not start')
  const other: SecondBank = second
  const books = {
    bank: new pg.Pool({ connectionString: (h.databases as Record<string, string>)['simulator'], max: 4 }),
    second: new pg.Pool({ connectionString: other.databaseUrl, max: 4 }),
  }
  const world: World = {
    ...{ h, second: other, books, firstDay },
    urlOf: { bank: h.simulatorUrl, second: other.url },
    walk: walkIn(sharedOf(h), STRIDE_MS),
    keyOf: { bank: h.config.keys.bank[0].key, second: SECOND_KEY },
    close: async () => {
      for (const pool of Object.values(books)) await pool.end()
      await close()
      await other.end()
    },
  }
  await answering(h)
  await byTwo(h, 'routes.set', { cell: CELL, input: { connectors: ['second'], bankCode: BY_SECOND } })
  await other.follow(h.gateway.ctx.clock.offsetMs())
  return world
}

/** The sandbox's clock stands there before the gateway is opened: nights in which nobody lives cost as much
 *  as others. */
const begin = (databases: Readonly<Record<string, string>>, firstDay: Date): Promise<unknown> =>
  withClient(databases[CELL] as string, (client) =>
    client.query('insert into sandbox_clock (offset_ms) values ($1)', [firstDay.getTime() + 7 * HOUR_MS - Date.now()]),
  )

/** Both banks' clocks are where the gateway's is, also when a statement is asked for on the way. */
export async function walkTo({ h, second, walk }: World, at: Date): Promise<void> {
  const { clock } = h.gateway.ctx
  for (;;) {
    const now = clock.now().getTime()
    if (now >= at.getTime()) return
    // A stop at ten past midnight of Lagos, before statements are asked for at half past.
    const sinceMidnight = (now + HOUR_MS) % DAY_MS
    const toTen = (10 * 60_000 - sinceMidnight + DAY_MS) % DAY_MS || DAY_MS
    const next = new Date(Math.min(at.getTime(), now + toTen))
    await walk(() => next)
    await second.follow(clock.offsetMs())
  }
}

export const momentOf = ({ firstDay }: World, day: number, hour: number): Date =>
  new Date(firstDay.getTime() + day * DAY_MS + hour * HOUR_MS)
export const END_DAY = DAYS + DAYS_AFTER

/** What our books have of a credit: nothing yet, its outcome, or what became of it in suspense. */
const STATE = `select case c.outcome when 'SUSPENDED' then s.status else c.outcome end as state
  from bank_sessions b join inbound_credits c on c.transfer_id = b.transfer_id
  left join suspense_items s on s.bank_reference = b.bank_reference where b.bank_reference = any($1)`
export const stateOf = async (w: World, ...names: string[]): Promise<string | null> =>
  (await w.h.sql<{ state: string }>(CELL, STATE, [names]))[0]?.state ?? null
