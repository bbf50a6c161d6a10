// This adapter as the subject of the connector exam, with a fake bank of its own.
//   npm run exam:connector -- --subject connectors/providus/test/subject.ts
import type { Setting, Subject } from '../../../packages/connector-exam/src/index.ts'
import { KEYS, type Manner, openAdapter } from '../../../packages/connector-exam/test/subjects.ts'
import { withPostgres } from '../../../tools/exam/postgres.ts'
import { signatureOf } from '../src/upstream.ts'
import { LOGIN, settingsOf, startAdapter, startFake } from './processes.ts'

const SCHEMA = 'providus'

/** On an empty database. */
export async function openSubject(
  databaseUrl: string,
  { gatewayUrl }: Setting,
  { settings = {}, limits = {} }: Manner = {},
): Promise<Subject> {
  const fake = await startFake()
  const places = { fakeUrl: fake.url, databaseUrl, schema: SCHEMA, gatewayUrl, keys: KEYS }
  return openAdapter({
    ...{ name: 'the adapter of Providus Bank', fake, database: { url: databaseUrl, schema: SCHEMA }, limits },
    start: () => startAdapter(fake, { ...settingsOf(places), ...settings }),
    secrets: [LOGIN.password, LOGIN.clientSecret, signatureOf(LOGIN)],
  })
}

export const open = withPostgres('providus', openSubject)
