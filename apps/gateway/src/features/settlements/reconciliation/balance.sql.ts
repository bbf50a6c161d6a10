// The statements of the comparison of balances: the bank's, ours, and what is known to be under way, on one
// snapshot.

import { INWARD_KINDS } from '@cowrie/contract/bank/statement-connector'
import { bankAccountIn } from '#core/ledger/chart.ts'
import { BALANCE_OF } from '#core/ledger/ledger.ts'
import type { Day } from '#core/routing/statement-days.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'
import { allBooked, BEFORE, everyKind, FIRST, KNOWN_KINDS, type Span, toValues } from './match.sql.ts'

const inward = INWARD_KINDS.map((kind) => `'${kind}'`).join(', ')
/** Which way the money of a kind goes, seen from our account. */
const signed = (kind: string, kobo: string): string =>
  `(case when ${kind} in (${inward}) then ${kobo} else -${kobo} end)`
const directed = (kobo: string): string => `(case l.direction when 'IN' then ${kobo} else -${kobo} end)`
const kinds = KNOWN_KINDS.map((kind) => `'${kind}'`).join(', ')

const opened = (classes: string, more = ''): string =>
  `exists (select b.merchant_id from recon_breaks b where b.status = 'OPEN' and b.class in (${classes}) and b.kind = l.kind and b.session_id = l.session_id
  and b.connector = l.connector ${more})`
const NOT_BOOKED = opened(`'MISSING_HERE', 'REVERSAL', 'UNKNOWN_OWNER', 'AMOUNT'`)

const BANK = bankAccountIn('$5::smallint')

const BALANCES: Statement = {
  name: 'recon_balances',
  text: `
-- all merchants: a bank has one account for all of them
with days as (select * from statement_days where day <= $6::date and connector = $5::smallint and read_at is not null),
first as (select day, opening_kobo from days where opening_kobo is not null order by day limit 1),
bank as (
  select coalesce(sum(own_in_kobo - own_out_kobo), 0) as lines,
    (select closing_kobo from days where day = $6::date) - (select opening_kobo from first)
      - sum(in_kobo - out_kobo - own_in_kobo + own_out_kobo) filter (where day >= (select day from first))
      + coalesce(sum(own_in_kobo - own_out_kobo) filter (where day < (select day from first)), 0) as balance
  from days
), ours as ( -- the account is made with the first merchant; until then there is nothing on it
  select -coalesce((${BALANCE_OF(BANK)}), 0) as kobo
), funded as ( -- by a sandbox, to begin with; no bank has it
  select coalesce(-sum(e.kobo), 0) as kobo from transfers t join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo) on e.account_id = ${BANK} where t.kind = 'FUNDING'
), booked as ( -- by us, and on no statement yet
  select o.kind, o.session_id, o.kobo from (${allBooked}) as o
  where not exists (select from statement_booked l where l.kind = o.kind and l.session_id = o.session_id and l.connector = $5::smallint)
), awaited as ( -- the same, of earlier days
  select b.kind, b.session_id, b.our_kobo as kobo from recon_breaks b where b.status = 'OPEN' and b.class in ('TIMING', 'MISSING_THERE')
    and b.kind in (${kinds}) and b.connector = $5::smallint
    and not exists (select from statement_booked l where l.kind = b.kind and l.session_id = b.session_id and l.connector = b.connector)
    and not exists (select from booked o where o.kind = b.kind and o.session_id = b.session_id)
), lacking as ( -- on a statement, and not in our books, or with another amount
  select ${signed('c.kind', '(c.kobo - case when c.booked then coalesce(c.our_kobo, 0) else 0 end)')} as kobo
  from (${everyKind(`l.connector = $5::smallint and ${NOT_BOOKED} and ${FIRST}`)}) as c
  union all select ${directed('l.kobo')} from statement_booked l where l.connector = $5::smallint and l.kind not in (${kinds}) and ${NOT_BOOKED} and ${FIRST}
  union all select ${directed('l.kobo')} from statement_booked l where l.connector = $5::smallint and not ${FIRST}
    and ${opened(`'DUPLICATE'`, `and b.place = ${BEFORE}`)}
)
select bank.lines::bigint as lines_kobo, bank.balance::bigint as bank_kobo, (ours.kobo - funded.kobo)::bigint as our_kobo,
  (coalesce((select sum(${signed('kind', 'kobo')}) from (select * from booked union all select * from awaited) as o), 0)
    - coalesce((select sum(kobo) from lacking), 0))::bigint as under_way_kobo
from bank, ours, funded`,
}
export type Balances = {
  /** What the lines of this cell come to. */
  lines_kobo: bigint
  /** What the bank holds for this cell by its closing balance, less the lines of other cells; null when the
   *  bank does not say. */
  bank_kobo: bigint | null
  our_kobo: bigint
  /** What explains that ours is more than the bank's. */
  under_way_kobo: bigint
}
export const compareBalances = async (read: Read, span: Span, day: string): Promise<Balances | undefined> =>
  (await read.query<Balances>(BALANCES, [...toValues(span), day]))[0]

const OPEN: Statement = {
  name: 'recon_balances_open',
  text: `
-- all merchants: the bank has one account for all of them
select id, merchant_id, bank_kobo, our_kobo, says from recon_breaks where class = 'BALANCE' and status = 'OPEN' and connector = $1::smallint order by id`,
}
export type OpenRow = Pick<Rows['recon_breaks'], 'id' | 'merchant_id' | 'says'>
export const listOpen = (read: Read, connector: number): Promise<OpenRow[]> => read.query(OPEN, [connector])

const COMPARED: Statement = {
  name: 'recon_is_compared',
  text: `select exists (select from statement_days where day = $1::date and connector = $2::smallint and matched_at is not null) as compared`,
}
export const isCompared = async (read: Read, { day, connector }: Day): Promise<boolean> =>
  (await read.query<{ compared: boolean }>(COMPARED, [day, connector]))[0]?.compared === true
