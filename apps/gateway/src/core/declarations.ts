// What a feature declares about its own tables to whoever looks across all of them, so that nobody else names
// them: one part of a feature's one value. Most of it is SQL in a fixed form; it stands in the feature's
// `.declared.sql.ts`.
import type { ContractField } from '@cowrie/contract/kit/spec'
import type { Statement } from '#kit/ctx.ts'

/** A field of requests that names an object which belongs to a contract. */
export type ObjectField = Exclude<ContractField, 'contractCode'>
/** Selects `contract_code` of the object that merchant $1 names so: $2. */
export type ContractStatements = Readonly<Record<ObjectField, Statement>>

export type Declarations = {
  /** How a limited API key learns which contract an object is of. */
  readonly contractOf?: Partial<ContractStatements>
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
