// Word between processes: to the workers that something is due, to the apis that events were numbered. It is
// a NOTIFY, at most one in twenty milliseconds and never inside the money's commit, where it would take a
// lock through the whole of it and cost a quarter of the throughput. It may be lost: whoever listens also
// polls.
import type { Client } from 'pg'
import type { Cell } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { type Log, seldom } from '#kit/log.ts'
import { startAs } from './logins.ts'

export type Channel = 'cowrie_due' | 'cowrie_numbered'

const DEBOUNCE_MS = 20

/** Tells other processes, a little later, on a channel of a cell. */
export function createWaker(cells: ReadonlyMap<CellId, Cell>, channel: Channel): (cell: CellId) => void {
  const pending = new Set<CellId>()
  return (cellId) => {
    if (pending.has(cellId)) return
    pending.add(cellId)
    setTimeout(() => {
      pending.delete(cellId)
      cells
        .get(cellId)
        ?.engine.pool.query(`notify ${channel}`)
        .catch(() => undefined)
    }, DEBOUNCE_MS).unref()
  }
}

export type Listener = { close(): Promise<void> }

/** Listens on a connection of its own, with the engine's login, and comes back when it is lost. It asks for
 *  no row. */
export function listen({ primary }: Pick<Cell, 'primary'>, channel: Channel, log: Log, onWake: () => void): Listener {
  let closed = false
  let client: Client | null = null
  const connect = async (): Promise<void> => {
    const next = new primary.Client(startAs(primary.url, 'cowrie_engine'))
    next.on('error', () => undefined)
    next.on('end', () => {
      if (!closed) setTimeout(() => void connect(), 500).unref()
    })
    next.on('notification', onWake)
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      client = next
      if (closed) return await next.end()
      onWake()
    } catch (error) {
      seldom(log, 'cannot listen for notifications; polling instead', { error })
      await next.end().catch(() => undefined)
    }
  }
  void connect()
  return {
    close: async () => {
      closed = true
      await client?.end()
    },
  }
}
