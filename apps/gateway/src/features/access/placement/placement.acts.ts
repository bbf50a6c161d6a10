import { closeDrainedCell, drainCell, listCells, openCellToMerchants } from '@cowrie/contract/access/cells'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { type Action, chooseNextCell, lookAtAll, mayMove, move } from './placement.ts'

/** The database of people may be named as a cell where it is none, and no merchant lives there. */
const needCell = (ctx: Ctx, cell: CellId): void => {
  if (!ctx.cells.has(cell)) fail('FIELD_INVALID', { field: 'cell', why: 'names no cell of this installation' })
}

const SPECS = { open: openCellToMerchants, drain: drainCell, close: closeDrainedCell } as const

export const placementActs: readonly BoundAct[] = (Object.keys(SPECS) as Action[]).map((on) =>
  bindAct(SPECS[on], {
    prepare: async (ctx, { cell, reason }) => {
      if (reason === '') fail('FIELD_MISSING', { field: 'reason' })
      needCell(ctx, cell)
      await mayMove(ctx, cell, on)
    },
    run: async (t, { cell }) => {
      const { before, after } = await move(t, on)
      return { reply: { cell, state: after }, before: { cell, state: before }, after: { cell, state: after } }
    },
  }),
)

export const placementViews: readonly BoundView[] = [
  bindView(listCells, async (ctx) => {
    const cells = await lookAtAll(ctx)
    const next = chooseNextCell(cells)
    const content = cells.map(({ cell, standing, fault }) => ({
      cell,
      ready: standing !== null,
      state: standing?.state ?? null,
      since: standing?.since?.toISOString() ?? null,
      takesMerchants: standing?.takesMerchants ?? false,
      next: cell === next,
      merchants: standing?.merchants ?? null,
      applicants: standing?.applicants ?? null,
      fault,
    }))
    return { content }
  }),
]
