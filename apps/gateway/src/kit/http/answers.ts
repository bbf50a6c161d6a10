// The bytes of answers, and how they are sent: the envelope of a success, a refusal, a page, a stream. Every
// answer carries the id of its request. It makes no difference here whether the framework or direct.ts read
// the request.

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorSpec, httpStatus } from '@cowrie/contract/errors/errors'
import type { Page } from '@cowrie/contract/kit/html'
import { Failure, type Fault } from '../fail.ts'
import { type Log, seldom } from '../log.ts'
import { whoAndWhat } from './about.ts'
import type { AnonymousLimit } from './anonymous-limit.ts'
import type { RouteMeter } from './meter.ts'

/** A request that was refused is still read for a while, so that its client sees the answer; then its
 *  connection is cut. */
export const LINGER_MS = 2_000

/** What a route sees of a request. The framework's own is one of these. */
export type HttpRequest = {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly raw: IncomingMessage
  readonly socket: IncomingMessage['socket']
  readonly routeOptions: { readonly url?: string | undefined }
  readonly query: unknown
  readonly params: unknown
  body: unknown
  /** Who sent it, once that is known. */
  by: RequestBy | null
  /** Why it was refused. */
  errorCode: string | null
  /** What it asks and what it is answered, once they are known: for the reference in a line of the log, and
   *  nothing else of them. */
  asked: RequestContent | null
  answer: unknown
}
export type RequestContent = { readonly body: unknown; readonly query: unknown }
/** Whose request it is, by the merchant (0 for none) and the name of the key or person. */
export type RequestBy = {
  readonly cell: string | null
  readonly merchantId: bigint
  readonly name: string
  /** What its merchant calls the key, if that is one for agents; null of anybody else. */
  readonly agent: string | null
}
/** What a route answers through. */
export type HttpReply = {
  readonly request: HttpRequest
  readonly raw: ServerResponse
  /** Headers of this answer beside those of every answer: name, value, name, value. */
  more: string[]
  /** When its head was read, and what its route counts by. */
  since: number
  meter: RouteMeter | null
  /** The answer is written past the framework. */
  hijack(): unknown
}

/** A refusal as a page, for whoever looks at one; null: the envelope. */
export type RefusedPage = (
  request: HttpRequest,
  refused: {
    readonly code: string
    readonly status: number
    readonly message: string
    readonly hint: string
    readonly requestId: string
  },
) => Page | null

export type HttpOptions = {
  readonly log: Log
  readonly publicUrl: string
  readonly anonymous: AnonymousLimit
  readonly page?: RefusedPage
}

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
  const status = httpStatus(failure.code, status422As)
  const { faults, hint = spec.hint, position } = failure.specifics
  const errors = faults ?? loneFault(failure, status)
  const body = {
    requestSuccessful: false,
    responseMessage: failure.message,
    responseCode: spec.responseCode ?? '99',
    ...(spec.oauth ? { error: spec.oauth, error_description: failure.message } : {}),
    problem: {
      code: failure.code,
      hint,
      ...(failure.params['field'] ? { field: failure.params['field'] } : {}),
      ...(position ? { position } : {}),
      docUrl: `${publicUrl}/docs#error-${failure.code}`,
      requestId,
    },
    ...(errors ? { errors } : {}),
  }
  return { status, body: JSON.stringify(body) }
}

/** A database that is away, was lost, or is being left because the process ends: whoever asks again may get
 *  an answer. In the words of the driver where it gives no code; and of cells.ts, where nobody knows whether
 *  a commit is safe. */
const LOST_WORDS =
  /Connection terminated|timeout|not queryable|Cannot use a pool after calling end|the outcome is unknown/i
const LOST_CODES = /^(?:08|57P|53|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/

/** What went wrong, as a refusal of the table. Whatever is not a refusal is a fault of ours and says nothing
 *  outside. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Failure('BODY_TOO_LARGE')
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Failure('MALFORMED_BODY', {}, code)
  const lost = code === undefined ? LOST_WORDS.test(String((error as Error)?.message)) : LOST_CODES.test(code)
  if (lost) return new Failure('UNAVAILABLE', {}, code)
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

/** For what never changes under its address. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

/** Writes an answer in one piece. Fastify's own way asks every header and the payload several questions,
 *  which on the path of a payment cost as much as reading its body. */
export function sendText<Reply extends HttpReply>(
  reply: Reply,
  status: number,
  contentType: string,
  text: string | Buffer,
  cache?: 'no-cache' | typeof FOR_EVER,
): Reply {
  reply.hijack()
  reply.meter?.(status, reply.since)
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
export function sendEmpty<Reply extends HttpReply>(
  reply: Reply,
  status: number,
  cache?: 'no-cache' | typeof FOR_EVER,
): Reply {
  reply.hijack()
  reply.meter?.(status, reply.since)
  reply.raw.writeHead(status, [...everyAnswer(reply.request.id, cache), ...reply.more])
  reply.raw.end()
  return reply
}

/** Begins an answer that goes on: whoever asked for it writes to it and ends it. */
export function openStream(reply: HttpReply, contentType: string): ServerResponse {
  reply.hijack()
  reply.meter?.(200, reply.since)
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

export const sendJson = <Reply extends HttpReply>(reply: Reply, status: number, text: string): Reply =>
  sendText(reply, status, 'application/json; charset=utf-8', text)

export const routePath = (request: HttpRequest): string => request.routeOptions.url ?? 'unknown'

export function sendRefusal<Reply extends HttpReply>(
  reply: Reply,
  error: unknown,
  options: HttpOptions,
  status422As?: 400,
): Reply {
  const failure = toFailure(error)
  const { request } = reply
  request.errorCode = failure.code
  const { status, body } = refusal(failure, request.id, options.publicUrl, status422As)
  if (failure.code === 'UNAVAILABLE') {
    // Refused work and broken lines: anybody can cause them, so they cost neither a stack nor a line each.
    const detail = failure.detail ?? String((error as { code?: string } | null)?.code ?? '')
    seldom(options.log, 'requests were refused', {
      ...whoAndWhat(request),
      requestId: request.id,
      route: routePath(request),
      code: failure.code,
      detail,
    })
  } else if (status >= 500) {
    options.log.error('request failed', {
      ...whoAndWhat(request),
      requestId: request.id,
      route: routePath(request),
      code: failure.code,
      error,
      ...(failure.detail ? { detail: failure.detail } : {}),
    })
  }
  if (status === 429) reply.more.push('retry-after', failure.params['retryAfter'] ?? '1')
  const page = options.page?.(request, {
    code: failure.code,
    status,
    message: failure.message,
    hint: errorSpec(failure.code).hint,
    requestId: request.id,
  })
  return page ? sendRefusedPage(reply, status, page) : sendJson(reply, status, body)
}

/** Not packed: it is small, and who is refused shall cost nothing. */
function sendRefusedPage<Reply extends HttpReply>(reply: Reply, status: number, { html, csp }: Page): Reply {
  reply.more = [
    ...(reply.more ?? []), // null where sendText says
    ...['content-security-policy', csp, 'referrer-policy', 'no-referrer'],
    ...['cross-origin-opener-policy', 'same-origin', 'vary', 'accept'],
  ]
  return sendText(reply, status, 'text/html; charset=utf-8', html)
}

/** Cuts a line after a moment. At once would be too early: a client that is still sending would not see its
 *  answer. */
export function cutSoon(socket: Duplex, ended: 'end' | 'close', stream: Duplex | IncomingMessage): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  timer.unref()
  stream.once(ended, () => clearTimeout(timer))
}

/** Refuses a request whose body was not read. What is still coming passes by unread, and not for long. */
export function refuseUnread<Reply extends HttpReply>(
  reply: Reply,
  error: unknown,
  options: HttpOptions,
  status422As?: 400,
): Reply {
  const { raw } = reply.request
  sendRefusal(reply, error, options, status422As)
  passUnread(raw)
  return reply
}
export function passUnread(raw: IncomingMessage): void {
  if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
  cutSoon(raw.socket, 'end', raw)
  raw.resume()
}

/** Sends a browser elsewhere, by GET. */
export function redirect<Reply extends HttpReply>(reply: Reply, address: string): Reply {
  reply.more.push('location', address, 'referrer-policy', 'no-referrer')
  return sendText(reply, 303, 'text/plain; charset=utf-8', '')
}

/** `meant`: the endpoint that was probably wanted. */
export const sendNotFound = <Reply extends HttpReply>(
  reply: Reply,
  options: HttpOptions,
  meant: string | null = null,
): Reply => {
  const { method, url } = reply.request
  const specifics = meant === null ? {} : { hint: `Did you mean ${meant}?` }
  return sendRefusal(
    reply,
    new Failure('ROUTE_UNKNOWN', { method, path: url.split('?')[0] ?? '' }, undefined, specifics),
    options,
  )
}

/** The text of a body, at most so many bytes of it. Nearly every body is one piece: then nothing is
 *  joined. */
export function readText(
  payload: IncomingMessage,
  most: number,
  done: (error: Error | null, text?: string) => void,
): void {
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
