// The HTTP kit: a Fastify server whose every answer is the envelope (also for unknown routes, malformed
// requests and faults of our own) and carries the request's id. It knows no business; core/bind.ts puts
// routes on it.

import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { monotonicMs } from '../clock.ts'
import { Failure } from '../fail.ts'
import { type AnsweredRoute, type TellAnswered, watchAnswer } from './answered.ts'
import {
  cutSoon,
  type HttpOptions,
  LINGER_MS,
  passUnread,
  type RequestBy,
  type RequestContent,
  readText,
  refusal,
  refuseUnread,
  sendNotFound,
  sendRefusal,
} from './answers.ts'
import { type DirectRoute, logAnswer, serveDirectly } from './direct.ts'
import { findMeter, type RouteMeter } from './meter.ts'
import { watchMethods } from './methods.ts'
import { requestId } from './request-id.ts'

export const BODY_MAX_BYTES = 64 * 1024
/** A request is here within so long of its first byte, its headers sooner; Node looks every so often. A line
 *  that was refused is still read for a while, so that its client sees the answer; then it is cut, whatever
 *  the client does. */
export const TIMES = { headersMs: 10_000, requestMs: 15_000, lookEveryMs: 1_000, lingerMs: LINGER_MS }
/** Streams of checkouts are the most (5,000 a process), and payments need room beside them. */
const CONNECTIONS_MAX = 10_000

declare module 'fastify' {
  interface FastifyReply {
    /** Headers of this answer beside those of every answer: name, value, name, value. */
    more: string[]
    since: number
    meter: RouteMeter | null
  }
  interface FastifyRequest {
    by: RequestBy | null
    errorCode: string | null
    asked: RequestContent | null
    answer: unknown
  }
  interface FastifyContextConfig {
    /** What a record of requests knows the route by; without it there is none of it. */
    logged?: AnsweredRoute
    /** The route limits unauthenticated callers itself: its callers have a token or a signature, or it costs
     *  nothing. */
    knows?: true
    /** What its requests are counted by. */
    meter?: RouteMeter
    /** It serves what no other route does; which methods an address knows is not for it to say. */
    takesTheRest?: true
  }
  interface FastifyInstance {
    /** Routes that are served without the framework when their request is a plain one, by path. */
    direct: Map<string, DirectRoute>
    /** Called with how each request of a route that is `logged` ended. */
    answered: TellAnswered | null
    /** The process is about to end: every answer asks its caller to use another connection next. */
    draining: boolean
  }
}

/** What is not HTTP, or did not arrive in time: an answer, and the connection is closed. */
function refuseLine(error: Error & { code?: string }, socket: Duplex, publicUrl: string): void {
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const { status, body } = refusal(new Failure(late ? 'REQUEST_TIMEOUT' : 'MALFORMED_BODY'), requestId(), publicUrl)
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

function decorate(app: FastifyInstance): void {
  app.decorateReply('more', null as unknown as string[])
  app.decorateReply('since', 0)
  app.decorateReply('meter', null)
  app.decorateRequest('by', null)
  app.decorateRequest('errorCode', null)
  app.decorateRequest('asked', null)
  app.decorateRequest('answer', null)
  app.decorate('answered', null)
  app.decorate('draining', false)
  app.decorate('direct', new Map<string, DirectRoute>())
}

const LOOK_FOR_IDLE_MS = 100

/** Once the server closes, no connection without a request holds it up: neither one that never sent any,
 *  which Node does not call idle, nor one whose last answer went out meanwhile. Answers whether it closes. */
function endConnections(app: FastifyInstance): () => boolean {
  const open = new Set<Socket>()
  let closing = false
  app.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  app.addHook('preClose', (done) => {
    closing = true
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    const look = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_MS)
    look.unref()
    app.server.once('close', () => clearInterval(look))
    done()
  })
  return () => closing
}

/** Every route gets what it is counted by; answers with those of POST, by path, for the direct way. */
function meterRoutes(app: FastifyInstance): ReadonlyMap<string, RouteMeter> {
  const meters = new Map<string, RouteMeter>()
  app.addHook('onRoute', (route) => {
    const meter = findMeter([route.method].flat().join(), route.url)
    if (route.method === 'POST') meters.set(route.url, meter)
    route.config = { ...route.config, meter }
  })
  return meters
}

const bareServer = (options: HttpOptions, times: typeof TIMES): FastifyInstance =>
  Fastify({
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: times.requestMs,
    http: { headersTimeout: times.headersMs, connectionsCheckingInterval: times.lookEveryMs },
    genReqId: requestId,
    forceCloseConnections: 'idle',
    return503OnClosing: false, // its body is not the envelope; see onRequest
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: true },
    frameworkErrors: (error, _request, reply) => void sendRefusal(reply, error, options),
    clientErrorHandler: (error, socket) => refuseLine(error, socket, options.publicUrl),
  })

export function createHttp(options: HttpOptions, times = TIMES): FastifyInstance {
  const app = bareServer(options, times)
  app.server.maxConnections = CONNECTIONS_MAX
  const isClosing = endConnections(app)
  const { methodsOf, meant } = watchMethods(app)
  const meters = meterRoutes(app)
  const nowhereMeter = findMeter('ANY', 'unknown')
  // Bodies arrive as text: each route reads its own with the strict reader, guided by its schema.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) =>
    readText(payload, request.routeOptions.bodyLimit ?? BODY_MAX_BYTES, done),
  )
  decorate(app)
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
    const path = request.url.split('?')[0] ?? ''
    const allow = methodsOf(path).join(', ')
    if (allow === '') return sendNotFound(reply, options, meant(request.method, path))
    reply.more.push('allow', allow)
    return sendRefusal(reply, new Failure('METHOD_NOT_ALLOWED', { allow, method: request.method }), options)
  }
  // Browsers that came once by https never come by http again.
  const lasting = options.publicUrl.startsWith('https://') ? ['strict-transport-security', 'max-age=31536000'] : []
  app.addHook('onRequest', (request, reply, done) => {
    reply.more = [...lasting]
    reply.since = monotonicMs()
    reply.meter = request.routeOptions.config.meter ?? nowhereMeter
    if (isClosing()) return void refuseUnread(reply, new Failure('UNAVAILABLE', {}, 'the process is ending'), options)
    if (!request.is404) {
      const { logged } = request.routeOptions.config
      if (app.answered && logged) watchAnswer(app.answered, logged, request, reply.raw)
      return done()
    }
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
    app.addHook('onResponse', (_request, reply, done) => {
      logAnswer(options.log, reply, reply.elapsedTime)
      done()
    })
  }
  app.setNotFoundHandler(nowhere)
  app.setErrorHandler((error, _request, reply) => sendRefusal(reply, error, options))
  serveDirectly(app, options, lasting, meters)
  return app
}

export type { FastifyInstance, FastifyReply, FastifyRequest }
