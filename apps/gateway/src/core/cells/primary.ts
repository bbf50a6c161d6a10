// A cell's database may be a primary with standbys: its address then names all of them
// (postgres://login@a,b:5433,c/cell_01). The driver knows one host. Here the one that takes writes is found,
// and connections go there. When another takes over, connections to the old one are cut at once: a machine
// that is frozen or cut off never says that it was replaced, and whoever asked it would wait for the whole
// limit of a statement. What was on its way then is an unknown outcome, as after every lost connection
// (docs/decisions/0067-start-and-stop.md).
import type { Socket } from 'node:net'
import { Client, type ClientConfig } from 'pg'
import { pause } from '#kit/clock.ts'
import { parseAddresses, startAs } from './logins.ts'

const LOOK_EVERY_MS = 250
/** Whoever does not answer by then is not the primary for us. */
const LOOK_LIMIT_MS = 1_000

/** A new primary begins a new timeline, which the name of its log begins with. Of two that take themselves
 *  for the primary, the one with the later timeline is it: the other was replaced and does not know it
 *  yet. */
const LOOK = `select case when pg_is_in_recovery() then null else pg_walfile_name(pg_current_wal_lsn()) end as log`
const timelineOf = (log: string): number => Number.parseInt(log.slice(0, 8), 16)

type Host = {
  /** Its timeline if it is a primary, null if it is a standby or does not answer. */
  look(): Promise<number | null>
  leave(): void
}

const streamOf = (client: Client): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream

/** Asked on a connection of its own, which is kept. */
function host(start: ClientConfig): Host {
  let asking: Client | null = null
  const leave = (): void => {
    if (asking) streamOf(asking).destroy()
    asking = null
  }
  const connect = async (): Promise<Client> => {
    const limits = { connectionTimeoutMillis: LOOK_LIMIT_MS, query_timeout: LOOK_LIMIT_MS }
    const client = new Client({ ...start, ...limits })
    client.on('error', () => undefined) // the next look finds out
    asking = client
    await client.connect()
    return client
  }
  return {
    leave,
    look: async () => {
      try {
        const { rows } = await (asking ?? (await connect())).query<{ log: string | null }>(LOOK)
        const log = rows[0]?.log ?? null
        return log === null ? null : timelineOf(log)
      } catch {
        leave()
        return null
      }
    },
  }
}

export type Primary = {
  /** Of all hosts, with the engine's login. */
  readonly url: string
  /** A client that connects to where writes go. */
  readonly Client: typeof Client
  /** When every host was asked once. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** `onMoved` is given where writes go from now on, without the login. */
export function watchPrimary(url: string, onMoved: (host: string) => void): Primary {
  const addresses = parseAddresses(url)
  if (addresses.length === 1) return { url, Client, ready: Promise.resolve(), close: () => Promise.resolve() }
  const hosts = addresses.map((address) => host(startAs(address, 'cowrie_engine')))
  const clients = new Map<Client, number>()
  let [current, timeline, closed] = [0, 0, false]

  const moveTo = (next: number): void => {
    current = next
    onMoved(new URL(addresses[next] ?? '').host)
    for (const [client, at] of clients) if (at !== next) streamOf(client).destroy()
  }
  const learned = (at: number, seen: number | null): void => {
    if (closed || seen === null || seen <= timeline) return // a standby, the one we know, or one that was replaced
    timeline = seen
    if (at !== current) moveTo(at)
  }
  const looked = (at: number, one: Host): Promise<void> => one.look().then((seen) => learned(at, seen))
  const first = hosts.map((one, at) => looked(at, one))
  const ready = Promise.all(first).then(() => undefined)
  // Each for itself: one that is frozen answers after the limit only, and another that has taken over is not
  // to wait for that.
  const watching = Promise.all(
    hosts.map(async (one, at) => {
      await first[at]
      while (!closed) {
        await pause(LOOK_EVERY_MS)
        if (!closed) await looked(at, one)
      }
    }),
  )

  class PrimaryClient extends Client {
    constructor(config?: string | ClientConfig) {
      const given = typeof config === 'string' ? { connectionString: config } : (config ?? {})
      super({ ...given, connectionString: parseAddresses(given.connectionString ?? '')[current] ?? '' })
      clients.set(this, current)
      this.once('end', () => clients.delete(this))
    }
  }
  return {
    url,
    Client: PrimaryClient,
    ready,
    close: async () => {
      closed = true
      for (const one of hosts) one.leave()
      await watching
      for (const one of hosts) one.leave()
    },
  }
}

/** For whoever connects once: the address of the host that takes writes, or the first one. */
export async function writableAddress(url: string): Promise<string> {
  const addresses = parseAddresses(url)
  if (addresses.length === 1) return url
  const hosts = addresses.map((connectionString) => host({ connectionString }))
  const seen = await Promise.all(hosts.map((one) => one.look()))
  for (const one of hosts) one.leave()
  return addresses[Math.max(0, seen.indexOf(Math.max(...seen.map((one) => one ?? 0))))] ?? url
}
