// The files of the dashboard as the gateway serves them, from a build that the test makes: no database, no
// build of the real one.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttp, type FastifyInstance } from '#kit/http/http.ts'
import { createLog } from '#kit/log.ts'
import { dashboardRoutes } from './dashboard.routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowrie-dashboard-'))
let refuse = false
let app: FastifyInstance
const get = async (path: string, method: 'GET' | 'POST' = 'GET') => {
  const answer = await app.inject({ method, url: path, headers: { 'accept-encoding': 'identity' } })
  return { status: answer.statusCode, headers: answer.headers, text: answer.body }
}

beforeAll(async () => {
  const http = {
    log: createLog('test', 'fatal'),
    publicUrl: 'http://localhost',
    anonymous: {
      admit: () => {
        if (refuse) throw new Error('counted')
      },
    },
  } as never
  app = createHttp(http)
  app.post('/dashboard/v1/log-in', async (_request, reply) => reply.send({}))
  const ctx = { environment: 'sandbox', oidc: null }
  dashboardRoutes('merchant', pathToFileURL(`${folder}/`))({ app, ctx, http } as never)
  await app.ready()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('503 with the command that builds it, until it was built; then the screens, without a restart', async () => {
  const missing = await get('/dashboard')
  expect(missing.status).toBe(503)
  expect(missing.text).toContain('npm run build:dashboard')
  mkdirSync(join(folder, 'merchant/assets'), { recursive: true })
  writeFileSync(
    join(folder, 'merchant/index.html'),
    '<meta name="cowrie-environment" content="live" /><meta name="cowrie-identity-provider" content="off" />',
  )
  writeFileSync(join(folder, 'merchant/assets/app-1234.js'), 'start()')
  writeFileSync(join(folder, 'merchant/assets/app-1234.css'), 'body{}')
  writeFileSync(join(folder, 'merchant/manifest.json'), '{}')
  const page = await get('/dashboard')
  expect(page.status).toBe(200)
  expect(page.text).toBe(
    '<meta name="cowrie-environment" content="sandbox" /><meta name="cowrie-identity-provider" content="off" />',
  )
})

test('200 with the page and its policy for every address below it; it is asked for anew each time', async () => {
  for (const path of ['/dashboard', '/dashboard/', '/dashboard/account', '/dashboard/a/b/c', '/dashboard/v2']) {
    const { status, headers } = await get(path)
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8'])
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    )
  }
})

test('200 for files with a hash, kept for ever; 404 for files that are not there, and for what is beside them', async () => {
  const script = await get('/dashboard/assets/app-1234.js')
  expect([script.status, script.text]).toEqual([200, 'start()'])
  expect(script.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  })
  expect((await get('/dashboard/assets/app-1234.css')).headers['content-type']).toBe('text/css; charset=utf-8')
  for (const path of ['other.js', '..%2Fmanifest.json', '..%2Findex.html', 'constructor'])
    expect([path, (await get(`/dashboard/assets/${path}`)).status]).toEqual([path, 404])
})

test('404 and 405 of the API below it stay the envelope, and count as unknown addresses do', async () => {
  const unknown = await get('/dashboard/v1/nothing')
  expect([unknown.status, JSON.parse(unknown.text).problem.code]).toEqual([404, 'ROUTE_UNKNOWN'])
  expect((await get('/dashboard/v1/nothing', 'POST')).status).toBe(404)
  expect((await get('/dashboard/account', 'POST')).status).toBe(404)
  const other = await get('/dashboard/v1/log-in')
  expect([other.status, other.headers['allow']]).toEqual([405, 'POST'])
  refuse = true
  expect((await get('/dashboard/v1/nothing')).status).toBe(500) // the limit is asked
  expect((await get('/dashboard/account')).status).toBe(200) // and here it is not
  refuse = false
})
