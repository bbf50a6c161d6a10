// A test file's database, recording gateway, fake and adapter, all of them real: started once for the file.

import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BANK_PATHS, type PayoutOrder } from '@cowrie/contract/bank/connector'
import { PAYOUT_PATHS_V2, type PayoutOrderV2 } from '@cowrie/contract/bank/v2/payouts'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, inject } from 'vitest'
import { call, KEY, type Reply, signature } from '../../../packages/connector-kit/test/gateway.ts'
import type { Program } from '../../../packages/connector-kit/test/programs.ts'
import { onServer } from '../../../packages/connector-kit/test/store.ts'
import type { Json } from '../fake/bank.ts'
import { type Fake, INSTITUTION, settings, startAdapter, startFake } from './processes.ts'

const digits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0')
export const newOrder = (more: Partial<PayoutOrder> = {}): PayoutOrder => ({
  sessionId: `${INSTITUTION}261118020500${digits(12)}`,
  amount: '12500.50',
  destinationBankCode: '058',
  destinationAccountNumber: `01${digits(8)}`,
  destinationAccountName: 'Ada Obi',
  narration: 'Week 18',
  senderName: 'Adire Stores',
  senderAccountNumber: '0112345678',
  ...more,
})

/** Calls to an adapter as the gateway makes them. */
export const caller = (url: () => string) => {
  const post = (path: string, message: unknown): Promise<Reply | null> => call(url(), 'POST', path, message)
  const status = async (path: string, message: unknown): Promise<string> =>
    String((await post(path, message))?.json['status'])
  return {
    post,
    order: async (order: PayoutOrder): Promise<Json> => (await post(BANK_PATHS.payouts, order))?.json ?? {},
    pay: (order: PayoutOrder) => status(BANK_PATHS.payouts, order),
    inquire: (sessionId: string) => status(BANK_PATHS.payoutInquiries, { sessionId }),
    bar: (sessionId: string) => status(BANK_PATHS.payoutBars, { sessionId }),
    orderV2: async (order: PayoutOrderV2): Promise<Json> => (await post(PAYOUT_PATHS_V2.payouts, order))?.json ?? {},
    nameV2: async (bankCode: string, accountNumber: string): Promise<Json> =>
      (await post(PAYOUT_PATHS_V2.nameEnquiry, { bankCode, accountNumber }))?.json ?? {},
    name: (bankCode: string, accountNumber: string) => post(BANK_PATHS.nameEnquiry, { bankCode, accountNumber }),
  }
}

/** A gateway that accepts every notice with a right signature. */
async function record(request: IncomingMessage, response: ServerResponse, notices: Json[]): Promise<void> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const stamp = String(request.headers['cowrie-timestamp'])
  const right = signature(KEY, stamp, 'POST', request.url ?? '', body) === request.headers['cowrie-signature']
  if (right) notices.push(JSON.parse(body) as Json)
  response.writeHead(right ? 200 : 401, { 'content-type': 'application/json' }).end('{}')
}

/** Call once per test file. `alone`: the file starts its adapters itself. */
export function useEasyPay({ alone = false } = {}) {
  const database = `nibss_${randomUUID().replaceAll('-', '')}`
  const notices: Json[] = []
  let gateway: Server
  let fake: Fake
  let adapter: Program
  let pool: pg.Pool

  const env = (more: Record<string, string> = {}): Record<string, string> => {
    const gatewayUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
    const databaseUrl = inject('postgresUrl') + database
    return { ...settings({ databaseUrl, gatewayUrl, nibssUrl: fake.url }, [KEY]), ...more }
  }

  beforeAll(async () => {
    await onServer(`create database ${database}`)
    pool = new pg.Pool({ connectionString: inject('postgresUrl') + database })
    pool.on('error', () => undefined)
    gateway = createServer((request, response) => void record(request, response, notices))
    gateway.listen(0, '127.0.0.1')
    await once(gateway, 'listening')
    fake = await startFake()
    if (!alone) adapter = await startAdapter(env())
  })
  afterEach(() => fake.reset())
  afterAll(async () => {
    // Not drained: a call that the fake never answers would be waited for.
    await Promise.all([fake.kill(), alone ? null : adapter.kill()])
    gateway.closeAllConnections()
    gateway.close()
    await pool.end()
    await onServer(`drop database if exists ${database} with (force)`)
  })

  return {
    notices,
    env,
    fake: () => fake,
    adapter: () => adapter,
    gateway: caller(() => adapter.url),
    query: async (text: string): Promise<Json[]> => (await pool.query<Json>(text)).rows,
  }
}
