// The statements of settlements, their chain, and who is paid where.

import type { PageAsked } from '@cowrie/contract/kit/paging'
import type { StateOf } from '@cowrie/contract/kit/spec'
import type { settlementMachine } from '@cowrie/contract/settlements/settlements'
import { hasLeft } from '#core/cells/departed.ts'
import type { Rows } from '#core/rows.ts'
import { moments, numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { rulesInForce } from './lines/lines.sql.ts'

export type Row = Pick<
  Rows['settlements'],
  | 'id'
  | 'merchant_id'
  | 'number'
  | 'reference'
  | 'sub_account_id'
  | 'version'
  | 'kobo'
  | 'amount_kobo'
  | 'fee_kobo'
  | 'shares_kobo'
  | 'lines'
  | 'transactions'
  | 'from_at'
  | 'to_at'
  | 'destination'
  | 'bank_code'
  | 'account_number'
  | 'account_name'
  | 'previous_hash'
  | 'hash'
  | 'signature'
  | 'key_id'
  | 'created_at'
  | 'completed_at'
> & {
  sub_account_code: string | null
  status: StateOf<typeof settlementMachine>
}
export type NewRow = Omit<Row, 'version'>

const COLUMNS = `x.id, x.merchant_id, x.number, x.reference, x.sub_account_id, s.code as sub_account_code, x.status, x.version, x.kobo,
  x.amount_kobo, x.fee_kobo, x.shares_kobo, x.lines, x.transactions, x.from_at, x.to_at, x.destination, x.bank_code, x.account_number,
  x.account_name, x.previous_hash, x.hash, x.signature, x.key_id, x.created_at, x.completed_at`
const FROM = 'from settlements x left join sub_accounts s on s.id = x.sub_account_id and s.merchant_id = x.merchant_id'

const RULES: Statement = {
  name: 'settlements_rules',
  text: `
select distinct on (r.merchant_id) r.merchant_id, r.destination, r.schedule, r.bank_code, r.account_number, r.account_name, r.valid_from
from ${rulesInForce('$2')} and r.merchant_id = any($1::bigint[])
order by r.merchant_id, r.valid_from desc, r.id desc`,
}
export type RuleRow = Pick<
  Rows['settlement_rules'],
  'merchant_id' | 'destination' | 'schedule' | 'bank_code' | 'account_number' | 'account_name' | 'valid_from'
>
/** The rules that are in force, to an account that is in force; a merchant without one has none here. */
export async function findRules(read: Read, merchantIds: readonly bigint[]): Promise<Map<bigint, RuleRow>> {
  const rows = await read.query<RuleRow>(RULES, [numbers(merchantIds), read.now])
  return new Map(rows.map((row) => [row.merchant_id, row]))
}

const INSERT_RULE: Statement = {
  name: 'settlements_insert_rule',
  text: `insert into settlement_rules (id, merchant_id, destination, schedule, bank_code, account_number, account_name, valid_from)
    values ($1, $2, $3, $4, $5, $6, $7, greatest($8::timestamptz,
      (select max(valid_from) + interval '1 microsecond' from settlement_rules where merchant_id = $2)))`,
}
/** After every other of the merchant, also one that a process with a faster clock wrote: the last word stays
 *  in force. */
export const insertRule = (t: Tx, id: bigint, rule: Omit<RuleRow, 'valid_from'>): Promise<unknown> =>
  t.query(INSERT_RULE, [
    id,
    rule.merchant_id,
    rule.destination,
    rule.schedule,
    rule.bank_code,
    rule.account_number,
    rule.account_name,
    t.now,
  ])

const HELD: Statement = {
  name: 'settlements_held',
  text: `select merchant_id as id from settlement_holds where merchant_id = any($1::bigint[])
    union select id from merchants where id = any($1::bigint[]) and suspended
    union select b.merchant_id from recon_breaks b join bank_orders o on o.session_id = b.session_id and o.merchant_id = b.merchant_id
      where b.status = 'OPEN' and (b.class, b.kind) = ('MISSING_THERE', 'PAYOUT_REVERSAL') and o.purpose = 'SETTLEMENT'
        and b.merchant_id = any($1::bigint[])`,
}
/** Those that the operator holds, those that are suspended, and those of whom a settlement was called
 *  reversed and, by the bank's next word or its statement, was not: it would be paid twice. */
export const findHeld = async (read: Read, merchantIds: readonly bigint[]): Promise<ReadonlySet<bigint>> =>
  new Set((await read.query<{ id: bigint }>(HELD, [numbers(merchantIds)])).map(({ id }) => id))

const HOLIDAYS: Statement = {
  name: 'settlements_holidays',
  text: `select day::text as day from holidays where day > $1::date - 60 and day <= $1::date`,
}
/** Those of the last two months. */
export const holidaysUntil = async (read: Read, day: string): Promise<ReadonlySet<string>> =>
  new Set((await read.query<{ day: string }>(HOLIDAYS, [day])).map((row) => row.day))

const SUB_ACCOUNTS: Statement = {
  name: 'settlements_sub_accounts',
  text: `
-- all merchants: by the ids of sub accounts that lines of these merchants name
select s.id, s.merchant_id, s.code, s.bank_code, s.account_number, s.account_name, s.settled_from,
  coalesce(d.stopped_at is not null or d.needs_person and d.confirmed_at is null, false) as barred
from sub_accounts s left join destinations d on d.kind = 'SUB_ACCOUNT' and d.subject = s.id where s.id = any($1::bigint[])`,
}
export type SubAccountRow = Pick<
  Rows['sub_accounts'],
  'id' | 'merchant_id' | 'code' | 'bank_code' | 'account_number' | 'account_name' | 'settled_from'
> & {
  /** Stopped, or not confirmed by a second person. */
  readonly barred: boolean
}
/** Deleted ones too: what they are owed stays owed. */
export async function findSubAccounts(read: Read, ids: readonly bigint[]): Promise<Map<bigint, SubAccountRow>> {
  const rows = await read.query<SubAccountRow>(SUB_ACCOUNTS, [numbers(ids)])
  return new Map(rows.map((row) => [row.id, row]))
}

const BANKS: Statement = {
  name: 'settlements_sub_account_banks',
  text: `
-- all merchants: by the ids of sub accounts that lines of these merchants name
select b.sub_account_id, b.bank_code, b.account_number, b.account_name, b.effective_at, b.created_at
from sub_account_banks b left join destinations d on d.kind = 'SUB_ACCOUNT_BANK' and d.subject = b.id
where b.sub_account_id = any($1::bigint[])
  and (d.id is null or d.stopped_at is null and (d.confirmed_at is not null or not d.needs_person)) order by b.id`,
}
export type BankRow = Pick<
  Rows['sub_account_banks'],
  'sub_account_id' | 'bank_code' | 'account_number' | 'account_name' | 'effective_at' | 'created_at'
>
/** The accounts of those that got another one, in the order they were asked for; without what was stopped or
 *  not confirmed. */
export const listBanks = (read: Read, subAccountIds: readonly bigint[]): Promise<BankRow[]> =>
  read.query<BankRow>(BANKS, [numbers(subAccountIds)])

const LOCK_ACCOUNTS: Statement = {
  name: 'settlements_lock_accounts',
  text: `
-- all merchants: wallets and clearing accounts of one group, in the order in which everybody locks
select id, balance_kobo from accounts where id = any($1::bigint[]) order by id for update`,
}
export async function lockAccounts(t: Tx, accounts: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const rows = await t.query<{ balance_kobo: bigint; id: Rows['accounts']['id'] }>(LOCK_ACCOUNTS, [numbers(accounts)])
  return new Map(rows.map((row) => [row.id, row.balance_kobo]))
}

const INSERT: Statement = {
  name: 'settlements_insert',
  text: `
insert into settlements (id, merchant_id, number, reference, sub_account_id, status, kobo, amount_kobo, fee_kobo, shares_kobo, lines,
  transactions, from_at, to_at, destination, bank_code, account_number, account_name, previous_hash, hash, signature, key_id, created_at, completed_at)
select id, merchant_id, number, reference, sub_account_id, status, kobo, amount_kobo, fee_kobo, shares_kobo, lines, transactions, from_at, to_at,
  destination, bank_code, account_number, account_name, previous_hash, hash, signature, key_id, created_at, completed_at
from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::int[], $12::int[], $13::timestamptz[], $14::timestamptz[], $15::text[], $16::text[], $17::text[], $18::text[],
  $19::text[], $20::text[], $21::text[], $22::text[], $23::timestamptz[], $24::timestamptz[])
  as x(id, merchant_id, number, reference, sub_account_id, status, kobo, amount_kobo, fee_kobo, shares_kobo, lines, transactions, from_at,
  to_at, destination, bank_code, account_number, account_name, previous_hash, hash, signature, key_id, created_at, completed_at)`,
}
export const insert = (t: Tx, rows: readonly NewRow[]): Promise<unknown> =>
  t.query(INSERT, [
    numbers(rows.map((row) => row.id)),
    numbers(rows.map((row) => row.merchant_id)),
    numbers(rows.map((row) => row.number)),
    texts(rows.map((row) => row.reference)),
    numbers(rows.map((row) => row.sub_account_id)),
    texts(rows.map((row) => row.status)),
    numbers(rows.map((row) => row.kobo)),
    numbers(rows.map((row) => row.amount_kobo)),
    numbers(rows.map((row) => row.fee_kobo)),
    numbers(rows.map((row) => row.shares_kobo)),
    numbers(rows.map((row) => row.lines)),
    numbers(rows.map((row) => row.transactions)),
    moments(rows.map((row) => row.from_at)),
    moments(rows.map((row) => row.to_at)),
    texts(rows.map((row) => row.destination)),
    texts(rows.map((row) => row.bank_code)),
    texts(rows.map((row) => row.account_number)),
    texts(rows.map((row) => row.account_name)),
    texts(rows.map((row) => row.previous_hash)),
    texts(rows.map((row) => row.hash)),
    texts(rows.map((row) => row.signature)),
    texts(rows.map((row) => row.key_id)),
    moments(rows.map((row) => row.created_at)),
    moments(rows.map((row) => row.completed_at)),
  ])

const BY_IDS: Statement = {
  name: 'settlements_by_ids',
  text: `
-- all merchants: the settlements that bank orders were placed for
select ${COLUMNS} ${FROM} where x.id = any($1::bigint[]) order by x.id`,
}
export const byIds = (read: Read, ids: readonly bigint[]): Promise<Row[]> => read.query<Row>(BY_IDS, [numbers(ids)])

const BY_REFERENCE: Statement = {
  name: 'settlements_by_reference',
  text: `select ${COLUMNS} ${FROM} where x.merchant_id = $1 and x.reference = $2`,
}
export const byReference = async (read: Read, merchantId: bigint, reference: string): Promise<Row | null> =>
  (await read.query<Row>(BY_REFERENCE, [merchantId, reference]))[0] ?? null

const LEFT: Statement = {
  name: 'settlements_left',
  text: `
-- all merchants: the settlements of one merchant, or those that bank orders were placed for
select s.settlement_id as id from departed_settlements s where s.settlement_id = any($1::bigint[])
union select r.settlement_id from returned_lines r where r.settlement_id = any($1::bigint[]) and ${hasLeft('r.transfer_id')}`,
}
/** Those of the given settlements that have lines of a month that has left. */
export const withoutLines = async (read: Read, ids: readonly bigint[]): Promise<bigint[]> =>
  (await read.query<{ id: bigint }>(LEFT, [numbers(ids)])).map(({ id }) => id)

type Found = { readonly rows: Row[]; readonly total: number }
const LIST: Statement = {
  name: 'settlements_list',
  text: `select ${COLUMNS} ${FROM} where x.merchant_id = $1 and x.number <= $2 order by x.number desc limit $3`,
}
const LAST_NUMBER: Statement = {
  name: 'settlements_last_number',
  text: 'select number from settlement_heads where merchant_id = $1',
}
/** All of a merchant: newest first, after so many; and how many there are. Their numbers count them. */
export async function list(
  read: Read,
  merchantId: bigint,
  { offset, size }: Pick<PageAsked, 'offset' | 'size'>,
): Promise<Found> {
  const last = (await read.query<Pick<Rows['settlement_heads'], 'number'>>(LAST_NUMBER, [merchantId]))[0]?.number ?? 0n
  const rows = await read.query<Row>(LIST, [merchantId, last - BigInt(offset), size])
  return { rows, total: Number(last) }
}

export type Filter = {
  readonly leastKobo: bigint | null
  readonly mostKobo: bigint | null
  readonly from: Date | null
  readonly to: Date | null
}
const FITS = `x.kobo >= coalesce($2::bigint, 0) and ($3::bigint is null or x.kobo <= $3)
  and x.created_at >= coalesce($4::timestamptz, '-infinity') and x.created_at <= coalesce($5::timestamptz, 'infinity')`
const COUNT: Statement = {
  name: 'settlements_count',
  text: `select count(*) as total from settlements x where x.merchant_id = $1 and ${FITS}`,
}
const SEARCH: Statement = {
  name: 'settlements_search',
  text: `select ${COLUMNS} ${FROM} where x.merchant_id = $1 and ${FITS} order by x.number desc offset $6 limit $7`,
}
/** Those that fit: a merchant has a few of them a day, which are read through by their numbers. */
export async function search(
  read: Read,
  merchantId: bigint,
  { leastKobo, mostKobo, from, to }: Filter,
  { offset, size }: Pick<PageAsked, 'offset' | 'size'>,
): Promise<Found> {
  const values = [merchantId, leastKobo, mostKobo, from, to]
  const total = Number((await read.query<{ total: bigint }>(COUNT, values))[0]?.total ?? 0n)
  return { rows: offset < total ? await read.query<Row>(SEARCH, [...values, offset, size]) : [], total }
}

const OF_TRANSACTION: Statement = {
  name: 'settlements_of_transaction',
  text: `
select l.account_id, sum(l.kobo)::bigint as kobo, l.settlement_id from settlement_lines l
where l.merchant_id = $1 and l.object = 'transaction' and l.object_id = $2 group by l.account_id, l.settlement_id
order by l.account_id, l.settlement_id nulls first`,
}
/** What a transaction brought each account, by the settlement that paid it. */
export const ofTransaction = (
  read: Read,
  merchantId: bigint,
  transactionId: bigint,
): Promise<(Pick<Rows['settlement_lines'], 'account_id' | 'settlement_id'> & { kobo: bigint })[]> =>
  read.query(OF_TRANSACTION, [merchantId, transactionId])

const PAYEES: Statement = {
  name: 'settlements_payees',
  text: `
-- all merchants: those of one group, or of one batch of bank orders
select id, name, email, wallet_number, wallet_bank_code from merchants where id = any($1::bigint[])`,
}
type PayeeRow = Pick<Rows['merchants'], 'id' | 'name' | 'email' | 'wallet_number' | 'wallet_bank_code'>
export type Payee = {
  readonly id: bigint
  readonly name: string
  readonly email: string
  readonly wallet: { readonly accountNumber: string; readonly bankCode: string }
}
/** What is to be known of merchants that are paid: one statement for all of them. */
export async function findPayees(read: Read, merchantIds: readonly bigint[]): Promise<Map<bigint, Payee>> {
  const rows = await read.query<PayeeRow>(PAYEES, [numbers(merchantIds)])
  return new Map(
    rows.map(({ id, name, email, wallet_number: accountNumber, wallet_bank_code: bankCode }) => [
      id,
      { id, name, email, wallet: { accountNumber, bankCode } },
    ]),
  )
}
