// Waking the workers. In one process it is a call; between processes it is a NOTIFY, at most one in twenty milliseconds
// and never inside the money's commit, where it would take a lock through the whole of it and cost a quarter of the
// throughput. Either may be lost: workers also look by themselves.
import { Client } from 'pg'
import type { Cell } from '../kit/ctx.ts'
import type { CellId } from '../kit/ids.ts'
import type { Log } from '../kit/log.ts'

const CHANNEL = 'cowrie_due'
const DEBOUNCE_MS = 20

/** Tells other processes, a little later, that something is due in a cell. */
export function createWaker(cells: ReadonlyMap<CellId, Cell>): (cell: CellId) => void {
  const pending = new Set<CellId>()
  return (cellId) => {
    if (pending.has(cellId)) return
    pending.add(cellId)
    setTimeout(() => {
      pending.delete(cellId)
      cells
        .get(cellId)
        ?.engine.query(`notify ${CHANNEL}`)
        .catch(() => undefined)
    }, DEBOUNCE_MS).unref()
  }
}

/** Listens on a connection of its own and comes back when it is lost. */
export function listen(url: string, log: Log, onWake: () => void): { close(): Promise<void> } {
  let closed = false
  let client: Client | null = null
  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: url, keepAlive: true })
    next.on('error', () => undefined)
    next.on('end', () => {
      if (!closed) setTimeout(() => void connect(), 500).unref()
    })
    next.on('notification', onWake)
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      client = next
      onWake()
    } catch (error) {
      log.warn('cannot listen; polling goes on', { error })
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
