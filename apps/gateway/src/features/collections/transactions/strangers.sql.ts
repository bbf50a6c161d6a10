// The statements of payments that strangers opened. Keys are always locked in their own order: whoever opens
// one and the worker that counts down never wait for each other in a circle.
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const COUNT: Statement = {
  name: 'strangers_count',
  text: `
with x as materialized (select * from unnest($1::text[], $2::int[]) as x(key, most)),
counted as (
  insert into stranger_counts as c (key, open) select x.key, 1 from x order by x.key collate "C"
  on conflict (key) do update set open = c.open + 1 returning c.key, c.open
)
select x.key from x join counted c on c.key = x.key where c.open > x.most order by x.key collate "C" limit 1`,
}
/** One more for each; answers the first that has more than it may. */
export const countOne = async (t: Tx, keys: readonly string[], most: readonly number[]): Promise<string | null> =>
  (await t.query<Pick<Rows['stranger_counts'], 'key'>>(COUNT, [texts(keys), numbers(most)]))[0]?.key ?? null

const NOTE: Statement = {
  name: 'strangers_note',
  text: `
insert into stranger_payments (transaction_id, merchant_id, keys, puzzle, expires_at) values ($1, $2, $3, $4, $5)
on conflict (puzzle) do nothing returning transaction_id`,
}
export type Opened = {
  readonly transactionId: bigint
  readonly merchantId: bigint
  readonly keys: readonly string[]
  readonly puzzle: Buffer | null
  readonly expiresAt: Date
}
/** False when its puzzle was used already. */
export async function note(t: Tx, { transactionId, merchantId, keys, puzzle, expiresAt }: Opened): Promise<boolean> {
  const rows = await t.query<Pick<Rows['stranger_payments'], 'transaction_id'>>(NOTE, [
    ...[transactionId, merchantId, texts(keys), puzzle, expiresAt],
  ])
  return rows.length === 1
}

const OPEN: Statement = {
  name: 'strangers_open',
  text: 'select key, open from stranger_counts where key = any($1::text[])',
}
export const listOpen = (read: Read, keys: readonly string[]): Promise<Rows['stranger_counts'][]> =>
  read.query(OPEN, [texts(keys)])

// One that answered a puzzle is kept for as long as the puzzle could be answered again.
const OVER: Statement = {
  name: 'strangers_over',
  text: `
-- all merchants: whatever payment of a stranger does not wait any more
select p.transaction_id, p.keys from stranger_payments p
left join transactions t on t.id = any (array[p.transaction_id]) and t.merchant_id + 0 = p.merchant_id
where p.expires_at <= $1::timestamptz
  or (t.status is distinct from 'PENDING' and (p.puzzle is null or p.expires_at <= $2::timestamptz))
limit $3 for update of p skip locked`,
}
export const lockOver = (t: Tx, puzzlesOver: Date, limit: number) =>
  t.query<Pick<Rows['stranger_payments'], 'transaction_id' | 'keys'>>(OVER, [t.now, puzzlesOver, limit])

const LOCK: Statement = {
  name: 'strangers_lock_counts',
  text: 'select key from stranger_counts where key = any($1::text[]) order by key collate "C" for update',
}
const GONE: Statement = {
  name: 'strangers_gone',
  text: `
-- all merchants: they were found to be over just now
with gone as (delete from stranger_payments where transaction_id = any($1::bigint[]) returning keys),
less as (select x.key, count(*)::int as n from gone cross join unnest(gone.keys) as x(key) group by x.key)
update stranger_counts c set open = c.open - l.n from less l where c.key = l.key`,
}
/** They count no longer. */
export async function countDown(t: Tx, ids: readonly bigint[], keys: readonly string[]): Promise<void> {
  await t.query(LOCK, [texts(keys)])
  await t.query(GONE, [numbers(ids)])
}

const EMPTY: Statement = {
  name: 'strangers_empty',
  text: `delete from stranger_counts where key in (select key from stranger_counts where open = 0 limit 1000 for update skip locked)`,
}
export const forgetEmpty = (t: Tx): Promise<unknown> => t.query(EMPTY, [])
