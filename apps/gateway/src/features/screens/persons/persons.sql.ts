// The statements that find and erase what is stored of a payer. Those of most tables are made of the list of
// personal data.

import type { Personal, Subject } from '#core/personal/judging.ts'
import { referenceOfMoneyIn } from '#core/routing/names.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const FIND_MERCHANT: Statement = {
  name: 'persons_merchant',
  text: `
-- all merchants: which one it is about is what is asked
select m.id, m.name from merchants m where m.api_key = $1 or m.id in (select c.merchant_id from contracts c where c.code = $1)`,
}
/** By its API key or one of its contract codes. */
export const findMerchant = async (read: Read, code: string): Promise<{ id: bigint; name: string } | null> =>
  (await read.query<Pick<Rows['merchants'], 'id' | 'name'>>(FIND_MERCHANT, [code]))[0] ?? null

// ---- whose rows they are

/** The same address, as the search compares them. */
const same = (column: string): string => `lower(${column} collate "und-x-icu") = lower($2::text collate "und-x-icu")`

const FIND: Statement = {
  name: 'persons_find',
  text: `
with mandate as materialized (select id, code from mandates where merchant_id = $1 and ${same('customer_email')}),
reserved as materialized (select id, reference, reservation_reference from reserved_accounts where merchant_id = $1 and ${same('customer_email')}),
wallet as materialized (select id, reference from customer_wallets where merchant_id = $1 and ${same('customer_email')}),
own as materialized (
  select id from transactions where merchant_id = $1 and email_key = search_key($2::text) and ${same('customer_email')}
  union select id from transactions where merchant_id = $1 and reference = $3::text
  union select d.id from debits d where d.merchant_id = $1 and d.mandate_id in (select id from mandate)
  union select t.id from transactions t join reserved r on r.reference = t.product_reference
    where t.merchant_id = $1 and t.product_type = 'RESERVED_ACCOUNT'
), refund as materialized (
  select id, reference from refunds where merchant_id = $1 and transaction_id in (select id from own)
)
select array(select id from own) as transactions, array(select id from refund) as refunds, array(select id from mandate) as mandates,
  array(select id from reserved) as reserved, array(select id from wallet) as wallets,
  array(
    select ${referenceOfMoneyIn('c.bank_reference')} from inbound_credits c where c.merchant_id = $1 and c.transaction_id in (select id from own)
    union select ${referenceOfMoneyIn('s.return_session_id')} from suspense_items s where s.merchant_id = $1 and s.transaction_id in (select id from own)
      and s.return_session_id is not null
    union select d.session_id from debits d where d.merchant_id = $1 and d.id in (select id from own)
    union select o.session_id from bank_orders o where o.merchant_id = $1 and o.purpose = 'REFUND' and o.subject in (select id from refund)
      and o.session_id is not null
    union select ${referenceOfMoneyIn('r.reversal_reference')} from credit_reversals r where r.merchant_id = $1 and r.transaction_id in (select id from own)
  ) as sessions,
  array(
    select k.token from card_tokens k where k.merchant_id = $1 and (${same('k.customer_email')} or k.charge_id in (
      select c.id from card_charges c where c.merchant_id = $1 and c.transaction_id in (select id from own)))
  ) as tokens,
  array(
    select t.reference from transactions t where t.merchant_id = $1 and t.id in (select id from own)
    union select reference from refund union select code from mandate union select reservation_reference from reserved
  ) as references`,
}
export type FoundRows = {
  readonly transactions: readonly bigint[]
  readonly refunds: readonly bigint[]
  readonly mandates: readonly bigint[]
  readonly reserved: readonly bigint[]
  readonly wallets: readonly bigint[]
  readonly sessions: readonly string[]
  readonly tokens: readonly string[]
  /** Our own names of these rows. */
  readonly references: readonly string[]
}
type Ids = 'transactions' | 'refunds' | 'mandates' | 'reserved' | 'wallets'
/** The driver leaves the numbers of an array as they are written. */
type FoundRow = Omit<FoundRows, Ids> & Readonly<Record<Ids, readonly string[]>>
export type Scope = {
  readonly merchantId: bigint
  readonly email: string | null
  /** Of one transaction, for a payer without an address of their own. */
  readonly reference: string | null
}
const ids = (values: readonly string[]): bigint[] => values.map(BigInt)
export async function find(read: Read, { merchantId, email, reference }: Scope): Promise<FoundRows> {
  const [row] = (await read.query<FoundRow>(FIND, [merchantId, email, reference])) as [FoundRow]
  const { transactions, refunds, mandates, reserved, wallets } = row
  return {
    ...row,
    transactions: ids(transactions),
    refunds: ids(refunds),
    mandates: ids(mandates),
    reserved: ids(reserved),
    wallets: ids(wallets),
  }
}

const MAILS: Statement = {
  name: 'persons_mails',
  text: `
select id, sent_at is null and refused_at is null as waits, ${same('recipient')} is true as to_person, subject || ' ' || text as words
from mails m where merchant_id = $1 and (${same('recipient')}
  or exists (select from unnest($3::text[]) as n where strpos(lower(m.subject || ' ' || m.text), n) > 0))`,
}
export type MailRow = { waits: boolean; to_person: boolean; words: string; id: Rows['mails']['id'] }
/** To the person, or with one of these texts, which are in lower case. */
export const findMails = (read: Read, { merchantId, email }: Scope, texts: readonly string[]) =>
  read.query<MailRow>(MAILS, [merchantId, email, texts])

/** What still waits for somebody, of all features; each is a sentence. */
export const openStatement = (parts: readonly string[]): Statement => ({
  name: 'persons_open',
  text: `
select says from (
  ${parts.join('\n  union all ')}
) as open order by says limit 20`,
})
export const listOpen = async (
  read: Read,
  statement: Statement,
  merchantId: bigint,
  found: FoundRows,
): Promise<string[]> => {
  const { transactions, mandates, reserved, wallets } = found
  const values = [merchantId, transactions, mandates, reserved, wallets]
  return (await read.query<{ says: string }>(statement, values)).map(({ says }) => says)
}

const LOCK: Statement = {
  name: 'persons_lock',
  text: `
select 1 from transactions where merchant_id = $1 and id = any($2::bigint[]) order by id for update`,
}
/** Nobody pays, refunds or reverses what is being erased. */
export const lock = (t: Tx, merchantId: bigint, { transactions }: FoundRows): Promise<unknown> =>
  t.query(LOCK, [merchantId, transactions])

// ---- tables of the list

/** Statement lines are the bank's, and name no merchant; they are found by sessions of the person's own
 *  rows. */
const NO_MERCHANT: ReadonlySet<string> = new Set(['statement_lines'])
const TEXTS: ReadonlySet<Subject> = new Set(['sessions', 'tokens'])

type Listed = { readonly table: string; readonly subject: Subject; readonly rows: string; readonly set: string | null }
function listed(table: string, { by, where, deleted, columns }: Personal): Listed[] {
  if (!by) return []
  const [column, subject] = by
  const changes = Object.entries(columns).flatMap(([name, judged]) =>
    'becomes' in judged ? [[name, judged.becomes] as const] : [],
  )
  const names = changes.map(([name]) => name).join(', ')
  const values = changes.map(([, becomes]) => becomes).join(', ')
  const rows = [
    NO_MERCHANT.has(table) ? '$1::bigint is not null' : 'merchant_id = $1',
    `${column} = any($2::${TEXTS.has(subject) ? 'text' : 'bigint'}[])`,
    ...(where === undefined ? [] : [where]),
    ...(deleted ? [] : [`row(${names}) is distinct from row(${values})`]),
  ].join(' and ')
  return [
    { table, subject, rows, set: deleted ? null : changes.map(([name, becomes]) => `${name} = ${becomes}`).join(', ') },
  ]
}
/** The statements of the tables in which features have rows of a person. */
export type ErasureStatements = readonly (Listed & { readonly count: Statement; readonly erase: Statement })[]
export const erasureStatements = (personal: Readonly<Record<string, Personal>>): ErasureStatements =>
  Object.entries(personal)
    .flatMap(([table, judged]) => listed(table, judged))
    .map((one) => ({
      ...one,
      count: {
        name: `persons_count_${one.table}`,
        text: `select count(*)::int as rows from ${one.table} where ${one.rows}`,
      },
      erase: {
        name: `persons_erase_${one.table}`,
        text: `with done as (${
          one.set === null ? `delete from ${one.table}` : `update ${one.table} set ${one.set}`
        } where ${one.rows} returning 1) select count(*)::int as rows from done`,
      },
    }))

export type PersonRows = FoundRows & { readonly mails: readonly bigint[] }
export type Counts = Readonly<Record<string, number>>
const each = async (
  read: Read,
  erasing: ErasureStatements,
  merchantId: bigint,
  rows: PersonRows,
  which: 'count' | 'erase',
): Promise<Counts> => {
  const counts: Record<string, number> = {}
  for (const one of erasing) {
    const [row] = await read.query<{ rows: number }>(one[which], [merchantId, rows[one.subject]])
    counts[one.table] = row?.rows ?? 0
  }
  return counts
}
export const countListed = (
  read: Read,
  erasing: ErasureStatements,
  merchantId: bigint,
  rows: PersonRows,
): Promise<Counts> => each(read, erasing, merchantId, rows, 'count')
export const eraseListed = (t: Tx, erasing: ErasureStatements, merchantId: bigint, rows: PersonRows): Promise<Counts> =>
  each(t, erasing, merchantId, rows, 'erase')

// ---- text in JSON

const EVENTS: Statement = {
  name: 'persons_events',
  text: `
select n.number, e.id, e.shape, event_body(e.shape, e.body) as body, e.object_id = any($4::bigint[]) as own
from (select number, event_id from event_numbers where merchant_id = $1 and number > $2 order by number limit $3) n
join events e on e.id = n.event_id and e.merchant_id = $1
where e.body <> '' and (e.object_id = any($4::bigint[]) or exists (
  select from unnest($5::text[]) as t where strpos(lower(event_body(e.shape, e.body)), t) > 0))
order by n.number`,
}
export type EventRow = Pick<Rows['events'], 'id' | 'shape'> & {
  body: string
  own: boolean
  number: Rows['event_numbers']['number']
}
/** Of the next so many events of a merchant those about the person's objects, or with one of these texts (in
 *  lower case). */
export const listEvents = (
  read: Read,
  merchantId: bigint,
  page: { after: bigint; size: number },
  objects: readonly bigint[],
  texts: readonly string[],
): Promise<EventRow[]> => read.query<EventRow>(EVENTS, [merchantId, page.after, page.size, objects, texts])

const STORE: Statement = {
  name: 'persons_event_store',
  text: 'update events set shape = $3, body = $4 where merchant_id = $1 and id = $2',
}
const FORGET_ANSWERS: Statement = {
  name: 'persons_event_answers',
  text: 'update delivery_attempts set answer = null where merchant_id = $1 and event_id = $2 and answer is not null',
}
export type Stored = { readonly id: bigint; readonly shape: number; readonly values: string }
/** The same bytes under another shape, or some values erased: the database lets nothing else pass. */
export const storeEvent = (t: Tx, merchantId: bigint, event: Stored): Promise<unknown> =>
  t.query(STORE, [merchantId, event.id, event.shape, event.values])
/** A receiver may have sent back what it was sent. */
export const forgetAnswers = (t: Tx, merchantId: bigint, id: bigint): Promise<unknown> =>
  t.query(FORGET_ANSWERS, [merchantId, id])

const REQUESTS: Statement = {
  name: 'persons_requests',
  text: `
select key, answer from requests r where merchant_id = $1 and answer is not null
  and exists (select from unnest($2::text[]) as t where strpos(lower(r.answer), t) > 0)`,
}
export const listRequests = (read: Read, merchantId: bigint, texts: readonly string[]) =>
  read.query<{ answer: string; key: Rows['requests']['key'] }>(REQUESTS, [merchantId, texts])

const STORE_REQUEST: Statement = {
  name: 'persons_request_store',
  text: 'update requests set answer = $3 where merchant_id = $1 and key = $2',
}
export const storeRequest = (t: Tx, merchantId: bigint, key: string, answer: string): Promise<unknown> =>
  t.query(STORE_REQUEST, [merchantId, key, answer])

// ---- that it happened

const DIGEST = (id: string) => `sha256(convert_to(${id}::text || ':' || lower($2::text collate "und-x-icu"), 'UTF8'))`
const INSERT: Statement = {
  name: 'persons_erasure',
  text: `insert into erasures (id, merchant_id, digest, counts, at) values ($3, $1, ${DIGEST('$3::bigint')}, $4, $5)`,
}
export const insertErasure = (t: Tx, id: bigint, merchantId: bigint, whose: string, counts: Counts): Promise<unknown> =>
  t.query(INSERT, [merchantId, whose, id, JSON.stringify(counts), t.now])

const BEFORE: Statement = {
  name: 'persons_erased_before',
  text: `select at from erasures where merchant_id = $1 and digest = ${DIGEST('id')} order by at`,
}
/** When data of this person was erased before. */
export const erasedBefore = async (read: Read, merchantId: bigint, whose: string): Promise<Date[]> =>
  (await read.query<Pick<Rows['erasures'], 'at'>>(BEFORE, [merchantId, whose])).map(({ at }) => at)
