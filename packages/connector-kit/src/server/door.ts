// An HTTP server over plain node:http, with the limits that a door to outside needs: the adapter's own door,
// and the one for a bank's webhooks.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Log } from '../log/log.ts'

/** A body that is text is sent as it is, everything else as JSON. */
export type Reply = {
  readonly status: number
  readonly body: unknown
  /** Headers for the text of the answer. */
  readonly sign?: (text: string) => Readonly<Record<string, string>>
}

/** In our words: neither what was sent nor what the bank said. */
export const refusal = (status: number, error: string): Reply => ({ status, body: { error } })

export type Address = {
  readonly host?: string
  /** 0: any free one. */
  readonly port?: number
  /** Texts of PEM files. Only a caller whose certificate `ca` signed is answered. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string }
}

export type Door = {
  readonly url: string
  /** Every call that has arrived is answered; after the limit what is left is cut. */
  close(limitMs: number): Promise<void>
}

type Parts = Address & {
  readonly log: Log
  readonly answer: (request: IncomingMessage) => Promise<Reply>
}

/** Whoever sends its headers or its body more slowly than this is cut off. */
const REQUEST_MS = 15_000
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8'

/** Null: it is longer than it may be. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return null
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > bytesMax) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })
/** Undefined: it is not JSON. Null: there is none. */
export function parseBody(body: Buffer): unknown {
  if (body.length === 0) return null
  try {
    return JSON.parse(UTF8.decode(body))
  } catch {
    return undefined
  }
}

export async function openDoor({ log, answer, ...address }: Parts): Promise<Door> {
  let closing = false

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, sign } = await answer(request).catch((error: unknown): Reply => {
      log.error({ error, path: request.url?.split('?')[0] }, 'a call failed')
      return refusal(500, 'The adapter failed; the outcome is unknown')
    })
    if (status === 413) request.resume()
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = {
      'content-type': typeof body === 'string' ? PROMETHEUS_TEXT : 'application/json',
      'cache-control': 'no-store',
      'content-length': Buffer.byteLength(text),
      ...sign?.(text),
    }
    response.writeHead(status, closing || status === 413 ? { ...headers, connection: 'close' } : headers).end(text)
  }

  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, maxHeaderSize: 8_192 }
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void respond(request, response).catch((error: unknown) => {
      log.error({ error }, 'an answer could not be sent')
      response.destroy()
    })
  const { tls } = address
  const mutual = { requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' } as const
  const server =
    tls === undefined ? createServer(limits, onRequest) : createTlsServer({ ...limits, ...tls, ...mutual }, onRequest)
  server.listen(address.port ?? 0, address.host ?? '127.0.0.1')
  await once(server, 'listening')
  const { address: host, port } = server.address() as AddressInfo

  return {
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${port}`,
    close: async (limitMs) => {
      closing = true
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      const force = setTimeout(() => server.closeAllConnections(), limitMs)
      await closed
      clearTimeout(force)
    },
  }
}
