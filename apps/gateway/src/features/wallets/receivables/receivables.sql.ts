// The statements of what merchants owe.

import { accountIn } from '#core/ledger/chart.ts'
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type NewMove = {
  readonly id: bigint
  readonly account: bigint
  readonly kobo: bigint
  readonly owed: bigint
  readonly reversalReference: string | null
  readonly breakId: bigint | null
  readonly laterShare?: boolean
}

// Under the lock of the merchant's receivable: numbers have no gaps.
const INSERT: Statement = {
  name: 'receivables_insert',
  text: `
insert into receivable_moves (id, merchant_id, number, account_id, kobo, owed_kobo, reversal_reference, break_id, at, later_share)
select x.id, $1, coalesce((select max(m.number) from receivable_moves m where m.merchant_id = $1), 0) + x.place, x.account_id, x.kobo, x.owed_kobo,
  x.reversal_reference, x.break_id, $2, x.later_share
from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[], $9::boolean[]) with ordinality
  as x(id, account_id, kobo, owed_kobo, reversal_reference, break_id, later_share, place)`,
}
export const insert = (t: Tx, merchantId: bigint, moves: readonly NewMove[]): Promise<unknown> =>
  t.query(INSERT, [
    merchantId,
    t.now,
    numbers(moves.map((move) => move.id)),
    numbers(moves.map((move) => move.account)),
    numbers(moves.map((move) => move.kobo)),
    numbers(moves.map((move) => move.owed)),
    texts(moves.map((move) => move.reversalReference)),
    numbers(moves.map((move) => move.breakId)),
    moves.map((move) => move.laterShare === true),
  ])

const OPEN: Statement = {
  name: 'receivables_open',
  text: `
-- all merchants: those of a group that owe something
select a.merchant_id as id, (select m.at from receivable_moves m where m.merchant_id = a.merchant_id and m.kobo > 0
  and m.owed_kobo = m.kobo order by m.number desc limit 1) as since
from accounts a where a.id = any($1::bigint[]) and a.balance_kobo < 0`,
}
/** Whose of these receivables are open, and since when: when it last went from nothing to something. */
export const open = async (read: Read, receivables: readonly bigint[]): Promise<ReadonlyMap<bigint, Date>> => {
  const rows = await read.query<{ id: bigint; since: Date }>(OPEN, [numbers(receivables)])
  return new Map(rows.map(({ id, since }) => [id, since]))
}

const CARRIED: Statement = {
  name: 'receivables_carried',
  text: `
-- all merchants: account ids already name their sub accounts
select account_id as id, sum(kobo)::bigint as kobo from receivable_moves where account_id = any($1::bigint[]) and not later_share group by account_id`,
}
/** What became owed for each account and was not collected from it again. */
export const carried = async (read: Read, accounts: readonly bigint[]): Promise<Map<bigint, bigint>> =>
  new Map(
    (await read.query<{ id: bigint; kobo: bigint }>(CARRIED, [numbers(accounts)])).map(({ id, kobo }) => [id, kobo]),
  )

const SWEEPABLE: Statement = {
  name: 'receivables_sweepable',
  text: `
-- all merchants: those that owe something and have something in their wallet
select m.merchant_id as id from (select distinct merchant_id from receivable_moves) m
join accounts r on r.id = ${accountIn('m.merchant_id', 'RECEIVABLE')} and r.balance_kobo < 0
join accounts w on w.id = ${accountIn('m.merchant_id', 'WALLET')} and w.balance_kobo > 0 order by 1`,
}
export const sweepable = async (read: Read): Promise<bigint[]> =>
  (await read.query<{ id: bigint }>(SWEEPABLE, [])).map(({ id }) => id)

const LIST: Statement = {
  name: 'receivables_list',
  text: `
-- all merchants: for the operator
select m.api_key, m.name, -r.balance_kobo as kobo, (select max(at) from receivable_moves x where x.merchant_id = m.id
  and x.kobo > 0 and x.owed_kobo = x.kobo) as since
from (select distinct merchant_id from receivable_moves) o join merchants m on m.id = o.merchant_id
join accounts r on r.id = ${accountIn('m.id', 'RECEIVABLE')} and r.balance_kobo < 0 order by since, m.id`,
}
export type OpenRow = Readonly<Pick<Rows['merchants'], 'api_key' | 'name'>> & {
  readonly kobo: bigint
  readonly since: Date
}
/** Who owes how much, and since when: when it last went from nothing to something. */
export const list = (read: Read): Promise<OpenRow[]> => read.query<OpenRow>(LIST, [])
