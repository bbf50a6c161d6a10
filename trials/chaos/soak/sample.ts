// Looks every three seconds: memory and event loop of each process, what is due and how long already, and how
// callers fare.
import { setTimeout as pause } from 'node:timers/promises'
import { withClient } from '../kit/database.ts'
import type { Member } from '../rolling/fleet.ts'
import { megabytesOf } from '../webhooks/watch.ts'
import type { Window } from './load.ts'

const EVERY_MS = 3_000
const METRICS_LIMIT_MS = 1_500

/** Seconds that the oldest has waited. */
export type Lags = { readonly webhooks: number; readonly work: number; readonly events: number }
export type Sample = Window & {
  /** Seconds since the start. */
  readonly at: number
  /** Acknowledged payments a second since the last look. */
  readonly payments: number
  /** By process: megabytes, and milliseconds that its event loop was late. Null: it did not answer. */
  readonly memory: Readonly<Record<string, number | null>>
  readonly loop: Readonly<Record<string, number | null>>
  /** Null: the database did not answer. */
  readonly lags: Lags | null
}

/** By the sandbox's clock. Webhooks are those of honest merchants: who answers after a minute has a queue of
 *  his own making. */
const LAGS = `
with clock as (select now() + coalesce((select offset_ms from sandbox_clock), 0) * interval '1 ms' as at),
oldest as (select at,
  (select min(due_at) from deliveries where state = 'PENDING' and merchant_id = any($1) and due_at <= at) as webhooks,
  (select min(due_at) from agenda where due_at <= at) as work,
  (select min(e.at) from outbox o join events e on e.id = o.event_id) as events from clock)
select ${['webhooks', 'work', 'events'].map((one) => `greatest(0, coalesce(extract(epoch from at - ${one}), 0))::float8 as ${one}`).join(', ')}
from oldest`

const memoryOf = (pid: number | undefined): number | null => {
  try {
    return pid === undefined ? null : megabytesOf(pid)
  } catch {
    return null
  }
}

async function loopOf({ privatePort }: Member): Promise<number | null> {
  const signal = AbortSignal.timeout(METRICS_LIMIT_MS)
  const text = await fetch(`http://127.0.0.1:${privatePort}/metrics`, { signal }).then(
    (answer) => answer.text(),
    () => '',
  )
  const seconds = /^cowrie_event_loop_delay_seconds (\S+)$/m.exec(text)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

export type Watched = {
  readonly members: readonly Member[]
  pid(name: string): number | undefined
  readonly names: readonly string[]
  url(): string
  /** Where the database may be now. */
  look(): Promise<void>
  readonly honest: readonly bigint[]
  readonly window: () => Window
  readonly payments: () => number
}

export function startSamples(watched: Watched, startedAt: number): { samples: Sample[]; stop(): Promise<void> } {
  const samples: Sample[] = []
  let stopped = false
  let [before, beforeAt] = [watched.payments(), Date.now()]
  const lagsNow = (): Promise<Lags | null> =>
    withClient(watched.url(), async (client) => {
      client.on('error', () => undefined) // struck
      return (await client.query<Lags>(LAGS, [watched.honest.map(String)])).rows[0] ?? null
    }).catch(async () => {
      await watched.look().catch(() => undefined)
      return null
    })
  const look = async (): Promise<void> => {
    const [lags, ...loops] = await Promise.all([lagsNow(), ...watched.members.map(loopOf)])
    const [now, payments] = [Date.now(), watched.payments()]
    samples.push({
      at: (now - startedAt) / 1000,
      payments: (payments - before) / Math.max(0.001, (now - beforeAt) / 1000),
      memory: Object.fromEntries(watched.names.map((name) => [name, memoryOf(watched.pid(name))])),
      loop: Object.fromEntries(watched.members.map(({ name }, at) => [name, loops[at] ?? null])),
      lags,
      ...watched.window(),
    })
    before = payments
    beforeAt = now
  }
  const running = (async () => {
    for (let n = 1; !stopped; n += 1) {
      await look()
      await pause(Math.max(100, startedAt + n * EVERY_MS - Date.now()))
    }
  })()
  return {
    samples,
    stop: () => {
      stopped = true
      return running
    },
  }
}
