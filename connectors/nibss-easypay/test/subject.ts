// This adapter as the subject of the connector exam, with a fake of its own.
//   npm run exam:connector -- --subject connectors/nibss-easypay/test/subject.ts
import type { Setting, Subject } from '../../../packages/connector-exam/src/index.ts'
import { KEYS, type Manner, openAdapter } from '../../../packages/connector-exam/test/subjects.ts'
import { withPostgres } from '../../../tools/exam/postgres.ts'
import { BVN } from '../fake/bank.ts'
import { CLIENT_SECRET, OWN_BVN, settings as settingsOf, startAdapter, startFake } from './processes.ts'

/** What the sessions of the exam begin with. */
const EXAM_INSTITUTION = '999990'
const SCHEMA = 'nibss_easypay'

/** On an empty database. */
export async function openSubject(
  databaseUrl: string,
  { gatewayUrl }: Setting,
  { settings = {}, limits = {} }: Manner = {},
): Promise<Subject> {
  const fake = await startFake()
  const env = {
    ...settingsOf({ databaseUrl, gatewayUrl, nibssUrl: fake.url }, KEYS),
    ...{ NIBSS_INSTITUTION_CODE: EXAM_INSTITUTION, SCHEMA: SCHEMA, ...settings },
  }
  return openAdapter({
    ...{ name: 'the adapter of NIBSS EasyPay', fake, database: { url: databaseUrl, schema: SCHEMA }, limits },
    start: () => startAdapter(env),
    secrets: [CLIENT_SECRET, OWN_BVN, BVN],
  })
}

export const open = withPostgres('nibss', openSubject)
