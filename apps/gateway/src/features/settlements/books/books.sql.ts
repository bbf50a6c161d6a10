// Runs of the invariants and what they found. Nothing here is a merchant's.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

/** Whoever has it is the one that asks, until its snapshot ends. */
export const TAKE = `select pg_try_advisory_xact_lock(hashtext('cowrie.books'))`

export type ResultRow = Pick<
  Rows['books_results'],
  'invariant' | 'state' | 'steps' | 'position' | 'violations' | 'examples' | 'ms' | 'checked_at'
>

const OPEN: Statement = {
  name: 'books_open',
  text: `insert into books_runs (day) select $1::date where not exists (select from books_runs where finished_at is null)
    on conflict do nothing returning day::text`,
}
/** The next run, unless one is open. */
export const open = async (t: Tx, day: string): Promise<boolean> => (await t.query(OPEN, [day])).length > 0

const LATEST: Statement = { name: 'books_latest', text: 'select max(day)::text as day from books_runs' }
export const latest = async (r: Read): Promise<string | null> =>
  (await r.query<{ day: string | null }>(LATEST, []))[0]?.day ?? null

const UNTIMED: Statement = {
  name: 'books_untimed',
  text: `-- all merchants: the timer is of the house
    select day::text from books_runs where finished_at is null and not exists (select from agenda where kind = $1)`,
}
/** The run that nobody will begin. */
export const untimed = async (r: Read, kind: string): Promise<string | null> =>
  (await r.query<{ day: string }>(UNTIMED, [kind]))[0]?.day ?? null

const START: Statement = {
  name: 'books_start',
  text: `update books_runs set started_at = coalesce(started_at, $2) where day = $1 and finished_at is null returning day`,
}
/** False: it is over already. */
export const start = async (t: Tx, day: string, now: Date): Promise<boolean> =>
  (await t.query(START, [day, now])).length > 0

const FINISH: Statement = {
  name: 'books_finish',
  text: `update books_runs set finished_at = $2 where day = $1 and finished_at is null returning day`,
}
export const finish = async (t: Tx, day: string, now: Date): Promise<boolean> =>
  (await t.query(FINISH, [day, now])).length > 0

const PURGE: Statement = { name: 'books_purge', text: 'delete from books_runs where day < $1::date - $2::integer' }
export const purge = async (t: Tx, day: string, days: number): Promise<void> => {
  await t.query(PURGE, [day, days])
}

const RESULTS: Statement = {
  name: 'books_results',
  text: `select invariant, state, steps, position, violations, examples, ms, checked_at from books_results where day = $1`,
}
export const results = (r: Read, day: string): Promise<ResultRow[]> => r.query<ResultRow>(RESULTS, [day])

const KEEP: Statement = {
  name: 'books_keep',
  text: `insert into books_results as r (day, invariant, state, steps, position, violations, examples, ms, checked_at)
    select $1::date, k.invariant, k.state, k.steps, k.position, k.violations, k.examples, k.ms, $3
    from jsonb_to_recordset($2::jsonb) as k(invariant text, state text, steps integer, position text[], violations bigint, examples text[], ms bigint)
    on conflict (day, invariant) do update set (state, steps, position, violations, examples, ms, checked_at)
      = (excluded.state, excluded.steps, excluded.position, excluded.violations, excluded.examples, excluded.ms, excluded.checked_at)
    where r.steps < excluded.steps and r.state = 'RUNNING'`,
}
export type Kept = Omit<ResultRow, 'checked_at'>
/** Somebody who got further is not set back. */
export const keep = async (t: Tx, day: string, kept: readonly Kept[]): Promise<void> => {
  const rows = kept.map((one) => ({ ...one, violations: String(one.violations), ms: String(one.ms) }))
  await t.query(KEEP, [day, JSON.stringify(rows), t.now])
}

export type RunRow = { day: string; started_at: Date; finished_at: Rows['books_runs']['finished_at'] }
const LAST: Statement = {
  name: 'books_last',
  text: `select day::text, started_at, finished_at from books_runs where started_at is not null order by day desc limit 1`,
}
export const last = async (r: Read): Promise<RunRow | null> => (await r.query<RunRow>(LAST, []))[0] ?? null

const ACCOUNTS: Statement = {
  name: 'books_accounts',
  text: `select id, kind from accounts where merchant_id = $1 order by id limit $2`,
}
export const accounts = (
  r: Read,
  merchantId: bigint,
  limit: number,
): Promise<Pick<Rows['accounts'], 'id' | 'kind'>[]> => r.query(ACCOUNTS, [merchantId, limit])

export type TransferRow = Pick<Rows['transfers'], 'id' | 'kind' | 'object' | 'object_id' | 'at'> & {
  accounts: string[]
  amounts: string[]
  kinds: (string | null)[]
}
const TRANSFER: Statement = {
  name: 'books_transfer',
  text: `
-- all merchants: the operator names a posting
select t.id, t.kind, t.object, t.object_id, t.at, t.accounts::text[] as accounts, t.amounts::text[] as amounts,
  array(select a.kind from unnest(t.accounts) with ordinality as e(id, nth) left join accounts a on a.id = e.id order by e.nth) as kinds
from transfers t where t.id = $1`,
}
export const transfer = async (r: Read, id: bigint): Promise<TransferRow | null> =>
  (await r.query<TransferRow>(TRANSFER, [id]))[0] ?? null
