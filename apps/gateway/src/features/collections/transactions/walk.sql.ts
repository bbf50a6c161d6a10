// All that a search finds, in steps from the newest to the oldest: for what is written into a file. What of
// each row is read, the caller says.
import { CONDITIONS, type Filter, toWhere } from './search.sql.ts'

export type Place = { readonly at: Date | string; readonly id: bigint }
export const FROM_THE_NEWEST: Place = { at: 'infinity', id: 0n }

/** By these an index finds the next rows; by the others each row that it found is held against them. So a
 *  step reads as many rows as it is allowed to, however few of them fit, and none takes long. */
const INDEXED: ReadonlySet<keyof Filter> = new Set(['reference', 'paymentReference', 'email', 'name', 'from', 'to'])

export type Step = {
  /** For the name of a statement. */
  readonly shape: string
  /** The next rows after a place, newest first, with `id`, `created_at`, `fits` and what was asked for. */
  readonly text: string
  readonly values: readonly unknown[]
  /** Whether every row of it fits. */
  readonly whole: boolean
}

export function stepAfter(merchantId: bigint, filter: Filter, after: Place, limit: number, columns: string): Step {
  const given = CONDITIONS.filter(([name]) => filter[name] !== undefined)
  const texts = given.map(([name, condition], at) => ({ name, text: ` and ${condition(`$${5 + at}`)}` }))
  const partOf = (indexed: boolean): string =>
    texts.flatMap(({ name, text }) => (INDEXED.has(name) === indexed ? [text] : [])).join('')
  const held = partOf(false)
  return {
    shape: toWhere(filter, 4).shape,
    text: `
  select t.id, t.created_at, true${held} as fits, ${columns}
  from transactions t where t.merchant_id = $1 and (t.created_at, t.id) < ($2::timestamptz, $3::bigint)${partOf(true)}
  order by t.created_at desc, t.id desc limit $4`,
    values: [merchantId, after.at, after.id, limit, ...given.map(([name]) => filter[name])],
    whole: held === '',
  }
}
