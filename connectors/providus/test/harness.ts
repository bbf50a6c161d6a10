// A fake bank, a gateway, a database and adapters between them, for a test file.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, beforeEach } from 'vitest'
import { KEY, useGateway } from '../../../packages/connector-kit/test/gateway.ts'
import { type Json, useStore } from '../../../packages/connector-kit/test/store.ts'
import { COMPILED } from '../../../tools/compiled.ts'
import { fileOf, type Process, type Settings, settingsOf, startAdapter, startFake } from './processes.ts'

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
