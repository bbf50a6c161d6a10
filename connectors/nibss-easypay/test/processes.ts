// Starts the fake and the adapter as processes of their own, and kills them.
import {
  adapterFile,
  fakeFile,
  type Program,
  runProgram,
  startProgram,
} from '../../../packages/connector-kit/test/programs.ts'
import type { Behaviour, Json, On } from '../fake/bank.ts'
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
type How = { readonly status?: number; readonly delayMs?: number; readonly code?: string; readonly taken?: boolean }

export async function startFake(more: Partial<FakeConfig> = {}) {
  const fake = await startProgram(fakeFile('nibss-easypay'), [JSON.stringify({ ...CREDENTIALS, ...more })], {})
  const call = async (method: string, path: string, body?: Json): Promise<Json> => {
    const response = await fetch(fake.url + path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
    const said = (await response.json()) as Json
    if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(said)}`)
    return said
  }
  const books = async (): Promise<Books> => (await call('GET', '/exam/orders')) as Books
  return {
    ...fake,
    about: () => call('GET', '/exam'),
    next: (on: On, behaviour: Behaviour, how: How & { readonly times?: number } = {}) =>
      call('POST', '/exam/next', { on, behaviour, ...how }),
    books,
    /** How often an order was taken. */
    times: async (reference: string): Promise<number> =>
      (await books()).orders.filter((order) => order.reference === reference).length,
    settle: (reference: string, status: string) => call('POST', '/exam/settle', { reference, status }),
    reset: () => call('POST', '/exam/reset'),
    counts: async () => (await call('GET', '/exam/counts')) as Record<string, number>,
    /** The other bank sends a transfer back after it was paid. */
    sendBack: (reference: string) => call('POST', '/fake/return', { reference }),
    /** The statement of a day: all that was booked since the last one. */
    print: async (date: string): Promise<string> => String((await call('POST', '/fake/print', { date }))['text']),
    expireTokens: () => call('POST', '/exam/tokens/expire'),
  }
}
export type Fake = Awaited<ReturnType<typeof startFake>>

export type Places = { readonly databaseUrl: string; readonly gatewayUrl: string; readonly nibssUrl: string }
export const settings = (
  { databaseUrl, gatewayUrl, nibssUrl }: Places,
  keys: readonly string[],
): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  GATEWAY_URL: gatewayUrl,
  CONNECTOR_KEY: keys[0] ?? '',
  ...(keys[1] === undefined ? {} : { CONNECTOR_KEY_BEFORE: keys[1] }),
  NIBSS_ENVIRONMENT: 'TEST',
  PORT: '0',
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
export const startAdapter = (env: Env): Promise<Program> => startProgram(adapterFile('nibss-easypay'), [], env)
/** For one that does not start. */
export const runAdapter = (env: Env) => runProgram(adapterFile('nibss-easypay'), [], env)
/** The command that takes a person's word about payouts. */
export const settle = (env: Env, ...words: readonly string[]) =>
  runProgram(adapterFile('nibss-easypay', 'settle'), words, env)
