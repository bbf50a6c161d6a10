// Small servers of the exam, and calls that never throw.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null: it is not a JSON object. */
export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export async function readText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

export type Door = { readonly url: string; close(): Promise<void> }

/** Whatever `play` throws cuts the connection. */
export async function openDoor(
  play: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  port = 0,
): Promise<Door> {
  const server = createServer((request, response) => void play(request, response).catch(() => response.destroy()))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

export type Reply = { readonly status: number; readonly text: string }

/** Null: there was no whole answer in time. */
export async function send(
  url: string,
  init: { readonly method: string; readonly headers?: Record<string, string>; readonly body?: string },
  limitMs: number,
): Promise<Reply | null> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(limitMs) })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}
