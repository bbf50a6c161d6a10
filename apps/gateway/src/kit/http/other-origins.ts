// Pages of another origin may call the API of a sandbox from a browser: the reference's "Try it" does. Only a
// sandbox calls this, once, when its routes are made; a live server has no trace of it. No cookie counts on
// these routes, so any origin may be let in: a page has what its reader typed into it, and nothing of the
// browser's.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { UNKNOWN_FIELDS_HEADER } from '@cowrie/contract/kit/envelope'
import type { FastifyInstance } from 'fastify'
import { monotonicMs } from '../clock.ts'
import { findMeter } from './meter.ts'
import { requestId } from './request-id.ts'

/** What merchants call. People, payers and the bank are elsewhere. */
const OPEN = '/api/'
const ANY_ORIGIN = ['access-control-allow-origin', '*'] as const
/** A page sees no header of an answer but those that are named. */
const SEEN = ['x-request-id', 'idempotent-replayed', UNKNOWN_FIELDS_HEADER, 'retry-after', 'allow'].join(', ')
const PREFLIGHT = [
  ...ANY_ORIGIN,
  ...['access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE'],
  ...['access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key'],
  // A page of the public network asks a machine of a private one.
  ...['access-control-allow-private-network', 'true'],
  ...['access-control-max-age', '600'],
  ...['cache-control', 'no-store'],
]

/** A program sends no origin, and is answered as ever: so is its OPTIONS. */
export function openToOtherOrigins(app: FastifyInstance): void {
  const meter = findMeter('OPTIONS', `${OPEN}*`)
  const next = app.server.listeners('request')[0] as RequestListener
  app.server.removeListener('request', next)
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, method, url = '' } = request
    if (headers.origin === undefined || !url.startsWith(OPEN)) return next(request, response)
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      response.setHeader(...ANY_ORIGIN)
      response.setHeader('access-control-expose-headers', SEEN)
      return next(request, response)
    }
    if (app.draining) response.shouldKeepAlive = false
    response.writeHead(204, [...PREFLIGHT, 'x-request-id', requestId()]).end()
    return meter(204, monotonicMs())
  })
}
