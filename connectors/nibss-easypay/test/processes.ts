// Starts the fake and the adapter as processes of their own, and kills them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../../tools/compiled.ts'
import type { Behaviour, Json, On } from '../fake/bank.ts'
import type { FakeConfig } from '../fake/main.ts'

export const CLIENT_SECRET = 'fGx8Q~canary.of.the.client.secret'
export const OWN_BVN = '22187654321'
export const INSTITUTION = '000013'
const CREDENTIALS = { clientId: 'f3c1a2d4-client', clientSecret: CLIENT_SECRET, tokenSeconds: 3_600 }

type Process = {
  readonly url: string
  /** What it has written so far. */
  readonly log: () => string
  readonly kill: () => void
  readonly stop: () => Promise<number | null>
  readonly ended: Promise<number | null>
}

async function start(file: string, args: readonly string[], env: Record<string, string>): Promise<Process> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      log += String(part)
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const started = once(child, 'message').then(([message]) => (message as { url: string }).url)
  const url = await Promise.race([started, ended.then(() => null)])
  return {
    // One that has ended has no address any more.
    url: url ?? 'http://127.0.0.1:1',
    log: () => log,
    kill: () => void child.kill('SIGKILL'),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    ended,
  }
}

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
  const fake = await start('../fake/main.ts', [JSON.stringify({ ...CREDENTIALS, ...more })], {})
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
    expireTokens: () => call('POST', '/exam/tokens/expire'),
  }
}
export type Fake = Awaited<ReturnType<typeof startFake>>

export type Places = { readonly databaseUrl: string; readonly gatewayUrl: string; readonly nibssUrl: string }
export const settings = ({ databaseUrl, gatewayUrl, nibssUrl }: Places, keys: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  GATEWAY_URL: gatewayUrl,
  GATEWAY_KEYS: keys,
  ENVIRONMENT: 'TEST',
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

export const startAdapter = (env: Record<string, string>): Promise<Process> => start('../src/main.ts', [], env)
export type Adapter = Process
/** The command that takes a person's word about payouts; what it writes is its log. */
export const startSettle = (env: Record<string, string>, ...words: readonly string[]): Promise<Process> =>
  start('../src/settle.ts', words, env)
