// Networks that misbehave: a gateway that answers as a test says, and a way to the real one that loses
// answers.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { no, ok } from '../../../packages/sdk/test/network.ts'

export { no, ok }

export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: any
}
/** An answer; `hang`: none at all; `reset`: the connection is lost; `drip`: a byte now and then, without
 *  end. */
export type Reply = ReturnType<typeof ok> | 'hang' | 'reset' | 'drip'
export type Responder = (asked: Asked, nth: number) => Reply

const DRIP_MS = 20

async function textOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString()
}
async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Logs in with tokens that say which they are; everything else is up to `respond`, which a test may
 *  change. */
export async function fakeGateway() {
  const state: { respond: Responder; logIn: Responder; asked: Asked[]; logIns: Asked[] } = {
    respond: () => ok({}),
    logIn: (_, nth) => ok({ accessToken: `token-${nth}`, expiresIn: 3600 }),
    asked: [],
    logIns: [],
  }
  const drips = new Set<NodeJS.Timeout>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request)
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body: text === '' ? null : JSON.parse(text) }
    const isLogIn = path === '/api/v1/auth/login'
    const list = isLogIn ? state.logIns : state.asked
    list.push(one)
    const reply = (isLogIn ? state.logIn : state.respond)(one, list.length)
    if (reply === 'hang') return
    if (reply === 'drip') {
      response.writeHead(200, { 'content-type': 'application/json' })
      drips.add(setInterval(() => response.write(' '), DRIP_MS))
      return
    }
    if (typeof reply === 'string') return void request.socket.destroy()
    const { status = 200, body, headers: more = {} } = reply
    response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const server = createServer((request, response) => void answer(request, response))
  const url = await listening(server)
  return {
    url,
    state,
    stop: () => {
      for (const drip of drips) clearInterval(drip)
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Leads to the gateway, and loses the next answers to requests that a test names: they arrive, and are
 *  done. */
export async function losingProxy(target: string) {
  const losing = { next: 0, method: 'POST', path: '' }
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await textOf(request)
    const { method = '', url = '' } = request
    const { host: _host, connection: _connection, 'content-length': _length, ...headers } = request.headers
    const answer = await fetch(target + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body === '' ? {} : { body }),
    })
    const text = await answer.text()
    if (losing.next > 0 && method === losing.method && url.includes(losing.path)) {
      losing.next -= 1
      return void request.socket.destroy()
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text)
  }
  const server = createServer((request, response) => void pass(request, response))
  const url = await listening(server)
  return {
    url,
    losing,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
