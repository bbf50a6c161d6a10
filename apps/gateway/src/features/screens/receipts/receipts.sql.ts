// The statements of receipts.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const BEHIND: Statement = {
  name: 'receipts_behind',
  text: `
-- all merchants: of whom events were numbered that nobody has looked at for receipts
select r.merchant_id from receipt_settings r join event_counters c on c.merchant_id = r.merchant_id
where c.last_number > r.looked_at and (r.payments or r.refunds or r.payouts) order by r.merchant_id limit $1`,
}
export const listBehind = async (read: Read, most: number): Promise<bigint[]> =>
  (await read.query<Pick<Rows['receipt_settings'], 'merchant_id'>>(BEHIND, [most])).map((row) => row.merchant_id)

export type Place = Pick<Rows['receipt_settings'], 'payments' | 'refunds' | 'payouts' | 'looked_at'>
const LOCK: Statement = {
  name: 'receipts_lock',
  text: 'select payments, refunds, payouts, looked_at from receipt_settings where merchant_id = $1 for update skip locked',
}
/** Up to where a merchant's events were looked at, held; null while somebody else holds it. */
export const lockPlace = async (t: Tx, merchantId: bigint): Promise<Place | null> =>
  (await t.query<Place>(LOCK, [merchantId]))[0] ?? null

// A row of a batch has no receipt of its own: a batch of five thousand would be as many mails.
const NEXT: Statement = {
  name: 'receipts_next',
  text: `
select n.number, n.event_id, e.type = any($4::text[]) and (e.type <> $5 or exists (
    select from disbursements d where d.id = e.object_id and d.merchant_id = $1 and d.batch_id is null)) as wanted
from event_numbers n join events e on e.id = n.event_id and e.merchant_id = $1
where n.merchant_id = $1 and n.number > $2 order by n.number limit $3`,
}
export type Next = Pick<Rows['event_numbers'], 'number' | 'event_id'> & { wanted: boolean }
/** A merchant's next events, and of which of them a receipt is wanted. */
export const listNext = (
  t: Tx,
  merchantId: bigint,
  after: bigint,
  most: number,
  types: readonly string[],
  payout: string,
): Promise<Next[]> => t.query<Next>(NEXT, [merchantId, after, most, types, payout])

const INSERT: Statement = {
  name: 'receipts_insert',
  text: `
insert into receipts (event_id, merchant_id, created_at) select id, $1, $3 from unnest($2::bigint[]) as x(id)
on conflict on constraint receipts_pkey do nothing returning event_id`,
}
/** Those of them that are new. */
export const insert = async (t: Tx, merchantId: bigint, eventIds: readonly bigint[]): Promise<bigint[]> =>
  (await t.query<Pick<Rows['receipts'], 'event_id'>>(INSERT, [merchantId, numbers(eventIds), t.now])).map(
    (row) => row.event_id,
  )

const ADVANCE: Statement = {
  name: 'receipts_advance',
  text: 'update receipt_settings set looked_at = $2 where merchant_id = $1 and looked_at < $2',
}
export const advance = (t: Tx, merchantId: bigint, number: bigint): Promise<unknown> =>
  t.query(ADVANCE, [merchantId, number])

export type Unsent = Pick<Rows['receipts'], 'event_id' | 'merchant_id' | 'created_at'> &
  Pick<Rows['refunds'], 'bank_code' | 'account_number'> & {
    /** When it happened. */
    at: Rows['events']['at']
    body: string
    /** Of a refund: whose it is, what they had paid for, and where the money went. */
    customer_email: string | null
    payment_reference: string | null
    type: Rows['events']['type']
  }
const UNSENT: Statement = {
  name: 'receipts_unsent',
  text: `
-- all merchants: their timers have fallen due
select r.event_id, r.merchant_id, r.created_at, e.type, e.at, event_body(e.shape, e.body) as body,
  t.customer_email, t.payment_reference, f.bank_code, f.account_number
from receipts r join events e on e.id = r.event_id and e.merchant_id = r.merchant_id
left join refunds f on f.id = e.object_id and f.merchant_id = r.merchant_id and e.type = $2
left join transactions t on t.id = f.transaction_id and t.merchant_id = r.merchant_id
where r.event_id = any($1::bigint[]) and r.sent_at is null and r.refused_at is null order by r.event_id`,
}
export const listUnsent = (read: Read, eventIds: readonly bigint[], refund: string): Promise<Unsent[]> =>
  read.query<Unsent>(UNSENT, [eventIds, refund])

const SENT: Statement = {
  name: 'receipts_sent',
  text: `
-- all merchants: by its event, after the mail server took it
update receipts set sent_at = $2 where event_id = $1`,
}
const REFUSED: Statement = {
  name: 'receipts_refused',
  text: `
-- all merchants: by its event, after the mail server refused it for good, or when there is nobody to send it to
update receipts set refused_at = $2 where event_id = $1`,
}
export const setSent = (t: Tx, eventId: bigint): Promise<unknown> => t.query(SENT, [eventId, t.now])
export const setRefused = (t: Tx, eventId: bigint): Promise<unknown> => t.query(REFUSED, [eventId, t.now])

// The place of a merchant never goes back, so nothing is sent again when its row is gone.
const FORGET: Statement = {
  name: 'receipts_forget',
  text: `
-- all merchants: the oldest of the cell, long sent, refused or too old to send
delete from receipts where event_id in (
  select event_id from receipts where created_at < $1 order by created_at limit $2)`,
}
export const forget = (t: Tx, before: Date, most: number): Promise<unknown> => t.query(FORGET, [before, most])

export const insertSettings = (t: Tx, merchantId: bigint): Promise<unknown> =>
  insertInto('receipt_settings', t, {
    merchant_id: merchantId,
    payments: true,
    refunds: true,
    payouts: true,
    looked_at: 0n,
  })
