// Every statement of reserved accounts. Reserving is written for arrays: a single request is an array of one.

import type { Offer } from '#core/feature.ts'
import type { Rows } from '#core/rows.ts'
import { lines, linesArray, numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type AccountType = 'GENERAL' | 'INVOICE'

/** A sealed number, its keyed digest, and the four digits that are shown. */
export type KeptIdentity = { readonly sealed: string; readonly digest: Buffer; readonly tail: string }

export type KeptSources = {
  readonly restricted: boolean
  readonly bvnsSealed: string | null
  readonly bvns: readonly Buffer[]
  readonly accounts: string
  readonly names: readonly string[]
}

export type NewAccount = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly reference: string
  readonly reservationReference: string
  readonly type: AccountType
  readonly serial: string
  readonly name: string
  readonly contractCode: string
  readonly customerEmail: string
  readonly customerName: string
  readonly bvn: KeptIdentity | null
  readonly nin: KeptIdentity | null
  readonly split: string | null
  readonly splitShown: string
  readonly splitCode: string
  readonly sources: KeptSources
  /** Its numbers, one per bank. */
  readonly numbers: readonly Offer[]
  /** Those at banks where none is asked for yet: nobody may hold them either, or they could not be added
   *  later. */
  readonly others: readonly Offer[]
}

const bytes = (digest: Buffer | undefined): string | null => digest?.toString('hex') ?? null
/** Several digests in one text; read by `string_to_array`. */
const manyBytes = (digests: readonly Buffer[]): string => digests.map((digest) => digest.toString('hex')).join(',')
const DIGESTS = (text: string) =>
  `case when ${text} = '' then '{}' else array(select decode(d, 'hex') from unnest(string_to_array(${text}, ',')) d) end`
const NAMES = (text: string) =>
  `case when ${text} = '[]' then '{}' else array(select json_array_elements_text(${text}::json)) end`

const INSERT: Statement = {
  name: 'reserved_accounts_insert',
  text: `
with x as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], ${linesArray('$17')}, ${linesArray('$18')},
    $19::text[], $20::bool[], $21::text[], $22::text[], ${linesArray('$23')}, ${linesArray('$24')})
    as x(id, merchant_id, reference, reservation_reference, type, serial, name, contract_code, customer_email, customer_name,
      bvn_sealed, bvn_digest, bvn_tail, nin_sealed, nin_digest, nin_tail, split, split_shown, split_code, restricted,
      allowed_bvns_sealed, allowed_bvns, allowed_accounts, allowed_names)
), n as materialized (
  select * from unnest($25::bigint[], $26::text[], $27::text[], $28::bool[], $30::smallint[]) as n(reserved_id, account_number, bank_code, asked, connector)
), held as materialized (
  select distinct n.reserved_id from n join virtual_accounts v on v.account_number = n.account_number and v.bank_code = n.bank_code
), made as (
  insert into reserved_accounts (id, merchant_id, reference, reservation_reference, type, status, serial, name, contract_code,
    customer_email, customer_name, bvn_sealed, bvn_digest, bvn_tail, nin_sealed, nin_digest, nin_tail, split, split_shown,
    split_code, restricted, allowed_bvns_sealed, allowed_bvns, allowed_accounts, allowed_names, created_at)
  select id, merchant_id, reference, reservation_reference, type, 'RESERVED', serial, name, contract_code, customer_email,
    customer_name, bvn_sealed, decode(bvn_digest, 'hex'), bvn_tail, nin_sealed, decode(nin_digest, 'hex'), nin_tail, split,
    split_shown, split_code, restricted, allowed_bvns_sealed, ${DIGESTS('x.allowed_bvns')}, allowed_accounts, ${NAMES('x.allowed_names')},
    $29::timestamptz
  from x where id not in (select reserved_id from held)
  on conflict on constraint reserved_accounts_reference_key do nothing
  returning id, merchant_id
), numbered as (
  insert into virtual_accounts (account_number, bank_code, merchant_id, reserved_id, opened_at, expires_at, connector)
  select n.account_number, n.bank_code, m.merchant_id, m.id, $29::timestamptz, 'infinity', n.connector
  from made m join n on n.reserved_id = m.id and n.asked
)
select x.id, m.id is not null as made, h.reserved_id is not null as held
from x left join made m on m.id = x.id left join held h on h.reserved_id = x.id`,
}

/** Reserves what can be, with its numbers. HELD: somebody has one of the numbers, so the account needs
 *  another serial. TAKEN: the merchant has used the reference. */
export async function insert(
  t: Tx,
  rows: readonly NewAccount[],
): Promise<ReadonlyMap<bigint, 'MADE' | 'HELD' | 'TAKEN'>> {
  const offered = rows.flatMap((row) => [
    ...row.numbers.map((number) => ({ ...number, id: row.id, asked: true })),
    ...row.others.map((number) => ({ ...number, id: row.id, asked: false })),
  ])
  const found = await t.query<{ id: bigint; made: boolean; held: boolean }>(INSERT, [
    numbers(rows.map((row) => row.id)),
    numbers(rows.map((row) => row.merchantId)),
    texts(rows.map((row) => row.reference)),
    texts(rows.map((row) => row.reservationReference)),
    texts(rows.map((row) => row.type)),
    texts(rows.map((row) => row.serial)),
    texts(rows.map((row) => row.name)),
    texts(rows.map((row) => row.contractCode)),
    texts(rows.map((row) => row.customerEmail)),
    texts(rows.map((row) => row.customerName)),
    texts(rows.map((row) => row.bvn?.sealed ?? null)),
    texts(rows.map((row) => bytes(row.bvn?.digest))),
    texts(rows.map((row) => row.bvn?.tail ?? null)),
    texts(rows.map((row) => row.nin?.sealed ?? null)),
    texts(rows.map((row) => bytes(row.nin?.digest))),
    texts(rows.map((row) => row.nin?.tail ?? null)),
    lines(rows.map((row) => row.split)),
    lines(rows.map((row) => row.splitShown)),
    texts(rows.map((row) => row.splitCode)),
    `{${rows.map((row) => row.sources.restricted).join(',')}}`,
    texts(rows.map((row) => row.sources.bvnsSealed)),
    texts(rows.map((row) => manyBytes(row.sources.bvns))),
    lines(rows.map((row) => row.sources.accounts)),
    lines(rows.map((row) => JSON.stringify(row.sources.names))),
    numbers(offered.map((number) => number.id)),
    texts(offered.map((number) => number.accountNumber)),
    texts(offered.map((number) => number.bankCode)),
    `{${offered.map((number) => number.asked).join(',')}}`,
    t.now,
    `{${offered.map((number) => number.connector).join(',')}}`,
  ])
  return new Map(found.map(({ id, made, held }) => [id, made ? 'MADE' : held ? 'HELD' : 'TAKEN']))
}

// ---- looking

/** The transaction that an account for invoices was attached to last. */
export type AttachedRow = {
  status: string
  kobo: string
  paid_kobo: string
  expires_at: string
  closed_at: string | null
}

export type Row = Pick<
  Rows['reserved_accounts'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'reservation_reference'
  | 'serial'
  | 'name'
  | 'contract_code'
  | 'customer_email'
  | 'customer_name'
  | 'bvn_tail'
  | 'nin_tail'
  | 'split_shown'
  | 'split_code'
  | 'restricted'
  | 'invoice_id'
  | 'limit_profile_id'
  | 'created_at'
> & {
  type: AccountType
  contract_name: Rows['contracts']['name']
  /** The oldest first. */
  numbers: { bank_code: string; account_number: string }[]
  attached: AttachedRow | null
}

/** With its numbers, those of the banks in their order; `banks` is the parameter that has it. */
export const ACCOUNT = (banks: string): string => `
select r.id, r.merchant_id, r.reference, r.reservation_reference, r.type, r.serial, r.name, r.contract_code, c.name as contract_name,
  r.customer_email, r.customer_name, r.bvn_tail, r.nin_tail, r.split_shown, r.split_code, r.restricted, r.invoice_id, r.limit_profile_id,
  r.created_at,
  (select json_agg(json_build_object('bank_code', v.bank_code, 'account_number', v.account_number)
    order by v.opened_at, array_position(${banks}::text[], v.bank_code))
    from virtual_accounts v where v.reserved_id = r.id and v.merchant_id = r.merchant_id) as numbers,
  (select json_build_object('status', t.status, 'kobo', t.kobo::text, 'paid_kobo', t.paid_kobo::text, 'expires_at', t.expires_at,
    'closed_at', t.closed_at) from transactions t where t.id = r.invoice_id and t.merchant_id = r.merchant_id) as attached
from reserved_accounts r join contracts c on c.code = r.contract_code and c.merchant_id = r.merchant_id`

const FIND: Statement = {
  name: 'reserved_accounts_find',
  text: `${ACCOUNT('$3')}
where r.merchant_id = $1 and r.reference = $2 and r.status = 'RESERVED'`,
}

export const find = async (
  read: Read,
  merchantId: bigint,
  reference: string,
  banks: readonly string[],
): Promise<Row | null> => (await read.query<Row>(FIND, [merchantId, reference, banks]))[0] ?? null

const KEPT: Statement = {
  name: 'reserved_accounts_kept',
  text: 'select type, reference from reserved_accounts where merchant_id = $1 and reference = $2',
}
/** An account, also one that was deallocated: what it took stays to be read. */
export const findKept = async (
  read: Read,
  merchantId: bigint,
  reference: string,
): Promise<Pick<Row, 'type' | 'reference'> | null> =>
  (await read.query<Pick<Row, 'type' | 'reference'>>(KEPT, [merchantId, reference]))[0] ?? null

const USED: Statement = {
  name: 'reserved_accounts_used',
  text: 'select from reserved_accounts where merchant_id = $1 and reference = $2',
}
/** Whether there is, or ever was, an account of this reference. */
export const isUsed = async (read: Read, merchantId: bigint, reference: string): Promise<boolean> =>
  (await read.query(USED, [merchantId, reference])).length > 0

const LOCK: Statement = {
  name: 'reserved_accounts_lock',
  text: `select id from reserved_accounts where merchant_id = $1 and reference = $2 and status = 'RESERVED' for update`,
}

/** Holds an account against other changes. What is read together with the lock is as old as the wait for it,
 *  so it is looked at afterwards, by `find`. */
export const lock = async (t: Tx, merchantId: bigint, reference: string): Promise<bigint | null> =>
  (await t.query<Pick<Rows['reserved_accounts'], 'id'>>(LOCK, [merchantId, reference]))[0]?.id ?? null

// ---- changing

const LINK: Statement = {
  name: 'reserved_accounts_link',
  text: `
insert into virtual_accounts (account_number, bank_code, merchant_id, reserved_id, opened_at, expires_at, connector)
select account_number, bank_code, $2, $1, $5, 'infinity', connector from unnest($3::text[], $4::text[], $6::smallint[]) as n(account_number, bank_code, connector)
on conflict do nothing
returning bank_code`,
}

/** Adds numbers; answers with the banks whose number was free. */
export const link = async (
  t: Tx,
  account: { readonly id: bigint; readonly merchantId: bigint },
  offered: readonly Offer[],
): Promise<ReadonlySet<string>> => {
  const linked = await t.query<Pick<Rows['virtual_accounts'], 'bank_code'>>(LINK, [
    account.id,
    account.merchantId,
    offered.map(({ accountNumber }) => accountNumber),
    offered.map(({ bankCode }) => bankCode),
    t.now,
    `{${offered.map(({ connector }) => connector).join(',')}}`,
  ])
  return new Set(linked.map(({ bank_code }) => bank_code))
}

const SET_BVN: Statement = {
  name: 'reserved_accounts_set_bvn',
  text: 'update reserved_accounts set bvn_sealed = $3, bvn_digest = $4, bvn_tail = $5 where merchant_id = $1 and id = $2',
}
const SET_NIN: Statement = {
  name: 'reserved_accounts_set_nin',
  text: 'update reserved_accounts set nin_sealed = $3, nin_digest = $4, nin_tail = $5 where merchant_id = $1 and id = $2',
}
export const setIdentity = (t: Tx, merchantId: bigint, id: bigint, kind: 'BVN' | 'NIN', kept: KeptIdentity) =>
  t.query(kind === 'BVN' ? SET_BVN : SET_NIN, [merchantId, id, kept.sealed, kept.digest, kept.tail])

const SET_SOURCES: Statement = {
  name: 'reserved_accounts_set_sources',
  text: `
update reserved_accounts set restricted = $3, allowed_bvns_sealed = $4, allowed_bvns = $5, allowed_accounts = $6, allowed_names = $7
where merchant_id = $1 and id = $2`,
}
export const setSources = (t: Tx, merchantId: bigint, id: bigint, sources: KeptSources) =>
  t.query(SET_SOURCES, [
    merchantId,
    id,
    sources.restricted,
    sources.bvnsSealed,
    sources.bvns,
    sources.accounts,
    sources.names,
  ])

const SET_SPLIT: Statement = {
  name: 'reserved_accounts_set_split',
  text: 'update reserved_accounts set split = $3, split_shown = $4, split_code = $5 where merchant_id = $1 and id = $2',
}
export const setSplit = (
  t: Tx,
  merchantId: bigint,
  id: bigint,
  split: { readonly kept: string | null; readonly shown: string; readonly code: string },
) => t.query(SET_SPLIT, [merchantId, id, split.kept, split.shown, split.code])

const SET_LIMIT_PROFILE: Statement = {
  name: 'reserved_accounts_set_limit_profile',
  text: 'update reserved_accounts set limit_profile_id = $3 where merchant_id = $1 and id = $2',
}
export const setLimitProfile = (t: Tx, merchantId: bigint, id: bigint, profileId: bigint) =>
  t.query(SET_LIMIT_PROFILE, [merchantId, id, profileId])

const ATTACH: Statement = {
  name: 'reserved_accounts_attach',
  text: `
update reserved_accounts r set invoice_id = t.id from transactions t
where r.id = $1 and t.id = $2 and t.merchant_id = r.merchant_id and r.status = 'RESERVED'
returning r.id`,
}
export const attach = async (t: Tx, id: bigint, transactionId: bigint): Promise<boolean> =>
  (await t.query(ATTACH, [id, transactionId])).length === 1
