// A row is inserted by the names of its columns: the compiler knows which there are, what each takes and
// which may not be left out, and nobody counts parameters. What is inserted must have exactly these fields;
// the check of all statements (tools/statements) prepares each insert as its type says.
import { createHash } from 'node:crypto'
import type { Statement, Tx } from '#kit/ctx.ts'
import type { Filled, Rows } from './rows.ts'

export type Table = keyof Rows
type Column<T extends Table> = keyof Rows[T]

/** Array columns also take what kit/arrays.ts writes. */
type Written<Value> = Value extends readonly (infer Element)[] ? readonly Element[] | string : Value

type NotNull<T extends Table> = { [C in Column<T>]: null extends Rows[T][C] ? never : C }[Column<T>]
/** Columns that are never null and that the database does not fill in. */
type Needed<T extends Table> = Exclude<NotNull<T>, T extends keyof Filled ? Filled[T] : never>

/** A row as it is inserted: what is left out is null, or what the database fills in. */
export type NewRow<T extends Table> = { readonly [C in Needed<T>]: Written<Rows[T][C]> } & {
  readonly [C in Exclude<Column<T>, Needed<T>>]?: Written<Rows[T][C]>
}

const NAME_BYTES = 6
/** One statement for a table, these columns in this order, and what follows: so it has one plan. */
export function insertStatement(table: string, columns: readonly string[], end: string): Statement {
  const places = columns.map((_, at) => `$${at + 1}`)
  const text = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})${end && ` ${end}`}`
  const digest = createHash('sha256').update(text).digest().subarray(0, NAME_BYTES).toString('hex')
  return { name: `insert_${table}_${digest}`, text }
}

const statements = new Map<string, Statement>()

/** Inserts a row. `end`: what is answered, or that a row which is there already stays as it is. */
export function insertInto<T extends Table>(table: T, t: Tx, row: NewRow<T>, end = ''): Promise<unknown[]> {
  const columns = Object.keys(row)
  const key = `${table} ${columns.join(' ')} ${end}`
  const statement = statements.get(key) ?? insertStatement(table, columns, end)
  statements.set(key, statement)
  return t.query(statement, Object.values(row))
}
