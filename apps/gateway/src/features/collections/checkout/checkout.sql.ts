// The statements of the checkout.

import { methodsIn } from '@cowrie/contract/collections/transactions'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

/** Whatever would make the page look different: a move, money beside, a step of a card charge. */
const MARK = `t.version::text || '.' || (
    select count(*) || '.' || coalesce(sum(s.version), 0) from suspense_items s
    where s.transaction_id = t.id and s.merchant_id = t.merchant_id
  ) || '.' || (
    select count(*) || '.' || coalesce(sum(h.version), 0) from card_charges h
    where h.transaction_id = t.id and h.merchant_id = t.merchant_id
  )`

export type MoreRow = {
  mark: string
  methods: string[]
  /** Whether a card was ever tried. */
  charged: boolean
  /** The page that opened it. */
  page: { origin: string; path: string } | null
  arrivals: { kobo: string; reason: string; status: 'HELD' | 'RETURNING' | 'RETURNED'; decide_by: string }[]
}

const MORE: Statement = {
  name: 'checkout_more',
  text: `
select ${MARK} as mark, t.methods,
  exists (select from card_charges h where h.transaction_id = t.id and h.merchant_id = t.merchant_id) as charged, coalesce((
    select json_agg(json_build_object('kobo', s.kobo::text, 'reason', s.reason, 'status', s.status, 'decide_by', s.decide_by)
      order by s.created_at)
    from suspense_items s where s.transaction_id = t.id and s.merchant_id = t.merchant_id and s.status <> 'REASSIGNED'
  ), '[]') as arrivals,
  (select json_build_object('origin', o.origin, 'path', o.path) from page_openings o
    where o.transaction_id = t.id and o.merchant_id = t.merchant_id) as page
from transactions t where t.id = $1 and t.merchant_id = $2`,
}

/** What a page shows beside the transaction's record. */
export const findMore = async (read: Read, merchantId: bigint, id: bigint): Promise<MoreRow | null> =>
  moreOf((await read.query<Stored>(MORE, [id, merchantId]))[0])
type Stored = Omit<MoreRow, 'methods'> & Pick<Rows['transactions'], 'methods'>
const moreOf = (row: Stored | undefined): MoreRow | null => (row ? { ...row, methods: methodsIn(row.methods) } : null)

export type LookRow = Pick<Rows['transactions'], 'id' | 'status'> & { mark: string }

const LOOK: Statement = {
  name: 'checkout_look',
  text: `
-- all merchants: one look for every page that is open in this process; each page has shown its token
select t.id, t.status, ${MARK} as mark from transactions t where t.id = any($1::bigint[])`,
}

export const listLooks = (read: Read, ids: readonly bigint[]): Promise<LookRow[]> => read.query(LOOK, [numbers(ids)])

const LOCK: Statement = {
  name: 'checkout_lock',
  text: `select status from transactions where id = $1 and merchant_id = $2 for update`,
}
const CHARGE_SENT: Statement = {
  name: 'checkout_charge_sent',
  text: `select id from card_charges where transaction_id = $1 and merchant_id = $2 and status = 'SENT'`,
}

/** Locks the transaction, as whoever starts a charge does, and tells its state and whether an issuer has been
 *  asked. */
export async function lock(t: Tx, merchantId: bigint, id: bigint): Promise<{ status: string; sent: boolean } | null> {
  const [row] = await t.query<Pick<Rows['transactions'], 'status'>>(LOCK, [id, merchantId])
  if (!row) return null
  const charges = await t.query<Pick<Rows['card_charges'], 'id'>>(CHARGE_SENT, [id, merchantId])
  return { status: row.status, sent: charges.length > 0 }
}
