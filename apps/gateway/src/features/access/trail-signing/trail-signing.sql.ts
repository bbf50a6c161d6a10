// The statements of signed heads.

import type { Head } from '#core/acts/trail.ts'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Row = Readonly<Pick<Rows['trail_signatures'], 'number' | 'at' | 'document'>>

const LAST: Statement = {
  name: 'trail_signatures_last',
  text: 'select number, at, document from trail_signatures order by number desc limit 1',
}
export const findLast = async (r: Read): Promise<Row | null> => (await r.query<Row>(LAST, []))[0] ?? null

const HEADS: Statement = {
  name: 'trail_signatures_heads',
  text: `
-- all merchants: every chain of the cell
select h.merchant_id, h.number, h.hash from trail_heads h
where $1::timestamptz is null or exists (select from trail l where l.merchant_id = h.merchant_id and l.number = h.number and l.at >= $1)
order by 1`,
}
/** Of the chains that have a line since then, or of all. */
export const listHeads = (r: Read, since: Date | null): Promise<Head[]> => r.query<Head>(HEADS, [since])

/** Another worker may have signed the same hour: then nothing. */
export const insert = (t: Tx, row: Row) => insertInto('trail_signatures', t, row, 'on conflict do nothing')

const UNPUBLISHED: Statement = {
  name: 'trail_signatures_unpublished',
  text: `
select s.number, s.at, s.document, (select p.at from trail_signatures p where p.number = s.number - 1) as before
from trail_signatures s where s.published_at is null order by s.number`,
}
export const listUnpublished = (r: Read): Promise<(Row & { readonly before: Date | null })[]> =>
  r.query<Row & { readonly before: Date | null }>(UNPUBLISHED, [])

const PUBLISHED: Statement = {
  name: 'trail_signatures_published',
  text: 'update trail_signatures set published_at = $2 where number = $1 and published_at is null returning number',
}
/** False when another worker was first. */
export const setPublished = async (t: Tx, number: bigint): Promise<boolean> =>
  (await t.query(PUBLISHED, [number, t.now])).length === 1
