// Every statement of the sealed blocks.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type BlockName = Readonly<Pick<Rows['search_blocks'], 'merchant_id' | 'number'>>

const ONE_AT_A_TIME: Statement = {
  name: 'search_blocks_one_at_a_time',
  text: `select pg_try_advisory_xact_lock(hashtextextended('search_blocks', 0)) as mine`,
}

/** Whether this transaction may claim; two at once would count the rows of a block from different
 *  snapshots. */
export const mayClaim = async (t: Tx): Promise<boolean> =>
  (await t.query<{ mine: boolean }>(ONE_AT_A_TIME, []))[0]?.mine === true

const CLAIM: Statement = {
  name: 'search_blocks_claim',
  text: `
-- all merchants: housekeeping walks through them by id
with m as materialized (select id from merchants where id > $1 order by id limit $2),
ends as (
  select m.id as merchant_id, h.number, h.last_at, h.last_id, k.at, k.id, k.place
  from m
  cross join lateral (
    select coalesce(max(b.number), 0) as number, coalesce(max(b.last_at), '-infinity') as last_at, coalesce(max(b.last_id), 0) as last_id
    from (select number, last_at, last_id from search_blocks b where b.merchant_id = m.id order by number desc limit 1) b
  ) h
  cross join lateral (
    select t.created_at as at, t.id, row_number() over w as place, lead(t.created_at) over w as next_at from (
      select t.created_at, t.id from transactions t
      where t.merchant_id = m.id and (t.created_at, t.id) > (h.last_at, h.last_id) and t.created_at < $3::timestamptz
      order by t.created_at, t.id limit $4::int * $5::int
    ) t window w as (order by t.created_at, t.id)
  ) k
  where k.place % $4::int = 0
    or k.at < $6::timestamptz and coalesce(k.next_at >= $6::timestamptz, true) and k.place % $4::int >= $7::int
), made as (
  insert into search_blocks (merchant_id, number, after_at, after_id, last_at, last_id)
  select merchant_id, number + row_number() over w, lag(at, 1, last_at) over w, lag(id, 1, last_id) over w, at, id
  from ends window w as (partition by merchant_id order by place)
  returning 1
)
select (select max(id) from m) as last, (select count(*) from m)::int as merchants, (select count(*) from made)::int as made`,
}

export type Claimed = { readonly last: bigint | null; readonly merchants: number; readonly made: number }

export type ClaimAsked = {
  readonly afterMerchant: bigint
  readonly merchants: number
  readonly before: Date
  readonly rows: number
  readonly blocksEach: number
  /** The months before this one are over. */
  readonly month: Date
  readonly least: number
}

/** Marks off the next runs of `rows` transactions older than `before`, for the next merchants after an id;
 *  and what is left of months that are over, from `least` on. */
export async function claim(t: Tx, asked: ClaimAsked): Promise<Claimed> {
  const { afterMerchant, merchants, before, rows, blocksEach, month, least } = asked
  const found = await t.query<Claimed>(CLAIM, [afterMerchant, merchants, before, rows, blocksEach, month, least])
  return found[0] as Claimed
}

const UNSEALED: Statement = {
  name: 'search_blocks_unsealed',
  text: `
-- all merchants: whatever block is not sealed
select merchant_id, number from search_blocks
where not sealed and (merchant_id, number) > ($1::bigint, $2::int) order by merchant_id, number limit $3`,
}

export const listUnsealed = (read: Read, after: BlockName, limit: number): Promise<BlockName[]> =>
  read.query(UNSEALED, [after.merchant_id, after.number, limit])

const WRITERS: Statement = {
  name: 'search_writers',
  text: `select virtualtransaction as name from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and relation = 'public.transactions'::regclass
      and database = (select oid from pg_database where datname = current_database())`,
}

/** The transactions that are writing transactions at this moment. */
export const listWriters = async (read: Read): Promise<string[]> =>
  (await read.query<{ name: string }>(WRITERS, [])).map(({ name }) => name)

const LOCK: Statement = {
  name: 'search_blocks_lock',
  text: `select number from search_blocks where merchant_id = $1 and number = $2 and not sealed for update skip locked`,
}

/** Takes hold of a block that is not sealed; false when it is, or when somebody else has it in hand. */
export const lockUnsealed = async (t: Tx, block: BlockName): Promise<boolean> =>
  (await t.query(LOCK, [block.merchant_id, block.number])).length > 0

const EMPTY: readonly Statement[] = [
  { name: 'search_parts_delete', text: 'delete from search_parts where merchant_id = $1 and number = $2' },
  { name: 'search_values_delete', text: 'delete from search_values where merchant_id = $1 and number = $2' },
]
const FILL: Statement = {
  name: 'search_blocks_fill',
  text: `
with x as materialized (
  select t.id, t.kobo, t.paid_kobo, t.status, t.email_key, t.name_key, (row_number() over (order by t.created_at, t.id))::int as place
  from search_blocks b cross join lateral (
    select t.created_at, t.id, t.kobo, t.paid_kobo, t.status, t.email_key, t.name_key from transactions t
    where t.merchant_id = $1 and (t.created_at, t.id) > (b.after_at, b.after_id) and (t.created_at, t.id) <= (b.last_at, b.last_id)
    offset 0
  ) t
  where b.merchant_id = $1 and b.number = $2
), ready as (
  select count(*)::int as rows from x having count(*) filter (where status <> all($3::text[])) = 0
), parts as (
  insert into search_parts (merchant_id, number, status, rows, paid_kobo, amounts, ids, places)
  select $1, $2, status, count(*), sum(paid_kobo), array_agg(kobo order by kobo, place), array_agg(id order by kobo, place),
    array_agg(place order by kobo, place)
  from x cross join ready group by status
), shared as (
  insert into search_values (merchant_id, kind, key, number, rows, paid_rows, paid_kobo)
  select $1, v.kind, v.key, $2, count(*), count(*) filter (where x.paid_kobo > 0), sum(x.paid_kobo)
  from x cross join ready cross join lateral (values ('email', email_key), ('name', name_key)) as v(kind, key)
  group by v.kind, v.key having count(*) >= $4::int
)
update search_blocks b set rows = r.rows, sealed = true from ready r
where b.merchant_id = $1 and b.number = $2 returning b.number`,
}

/** Makes the parts of a block from its rows and seals it; false, and nothing done, while a row is not in a
 *  final state. */
export async function fill(
  t: Tx,
  block: BlockName,
  { finalStates, frequent }: { finalStates: readonly string[]; frequent: number },
): Promise<boolean> {
  for (const empty of EMPTY) await t.query(empty, [block.merchant_id, block.number])
  return (await t.query(FILL, [block.merchant_id, block.number, finalStates, frequent])).length > 0
}

const UNSEAL: Statement = {
  name: 'search_blocks_unseal',
  text: `
-- all merchants: of transactions that a statement of the bank has paid just now
update search_blocks b set sealed = false from transactions t
where t.id = any($1::bigint[]) and b.merchant_id = t.merchant_id
  and (b.after_at, b.after_id) < (t.created_at, t.id) and (b.last_at, b.last_id) >= (t.created_at, t.id)`,
}
export const unseal = (t: Tx, transactionIds: readonly bigint[]): Promise<unknown> => t.query(UNSEAL, [transactionIds])

// A block that counts a person's address or name is made again. It is locked before anything is erased, so
// whoever seals it reads the rows as they are afterwards.
const FORGET: Statement = {
  name: 'search_blocks_forget',
  text: `
with own as materialized (select id, created_at, email_key, name_key from transactions where merchant_id = $1 and id = any($2::bigint[])),
unsealed as (
  update search_blocks b set sealed = false where b.merchant_id = $1 and exists (
    select from own o where (o.created_at, o.id) > (b.after_at, b.after_id) and (o.created_at, o.id) <= (b.last_at, b.last_id))
  returning b.number
)
delete from search_values v using unsealed u where v.merchant_id = $1 and v.number = u.number
  and (v.key in (select email_key from own) or v.key in (select name_key from own))`,
}
export const forget = (t: Tx, merchantId: bigint, transactions: readonly bigint[]): Promise<unknown> =>
  t.query(FORGET, [merchantId, transactions])
