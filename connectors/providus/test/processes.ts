// The fake bank and the adapter as processes, for whoever kills them.
import {
  adapterFile,
  type Env,
  fakeFile,
  type Program,
  startProgram,
} from '../../../packages/connector-kit/test/programs.ts'

/** Each is somewhere else: what is found where it does not belong is recognised. */
export const LOGIN = {
  userName: 'cowrie-payouts',
  password: 'canary-password-5fd1',
  clientId: 'Y293cmllLXRlc3Q=',
  clientSecret: 'CANARYSECRET77B0E1',
}
export const DEBIT_ACCOUNT = '1700313889'

export const startFake = (): Promise<Program> =>
  startProgram(
    fakeFile('providus'),
    [JSON.stringify({ ...LOGIN, port: 0, debitAccount: DEBIT_ACCOUNT, webhookUrl: 'http://127.0.0.1:1/' })],
    {},
  )

type Places = {
  readonly fakeUrl: string
  readonly databaseUrl: string
  readonly schema: string
  readonly gatewayUrl: string
  readonly keys: readonly string[]
}

export const settingsOf = ({ fakeUrl, databaseUrl, schema, gatewayUrl, keys }: Places): Env => ({
  PROVIDUS_ENVIRONMENT: 'TEST',
  PROVIDUS_TRANSFERS_URL: `${fakeUrl}/postingrest`,
  PROVIDUS_USERNAME: LOGIN.userName,
  PROVIDUS_PASSWORD: LOGIN.password,
  PROVIDUS_DEBIT_ACCOUNT: DEBIT_ACCOUNT,
  PROVIDUS_COLLECTIONS_URL: `${fakeUrl}/api`,
  PROVIDUS_CLIENT_ID: LOGIN.clientId,
  PROVIDUS_CLIENT_SECRET: LOGIN.clientSecret,
  DATABASE_URL: databaseUrl,
  SCHEMA: schema,
  GATEWAY_URL: gatewayUrl,
  CONNECTOR_KEY: keys[0] ?? '',
  ...(keys[1] === undefined ? {} : { CONNECTOR_KEY_BEFORE: keys[1] }),
  PORT: '0',
  WEBHOOK_PORT: '0',
})

/** The bank reports to the newest one. */
export async function startAdapter(fake: Program, settings: Env): Promise<Program> {
  const adapter = await startProgram(adapterFile('providus'), [], settings)
  await fetch(`${fake.url}/fake/webhooks`, {
    method: 'POST',
    body: JSON.stringify({ url: `${adapter.webhooks}/providus` }),
  })
  return adapter
}
