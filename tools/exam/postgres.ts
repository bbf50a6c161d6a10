// A subject of the connector exam whose adapter has a PostgreSQL of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Open, Setting, Subject } from '../../packages/connector-exam/src/index.ts'
import { startPostgres } from '../postgres/postgres.ts'

/** `openOn` is given an empty database of this name. */
export const withPostgres =
  (name: string, openOn: (databaseUrl: string, setting: Setting) => Promise<Subject>): Open =>
  async (setting) => {
    const dir = await mkdtemp(join(tmpdir(), 'cowrie-exam-'))
    const engine = await startPostgres({ dir })
    const stop = async (): Promise<void> => {
      await engine.stop()
      await rm(dir, { recursive: true, force: true })
    }
    try {
      await engine.createDatabase(name)
      const subject = await openOn(engine.url(name), setting)
      return {
        ...subject,
        close: async () => {
          await subject.close?.()
          await stop()
        },
      }
    } catch (error) {
      await stop()
      throw error
    }
  }
