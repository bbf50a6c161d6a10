// Live status: pages that are open learn within a second that their payment has changed. However many watch,
// a process sends one statement per cell and second, and none to a cell that nobody watches. A look that
// fails is only a look: the next one comes a second later. Pages that find no room here ask for themselves,
// every five seconds.
import { readAll } from '#core/cells/cells.ts'
import type { Ctx } from '#kit/ctx.ts'
import { toWideNetwork } from '#kit/http/addresses.ts'
import { type HttpReply, openStream } from '#kit/http/answers.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './checkout.sql.ts'

const LOOK_MS = 1_000
/** Looks between two words to a page for which nothing has changed; proxies cut silent connections. */
const BEAT_LOOKS = 15
const WATCHERS_MAX = 5_000
/** One payment is looked at from a phone or two. */
const WATCHERS_OF_ONE_MAX = 10
/** Whoever sits in one network leaves places for all others: a hundred networks fill them. Behind a carrier's
 *  address the pages above it ask for themselves. */
const WATCHERS_OF_NETWORK_MAX = 50

type Listener = (row: sql.LookRow) => void
type Watched = Map<bigint, Set<Listener>>

export type LiveState = { readonly mark: string; readonly state: string; readonly now: number }
export type Live = {
  /** What a page compares its mark with. */
  stateOf(row: sql.LookRow): LiveState
  /** Answers with a stream that ends with the payment; false when all places are taken, or all that the
   *  caller's network has. */
  stream(reply: HttpReply, cell: CellId, id: bigint, caller: string): boolean
  watchers(): number
  close(): void
}

/** A short payment may still be made good; pages that do not wait for that do not watch. */
const isEnd = (status: string): boolean => status !== 'PENDING' && status !== 'PARTIALLY_PAID'

export function createLive(ctx: Ctx): Live {
  const cells = new Map<CellId, Watched>()
  const timers = new Map<CellId, NodeJS.Timeout>()
  const open = new Set<() => void>()
  const networks = new Map<string, number>()
  let closed = false

  const round = async (cell: CellId, watched: Watched): Promise<void> => {
    try {
      for (const row of await readAll(ctx, cell, (r) => sql.listLooks(r, [...watched.keys()])))
        for (const listener of [...(watched.get(row.id) ?? [])]) listener(row)
    } catch (error) {
      ctx.log.warn('live checkout status update failed', { cell, error })
    }
    timers.delete(cell)
    if (watched.size > 0) schedule(cell, watched, LOOK_MS)
  }
  const schedule = (cell: CellId, watched: Watched, ms: number): void => {
    if (closed || timers.has(cell)) return
    timers.set(
      cell,
      setTimeout(() => void round(cell, watched), ms),
    )
  }

  const watch = (cell: CellId, id: bigint, listener: Listener): (() => void) | null => {
    const watched = cells.get(cell) ?? new Map<bigint, Set<Listener>>()
    cells.set(cell, watched)
    const listeners = watched.get(id) ?? new Set<Listener>()
    if (closed || open.size >= WATCHERS_MAX || listeners.size >= WATCHERS_OF_ONE_MAX) return null
    watched.set(id, listeners.add(listener))
    schedule(cell, watched, 0)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && watched.get(id) === listeners) watched.delete(id)
    }
  }

  const stateOf = (row: sql.LookRow): LiveState => ({
    mark: row.mark,
    state: row.status,
    now: ctx.clock.now().getTime(),
  })

  const stream = (reply: HttpReply, cell: CellId, id: bigint, caller: string): boolean => {
    const network = toWideNetwork(caller)
    const ofNetwork = networks.get(network) ?? 0
    if (ofNetwork >= WATCHERS_OF_NETWORK_MAX) return false
    let [mark, offsetMs, looks] = ['', 0, 0]
    const listener: Listener = (row) => {
      looks += 1
      // A moved clock of the sandbox is news too: pages count down by it.
      if (row.mark === mark && offsetMs === ctx.clock.offsetMs() && looks < BEAT_LOOKS) return
      ;[mark, offsetMs, looks] = [row.mark, ctx.clock.offsetMs(), 0]
      // Whoever does not take these few bytes is gone.
      if (raw.writableNeedDrain) raw.destroy()
      else raw.write(`data: ${JSON.stringify(stateOf(row))}\n\n`)
      if (isEnd(row.status)) raw.end()
    }
    const stop = watch(cell, id, listener)
    if (!stop) return false
    const raw = openStream(reply, 'text/event-stream')
    const end = () => raw.end()
    open.add(end)
    networks.set(network, ofNetwork + 1)
    raw.once('close', () => {
      stop()
      open.delete(end)
      const left = (networks.get(network) ?? 1) - 1
      if (left > 0) networks.set(network, left)
      else networks.delete(network)
    })
    raw.write('retry: 3000\n\n')
    return true
  }

  return {
    stateOf,
    stream,
    watchers: () => open.size,
    close: () => {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      for (const end of [...open]) end()
    },
  }
}
