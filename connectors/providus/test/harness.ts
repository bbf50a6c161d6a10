// A fake bank, a recording gateway, a database, and adapters between them, for a test file.
import { KEY } from '../../../packages/connector-kit/test/gateway.ts'
import { adapterFile, type Env, type Program, runProgram } from '../../../packages/connector-kit/test/programs.ts'
import type { Json } from '../../../packages/connector-kit/test/store.ts'
import { useFake } from '../../../packages/connector-kit/test/use-fake.ts'
import { settingsOf, startAdapter, startFake } from './processes.ts'

/** Call once per test file. */
export function useBank() {
  const used = useFake(startFake)
  const { client, kept } = used
  const settings = (more: Env = {}): Env => ({ ...settingsOf(used.places([KEY])), ...more })
  const command = async (name: 'settle' | 'recover', args: readonly string[]): Promise<string> =>
    (await runProgram(adapterFile('providus', name), args, settings())).stdout

  return {
    ...used,
    settings,
    fake: {
      ...client,
      numbers: async () => (await client.get('/fake/numbers'))['numbers'] as Json[],
      /** Books a credit. Returns its session. */
      credit: async (more: object = {}) => {
        const credit = { accountNumber: '9970000000', kobo: '101550', ...more }
        return String((await client.post('/exam/credit', credit))['reference'])
      },
      deliver: async (reference: string) =>
        (await client.post('/fake/deliver', { reference }))['codes'] as (string | null)[],
    },
    adapter: (more: Env = {}): Promise<Program> => kept(startAdapter(used.process(), settings(more))),
    /** The command that takes sessions from a settlement report. Returns what it writes. */
    recover: (...sessions: readonly string[]): Promise<string> => command('recover', sessions),
    /** The command that takes a person's word about payouts. Returns what it writes. */
    settle: (...words: readonly string[]): Promise<string> => command('settle', words),
  }
}
