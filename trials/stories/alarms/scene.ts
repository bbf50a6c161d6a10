// A gateway of two cells as processes, with merchants that are paid and pay, for alarms to be fired at.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { freePort } from '../../../tools/ports.ts'
import { type PartName, type Stack, startStack } from '../../../tools/sandbox/stack.ts'
import { withClient } from '../../chaos/kit/database.ts'
import { type ChaosMerchant, chaosMerchants, logIn, seedMerchants, steadyPorts } from '../../chaos/kit/world.ts'
import { type Mails, startMails } from '../live/mails.ts'
import { type Monitoring, startMonitoring } from './monitoring.ts'
import { type Owner, openOwner } from './people.ts'

const CELLS = ['01', '02'] as const
type Cell = (typeof CELLS)[number]
/** A receiver there takes a notification and never answers. */
const SILENT = '/silent'
const SKEW_MS = 5_000
const BANK_CODE = '50515'
export const PAYEE_BANK = '058'

export type Reply = { readonly status: number; readonly json: any }
export type Scene = {
  readonly stack: Stack
  readonly monitoring: Monitoring
  readonly mails: Mails
  /** As the first merchant of a cell, or the second of it, whose receiver never answers. */
  call(
    cell: Cell,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    merchant?: 'first' | 'silent',
  ): Promise<Reply>
  init(cell: Cell, merchant?: 'first' | 'silent'): Promise<Reply>
  /** A transaction that is paid; answers with the account it was paid to. */
  paid(cell: Cell, merchant?: 'first' | 'silent'): Promise<string>
  transfer(accountNumber: string, senderAccountNumber?: string): Promise<Reply>
  payout(cell: Cell, accountNumber: string): Promise<Reply>
  /** Where a merchant may have its notifications sent. */
  readonly hook: string
  /** Makes a limited key of the first merchant of a cell. */
  key(cell: Cell, number: number): Promise<Reply>
  /** An owner of the first merchant of a cell, and what they do until `work` is over. */
  asOwner<T>(cell: Cell, work: (owner: Owner) => Promise<T>): Promise<T>
  sql<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T>
  /** Restarts the api; its clock is ahead or right. */
  restartApi(skewed: boolean): Promise<void>
  stop(): Promise<void>
}

async function startReceiver(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume()
    if (request.url !== SILENT) request.once('end', () => response.writeHead(200).end())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function sent(method: string, url: string, headers: Record<string, string>, body?: object): Promise<Reply> {
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: answer.status, json: await answer.json() }
}

/** The clock of a process, ahead: its own code is as it is shipped. */
const SKEWED = `data:text/javascript,const now=Date.now;Date.now=()=>now()+${SKEW_MS}`

export async function openScene(): Promise<Scene> {
  const dir = mkdtempSync(join(tmpdir(), 'cowrie-alarms-'))
  chmodSync(dir, 0o755) // PostgreSQL runs as another user when we are root
  const closing: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const close of closing.splice(0).toReversed()) await close()
  }
  try {
    return { ...(await open(dir, closing)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function open(dir: string, closing: (() => unknown)[]): Promise<Omit<Scene, 'stop'>> {
  const receiver = await startReceiver()
  closing.push(() => {
    receiver.server.closeAllConnections()
    receiver.server.close()
  })
  const mails = await startMails(null)
  closing.push(() => mails.stop())
  const privately = { api: await freePort(), worker: await freePort() }
  let skewed = false
  const envOf = (part: PartName): Record<string, string> => ({
    ...(part === 'simulator' ? {} : { PRIVATE_PORT: String(privately[part]) }),
    ...(part === 'api' && skewed ? { NODE_OPTIONS: `--import=${encodeURI(SKEWED)}` } : {}),
  })
  const merchants = chaosMerchants('alarms', CELLS, 2)
  const ports = await steadyPorts()
  const urlOf = (merchant: ChaosMerchant): string => receiver.url + (merchant.path.endsWith('/1') ? SILENT : '/hook')
  const stack = await startStack(
    { dir, ports, cells: CELLS, seed: 'alarms', parts: ['simulator', 'api', 'worker'], logLevel: 'fatal', envOf },
    async (config) => {
      await seedMerchants(config, merchants, urlOf)
    },
  )
  closing.push(() => stack.stop())
  const smtpPort = Number(new URL(mails.url).port)
  const monitoring = await startMonitoring(dir, privately, smtpPort)
  closing.push(() => monitoring.stop())
  const callers = callersOf(stack, merchants)
  return {
    ...callers,
    stack,
    monitoring,
    mails,
    sql: (database, work) => withClient(stack.engine.url(database), work),
    hook: `${receiver.url}/hook`,
    asOwner: (cell, work) =>
      withClient(stack.engine.url(`cell_${cell}`), async (client) =>
        work(await openOwner(client, `http://127.0.0.1:${ports.api}`, cell, apiKeyOf(merchants, cell))),
      ),
    restartApi: async (ahead) => {
      skewed = ahead
      await stack.kill('api')
      await stack.start('api')
    },
  }
}

const apiKeyOf = (merchants: readonly ChaosMerchant[], cell: Cell): string =>
  merchants.find((one) => one.cell === cell)?.apiKey ?? ''

type Callers = Pick<Scene, 'call' | 'init' | 'paid' | 'transfer' | 'payout' | 'key'>
function callersOf({ ports }: Stack, merchants: readonly ChaosMerchant[]): Callers {
  const apiUrl = `http://127.0.0.1:${ports.api}`
  const known = merchants.map((merchant) => ({ ...merchant, token: '' }))
  const who = (cell: Cell, merchant: 'first' | 'silent') => {
    const found = known.filter((one) => one.cell === cell)[merchant === 'first' ? 0 : 1]
    if (!found) throw new Error(`no merchant in cell ${cell}`)
    return found
  }
  let orders = 0
  const call: Scene['call'] = async (cell, method, path, body, merchant = 'first') => {
    const caller = who(cell, merchant)
    const ask = () => sent(method, apiUrl + path, { authorization: `Bearer ${caller.token}` }, body)
    const reply = await ask()
    if (reply.status !== 401) return reply
    caller.token = await logIn(apiUrl, caller) // the first, or the clock was moved
    return ask()
  }
  const init: Scene['init'] = (cell, merchant = 'first') => {
    orders += 1
    const body = {
      amount: 1000,
      customerEmail: 'ada@example.com',
      paymentReference: `order-${orders}`,
      currencyCode: 'NGN',
      contractCode: who(cell, merchant).contractCode,
    }
    return call(cell, 'POST', '/api/v1/merchant/transactions/init-transaction', body, merchant)
  }
  const transfer: Scene['transfer'] = (accountNumber, senderAccountNumber) =>
    sent(
      'POST',
      `http://127.0.0.1:${ports.simulator}/api/transfers`,
      {},
      {
        bankCode: BANK_CODE,
        accountNumber,
        amount: 1000,
        ...(senderAccountNumber === undefined ? {} : { senderAccountNumber }),
      },
    )
  return {
    call,
    init,
    key: (cell, number) => {
      const { apiKey, secretKey } = who(cell, 'first')
      const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
      return sent('POST', `${apiUrl}/api/v1/auth/keys`, { authorization }, { name: `Key ${number}`, scope: 'READ' })
    },
    transfer,
    paid: async (cell, merchant = 'first') => {
      const { transactionReference } = (await init(cell, merchant)).json.responseBody
      const path = '/api/v1/merchant/bank-transfer/init-payment'
      const issued = await call(cell, 'POST', path, { transactionReference }, merchant)
      const { accountNumber } = issued.json.responseBody
      await transfer(accountNumber)
      const shown = `/api/v2/transactions/${encodeURIComponent(transactionReference)}`
      await until('it is paid', async () => {
        const { json } = await call(cell, 'GET', shown, undefined, merchant)
        return json.responseBody?.paymentStatus === 'PAID'
      })
      return accountNumber
    },
    payout: (cell, destinationAccountNumber) => {
      orders += 1
      return call(cell, 'POST', '/api/v2/disbursements/single', {
        amount: 100,
        reference: `payout-${orders}`,
        narration: 'Supplies',
        destinationBankCode: PAYEE_BANK,
        destinationAccountNumber,
        destinationAccountName: accountName(PAYEE_BANK, destinationAccountNumber),
        sourceAccountNumber: who(cell, 'first').walletNumber,
        async: false,
      })
    },
  }
}
