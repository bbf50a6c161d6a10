// Session locks: what one process works on and no other. Locks of a PostgreSQL session, so no lease to renew,
// no clock to believe and nothing to write: a process that dies loses its session, and with it everything it
// held, at once.
import type { PoolClient } from 'pg'
import type { Cell, Ctx, Statement } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { cellById, needEntry } from './cells.ts'

export type Session = {
  /** A statement on the session that holds the locks; a lost session is opened anew, and holds nothing. */
  query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]>
  /** Another number for another session: what was held under the old one is not held any more. */
  epoch(): number
}

/** `whenLost` is called when the session, and all it held, is gone. */
export function holdingSession(ctx: Ctx, cellId: CellId, whenLost: () => void): Session {
  const cell: Cell = cellById(ctx, cellId)
  let opening: Promise<PoolClient> | null = null
  let epoch = 0

  const lose = (client: PoolClient, error: Error): void => {
    if (!cell.sessions.delete(client)) return
    opening = null
    epoch += 1
    client.release(error)
    whenLost()
  }
  const open = async (): Promise<PoolClient> => {
    needEntry(cell.id, cell.entry)
    const client = await cell.engine.pool.connect()
    cell.sessions.add(client)
    client.once('end', () => lose(client, new Error('database session ended')))
    client.once('error', (error: Error) => lose(client, error))
    return client
  }

  return {
    epoch: () => epoch,
    query: async <Row>(statement: Statement, values: readonly unknown[]) => {
      opening ??= open().catch((error: unknown) => {
        opening = null
        throw error
      })
      const client = await opening
      cell.count()
      try {
        const { rows } = await client.query<Row & object>({ ...statement, values: values as unknown[] })
        return rows
      } catch (error) {
        lose(client, error as Error) // whatever went wrong, it is not known what is held
        throw error
      }
    },
  }
}

/** The number that stands for a thing of a kind among all locks of the database. */
export const lockKey = (kind: string, column: string): string => `hashtextextended('cowrie.${kind}', ${column})`
