// The fake bank and the adapter as processes, for tests that kill them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach } from 'vitest'
import { KEY, useGateway } from '../../../packages/connector-kit/test/gateway.ts'
import { type Json, useStore } from '../../../packages/connector-kit/test/store.ts'
import { COMPILED } from '../../../tools/compiled.ts'

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Each is somewhere else: what is found where it does not belong is recognised. */
export const LOGIN = {
  userName: 'cowrie-payouts',
  password: 'canary-password-5fd1',
  clientId: 'Y293cmllLXRlc3Q=',
  clientSecret: 'CANARYSECRET77B0E1',
}
export const DEBIT_ACCOUNT = '1700313889'

type Started = { readonly url: string; readonly webhooks?: string }
export type Process = Started & {
  readonly child: ChildProcess
  /** All that it wrote to standard error. */
  readonly log: () => string
  kill(): Promise<void>
  /** SIGTERM. Returns its exit code. */
  stop(): Promise<number | null>
}

async function start(path: string, args: readonly string[], env: Settings): Promise<Process> {
  const child = spawn(process.execPath, [fileOf(path), ...args], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let log = ''
  child.stderr?.on('data', (part: Buffer) => {
    log += part.toString()
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const started = once(child, 'message').then(([message]) => message as Started)
  const first = await Promise.race([started, ended])
  if (first === null || typeof first === 'number') throw new Error(`${path} ended with ${first}: ${log}`)
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return {
    ...first,
    child,
    log: () => log,
    kill: () => end('SIGKILL').then(() => undefined),
    stop: () => end('SIGTERM'),
  }
}

export const startFake = (): Promise<Process> =>
  start(
    '../fake/main.ts',
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
type Settings = Readonly<Record<string, string>>

export const settingsOf = ({ fakeUrl, databaseUrl, schema, gatewayUrl, keys }: Places): Settings => ({
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
  CONNECTOR_KEYS: keys.join(','),
  PORT: '0',
  WEBHOOK_PORT: '0',
})

/** The bank reports to the newest one. */
export async function startAdapter(fake: Process, settings: Settings): Promise<Process> {
  const adapter = await start('../src/main.ts', [], settings)
  await fetch(`${fake.url}/fake/webhooks`, {
    method: 'POST',
    body: JSON.stringify({ url: `${adapter.webhooks}/providus` }),
  })
  return adapter
}

/** A command of the adapter. Returns what it writes. */
async function command(name: string, args: readonly string[], env: Settings): Promise<string> {
  const child = spawn(process.execPath, [fileOf(`../src/${name}.ts`), ...args], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  child.stdout.on('data', (part: Buffer) => {
    output += part.toString()
  })
  await once(child, 'close')
  return output
}

/** A fake bank, a recording gateway, a database, and adapters between them. Call once per test file. */
export function useBank() {
  const used = useStore()
  const gateway = useGateway()
  const running: Process[] = []
  let fake: Process

  const control = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(fake.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status !== 200) throw new Error(`The fake answered ${response.status} to ${path}`)
    return (await response.json()) as Json
  }
  const settings = (more: Settings = {}): Settings => ({
    ...settingsOf({
      ...{ fakeUrl: fake.url, databaseUrl: used.url(), schema: used.store().schema },
      ...{ gatewayUrl: gateway.url(), keys: [KEY] },
    }),
    ...more,
  })

  beforeEach(async () => {
    fake = await startFake()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.kill()))
    await fake.kill()
  })

  return {
    ...used,
    gateway,
    settings,
    fake: {
      post: (path: string, body: unknown = {}) => control('POST', path, body),
      get: (path: string) => control('GET', path),
      next: (on: string, behaviour: string, more: object = {}) =>
        control('POST', '/exam/next', { on, behaviour, ...more }),
      orders: async () => (await control('GET', '/exam/orders'))['orders'] as Json[],
      received: async () => (await control('GET', '/fake/received'))['references'] as string[],
      numbers: async () => (await control('GET', '/fake/numbers'))['numbers'] as Json[],
      /** Books a credit. Returns its session. */
      credit: async (more: object = {}) =>
        String(
          (await control('POST', '/exam/credit', { accountNumber: '9970000000', kobo: '101550', ...more }))[
            'reference'
          ],
        ),
      deliver: async (reference: string) =>
        (await control('POST', '/fake/deliver', { reference }))['codes'] as (string | null)[],
    },
    adapter: async (more: Settings = {}): Promise<Process> => {
      const adapter = await startAdapter(fake, settings(more))
      running.push(adapter)
      return adapter
    },
    /** The command that takes sessions from a settlement report. Returns what it writes. */
    recover: (...sessions: readonly string[]): Promise<string> => command('recover', sessions, settings()),
    /** The command that takes a person's word about payouts. Returns what it writes. */
    settle: (...words: readonly string[]): Promise<string> => command('settle', words, settings()),
  }
}
