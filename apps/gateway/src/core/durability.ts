// What was acknowledged must survive: the settings that make PostgreSQL keep its word are looked at before
// the first request, and live does not start without them. Whose database it is, cells/stamps.ts looks at.
import type { Ctx, Read, Statement } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { CannotStart } from '#kit/process.ts'
import { cellById, readAll } from './cells/cells.ts'
import { checkStamps } from './cells/stamps.ts'
import { checkKeys } from './keys/known.ts'
import { aheadOfCluster } from './ledger/horizons.ts'

const SHOW: Statement = {
  name: 'durability_show',
  text: `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version_num')`,
}
const SAFE_COMMIT = new Set(['on', 'remote_write', 'remote_apply'])
const OLDEST_VERSION = 150_000

/** Everything that is wrong with a cell's settings, in words. */
export async function durabilityFaults(ctx: Ctx, cell: CellId): Promise<string[]> {
  const rows = await readAll(ctx, cell, (r: Read) => r.query<{ name: string; setting: string }>(SHOW, []))
  const setting = new Map(rows.map(({ name, setting: value }) => [name, value]))
  const faults: string[] = []
  if (setting.get('fsync') !== 'on') faults.push('fsync is off')
  if (setting.get('full_page_writes') !== 'on') faults.push('full_page_writes is off')
  if (!SAFE_COMMIT.has(setting.get('synchronous_commit') ?? ''))
    faults.push(`synchronous_commit is ${setting.get('synchronous_commit')}`)
  if (Number(setting.get('server_version_num')) < OLDEST_VERSION) faults.push('PostgreSQL is older than 15')
  return faults
}

const STANDBYS: Statement = {
  name: 'durability_standbys',
  text: `select setting from pg_settings where name = 'synchronous_standby_names' and setting <> ''`,
}

/** Live runs without one; whoever runs it should know. */
async function warnOfOneMachine(ctx: Ctx, cell: CellId): Promise<void> {
  const standbys = await readAll(ctx, cell, (r: Read) => r.query(STANDBYS, []))
  if (standbys.length === 0)
    ctx.log.warn('no synchronous standby: what was acknowledged lies on one machine only', { cell })
}

/** The first connection of each login is looked at (logins.ts) before anything is asked. */
async function admitLogins(ctx: Ctx, cell: CellId): Promise<void> {
  const { app, engine } = cellById(ctx, cell)
  for (const pool of [app, engine.pool]) {
    try {
      const client = await pool.connect()
      client.release()
    } catch (error) {
      throw new CannotStart(`cell ${cell}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Looks at every cell before the first request; throws what forbids a start. A command that only looks
 *  leaves no mark. */
export async function checkCells(ctx: Ctx, asProcess = true): Promise<void> {
  for (const cell of ctx.cells.keys()) await checkCell(ctx, cell, asProcess)
}

export async function checkCell(ctx: Ctx, cell: CellId, asProcess = true): Promise<void> {
  await checkKept(ctx, cell, asProcess)
  if ((await readAll(ctx, cell, aheadOfCluster)) > 0n)
    throw new CannotStart(
      `cell ${cell} was restored into another PostgreSQL cluster: run \`cowrie run horizons repair\` first, otherwise new payments would not be settled`,
    )
}

async function checkKept(ctx: Ctx, cell: CellId, asProcess: boolean): Promise<void> {
  await admitLogins(ctx, cell)
  const faults = await durabilityFaults(ctx, cell)
  if (faults.length > 0 && ctx.environment === 'live')
    throw new CannotStart(`cell ${cell}: the database settings can lose committed data: ${faults.join(', ')}`)
  for (const fault of faults) ctx.log.warn('database settings can lose committed data', { cell, detail: fault })
  if (ctx.environment === 'live' && asProcess) await warnOfOneMachine(ctx, cell)
  await checkStamps(ctx, cell, asProcess)
  if (asProcess) await checkKeys(ctx, cell)
}

/** Whatever is wrong with the database of people, payments go on: nobody logs in until it is back. */
export async function checkIdentities(ctx: Ctx, asProcess = true): Promise<void> {
  await checkKept(ctx, ctx.identities.id, asProcess).catch((error: unknown) =>
    ctx.log.warn('the database of people cannot be used; nobody can log in', { cell: ctx.identities.id, error }),
  )
}
