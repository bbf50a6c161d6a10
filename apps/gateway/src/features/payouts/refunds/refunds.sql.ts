// Every statement of refunds.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type RefundRow = Pick<
  Rows['refunds'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'refund_reference'
  | 'transaction_id'
  | 'transaction_reference'
  | 'status'
  | 'version'
  | 'kobo'
  | 'fee_kobo'
  | 'type'
  | 'strategy'
  | 'reason'
  | 'customer_note'
  | 'account_number'
  | 'account_name'
  | 'masked_pan'
  | 'comment'
  | 'created_at'
  | 'completed_at'
> & {
  /** Of the price; null: the tariff for all. */
  fee_schedule_id: Rows['refunds']['fee_schedule_id']
  /** Null where it goes to a card. */
  bank_code: Rows['refunds']['bank_code']
  /** The charge whose card gets the money back, and the card masked; null where it goes to an account. */
  charge_reference: Rows['refunds']['charge_reference']
  /** To an account that did not pay: it is counted for the day as a payout is. */
  elsewhere: Rows['refunds']['elsewhere']
  /** It waits for its code, or a person, until then; null: nothing to authorise. */
  authorize_by: Rows['refunds']['authorize_by']
  /** What the merchant's server said of it; PERSON: it waits for one of the merchant's people, or did in
   *  vain; null: neither. */
  approval: Rows['refunds']['approval']
}

const COLUMNS = `id, merchant_id, reference, refund_reference, transaction_id, transaction_reference, status, version, kobo, fee_kobo, type,
  strategy, reason, customer_note, bank_code, account_number, account_name, comment, created_at, completed_at, elsewhere, authorize_by,
  charge_reference, masked_pan, approval, fee_schedule_id`

export type Refundable = Pick<
  Rows['transactions'],
  'id' | 'status' | 'payment_method' | 'product_type' | 'paid_kobo' | 'closed_at'
> & {
  /** What of it a bank reversed. */
  reversed_kobo: bigint
  /** Under way or completed. */
  refunded_kobo: bigint
}

const REFUNDABLE: Statement = {
  name: 'refunds_refundable',
  text: `
select t.id, t.status, t.payment_method, t.product_type, t.paid_kobo, t.closed_at, coalesce((
  select sum(v.kobo) from credit_reversals v where v.merchant_id = $1 and v.transaction_id = t.id and v.outcome = 'COUNTED'), 0)::bigint as reversed_kobo, coalesce((
  select sum(r.kobo) from refunds r where r.merchant_id = $1 and r.transaction_id = t.id and r.status <> 'FAILED'), 0)::bigint as refunded_kobo
from transactions t where t.merchant_id = $1 and t.reference = $2`,
}
/** What was paid, and what of it was reversed, and refunded. */
export const findRefundable = async (
  read: Read,
  merchantId: bigint,
  transactionReference: string,
): Promise<Refundable | null> =>
  (await read.query<Refundable>(REFUNDABLE, [merchantId, transactionReference]))[0] ?? null

export type Account = { bank_code: string; account_number: string }
export type Source = Account & Pick<Rows['inbound_credits'], 'sender_name'>
const SOURCES: Statement = {
  name: 'refunds_sources',
  text: `select distinct sender_bank_code as bank_code, sender_account_number as account_number, sender_name from inbound_credits c
    where merchant_id = $1 and transaction_id = $2 and outcome = 'COUNTED'
    and not exists (select from credit_reversals v where v.merchant_id = $1 and v.bank_reference = c.bank_reference)`,
}
/** The accounts that paid, and whose money is still here, under every name that a bank has reported for
 *  them. */
export const listSources = (read: Read, merchantId: bigint, transactionId: bigint): Promise<Source[]> =>
  read.query<Source>(SOURCES, [merchantId, transactionId])

const CHARGE: Statement = {
  name: 'refunds_charge',
  text: `select reference, coalesce(bin, '') as bin, coalesce(last4, '') as last4 from card_charges where merchant_id = $1 and transaction_id = $2 and status = 'APPROVED'`,
}
export type Charge = { bin: string; last4: string; reference: Rows['card_charges']['reference'] }
/** The charge that paid, of which there is one. */
export const findCharge = async (read: Read, merchantId: bigint, transactionId: bigint): Promise<Charge | null> =>
  (await read.query<Charge>(CHARGE, [merchantId, transactionId]))[0] ?? null

const CONNECTOR: Statement = {
  name: 'refunds_connector',
  text: 'select connector from card_charges where merchant_id = $1 and reference = $2',
}
/** The number of the connector that a charge went through. */
export const findConnector = async (read: Read, merchantId: bigint, chargeReference: string): Promise<number | null> =>
  (await read.query<Pick<Rows['card_charges'], 'connector'>>(CONNECTOR, [merchantId, chargeReference]))[0]?.connector ??
  null

const FIND: Statement = {
  name: 'refunds_find',
  text: `select ${COLUMNS} from refunds where merchant_id = $1 and refund_reference = $2`,
}
export const find = async (read: Read, merchantId: bigint, refundReference: string): Promise<RefundRow | null> =>
  (await read.query<RefundRow>(FIND, [merchantId, refundReference]))[0] ?? null

const LOCK: Statement = {
  name: 'refunds_lock',
  text: `select ${COLUMNS} from refunds where merchant_id = $1 and refund_reference = $2 for update`,
}
export const lock = async (t: Tx, merchantId: bigint, refundReference: string): Promise<RefundRow | null> =>
  (await t.query<RefundRow>(LOCK, [merchantId, refundReference]))[0] ?? null

export const insert = (t: Tx, row: RefundRow): Promise<unknown> => insertInto('refunds', t, row)

const BY_IDS: Statement = {
  name: 'refunds_by_ids',
  text: `
-- all merchants: their orders come to their ends together
select ${COLUMNS} from refunds where id = any($1::bigint[])`,
}
export const byIds = (read: Read, ids: readonly bigint[]): Promise<RefundRow[]> =>
  read.query<RefundRow>(BY_IDS, [numbers(ids)])

export type Filter = {
  readonly transactionReference: string | null
  readonly status: string | null
  readonly from: Date | null
  readonly to: Date | null
}
const FITS = `($2::text is null or transaction_reference = $2) and ($3::text is null or status = $3)
    and created_at >= coalesce($4::timestamptz, '-infinity') and created_at <= coalesce($5::timestamptz, 'infinity')`
const COUNT: Statement = {
  name: 'refunds_count',
  text: `select count(*) as total from refunds where merchant_id = $1 and ${FITS}`,
}
const LIST: Statement = {
  name: 'refunds_list',
  text: `select ${COLUMNS} from refunds where merchant_id = $1 and ${FITS} order by created_at desc, id desc offset $6 limit $7`,
}
export async function list(
  read: Read,
  merchantId: bigint,
  { transactionReference, status, from, to }: Filter,
  { offset, size }: { offset: number; size: number },
): Promise<{ rows: RefundRow[]; total: number }> {
  const values = [merchantId, transactionReference, status, from, to]
  const [counted] = await read.query<{ total: bigint }>(COUNT, values)
  const total = Number(counted?.total ?? 0n)
  return { rows: offset < total ? await read.query<RefundRow>(LIST, [...values, offset, size]) : [], total }
}
