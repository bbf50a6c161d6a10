// The fake as a process: the published interface and the control interface on one port. Its settings come as
// JSON in the first argument.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BANKS } from '@cowrie/contract/bank/banks'
import { type Bank, type Credentials, createBank, type Json, type On, type Plan } from './bank.ts'
import { control } from './control.ts'

export type FakeConfig = Credentials & { readonly port?: number }

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
const parse = (text: string): Json => {
  try {
    return JSON.parse(text || '{}') as Json
  } catch {
    return {}
  }
}
function send(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** Half of a body that promised to be whole. */
function cut(response: ServerResponse, body: Json): void {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2), () => response.destroy())
}

/** Lets the answer, or what there is instead, happen as planned. */
function play(response: ServerResponse, plan: Plan, usual: Json): unknown {
  switch (plan.behaviour) {
    case 'mute':
    case 'deaf':
      return null
    case 'status':
      // With a code, the body looks like an answer all the same.
      return send(
        response,
        plan.status ?? 500,
        plan.code === undefined ? { message: 'The request was not processed' } : { ...usual, responseCode: plan.code },
      )
    case 'html':
      return send(response, 200, '<html><body>Maintenance</body></html>', 'text/html')
    case 'half':
      return cut(response, usual)
    case 'slow':
      return setTimeout(() => send(response, 200, usual), plan.delayMs ?? 1_000)
    case 'code':
      return send(response, 200, { ...usual, responseCode: plan.code })
    case 'pay':
    case 'pend':
      return send(response, 200, usual)
  }
}

const PATHS: Readonly<Record<string, On>> = {
  'POST /nipservice/v1/nip/fundstransfer': 'order',
  'POST /nipservice/v1/nip/tsq': 'inquiry',
  'POST /nipservice/v1/nip/nameenquiry': 'name',
}

function answer(bank: Bank, call: string, text: string, response: ServerResponse): unknown {
  const message = parse(text)
  const on = PATHS[call]
  if (on === undefined) {
    if (call === 'POST /nipservice/v1/nip/balanceenquiry') return send(response, 200, bank.balance(message))
    if (call !== 'GET /nipservice/v1/nip/institutions') return send(response, 404, { message: 'no Route matched' })
    const listed = BANKS.filter(({ nipBankCode }) => nipBankCode !== null)
    return send(
      response,
      200,
      listed.map(({ name, nipBankCode }) => ({ institutionCode: nipBankCode, institutionName: name, category: 2 })),
    )
  }
  const plan = bank.next(on)
  if (on === 'order') return play(response, plan, bank.transfer(message, plan))
  return play(response, plan, on === 'name' ? bank.name(message) : bank.inquiry(message))
}

async function handle(bank: Bank, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const call = `${request.method ?? ''} ${request.url ?? ''}`
  const text = await read(request)
  if (call.includes(' /exam') || call.includes(' /fake')) {
    const { status, body } = control(bank, call, parse(text))
    return send(response, status, body)
  }
  if (call === 'POST /reset') {
    const token = bank.issue(new URLSearchParams(text))
    return token === null ? send(response, 401, { error: 'invalid_client' }) : send(response, 200, token)
  }
  if (bank.isLetIn(request.headers.authorization)) return answer(bank, call, text, response)
  bank.counts.refused += 1
  return send(response, 401, { message: 'Unauthorized' })
}

const config = JSON.parse(process.argv[2] ?? '{}') as FakeConfig
if (process.channel) process.on('disconnect', () => process.exit(0))
const bank = createBank(config)
const server = createServer((request, response) => void handle(bank, request, response).catch(() => response.destroy()))
server.listen(config.port ?? 0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
process.send?.({ url })
if (!process.channel) process.stdout.write(`${url}\n`)
