// This adapter as the subject of the connector exam: with a fake of its own, and a way to kill it, start it
// again and look into it.
//   npm run exam -- --subject connectors/nibss-easypay/test/subject.ts

import type { Limits, Setting, Subject } from '../../../packages/connector-exam/src/index.ts'
import { rowsOf } from '../../../packages/connector-exam/test/rows.ts'
import type { Program } from '../../../packages/connector-kit/test/programs.ts'
import { withPostgres } from '../../../tools/exam/postgres.ts'
import { BVN } from '../fake/bank.ts'
import { CLIENT_SECRET, OWN_BVN, settings as settingsOf, startAdapter, startFake } from './processes.ts'

/** What the sessions of the exam begin with. */
const EXAM_INSTITUTION = '999990'
const KEYS = ['the first key of the exam', 'the second key of the exam']
const SCHEMA = 'nibss_easypay'

type Manner = { readonly settings?: Record<string, string>; readonly limits?: Partial<Limits> }

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
  const adapters: Program[] = [await startAdapter(env)]
  const kill = async (): Promise<void> => adapters.at(-1)?.kill()
  return {
    ...{ name: 'the adapter of NIBSS EasyPay', url: () => adapters.at(-1)?.url ?? '', keys: KEYS },
    ...{ upstreamUrl: fake.url, limits },
    process: { kill, start: async () => void adapters.push(await startAdapter(env)) },
    log: async () => adapters.map(({ log }) => log()).join(''),
    rows: () => rowsOf(databaseUrl, SCHEMA),
    secrets: [CLIENT_SECRET, OWN_BVN, BVN],
    close: async () => {
      await kill()
      await fake.kill()
    },
  }
}

export const open = withPostgres('nibss', openSubject)
