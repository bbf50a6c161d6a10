// The statements of finding: each looks up a key or reads an index, so none gets slower with what a merchant
// has.
import type { FoundKind } from '@cowrie/contract/screens/find'
import { namesOf } from '#core/routing/names.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type FoundRow = {
  kind: FoundKind
  reference: string
  name: string | null
  kobo: bigint | null
  state: string | null
  at: Date
}

const payment = (from: string, on: string): string =>
  `select 'PAYMENT' as kind, t.reference, t.customer_name as name, t.kobo, t.status as state, t.created_at as at
   from ${from} where t.merchant_id = $1 and ${on}`
const refund = (on: string): string =>
  `select 'REFUND', r.refund_reference, r.account_name, r.kobo, r.status, r.created_at from refunds r where r.merchant_id = $1 and ${on}`
const payout = (from: string, on: string): string =>
  `select 'PAYOUT', d.reference, coalesce(d.account_name, d.given_name), d.kobo, d.status, d.created_at
   from ${from} where d.merchant_id = $1 and ${on}`
const batch = (on: string): string =>
  `select 'BATCH', b.reference, null, b.kobo, b.status, b.created_at from batches b where b.merchant_id = $1 and ${on}`
const mandate = (on: string): string =>
  `select 'MANDATE', m.reference, m.customer_name, m.kobo, m.status, m.created_at from mandates m where m.merchant_id = $1 and ${on}`
const reserved = (from: string, on: string): string =>
  `select 'RESERVED_ACCOUNT', a.reference, a.customer_name, null, a.status, a.created_at from ${from} where a.merchant_id = $1 and ${on}`

/** A credit of the bank leads to what it was for. */
const OF_SESSION = `(select c.transaction_id from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id and c.merchant_id = $1
  where s.merchant_id = $1 and s.bank_reference in (${namesOf('$2')}))`

// A name that is the merchant's own may look like anything, so all of them are looked up, whatever the text
// looks like. Ours are in other columns: those of several months have an index in each.
const NAMED: Statement = {
  name: 'finding_named',
  text: [
    payment(
      'payment_references p join transactions t on t.id = p.transaction_id',
      'p.merchant_id = $1 and p.payment_reference = $2',
    ),
    payment('transactions t', 't.reference = $2'),
    payment('transactions t', `t.id = ${OF_SESSION}`),
    refund('r.refund_reference = $2'),
    refund('r.reference = $2'),
    payout(
      'payout_references p join disbursements d on d.id = p.disbursement_id',
      'p.merchant_id = $1 and p.reference = $2',
    ),
    payout('disbursements d', 'd.transaction_reference = $2'),
    payout('disbursements d', 'd.session_id = $2'),
    batch('b.reference = $2'),
    batch('b.transaction_reference = $2'),
    `select 'SETTLEMENT', x.reference, null, x.kobo, x.status, x.created_at from settlements x where x.merchant_id = $1 and x.reference = $2`,
    `select 'INVOICE', i.reference, t.customer_name, t.kobo, t.status, i.created_at
     from invoices i join transactions t on t.id = i.id and t.merchant_id = $1 where i.merchant_id = $1 and i.reference = $2`,
    mandate('m.reference = $2'),
    mandate('m.code = $2'),
    `select 'PAYMENT_LINK', l.code, l.title, l.kobo, case when l.paused_at is null then 'ACTIVE' else 'PAUSED' end, l.created_at
     from payment_links l where l.merchant_id = $1 and l.code = $2`,
    reserved('reserved_accounts a', 'a.reference = $2'),
    reserved('reserved_accounts a', 'a.reservation_reference = $2'),
  ].join('\nunion\n'),
}
export const named = (read: Read, merchantId: bigint, text: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(NAMED, [merchantId, text])

const NUMBER: Statement = {
  name: 'finding_number',
  text: [
    payment(
      'virtual_accounts v join transactions t on t.id = v.transaction_id',
      'v.merchant_id = $1 and v.account_number = $2',
    ),
    reserved(
      'virtual_accounts v join reserved_accounts a on a.id = v.reserved_id',
      'v.merchant_id = $1 and v.account_number = $2',
    ),
  ].join('\nunion\n'),
}
/** Whose an account number is that payers pay to. */
export const ofNumber = (read: Read, merchantId: bigint, number: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(NUMBER, [merchantId, number])

// The filters of inbound_credits_sender say which pages may hold the account.
const PAYER: Statement = {
  name: 'finding_payer',
  text: `
with own as materialized (
  select c.transaction_id, max(c.received_at) as at from inbound_credits c
  where c.merchant_id = $1 and c.sender_account_number = $2 and c.transaction_id is not null
  group by c.transaction_id order by 2 desc limit $3
)
${payment('own join transactions t on t.id = own.transaction_id', 'true')} order by at desc`,
}
/** What was paid from an account, the newest first. */
export const ofPayer = (read: Read, merchantId: bigint, number: string, limit: number): Promise<FoundRow[]> =>
  read.query<FoundRow>(PAYER, [merchantId, number, limit])

const CUSTOMER: Statement = {
  name: 'finding_customer',
  text: `
select 'CUSTOMER' as kind, $2::text as reference, x.name, null::bigint as kobo, null as state, x.at from (
  (select t.customer_name as name, t.created_at as at from transactions t
   where t.merchant_id = $1 and t.email_key = search_key($2::text) order by t.created_at desc, t.id desc limit 1)
  union all
  (select m.customer_name, m.created_at from mandates m
   where m.merchant_id = $1 and lower(m.customer_email) = lower($2::text) order by m.created_at desc limit 1)
) x order by x.at desc limit 1`,
}
export const customer = (read: Read, merchantId: bigint, email: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(CUSTOMER, [merchantId, email])

const REQUEST: Statement = {
  name: 'finding_request',
  text: `
select 'REQUEST' as kind, q.request_id::text as reference, null as name, null::bigint as kobo, q.status::text as state, q.at
from request_log q where q.merchant_id = $1 and q.request_id = $2::uuid order by q.id limit 1`,
}
export const request = (read: Read, merchantId: bigint, id: string): Promise<FoundRow[]> =>
  read.query<FoundRow>(REQUEST, [merchantId, id])
