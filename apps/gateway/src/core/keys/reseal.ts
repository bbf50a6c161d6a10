// Re-sealing: what an older version of the master key sealed is sealed again with the present one, a slice of
// rows at a time, beside traffic. A row that somebody else changed meanwhile is left as it is: whoever
// changed it sealed it anew. A run that is killed has done whole slices, and the next one finds the rest. A
// version is retired when nothing of it is left, and only then can it be removed.
import { type Keys, type KeyVersion, open, seal } from '#kit/crypto.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { engineTx, readAll } from '../cells/cells.ts'

type Row = Readonly<Record<string, unknown>>

/** A table with sealed columns, as its feature declares it. */
export type SealedTable = {
  readonly table: string
  /** Its primary key, by which it is walked through. */
  readonly key: Readonly<Record<string, 'bigint' | 'text'>>
  /** Each column with what its records are bound to. */
  readonly columns: Readonly<Record<string, (row: Row) => string>>
  /** Columns beside the key that this is made of. */
  readonly needs?: readonly string[]
}

const SLICE = 1_000
const BEFORE_ALL = { bigint: '-1', text: '' } as const
/** A record says in its second part by which version it was sealed. One that was erased has no such part. */
const isRecord = (column: string): string => `${column} like 'v1.%.%'`
const sealerOf = (column: string): string => `split_part(${column}, '.', 2)`

const keyOf = ({ key }: SealedTable): { names: string[]; types: string[]; places: (from: number) => string } => {
  const names = Object.keys(key)
  const types = Object.values(key)
  return { names, types, places: (from) => types.map((type, at) => `$${from + at}::${type}`).join(', ') }
}

/** The rows after one, in the order of the key. All of them, so that each statement is short however few are
 *  to be sealed again. */
function walkStatement(sealed: SealedTable, name: string, shown: (column: string) => string): Statement {
  const { names, places } = keyOf(sealed)
  const columns = Object.keys(sealed.columns)
  return {
    name: `${name}_${sealed.table}`,
    text: `-- all merchants: a new master key is everybody's
select ${[...names, ...(sealed.needs ?? []), ...columns.map((column) => `${shown(column)} as ${column}`)].join(', ')}
from ${sealed.table} where (${names.join(', ')}) > (${places(2)}) order by ${names.join(', ')} limit $1`,
  }
}
const RESEALED = (sealed: SealedTable): Statement =>
  walkStatement(
    sealed,
    'keys_reseal',
    // How many places the key takes is how many come before it.
    (column) =>
      `case when ${isRecord(column)} and ${sealerOf(column)} <> $${keyOf(sealed).names.length + 2} then ${column} end`,
  )
const COUNTED = (sealed: SealedTable): Statement =>
  walkStatement(sealed, 'keys_count', (column) => `case when ${isRecord(column)} then ${sealerOf(column)} end`)

/** Takes the place of the record that was read, if it is still there. */
function replaceStatement(sealed: SealedTable, column: string): Statement {
  const { names, types } = keyOf(sealed)
  const arrays = types.map((type, at) => `$${at + 3}::${type}[]`)
  return {
    name: `keys_replace_${sealed.table}_${column}`,
    text: `-- all merchants: a new master key is everybody's
update ${sealed.table} t set ${column} = x.after
from unnest($1::text[], $2::text[], ${arrays.join(', ')}) as x (before, after, ${names.map((name) => `k_${name}`).join(', ')})
where ${names.map((name) => `t.${name} = x.k_${name}`).join(' and ')} and t.${column} = x.before returning 1`,
  }
}

const firstKey = ({ key }: SealedTable): unknown[] => Object.values(key).map((type) => BEFORE_ALL[type])
const keyIn = ({ key }: SealedTable, row: Row): unknown[] => Object.keys(key).map((name) => row[name])

/** The rows whose record in this column a given version can open, with the record that takes its place. */
function renewed(keys: Keys, sealed: SealedTable, column: string, rows: readonly Row[]) {
  const contextOf = sealed.columns[column] as (row: Row) => string
  return rows.flatMap((row) => {
    const before = row[column] as string | null
    if (before === null || !keys.versions.some(({ id }) => before.split('.')[1] === id)) return []
    const context = contextOf(row)
    return [{ row, before, after: seal(keys, open(keys, before, context), context) }]
  })
}

async function resealSlice(ctx: Ctx, t: Tx, sealed: SealedTable, after: readonly unknown[]) {
  const rows = await t.query<Row>(RESEALED(sealed), [SLICE, ...after, ctx.keys.present.id])
  let count = 0
  for (const column of Object.keys(sealed.columns)) {
    const changed = renewed(ctx.keys, sealed, column, rows)
    if (changed.length === 0) continue
    const keys = Object.keys(sealed.key).map((name) => changed.map(({ row }) => row[name]))
    const values = [changed.map(({ before }) => before), changed.map((one) => one.after), ...keys]
    count += (await t.query(replaceStatement(sealed, column), values)).length
  }
  return { count, last: rows.length < SLICE ? null : keyIn(sealed, rows.at(-1) as Row) }
}

/** Seals the records of a table with the present version; answers how many. */
export async function resealTable(ctx: Ctx, cell: CellId, sealed: SealedTable): Promise<number> {
  let count = 0
  for (let after: readonly unknown[] | null = firstKey(sealed); after !== null; ) {
    const from: readonly unknown[] = after
    const slice = await engineTx(ctx, cell, (t) => resealSlice(ctx, t, sealed, from))
    count += slice.count
    after = slice.last
  }
  return count
}

/** How many records of a table each version has sealed, by its fingerprint. */
export async function countTable(ctx: Ctx, cell: CellId, sealed: SealedTable): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (let after: readonly unknown[] | null = firstKey(sealed); after !== null; ) {
    const values: unknown[] = [SLICE, ...after]
    const rows = await readAll(ctx, cell, (r: Read) => r.query<Row>(COUNTED(sealed), values))
    for (const id of rows.flatMap((row) => Object.keys(sealed.columns).map((column) => row[column] as string | null)))
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    after = rows.length < SLICE ? null : keyIn(sealed, rows.at(-1) as Row)
  }
  return counts
}

// ---- a version is retired

const ALONE: Statement = {
  name: 'keys_alone',
  text: `select pg_advisory_xact_lock(hashtextextended('cowrie.master_key ' || $1, 0))`,
}
const RETIRE: Statement = {
  name: 'keys_retire',
  text: `update master_keys set retired_at = $2, lasting = null where fingerprint = $1 and retired_at is null returning 1`,
}
const LEFT = (sealed: SealedTable): Statement => ({
  name: `keys_left_${sealed.table}`,
  text: `-- all merchants: a new master key is everybody's
select exists (select from ${sealed.table} where ${Object.keys(sealed.columns)
    .map((column) => `(${isRecord(column)} and ${sealerOf(column)} = $1)`)
    .join(' or ')}) as left`,
})

/** Retires a version in a database, unless something of it is left; answers the table then. From here on the
 *  database refuses what this version seals, and whoever is sealing with it at this instant is waited for. */
export const retire = (
  ctx: Ctx,
  cell: CellId,
  { id }: Pick<KeyVersion, 'id'>,
  tables: readonly SealedTable[],
  mark: (t: Tx) => Promise<void>,
): Promise<string | null> =>
  engineTx(ctx, cell, async (t) => {
    await t.query(ALONE, [id])
    for (const sealed of tables) {
      const [row] = await t.query<{ left: boolean }>(LEFT(sealed), [id])
      if (row?.left) return sealed.table
    }
    if ((await t.query(RETIRE, [id, t.now])).length > 0) await mark(t)
    return null
  })
