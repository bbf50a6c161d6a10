// The database of a run and how it is struck. One server, which ends as by `pg_ctl stop -m immediate` and is
// started again; or, where pg_auto_failover is installed, three nodes of which the primary can be lost
// altogether.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../../tools/postgres/postgres.ts'
import type { Stack, StackOptions } from '../../../tools/sandbox/stack.ts'
import { type Formation, needed, openFormation } from '../failover/nodes.ts'
import type { Held } from '../kit/bounded.ts'

export type Database = {
  /** For the stack: where the cell is, if it is not on the stack's own server. */
  readonly place: Pick<StackOptions, 'elsewhere'>
  /** Why there is no failover in this run; null where there is. */
  readonly noFailover: string | null
  /** Ends at once, without a checkpoint, and recovers; answers what there is to say. */
  crash(stack: Stack): Promise<string>
  /** The primary and everything on its machine is gone; answers who took its place. */
  failover(): Promise<string>
  /** Looks again which node is the primary. */
  look(): Promise<void>
}

const LOOK_MS = 20
/** A monitor needs a moment to see that a node is gone. */
const NOTICED_MS = 3_000

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function oneServer(dir: string, held: Held, noFailover: string): Database {
  return {
    place: {},
    noFailover,
    crash: async ({ engine }) => {
      const pid = Number.parseInt(readFileSync(join(engine.dataDir, 'postmaster.pid'), 'utf8'), 10)
      process.kill(pid, 'SIGQUIT')
      while (isThere(pid)) await pause(LOOK_MS)
      const again = await startPostgres({ dir: join(dir, 'postgres'), port: engine.port })
      held.defer(() => again.stop())
      return ''
    },
    failover: () => Promise.reject(new Error(noFailover)),
    look: () => Promise.resolve(),
  }
}

async function threeNodes(formation: Formation): Promise<Database> {
  let primary = await formation.primary()
  const look = async (): Promise<void> => {
    primary = await formation.primary()
  }
  return {
    place: { elsewhere: { hosts: formation.hosts, url: (database) => formation.url(primary, database) } },
    noFailover: null,
    crash: async () => {
      await look()
      const { name } = primary
      primary.crash()
      await pause(NOTICED_MS)
      await formation.whole()
      await look()
      return primary.name === name ? `${name}, restarted in place` : `${name} → ${primary.name}`
    },
    failover: async () => {
      await look()
      const lost = primary
      lost.kill()
      primary = await formation.replaced(lost)
      lost.start()
      await formation.whole()
      return `${lost.name} → ${primary.name}`
    },
    look,
  }
}

export async function openDatabase(dir: string, held: Held, failovers: number): Promise<Database> {
  const missing = failovers === 0 ? 'none was asked for' : needed()
  if (missing !== null) return oneServer(dir, held, missing)
  const formation = await openFormation(join(dir, 'nodes'))
  held.defer(() => formation.stop())
  return threeNodes(formation)
}
