// What a feature declares about its own tables to whoever looks across all of them, so that nobody else names
// them: one part of a feature's one value. Most of it is SQL in a fixed form; it stands in the feature's
// `.declared.sql.ts`.
import type { ContractField, Machine } from '@cowrie/contract/kit/spec'
import type { WorkKind } from '@cowrie/contract/screens/work'
import type { Ctx, Statement, Tx } from '#kit/ctx.ts'
import type { Findable } from './findable.ts'
import type { Personal } from './personal/judging.ts'

/** A field of requests that names an object which belongs to a contract. */
export type ObjectField = Exclude<ContractField, 'contractCode'>
/** Selects `contract_code` of the object that merchant $1 names so: $2. */
export type ContractStatements = Readonly<Record<ObjectField, Statement>>

/** The lists of which the last place of each merchant is kept when a month leaves, in the order in which
 *  `prepare_leaving` takes them. */
export const PLACED_LISTS = ['batches', 'invoices'] as const
/** A month that leaves: $1 and $2 are its first id and the first after it, $3 is the first day after it. */
export type Leaving = {
  /** The tables of its objects that leave; those of other machines stay, and so do their histories. */
  readonly objects?: readonly string[]
  /** What must be over before, by what it is; each selects what is still open. */
  readonly open?: Readonly<Record<string, string>>
  /** Selects rows of the month that are about something of a later one. */
  readonly ahead?: readonly string[]
  /** Selects `merchant_id` and `place` of the rows of the month. */
  readonly places?: Partial<Readonly<Record<(typeof PLACED_LISTS)[number], string>>>
}
/** Whether an id is of the month. */
export const withinMonth = (id: string): string => `${id} >= $1::bigint and ${id} < $2::bigint`

/** What waits for a bank, a biller or an issuer. */
export type Waiting = {
  /** Selects id, merchant_id, reference, state, kobo, since, questions, question_at, session_id of what
   *  waits. */
  readonly waits: string
  /** The machine whose history it has. */
  readonly machine: string
  /** The timers that end its wait. */
  readonly timers: readonly string[]
  /** Has the next question asked at $3, of merchant $1 and object $2, where the object keeps a later time. */
  readonly ask?: Statement
  /** Of what is not asked about for ever: object $2 of merchant $1 is asked about once more. Answers a row if
   *  nobody asked about it any more; then its timer is set. */
  readonly askAnew?: Statement
}

export type Declarations = {
  /** How a limited API key learns which contract an object is of. */
  readonly contractOf?: Partial<ContractStatements>
  /** What a new merchant gets of it, inside the transaction that makes the merchant. */
  readonly onJoin?: (ctx: Ctx, t: Tx, merchantId: bigint) => Promise<unknown>
  /** Selects of what is under way for merchant $1: what it is (`object`), and how many (`count`). While any
   *  is, the merchant is not closed. */
  readonly unfinished?: readonly string[]
  /** What of it leaves with a month, and what must be over before. */
  readonly leaving?: Leaving
  /** What of it somebody finds who pastes a name, a reference or an account number into one box. */
  readonly findable?: readonly Findable[]
  /** Columns with text about somebody, by table: what becomes of each when a payer is erased. */
  readonly personal?: Readonly<Record<string, Personal>>
  /** Selects sentences (`says`) about what still waits for a payer, who is not erased before it is over. Of
   *  merchant $1; the payer's are the payments $2, mandates $3, reserved accounts $4 and wallets $5. */
  readonly unerasable?: readonly string[]
  /** The other columns of text, by table: a list of names. */
  readonly notPersonal?: Readonly<Record<string, string>>
  /** What of it waits for somebody outside, by kind. */
  readonly waiting?: Partial<Readonly<Record<WorkKind, Waiting>>>
}

/** Of objects with a machine: those that wait for something. */
export function countWaiting({ name, table, states }: Machine): string {
  const waiting = Object.keys(states).filter((state) => states[state]?.waits !== undefined)
  return `select '${name}' as object, count(*) as count from ${table} where merchant_id = $1 and status in (${waiting.map((state) => `'${state}'`).join(', ')})`
}

/** What all parts say together; a name that two of them use is a mistake that ends the start. */
export function merged<T>(what: string, parts: readonly Readonly<Record<string, T>>[]): Readonly<Record<string, T>> {
  const all: Record<string, T> = {}
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (Object.hasOwn(all, name)) throw new Error(`${what} "${name}" is declared twice`)
    all[name] = value
  }
  return all
}
