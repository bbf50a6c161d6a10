// The gateway's side of the protocol, written anew, so that a fault in the kit's signing cannot agree with
// itself.
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import type { Json } from './store.ts'

export const KEY = 'a key that both sides share'
export const NEXT_KEY = 'the key that comes after it'

export const signature = (key: string, timestamp: string, method: string, path: string, body: string): string =>
  `v1=${createHmac('sha256', key).update(`${timestamp}.${method} ${path}.${body}`).digest('hex')}`

export type Reply = {
  readonly status: number
  readonly json: Json
  readonly headers: Headers
  /** Whether it was signed as the answer to this call. */
  readonly signed: boolean
}
type Signed = { readonly key?: string; readonly secondsOff?: number; readonly body?: string }

/** One signed call to an adapter. Null: no answer came. */
export async function call(
  url: string,
  method: string,
  path: string,
  message?: unknown,
  { key = KEY, secondsOff = 0, body }: Signed = {},
): Promise<Reply | null> {
  const text = message === undefined ? '' : JSON.stringify(message)
  const timestamp = String(Math.floor(Date.now() / 1000) + secondsOff)
  const headers = { 'cowrie-timestamp': timestamp, 'cowrie-signature': signature(key, timestamp, method, path, text) }
  try {
    const sent = body ?? text
    const response = await fetch(url + path, { method, headers, ...(sent === '' ? {} : { body: sent }) })
    const { status } = response
    const said = await response.text()
    const signed = createHmac('sha256', KEY).update(`${headers['cowrie-signature']}.${status}.${said}`).digest('hex')
    const isRight = response.headers.get('cowrie-signature') === `v1=${signed}`
    return { status, json: JSON.parse(said) as Json, headers: response.headers, signed: isRight }
  } catch {
    return null
  }
}

export type Received = { readonly path: string; readonly message: Json; readonly accepted: boolean }

/** Takes notices and records them. Call once per test file. */
export function useGateway() {
  let server: Server
  const gateway = {
    keys: [KEY] as string[],
    /** Every notice with a right signature, in the order in which they were answered. */
    received: [] as Received[],
    /** Answers to a notice; null: the connection is cut. */
    answer: (_message: Json, _path: string): number | null => 200,
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accepted: (): Json[] => gateway.received.filter((one) => one.accepted).map(({ message }) => message),
  }

  const play = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const path = request.url ?? ''
    const timestamp = String(request.headers['cowrie-timestamp'])
    const right = gateway.keys.map((key) => signature(key, timestamp, 'POST', path, body))
    const answer = (status: number): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    }
    if (!right.includes(String(request.headers['cowrie-signature']))) return answer(401)
    const message = JSON.parse(body) as Json
    const status = gateway.answer(message, path)
    gateway.received.push({ path, message, accepted: status === 200 })
    if (status === null) response.destroy()
    else answer(status)
  }

  beforeEach(async () => {
    gateway.keys = [KEY]
    gateway.received.length = 0
    gateway.answer = () => 200
    server = createServer((request, response) => void play(request, response).catch(() => response.destroy()))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return gateway
}
