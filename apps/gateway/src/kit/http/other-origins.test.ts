// Who may call from a page of another origin: whoever calls the API of a sandbox, without anything of the
// browser's. Nobody else, and in live nobody.

import { ROUTES } from '@cowrie/contract'
import { pathForPeople } from '@cowrie/contract/kit/people-routes'
import type { Route } from '@cowrie/contract/kit/spec'
import { SCREEN_ROUTES } from '@cowrie/contract/screens/files'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initialise, useHarness } from '#test/kit/harness.ts'
import { personIn } from '#test/people/sessions.ts'
import { freePort } from '../../../../../tools/ports.ts'
import { createApi } from '../../app.ts'
import type { FastifyInstance } from './http.ts'

const harness = useHarness({ settings: async () => ({ ANONYMOUS_PER_SECOND: '1000000' }) })
const ORIGIN = 'https://docs.example'
const INIT = '/api/v1/merchant/transactions/init-transaction'

let live: { readonly app: FastifyInstance; readonly url: string }
beforeAll(async () => {
  const { gateway, config } = harness()
  const port = await freePort()
  const app = createApi({ ...gateway, clock: null, ctx: { ...gateway.ctx, environment: 'live' } }, { ...config, port })
  await app.listen({ host: '127.0.0.1', port })
  live = { app, url: `http://127.0.0.1:${port}` }
})
afterAll(() => live.app.close())

const filled = (path: string): string => path.replace(/\{\w+\}/g, 'x')
const API: readonly Route[] = ROUTES.filter(({ path }) => path.startsWith('/api/'))
const ELSEWHERE: readonly (readonly [method: string, path: string])[] = [
  ...[...ROUTES.filter((route) => !API.includes(route)), ...SCREEN_ROUTES].map(
    ({ method, path }) => [method, filled(path)] as const,
  ),
  ...ROUTES.flatMap((route) => {
    const path = pathForPeople(route)
    return path === null ? [] : [[route.method, filled(path)] as const]
  }),
  ...['/', '/docs', '/openapi.json', '/health', '/checkout/x', '/dashboard', '/apis/', '/operator/v1/me'].map(
    (path) => ['GET', path] as const,
  ),
]

/** Node's own client lets a program say where it comes from; a browser says it itself. */
const ask = (url: string, method: string, headers: Record<string, string> = {}, body?: string): Promise<Response> =>
  fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) })
const preflight = (url: string, method = 'POST'): Promise<Response> =>
  ask(url, 'OPTIONS', {
    origin: ORIGIN,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
    'access-control-request-private-network': 'true',
  })
const opened = (answer: Response): Record<string, string> =>
  Object.fromEntries([...answer.headers].filter(([name]) => name.startsWith('access-control-')))
const ANSWERED = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, idempotent-replayed, x-cowrie-unknown-fields, retry-after, allow',
}

describe('the API of a sandbox', () => {
  test('204 for the preflight of every route, without credentials', async () => {
    for (const { method, path } of API) {
      const answer = await preflight(harness().apiUrl + filled(path), method)
      expect([path, answer.status, opened(answer)]).toEqual([
        path,
        204,
        {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
          'access-control-allow-private-network': 'true',
          'access-control-max-age': '600',
        },
      ])
      expect(answer.headers.get('x-request-id')).not.toBeNull()
    }
  })

  test('every answer can be read: a success and a refusal, the direct way and the other, and 404', async () => {
    const h = harness()
    const token = { authorization: `Bearer ${await h.token(h.merchants.main)}` }
    const json = { origin: ORIGIN, 'content-type': 'application/json' }
    const { transactionReference } = await initialise(h, h.merchants.main)
    const answers = [
      await ask(`${h.apiUrl}${INIT}`, 'POST', { ...json, ...token }, '{}'),
      await ask(`${h.apiUrl}${INIT}?a=b`, 'POST', { ...json, ...token }, '{}'),
      await ask(`${h.apiUrl}${INIT}`, 'POST', json, '{}'),
      await ask(`${h.apiUrl}/api/v2/transactions/${encodeURIComponent(transactionReference)}`, 'GET', {
        origin: ORIGIN,
        ...token,
      }),
      await ask(`${h.apiUrl}/api/v9/nothing`, 'GET', { origin: ORIGIN }),
      await ask(`${h.apiUrl}${INIT}`, 'GET', { origin: ORIGIN }),
      await ask(`${h.apiUrl}${INIT}`, 'OPTIONS', { origin: ORIGIN }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 401, 200, 404, 405, 405])
    for (const answer of answers) expect([answer.url, opened(answer)]).toEqual([answer.url, ANSWERED])
    for (const answer of answers) expect(answer.headers.get('x-request-id')).not.toBeNull()
  })

  test('a program, which has no origin, is answered as ever; OPTIONS is 405', async () => {
    const { apiUrl } = harness()
    const options = await ask(apiUrl + INIT, 'OPTIONS', { 'access-control-request-method': 'POST' })
    expect([options.status, options.headers.get('allow'), opened(options)]).toEqual([405, 'POST', {}])
    expect(opened(await ask(apiUrl + INIT, 'POST', { 'content-type': 'application/json' }, '{}'))).toEqual({})
  })

  test('401 for the cookie of somebody who is logged in, on every route that needs anybody; no answer sets one', async () => {
    const h = harness()
    const { token } = await personIn(h, 'merchant', 'owner', { merchant: h.merchants.main })
    const cookie = `__Host-cowrie=${token}`
    const me = await ask(`${h.apiUrl}/dashboard/v1/me`, 'GET', { cookie, 'sec-fetch-site': 'same-origin' })
    expect(me.status, 'the cookie is one that counts where people are').toBe(200)
    const wrong: string[] = []
    for (const { id, method, path, auth } of API) {
      const json = method === 'GET' ? {} : { 'content-type': 'application/json' }
      const headers = { cookie, origin: h.apiUrl, 'sec-fetch-site': 'same-origin', ...json }
      const answer = await ask(h.apiUrl + filled(path), method, headers, method === 'GET' ? undefined : '{}')
      if (answer.status !== (auth === 'none' ? 200 : 401)) wrong.push(`${id}: ${answer.status}`)
      if (answer.headers.get('set-cookie') !== null) wrong.push(`${id} sets a cookie`)
    }
    expect(wrong).toEqual([])
  })
})

describe('what a page of another origin may not read', () => {
  test('anything of a sandbox but the API: people, payers, the bank, the sandbox’s own calls', async () => {
    const h = harness()
    const wrong: string[] = []
    for (const [method, path] of ELSEWHERE)
      for (const answer of [
        await preflight(h.apiUrl + path, method),
        await ask(h.apiUrl + path, method, { origin: ORIGIN }),
      ])
        if (Object.keys(opened(answer)).length > 0 || answer.status === 204)
          wrong.push(`${method} ${path}: ${answer.status}`)
    expect(wrong).toEqual([])
    expect(ELSEWHERE.length).toBeGreaterThan(140)
  })

  test('the operator’s own listener, at any address', async () => {
    const { operatorUrl } = harness()
    for (const path of [INIT, '/operator/v1/me', '/'])
      for (const answer of [
        await preflight(operatorUrl + path),
        await ask(operatorUrl + path, 'GET', { origin: ORIGIN }),
      ])
        expect([path, opened(answer)]).toEqual([path, {}])
  })

  test('anything of live: OPTIONS is 405 with Allow, whoever asks', async () => {
    for (const { method, path } of API) {
      const asked = await preflight(live.url + filled(path), method)
      const got = await ask(live.url + filled(path), method, { origin: ORIGIN })
      expect([path, asked.status, opened(asked), opened(got)]).toEqual([path, 405, {}, {}])
      expect(asked.headers.get('allow')).toContain(method)
    }
  })
})
