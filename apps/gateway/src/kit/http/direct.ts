// The direct way of the routes that every payment takes. A framework asks each request questions that these
// never have another answer to. Only a plain request goes this way (a POST to the exact path with a JSON body
// of a stated length); everything else about it, and every request while the server closes, goes to the
// framework (docs/decisions/0006-batching.md has the figures). Both ways hold the same promises, and the same
// tests ask both: a query (`?`) is enough to take the other.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { monotonicMs } from '../clock.ts'
import type { Log } from '../log.ts'
import { whoAndWhat } from './about.ts'
import { type AnsweredRoute, watchAnswer } from './answered.ts'
import { type HttpOptions, type HttpReply, type HttpRequest, readText, routePath, sendRefusal } from './answers.ts'
import type { RouteMeter } from './meter.ts'
import { requestId } from './request-id.ts'

export type DirectRoute = {
  readonly bodyBytesMax: number
  /** What a record of requests knows it by; without it there is none of it. */
  readonly logged?: AnsweredRoute
  /** Answers the request. The body is there once `read` calls back; one that breaks off, and whatever is
   *  thrown behind it, is answered by `read`. */
  serve(request: HttpRequest, reply: HttpReply, read: (then: () => Promise<unknown>) => void): void
}

const NO_HIJACK = (): undefined => undefined
const NOTHING = Object.freeze({})
const JSON_TYPES = new Set(['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-8'])

/** A JSON body whose length is stated and allowed. Node has refused a request with both a length and
 *  chunks. */
function isPlain({ method, headers }: IncomingMessage, { bodyBytesMax }: DirectRoute): boolean {
  const type = headers['content-type']
  const length = headers['content-length']
  return (
    method === 'POST' &&
    type !== undefined &&
    JSON_TYPES.has(type) &&
    length !== undefined &&
    Number(length) <= bodyBytesMax &&
    headers.expect === undefined
  )
}

/** The line of the access log. */
export function logAnswer(log: Log, { request, raw }: HttpReply, elapsedMs: number): void {
  log.info('answered', {
    requestId: request.id,
    method: request.method,
    route: routePath(request),
    status: raw.statusCode,
    ms: Math.round(elapsedMs * 10) / 10,
    ...whoAndWhat(request),
  })
}

/** Puts the direct way before the framework's. `more` are headers of every answer. */
export function serveDirectly(
  app: FastifyInstance,
  options: HttpOptions,
  more: readonly string[],
  meters: ReadonlyMap<string, RouteMeter>,
): void {
  const framework = app.server.listeners('request')[0] as RequestListener
  app.server.removeListener('request', framework)
  let closing = false
  app.addHook('preClose', (done) => {
    closing = true
    done()
  })
  app.server.on('request', (raw: IncomingMessage, response: ServerResponse) => {
    if (app.draining) response.shouldKeepAlive = false
    const path = raw.url as string
    const route = app.direct.get(path)
    if (route === undefined || closing || !isPlain(raw, route)) return framework(raw, response)
    const request: HttpRequest = {
      id: requestId(),
      method: 'POST',
      url: path,
      headers: raw.headers,
      raw,
      socket: raw.socket,
      routeOptions: { url: path },
      query: NOTHING,
      params: NOTHING,
      body: undefined,
      by: null,
      errorCode: null,
      asked: null,
      answer: null,
    }
    const reply: HttpReply = {
      request,
      raw: response,
      more: [...more],
      since: monotonicMs(),
      meter: meters.get(path) ?? null,
      hijack: NO_HIJACK,
    }
    if (app.answered && route.logged) watchAnswer(app.answered, route.logged, request, response)
    if (options.log.infoEnabled) {
      response.once('finish', () => logAnswer(options.log, reply, monotonicMs() - reply.since))
    }
    const refuse = (error: unknown): void => {
      try {
        sendRefusal(reply, error, options)
      } catch (fault) {
        // Half an answer is out. No promise of a request may stay rejected: it would end the process.
        options.log.error('request failed', { requestId: request.id, route: path, error: fault })
        response.destroy()
      }
    }
    route.serve(request, reply, (then) =>
      readText(raw, route.bodyBytesMax, (error, text) => {
        if (error) return refuse(error)
        request.body = text
        then().catch(refuse)
      }),
    )
  })
}
