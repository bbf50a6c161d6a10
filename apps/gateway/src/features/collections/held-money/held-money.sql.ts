// The statements of a merchant's own money in suspense.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type OwnItem = Pick<
  Rows['suspense_items'],
  'id' | 'bank_reference' | 'kobo' | 'status' | 'reason' | 'owner' | 'created_at' | 'decide_by'
> & {
  reference: string | null
  /** When it was paid: before it came into suspense, where only a statement has shown it. */
  received_at: Date
}
const SELECT = `select s.id, t.reference, s.bank_reference, s.kobo, s.status, s.reason, s.owner, s.created_at, s.decide_by,
  coalesce(c.received_at, s.created_at) as received_at
from suspense_items s left join transactions t on t.id = s.transaction_id and t.merchant_id = s.merchant_id
left join bank_sessions b on b.bank_reference = s.bank_reference and b.merchant_id = s.merchant_id
left join inbound_credits c on c.transfer_id = b.transfer_id and c.merchant_id = b.merchant_id
where s.merchant_id = $1`

const FIND: Statement = { name: 'held_find', text: `${SELECT} and s.id = $2` }
export const find = async (read: Read, merchantId: bigint, id: bigint): Promise<OwnItem | null> =>
  (await read.query<OwnItem>(FIND, [merchantId, id]))[0] ?? null

const LOCK: Statement = { name: 'held_lock', text: `${FIND.text} for update of s` }
export const lock = async (t: Tx, merchantId: bigint, id: bigint): Promise<OwnItem | null> =>
  (await t.query<OwnItem>(LOCK, [merchantId, id]))[0] ?? null

const LIST: Statement = {
  name: 'held_list',
  text: `${SELECT} and s.closed_at is null order by s.created_at, s.id limit $2`,
}
export const listOpen = (read: Read, merchantId: bigint, limit: number): Promise<OwnItem[]> =>
  read.query<OwnItem>(LIST, [merchantId, limit])
