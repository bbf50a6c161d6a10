// View-as: only with a grant of one's own, for an hour, read only and masked; the merchant is notified and
// every look is counted. Over HTTP.

import { ROUTES } from '@cowrie/contract'
import { ACTS, VIEWS } from '@cowrie/contract/acts'
import { OPERATOR_ROLES } from '@cowrie/contract/kit/permissions'
import { pathForViewing, permissionsViewedAs } from '@cowrie/contract/screens/view-as'
import { beforeAll, expect, test } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { actorOf, doAct, show } from '#test/features/access/acts.ts'
import { mailsTo, newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { type PersonIn, personIn, sessionHeader } from '#test/people/sessions.ts'
import { look } from './viewing.ts'

const harness = useHarness({ settings: async () => ({ ANONYMOUS_PER_SECOND: '1000000' }) })
const REASON = 'Ticket 4711: a payout is missing'
let merchant: TestMerchant
let clerk: PersonIn

async function send(method: string, path: string, body?: object, person = clerk) {
  const answer = await fetch(harness().operatorUrl + path, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...sessionHeader(person),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  })
  const text = await answer.text()
  const json = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: answer.status, code: json.problem?.code ?? null, body: json.responseBody, text }
}
const at = (path: string, of = merchant): string => `/operator/v1/as/${of.apiKey}${path}`
const begin = (body: object, person = clerk) => send('POST', '/operator/v1/acts/viewas.begin', body, person)

beforeAll(async () => {
  const h = harness()
  merchant = await newMerchant(h)
  clerk = await personIn(h, 'operator', 'support')
  const before = await send('GET', at('/me'))
  const { status, text } = await begin({ merchant: merchant.apiKey, input: { role: 'finance' }, reason: REASON })
  if (before.code !== 'VIEW_NOT_OPEN' || status !== 200) throw new Error(`${before.code}, then ${text}`)
})

test('the merchant is mailed and has a line with name and reason; without a reason or the permission nobody looks', async () => {
  const h = harness()
  const lines = await h.sql(
    '01',
    `select actor_name, reason, after from trail where merchant_id = $1 and what = 'viewas.begin'`,
    [merchant.id],
  )
  expect(lines).toEqual([
    { actor_name: clerk.email, reason: REASON, after: expect.stringContaining('"role":"finance"') },
  ])
  await advance(h, 1)
  const [mail] = await mailsTo(h, merchant)
  expect(mail).toMatchObject({ subject: 'The operator looks at your dashboard' })
  expect(mail?.text).toContain(clerk.email)
  expect(mail?.text).toContain(REASON)
  const asked = { merchant: merchant.apiKey, input: { role: 'finance' } }
  expect(await begin(asked)).toMatchObject({ status: 400, code: 'FIELD_MISSING' })
  for (const role of Object.keys(OPERATOR_ROLES)) {
    const person = await personIn(h, 'operator', role)
    const may = ['admin', 'operations', 'support'].includes(role)
    const { status } = await begin({ ...asked, merchant: h.merchants.other.apiKey, reason: REASON }, person)
    expect([role, status]).toEqual([role, may ? 200 : 403])
  }
})

test('every view and every route that only reads answers; what is about persons is masked, and each look is counted', async () => {
  const h = harness()
  const { transactionReference } = await paid(h, merchant, { customerName: 'Adaeze Okonkwo' })
  const seen = await send('GET', at(`/views/payments.show?reference=${encodeURIComponent(transactionReference)}`))
  expect([seen.status, seen.text.includes('Okonkwo'), seen.text.includes('A. O.')]).toEqual([200, false, true])
  const listed = await send('GET', at('/api/v1/transactions/search'))
  expect([listed.status, listed.text.includes(transactionReference), listed.text.includes('Okonkwo')]).toEqual([
    200,
    true,
    false,
  ])
  const count = async () =>
    (await h.sql('01', 'select views from view_grants where merchant_id = $1 order by id', [merchant.id])).at(-1)?.views
  const before = await count()
  const may = permissionsViewedAs('finance')
  const views = VIEWS.filter(({ side }) => side === 'merchant')
  const routes = ROUTES.flatMap((route) => {
    const path = pathForViewing(route)
    return path === null
      ? []
      : [{ route, path: path.replace('{viewed}', merchant.apiKey).replace(/\{\w+\}/g, 'nothing') }]
  })
  const wrong: string[] = []
  for (const { id, permission } of views) {
    const { code } = await send('GET', at(`/views/${id}`))
    if ((code === 'PERMISSION_DENIED') === may.has(permission) || code === 'INTERNAL') wrong.push(`${id} ${code}`)
  }
  for (const { route, path } of routes) {
    const { code, status } = await send('GET', path)
    const denied = route.permission !== 'every key' && !may.has(route.permission as never)
    if ((code === 'PERMISSION_DENIED') !== denied || code === 'ROUTE_UNKNOWN' || status >= 500)
      wrong.push(`${route.id} ${status} ${code}`)
  }
  expect(wrong).toEqual([])
  expect((await count()) - before).toBe(views.length + routes.length)
  expect(routes.length).toBeGreaterThan(40)
})

test('404 for every act and every route that changes something, by whatever method, and nothing is written', async () => {
  const h = harness()
  const rows = () =>
    h.sql('01', `select (select count(*) from trail) as lines, (select count(*) from approvals) as waiting`)
  const before = await rows()
  const wrong: string[] = []
  const refused = async (method: string, path: string): Promise<void> => {
    const { status, code } = await send(method, path)
    if (![404, 405].includes(status)) wrong.push(`${method} ${path}: ${status} ${code}`)
  }
  for (const { id } of ACTS) await refused('POST', at(`/acts/${id}`))
  for (const { id } of VIEWS) await refused('POST', at(`/views/${id}`))
  for (const route of ROUTES) {
    const path = at(route.path.replace(/\{\w+\}/g, 'nothing'))
    if (route.method !== 'GET') await refused(route.method, path)
    if (pathForViewing(route) !== null) for (const method of ['POST', 'PUT', 'DELETE']) await refused(method, path)
  }
  expect(wrong).toEqual([])
  expect(await rows()).toEqual(before)
})

test('403 VIEW_NOT_OPEN after an hour by the clock, after the end, at another merchant, and for anybody else', async () => {
  const h = harness()
  const { ctx, merchants } = h.gateway
  const own = (await merchants.byApiKey(merchant.apiKey)) as Merchant
  const other = (await merchants.byApiKey(h.merchants.second.apiKey)) as Merchant
  const [one, another] = [actorOf('operator', 'support'), actorOf('operator', 'support')]
  const looks = async (by: Actor, whom = own): Promise<string> => {
    const got = await look(ctx, { actor: by, merchant: null, provedAt: null }, whom).catch((error) => error)
    return got.code ?? got.actor.role
  }
  const input = { role: 'auditor' }
  await doAct(h, one, 'viewas.begin', { merchant, input, reason: REASON })
  expect([await looks(one), await looks(another), await looks(one, other)]).toEqual([
    'auditor',
    'VIEW_NOT_OPEN',
    'VIEW_NOT_OPEN',
  ])
  expect(await looks({ ...one, may: () => false })).toBe('PERMISSION_DENIED')
  await advance(h, 59 * 60)
  expect(await looks(one)).toBe('auditor')
  await advance(h, 61)
  expect(await looks(one)).toBe('VIEW_NOT_OPEN')
  expect(await show(h, one, 'viewas.show', { merchant: merchant.apiKey })).toEqual({ viewing: null })

  await doAct(h, one, 'viewas.begin', { merchant, input, reason: REASON })
  await looks(one)
  const { reply } = await doAct(h, one, 'viewas.end', { merchant })
  expect([reply.views, await looks(one)]).toEqual([1, 'VIEW_NOT_OPEN'])
  await expect(doAct(h, one, 'viewas.end', { merchant })).rejects.toMatchObject({ code: 'VIEW_NOT_OPEN' })
})
