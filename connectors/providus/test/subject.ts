// This adapter as the subject of an exam of adapters: how it is started, killed and looked into. The exam meets it by HTTP only.
import pg from 'pg'
import { KEY, NEXT_KEY } from '../../../packages/connector-kit/test/gateway.ts'
import { signatureOf } from '../src/upstream.ts'
import { LOGIN, type Process, settingsOf, startAdapter, startFake } from './processes.ts'

type Setting = { readonly gatewayUrl: string; readonly databaseUrl: string; readonly schema: string }

/** Every row of every table of the adapter. */
export async function rowsOf(databaseUrl: string, schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ table_name: string }>(
      'select table_name from information_schema.tables where table_schema = $1',
      [schema],
    )
    const texts: string[] = []
    for (const { table_name } of rows) {
      const table = await client.query<{ text: string }>(`select t::text as text from ${schema}.${table_name} t`)
      texts.push(...table.rows.map(({ text }) => text))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

export async function openSubject({ gatewayUrl, databaseUrl, schema }: Setting) {
  const fake = await startFake()
  const settings = settingsOf({
    ...{ fakeUrl: fake.url, databaseUrl, schema, gatewayUrl },
    keys: [KEY, NEXT_KEY],
  })
  const processes: Process[] = []
  const start = async (): Promise<void> => void processes.push(await startAdapter(fake, settings))
  const kill = async (): Promise<void> => processes.at(-1)?.kill()
  await start()
  return {
    name: 'Providus',
    url: () => processes.at(-1)?.url ?? '',
    keys: [KEY, NEXT_KEY],
    upstreamUrl: fake.url,
    process: { kill, start },
    log: async () => processes.map(({ log }) => log()).join(''),
    rows: () => rowsOf(databaseUrl, schema),
    secrets: [LOGIN.password, LOGIN.clientSecret, signatureOf(LOGIN)],
    close: async () => {
      await kill()
      await fake.kill()
    },
  }
}
