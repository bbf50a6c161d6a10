// Every statement of transactions, written for arrays: a single request is an array of one.

import { methodLetter, methodLetters, type Product } from '@cowrie/contract/collections/transactions'
import { EXPIRE_TRANSACTION } from '@cowrie/contract/kit/timers'
import type { FeeSchedule } from '#core/access/fees.ts'
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type NewTransaction = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly reference: string
  readonly paymentReference: string
  readonly contractCode: string
  readonly kobo: bigint
  readonly customerName: string
  readonly customerEmail: string
  readonly description: string
  readonly methods: readonly string[]
  readonly redirectUrl: string | null
  readonly metaData: string
  readonly split: string | null
  /** What it is made for, where the merchant did not ask for it directly. */
  readonly product?: { readonly type: Product; readonly reference: string }
}

type InsertShape = { readonly late: boolean; readonly product: boolean; readonly timed: boolean }

/** A row is late when the search has sealed its moment already (blocks.ts): this process's clock is behind,
 *  or it was held up. Nearly no row ever is, and taking a seal off costs a tenth of the whole insert even
 *  where there is none; so the plain statement only asks, and leaves late rows to the other one. */
const insertStatement = ({ late, product, timed }: InsertShape): Statement => ({
  name: `transactions_insert${late ? '_late' : ''}${product ? '_product' : ''}${timed ? '' : '_untimed'}`,
  text: `
with late as materialized (
  select coalesce($14::timestamptz <= (select max(last_at) from search_blocks), false) as late
), x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[]${product ? ', $16::text[], $17::text[]' : ''})
    as x(id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email, description,
    methods, redirect_url, meta_data, split${product ? ', product_type, product_reference' : ''})
  ${late ? '' : 'where not (select late from late)'}
), named as (
  insert into payment_references (merchant_id, payment_reference, transaction_id) select merchant_id, payment_reference, id from x
  on conflict do nothing returning transaction_id
), made as (
  insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
    description, methods, redirect_url, meta_data, split, status, created_at, expires_at, email_key, name_key${product ? ', product_type, product_reference' : ''})
  select id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email, description,
    methods, redirect_url, meta_data, split, 'PENDING', $14::timestamptz, $15::timestamptz,
    search_key(customer_email), search_key(customer_name)${product ? ', product_type, product_reference' : ''}
  from x where id in (select transaction_id from named)
  returning id, merchant_id
)${
    timed
      ? `, timed as (
  insert into agenda (kind, merchant_id, subject, due_at)
  select '${EXPIRE_TRANSACTION}', merchant_id, id, $15::timestamptz from made
)`
      : ''
  }${
    late
      ? `, unsealed as (
  update search_blocks b set sealed = false from made m
  where b.merchant_id = m.merchant_id and b.after_at <= $14::timestamptz and b.last_at >= $14::timestamptz
)`
      : ''
  }
select ${late ? 'false' : 'l.late'} as late, m.id from late l left join made m on true`,
})
const statements = new Map<string, Statement>()
const insertFor = (shape: InsertShape): Statement => {
  const key = JSON.stringify(shape)
  const known = statements.get(key) ?? insertStatement(shape)
  statements.set(key, known)
  return known
}

/** Inserts what is new and its timer; answers with the ids that were: the others' payment reference is taken.
 *  LATE: nothing was inserted, ask again with `late`. Without `timed` nobody waits for it to expire: it is
 *  paid in the same transaction, or whoever makes it has a timer of its own. */
export async function insert(
  t: Tx,
  rows: readonly NewTransaction[],
  expiresAt: Date,
  late = false,
  timed = true,
): Promise<ReadonlySet<bigint> | 'LATE'> {
  const product = rows.some((row) => row.product)
  const made = await t.query<{ late: boolean; id: bigint | null }>(insertFor({ late, product, timed }), [
    numbers(rows.map((row) => row.id)),
    numbers(rows.map((row) => row.merchantId)),
    texts(rows.map((row) => row.reference)),
    texts(rows.map((row) => row.paymentReference)),
    texts(rows.map((row) => row.contractCode)),
    numbers(rows.map((row) => row.kobo)),
    texts(rows.map((row) => row.customerName)),
    texts(rows.map((row) => row.customerEmail)),
    texts(rows.map((row) => row.description)),
    texts(rows.map((row) => methodLetters(row.methods))),
    texts(rows.map((row) => row.redirectUrl)),
    texts(rows.map((row) => row.metaData)),
    texts(rows.map((row) => row.split)),
    t.now,
    expiresAt,
    ...(product
      ? [texts(rows.map((row) => row.product?.type ?? null)), texts(rows.map((row) => row.product?.reference ?? null))]
      : []),
  ])
  return made[0]?.late ? 'LATE' : new Set(made.flatMap(({ id }) => (id === null ? [] : [id])))
}

export type AccountAsked = {
  readonly merchantId: bigint
  readonly reference: string
  readonly offered: string
  /** The method it is asked for; a transaction that does not take it gets no account. */
  readonly method: string
  readonly onPage: boolean
  /** The schedule by which the payer bears the fee; null: the merchant bears it. */
  readonly quotes: FeeSchedule | null
}
export type AccountRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'payment_reference'
  | 'kobo'
  | 'description'
  | 'status'
  | 'paid_kobo'
  | 'expires_at'
  | 'closed_at'
  | 'quoted_fee_kobo'
> & {
  at: bigint
  /** Letters. */
  methods: Rows['transactions']['methods']
  product_type: Product | null
  account_number: string | null
  bank_code: string | null
  /** Whose bank has the number. */
  connector: number | null
}

/** `+ 0` and `any`: rows are found by their own key, never by walking through all of a merchant or of a month
 *  (core/hot-plans.test.ts, docs/decisions/0029-months.md). The fee that a payer bears is quoted with the
 *  account, once: only then the transaction is written to. Whoever pays it by card at this instant has locked
 *  it, and then it gets no quote and needs none. */
const issueStatement = (quotes: boolean): Statement => ({
  name: `transactions_issue_account${quotes ? '_quoted' : ''}`,
  text: `
with x as materialized (
  select * from unnest($1::text[], $2::bigint[], $3::text[], $6::text[], $7::boolean[]${quotes ? ', $9::bigint[], $10::bigint[], $11::bigint[], $12::bigint[]' : ''})
    with ordinality as x(reference, merchant_id, offered, method, on_page${quotes ? ', schedule_id, basis_points, flat_kobo, cap_kobo' : ''}, at)
), t as materialized (
  select x.at, x.offered, x.method, x.on_page, t.id, t.merchant_id, t.payment_reference, t.kobo, t.description, t.methods, t.status,
    t.paid_kobo, t.expires_at, t.closed_at, t.product_type, t.quoted_fee_kobo${quotes ? ', x.schedule_id, x.basis_points, x.flat_kobo, x.cap_kobo' : ''}
  from x join transactions t on t.reference = any (array[x.reference]) and t.merchant_id + 0 = x.merchant_id
), held as materialized (
  select v.account_number, v.bank_code, v.connector, v.transaction_id
  from t join virtual_accounts v on v.transaction_id = t.id and v.merchant_id + 0 = t.merchant_id
), issued as (
  insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at, on_page, connector)
  select offered, $4, merchant_id, id, $5::timestamptz, expires_at, on_page, $8::smallint from t
  where status = 'PENDING' and expires_at > $5::timestamptz and strpos(methods, method) > 0
    and not exists (select from held h where h.transaction_id = t.id)
  on conflict do nothing -- the number is held, or another request issued one for the transaction at this instant
  returning account_number, bank_code, connector, transaction_id
)${
    quotes
      ? `, quoted as (
  update transactions u set quoted_schedule_id = t.schedule_id,
    quoted_fee_kobo = least(t.kobo, t.cap_kobo, t.flat_kobo + (t.kobo * t.basis_points + 5000) / 10000)
  from t join issued d on d.transaction_id = t.id
  where u.id = any (array[t.id]) and u.merchant_id + 0 = t.merchant_id and u.status = 'PENDING'
    and t.schedule_id is not null and t.product_type is null
  returning u.id, u.quoted_fee_kobo
)`
      : ''
  }
select t.at, t.id, t.payment_reference, t.kobo, t.description, t.methods, t.status, t.paid_kobo, t.expires_at, t.closed_at, t.product_type,
  coalesce(d.account_number, h.account_number) as account_number, coalesce(d.bank_code, h.bank_code) as bank_code,
  coalesce(d.connector, h.connector) as connector,
  ${quotes ? 'coalesce(q.quoted_fee_kobo, t.quoted_fee_kobo) as quoted_fee_kobo' : 't.quoted_fee_kobo'}
from t left join issued d on d.transaction_id = t.id left join held h on h.transaction_id = t.id${quotes ? ' left join quoted q on q.id = t.id' : ''}`,
})
const ISSUE = issueStatement(false)
const ISSUE_QUOTED = issueStatement(true)

/** The account of each transaction, issued now where it had none. Transactions that are not there have no
 *  row. */
export async function issueAccounts(
  t: Tx,
  asked: readonly AccountAsked[],
  { connector, bankCode }: { readonly connector: number; readonly bankCode: string },
): Promise<(AccountRow | undefined)[]> {
  const quotes = asked.some((item) => item.quotes)
  const rows = await t.query<AccountRow>(quotes ? ISSUE_QUOTED : ISSUE, [
    texts(asked.map((item) => item.reference)),
    numbers(asked.map((item) => item.merchantId)),
    texts(asked.map((item) => item.offered)),
    bankCode,
    t.now,
    texts(asked.map((item) => methodLetter(item.method))),
    numbers(asked.map((item) => item.onPage)),
    connector,
    ...(quotes
      ? [
          numbers(asked.map((item) => item.quotes?.id ?? null)),
          numbers(asked.map((item) => item.quotes?.basisPoints ?? null)),
          numbers(asked.map((item) => item.quotes?.flatKobo ?? null)),
          numbers(asked.map((item) => item.quotes?.capKobo ?? null)),
        ]
      : []),
  ])
  const byPlace = new Map(rows.map((row) => [Number(row.at), row]))
  return asked.map((_, index) => byPlace.get(index + 1))
}

export type StatusRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'payment_reference'
  | 'status'
  | 'kobo'
  | 'paid_kobo'
  | 'fee_kobo'
  | 'quoted_fee_kobo'
  | 'created_at'
  | 'customer_name'
  | 'customer_email'
  | 'description'
  | 'meta_data'
  | 'payment_method'
  | 'product_reference'
  | 'on_page'
  | 'redirect_url'
  | 'expires_at'
  | 'closed_at'
> & {
  product_type: Product | null
  account_number: string | null
  bank_code: string | null
  credits: {
    sender_name: string
    sender_account_number: string
    sender_bank_code: string
    kobo: string
    received_at: string
  }[]
  card: CardRow | null
  /** What the issuer answered last, where that ended it. */
  declined: string | null
}

/** Of the card that a transaction was paid with; its token, unless the issuer knows no stored cards. */
export type CardRow = {
  token: string | null
  bin: string
  last4: string
  exp_month: string
  exp_year: string
  scheme: string
  bank_code: string | null
  bank_name: string | null
  country_code: string | null
}

const statusWhere = (condition: string): string => `
select t.id, t.merchant_id, t.reference, t.payment_reference, t.status, t.kobo, t.paid_kobo, t.fee_kobo, t.quoted_fee_kobo, t.created_at,
  t.customer_name, t.customer_email, t.description,
  t.meta_data, t.payment_method, t.product_type, t.product_reference, t.on_page, t.redirect_url, t.expires_at, t.closed_at, v.account_number, v.bank_code,
  coalesce((
    select json_agg(json_build_object('sender_name', c.sender_name, 'sender_account_number', c.sender_account_number,
      'sender_bank_code', c.sender_bank_code, 'kobo', c.kobo::text, 'received_at', c.received_at) order by c.received_at)
    from inbound_credits c where c.transaction_id = t.id and c.merchant_id = t.merchant_id and c.outcome = 'COUNTED'
  ), '[]') as credits,
  case when t.payment_method = 'CARD' and t.paid_kobo > 0 then (
    select json_build_object('token', c.token, 'bin', coalesce(c.bin, ''), 'last4', coalesce(c.last4, ''),
      'exp_month', coalesce(c.exp_month, ''), 'exp_year', coalesce(c.exp_year, ''),
      'scheme', c.scheme, 'bank_code', c.bank_code, 'bank_name', c.bank_name, 'country_code', c.country_code)
    from card_charges c
    where c.transaction_id = t.id and c.merchant_id = t.merchant_id and c.status = 'APPROVED'
  ) end as card,
  case when t.payment_method = 'CARD' and t.status = 'FAILED' then (
    select c.code from card_charges c
    where c.transaction_id = t.id and c.merchant_id = t.merchant_id and c.status = 'DECLINED' order by c.id desc limit 1
  ) end as declined
from transactions t left join virtual_accounts v on v.transaction_id = t.id and v.merchant_id = t.merchant_id
where ${condition}`

const BY_REFERENCE: Statement = {
  name: 'transactions_by_reference',
  text: statusWhere('t.merchant_id = $1 and t.reference = $2'),
}
const BY_PAYMENT_REFERENCE: Statement = {
  name: 'transactions_by_payment_reference',
  text: statusWhere(
    't.merchant_id = $1 and t.id = (select transaction_id from payment_references where merchant_id = $1 and payment_reference = $2)',
  ),
}
const FOR_CHECKOUT: Statement = {
  name: 'transactions_for_checkout',
  text: `-- all merchants: a payer has no merchant; the token of the address is compared instead${statusWhere('t.reference = $1')}`,
}

const BY_IDS: Statement = {
  name: 'transactions_by_ids',
  text: `-- all merchants: whoever asks has found the ids in rows of the merchant${statusWhere('t.id = any($1::bigint[])')}`,
}
export const listByIds = (read: Read, ids: readonly bigint[]): Promise<StatusRow[]> =>
  read.query<StatusRow>(BY_IDS, [numbers(ids)])

export const findByReference = async (read: Read, merchantId: bigint, reference: string): Promise<StatusRow | null> =>
  (await read.query<StatusRow>(BY_REFERENCE, [merchantId, reference]))[0] ?? null
export const findByPaymentReference = async (
  read: Read,
  merchantId: bigint,
  reference: string,
): Promise<StatusRow | null> => (await read.query<StatusRow>(BY_PAYMENT_REFERENCE, [merchantId, reference]))[0] ?? null
export const findForCheckout = async (read: Read, reference: string): Promise<StatusRow | null> =>
  (await read.query<StatusRow>(FOR_CHECKOUT, [reference]))[0] ?? null

const SPLIT: Statement = {
  name: 'transactions_split',
  text: 'select id, split, paid_kobo, fee_kobo, quoted_fee_kobo from transactions where merchant_id = $1 and reference = $2',
}
export type SplitRow = Pick<Rows['transactions'], 'id' | 'split' | 'paid_kobo' | 'fee_kobo' | 'quoted_fee_kobo'>
export const findSplit = async (read: Read, merchantId: bigint, reference: string): Promise<SplitRow | null> =>
  (await read.query<SplitRow>(SPLIT, [merchantId, reference]))[0] ?? null

const EXPIRABLE: Statement = {
  name: 'transactions_expirable',
  text: `
-- all merchants: their timers have fallen due
select t.id, t.merchant_id, t.status, v.transaction_id is not null as has_account
from transactions t left join virtual_accounts v on v.transaction_id = t.id and v.merchant_id = t.merchant_id
where t.id = any($1::bigint[]) and t.expires_at <= $2
  and (t.status = 'PENDING' or (t.status = 'PARTIALLY_PAID' and t.closed_at is null))
order by t.id for update of t -- closing leaves the state as it is: without the lock one that was closed a moment ago is closed again`,
}

export const lockExpirable = (
  t: Tx,
  ids: readonly bigint[],
  now: Date,
): Promise<
  (Pick<Rows['transactions'], 'id' | 'merchant_id'> & { status: 'PENDING' | 'PARTIALLY_PAID'; has_account: boolean })[]
> => t.query(EXPIRABLE, [ids, now])
