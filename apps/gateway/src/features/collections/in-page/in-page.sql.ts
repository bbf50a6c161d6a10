// The statements of what pages may do, and of what they have opened.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type SettingsRow = Pick<Rows['page_settings'], 'origins' | 'page_splits'>
const SETTINGS: Statement = {
  name: 'page_settings_find',
  text: 'select origins, page_splits from page_settings where merchant_id = $1',
}
export const findSettings = async (read: Read, merchantId: bigint): Promise<SettingsRow | null> =>
  (await read.query<SettingsRow>(SETTINGS, [merchantId]))[0] ?? null

// Whoever sets them waits for whoever is setting them.
const LOCK: Statement = { name: 'page_settings_lock', text: 'select from merchants where id = $1 for no key update' }
export const lock = (t: Tx, merchantId: bigint): Promise<unknown> => t.query(LOCK, [merchantId])

const SET: Statement = {
  name: 'page_settings_set',
  text: `
insert into page_settings (merchant_id, origins, page_splits, changed_at) values ($1, $2, $3, $4)
on conflict on constraint page_settings_pkey do update set origins = excluded.origins, page_splits = excluded.page_splits,
  changed_at = excluded.changed_at`,
}
export const set = (t: Tx, merchantId: bigint, { origins, page_splits }: SettingsRow): Promise<unknown> =>
  t.query(SET, [merchantId, origins, page_splits, t.now])

export type Opening = Pick<Rows['page_openings'], 'origin' | 'path' | 'by_page'>

const FIND_OPENING: Statement = {
  name: 'page_openings_find',
  text: 'select origin, path, by_page from page_openings where transaction_id = $1 and merchant_id = $2',
}
export const findOpening = async (read: Read, merchantId: bigint, transactionId: bigint): Promise<Opening | null> =>
  (await read.query<Opening>(FIND_OPENING, [transactionId, merchantId]))[0] ?? null

const OPEN: Statement = {
  name: 'page_openings_insert',
  text: `
insert into page_openings (transaction_id, merchant_id, origin, path, by_page, opened_at) values ($1, $2, $3, $4, $5, $6)
on conflict do nothing`,
}
/** Nothing happens where it was opened before: the first page has it. */
export const open = (t: Tx, merchantId: bigint, transactionId: bigint, opening: Opening): Promise<unknown> =>
  t.query(OPEN, [transactionId, merchantId, opening.origin, opening.path, opening.by_page, t.now])

export type UsedRow = Pick<Rows['transactions'], 'reference' | 'kobo'> & {
  origin: string | null
  by_page: boolean | null
}
const USED: Statement = {
  name: 'page_openings_used',
  text: `
select t.reference, t.kobo, o.origin, o.by_page
from transactions t left join page_openings o on o.transaction_id = t.id and o.merchant_id = t.merchant_id
where t.merchant_id = $1
  and t.id = (select transaction_id from payment_references where merchant_id = $1 and payment_reference = $2)`,
}
/** The transaction that has a payment reference, and which page opened it. */
export const findUsed = async (read: Read, merchantId: bigint, reference: string): Promise<UsedRow | null> =>
  (await read.query<UsedRow>(USED, [merchantId, reference]))[0] ?? null
