// The adapter's own door, over plain node:http: the gateway's calls, signed, and /health and /ready for whoever runs it.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isReady, type Store } from '../database/database.ts'
import { checkKeys, isSigned, type Keys } from '../kit/signing.ts'
import type { Log } from '../log/log.ts'
import type { Orders } from '../orders/orders.ts'
import type { Mapping } from './mapping.ts'
import { createRoutes, type Reply, refusal } from './routes.ts'

export type ServerParts = Store & {
  readonly mapping: Mapping
  readonly orders: Orders
  readonly keys: Keys
  readonly log: Log
  readonly host?: string
  /** 0: any free one. */
  readonly port?: number
}

export type AdapterServer = {
  readonly url: string
  /** From now on not ready. Every call that has arrived is answered, and every call to the bank that began is waited for. */
  drain(limitMs?: number): Promise<void>
}

/** 500 accounts of a list of names, and room. */
const BODY_MAX = 128 * 1024
/** Whoever sends its headers or its body more slowly than this is cut off. */
const REQUEST_MS = 15_000
const RESUME_EVERY_MS = 5_000
const DRAIN_MS = 70_000

/** Null: it is longer than it may be. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX) return null
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BODY_MAX) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** Undefined: it is not JSON. */
function parse(body: Buffer): unknown {
  if (body.length === 0) return null
  try {
    return JSON.parse(UTF8.decode(body))
  } catch {
    return undefined
  }
}

type Answering = (request: IncomingMessage) => Promise<Reply>

function createAnswering(parts: ServerParts, isDraining: () => boolean): Answering {
  const { mapping, orders, keys } = parts
  const routes = createRoutes(orders, mapping)

  const look = async (path: string): Promise<Reply> => {
    if (path === '/health') return { status: 200, body: { healthy: true } }
    const ready = !isDraining() && (await isReady(parts))
    return { status: ready ? 200 : 503, body: { ready } }
  }

  return async (request) => {
    const { method = '', url = '' } = request
    const [path = '', search = ''] = url.split('?', 2)
    if (method === 'GET' && (path === '/health' || path === '/ready')) return look(path)
    const body = await readBody(request)
    if (body === null) return refusal(413, `A message has at most ${BODY_MAX} bytes`)
    // Before the path is looked at: who cannot sign learns nothing of what there is.
    if (!isSigned(keys(), { method, path: url, body }, request.headers, parts.clock))
      return refusal(401, 'The signature is not valid')
    // Not 404: of an account or a charge that would be an answer.
    const handler = routes.get(`${method} ${path}`)
    if (handler === undefined) return refusal(501, 'This adapter has no such call')
    const json = parse(body)
    return json === undefined
      ? refusal(400, 'The message is not JSON')
      : handler({ json, query: new URLSearchParams(search) })
  }
}

export async function serve(parts: ServerParts): Promise<AdapterServer> {
  const { orders, log } = parts
  checkKeys(parts.keys())
  let draining = false
  const reply = createAnswering(parts, () => draining)

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body } = await reply(request).catch((error: unknown): Reply => {
      log.error({ error, path: request.url?.split('?')[0] }, 'a call failed')
      return refusal(500, 'The adapter failed; the outcome is unknown')
    })
    if (status === 413) request.resume()
    const text = JSON.stringify(body)
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(text),
    }
    response.writeHead(status, draining || status === 413 ? { ...headers, connection: 'close' } : headers).end(text)
  }

  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, maxHeaderSize: 8_192 },
    (request, response) =>
      void respond(request, response).catch((error: unknown) => {
        log.error({ error }, 'an answer could not be sent')
        response.destroy()
      }),
  )
  server.listen(parts.port ?? 0, parts.host ?? '127.0.0.1')
  await once(server, 'listening')
  const { address, port } = server.address() as AddressInfo

  const resume = (): void =>
    void orders.resume().catch((error: unknown) => log.error({ error }, 'orders that were left could not be read'))
  const resuming = setInterval(resume, RESUME_EVERY_MS)
  resume()

  return {
    url: `http://${address}:${port}`,
    drain: async (limitMs = DRAIN_MS) => {
      draining = true
      clearInterval(resuming)
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const force = setTimeout(() => server.closeAllConnections(), limitMs)
      await closed
      clearTimeout(force)
      await orders.idle()
    },
  }
}

/** Drains once, then ends the process: 0 when all was answered. `after` closes what the adapter has opened. */
export function drainOnSignals(server: AdapterServer, after: () => Promise<unknown>, log: Log): void {
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    server
      .drain()
      .then(after)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ error }, 'could not stop cleanly')
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
