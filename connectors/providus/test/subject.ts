// This adapter as the subject of the connector exam: with a fake bank of its own, and a way to kill it, start
// it again and look into it.
//   npm run exam -- --subject connectors/providus/test/subject.ts
import type { Limits, Setting, Subject } from '../../../packages/connector-exam/src/index.ts'
import { rowsOf } from '../../../packages/connector-exam/test/rows.ts'
import type { Env, Program } from '../../../packages/connector-kit/test/programs.ts'
import { withPostgres } from '../../../tools/exam/postgres.ts'
import { signatureOf } from '../src/upstream.ts'
import { LOGIN, settingsOf, startAdapter, startFake } from './processes.ts'

const KEYS = ['the first key of the exam', 'the second key of the exam']
const SCHEMA = 'providus'

type Manner = { readonly settings?: Env; readonly limits?: Partial<Limits> }

/** On an empty database. */
export async function openSubject(
  databaseUrl: string,
  { gatewayUrl }: Setting,
  { settings = {}, limits = {} }: Manner = {},
): Promise<Subject> {
  const fake = await startFake()
  const places = { fakeUrl: fake.url, databaseUrl, schema: SCHEMA, gatewayUrl, keys: KEYS }
  const processes: Program[] = []
  const start = async (): Promise<void> =>
    void processes.push(await startAdapter(fake, { ...settingsOf(places), ...settings }))
  const kill = async (): Promise<void> => processes.at(-1)?.kill()
  const close = async (): Promise<void> => {
    await kill()
    await fake.kill()
  }
  await start().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    ...{ name: 'the adapter of Providus Bank', url: () => processes.at(-1)?.url ?? '', keys: KEYS },
    ...{ upstreamUrl: fake.url, process: { kill, start }, limits, close },
    log: async () => processes.map(({ log }) => log()).join(''),
    rows: () => rowsOf(databaseUrl, SCHEMA),
    secrets: [LOGIN.password, LOGIN.clientSecret, signatureOf(LOGIN)],
  }
}

export const open = withPostgres('providus', openSubject)
