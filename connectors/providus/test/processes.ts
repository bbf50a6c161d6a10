// The fake bank and the adapter as processes, for whoever kills them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../../tools/compiled.ts'

export const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

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
export type Settings = Readonly<Record<string, string>>

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
