// The statements of breaks.
import { bankAccountIn } from '#core/ledger/chart.ts'
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type NewBreak = {
  readonly id: bigint
  readonly merchantId: bigint
  readonly class: string
  readonly kind: string
  readonly sessionId: string
  readonly day: string
  readonly bankKobo: bigint | null
  readonly ourKobo: bigint | null
  readonly says: string
  readonly connector: number
  /** Of several lines too many of one session: which. */
  readonly place: number
}

/** The classes of what a bank has and our books have not, or have otherwise. Each has a correction, so of one
 *  line one of them is open at most: with two the same money could be posted twice. */
export const LACKING = `'MISSING_HERE', 'REVERSAL', 'UNKNOWN_OWNER', 'AMOUNT'`
/** Whether a break is about a line, by its kind, session and bank. */
export const ofLine = (line: string): string =>
  `b.kind = ${line}.kind and b.session_id = ${line}.session_id and b.connector = ${line}.connector`

const INSERT: Statement = {
  name: 'breaks_insert',
  text: `insert into recon_breaks (id, merchant_id, class, kind, session_id, day, bank_kobo, our_kobo, says, connector, place, opened_at)
select x.*, $12 from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::date[], $7::bigint[], $8::bigint[], $9::text[], $10::smallint[], $11::smallint[])
  as x(id, merchant_id, class, kind, session_id, day, bank_kobo, our_kobo, says, connector, place)
where x.class not in (${LACKING})
  or not exists (select b.merchant_id from recon_breaks b where b.status = 'OPEN' and b.class in (${LACKING}) and ${ofLine('x')})
on conflict on constraint recon_breaks_once do nothing returning id`,
}
/** Answers how many are new: the same break is there once. */
export const insert = async (t: Tx, found: readonly NewBreak[]): Promise<number> => {
  const rows = await t.query(INSERT, [
    numbers(found.map((one) => one.id)),
    numbers(found.map((one) => one.merchantId)),
    texts(found.map((one) => one.class)),
    texts(found.map((one) => one.kind)),
    texts(found.map((one) => one.sessionId)),
    texts(found.map((one) => one.day)),
    numbers(found.map((one) => one.bankKobo)),
    numbers(found.map((one) => one.ourKobo)),
    texts(found.map((one) => one.says)),
    numbers(found.map((one) => one.connector)),
    numbers(found.map((one) => one.place)),
    t.now,
  ])
  return rows.length
}

export type BreakRow = Pick<
  Rows['recon_breaks'],
  | 'id'
  | 'merchant_id'
  | 'class'
  | 'status'
  | 'version'
  | 'kind'
  | 'session_id'
  | 'bank_kobo'
  | 'our_kobo'
  | 'says'
  | 'done'
  | 'opened_at'
  | 'resolved_at'
  | 'assigned_to'
  | 'approval_id'
> & {
  day: string
  /** The number of the connector whose bank it is. */
  connector: Rows['recon_breaks']['connector']
  /** Of several lines too many of one session: which. */
  place: Rows['recon_breaks']['place']
}
const COLUMNS = `id, merchant_id, class, status, version, kind, session_id, to_char(day, 'YYYY-MM-DD') as day, bank_kobo, our_kobo, says, done,
  opened_at, resolved_at, assigned_to, approval_id, connector, place`

const LIST: Statement = {
  name: 'breaks_list',
  text: `
-- all merchants: the operator looks at all of them
select ${COLUMNS} from recon_breaks where status = 'OPEN' or $1::boolean order by status, opened_at, id limit $2`,
}
/** The oldest first; with `all` also those that are resolved. */
export const list = (read: Read, all: boolean, limit: number): Promise<BreakRow[]> => read.query(LIST, [all, limit])

const FIND: Statement = {
  name: 'breaks_find',
  text: `
-- all merchants: the operator names a break, not a merchant
select ${COLUMNS} from recon_breaks where id = $1`,
}
export const find = async (read: Read, id: bigint): Promise<BreakRow | null> =>
  (await read.query<BreakRow>(FIND, [id]))[0] ?? null

const TAKEN_BACK: Statement = {
  name: 'breaks_taken_back',
  text: `
select coalesce(sum(e.kobo), 0)::bigint as kobo from recon_breaks b
join approved_postings p on p.approval_id = b.approval_id
join transfers f on f.id = p.transfer_id and f.kind = 'CORRECTION' and f.merchant_id = $1
cross join lateral unnest(f.accounts, f.amounts) as e(account_id, kobo)
where b.merchant_id = $1 and b.kind = 'CREDIT' and b.session_id = $2 and $3::smallint = b.connector and b.status = 'RESOLVED'
  and e.account_id = ${bankAccountIn('b.connector')} and e.kobo > 0`,
}
/** What of a credit two people have taken back from its merchant by a correction that stands. */
export const takenBack = async (
  read: Read,
  of: { readonly merchantId: bigint; readonly sessionId: string; readonly connector: number },
): Promise<bigint> =>
  (await read.query<{ kobo: bigint }>(TAKEN_BACK, [of.merchantId, of.sessionId, of.connector]))[0]?.kobo ?? 0n

const ASSIGN: Statement = {
  name: 'breaks_assign',
  text: `
-- all merchants: the operator names a break, not a merchant
update recon_breaks set assigned_to = $2 where id = $1 and status = 'OPEN' returning id`,
}
/** False when it is not open. */
export const assign = async (t: Tx, id: bigint, to: string): Promise<boolean> =>
  (await t.query(ASSIGN, [id, to])).length > 0
