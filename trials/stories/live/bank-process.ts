// The bank of bank.ts, as a process: it is told what to do over the channel to whoever started it, and ends
// with that.
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  BANK_PATHS,
  creditNotice,
  type PayoutOrder,
  SIGNATURE_HEADER,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import type { Statement, StatementLine } from '@cowrie/contract/bank/statement-connector'
import { hmacHex } from '../../../apps/gateway/src/kit/crypto.ts'
import type { Answers, Asked, Charge, Setup } from './bank.ts'

const SELF = { bankCode: '035', bankName: 'Wema Bank', environment: 'LIVE' }
const PAID = { status: 'SUCCESS', responseCode: '00', message: 'Approved' }
const NEVER_SEEN = { status: 'UNKNOWN', responseCode: '25', message: 'No such instruction' }

function statementOf(date: string, charge: Charge): Statement {
  const line: StatementLine = {
    line: 1,
    kind: 'CHARGE',
    direction: 'OUT',
    sessionId: charge.sessionId,
    ofSessionId: null,
    amount: charge.amount,
    bookedAt: `${date}T12:00:00.000Z`,
    bankCode: null,
    accountNumber: null,
    sender: null,
    text: 'Account maintenance',
  }
  const isThatDay = date === charge.date
  return {
    date,
    count: isThatDay ? 1 : 0,
    amountIn: '0.00',
    amountOut: isThatDay ? charge.amount : '0.00',
    openingBalance: isThatDay ? '0.00' : `-${charge.amount}`,
    closingBalance: `-${charge.amount}`,
    lines: isThatDay ? [line] : [],
    next: null,
  }
}

async function open({ key, cert, tlsKey, charge, accountName }: Setup) {
  /** By session: an instruction that comes again is the same one. */
  const payouts = new Map<string, PayoutOrder>()
  const sign = (at: string, method: string, path: string, body: string): string =>
    `v1=${hmacHex('sha256', key, signedText(at, method, path, body))}`
  const replyTo = (url: string, body: string): object | null => {
    if (url === BANK_PATHS.self) return SELF
    if (url.startsWith(BANK_PATHS.statement))
      return statementOf(new URL(url, 'https://bank.invalid').searchParams.get('date') ?? '', charge)
    if (url === BANK_PATHS.nameEnquiry) return { ...(JSON.parse(body) as object), accountName }
    if (url === BANK_PATHS.payouts) {
      const order = JSON.parse(body) as PayoutOrder
      payouts.set(order.sessionId, order)
      return { sessionId: order.sessionId, ...PAID }
    }
    if (url === BANK_PATHS.payoutInquiries) {
      const { sessionId } = JSON.parse(body) as { sessionId: string }
      return { sessionId, ...(payouts.has(sessionId) ? PAID : NEVER_SEEN) }
    }
    return null
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const part of request) body += String(part)
    const { method = '', url = '' } = request
    const at = String(request.headers[TIMESTAMP_HEADER])
    const right = request.headers[SIGNATURE_HEADER] === sign(at, method, url, body)
    const reply = right ? replyTo(url, body) : {}
    response.writeHead(right ? (reply ? 200 : 404) : 401).end(JSON.stringify(reply ?? {}))
  }
  const server = createServer({ cert, key: tlsKey }, (request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    payouts,
    credit: async (apiUrl: string, credit: object): Promise<Answers['credit']> => {
      const sender = { senderName: 'Ngozi Bello', senderAccountNumber: '0123456789', senderBankCode: '058' }
      const body = JSON.stringify({ ...credit, ...sender, paidAt: new Date().toISOString() })
      const at = String(Math.floor(Date.now() / 1000))
      const { method, path } = creditNotice
      const signed = { [TIMESTAMP_HEADER]: at, [SIGNATURE_HEADER]: sign(at, method, path, body) }
      const headers = { 'content-type': 'application/json', ...signed }
      const reply = await fetch(apiUrl + path, { method, body, headers })
      return { status: reply.status, json: await reply.json() }
    },
  }
}

let bank: Awaited<ReturnType<typeof open>> | null = null
async function answer(asked: Asked): Promise<Answers[Asked['what']]> {
  if (asked.what === 'open') {
    bank = await open(asked.setup)
    return bank.port
  }
  if (!bank) throw new Error('the bank is not open yet')
  return asked.what === 'credit' ? bank.credit(asked.apiUrl, asked.credit) : [...bank.payouts.values()]
}

process.on('disconnect', () => process.exit(0))
process.on('message', (asked: Asked) => {
  void answer(asked).then((reply) => process.send?.({ number: asked.number, reply }))
})
