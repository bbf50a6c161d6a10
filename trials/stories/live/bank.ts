// A bank for a live gateway, as a process of its own: over TLS, with the key, LIVE by its own word. It
// answers who it is and what is on its statements, knows every account by one name, pays what it is
// instructed to, and reports credits; whatever else it is asked for it does not know.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import type { Certificate } from '../../../apps/gateway/test/kit/certificates.ts'
import { COMMON, ROOT } from './gateway.ts'

/** What the bank took from our account on a day, in naira: the only line of that day. */
export type Charge = { readonly date: string; readonly amount: string; readonly sessionId: string }
export type Credit = {
  readonly sessionId: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: number
}

/** What goes over the channel. */
export type Setup = {
  readonly key: string
  readonly cert: string
  readonly tlsKey: string
  readonly charge: Charge
  readonly accountName: string
}
export type Asked = { readonly number: number } & (
  | { readonly what: 'open'; readonly setup: Setup }
  | { readonly what: 'credit'; readonly apiUrl: string; readonly credit: Credit }
  | { readonly what: 'payouts' }
)
export type Answers = {
  readonly open: number
  readonly credit: { readonly status: number; readonly json: any }
  readonly payouts: readonly PayoutOrder[]
}

export type Bank = {
  readonly url: string
  /** Reports a credit to the gateway; answers with its status and its reply. */
  credit(apiUrl: string, credit: Credit): Promise<Answers['credit']>
  /** What it has paid, each instruction once. */
  payouts(): Promise<Answers['payouts']>
  stop(): Promise<void>
}

export async function startBank(setup: Omit<Setup, 'cert' | 'tlsKey'>, { cert, key }: Certificate): Promise<Bank> {
  const child = spawn(process.execPath, ['trials/stories/live/bank-process.ts'], {
    cwd: ROOT,
    env: COMMON,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'close')
  const waiting = new Map<number, (reply: any) => void>()
  child.on('message', ({ number, reply }: { number: number; reply: unknown }) => waiting.get(number)?.(reply))
  let last = 0
  const ask = async (what: object): Promise<any> => {
    last += 1
    const number = last
    const reply = new Promise((done) => waiting.set(number, done))
    child.send({ number, ...what })
    return Promise.race([reply, ended.then(() => Promise.reject(new Error('the bank has ended')))])
  }
  const port: number = await ask({ what: 'open', setup: { ...setup, cert, tlsKey: key } })
  return {
    url: `https://localhost:${port}`,
    credit: (apiUrl, credit) => ask({ what: 'credit', apiUrl, credit }),
    payouts: () => ask({ what: 'payouts' }),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
