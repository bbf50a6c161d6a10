// What a feature declares about its own tables to whoever looks across all of them, so that nobody else names
// them: one part of a feature's one value. Most of it is SQL in a fixed form; it stands in the feature's
// `.declared.sql.ts`.
import type { ContractField, Machine } from '@cowrie/contract/kit/spec'
import type { Ctx, Statement, Tx } from '#kit/ctx.ts'

/** A field of requests that names an object which belongs to a contract. */
export type ObjectField = Exclude<ContractField, 'contractCode'>
/** Selects `contract_code` of the object that merchant $1 names so: $2. */
export type ContractStatements = Readonly<Record<ObjectField, Statement>>

export type Declarations = {
  /** How a limited API key learns which contract an object is of. */
  readonly contractOf?: Partial<ContractStatements>
  /** What a new merchant gets of it, inside the transaction that makes the merchant. */
  readonly onJoin?: (ctx: Ctx, t: Tx, merchantId: bigint) => Promise<unknown>
  /** Selects of what is under way for merchant $1: what it is (`object`), and how many (`count`). While any
   *  is, the merchant is not closed. */
  readonly unfinished?: readonly string[]
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
