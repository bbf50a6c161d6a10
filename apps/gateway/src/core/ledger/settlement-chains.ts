// The ends of the merchants' chains of settlements. Who holds the end of a chain is the only one who may
// settle that merchant, or take back money of it that a settlement could otherwise pay out at the same
// moment.

import { NO_HASH } from '@cowrie/contract/settlements/statement'
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

const OPEN: Statement = {
  name: 'settlements_open_heads',
  text: `insert into settlement_heads (merchant_id, number, hash)
    select id, 0, $2 from unnest($1::bigint[]) as id order by id on conflict do nothing`,
}
const LOCK: Statement = {
  name: 'settlements_lock_heads',
  text: `select merchant_id, number, hash from settlement_heads where merchant_id = any($1::bigint[]) order by merchant_id for update`,
}
const MOVE: Statement = {
  name: 'settlements_move_heads',
  text: `update settlement_heads h set number = x.number, hash = x.hash
    from unnest($1::bigint[], $2::bigint[], $3::text[]) as x(merchant_id, number, hash) where h.merchant_id = x.merchant_id`,
}

export type ChainHead = Pick<Rows['settlement_heads'], 'merchant_id' | 'number' | 'hash'>

/** The ends of these merchants' chains, from now until the end of the transaction nobody else's. */
export async function lockChains(t: Tx, merchantIds: readonly bigint[]): Promise<Map<bigint, ChainHead>> {
  await t.query(OPEN, [numbers(merchantIds), NO_HASH])
  const rows = await t.query<ChainHead>(LOCK, [numbers(merchantIds)])
  return new Map(rows.map((row) => [row.merchant_id, row]))
}

export const moveChains = (t: Tx, heads: readonly ChainHead[]): Promise<unknown> =>
  t.query(MOVE, [
    numbers(heads.map((head) => head.merchant_id)),
    numbers(heads.map((head) => head.number)),
    texts(heads.map((head) => head.hash)),
  ])
