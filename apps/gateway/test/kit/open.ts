// What a test file runs on: two cells with fresh databases, a gateway, the real simulator and mail sink, a
// movable clock, merchants in both cells, and a receiver of notifications.
import pg from 'pg'
import { expect, inject } from 'vitest'
import type { Logins } from '#core/cells/logins.ts'
import type { Worker } from '#core/work-loop.ts'
import type { FastifyInstance } from '#kit/http/http.ts'
import { createLog } from '#kit/log.ts'
import { freePort } from '../../../../tools/ports.ts'
import { createLogins } from '../../../../tools/postgres/logins.ts'
import type { Engine } from '../../../../tools/postgres/postgres.ts'
import { bankKeyOf, masterKeyOf, type SeededMerchant, seedMerchant } from '../../../../tools/sandbox/seed.ts'
import { startSimulator } from '../../../simulator/src/simulator.ts'
import { createApi, createOperatorApi, startWorker } from '../../src/app.ts'
import { type Config, cellsText, readConfig } from '../../src/config.ts'
import { type Gateway, openGateway } from '../../src/gateway.ts'
import { joinMerchant } from '../../src/join.ts'
import { startBank } from './bank-process.ts'
import { conforms, routeOf } from './contract.ts'
import { dropDatabases, freshDatabases, stopWhenLeft, templateCluster } from './postgres.ts'
import { type Received, receiver } from './receiver.ts'
import { until } from './waiting.ts'

export const CELLS = ['01', '02'] as const
export type CellName = (typeof CELLS)[number]

export type TestMerchant = SeededMerchant & { readonly id: bigint; readonly cell: CellName }
export type Answer = { status: number; headers: Headers; text: string; json: any }

export type Harness = {
  readonly gateway: Gateway
  readonly config: Config
  readonly apiUrl: string
  /** Where the operator's people are served. */
  readonly operatorUrl: string
  readonly simulatorUrl: string
  /** The first merchant of each cell, and a second one in cell 01. */
  readonly merchants: { readonly main: TestMerchant; readonly other: TestMerchant; readonly second: TestMerchant }
  /** Their addresses for the superuser; the program has its own logins (`config.cells`). */
  readonly databases: Readonly<Record<CellName, string>>
  readonly received: Received[]
  /** How the receiver answers from now on; by default 200. */
  answerWith(respond: (request: Received) => number): void
  receiverUrl(path?: string): string
  /** Every answer of a route of the contract is held against it (contract.ts), whatever the test looks at. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; raw?: string; token?: string; headers?: Record<string, string> },
  ): Promise<Answer>
  token(merchant: TestMerchant): Promise<string>
  as(
    merchant: TestMerchant,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  pay(accountNumber: string, amount: number | string, more?: Record<string, unknown>): Promise<Answer>
  /** Runs a statement as the superuser: for looking, and for planting faults. */
  sql<Row = any>(cell: CellName, text: string, values?: unknown[]): Promise<Row[]>
  startWorker(): Worker
  readonly settles: boolean // the clock settles merchants too
  /** Waits until what was committed so far can be settled: other test files use the same cluster, and while
   *  one of them has a transaction open that is older, no horizon passes it. A file with a cluster of its own
   *  does not wait. */
  horizonPassed(): Promise<void>
  until: typeof until
}

export type Cluster = { readonly url: string; readonly logins: Logins }

/** `settles`: the clock settles merchants too. `silenceMs`: how long the bank holds a call that it does not
 *  answer. `bankApart`: the simulator is a process of its own. */
export type HarnessOptions = {
  readonly settles?: boolean
  readonly silenceMs?: number
  readonly bankApart?: boolean
  /** The cluster of a programme that is no test file: nobody else uses it, and the programme stops it. */
  readonly cluster?: Cluster
  /** A PostgreSQL of its own: a transaction that stays open holds the horizons of every database of a cluster
   *  back. */
  readonly ownCluster?: boolean
  /** The name that the gateway is known by: passkeys need one, an address is none. */
  readonly host?: 'localhost'
  /** The version of the protocol that the simulator has for cards. */
  readonly cards?: 2
  /** What the simulator says it cannot do. */
  readonly without?: readonly string[]
  /** Tests that undo what they do, hundreds of them, look at the books themselves. */
  readonly booksAfterEach?: false
  /** More settings, once it is known where the gateway will be, and before it is opened. */
  readonly settings?: (urls: {
    apiUrl: string
    operatorUrl: string
    databases: Readonly<Record<string, string>>
  }) => Promise<Record<string, string>>
}

/** The program's logins for a database whose address is the superuser's. */
export function loginsTo(databaseUrl: string, { app, engine }: Logins = inject('logins')): Logins {
  const database = new URL(databaseUrl).pathname.slice(1)
  return { app: app + database, engine: engine + database }
}

/** A cluster as tests use it; the logins can be made once. */
export const reached = async (engine: Engine): Promise<Cluster> => ({
  url: engine.url(''),
  logins: (await createLogins(engine.url('postgres')))(engine.url('')),
})

export async function open({
  settles = false,
  silenceMs = 300,
  bankApart = false,
  ownCluster = false,
  cluster,
  host,
  cards,
  without,
  settings,
}: HarnessOptions): Promise<{ harness: Harness; close: () => Promise<void>; touched: Set<CellName> }> {
  const own = ownCluster ? await templateCluster({ max_prepared_transactions: '4' }) : null
  const tested = () => ({ url: inject('postgresUrl'), logins: inject('logins') })
  const { url, logins } = cluster ?? (own ? await reached(own) : tested())
  const databases = await freshDatabases(url)
  const seed = 'harness'
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const [apiPort, simulatorPort, smtpPort, operatorPort] = ports
  const apiUrl = `http://${host ?? '127.0.0.1'}:${apiPort}`
  const operatorUrl = `http://${host ?? '127.0.0.1'}:${operatorPort}`
  const config = readConfig({
    ENVIRONMENT: 'sandbox',
    CELLS: cellsText(new Map(CELLS.map((cell) => [cell, loginsTo(databases[cell] as string, logins)]))),
    MASTER_KEY: masterKeyOf(seed),
    BANK_KEY: bankKeyOf(seed),
    BANK_URL: `http://127.0.0.1:${simulatorPort}`,
    PUBLIC_URL: apiUrl,
    PORT: String(apiPort),
    OPERATOR_PORT: String(operatorPort),
    OPERATOR_URL: operatorUrl,
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    LOG_LEVEL: 'fatal',
    CONNECTIONS: '8',
    PASSWORD_COST: '10', // a password of live takes a third of a second of one core
    REQUEST_LOG_DAYS: '0', // statements are counted; the log's own test turns it on
    ...(await settings?.({ apiUrl, operatorUrl, databases })),
  })
  const gateway = await openGateway(config, 'test')
  const bank = {
    host: '127.0.0.1',
    port: simulatorPort,
    smtpPort,
    databaseUrl: databases['simulator'] as string,
    gatewayUrl: apiUrl,
    bankKeys: () => [config.keys.bank[0].key],
    logLevel: 'fatal',
    payoutMs: 0,
    silenceMs,
    issues: null,
    ...(cards === undefined ? {} : { cards }),
    ...(without === undefined ? {} : { without }),
  }
  const simulator = bankApart
    ? await startBank(bank)
    : await startSimulator(bank, createLog('simulator', 'fatal') as never)
  const app: FastifyInstance = createApi(gateway, config)
  await app.listen({ host: '127.0.0.1', port: apiPort })
  const operatorApp = createOperatorApi(gateway, config)
  await operatorApp.listen({ host: '127.0.0.1', port: operatorPort })
  const received: Received[] = []
  let respond: (request: Received) => number = () => 200
  const hooks = await receiver(received, () => respond)
  const workers: Worker[] = []
  const join = async (cell: CellName, label: string, name: string): Promise<TestMerchant> => {
    const merchant = seedMerchant({
      seed,
      cell,
      label,
      name,
      email: `${label}@test.example`,
      transferOtp: false,
      requestsPerSecond: 100_000,
    })
    return { ...merchant, cell, id: await joinMerchant(gateway.ctx, cell, merchant) }
  }
  const merchants = {
    main: await join('01', 'main', 'Adire Stores'),
    other: await join('01', 'other', 'Calabar Books'),
    second: await join('02', 'second', 'Kano Leatherworks'),
  }
  const pools = new Map(
    CELLS.map((cell) => [cell, new pg.Pool({ connectionString: databases[cell] as string, max: 2 })]),
  )
  // Most tests are of something else: moving their clock past 22:00 settles nobody. Those that settle say so.
  if (!settles)
    for (const { cell, id } of Object.values(merchants))
      await pools.get(cell)?.query(`insert into settlement_holds values ($1, 'a test of something else', now())`, [id])
  const tokens = new Map<string, string>()
  const touched = new Set<CellName>(['01'])
  const harness: Harness = {
    gateway,
    config,
    apiUrl,
    operatorUrl: config.operatorUrl,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    merchants,
    databases: databases as Record<CellName, string>,
    received,
    answerWith: (next) => {
      respond = next
    },
    receiverUrl: (path = '/hook') => hooks.url + path,
    call: async (method, path, { body, raw, token, headers = {} } = {}) => {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
      const answer = await fetch(apiUrl + path, {
        method,
        headers: {
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(payload === undefined ? {} : { body: payload }),
      })
      const text = await answer.text()
      const route = routeOf(method, path)
      if (route) conforms(route, { status: answer.status, headers: answer.headers, text })
      return {
        status: answer.status,
        headers: answer.headers,
        text,
        json: text.startsWith('{') ? JSON.parse(text) : undefined,
      }
    },
    token: async (merchant) => {
      touched.add(merchant.cell)
      const known = tokens.get(merchant.apiKey)
      if (known) return known
      const basic = Buffer.from(`${merchant.apiKey}:${merchant.secretKey}`).toString('base64')
      const answer = await harness.call('POST', '/api/v1/auth/login', { headers: { authorization: `Basic ${basic}` } })
      expect(answer.status).toBe(200)
      const token = answer.json.responseBody.accessToken as string
      tokens.set(merchant.apiKey, token)
      return token
    },
    as: async (merchant, method, path, body, headers) => {
      touched.add(merchant.cell)
      const send = async () =>
        harness.call(method, path, { body, token: await harness.token(merchant), ...(headers ? { headers } : {}) })
      const answer = await send()
      if (answer.status !== 401) return answer
      tokens.delete(merchant.apiKey) // the clock was moved past its hour
      return send()
    },
    pay: async (accountNumber, amount, more = {}) => {
      const answer = await fetch(`${harness.simulatorUrl}/api/transfers`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ bankCode: '50515', accountNumber, amount, ...more }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) }
    },
    sql: async (cell, text, values = []) => {
      touched.add(cell)
      return (await (pools.get(cell) as pg.Pool).query(text, values)).rows
    },
    startWorker: () => {
      const worker = startWorker(gateway, config)
      workers.push(worker)
      return worker
    },
    settles,
    horizonPassed: async () => {
      if (own || cluster) return
      for (const cell of CELLS) {
        const [last] = await harness.sql(cell, 'select pg_current_xact_id()::text as xid')
        await harness.until(
          `all that is older than transaction ${last.xid} is done`,
          async () =>
            (
              await harness.sql(cell, 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as passed', [last.xid])
            )[0].passed,
          60_000,
        )
      }
    },
    until,
  }
  const close = async () => {
    for (const worker of workers) await worker.stop()
    await app.close()
    await operatorApp.close()
    await simulator.stop()
    await gateway.close()
    for (const pool of pools.values()) await pool.end()
    hooks.server.closeAllConnections()
    hooks.server.close()
    if (own) await stopWhenLeft(own)
    else await dropDatabases(url, databases)
  }
  return { harness, close, touched }
}
