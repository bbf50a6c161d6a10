// Adapters of banks as subjects of the exam: each with a fake of its bank, and a way to kill it, start it
// again and look into it.
import type { Program } from '../../connector-kit/test/programs.ts'
import type { Limits, Subject } from '../src/index.ts'
import { rowsOf } from './rows.ts'

export const KEYS = ['the first key of the exam', 'the second key of the exam']

/** How a subject differs from the one that a person examines. */
export type Manner = { readonly settings?: Readonly<Record<string, string>>; readonly limits?: Partial<Limits> }

type Parts = {
  readonly name: string
  readonly fake: Program
  readonly start: () => Promise<Program>
  readonly keys?: readonly string[]
  readonly database: { readonly url: string; readonly schema: string }
  readonly secrets: readonly string[]
  readonly limits: Partial<Limits>
}

export async function openAdapter({
  name,
  fake,
  start,
  keys = KEYS,
  database,
  secrets,
  limits,
}: Parts): Promise<Subject> {
  const processes: Program[] = []
  const startOne = async (): Promise<void> => void processes.push(await start())
  const kill = async (): Promise<void> => processes.at(-1)?.kill()
  const close = async (): Promise<void> => {
    await kill()
    await fake.kill()
  }
  await startOne().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    ...{ name, url: () => processes.at(-1)?.url ?? '', keys, secrets, limits, close },
    ...{ upstreamUrl: fake.url, process: { kill, start: startOne } },
    log: async () => processes.map(({ log }) => log()).join(''),
    rows: () => rowsOf(database.url, database.schema),
  }
}
