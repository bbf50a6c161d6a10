// A fake bank, a gateway, a database and adapters between them, for a test file.
import { afterEach, beforeEach } from 'vitest'
import { KEY, useGateway } from '../../../packages/connector-kit/test/gateway.ts'
import { adapterFile, type Env, type Program, runProgram } from '../../../packages/connector-kit/test/programs.ts'
import { type Json, useStore } from '../../../packages/connector-kit/test/store.ts'
import { settingsOf, startAdapter, startFake } from './processes.ts'

/** A fake bank, a recording gateway, a database, and adapters between them. Call once per test file. */
export function useBank() {
  const used = useStore()
  const gateway = useGateway()
  const running: Program[] = []
  let fake: Program

  const control = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(fake.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status !== 200) throw new Error(`The fake answered ${response.status} to ${path}`)
    return (await response.json()) as Json
  }
  const settings = (more: Env = {}): Env => ({
    ...settingsOf({
      ...{ fakeUrl: fake.url, databaseUrl: used.url(), schema: used.store().schema },
      ...{ gatewayUrl: gateway.url(), keys: [KEY] },
    }),
    ...more,
  })

  const command = async (name: 'settle' | 'recover', args: readonly string[]): Promise<string> =>
    (await runProgram(adapterFile('providus', name), args, settings())).stdout

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
    adapter: async (more: Env = {}): Promise<Program> => {
      const adapter = await startAdapter(fake, settings(more))
      running.push(adapter)
      return adapter
    },
    /** The command that takes sessions from a settlement report. Returns what it writes. */
    recover: (...sessions: readonly string[]): Promise<string> => command('recover', sessions),
    /** The command that takes a person's word about payouts. Returns what it writes. */
    settle: (...words: readonly string[]): Promise<string> => command('settle', words),
  }
}
