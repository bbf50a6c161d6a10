// The statements of finding over all merchants of a cell. What is ours is unique in its cell, and has an
// index; what merchants call a thing is looked up under each merchant, by the key that their own requests
// use. None reads more for more payments.
import type { EverywhereKind } from '@cowrie/contract/screens/find-everywhere'
import { namesOf, referenceOfMoneyIn } from '#core/routing/names.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type EverywhereRow = {
  kind: EverywhereKind
  /** What its screen is found by, where that is not the reference. */
  id: string | null
  reference: string
  name: string | null
  kobo: bigint | null
  state: string | null
  at: Date
  api_key: string | null
  merchant_name: string | null
}

const payment = (from: string, on: string): string =>
  `select 'PAYMENT' as kind, null::text as id, t.merchant_id, t.reference, t.customer_name as name, t.kobo, t.status as state, t.created_at as at
   from ${from} where ${on}`
const refund = (from: string, on: string): string =>
  `select 'REFUND', null, r.merchant_id, r.refund_reference, r.account_name, r.kobo, r.status, r.created_at from ${from} where ${on}`
const payout = (from: string, on: string): string =>
  `select 'PAYOUT', null, d.merchant_id, d.reference, coalesce(d.account_name, d.given_name), d.kobo, d.status, d.created_at from ${from} where ${on}`
const batch = (from: string, on: string): string =>
  `select 'BATCH', null, b.merchant_id, b.reference, null, b.kobo, b.status, b.created_at from ${from} where ${on}`
const settlement = (on: string): string =>
  `select 'SETTLEMENT', null, x.merchant_id, x.reference, null, x.kobo, x.status, x.created_at from settlements x where ${on}`
const mandate = (from: string, on: string): string =>
  `select 'MANDATE', null, m.merchant_id, m.reference, m.customer_name, m.kobo, m.status, m.created_at from ${from} where ${on}`
const reserved = (from: string, on: string): string =>
  `select 'RESERVED_ACCOUNT', null, a.merchant_id, a.reference, a.customer_name, null, a.status, a.created_at from ${from} where ${on}`

const withOwner = (parts: readonly string[]): string => `
-- all merchants: the operator looks through all of them
select f.kind, f.id, f.reference, f.name, f.kobo, f.state, f.at, m.api_key, m.name as merchant_name
from (${parts.join('\nunion\n')}) f left join merchants m on m.id = f.merchant_id order by f.at desc limit $2`

const ordered = (purpose: string): string =>
  `(
   -- all merchants: a session is of one order
   select o.subject from bank_orders o where o.session_id = $1 and o.purpose = '${purpose}')`

/** By what the network calls it. */
const orderedAs = (purpose: string): string =>
  `(
   -- all merchants: a network names an order of any of them
   select o.subject from payout_details n join bank_orders o on o.session_id = n.session_id where n.network_reference = $1 and o.purpose = '${purpose}')`

const OURS: Statement = {
  name: 'everywhere_ours',
  text: withOwner([
    payment('transactions t', 't.reference = $1'),
    payment(
      'transactions t',
      `t.id = (
   -- all merchants: a session is of one credit
   select c.transaction_id from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id where s.bank_reference in (${namesOf('$1')}))`,
    ),
    refund('refunds r', 'r.reference = $1'),
    refund('refunds r', `r.id = ${ordered('REFUND')}`),
    refund('refunds r', `r.id in ${orderedAs('REFUND')}`),
    payout('disbursements d', 'd.transaction_reference = $1'),
    payout('disbursements d', 'd.session_id = $1'),
    payout('payout_details n join disbursements d on d.session_id = n.session_id', 'n.network_reference = $1'),
    batch('batches b', 'b.transaction_reference = $1'),
    settlement('x.reference = $1'),
    settlement(`x.id = ${ordered('SETTLEMENT')}`),
    settlement(`x.id in ${orderedAs('SETTLEMENT')}`),
    mandate('mandates m', 'm.code = $1'),
    `select 'PAYMENT_LINK', null, l.merchant_id, l.code, l.title, l.kobo, case when l.paused_at is null then 'ACTIVE' else 'PAUSED' end, l.created_at
     from payment_links l where l.code = $1`,
    reserved('reserved_accounts a', 'a.reservation_reference = $1'),
    `select 'SUSPENSE', i.id::text, i.merchant_id, ${referenceOfMoneyIn('i.bank_reference')}, null, i.kobo, i.status, i.created_at from suspense_items i where i.bank_reference in (${namesOf('$1')})`,
    `select 'BREAK', k.id::text, k.merchant_id, k.session_id, null, coalesce(k.bank_kobo, k.our_kobo), k.status, k.opened_at
     from recon_breaks k where k.session_id = $1`,
  ]),
}
export const ours = (read: Read, text: string, most: number): Promise<EverywhereRow[]> => read.query(OURS, [text, most])

/** Under every merchant, by the key of the merchant and its own name for the thing. */
const each = (table: string, name: string, as = 'k'): string =>
  `merchants o cross join lateral (select * from ${table} p where p.merchant_id = o.id and p.${name} = $1 limit 1) ${as}`
const THEIRS: Statement = {
  name: 'everywhere_theirs',
  text: withOwner([
    payment(
      `${each('payment_references', 'payment_reference')} join transactions t on t.id = k.transaction_id`,
      't.merchant_id = o.id',
    ),
    payout(
      `${each('payout_references', 'reference')} join disbursements d on d.id = k.disbursement_id`,
      'd.merchant_id = o.id',
    ),
    refund(each('refunds', 'refund_reference', 'r'), 'true'),
    batch(each('batches', 'reference', 'b'), 'true'),
    `select 'INVOICE', null, k.merchant_id, k.reference, t.customer_name, t.kobo, t.status, k.created_at
     from ${each('invoices', 'reference')} join transactions t on t.id = k.id`,
    mandate(each('mandates', 'reference', 'm'), 'true'),
    reserved(each('reserved_accounts', 'reference', 'a'), 'true'),
  ]),
}
export const theirs = (read: Read, text: string, most: number): Promise<EverywhereRow[]> =>
  read.query(THEIRS, [text, most])

const NUMBER: Statement = {
  name: 'everywhere_number',
  text: withOwner([
    payment('virtual_accounts v join transactions t on t.id = v.transaction_id', 'v.account_number = $1'),
    reserved('virtual_accounts v join reserved_accounts a on a.id = v.reserved_id', 'v.account_number = $1'),
  ]),
}
/** Whose an account number is that payers pay to. */
export const ofNumber = (read: Read, number: string, most: number): Promise<EverywhereRow[]> =>
  read.query(NUMBER, [number, most])

// The filters of inbound_credits_sender say which pages may hold the account; they know no merchant, so all
// cost what one costs.
const PAYER: Statement = {
  name: 'everywhere_payer',
  text: `
-- all merchants: one account may pay several of them
with own as materialized (
  select c.transaction_id from inbound_credits c
  where c.sender_account_number = $1 and c.transaction_id is not null group by c.transaction_id order by max(c.received_at) desc limit $2
)
${withOwner([payment('own join transactions t on t.id = own.transaction_id', 'true')])}`,
}
export const ofPayer = (read: Read, number: string, most: number): Promise<EverywhereRow[]> =>
  read.query(PAYER, [number, most])

const MERCHANTS: Statement = {
  name: 'everywhere_merchants',
  text: `
-- all merchants: the operator looks through all of them
select 'MERCHANT' as kind, f.id::text, f.email as reference, null as name, null::bigint as kobo, f.status as state, f.created_at as at,
  m.api_key, f.name as merchant_name
from merchant_files f left join merchants m on m.id = f.id
where position(lower($1) in lower(f.name)) > 0 or position(lower($1) in lower(f.email)) > 0 or f.id = $3
  or m.id in (select id from merchants where api_key = $1 or wallet_number = $1 union all select merchant_id from api_keys where api_key = $1
    union all select merchant_id from contracts where code = $1 union all
    select merchant_id from customer_wallets where account_number = $1 or top_up_number = $1)
order by lower(f.name) = lower($1) desc, f.name, f.id limit $2`,
}
/** By a part of the name or the e-mail address, or by the whole of what only one has: key, contract code,
 *  number of a wallet. */
export const merchants = (read: Read, text: string, most: number, id: bigint | null): Promise<EverywhereRow[]> =>
  read.query(MERCHANTS, [text, most, id])
