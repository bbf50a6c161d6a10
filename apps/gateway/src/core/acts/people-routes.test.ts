// A merchant's people at the public routes: who gets in, what is asked of them, what they see, and whose name
// is on what they do.

import { ROUTES } from '@cowrie/contract'
import { MASKED, masked, PLAIN } from '@cowrie/contract/access/masking'
import { VIEWS } from '@cowrie/contract/acts'
import { needsProof, PEOPLE_HOME, pathForPeople } from '@cowrie/contract/kit/people-routes'
import { MERCHANT_ROLES, rolePermissions } from '@cowrie/contract/kit/permissions'
import { EVERY_KEY, type Route } from '@cowrie/contract/kit/spec'
import { beforeAll, describe, expect, test } from 'vitest'
import { codeOf, money, newMerchant, order, SINGLE, VALIDATE } from '#test/features/payouts/disbursements.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { type Harness, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { type PersonIn, personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness({ settings: async () => ({ ANONYMOUS_PER_SECOND: '1000000' }) })
const ROLES = Object.keys(MERCHANT_ROLES)
const forPeople = ROUTES.filter((route) => pathForPeople(route) !== null)

let merchant: TestMerchant
const stale = new Map<string, PersonIn>()
const fresh = new Map<string, PersonIn>()
const the = (team: ReadonlyMap<string, PersonIn>, role: string): PersonIn => team.get(role) ?? expect.fail(role)

beforeAll(async () => {
  const h = harness()
  merchant = await newMerchant(h)
  const provedAt = new Date(h.gateway.ctx.clock.now().getTime() - 6 * 60_000)
  for (const role of ROLES) {
    stale.set(role, await personIn(h, 'merchant', role, { merchant, provedAt }))
    fresh.set(role, await personIn(h, 'merchant', role, { merchant }))
  }
})

async function send(h: Harness, person: PersonIn | null, method: string, path: string, body?: unknown, more = {}) {
  const answer = await fetch(`${h.apiUrl}${PEOPLE_HOME}${path}`, {
    method,
    headers: {
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(person ? sessionHeader(person) : {}),
      ...more,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = text.startsWith('{') ? JSON.parse(text) : {}
  return { status: answer.status, code: json.problem?.code ?? null, text, json }
}
/** Something of every parameter that nobody has. */
const pathOf = ({ path }: Route): string => path.replace(/\{\w+\}/g, 'nothing')
const ask = (h: Harness, person: PersonIn | null, route: Route, more = {}) =>
  send(h, person, route.method, pathOf(route), route.method === 'GET' ? undefined : {}, more)
/** A file cannot be shown in part. */
const may = (role: string, { permission, file }: Route): boolean =>
  permission === EVERY_KEY ||
  [permission, ...(file ? (['personalData.read'] as const) : [])].every(
    (one) => one !== undefined && rolePermissions('merchant', role).has(one),
  )

describe('the public routes', () => {
  test('are there for people, but for those that take a card', () => {
    const left = ROUTES.filter(({ auth }) => auth === 'bearer').filter((route) => !forPeople.includes(route))
    expect(left.map(({ id }) => id)).toEqual(['cards.charge', 'cards.authoriseOtp', 'cards.authorise3ds'])
  })

  test.each(ROLES)(
    'refuse %s what the role may not, and ask for a proof where money or a destination moves',
    async (role) => {
      const h = harness()
      const wrong: string[] = []
      for (const route of forPeople) {
        const { code } = await ask(h, the(stale, role), route)
        const expected = may(role, route) ? (needsProof(route) ? 'PROOF_NEEDED' : null) : 'PERMISSION_DENIED'
        const fits = expected === null ? !['PROOF_NEEDED', 'PERMISSION_DENIED'].includes(code) : code === expected
        if (!fits) wrong.push(`${route.id}: ${code}, not ${expected}`)
      }
      expect(wrong).toEqual([])
    },
  )

  test('refuse nobody, an API key’s token, half a log-in, and what another site sends', async () => {
    const h = harness()
    const half = await personIn(h, 'merchant', 'owner', { merchant, half: true, provedAt: null })
    const token = { authorization: `Bearer ${await h.token(merchant)}` }
    const away = {
      cookie: `__Host-cowrie=${the(fresh, 'owner').token}`,
      'sec-fetch-site': 'cross-site',
    }
    for (const route of forPeople) {
      const codes = [
        (await ask(h, null, route)).code,
        (await ask(h, null, route, token)).code,
        (await ask(h, half, route)).code,
        route.method === 'GET' ? 'CROSS_SITE' : (await ask(h, null, route, away)).code,
      ]
      expect([route.id, ...codes]).toEqual([
        route.id,
        'SESSION_MISSING',
        'SESSION_MISSING',
        'SESSION_HALF',
        'CROSS_SITE',
      ])
    }
  })

  test('another merchant’s objects answer like unknown ones', async () => {
    const h = harness()
    const { transactionReference } = await paid(h, await newMerchant(h))
    const mine = await paid(h, merchant)
    const get = async (reference: string) => {
      const got = await send(h, the(fresh, 'owner'), 'GET', `/api/v2/transactions/${encodeURIComponent(reference)}`)
      return { ...got, json: null, text: got.text.replaceAll(reference, '…').replace(/"requestId":"[^"]+"/, '') }
    }
    expect(await get(transactionReference)).toEqual(await get(`${transactionReference}0`))
    expect((await get(mine.transactionReference)).status).toBe(200)
  })
})

describe('what a person does', () => {
  test('has a line in the audit trail with the name, in the same transaction; what was refused has none', async () => {
    const h = harness()
    const { email } = the(fresh, 'finance')
    const url = '/api/v1/payment-policy'
    const policy = (await send(h, the(fresh, 'owner'), 'GET', url)).json.responseBody
    const before = await linesOf(h, email)
    await send(h, the(fresh, 'finance'), 'PUT', url, policy)
    expect(await linesOf(h, email)).toEqual(before) // finance may not
    const link = { title: 'Ankara', amount: 100, currencyCode: 'NGN', contractCode: merchant.contractCode }
    const made = await send(h, the(fresh, 'finance'), 'POST', '/api/v1/payment-links', link)
    expect([made.status, made.text]).toEqual([200, expect.any(String)])
    expect(await linesOf(h, email)).toEqual([...before, 'paymentLinks.create'])
  })

  test('so has money that leaves, which is done in several steps: one line each, with or without an Idempotency-Key, or nothing is sent', async () => {
    const h = harness()
    const sender = await newMerchant(h, { otp: true })
    const person = await personIn(h, 'merchant', 'owner', { merchant: sender })
    const to = (body: object, more = {}) => send(h, person, 'POST', SINGLE, body, more)
    const first = order(sender, { amount: 250 })
    const key = { 'idempotency-key': 'from-a-screen-2' }
    for (const again of [1, 2]) expect([again, (await to(first, key)).status]).toEqual([again, 200])
    const code = { reference: first.reference, authorizationCode: await codeOf(h, sender, first.reference) }
    expect((await send(h, person, 'POST', VALIDATE, code)).json.responseBody.status).toBe('SUCCESS')
    expect((await to(order(sender, { amount: 251 }))).status).toBe(200)
    const lines = ['transfers.initiate', 'transfers.authorise', 'transfers.initiate']
    expect(await linesOf(h, person.email)).toEqual(lines)
    const before = await money(h, sender)
    await dyingAt(h, 'trail', async () => expect((await to(order(sender, { amount: 252 }))).status).toBe(500))
    expect([await money(h, sender), await linesOf(h, person.email)]).toEqual([before, lines])
  })

  test('a payout above the amount for two people waits; whoever asked cannot approve it, somebody else can', async () => {
    const h = harness()
    const careful = await newMerchant(h)
    await h.as(careful, 'PUT', '/api/v1/disbursement-settings', { lowBalanceThreshold: null, approvalAbove: 200 })
    const [asker, other] = [
      await personIn(h, 'merchant', 'owner', { merchant: careful }),
      await personIn(h, 'merchant', 'finance', { merchant: careful }),
    ]
    const body = order(careful, { amount: 250 })
    const key = { 'idempotency-key': 'from-a-screen-1' }
    const sent = await send(h, asker, 'POST', SINGLE, body, key)
    expect([sent.status, sent.json.responseBody?.status, sent.text]).toEqual([200, 'PENDING_AUTHORIZATION', sent.text])
    expect((await send(h, asker, 'POST', SINGLE, body, key)).text).toBe(sent.text)
    const queue = await send(h, other, 'GET', '/views/approvals.list?state=WAITING')
    const [waiting] = queue.json.responseBody.content
    expect(waiting.requestedBy).toMatchObject({ kind: 'person', name: asker.email })
    const approve = (person: PersonIn) =>
      send(h, person, 'POST', '/acts/approvals.approve', { input: { reference: waiting.reference } })
    expect((await approve(asker)).code).toBe('APPROVAL_OWN')
    expect((await approve(other)).json.responseBody.outcome).toBe('DONE')
  })

  const linesOf = async (h: Harness, name: string): Promise<string[]> =>
    (await h.sql('01', 'select what from trail where actor_name = $1 order by number', [name])).map(({ what }) => what)
})

describe('who may not see personal data', () => {
  test('gets none of its bytes: of a payment, a list, and an answer that was kept for an Idempotency-Key', async () => {
    const h = harness()
    const { transactionReference } = await paid(h, merchant, {
      customerName: 'Ngozi Okafor',
      customerEmail: 'ngozi@adire.example',
    })
    const paths = [
      `/api/v2/transactions/${encodeURIComponent(transactionReference)}`,
      `/api/v1/transactions/search?transactionReference=${encodeURIComponent(transactionReference)}`,
    ]
    for (const path of paths) {
      const [whole, part] = [
        await send(h, the(fresh, 'owner'), 'GET', path),
        await send(h, the(fresh, 'support'), 'GET', path),
      ]
      expect([whole.status, part.status]).toEqual([200, 200])
      expect(whole.text).toMatch(/Ngozi Okafor.*ngozi@adire|ngozi@adire.*Ngozi Okafor/)
      expect(part.text).not.toMatch(/Ngozi|Okafor|ngozi/)
      expect(part.text).toMatch(/N\. O\./)
      expect(part.text).toContain('n…@adire.example')
    }
  })

  test('every text of every reply is shown in part or known to be about no person', () => {
    const found = new Set<string>()
    const walk = (schema: any, name: string): void => {
      for (const [key, inner] of Object.entries(schema?.properties ?? {})) walk(inner, key)
      for (const inner of schema?.anyOf ?? []) walk(inner, name)
      if (schema?.items) walk(schema.items, name)
      if (schema?.type === 'string' || schema?.enum) found.add(name)
    }
    for (const route of forPeople.filter(({ file }) => !file)) walk(route.reply, '')
    expect(found.size).toBeGreaterThan(100)
    expect([...found].filter((name) => !MASKED.has(name) && !PLAIN.has(name))).toEqual([])
    expect([...MASKED.keys()].filter((name) => PLAIN.has(name))).toEqual([])
  })

  test('a view that is masked still is what its schema says: no field that is masked has a form of its own', () => {
    const formed: string[] = []
    const walk = (schema: any, at: string, name: string): void => {
      for (const [key, inner] of Object.entries(schema?.properties ?? {})) walk(inner, `${at} ${key}`, key)
      for (const inner of schema?.anyOf ?? []) walk(inner, at, name)
      if (schema?.items) walk(schema.items, at, name)
      const form = schema?.pattern ?? schema?.enum ?? schema?.minLength
      if (MASKED.has(name) && form !== undefined) formed.push(at)
    }
    for (const { side, id, reply } of VIEWS) if (side === 'merchant') walk(reply, id, '')
    expect(formed).toEqual([])
  })

  test('a field that nobody has decided about is hidden, at any depth', () => {
    const value = {
      brandNew: 'Ngozi',
      list: [{ accountNumber: '0123456789', amount: 5, metaData: { any: 'x' } }],
      reference: 'R1',
    }
    expect(masked(value)).toEqual({
      brandNew: '(hidden)',
      list: [{ accountNumber: '…6789', amount: 5, metaData: {} }],
      reference: 'R1',
    })
  })
})
