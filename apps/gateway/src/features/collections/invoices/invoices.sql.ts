// The statements of invoices. An invoice is read together with its transaction, which holds its state.

import { lastLeft } from '#core/cells/departed.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type InvoiceRow = Pick<
  Rows['invoices'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'created_by'
  | 'split_shown'
  | 'reserved_id'
  | 'account_number'
  | 'bank_code'
  | 'account_name'
  | 'cancelled_at'
  | 'created_at'
  | 'vat_kobo'
  | 'customer_address'
  | 'merchant_address'
  | 'tax_number'
> &
  Pick<
    Rows['transactions'],
    | 'status'
    | 'kobo'
    | 'paid_kobo'
    | 'contract_code'
    | 'customer_name'
    | 'customer_email'
    | 'description'
    | 'redirect_url'
    | 'expires_at'
    | 'closed_at'
  > & {
    transaction_reference: Rows['transactions']['reference']
    /** JSON. */
    lines: Rows['invoices']['lines']
  }

const INVOICES = `
select i.id, i.merchant_id, i.reference, i.created_by, i.split_shown, i.reserved_id, i.account_number, i.bank_code, i.account_name,
  i.cancelled_at, i.created_at, t.reference as transaction_reference, t.status, t.kobo, t.paid_kobo, t.contract_code, t.customer_name,
  t.customer_email, t.description, t.redirect_url, t.expires_at, t.closed_at, i.lines, i.vat_kobo, i.customer_address, i.merchant_address, i.tax_number
from invoices i join transactions t on t.id = i.id and t.merchant_id = i.merchant_id
where i.merchant_id = $1`

const BY_REFERENCE: Statement = { name: 'invoices_by_reference', text: `${INVOICES} and i.reference = $2` }
const BY_ID: Statement = { name: 'invoices_by_id', text: `${INVOICES} and i.id = $2` }
// The transaction is what credits, cards and timers change: whoever cancels waits for them, and they for it.
const LOCK: Statement = { name: 'invoices_lock', text: `${INVOICES} and i.reference = $2 for update of t` }
const first = async (rows: Promise<InvoiceRow[]>): Promise<InvoiceRow | null> => (await rows)[0] ?? null
export const find = (read: Read, merchantId: bigint, reference: string) =>
  first(read.query(BY_REFERENCE, [merchantId, reference]))
export const findById = (read: Read, merchantId: bigint, id: bigint) => first(read.query(BY_ID, [merchantId, id]))
export const lock = (t: Tx, merchantId: bigint, reference: string) => first(t.query(LOCK, [merchantId, reference]))

const NEXT_PLACE: Statement = {
  name: 'invoices_next_place',
  text: `
insert into invoice_counters as c (merchant_id, invoices) values ($1, 1)
on conflict on constraint invoice_counters_pkey do update set invoices = c.invoices + 1 returning invoices as place`,
}
/** The counter stays locked until the commit: places have no gaps and are in the order of the commits. */
export const takePlace = async (t: Tx, merchantId: bigint): Promise<bigint> =>
  (await t.query<{ place: bigint }>(NEXT_PLACE, [merchantId]))[0]?.place ?? 0n

export type NewInvoice = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly reference: string
  readonly place: bigint
  readonly createdBy: string
  readonly splitShown: string
  readonly reservedId: bigint | null
  readonly account: { readonly accountNumber: string; readonly bankCode: string; readonly accountName: string } | null
  readonly paper: Paper
}
/** What stands on it beside the amount. */
export type Paper = {
  readonly lines: string
  readonly vatKobo: bigint | null
  readonly customerAddress: string | null
  readonly merchantAddress: string | null
  readonly taxNumber: string | null
}
const INSERT: Statement = {
  name: 'invoices_insert',
  text: `
insert into invoices (id, merchant_id, reference, place, created_by, split_shown, reserved_id, account_number, bank_code,
  account_name, created_at, lines, vat_kobo, customer_address, merchant_address, tax_number)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
on conflict on constraint invoices_reference_key do nothing returning id`,
}
/** False when the reference is taken. */
export async function insert(t: Tx, invoice: NewInvoice): Promise<boolean> {
  const { id, merchantId, reference, place, createdBy, splitShown, reservedId, account, paper } = invoice
  const rows = await t.query<Pick<Rows['invoices'], 'id'>>(INSERT, [
    ...[id, merchantId, reference, place, createdBy, splitShown, reservedId],
    ...[account?.accountNumber ?? null, account?.bankCode ?? null, account?.accountName ?? null, t.now],
    ...[paper.lines, paper.vatKobo, paper.customerAddress, paper.merchantAddress, paper.taxNumber],
  ])
  return rows.length === 1
}

const COUNT: Statement = {
  name: 'invoices_count',
  text: `select invoices, ${lastLeft('invoices', '$1')} as gone from invoice_counters where merchant_id = $1`,
}
const LIST: Statement = {
  name: 'invoices_list',
  text: `${INVOICES} and i.place between $2 and $3 order by i.place desc`,
}
/** A page, the newest first: a range of places, of those that have not left with their month. */
export async function list(
  read: Read,
  merchantId: bigint,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const [counted] = await read.query<{ gone: bigint; invoices: Rows['invoice_counters']['invoices'] }>(COUNT, [
    merchantId,
  ])
  const [last, gone] = [Number(counted?.invoices ?? 0n), Number(counted?.gone ?? 0n)]
  const [total, newest] = [last - gone, last - offset]
  if (newest <= gone) return { rows: [], total }
  return { rows: await read.query<InvoiceRow>(LIST, [merchantId, Math.max(gone, newest - size) + 1, newest]), total }
}

const CANCELLED: Statement = {
  name: 'invoices_cancelled',
  text: 'update invoices set cancelled_at = $3 where merchant_id = $1 and id = $2',
}
export const setCancelled = (t: Tx, merchantId: bigint, id: bigint): Promise<unknown> =>
  t.query(CANCELLED, [merchantId, id, t.now])

const CHARGE_SENT: Statement = {
  name: 'invoices_charge_sent',
  text: `select id from card_charges where merchant_id = $1 and transaction_id = $2 and status = 'SENT'`,
}
/** Whether an issuer has been asked and has not answered. */
export const isCharging = async (read: Read, merchantId: bigint, id: bigint): Promise<boolean> =>
  (await read.query(CHARGE_SENT, [merchantId, id])).length > 0
