// A second bank: another simulator, with a database and a key of its own, as a connector beside the first.
import { inject } from 'vitest'
import { createLog } from '#kit/log.ts'
import { localDay } from '#kit/times.ts'
import { freePort } from '../../../../../tools/ports.ts'
import { startSimulator } from '../../../../simulator/src/simulator.ts'
import { createSimulator } from '../../../src/outside/bank.ts'
import { advance, type Harness } from '../../kit/harness.ts'
import { dropDatabases, freshDatabases } from '../../kit/postgres.ts'

export const SECOND_KEY = 'the key of the second bank, of 32 bytes and more'

export type SecondBank = {
  readonly url: string
  /** Where it keeps its books. */
  readonly databaseUrl: string
  start(): Promise<void>
  stop(): Promise<void>
  /** Its clock is where the gateway's is. */
  follow(offsetMs: number): Promise<void>
  /** A statement that is wrong on purpose; nothing: right ones again. */
  fault(body: Record<string, unknown>): Promise<void>
  /** A customer pays a number that it issued; its session. */
  pay(account: { accountNumber: string; bankCode: string }, amount: string, over?: object): Promise<string>
  /** What its own books say of a session; null when it never received it. */
  payout(sessionId: string): Promise<any>
  /** What its own books say of a charge; null when it never received it. */
  charge(reference: string): Promise<any>
  /** Stops it, and what it keeps its books in. */
  end(): Promise<void>
}

/** `issues`: the code of the bank whose account numbers it gives out. `cards`, `payouts`: the version that it
 *  has of them. */
export async function secondBank(
  gatewayUrl: string,
  {
    issues = null,
    cards = 1,
    payouts = 1,
    clusterUrl = inject('postgresUrl'),
  }: {
    readonly issues?: string | null
    readonly cards?: 1 | 2
    readonly payouts?: 1 | 2
    /** Of a programme that is no test file. */
    readonly clusterUrl?: string
  } = {},
): Promise<SecondBank> {
  const databases = await freshDatabases(clusterUrl)
  const databaseUrl = databases['simulator'] as string
  const [port, smtpPort] = [await freePort(), await freePort()]
  let running: Awaited<ReturnType<typeof startSimulator>> | null = null
  const bank: SecondBank = {
    url: `http://127.0.0.1:${port}`,
    databaseUrl,
    start: async () => {
      const where = { host: '127.0.0.1', port, smtpPort, databaseUrl, gatewayUrl }
      const how = {
        bankKeys: () => [SECOND_KEY],
        logLevel: 'fatal',
        payoutMs: 0,
        silenceMs: 300,
        issues,
        cards,
        payouts,
      }
      running ??= await startSimulator({ ...where, ...how }, createLog('simulator', 'fatal') as never)
    },
    stop: async () => {
      await running?.stop()
      running = null
    },
    follow: async (offsetMs) => void (await createSimulator(bank.url, SECOND_KEY).setClock(offsetMs)),
    fault: async (body) => {
      const answer = await fetch(`${bank.url}/api/statement-faults`, { method: 'POST', body: JSON.stringify(body) })
      if (answer.status !== 200) throw new Error(await answer.text())
    },
    pay: async ({ accountNumber, bankCode }, amount, over = {}) => {
      const body = JSON.stringify({ accountNumber, bankCode, amount, ...over })
      const answer = await fetch(`${bank.url}/api/transfers`, { method: 'POST', body })
      const { sessionId, status } = (await answer.json()) as { sessionId: string; status: string }
      if (status !== 'ACCEPTED') throw new Error(`the second bank answers ${answer.status} ${status}`)
      return sessionId
    },
    payout: async (sessionId) => {
      const rows = (await (await fetch(`${bank.url}/api/payouts?sessionId=${sessionId}`)).json()) as any[]
      return rows[0] ?? null
    },
    charge: async (reference) => {
      const rows = (await (await fetch(`${bank.url}/api/cards/charges?reference=${reference}`)).json()) as any[]
      return rows[0] ?? null
    },
    end: async () => {
      await bank.stop()
      await dropDatabases(clusterUrl, databases)
    },
  }
  await bank.start()
  return bank
}

/** To a quarter to one of the next day; the second bank's clock goes along before its statement is asked for.
 *  Answers the day that was compared. */
export async function nightWith(h: Harness, second: SecondBank): Promise<string> {
  const { clock } = h.gateway.ctx
  const day = localDay(clock.now())
  const to = (time: string) => Math.ceil((Date.parse(`${day}T${time}Z`) - clock.now().getTime()) / 1000)
  await advance(h, to('23:10:00'))
  await second.follow(clock.offsetMs())
  await advance(h, to('23:45:00'))
  return day
}
