// What was acknowledged must survive: the settings that make PostgreSQL keep its word are looked at before the first
// request, and live does not start without them. The database is stamped with its environment, so that a live process
// never opens a sandbox's books, nor the other way round.
import type { Ctx, Read, Statement, Tx } from '../kit/ctx.ts'
import type { CellId } from '../kit/ids.ts'
import { CannotStart } from '../kit/process.ts'
import { cellOf, engineTx, readAll } from './cells/cells.ts'
import { aheadOfCluster } from './ledger/horizons.ts'

const SHOW: Statement = {
  name: 'durability_show',
  text: `select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version_num')`,
}
const STAMP: Statement = {
  name: 'environment_stamp',
  text: `insert into settings (name, value) values ('environment', $1) on conflict (name) do nothing`,
}
const STAMPED: Statement = {
  name: 'environment_stamped',
  text: `select value from settings where name = 'environment'`,
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

/** The environment the cell's books belong to; stamped at the first start. */
export const stampEnvironment = (ctx: Ctx, cell: CellId): Promise<string> =>
  engineTx(ctx, cell, async (t: Tx) => {
    await t.query(STAMP, [ctx.environment])
    return (await t.query<{ value: string }>(STAMPED, []))[0]?.value ?? ''
  })

/** The first connection of each login is looked at (logins.ts) before anything is asked. */
async function admitLogins(ctx: Ctx, cell: CellId): Promise<void> {
  const { app, engine } = cellOf(ctx, cell)
  for (const pool of [app, engine.pool]) {
    try {
      const client = await pool.connect()
      client.release()
    } catch (error) {
      throw new CannotStart(`cell ${cell}: ${(error as Error).message}`, { cause: error })
    }
  }
}

/** Looks at every cell before the first request; throws what forbids a start. */
export async function checkCells(ctx: Ctx): Promise<void> {
  for (const cell of ctx.cells.keys()) {
    await admitLogins(ctx, cell)
    const faults = await durabilityFaults(ctx, cell)
    if (faults.length > 0 && ctx.environment === 'live')
      throw new CannotStart(`cell ${cell}: the database settings can lose committed data: ${faults.join(', ')}`)
    for (const fault of faults) ctx.log.warn('database settings can lose committed data', { cell, detail: fault })
    const stamped = await stampEnvironment(ctx, cell)
    if (stamped !== ctx.environment)
      throw new CannotStart(
        `cell ${cell} belongs to the ${stamped} environment; this process runs as ${ctx.environment}`,
      )
    if ((await readAll(ctx, cell, aheadOfCluster)) > 0n)
      throw new CannotStart(
        `cell ${cell} was restored into another PostgreSQL cluster: run \`npm run horizons -- repair\` first, otherwise new payments would not be settled`,
      )
  }
}
