// Every column that can hold text about somebody is judged, once, by whoever owns its table: erased with its
// payer (and what it becomes), kept (and why), or not personal. The statements that erase are made of what is
// declared, and a test refuses a column that is on none of the three.

/** What the rows of a person are found by. */
export type Subject = 'transactions' | 'refunds' | 'mandates' | 'reserved' | 'wallets' | 'sessions' | 'tokens' | 'mails'

export const WORD = 'erased'
export const ADDRESS = 'erased@erased.invalid'

/** As the function `erased` of the database: the only value that it lets stand in place of one of an
 *  event. */
export const erased = (value: string): string =>
  value === '' ? value : value.startsWith('{') ? '{}' : value.includes('@') ? ADDRESS : WORD

type Erased = { readonly becomes: string }
type Kept = { readonly kept: string }
/** Erased by a way of its own, not by a statement that is made of this list. */
type Apart = { readonly apart: string }
export type Judged = Erased | Kept | Apart

export type Personal = {
  /** How the rows of a person are found: the column, and what stands in it. Without it no row of the table is
   *  looked for. */
  readonly by?: readonly [column: string, subject: Subject]
  /** What else is true of them. */
  readonly where?: string
  /** The rows are deleted. */
  readonly deleted?: true
  readonly columns: Readonly<Record<string, Judged>>
}

/** Nothing stays nothing, so that an erased row does not look as if more had been there. */
export const unlessEmpty = (column: string, becomes: string): string =>
  `case when ${column} is null or ${column} = '' then ${column} else '${becomes}' end`
export const word = (column: string): Readonly<Record<string, Erased>> => ({
  [column]: { becomes: unlessEmpty(column, WORD) },
})
export const words = (...columns: string[]): Readonly<Record<string, Erased>> => Object.assign({}, ...columns.map(word))
export const address = (column: string): Readonly<Record<string, Erased>> => ({
  [column]: { becomes: unlessEmpty(column, ADDRESS) },
})
export const becomes = (sql: string): Erased => ({ becomes: sql })
export const kept = (why: string, ...columns: string[]): Readonly<Record<string, Kept>> =>
  Object.fromEntries(columns.map((column) => [column, { kept: why }]))

export const ACCOUNT = 'where money came from or went to is part of its record; refunds are sent there'
export const PAYEE = 'of somebody who was paid, not of a payer: part of the record of the payout'
export const TEAM =
  'of somebody who works for a merchant or the operator, not of a payer; what they did is in the audit trail'
export const REFERENCE =
  "the merchant's own name of it: found by it, never used again, and part of what settlements prove"
export const CARD = 'a dispute about the charge names them; no card number is there'

/** A number of the register is replaced by one that nobody has, in the form in which the books expect it. */
export const identity = (kind: 'bvn' | 'nin'): Readonly<Record<string, Erased>> => ({
  [`${kind}_sealed`]: becomes(`case when ${kind}_sealed is null then null else 'v1.' end`),
  [`${kind}_digest`]: becomes(`case when ${kind}_digest is null then null else decode(repeat('00', 32), 'hex') end`),
  [`${kind}_tail`]: becomes(`case when ${kind}_tail is null then null else '0000' end`),
})
