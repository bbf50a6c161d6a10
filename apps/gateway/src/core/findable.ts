// What a search box over everything finds: each feature declares where a row of its own is looked up, and
// what is shown of it. Here the parts become selects with the same columns, for one merchant and for all of
// them.
import type { FoundKind } from '@cowrie/contract/screens/find'
import type { EverywhereKind } from '@cowrie/contract/screens/find-everywhere'

/** Tables, and what holds of the row that is looked for. Each is an index or a key, so that none gets slower
 *  with what a merchant has. */
export type Place = readonly [from: string, on: string]

/** What is shown of a row: expressions over its places. */
type Row = {
  readonly merchant: string
  readonly reference: string
  readonly name: string
  readonly kobo: string
  readonly state: string
  readonly at: string
  /** What its screen at the operator's is found by, where that is not the reference. */
  readonly id?: string
}
/** Of merchant $1, by the text $2. */
type Own = {
  readonly named?: readonly Place[]
  /** By an account number that payers pay to. */
  readonly number?: readonly Place[]
}
/** Of any merchant of the cell, by the text $1. */
type Everywhere = {
  /** By what is ours, and unique in the cell. */
  readonly ours?: readonly Place[]
  /** By what its merchant calls it: `underEach`. */
  readonly theirs?: readonly Place[]
  readonly number?: readonly Place[]
}
export type Findable = { readonly row: Row } & (
  | { readonly kind: FoundKind & EverywhereKind; readonly own: Own; readonly everywhere: Everywhere }
  | { readonly kind: Exclude<FoundKind, EverywhereKind>; readonly own: Own; readonly everywhere?: never }
  | { readonly kind: Exclude<EverywhereKind, FoundKind>; readonly own?: never; readonly everywhere: Everywhere }
)

export const NO_TEXT = 'null::text'
export const NO_KOBO = 'null::bigint'

/** The row that each merchant calls $1: a look-up for each of them. */
export const underEach = (table: string, column: string, as: string): string =>
  `merchants o cross join lateral (select * from ${table} p where p.merchant_id = o.id and p.${column} = $1 limit 1) ${as}`

const columns = ({ reference, name, kobo, state, at }: Row): string =>
  `${reference} as reference, ${name} as name, ${kobo} as kobo, ${state} as state, ${at} as at`

export const ownParts = (all: readonly Findable[], by: keyof Own): string[] =>
  all.flatMap(({ kind, row, own }) =>
    (own?.[by] ?? []).map(
      ([from, on]) => `select '${kind}' as kind, ${columns(row)}\n from ${from} where ${row.merchant} = $1 and ${on}`,
    ),
  )

export const everywhereParts = (all: readonly Findable[], by: keyof Everywhere): string[] =>
  all.flatMap(({ kind, row, everywhere }) =>
    (everywhere?.[by] ?? []).map(
      ([from, on]) =>
        `select '${kind}' as kind, ${row.id ?? NO_TEXT} as id, ${row.merchant} as merchant_id, ${columns(row)}\n from ${from} where ${on}`,
    ),
  )
