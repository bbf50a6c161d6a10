// Prepares a statement without running it, and holds what the database says of its rows against what the code
// believes.
import type pg from 'pg'
import type { Connection, FieldDef, Submittable } from 'pg'
import { driverType } from '../schema/rows.ts'
import type { Field } from './calls.ts'
import type { Asked } from './collect.ts'

/** A column of a statement's rows; `nullable` is unknown of what is computed. */
export type Described = { readonly name: string; readonly type: string; readonly nullable: boolean | null }

/** Parse and Describe: what the driver sends before it runs a statement, and no more. */
class Describing implements Submittable {
  readonly fields: Promise<readonly FieldDef[]>
  readonly #text: string
  #fields: readonly FieldDef[] = []
  #resolve: (fields: readonly FieldDef[]) => void = () => undefined
  #reject: (error: Error) => void = () => undefined
  constructor(text: string) {
    this.#text = text
    this.fields = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }
  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }
  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#fields = fields
  }
  handleError(error: Error): void {
    this.#reject(error)
  }
  handleReadyForQuery(): void {
    this.#resolve(this.#fields)
  }
}

const TYPES = 'select oid::int4 as oid, typname from pg_type'
const NULLABLE = `select attrelid::int8::text || '.' || attnum as place from pg_attribute a join pg_class c on c.oid = a.attrelid
where not a.attnotnull and a.attnum > 0 and c.relkind in ('r', 'p')`
const VIEWS = `select oid::int8::text as oid from pg_class where relkind = 'v'`

export type Describe = (text: string) => Promise<Described[]>

export async function describer(client: pg.Client): Promise<Describe> {
  const { rows: types } = await client.query<{ oid: number; typname: string }>(TYPES)
  const names = new Map(types.map(({ oid, typname }) => [oid, typname]))
  const { rows: nullable } = await client.query<{ place: string }>(NULLABLE)
  const places = new Set(nullable.map(({ place }) => place))
  const { rows: views } = await client.query<{ oid: string }>(VIEWS)
  const ofViews = new Set(views.map(({ oid }) => oid))
  return async (text) => {
    const fields = await client.query(new Describing(text)).fields
    return fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: names.get(dataTypeID) ?? String(dataTypeID),
      nullable: tableID === 0 || ofViews.has(String(tableID)) ? null : places.has(`${tableID}.${columnID}`),
    }))
  }
}

/** Whatever is declared of JSON is a matter between whoever wrote it and whoever reads it. */
const JSON_TYPES = new Set(['json', 'jsonb'])
/** A row that an outer join did not find has null in every column. */
const OUTER = /\b(?:left|right|full)\s+(?:outer\s+)?join\b/i

/** Columns that may be null, of statements that ask for rows where they are not, each with its reason. */
export const PRESENT: Readonly<Record<string, string>> = {
  'ledger_lock.balance_kobo': 'asks for those that are not null',
  'settlements_lock_accounts.balance_kobo': 'wallets and clearing accounts keep their balance',
  'brandings_find_logo.bytes': 'brandings_logo_whole: with the digest, which is asked for',
  'brandings_find_logo.type': 'brandings_logo_whole: with the digest, which is asked for',
  'payout_details_sessions.network_reference': 'is compared with the references that are asked for',
  'credits_counted.transaction_id': 'is compared with the transactions that are asked for',
  'books_last.started_at': 'asks for those that are not null',
  'settlements_lines_fresh.settlement_id': 'is compared with the settlements that are asked for',
  'persons_requests.answer': 'asks for those that are not null',
}

type Answered = { readonly asked: Asked; readonly columns: readonly Described[] }
const columnOf = ({ columns }: Answered, name: string): Described | undefined =>
  columns.find((one) => one.name === name)
/** Whether the database lets it be null, as far as it says. */
const mayBeNull = (answered: Answered, name: string): boolean =>
  columnOf(answered, name)?.nullable !== false || OUTER.test(answered.asked.text)

/** `fellows`: all statements whose rows are believed to be the same. One of them may need a null. */
function faultOf(field: Field, answered: Answered, fellows: readonly Answered[]): string | null {
  const { name, bases, nullable, optional } = field
  const column = columnOf(answered, name)
  if (column === undefined) return optional ? null : `${name} is not a column of it`
  const driver = JSON_TYPES.has(column.type) ? null : (driverType(column.type) ?? column.type)
  if (driver !== null && bases.some((base) => base !== driver && base !== 'unknown'))
    return `${name} is declared ${bases.join(' | ')} and comes as ${driver}`
  if (column.nullable === true && !nullable && !Object.hasOwn(PRESENT, `${answered.asked.name}.${name}`))
    return `${name} may be null and is declared without`
  return nullable && !fellows.some((one) => mayBeNull(one, name))
    ? `${name} is never null and is declared with it`
    : null
}

/** The faults of every statement: what the calls believe and the database does not say, each a sentence. One
 *  that cannot be prepared is one. */
export async function faults(describe: Describe, asked: readonly Asked[]): Promise<string[]> {
  const found: string[] = []
  const answered: Answered[] = []
  for (const one of asked) {
    const columns = await describe(one.text).catch((error: Error) => error.message)
    if (typeof columns === 'string') found.push(`${one.path} ${one.name}: ${columns}`)
    else answered.push({ asked: one, columns })
  }
  const believed = answered.flatMap((one) => one.asked.beliefs.map((belief) => ({ ...belief, one })))
  for (const alike of Map.groupBy(believed, ({ row }) => JSON.stringify(row)).values()) {
    const fellows = alike.map(({ one }) => one)
    for (const { path, line, row, one } of alike)
      for (const field of row) {
        const fault = faultOf(field, one, fellows)
        if (fault !== null) found.push(`${path}:${line} ${one.asked.name}: ${fault}`)
      }
  }
  return found
}
