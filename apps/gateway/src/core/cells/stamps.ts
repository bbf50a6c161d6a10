// What a database says of itself, and what this process holds against it: the environment, the cell and the
// institution it was first started as, and its schema. A process that found another one would read the wrong
// books. Stamped at the first start of api or worker, with the fingerprint of the master key, which
// keys/known.ts looks at; a command that only looks never stamps.

import { readdirSync } from 'node:fs'
import type { Rows } from '#core/rows.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { CannotStart } from '#kit/process.ts'
import { engineTx, readAll } from './cells.ts'

const STAMP: Statement = {
  name: 'settings_stamp',
  text: `insert into settings (name, value) select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing`,
}
const STAMPED: Statement = { name: 'settings_stamped', text: 'select name, value from settings where name = any($1)' }
const MIGRATIONS: Statement = {
  name: 'migrations_applied',
  // The column is younger than the table: a database that was migrated before it has none.
  text: `select name, coalesce((to_jsonb(m) ->> 'breaking')::boolean, false) as breaking from migrations m`,
}

const UNDEFINED_TABLE = '42P01'

const NAMES = ['environment', 'cell', 'master_key', 'institution'] as const
type Name = (typeof NAMES)[number]

let needed: readonly string[] | null = null
/** `0021_people.sql`, in order: what this version needs. */
export function neededMigrations(): readonly string[] {
  needed ??= readdirSync(new URL('../../../migrations/', import.meta.url))
    .filter((file) => /^\d{4}_\w+\.sql$/.test(file))
    .toSorted()
  return needed
}

async function stampsOf(r: Read): Promise<ReadonlyMap<string, string>> {
  const rows = await r.query<{ name: Name; value: Rows['settings']['value'] }>(STAMPED, [NAMES])
  return new Map(rows.map(({ name, value }) => [name, value]))
}

function foreign(ctx: Ctx, cell: CellId, stamps: ReadonlyMap<string, string>): string | null {
  const stamped = Object.fromEntries(stamps)
  const { environment = ctx.environment, cell: stampedCell = cell, institution = ctx.institution.code } = stamped
  if (environment !== ctx.environment)
    return `cell ${cell} belongs to the ${environment} environment; this process runs as ${ctx.environment}`
  if (stampedCell !== cell)
    return `the database that CELLS gives as cell ${cell} is the one of cell ${stampedCell}; correct CELLS`
  if (institution !== ctx.institution.code)
    return `cell ${cell} pays out as institution ${institution}; INSTITUTION_CODE says ${ctx.institution.code}, and payouts under way would not be recognised`
  return null
}

/** An older schema lacks what this version asks for; a newer one is fine unless one of its migrations says
 *  that it breaks us. */
function schemaFault(cell: CellId, rows: readonly { name: string; breaking: boolean }[]): string | null {
  const applied = new Set(rows.map(({ name }) => name))
  const files = neededMigrations()
  const missing = files.filter((name) => !applied.has(name))
  if (missing.length > 0)
    return `cell ${cell} has an older schema: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing. Run \`cowrie run migrate\` first`
  const known = new Set(files)
  const breaking = rows.filter((row) => row.breaking && !known.has(row.name)).map(({ name }) => name)
  return breaking.length === 0
    ? null
    : `cell ${cell} has a newer schema that this version cannot use (${breaking.join(', ')}). Start a newer version of Cowrie`
}

async function migrationsOf(r: Read, cell: CellId): Promise<{ breaking: boolean; name: Rows['migrations']['name'] }[]> {
  try {
    return await r.query(MIGRATIONS, [])
  } catch (error) {
    if ((error as { code?: string }).code !== UNDEFINED_TABLE) throw error
    throw new CannotStart(`the database of cell ${cell} has no tables yet. Run \`cowrie run migrate\` first`, {
      cause: error,
    })
  }
}

/** The newest migration of a cell, and what is wrong with its schema and stamps by now. Changes nothing. */
export async function readStanding(ctx: Ctx, cell: CellId, r: Read): Promise<{ schema: string; fault: string | null }> {
  const migrations = await migrationsOf(r, cell)
  const schema = migrations.map(({ name }) => name).toSorted()
  const fault = schemaFault(cell, migrations) ?? foreign(ctx, cell, await stampsOf(r))
  return { schema: schema.at(-1) ?? '', fault }
}

/** Throws what is wrong, by name. `asProcess`: this is an api or a worker, which stamps what is not stamped
 *  yet. */
export async function checkStamps(ctx: Ctx, cell: CellId, asProcess: boolean): Promise<void> {
  const schema = schemaFault(cell, await readAll(ctx, cell, (r) => migrationsOf(r, cell)))
  if (schema !== null) throw new CannotStart(schema)
  const stamps = asProcess
    ? await engineTx(ctx, cell, async (t: Tx) => {
        const { code, issuingBanks } = ctx.institution
        // Numbers stay with their bank when an installation issues no more there: each that ever did is kept.
        const issuers = issuingBanks.map((bank) => `issuing_bank ${bank}`)
        const values = [ctx.environment, cell, ctx.keys.present.id, code, ...issuers.map(() => '')]
        await t.query(STAMP, [[...NAMES, ...issuers], values])
        return stampsOf(t)
      })
    : await readAll(ctx, cell, stampsOf)
  const wrong = foreign(ctx, cell, stamps)
  if (wrong !== null) throw new CannotStart(wrong)
}
