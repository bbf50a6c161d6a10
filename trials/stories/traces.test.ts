// A trace from a merchant's request to the bank and back to the merchant, through real processes: api, worker
// and bank, with a line between gateway and bank that writes down what passes.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hmacHex } from '../../apps/gateway/src/kit/crypto.ts'
import { until } from '../../apps/gateway/test/kit/waiting.ts'
import { accountName } from '../../apps/simulator/src/kit/names.ts'
import {
  BANK_PATHS,
  creditNotice,
  SIGNATURE_HEADER,
  signedText,
  TIMESTAMP_HEADER,
} from '../../packages/contract/src/bank/connector.ts'
import { bankKeyOf } from '../../tools/sandbox/seed.ts'
import { type Stack, startStack } from '../../tools/sandbox/stack.ts'
import { withClient } from '../chaos/kit/database.ts'
import { chaosMerchants, logIn, seedMerchants, steadyPorts } from '../chaos/kit/world.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = `00-${TRACE}-b7ad6b7169203331-01`
const BANK = '058'
const LIMIT_MS = 120_000

type Seen = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: any }
const atBank: Seen[] = []
const atReceiver: Seen[] = []
const closing: (() => unknown)[] = []
let stack: Stack
let apiUrl: string
let walletNumber: string
let contractCode: string
let authorization: string

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
async function listening(serve: (request: IncomingMessage, body: string) => Promise<{ status: number; text: string }>) {
  const server: Server = createServer((request, response) => {
    void textOf(request)
      .then((body) => serve(request, body))
      .then(({ status, text }) => response.writeHead(status, { 'content-type': 'application/json' }).end(text))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), 'cowrie-traces-'))
  chmodSync(dir, 0o755) // PostgreSQL runs as another user when we are root
  closing.push(() => rmSync(dir, { recursive: true, force: true }))
  const ports = await steadyPorts()
  const receiverUrl = await listening(async ({ url = '', headers }, body) => {
    atReceiver.push({ path: url, headers, body: JSON.parse(body) })
    return { status: 200, text: '{}' }
  })
  const bankUrl = await listening(async ({ method = '', url = '', headers }, body) => {
    atBank.push({ path: url, headers, body: body === '' ? null : JSON.parse(body) })
    const { host: _, connection: __, 'content-length': ___, ...passed } = headers
    const answer = await fetch(`http://127.0.0.1:${ports.simulator}${url}`, {
      method,
      headers: passed as Record<string, string>,
      ...(method === 'POST' ? { body } : {}),
    })
    return { status: answer.status, text: await answer.text() }
  })
  const [merchant] = chaosMerchants('traces', ['01'], 1)
  if (!merchant) throw new Error('no merchant')
  walletNumber = merchant.walletNumber
  contractCode = merchant.contractCode
  const parts = ['simulator', 'api', 'worker'] as const
  const env = { BANK_URL: bankUrl }
  stack = await startStack(
    { dir, ports, cells: ['01'], seed: 'traces', parts, logLevel: 'fatal', env },
    async (config) => {
      await seedMerchants(config, [merchant], () => receiverUrl)
    },
  )
  closing.push(() => stack.stop())
  apiUrl = `http://127.0.0.1:${ports.api}`
  authorization = `Bearer ${await logIn(apiUrl, merchant)}`
}, LIMIT_MS)
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
}, LIMIT_MS)

async function payOut(reference: string, accountNumber: string, trace?: string): Promise<string> {
  const answer = await fetch(`${apiUrl}/api/v2/disbursements/single`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...(trace ? { traceparent: trace } : {}) },
    body: JSON.stringify({
      amount: 100,
      reference,
      narration: 'Supplies',
      destinationBankCode: BANK,
      destinationAccountNumber: accountNumber,
      destinationAccountName: accountName(BANK, accountNumber),
      sourceAccountNumber: walletNumber,
    }),
  })
  const { responseBody } = (await answer.json()) as any
  expect(responseBody).toMatchObject({ status: 'SUCCESS' })
  return answer.headers.get('x-request-id') ?? ''
}
const notified = (reference: string) =>
  until(`the notification of ${reference}`, async () =>
    atReceiver.find(
      ({ body }) => body.eventType === 'SUCCESSFUL_DISBURSEMENT' && body.eventData.reference === reference,
    ),
  )
/** What the bank was asked about an account. */
const askedAbout = (accountNumber: string) =>
  atBank.filter(({ body }) => [body?.accountNumber, body?.destinationAccountNumber].includes(accountNumber))
const traceIds = (seen: readonly Seen[]) => seen.map(({ headers }) => String(headers['traceparent']).split('-')[1])

test('a request with a traceparent: the bank is asked within that trace, and the notification of the outcome is of it', async () => {
  await payOut('traced-1', '0123456781', PARENT)
  const asked = askedAbout('0123456781')
  expect(asked.map(({ path }) => path)).toEqual([BANK_PATHS.nameEnquiry, BANK_PATHS.payouts])
  // Nobody collects spans here: the span that the caller named is passed on as it came.
  expect(asked.map(({ headers }) => headers['traceparent'])).toEqual([PARENT, PARENT])
  expect((await notified('traced-1')).headers['traceparent']).toBe(PARENT)
})

async function post(path: string, headers: Record<string, string>, body: object): Promise<any> {
  const answer = await fetch(apiUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const { responseBody } = (await answer.json()) as any
  expect(answer.status).toBe(200)
  return responseBody
}

test("a bank's notice with a traceparent: the notification of the payment is of that trace", async () => {
  const { transactionReference } = await post(
    '/api/v1/merchant/transactions/init-transaction',
    { authorization },
    {
      ...{
        amount: 100,
        customerEmail: 'ada@example.com',
        paymentReference: 'order-1',
        currencyCode: 'NGN',
        contractCode,
      },
    },
  )
  const path = '/api/v1/merchant/bank-transfer/init-payment'
  const { accountNumber, bankCode } = await post(path, { authorization }, { transactionReference })
  const notice = {
    ...{ sessionId: '000000000000000000000000000077', bankCode, accountNumber, amount: '100.00' },
    ...{ senderName: 'Ngozi Bello', senderAccountNumber: '0123456789', senderBankCode: BANK },
    paidAt: new Date(Date.now()).toISOString(),
  }
  const at = String(Math.floor(Date.now() / 1000))
  const signed = signedText(at, creditNotice.method, creditNotice.path, JSON.stringify(notice))
  const signature = `v1=${hmacHex('sha256', bankKeyOf('traces'), signed)}`
  const headers = { [TIMESTAMP_HEADER]: at, [SIGNATURE_HEADER]: signature, traceparent: PARENT }
  expect(await post(creditNotice.path, headers, notice)).toEqual({ outcome: 'COUNTED' })
  const paid = await until('the notification of the payment', async () =>
    atReceiver.find(({ body }) => body.eventData.transactionReference === transactionReference),
  )
  expect(paid.headers['traceparent']).toBe(PARENT)
})

test('a request without one: the bank is asked within a trace that has the id of the request, and events keep none', async () => {
  const requestId = await payOut('untraced-1', '0123456782')
  const id = requestId.replaceAll('-', '')
  expect(traceIds(askedAbout('0123456782'))).toEqual([id, id])
  expect((await notified('untraced-1')).headers).not.toHaveProperty('traceparent')
})

test('a traceparent that is not of the form names no trace, and nothing of it is passed on', async () => {
  const wrong = `00-${TRACE}-b7ad6b7169203331-01-more`
  const requestId = await payOut('wrong-1', '0123456783', wrong)
  expect(traceIds(askedAbout('0123456783'))).toEqual(Array.from({ length: 2 }, () => requestId.replaceAll('-', '')))
  expect((await notified('wrong-1')).headers).not.toHaveProperty('traceparent')
})

test('requests that are served together keep their own traces, and those without one get none of the others', async () => {
  const traces = Array.from({ length: 10 }, (_, n) =>
    n % 2 === 0 ? `00-${String(n + 1).padStart(32, '0')}-b7ad6b7169203331-00` : undefined,
  )
  await Promise.all(traces.map((trace, n) => payOut(`together-${n}`, `012345679${n}`, trace)))
  for (const [n, trace] of traces.entries()) {
    const { headers } = await notified(`together-${n}`)
    const asked = askedAbout(`012345679${n}`).map((one) => one.headers['traceparent'])
    expect(headers['traceparent']).toBe(trace)
    const own = asked.filter((one) => trace === undefined || one === trace)
    expect(own).toHaveLength(2)
  }
  const kept = await withClient(stack.databaseUrl('01'), async (client) => {
    const { rows } = await client.query('select count(*)::int as traces from event_traces')
    return rows[0].traces
  })
  expect(kept).toBe(7) // of this test and the first two: who names no trace costs no row
})
