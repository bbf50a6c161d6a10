// How a process takes its cells into use. Each is looked at first (durability.ts, cells/stamps.ts). What is
// wrong with one ends the start, because the operator is there to read it. One that is only away stops its
// own merchants: everybody else is served, and it is looked at again every second until it is there, and
// right.
import { pause } from '#kit/clock.ts'
import type { Ctx } from '#kit/ctx.ts'
import { Failure } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { cellById } from './cells/cells.ts'

const AGAIN_MS = 1_000

const LOST_CODES = /^(?:08|57P|53300|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/
const LOST_WORDS = /Connection terminated|timeout/i

/** Nobody is there, which says nothing about who it would be. */
export function isAway(error: unknown): boolean {
  if (error instanceof Failure) return error.code === 'UNAVAILABLE'
  const { code, cause, message } = error as { code?: string; cause?: unknown; message?: string }
  if (cause !== undefined) return isAway(cause)
  return code === undefined ? LOST_WORDS.test(message ?? '') : LOST_CODES.test(code)
}

/** The same context, with the cells as whoever looks at them before they are in use has to see them. */
const asLooker = (ctx: Ctx): Ctx => ({
  ...ctx,
  cells: new Map([...ctx.cells].map(([id, cell]) => [id, { ...cell, entry: { closed: null } }])),
})

export type Entries = {
  /** Throws what forbids a start; cells that are away follow when they are back. */
  begin(): Promise<void>
  close(): void
}

const noFault = (): unknown => null
const asFault = (error: unknown): unknown => error

/** `look` throws what is wrong with a cell, and does what comes before its first use. */
export function createEntries(ctx: Ctx, look: (ctx: Ctx, cell: CellId) => Promise<void>): Entries {
  let closed = false
  const wordsOf = (error: unknown): string => (error as Error).message
  for (const { entry } of ctx.cells.values()) entry.closed = 'it was not looked at yet'

  const take = async (cell: CellId): Promise<void> => {
    await look(asLooker(ctx), cell)
    cellById(ctx, cell).entry.closed = null
  }
  const takeLater = async (cell: CellId): Promise<void> => {
    for (;;) {
      await pause(AGAIN_MS)
      if (closed) return
      try {
        await take(cell)
        ctx.log.warn('the cell is back and in use', { cell })
        return
      } catch (error) {
        const { entry } = cellById(ctx, cell)
        // What is wrong with it is said once, not every second.
        if (entry.closed !== wordsOf(error)) ctx.log.error('the cell cannot be used', { cell, detail: wordsOf(error) })
        entry.closed = wordsOf(error)
      }
    }
  }
  return {
    begin: async () => {
      // All at once: several that are away would each take the time of a connection that nobody answers.
      const looks = [...ctx.cells.keys()].map(async (cell) => ({
        cell,
        error: await take(cell).then(noFault, asFault),
      }))
      const away = (await Promise.all(looks)).filter(({ error }) => error !== null)
      for (const { error } of away) if (!isAway(error)) throw error
      for (const { cell, error } of away) {
        cellById(ctx, cell).entry.closed = wordsOf(error)
        ctx.log.error('the cell is away; its merchants are refused until it is back', { cell, detail: wordsOf(error) })
        void takeLater(cell)
      }
    },
    close: () => {
      closed = true
    },
  }
}
