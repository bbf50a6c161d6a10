// Placement: which cell a new merchant goes to, and the operator's word on that.
//   NEW → OPEN ⇄ DRAINING → [no merchant left] CLOSED → OPEN      NEW → DRAINING
// A merchant goes where the fewest are among those that take some, and stays: its keys and references name
// the cell. A cell that was added waits until somebody opens it, because while processes are restarted one by
// one with a longer list, not every one of them knows it.
// Books: none. Who waits: nobody.
import type { CellState } from '@cowrie/contract/access/cells'
import { cellById, readAll } from '#core/cells/cells.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './placement.sql.ts'

export type Action = 'open' | 'drain' | 'close'
const MOVES: Readonly<Record<Action, { readonly from: readonly CellState[]; readonly to: CellState }>> = {
  open: { from: ['NEW', 'DRAINING', 'CLOSED'], to: 'OPEN' },
  drain: { from: ['NEW', 'OPEN'], to: 'DRAINING' },
  close: { from: ['DRAINING'], to: 'CLOSED' },
}

export type Standing = sql.IntakeRow & sql.CountRow & { readonly takesMerchants: boolean }
/** A cell, with how it stands; or why nobody knows. */
export type Seen = { readonly cell: CellId } & (
  | { readonly standing: Standing; readonly fault: null }
  | { readonly standing: null; readonly fault: string }
)

const firstOf = (ctx: Ctx): CellId | undefined => [...ctx.cells.keys()].toSorted()[0]

const takes = (ctx: Ctx, cell: CellId, { state }: sql.IntakeRow, { merchants, applicants }: sql.CountRow): boolean =>
  state === 'OPEN' || (state === 'NEW' && (firstOf(ctx) === cell || merchants + applicants > 0))

async function look(ctx: Ctx, cell: CellId): Promise<Seen> {
  try {
    const standing = await readAll(ctx, cell, async (r) => {
      const [intake, counts] = [await sql.intake(r), await sql.count(r)]
      return { ...intake, ...counts, takesMerchants: takes(ctx, cell, intake, counts) }
    })
    return { cell, standing, fault: null }
  } catch (error) {
    ctx.log.warn('a cell does not answer', { cell, detail: String(error) })
    return { cell, standing: null, fault: cellById(ctx, cell).entry.closed ?? 'it does not answer' }
  }
}

/** Every cell, in order of their numbers. */
export const lookAtAll = (ctx: Ctx): Promise<Seen[]> =>
  Promise.all([...ctx.cells.keys()].toSorted().map((cell) => look(ctx, cell)))

/** Where the next merchant goes when nobody says: where the fewest are, among those that take some. */
export function chooseNextCell(cells: readonly Seen[]): CellId | null {
  const able = cells.flatMap(({ cell, standing }) =>
    standing?.takesMerchants ? [{ cell, count: standing.merchants + standing.applicants }] : [],
  )
  return able.toSorted((a, b) => a.count - b.count)[0]?.cell ?? null
}
export const placeOfNext = async (ctx: Ctx): Promise<CellId> =>
  chooseNextCell(await lookAtAll(ctx)) ?? fail('CELL_NOT_OPEN', { why: 'no cell takes any' })

/** For whoever adds a merchant to this cell: refuses where it takes none, and holds that until the end of the
 *  transaction. */
export async function needIntake(ctx: Ctx, t: Tx): Promise<void> {
  const intake = await sql.hold(t)
  if (!takes(ctx, t.cell, intake, await sql.count(t))) {
    const why = `cell ${t.cell} is ${intake.state}`
    fail('CELL_NOT_OPEN', { why })
  }
}

const needMove = (on: Action, state: CellState): void => {
  if (!MOVES[on].from.includes(state)) fail('CELL_STATE', { state })
}
async function needEmpty(r: Read): Promise<void> {
  const { merchants, applicants } = await sql.count(r)
  if (merchants + applicants > 0) {
    const found = { merchants: String(merchants), applicants: String(applicants) }
    fail('CELL_HAS_MERCHANTS', found)
  }
}

/** Before anybody is asked to approve it. */
export const mayMove = (ctx: Ctx, cell: CellId, on: Action): Promise<void> =>
  readAll(ctx, cell, async (r) => {
    needMove(on, (await sql.intake(r)).state)
    if (on === 'close') await needEmpty(r)
  })

/** Answers with the state before and after. */
export async function move(t: Tx, on: Action): Promise<{ before: CellState; after: CellState }> {
  const { state: before } = await sql.lock(t)
  needMove(on, before)
  if (on === 'close') await needEmpty(t)
  await sql.set(t, MOVES[on].to)
  return { before, after: MOVES[on].to }
}
