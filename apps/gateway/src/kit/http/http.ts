// The HTTP kit: a Fastify server whose every answer is the envelope (also for unknown routes, malformed requests and
// faults of our own) and carries the request's id. It knows no business; core/bind.ts puts routes on it.

import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ErrorCode, errorSpec, statusOf } from '@cowrie/contract/errors/errors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Failure, type Fault } from '../fail.ts'
import { type Log, seldom } from '../log.ts'
import { watchMethods } from './methods.ts'
import type { AnonymousLimit } from './strangers.ts'

const BODY_MAX_BYTES = 64 * 1024
/** A request is here within so long of its first byte, its headers sooner; Node looks every so often. A line that was refused is
 *  still read for a while, so that its client sees the answer; then it is cut, whatever the client does. */
export const TIMES = { headersMs: 10_000, requestMs: 15_000, lookEveryMs: 1_000, lingerMs: 2_000 }
/** Streams of checkouts are the most (5,000 a process), and payments need room beside them. */
const CONNECTIONS_MAX = 10_000

declare module 'fastify' {
  interface FastifyReply {
    /** Headers of this answer beside those of every answer: name, value, name, value. */
    more: string[]
  }
  interface FastifyContextConfig {
    /** The route limits unauthenticated callers itself: its callers have a token or a signature, or it costs nothing. */
    knows?: true
  }
}

export type HttpOptions = { readonly log: Log; readonly publicUrl: string; readonly anonymous: AnonymousLimit }

/** The bytes of a success. */
export const successBody = (body: unknown): string =>
  body === undefined
    ? '{"requestSuccessful":true,"responseMessage":"success","responseCode":"0"}'
    : `{"requestSuccessful":true,"responseMessage":"success","responseCode":"0","responseBody":${JSON.stringify(body)}}`

/** A field that a feature refuses, a date for example, is reported like one that the schema refuses. */
function loneFault({ code, params, message }: Failure, status: number): readonly Fault[] | undefined {
  const { field } = params
  return field && status === 400 ? [{ field, code, message }] : undefined
}

/** The status and bytes of a refusal. */
export function refusal(
  failure: Failure,
  requestId: string,
  publicUrl: string,
  status422As?: 400,
): { status: number; body: string } {
  const spec = errorSpec(failure.code)
  const status = statusOf(failure.code, status422As)
  const errors = failure.faults ?? loneFault(failure, status)
  const body = {
    requestSuccessful: false,
    responseMessage: failure.message,
    responseCode: spec.responseCode ?? '99',
    ...(spec.oauth ? { error: spec.oauth, error_description: failure.message } : {}),
    problem: {
      code: failure.code,
      hint: spec.hint,
      ...(failure.params['field'] ? { field: failure.params['field'] } : {}),
      docUrl: `${publicUrl}/docs#error-${failure.code}`,
      requestId,
    },
    ...(errors ? { errors } : {}),
  }
  return { status, body: JSON.stringify(body) }
}

/** What went wrong, as a refusal of the table. Whatever is not a refusal is a fault of ours and says nothing outside. */
function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure('BODY_TOO_LARGE')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Failure('MALFORMED_BODY', {}, code)
  const lost =
    code === undefined
      ? /Connection terminated|timeout|Query read timeout/i.test(String((error as Error)?.message))
      : false
  if (lost || /^(08|57P|53|ECONN|EPIPE)/.test(code ?? '')) return new Failure('UNAVAILABLE', {}, code)
  return new Failure('INTERNAL')
}

/** The headers of every answer, JSON or page. */
const everyAnswer = (requestId: string, cache = 'no-store'): string[] => [
  'x-request-id',
  requestId,
  'cache-control',
  cache,
  'x-content-type-options',
  'nosniff',
]

/** Writes an answer in one piece. Fastify's own way asks every header and the payload several questions, which on the
 *  path of a payment cost as much as reading its body. */
export function sendText(
  reply: FastifyReply,
  status: number,
  contentType: string,
  text: string | Buffer,
  cache?: 'no-cache',
): FastifyReply {
  reply.hijack()
  const length = String(Buffer.byteLength(text))
  const headers = [
    'content-type',
    contentType,
    'content-length',
    length,
    ...everyAnswer(reply.request.id, cache),
    ...(reply.more ?? []), // null for a request that was refused before any hook ran: an address that cannot be decoded
  ]
  reply.raw.writeHead(status, headers)
  reply.raw.end(text)
  return reply
}

/** An answer without a body. */
export function sendEmpty(reply: FastifyReply, status: number, cache?: 'no-cache'): FastifyReply {
  reply.hijack()
  reply.raw.writeHead(status, [...everyAnswer(reply.request.id, cache), ...reply.more])
  reply.raw.end()
  return reply
}

/** Begins an answer that goes on: whoever asked for it writes to it and ends it. */
export function openStream(reply: FastifyReply, contentType: string): ServerResponse {
  reply.hijack()
  reply.raw.writeHead(200, [
    'content-type',
    contentType,
    'x-accel-buffering', // or a proxy gathers what ought to arrive at once
    'no',
    ...everyAnswer(reply.request.id),
    ...(reply.more ?? []),
  ])
  return reply.raw
}

export const sendJson = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  sendText(reply, status, 'application/json; charset=utf-8', text)

const routeOf = (request: FastifyRequest): string => request.routeOptions.url ?? 'unknown'

export function sendRefusal(
  reply: FastifyReply,
  error: unknown,
  options: HttpOptions,
  status422As?: 400,
): FastifyReply {
  const failure = failureOf(error)
  const { request } = reply
  const { status, body } = refusal(failure, request.id, options.publicUrl, status422As)
  if (failure.code === 'UNAVAILABLE') {
    // Refused work and broken lines: anybody can cause them, so they cost neither a stack nor a line each.
    const detail = failure.detail ?? String((error as { code?: string } | null)?.code ?? '')
    seldom(options.log, 'requests were refused', {
      requestId: request.id,
      route: routeOf(request),
      code: failure.code,
      detail,
    })
  } else if (status >= 500) {
    options.log.error('request failed', {
      requestId: request.id,
      route: routeOf(request),
      code: failure.code,
      error,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
  }
  if (failure.code === 'RATE_LIMITED') reply.more.push('retry-after', failure.params['retryAfter'] ?? '1')
  return sendJson(reply, status, body)
}

/** Cuts a line after a moment. At once would be too early: a client that is still sending would not see its answer. */
function cutSoon(socket: Duplex, ended: 'end' | 'close', stream: Duplex | IncomingMessage): void {
  const timer = setTimeout(() => socket.destroy(), TIMES.lingerMs)
  timer.unref()
  stream.once(ended, () => clearTimeout(timer))
}

/** Refuses a request whose body was not read. What is still coming passes by unread, and not for long. */
export function refuseUnread(
  reply: FastifyReply,
  error: unknown,
  options: HttpOptions,
  status422As?: 400,
): FastifyReply {
  const { raw } = reply.request
  sendRefusal(reply, error, options, status422As)
  passUnread(raw)
  return reply
}
function passUnread(raw: IncomingMessage): void {
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  cutSoon(raw.socket, 'end', raw)
  raw.resume()
}

/** Sends a browser elsewhere, by GET. */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
  reply.more.push('location', address, 'referrer-policy', 'no-referrer')
  return sendText(reply, 303, 'text/plain; charset=utf-8', '')
}

export const sendNotFound = (reply: FastifyReply, options: HttpOptions): FastifyReply => {
  const { method, url } = reply.request
  return sendRefusal(reply, new Failure('ROUTE_UNKNOWN', { method, path: url.split('?')[0] ?? '' }), options)
}

/** The text of a body, at most so many bytes of it. Nearly every body is one piece: then nothing is joined. */
function readText(payload: IncomingMessage, most: number, done: (error: Error | null, text?: string) => void): void {
  let first: Buffer | null = null
  let pieces: Buffer[] | null = null
  let size = 0
  payload.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > most) {
      payload.removeAllListeners('data')
      passUnread(payload)
      done(new Failure('BODY_TOO_LARGE'))
    } else if (first === null) first = piece
    else {
      pieces ??= [first]
      pieces.push(piece)
    }
  })
  payload.once('end', () => {
    if (size <= most) done(null, first === null ? '' : (pieces ? Buffer.concat(pieces) : first).toString('utf8'))
  })
  payload.once('error', (error: Error) => done(error))
}

/** What is not HTTP, or did not arrive in time: an answer, and the connection is closed. */
function refuseLine(error: Error & { code?: string }, socket: Duplex, publicUrl: string): void {
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const { status, body } = refusal(new Failure(late ? 'REQUEST_TIMEOUT' : 'MALFORMED_BODY'), randomUUID(), publicUrl)
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const head = [
    `HTTP/1.1 ${status} ${late ? 'Request Timeout' : 'Bad Request'}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  cutSoon(socket, 'close', socket)
}

export function createHttp(options: HttpOptions, times = TIMES): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: times.requestMs,
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.lookEveryMs },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => void sendRefusal(reply, error, options),
    clientErrorHandler: (error, socket) => refuseLine(error, socket, options.publicUrl),
  })
  app.server.maxConnections = CONNECTIONS_MAX
  const methodsOf = watchMethods(app)
  // Bodies arrive as text: each route reads its own with the strict reader, guided by its schema.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) =>
    readText(payload, request.routeOptions.bodyLimit ?? BODY_MAX_BYTES, done),
  )
  app.decorateReply('more', null as unknown as string[])
  // Hooks with `done`: an async one would cost a promise per request.
  const { anonymous } = options
  const turnAway = (request: FastifyRequest, reply: FastifyReply): boolean => {
    try {
      anonymous.admit(request)
      return false
    } catch (error) {
      refuseUnread(reply, error, options)
      return true
    }
  }
  const nowhere = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const allow = methodsOf(request.url.split('?')[0] ?? '').join(', ')
    if (allow === '') return sendNotFound(reply, options)
    reply.more.push('allow', allow)
    return sendRefusal(reply, new Failure('METHOD_NOT_ALLOWED', { allow, method: request.method }), options)
  }
  // Browsers that came once by https never come by http again.
  const lasting = options.publicUrl.startsWith('https://') ? ['strict-transport-security', 'max-age=31536000'] : []
  app.addHook('onRequest', (request, reply, done) => {
    reply.more = [...lasting]
    if (!request.is404) return done()
    if (turnAway(request, reply)) return
    nowhere(request, reply)
    passUnread(request.raw)
  })
  app.addHook('onRoute', (route) => {
    if (route.config?.knows) return
    const before = route.onRequest ?? []
    const guard = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (!turnAway(request, reply)) done()
    }
    route.onRequest = [guard, ...(Array.isArray(before) ? before : [before])]
  })
  if (options.log.infoEnabled) {
    app.addHook('onResponse', (request, reply, done) => {
      options.log.info('answered', {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      })
      done()
    })
  }
  app.setNotFoundHandler(nowhere)
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, error, options))
  return app
}

export type { ErrorCode, FastifyInstance, FastifyReply, FastifyRequest }
