// The statements of payment links. A link of single use is read together with its transactions, which say
// whether it can be paid.

import { hasLeft } from '#core/cells/departed.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type LinkRow = Pick<
  Rows['payment_links'],
  | 'id'
  | 'merchant_id'
  | 'code'
  | 'contract_code'
  | 'title'
  | 'description'
  | 'kobo'
  | 'min_kobo'
  | 'max_kobo'
  | 'single_use'
  | 'redirect_url'
  | 'expires_at'
  | 'paused_at'
  | 'transactions'
  | 'created_by'
  | 'created_at'
  | 'changed_at'
> & {
  /** Letters; empty: all. */
  methods: Rows['payment_links']['methods']
  /** Of single use only: money was counted for one of its transactions. */
  used: boolean
  /** Of single use only: one of its transactions may still be paid. */
  pending: boolean
}

/** `since`: what expired after it may still be paid. What has left with its month is not looked up: it may
 *  have been paid. */
const standing = (link: string, since: string): string => `
select coalesce(bool_or(t.status in ('PAID', 'PARTIALLY_PAID', 'OVERPAID') or ${hasLeft('u.transaction_id')}), false) as used,
  coalesce(bool_or(t.status in ('PENDING', 'EXPIRED') and t.expires_at > ${since}), false) as pending
from payment_link_uses u left join transactions t on t.id = u.transaction_id and t.merchant_id = u.merchant_id
where u.link_id = ${link}.id and u.merchant_id = ${link}.merchant_id and ${link}.single_use`

const COLUMNS = `l.id, l.code, l.contract_code, l.title, l.description, l.kobo, l.min_kobo, l.max_kobo, l.single_use, l.methods,
  l.redirect_url, l.expires_at, l.paused_at, l.transactions, l.created_by, l.created_at, l.changed_at`
const linksWhere = (since: string, condition: string): string => `
select l.merchant_id, ${COLUMNS}, s.used, s.pending from payment_links l cross join lateral (${standing('l', since)}) s
where ${condition}`

const first = async <Row>(rows: Promise<Row[]>): Promise<Row | null> => (await rows)[0] ?? null

const BY_CODE: Statement = {
  name: 'payment_links_by_code',
  text: linksWhere('$3::timestamptz', 'l.merchant_id = $1 and l.code = $2'),
}
export const find = (read: Read, merchantId: bigint, code: string, since: Date) =>
  first(read.query<LinkRow>(BY_CODE, [merchantId, code, since]))

const FOR_PAYER: Statement = {
  name: 'payment_links_for_payer',
  text: `-- all merchants: a payer has no merchant; nobody guesses a code${linksWhere('$2::timestamptz', 'l.code = $1')}`,
}
export const findForPayer = (read: Read, code: string, since: Date) =>
  first(read.query<LinkRow>(FOR_PAYER, [code, since]))

const LIST: Statement = {
  name: 'payment_links_list',
  text: `${linksWhere('$2::timestamptz', 'l.merchant_id = $1 and (l.created_at, l.id) < ($3::timestamptz, $4::bigint)')}
order by l.created_at desc, l.id desc limit $5`,
}
/** The newest that are older than a link. */
export const list = (
  read: Read,
  merchantId: bigint,
  since: Date,
  before: { readonly created_at: Date | 'infinity'; readonly id: bigint },
  size: number,
): Promise<LinkRow[]> => read.query<LinkRow>(LIST, [merchantId, since, before.created_at, before.id, size])

const INSERT: Statement = {
  name: 'payment_links_insert',
  text: `
insert into payment_links as l (id, merchant_id, code, contract_code, title, description, kobo, min_kobo, max_kobo, single_use, methods,
  redirect_url, expires_at, created_by, created_at, changed_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)
returning l.merchant_id, ${COLUMNS}, false as used, false as pending`,
}
export type NewLink = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly code: string
  readonly contractCode: string
  readonly title: string
  readonly description: string
  readonly kobo: bigint | null
  readonly minKobo: bigint | null
  readonly maxKobo: bigint | null
  readonly singleUse: boolean
  readonly methods: string
  readonly redirectUrl: string | null
  readonly expiresAt: Date | null
  readonly createdBy: string
}
export const insert = (t: Tx, link: NewLink) =>
  first(
    t.query<LinkRow>(INSERT, [
      ...[link.id, link.merchantId, link.code, link.contractCode, link.title, link.description],
      ...[link.kobo, link.minKobo, link.maxKobo, link.singleUse, link.methods, link.redirectUrl, link.expiresAt],
      ...[link.createdBy, t.now],
    ]),
  )

const LOCK: Statement = {
  name: 'payment_links_lock',
  text: 'select id from payment_links where merchant_id = $1 and code = $2 for update',
}
/** Holds a link until the commit, and reads it then: what is read together with a lock is as old as the wait
 *  for it. */
export async function lock(t: Tx, merchantId: bigint, code: string, since: Date): Promise<LinkRow | null> {
  await t.query(LOCK, [merchantId, code])
  return find(t, merchantId, code, since)
}

const CHANGE: Statement = {
  name: 'payment_links_change',
  text: `
update payment_links set title = $3, paused_at = $4, expires_at = $5, changed_at = $6 where merchant_id = $1 and id = $2`,
}
export const change = (
  t: Tx,
  merchantId: bigint,
  { id, title, paused_at, expires_at }: Pick<LinkRow, 'id' | 'title' | 'paused_at' | 'expires_at'>,
): Promise<unknown> => t.query(CHANGE, [merchantId, id, title, paused_at, expires_at, t.now])

const USE: Statement = {
  name: 'payment_links_use',
  text: `
with used as (
  insert into payment_link_uses (link_id, number, merchant_id, transaction_id) values ($2, $3, $1, $4)
)
update payment_links set transactions = $3 where merchant_id = $1 and id = $2`,
}
/** Under the lock of the link. */
export const use = (t: Tx, { merchant_id, id }: LinkRow, number: bigint, transactionId: bigint): Promise<unknown> =>
  t.query(USE, [merchant_id, id, number, transactionId])

const OPEN: Statement = {
  name: 'payment_links_open',
  text: `
select t.reference from payment_link_uses u join transactions t on t.id = u.transaction_id and t.merchant_id = u.merchant_id
where u.merchant_id = $1 and u.link_id = $2 and t.expires_at > $3
  and (t.status = 'PENDING' or (t.status = 'PARTIALLY_PAID' and t.closed_at is null)) 
  and lower(t.customer_email collate "und-x-icu") = lower($4::text collate "und-x-icu")
order by u.number desc limit 1`,
}
/** The transaction that a payer has started at a link and can still pay. */
export const findOpen = async (read: Read, link: LinkRow, email: string): Promise<string | null> =>
  (await first(read.query<Pick<Rows['transactions'], 'reference'>>(OPEN, [link.merchant_id, link.id, read.now, email])))
    ?.reference ?? null

export type UseRow = Pick<
  Rows['transactions'],
  'reference' | 'payment_reference' | 'status' | 'kobo' | 'paid_kobo' | 'customer_name' | 'created_at'
> & {
  number: Rows['payment_link_uses']['number']
}
const USES: Statement = {
  name: 'payment_links_uses',
  text: `
select u.number, t.reference, t.payment_reference, t.status, t.kobo, t.paid_kobo, t.customer_name, t.created_at
from payment_link_uses u join transactions t on t.id = u.transaction_id and t.merchant_id = u.merchant_id
where u.merchant_id = $1 and u.link_id = $2 and u.number < $3 order by u.number desc limit $4`,
}
/** The newest that are older than one. What has left with its month is not listed. */
export const uses = (read: Read, link: LinkRow, before: string, limit: number): Promise<UseRow[]> =>
  read.query<UseRow>(USES, [link.merchant_id, link.id, before, limit])
