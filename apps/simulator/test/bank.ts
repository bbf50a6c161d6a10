// The bank of a test: a simulator on a database of its own, empty for every test, and a gateway that is a
// small real server: it plays the connector routes and checks every signature on its own.
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { enquirePaycode, redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import { cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import {
  BANK_PATHS,
  creditNotice,
  enquireAccount,
  payoutNotice,
  reversalNotice,
  signedText,
} from '@cowrie/contract/bank/connector'
import { debitNotice, mandateNotice } from '@cowrie/contract/bank/mandate-connector'
import { cardNotice } from '@cowrie/contract/bank/v2/cards'
import pg from 'pg'
import pino from 'pino'
import { afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { realSeconds } from '../src/kit/clock.ts'
import type { Config } from '../src/kit/config.ts'
import { type Simulator, startSimulator } from '../src/simulator.ts'

/** Of mandates, debits, refunds to cards and charges. */
const SCHEME_NOTICES: readonly string[] = [mandateNotice, debitNotice, cardRefundNotice, cardNotice].map(
  ({ path }) => path,
)

export type Json = Record<string, unknown>
export type Reply = { status: number; json: Json }
type Gateway = { server: Server; port: number }

export const KEY = 'a key that both sides share'
export const ACCOUNT = { bankCode: '50515', accountNumber: '0112345678' }

export const signature = (timestamp: string, method: string, target: string, body: string): string =>
  `v1=${createHmac('sha256', KEY)
    .update(signedText(timestamp, method, target, body))
    .digest('hex')}`

async function queryOn(database: string, text: string): Promise<Json[]> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') + database })
  await client.connect()
  try {
    return (await client.query<Json>(text)).rows
  } finally {
    await client.end()
  }
}

export type Bank = ReturnType<typeof useBank>

/** Call once per test file: it opens before each test and closes after it. */
export function useBank() {
  const logged: string[] = []
  const log = pino({ level: 'trace', base: null }, { write: (line: string) => void logged.push(line) })
  const databaseName = `bank_${randomUUID().replaceAll('-', '')}`
  let simulator: Simulator
  let config: Config
  let gateway: Gateway

  const bank = {
    /** What the gateway tells the bank: when the account ends, and how it answers a notice. */
    expiresAt: null as string | null,
    creditStatus: 200,
    /** The notices that the gateway has taken. */
    credits: [] as Json[],
    /** How the gateway answers the notice of a reversal, and those it has taken. */
    reversalStatus: 200,
    reversals: [] as Json[],
    /** How the gateway answers a payout's notice, how many must be with it before it answers one, and those
     *  it has taken. */
    payoutStatus: 200,
    payoutsTogether: 0,
    payoutNotices: [] as Json[],
    /** The same of mandates, debits, refunds to cards and charges. */
    schemeStatus: 200,
    schemeNotices: [] as Json[],
    /** How the gateway answers agents, in words where it refuses, and the redemptions it was asked for. */
    paycodeStatus: 200,
    redemptions: [] as Json[],
    /** The most notices of payouts that were with the gateway at the same time. */
    payoutNoticesAtOnce: 0,
    logged,
    url: (): string => simulator.url,
    smtpPort: (): number => simulator.smtpPort,
    restart: async (more: Partial<Config> = {}): Promise<void> => {
      await simulator.stop()
      config = { ...config, ...more }
      simulator = await startSimulator(config, log)
    },
    closeGateway: async (): Promise<void> => {
      gateway.server.closeAllConnections()
      gateway.server.close()
      await once(gateway.server, 'close')
    },
    reopenGateway: async (): Promise<void> => {
      gateway = await openGateway(gateway.port)
    },
    call: async (method: string, target: string, body?: unknown, headers: Json = {}): Promise<Reply> => {
      const init = { method, headers: { 'content-type': 'application/json', ...(headers as Record<string, string>) } }
      const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
      const response = await fetch(simulator.url + target, text === undefined ? init : { ...init, body: text })
      return { status: response.status, json: (await response.json()) as Json }
    },
    signed: async (method: string, target: string, body?: unknown): Promise<Reply> => {
      const timestamp = String(realSeconds())
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = { 'cowrie-timestamp': timestamp, 'cowrie-signature': signature(timestamp, method, target, text) }
      return bank.call(method, target, body, headers)
    },
    /** Moves the simulator's clock this far ahead of real time. */
    moveClock: async (seconds: number): Promise<Json> =>
      (await bank.signed('POST', BANK_PATHS.simulatorClock, { offsetMs: seconds * 1000 })).json,
    pay: (more: Json = {}): Promise<Reply> =>
      bank.call('POST', '/api/transfers', { ...ACCOUNT, amount: 1000.5, ...more }),
    /** One query on the simulator's own database. */
    query: (text: string): Promise<Json[]> => queryOn(databaseName, text),
  }

  let payoutsHere = 0
  async function takePayout(message: Json): Promise<number> {
    payoutsHere += 1
    bank.payoutNoticesAtOnce = Math.max(bank.payoutNoticesAtOnce, payoutsHere)
    while (bank.payoutNoticesAtOnce < bank.payoutsTogether) await pause(5)
    payoutsHere -= 1
    if (bank.payoutStatus === 200) bank.payoutNotices.push(message)
    return bank.payoutStatus
  }

  async function playGateway(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const answer = (status: number, json: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    }
    const target = request.url ?? ''
    const timestamp = String(request.headers['cowrie-timestamp'])
    const expected = signature(timestamp, request.method ?? '', target, body)
    if (request.headers['cowrie-signature'] !== expected) return answer(401, { error: 'signature' })
    const success = (responseBody: Json) => ({
      requestSuccessful: true,
      responseMessage: 'success',
      responseCode: '0',
      responseBody,
    })
    const message = JSON.parse(body) as Json
    if (target === payoutNotice.path)
      return answer(await takePayout(message), success({ sessionId: message['sessionId'], outcome: 'TAKEN' }))
    if (SCHEME_NOTICES.includes(target)) {
      if (bank.schemeStatus === 200) bank.schemeNotices.push(message)
      return answer(bank.schemeStatus, success({ outcome: 'TAKEN' }))
    }
    if (target === enquirePaycode.path || target === redeemPaycode.path) {
      if (target === redeemPaycode.path) bank.redemptions.push(message)
      return bank.paycodeStatus === 200
        ? answer(200, success({ beneficiaryName: 'Ada Obi', amount: '500.00' }))
        : answer(bank.paycodeStatus, { requestSuccessful: false, responseMessage: 'No such paycode' })
    }
    if (message['accountNumber'] !== ACCOUNT.accountNumber) return answer(404, { requestSuccessful: false })
    if (target === enquireAccount.path)
      return answer(200, success({ accountName: 'Adire Stores', open: true, expiresAt: bank.expiresAt }))
    if (target === reversalNotice.path) {
      if (bank.reversalStatus === 200) bank.reversals.push(message)
      return answer(bank.reversalStatus, success({ outcome: 'REVERSED' }))
    }
    if (target !== creditNotice.path) return answer(404, {})
    if (bank.creditStatus !== 200) return answer(bank.creditStatus, {})
    bank.credits.push(message)
    answer(200, success({ outcome: bank.credits.length === 1 ? 'COUNTED' : 'REPEATED' }))
  }

  async function openGateway(port: number): Promise<Gateway> {
    const server = createServer((request, response) => void playGateway(request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no address')
    return { server, port: address.port }
  }

  beforeAll(() => queryOn('postgres', `create database ${databaseName}`))

  beforeEach(async () => {
    await bank.query('drop schema public cascade; create schema public')
    bank.credits.length = 0
    logged.length = 0
    bank.expiresAt = null
    bank.creditStatus = 200
    bank.reversalStatus = 200
    bank.reversals.length = 0
    bank.payoutStatus = 200
    bank.payoutsTogether = 0
    bank.payoutNotices.length = 0
    bank.schemeStatus = 200
    bank.schemeNotices.length = 0
    bank.payoutNoticesAtOnce = 0
    bank.paycodeStatus = 200
    bank.redemptions.length = 0
    gateway = await openGateway(0)
    const gatewayUrl = `http://127.0.0.1:${gateway.port}`
    const databaseUrl = inject('postgresUrl') + databaseName
    const ports = { host: '127.0.0.1', port: 0, smtpPort: 0 }
    config = {
      ...ports,
      databaseUrl,
      gatewayUrl,
      bankKeys: () => [KEY],
      logLevel: 'trace',
      payoutMs: 0,
      silenceMs: 200,
      issues: null,
    }
    simulator = await startSimulator(config, log)
  })

  afterEach(async () => {
    await simulator.stop()
    await bank.closeGateway()
  })

  return bank
}
