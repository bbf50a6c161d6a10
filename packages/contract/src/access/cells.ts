// Which cells there are, what each has, and whether it takes new merchants. A merchant stays where it was
// put, so a cell is never emptied by moving anybody: it is closed when the last of its merchants is.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'

/** NEW: added, and nobody has decided about it. Of these the first cell, and one that has merchants, take
 *  more of them. */
const CELL_STATES = ['NEW', 'OPEN', 'DRAINING', 'CLOSED'] as const
export type CellState = (typeof CELL_STATES)[number]

const Cell = Type.String({ examples: ['02'] })
const State = Type.Enum([...CELL_STATES], {
  description: 'DRAINING takes no new merchants, and all else goes on; CLOSED has no merchant left',
})

const decides = {
  side: 'operator',
  permission: 'operator.cells.write',
  concerns: 'cell',
  input: Type.Object({}),
  reply: Type.Object({ cell: Cell, state: State }),
} as const
export const openCellToMerchants = act({
  ...decides,
  id: 'cells.open',
  summary: 'Let a cell take new merchants: one that was added, or was drained or closed',
  errors: ['PERMISSION_DENIED', 'CELL_STATE'],
  approval: 'always',
})
/** It only holds back, so nobody has to approve it. */
export const drainCell = act({
  ...decides,
  id: 'cells.drain',
  summary: 'Put no new merchants into a cell; its own go on as before',
  errors: ['PERMISSION_DENIED', 'FIELD_MISSING', 'CELL_STATE'],
})
export const closeDrainedCell = act({
  ...decides,
  id: 'cells.close',
  summary: 'Note that a drained cell has no merchants left, so that it can be taken out of CELLS',
  errors: ['PERMISSION_DENIED', 'CELL_STATE', 'CELL_HAS_MERCHANTS'],
  approval: 'always',
})

export const listCells = view({
  id: 'cells.list',
  side: 'operator',
  permission: 'operator.work.read',
  concerns: 'installation',
  summary: 'List the cells: whether each is ready and takes new merchants, and how many it has',
  query: Type.Object({}),
  reply: Type.Object({
    content: Type.Array(
      Type.Object({
        cell: Cell,
        ready: Type.Boolean({ description: 'As the process sees it that answers' }),
        state: Type.Union([State, Type.Null()], { description: 'Null: the cell does not answer' }),
        since: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601, UTC; null: nobody has decided yet' }),
        takesMerchants: Type.Boolean(),
        next: Type.Boolean({ description: 'The next merchant goes there, unless whoever records it says where' }),
        merchants: Type.Union([Type.Integer(), Type.Null()], { description: 'Live and suspended' }),
        applicants: Type.Union([Type.Integer(), Type.Null()]),
        fault: Type.Union([Type.String(), Type.Null()], { description: 'Why it is not ready' }),
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED'],
})
