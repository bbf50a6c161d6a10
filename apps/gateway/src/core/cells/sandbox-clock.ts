// Where the sandbox's clock is stored: one row in the first cell, so that every process and every restart
// agrees.
import type { Rows } from '#core/rows.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import { commitOne, firstCell, readAll } from './cells.ts'

const GET: Statement = { name: 'sandbox_clock_get', text: 'select offset_ms from sandbox_clock' }
const SET: Statement = {
  name: 'sandbox_clock_set',
  text: `insert into sandbox_clock as c (offset_ms) values ($1)
    on conflict (single) do update set offset_ms = greatest(c.offset_ms, excluded.offset_ms)`,
}

export const loadOffset = async (ctx: Ctx): Promise<number> => {
  const rows = await readAll(ctx, firstCell(ctx), (r: Read) =>
    r.query<Pick<Rows['sandbox_clock'], 'offset_ms'>>(GET, []),
  )
  return Number(rows[0]?.offset_ms ?? 0n)
}

export const saveOffset = async (ctx: Ctx, offsetMs: number): Promise<void> => {
  await commitOne(ctx, firstCell(ctx), (t: Tx) => t.query(SET, [Math.round(offsetMs)]))
}
