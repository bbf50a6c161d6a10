// Calls that wait for an event. However many wait, a process sends one statement per cell and look: once a
// second, and at once when a sequencer tells that it has numbered something, at most every 50 ms. Its word
// may be lost; the look of the next second finds it. A call that finds no room here does not wait.

import { readAll } from '#core/cells/cells.ts'
import type { Connection } from '#core/serving.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './events.sql.ts'

const LOOK_MS = 1_000
/** A cell at work tells fifty times a second; whoever waits there waits for one of many merchants. */
const LOOKS_APART_MS = 50
const WAITING_MAX = 2_000
/** Of one merchant, where the caller says nothing else. */
const WAITING_OF_ONE_MAX = 20

/** Opens an ear for what the sequencers of a cell tell. */
export type Listen = (cell: CellId, onNotice: () => void) => { close(): Promise<void> }

type Waiting = { readonly after: bigint; readonly end: (found: boolean) => void }
type Place = {
  readonly waiting: Map<bigint, Set<Waiting>>
  readonly ear: { close(): Promise<void> }
  timer: NodeJS.Timeout | undefined
  looking: boolean
  /** An event or a new caller came while a look was under way that may have missed it. */
  notified: boolean
  lookedAt: number
}

export type Watch = {
  /** True as soon as the merchant has an event after the number; false when the time is over, the caller has
   *  gone, the server closes, or all places are taken. */
  until(cell: CellId, merchantId: bigint, after: bigint, limitMs: number, connection: Connection): Promise<boolean>
  waiting(): number
  close(): Promise<void>
}

export function createWatch(ctx: Ctx, listen: Listen, ofOneMax = WAITING_OF_ONE_MAX): Watch {
  const places = new Map<CellId, Place>()
  const open = new Set<() => void>()
  let closed = false

  const look = async (cell: CellId, place: Place): Promise<void> => {
    place.looking = true
    place.notified = false
    try {
      for (const row of await readAll(ctx, cell, (r) => sql.lastNumbers(r, [...place.waiting.keys()])))
        for (const one of [...(place.waiting.get(row.merchant_id) ?? [])])
          if (row.last_number > one.after) one.end(true)
    } catch (error) {
      ctx.log.warn('could not read new events for waiting requests', { cell, error })
    }
    place.looking = false
    place.lookedAt = monotonicMs()
    plan(cell, place, place.notified ? LOOKS_APART_MS : LOOK_MS)
  }
  const plan = (cell: CellId, place: Place, ms: number): void => {
    clearTimeout(place.timer)
    if (closed || place.waiting.size === 0) return
    place.timer = setTimeout(() => void look(cell, place), ms)
  }
  const lookSoon = (cell: CellId, place: Place): void => {
    if (place.looking) place.notified = true
    else plan(cell, place, Math.max(0, place.lookedAt + LOOKS_APART_MS - monotonicMs()))
  }

  /** The ear is opened with the first call that waits in a cell, and stays. */
  const placeOf = (cell: CellId): Place => {
    const known = places.get(cell)
    if (known) return known
    const place: Place = {
      waiting: new Map(),
      ear: listen(cell, () => lookSoon(cell, place)),
      timer: undefined,
      looking: false,
      notified: false,
      lookedAt: Number.NEGATIVE_INFINITY,
    }
    places.set(cell, place)
    return place
  }

  const until: Watch['until'] = async (cell, merchantId, after, limitMs, connection) => {
    if (closed || connection.destroyed || open.size >= WAITING_MAX) return false
    const place = placeOf(cell)
    const own = place.waiting.get(merchantId) ?? new Set<Waiting>()
    if (own.size >= ofOneMax) return false
    return new Promise<boolean>((done) => {
      const end = (found: boolean): void => {
        clearTimeout(timer)
        connection.off('close', stop)
        open.delete(stop)
        own.delete(one)
        if (own.size === 0 && place.waiting.get(merchantId) === own) place.waiting.delete(merchantId)
        done(found)
      }
      const stop = (): void => {
        connection.shouldKeepAlive = false // a connection that is kept would hold the end of the server up
        end(false)
      }
      const one: Waiting = { after, end }
      const timer = setTimeout(() => end(false), limitMs)
      connection.once('close', stop)
      open.add(stop)
      place.waiting.set(merchantId, own.add(one))
      lookSoon(cell, place)
    })
  }

  return {
    until,
    waiting: () => open.size,
    close: async () => {
      closed = true
      for (const stop of [...open]) stop()
      for (const place of places.values()) clearTimeout(place.timer)
      await Promise.all([...places.values()].map((place) => place.ear.close()))
    },
  }
}
