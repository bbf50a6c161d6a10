// Starts the fake and the adapter as processes of their own, and kills them.
import {
  fakeClient,
  sharedSettings,
  startFake as start,
  startAdapter as startNamed,
} from '../../../packages/connector-kit/test/fake-client.ts'
import { adapterFile, type Program, runProgram } from '../../../packages/connector-kit/test/programs.ts'
import type { FakeConfig } from '../fake/main.ts'

export const CLIENT_SECRET = 'fGx8Q~canary.of.the.client.secret'
export const OWN_BVN = '22187654321'
export const INSTITUTION = '000013'
const CREDENTIALS = { clientId: 'f3c1a2d4-client', clientSecret: CLIENT_SECRET, tokenSeconds: 3_600 }

export type BookedOrder = {
  readonly reference: string
  readonly kobo: string
  readonly status: string
  readonly bankCode: string
  readonly accountNumber: string
}
export type Books = { readonly received: number; readonly orders: readonly BookedOrder[] }

export async function startFake(more: Partial<FakeConfig> = {}) {
  const fake = await start('nibss-easypay', { ...CREDENTIALS, ...more })
  const client = fakeClient(() => fake.url)
  const books = async (): Promise<Books> => (await client.get('/exam/orders')) as Books
  return {
    ...fake,
    ...client,
    books,
    /** How often an order was taken. */
    times: async (reference: string): Promise<number> =>
      (await books()).orders.filter((order) => order.reference === reference).length,
    counts: async () => (await client.get('/exam/counts')) as Record<string, number>,
    /** The other bank sends a transfer back after it was paid. */
    sendBack: (reference: string) => client.post('/fake/return', { reference }),
    /** The statement of a day: all that was booked since the last one. */
    print: async (date: string): Promise<string> => String((await client.post('/fake/print', { date }))['text']),
    expireTokens: () => client.post('/exam/tokens/expire'),
  }
}
export type Fake = Awaited<ReturnType<typeof startFake>>

export type Places = { readonly databaseUrl: string; readonly gatewayUrl: string; readonly nibssUrl: string }
export const settings = (
  { databaseUrl, gatewayUrl, nibssUrl }: Places,
  keys: readonly string[],
): Record<string, string> => ({
  ...sharedSettings({ databaseUrl, gatewayUrl, keys }),
  NIBSS_ENVIRONMENT: 'TEST',
  BANK_CODE: '999',
  NIBSS_URL: nibssUrl,
  NIBSS_CLIENT_ID: CREDENTIALS.clientId,
  NIBSS_CLIENT_SECRET: CLIENT_SECRET,
  NIBSS_INSTITUTION_CODE: INSTITUTION,
  NIBSS_LOCATION: '6.45407,3.39467',
  NIBSS_BILLER_ID: 'ADC19BDC-0000-4C00-4F7B-08DA06684F59',
  NIBSS_MANDATE: 'MA-0112345678-2026315-53097',
  NIBSS_ACCOUNT_INSTITUTION: '999998',
  NIBSS_ACCOUNT_NUMBER: '0112345678',
  NIBSS_ACCOUNT_NAME: 'Cowrie settlement',
  NIBSS_ACCOUNT_BVN: OWN_BVN,
})

type Env = Record<string, string>
export const startAdapter = (env: Env): Promise<Program> => startNamed('nibss-easypay', env)
/** For one that does not start. */
export const runAdapter = (env: Env) => runProgram(adapterFile('nibss-easypay'), [], env)
/** The command that takes a person's word about payouts. */
export const settle = (env: Env, ...words: readonly string[]) =>
  runProgram(adapterFile('nibss-easypay', 'settle'), words, env)
