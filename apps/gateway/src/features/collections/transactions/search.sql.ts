// Every statement of the search. Their texts follow the filters that are given, so that each has a plan of
// its own; the same filters give the same text and name. Looking up a row by its id stands behind `offset 0`:
// a plan that is made for an unknown number of rows would join with all of the merchant's.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type Filter = {
  readonly reference?: string | undefined
  readonly paymentReference?: string | undefined
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly status?: string | undefined
  /** Both limits are included. */
  readonly leastKobo?: bigint | undefined
  readonly mostKobo?: bigint | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export type ListRow = Pick<
  Rows['transactions'],
  | 'reference'
  | 'payment_reference'
  | 'contract_code'
  | 'status'
  | 'kobo'
  | 'paid_kobo'
  | 'fee_kobo'
  | 'quoted_fee_kobo'
  | 'customer_name'
  | 'customer_email'
  | 'description'
  | 'meta_data'
  | 'payment_method'
  | 'product_type'
  | 'on_page'
  | 'flagged'
  | 'created_at'
  | 'closed_at'
> & {
  /** The segment it was read from, where it was read by segments. */
  number: number
  /** Letters. */
  methods: Rows['transactions']['methods']
  has_account: boolean
}

/** The rows of `page`, which holds segments and ids. $1 is the merchant. */
const LIST = `
select p.number, t.* from page p cross join lateral (
  select t.id, t.reference, t.payment_reference, t.contract_code, t.status, t.kobo, t.paid_kobo, t.fee_kobo, t.quoted_fee_kobo, t.customer_name,
    t.customer_email, t.description, t.methods, t.meta_data, t.payment_method, t.product_type, t.on_page, t.flagged, t.created_at, t.closed_at,
    t.payment_method is null and exists (
      select from virtual_accounts v where v.transaction_id = t.id and v.merchant_id = t.merchant_id) as has_account
  from transactions t where t.id = p.id and t.merchant_id = $1 offset 0
) t
order by p.number desc, t.created_at desc, t.id desc`

/** $1 is the merchant. */
const OF_PAYMENT_REFERENCE =
  'select p.transaction_id from payment_references p where p.merchant_id = $1 and p.payment_reference'

/** What each filter asks of a transaction, and its letter in the names of statements: they may have 63
 *  characters. */
export const CONDITIONS: readonly (readonly [keyof Filter, (param: string) => string, string])[] = [
  ['reference', (param) => `t.reference = ${param}::text`, 'r'],
  ['paymentReference', (param) => `t.id = (${OF_PAYMENT_REFERENCE} = ${param}::text)`, 'p'],
  ['email', (param) => `t.email_key = search_key(${param}::text)`, 'e'],
  ['name', (param) => `t.name_key = search_key(${param}::text)`, 'n'],
  ['status', (param) => `t.status = ${param}::text`, 's'],
  ['leastKobo', (param) => `t.kobo >= ${param}::bigint`, 'l'],
  ['mostKobo', (param) => `t.kobo <= ${param}::bigint`, 'm'],
  ['from', (param) => `t.created_at >= ${param}::timestamptz`, 'f'],
  ['to', (param) => `t.created_at <= ${param}::timestamptz`, 't'],
]

type Where = { readonly shape: string; readonly text: string; readonly values: readonly unknown[] }

/** The conditions of the filters that are given; their values follow the first `taken` parameters. */
export function toWhere(filter: Filter, taken: number): Where {
  const given = CONDITIONS.filter(([name]) => filter[name] !== undefined)
  return {
    shape: given.map(([, , letter]) => letter).join('') || 'all',
    text: given.map(([, condition], at) => ` and ${condition(`$${taken + 1 + at}`)}`).join(''),
    values: given.map(([name]) => filter[name]),
  }
}

// ---- by reference, e-mail or name: an index holds exactly the rows, or nearly

export async function count(read: Read, merchantId: bigint, filter: Filter): Promise<number> {
  const where = toWhere(filter, 1)
  const statement: Statement = {
    name: `search_count_${where.shape}`,
    text: `select count(*)::int as rows from transactions t where t.merchant_id = $1${where.text}`,
  }
  return (await read.query<{ rows: number }>(statement, [merchantId, ...where.values]))[0]?.rows ?? 0
}

/** `take` rows after `skip`, counted from the newest or from the oldest; the newest first in either case. */
export function list(
  read: Read,
  merchantId: bigint,
  filter: Filter,
  page: { readonly fromOldest: boolean; readonly skip: number; readonly take: number },
): Promise<ListRow[]> {
  const where = toWhere(filter, 3)
  const direction = page.fromOldest ? 'asc' : 'desc'
  const statement: Statement = {
    name: `search_list_${direction}_${where.shape}`,
    text: `
with page as materialized (
  select 0 as number, t.id from transactions t where t.merchant_id = $1${where.text}
  order by t.created_at ${direction}, t.id ${direction} offset $2 limit $3
)${LIST}`,
  }
  return read.query<ListRow>(statement, [merchantId, page.skip, page.take, ...where.values])
}

// ---- what one payer paid

export type PayerRow = {
  transactions: bigint
  paid: bigint
  paid_kobo: bigint
  first_at: Date | null
  last_at: Date | null
}
const FIRST_AND_LAST = `
  (select t.created_at from transactions t where t.merchant_id = $1 and t.email_key = search_key($2::text)
    order by t.created_at, t.id limit 1) as first_at,
  (select t.created_at from transactions t where t.merchant_id = $1 and t.email_key = search_key($2::text)
    order by t.created_at desc, t.id desc limit 1) as last_at`
const SUMS = `count(*) as transactions, count(*) filter (where t.paid_kobo > 0) as paid, coalesce(sum(t.paid_kobo), 0)::bigint as paid_kobo`

// ---- by state, amount and time, or a value that very many share: sealed blocks, and what is younger

/** Transactions that are younger than the last block are the last segment; nothing is sealed there. */
export const YOUNG = 2_147_483_647

const SEGMENTS = `
  select number, after_at, after_id, last_at, last_id, sealed, rows from search_blocks where merchant_id = $1
  union all
  select ${YOUNG}, coalesce(b.last_at, '-infinity'), coalesce(b.last_id, 0), 'infinity', 0, false, 0
  from (values (1)) as one left join lateral (
    select last_at, last_id from search_blocks where merchant_id = $1 order by number desc limit 1
  ) b on true`

const WITHIN = `(t.created_at, t.id) > (s.after_at, s.after_id) and (t.created_at, t.id) <= (s.last_at, s.last_id)`

const OF_PAYER = `select ${SUMS} from transactions t where t.merchant_id = $1 and t.email_key = search_key($2::text)`
const PAYER: Statement = {
  name: 'search_payer',
  text: `select s.*, ${FIRST_AND_LAST} from (${OF_PAYER}) s`,
}
// A block that counted the address says what was paid in it; of the others, and of blocks from before that
// was counted, the rows are read.
const FREQUENT_PAYER: Statement = {
  name: 'search_frequent_payer',
  text: `
select s.*, ${FIRST_AND_LAST} from (
  select coalesce(sum(x.transactions), 0)::bigint as transactions, coalesce(sum(x.paid), 0)::bigint as paid,
    coalesce(sum(x.paid_kobo), 0)::bigint as paid_kobo
  from (${SEGMENTS}) s
  left join search_values v on s.sealed and v.merchant_id = $1 and v.kind = 'email' and v.key = search_key($2::text)
    and v.number = s.number and v.paid_rows is not null
  cross join lateral (
    select v.rows::bigint as transactions, v.paid_rows::bigint as paid, v.paid_kobo where v.number is not null
    union all
    select o.* from (${OF_PAYER} and v.number is null and ${WITHIN}) o
  ) x
) s`,
}
/** Counts and sums of an e-mail address, exact. */
export async function sumOfPayer(read: Read, merchantId: bigint, email: string): Promise<PayerRow> {
  const statement = (await isFrequent(read, merchantId, { email })) ? FREQUENT_PAYER : PAYER
  return (await read.query<PayerRow>(statement, [merchantId, email]))[0] as PayerRow
}

const NEWEST_OF_PAYER: Statement = {
  name: 'search_newest_of_payer',
  text: `select t.customer_email as email, t.customer_name as name from transactions t
    where t.merchant_id = $1 and t.email_key = search_key($2::text) order by t.created_at desc, t.id desc limit $3`,
}
/** How a payer wrote themselves, the last time first. */
export const newestOfPayer = (
  read: Read,
  merchantId: bigint,
  email: string,
  limit: number,
): Promise<{ email: string; name: string }[]> => read.query(NEWEST_OF_PAYER, [merchantId, email, limit])

/** How many rows of part `q` lie in the range of amounts: a binary search for each limit that is given. */
const bound = (filter: Filter, least: string, most: string) => ({
  below: filter.leastKobo === undefined ? '0' : `width_bucket(${least}::bigint - 1, q.amounts)`,
  upTo: filter.mostKobo === undefined ? 'q.rows' : `width_bucket(${most}::bigint, q.amounts)`,
})

/** The place of each value of the filter among the parameters; null where it is not given. */
function paramsOf(filter: Filter, taken: number): Readonly<Record<keyof Filter, string>> {
  const names = CONDITIONS.map(([name]) => name).filter((name) => filter[name] !== undefined)
  return Object.fromEntries(names.map((name, at) => [name, `$${taken + 1 + at}`])) as Record<keyof Filter, string>
}

/** Whether the parts of sealed blocks have the answer. */
export const usesParts = ({ status, leastKobo, mostKobo }: Filter): boolean =>
  status !== undefined || leastKobo !== undefined || mostKobo !== undefined
const kindOf = (filter: Filter): 'email' | 'name' => (filter.email === undefined ? 'name' : 'email')

const FREQUENT: Statement = {
  name: 'search_frequent',
  text: `select exists (select from search_values where merchant_id = $1 and kind = $2 and key = search_key($3::text)) as frequent`,
}

/** Whether the e-mail address or name of a filter is shared by so many rows that blocks count it faster than
 *  its index. */
export async function isFrequent(read: Read, merchantId: bigint, filter: Filter): Promise<boolean> {
  const kind = kindOf(filter)
  return (await read.query<{ frequent: boolean }>(FREQUENT, [merchantId, kind, filter[kind]]))[0]?.frequent === true
}

export type Segment = { readonly number: number; readonly whole: boolean; readonly rows: number }

/** How many rows fit in each segment that the time asked for touches, the newest segment first. `whole`: the
 *  segment is sealed and lies within that time, so its parts were counted; in the others, the rows
 *  themselves. */
export function countSegments(read: Read, merchantId: bigint, filter: Filter): Promise<Segment[]> {
  const where = toWhere(filter, 3)
  const params = paramsOf(filter, 3)
  const { below, upTo } = bound(filter, params.leastKobo, params.mostKobo)
  const ofStatus = filter.status === undefined ? '' : ` and q.status = ${params.status}::text`
  // A long array is read from its own table by each function that is given it; joined to an empty one it is
  // read once.
  const amounts =
    filter.leastKobo !== undefined && filter.mostKobo !== undefined ? `q.amounts || '{}' as amounts` : 'q.amounts'
  const byRow = `(select count(*) from transactions t where t.merchant_id = $1 and ${WITHIN}${where.text})`
  const sealedRows = usesParts(filter)
    ? `(select coalesce(sum(${upTo} - ${below}), 0) from (
          select q.rows, ${amounts} from search_parts q where q.merchant_id = $1 and q.number = s.number${ofStatus} offset 0
        ) q)`
    : filter.email === undefined && filter.name === undefined
      ? 's.rows'
      : `coalesce((select v.rows from search_values v where v.merchant_id = $1 and v.kind = '${kindOf(filter)}'
          and v.key = search_key(${params[kindOf(filter)]}::text) and v.number = s.number), ${byRow})`
  const statement: Statement = {
    name: `search_segments_${where.shape}`,
    text: `
select s.number, s.whole, (case when s.whole then ${sealedRows} else ${byRow} end)::int as rows
from (
  select s.*, s.sealed and s.after_at >= $2::timestamptz and s.last_at <= $3::timestamptz as whole from (${SEGMENTS}) s
  where s.last_at >= $2::timestamptz and s.after_at <= $3::timestamptz
) s
order by s.number desc`,
  }
  return read.query<Segment>(statement, [
    merchantId,
    filter.from ?? '-infinity',
    filter.to ?? 'infinity',
    ...where.values,
  ])
}

/** Of the rows of segment `number` that fit, the newest first: `take` after `skip`. */
export type Cut = { readonly number: number; readonly skip: number; readonly take: number }
const cutArrays = (cuts: readonly Cut[]) => [
  cuts.map(({ number }) => number),
  cuts.map(({ skip }) => skip),
  cuts.map(({ take }) => take),
]
const ASKED = 'unnest($2::int[], $3::int[], $4::int[]) as a(number, skip, take)'

/** Read from the rows themselves. */
export function listFromRows(read: Read, merchantId: bigint, filter: Filter, cuts: readonly Cut[]): Promise<ListRow[]> {
  const where = toWhere(filter, 4)
  const statement: Statement = {
    name: `search_rows_${where.shape}`,
    text: `
with page as materialized (
  select a.number, p.id from ${ASKED}
  cross join lateral (select s.* from (${SEGMENTS}) s where s.number = a.number offset 0) s
  cross join lateral (
    select t.id from transactions t where t.merchant_id = $1 and ${WITHIN}${where.text}
    order by t.created_at desc, t.id desc offset a.skip limit a.take
  ) p
)${LIST}`,
  }
  return read.query<ListRow>(statement, [merchantId, ...cutArrays(cuts), ...where.values])
}

/** Read from the parts of sealed blocks; time is not asked for, the blocks lie within it. */
export function listFromParts(
  read: Read,
  merchantId: bigint,
  { status, leastKobo, mostKobo }: Filter,
  cuts: readonly Cut[],
): Promise<ListRow[]> {
  const filter = { status, leastKobo, mostKobo }
  const where = toWhere(filter, 4)
  const params = paramsOf(filter, 4)
  const { below, upTo } = bound(filter, params.leastKobo, params.mostKobo)
  const statement: Statement = {
    name: `search_parts_${where.shape}`,
    text: `
with page as materialized (
  select a.number, p.id from ${ASKED}
  cross join lateral (
    select x.id from (
      select q.ids, q.places, ${below} as below, ${upTo} as up_to from search_parts q
      where q.merchant_id = $1 and q.number = a.number${status === undefined ? '' : ` and q.status = ${params.status}::text`} offset 0
    ) q cross join lateral unnest(q.ids[below + 1:up_to], q.places[below + 1:up_to]) as x(id, place)
    order by x.place desc offset a.skip limit a.take
  ) p
)${LIST}`,
  }
  return read.query<ListRow>(statement, [merchantId, ...cutArrays(cuts), ...where.values])
}
