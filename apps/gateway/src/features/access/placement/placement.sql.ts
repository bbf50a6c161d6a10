// The statements of placement. A cell has one row that says whether it takes new merchants.

import type { CellState } from '@cowrie/contract/access/cells'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type IntakeRow = { readonly state: CellState; readonly since: Rows['cell_intake']['since'] }

const one = async <Row>(read: Read, statement: Statement): Promise<Row> =>
  (await read.query<Row>(statement, []))[0] as Row

const INTAKE: Statement = { name: 'cell_intake', text: 'select state, since from cell_intake' }
export const intake = (read: Read): Promise<IntakeRow> => one(read, INTAKE)

const HOLD: Statement = { name: 'cell_intake_hold', text: 'select state, since from cell_intake for share' }
/** Nobody changes it until the transaction ends. */
export const hold = (t: Tx): Promise<IntakeRow> => one(t, HOLD)

const LOCK: Statement = { name: 'cell_intake_lock', text: 'select state, since from cell_intake for update' }
export const lock = (t: Tx): Promise<IntakeRow> => one(t, LOCK)

const SET: Statement = { name: 'cell_intake_set', text: 'update cell_intake set state = $1, since = $2' }
export const set = (t: Tx, state: CellState): Promise<unknown> => t.query(SET, [state, t.now])

export type CountRow = { readonly merchants: number; readonly applicants: number }
const COUNT: Statement = {
  name: 'cell_merchants',
  text: `
-- all merchants: how many a cell has
select (count(*) filter (where status in ('LIVE', 'SUSPENDED')))::int as merchants,
  (count(*) filter (where status in ('APPLIED', 'IN_SANDBOX', 'IN_REVIEW')))::int as applicants from merchant_files`,
}
export const count = (read: Read): Promise<CountRow> => one(read, COUNT)
