// How people come in without a password: passkeys in Chromium with its virtual authenticator, and an identity
// provider that is a process of its own. What must be refused is tried here with signatures that are good but
// for the one thing.
import { createHash } from 'node:crypto'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineTx } from '../../apps/gateway/src/core/cells/cells.ts'
import { begin } from '../../apps/gateway/src/features/access/people/oidc/oidc.ts'
import { proveBy } from '../../apps/gateway/src/features/access/people/passkeys/passkeys.routes.ts'
import { sharedEntrance } from '../../apps/gateway/src/features/access/people/sessions/entrance.ts'
import { startSession } from '../../apps/gateway/src/features/access/people/sessions/sessions.ts'
import { actorOf, sharedOf } from '../../apps/gateway/test/features/access/acts.ts'
import { useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { startProvider, type TestProvider, visitor } from '../../apps/gateway/test/oidc/oidc.ts'
import { launch } from './browser.ts'

let provider: TestProvider
const harness = useHarness({
  host: 'localhost',
  settings: async ({ apiUrl, operatorUrl }) => {
    provider = await startProvider([`${apiUrl}/dashboard/v1/oidc/callback`, `${operatorUrl}/operator/v1/oidc/callback`])
    return provider.settings
  },
})
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await provider.stop()
})

// ---- people

type Person = { readonly id: bigint; readonly email: string; token: string }
let people = 0n
/** Somebody of the main merchant, with a session as after a log-in by password. */
async function person(name: string, side: 'merchant' | 'operator' = 'merchant'): Promise<Person> {
  const h = harness()
  people += 10n
  const [id, membershipId, email] = [people, people + 1n, `${name}@test.example`]
  await h.sql('01', 'insert into people (id, email, name, created_at) values ($1, $2, $3, now())', [id, email, name])
  const where = side === 'merchant' ? [h.merchants.main.cell, h.merchants.main.id] : [null, null]
  await h.sql(
    '01',
    `insert into memberships (id, person_id, merchant_cell, member_of, role, created_at, created_by)
values ($1, $2, $3, $4, $5, now(), 'a test')`,
    [membershipId, id, ...where, side === 'merchant' ? 'owner' : 'admin'],
  )
  const { ctx } = h.gateway
  const facts = { device: 'a test', address: '127.0.0.1' }
  const ids = { id: people + 2n, personId: id, membershipId }
  const { token } = await engineTx(ctx, ctx.identities.id, (t) =>
    startSession(t, { ...ids, side, proved: false, facts }),
  )
  return { id, email, token }
}

// ---- what runs in the page is text: there are no types of a browser here

const run = (page: Page, code: string, ...values: unknown[]): Promise<any> =>
  page.evaluate(`(${code})(${values.map((value) => JSON.stringify(value) ?? 'undefined').join(', ')})`)
const FETCH = `async (method, path, body, token) => {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: 'Session ' + token } : {}) }
  const answer = await fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  return { status: answer.status, ...(await answer.json()) }
}`
const CREATE = `async (options) => (await navigator.credentials.create({
  publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })).toJSON()`
const SIGN = `async (options) => (await navigator.credentials.get({
  publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })).toJSON()`

type Device = { readonly page: Page; readonly cdp: CDPSession; readonly authenticatorId: string }
/** A browser of its own with an authenticator, on a page of this address. */
async function device(url = harness().apiUrl): Promise<Device> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${url}/health`)
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { page, cdp, authenticatorId }
}
const HOME = '/dashboard/v1/passkeys'
const call = (page: Page, method: string, path: string, body?: object, token?: string) =>
  run(page, FETCH, method, path, body, token)
const optionsFor = async (page: Page, body: object, token?: string): Promise<any> => {
  const answer = await call(page, 'POST', `${HOME}/options`, body, token)
  return answer.responseBody?.publicKey ?? answer
}
const sign = async (page: Page, body: object, token?: string): Promise<any> =>
  run(page, SIGN, await optionsFor(page, body, token))
const refused = (answer: { status: number; problem?: { code: string } }): [number, string | undefined] => [
  answer.status,
  answer.problem?.code,
]
const REFUSED = [403, 'PASSKEY_REFUSED']

async function enrol({ page }: Device, who: Person, name = 'Phone'): Promise<string> {
  const credential = await run(page, CREATE, await optionsFor(page, { purpose: 'register' }, who.token))
  const answer = await call(page, 'POST', HOME, { name, credential }, who.token)
  expect(answer.status, JSON.stringify(answer)).toBe(200)
  who.token = answer.responseBody.token
  return answer.responseBody.id
}
const logIn = async (page: Page): Promise<any> =>
  call(page, 'POST', `${HOME}/log-in`, { credential: await sign(page, { purpose: 'log-in' }) })

const minutes = (count: number): void => {
  const { clock } = harness().gateway
  clock?.setOffset(clock.offsetMs() + count * 60_000)
}

test('a passkey is registered, logs in as two factors, steps up, and is ended; what is old, used or for something else is refused', async () => {
  const ada = await person('ada')
  const own = await device()
  const { page } = own
  expect(refused(await optionsFor(page, { purpose: 'register' }))).toEqual([401, 'SESSION_MISSING'])
  const before = ada.token
  const id = await enrol(own, ada)
  expect(refused(await call(page, 'GET', HOME, undefined, before))).toEqual([401, 'SESSION_ENDED']) // another token since

  // Log in: no address, no password; the cookie is the session.
  const credential = await sign(page, { purpose: 'log-in' })
  const entered = await call(page, 'POST', `${HOME}/log-in`, { credential })
  expect(entered).toMatchObject({ status: 200, responseBody: { state: 'IN' } })
  const listed = await call(page, 'GET', HOME)
  expect(listed.responseBody).toEqual([
    { id, name: 'Phone', createdOn: expect.any(String), usedOn: expect.any(String) },
  ])
  expect(refused(await call(page, 'POST', `${HOME}/log-in`, { credential }))).toEqual(REFUSED) // a second time
  const once = await sign(page, { purpose: 'log-in' })
  const race = await Promise.all(
    Array.from({ length: 20 }, () => call(page, 'POST', `${HOME}/log-in`, { credential: once })),
  )
  expect(race.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(race.filter(({ status }) => status === 403)).toHaveLength(19)

  // A proof is good for five minutes.
  const soon = await sign(page, { purpose: 'log-in' })
  minutes(6)
  expect(refused(await call(page, 'POST', `${HOME}/log-in`, { credential: soon }))).toEqual(REFUSED) // expired
  expect(refused(await optionsFor(page, { purpose: 'register' }))).toEqual([403, 'PROOF_NEEDED'])
  expect(refused(await call(page, 'DELETE', `${HOME}/${id}`))).toEqual([403, 'PROOF_NEEDED'])
  const proof = await sign(page, { purpose: 'step-up' })
  expect(refused(await call(page, 'POST', `${HOME}/log-in`, { credential: proof }))).toEqual(REFUSED) // another purpose
  expect(await call(page, 'POST', `${HOME}/step-up`, { credential: proof })).toMatchObject({ status: 200 })
  expect(refused(await call(page, 'POST', `${HOME}/step-up`, { credential: proof }))).toEqual(REFUSED)
  expect((await optionsFor(page, { purpose: 'register' })).excludeCredentials).toHaveLength(1)

  // Without user verification it is one factor only; and a page of another origin signs for itself.
  const { cdp, authenticatorId } = own
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  const unverified = { ...(await optionsFor(page, { purpose: 'log-in' })), userVerification: 'discouraged' }
  expect(
    refused(await call(page, 'POST', `${HOME}/log-in`, { credential: await run(page, SIGN, unverified) })),
  ).toEqual(REFUSED)
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  const ours = await optionsFor(page, { purpose: 'log-in' })
  await page.goto(`${harness().operatorUrl}/health`)
  const elsewhere = await run(page, SIGN, ours)
  await page.goto(`${harness().apiUrl}/health`)
  expect(refused(await call(page, 'POST', `${HOME}/log-in`, { credential: elsewhere }))).toEqual(REFUSED)

  const renamed = await call(page, 'PATCH', `${HOME}/${id}`, { name: 'Old phone' })
  expect(renamed.responseBody.name).toBe('Old phone')
  expect(refused(await call(page, 'PATCH', `${HOME}/999`, { name: 'x' }))).toEqual([404, 'PASSKEY_UNKNOWN'])
  expect(await call(page, 'DELETE', `${HOME}/${id}`)).toMatchObject({ status: 200 })
  expect(refused(await logIn(page))).toEqual(REFUSED)
  expect(await harness().sql('01', 'select has_passkey from people where id = $1', [ada.id])).toEqual([
    { has_passkey: false },
  ])
  expect(await mailsTo(ada)).toEqual(['A passkey was added', 'A passkey was ended'])
})

const mailsTo = async ({ email }: Person): Promise<string[]> =>
  (
    await harness().sql(
      '01',
      `select subject from people_mails where recipient = $1 and subject like '%passkey%' order by id`,
      [email],
    )
  ).map(({ subject }) => subject)

test("another person's passkey does not answer for somebody; a copied one is refused and its owner is mailed", async () => {
  const [bola, chidi] = [await person('bola'), await person('chidi')]
  const own = await device()
  await enrol(own, bola)
  const { page } = own
  // Chidi has none, so the browser offers whatever the device has: Bola's.
  const foreign = await sign(page, { purpose: 'step-up' }, chidi.token)
  expect(refused(await call(page, 'POST', `${HOME}/step-up`, { credential: foreign }, chidi.token))).toEqual(REFUSED)
  // A log-in that waits for the second factor is finished by the passkey, under another token.
  await harness().sql('01', 'update sessions set half = true where person_id = $1 and ended_at is null', [bola.id])
  expect(refused(await call(page, 'GET', HOME, undefined, bola.token))).toEqual([403, 'SESSION_HALF'])
  const second = await sign(page, { purpose: 'step-up' }, bola.token)
  const finished = await call(page, 'POST', `${HOME}/step-up`, { credential: second }, bola.token)
  expect(finished.status, JSON.stringify(finished)).toBe(200)
  bola.token = finished.responseBody.token
  expect(await call(page, 'GET', HOME, undefined, bola.token)).toMatchObject({ status: 200 })
  // Nor is a challenge of Bola's any good in Chidi's session.
  const bolas = await sign(page, { purpose: 'step-up' }, bola.token)
  expect(refused(await call(page, 'POST', `${HOME}/step-up`, { credential: bolas }, chidi.token))).toEqual(REFUSED)

  // The operator's listener knows Bola's passkey, and that Bola is nobody there.
  await page.goto(`${harness().operatorUrl}/health`)
  const there = '/operator/v1/passkeys'
  const options = (await call(page, 'POST', `${there}/options`, { purpose: 'log-in' })).responseBody.publicKey
  const credential = await run(page, SIGN, options)
  expect(refused(await call(page, 'POST', `${there}/log-in`, { credential }))).toEqual(REFUSED)
  await page.goto(`${harness().apiUrl}/health`)

  await harness().sql('01', 'update passkeys set counter = 1000000 where person_id = $1', [bola.id])
  expect(refused(await logIn(page))).toEqual(REFUSED)
  expect(await mailsTo(bola)).toEqual(['A passkey was added', 'A passkey was refused'])
})

test('a passkey signs the digest of an act: once, for this act, by this person; what is kept names the digest', async () => {
  const [dayo, efe] = [await person('dayo'), await person('efe')]
  const own = await device()
  await enrol(own, dayo)
  const digest = createHash('sha256').update('pay 500 to 0123456789').digest()
  const asked = { purpose: 'act', digest: digest.toString('base64url') }
  const proof = await sign(own.page, asked, dayo.token)
  const prove = proveBy(sharedEntrance(sharedOf(harness())))
  const as = ({ id }: Person) => ({
    actor: { ...actorOf('merchant', 'owner'), personId: id },
    merchant: null,
    provedAt: null,
  })
  expect(await prove(as(dayo), createHash('sha256').update('pay 5000 to 0123456789').digest(), proof)).toBeNull()
  expect(await prove(as(efe), digest, proof)).toBeNull()
  expect(await prove(as(dayo), digest, { signs: asked.digest })).toBeNull()
  const kept = (await prove(as(dayo), digest, proof)) as Record<string, string>
  expect(Object.keys(kept)).toEqual(['credentialId', 'clientDataJSON', 'authenticatorData', 'signature'])
  const { challenge } = JSON.parse(Buffer.from(kept['clientDataJSON'] ?? '', 'base64url').toString())
  expect(Buffer.from(challenge, 'base64url').subarray(0, 32)).toEqual(digest)
  expect(await prove(as(dayo), digest, proof)).toBeNull() // the same payout again needs another signature
  const stepUp = await sign(own.page, { purpose: 'step-up' }, dayo.token)
  expect(await prove(as(dayo), digest, stepUp)).toBeNull()
  expect(refused(await optionsFor(own.page, { purpose: 'act', digest: 'a'.repeat(42) }, dayo.token))).toEqual([
    400,
    'FIELD_INVALID',
  ])

  // Over HTTP: the refusal names the digest, and the same act with its signature is done, without a step-up.
  minutes(6)
  const invitation = { input: { email: 'hauwa@test.example', name: 'Hauwa', role: 'finance' }, reason: 'joins us' }
  const invite = (body: object) => call(own.page, 'POST', '/dashboard/v1/acts/team.invite', body, dayo.token)
  const unsigned = await invite(invitation)
  expect(refused(unsigned)).toEqual([403, 'STEP_UP_REQUIRED'])
  const wanted = /challenge (\S+)$/.exec(unsigned.responseMessage)?.[1]
  const signed = await sign(own.page, { purpose: 'act', digest: wanted }, dayo.token)
  const asOwner = { ...invitation, input: { ...invitation.input, role: 'owner' }, proof: signed }
  expect(refused(await invite(asOwner))).toEqual([403, 'STEP_UP_REQUIRED'])
  expect(await invite({ ...invitation, proof: signed })).toMatchObject({ responseBody: { outcome: 'DONE' } })
})

test('an identity provider says who somebody is: known people come in, by verified address once and by subject from then on', async () => {
  const h = harness()
  const [femi, gozie] = [await person('femi'), await person('gozie')]
  const start = `${h.apiUrl}/dashboard/v1/oidc/log-in`
  const callback = `${h.apiUrl}/dashboard/v1/oidc/callback`
  /** How a whole log-in ends: the status of the answer, and whose newest session it made. */
  const through = async (account: Parameters<TestProvider['be']>[0]) => {
    await provider.be(account)
    const { url, answer } = await visitor().follow(start, (at) => at === `${h.apiUrl}/dashboard`)
    return { url, status: answer?.status, text: await answer?.text() }
  }
  const newest = async ({ id }: Person) =>
    (await h.sql('01', 'select half, proved_at from sessions where person_id = $1 order by id desc limit 1', [id]))[0]
  const refusedBy = (code: string) => ({ status: 403, text: expect.stringContaining(code) })

  expect(await through({ sub: 'f-1', email: 'unknown@test.example', verified: true })).toMatchObject(
    refusedBy('OIDC_REFUSED'),
  )
  expect(await through({ sub: 'f-1', email: femi.email, verified: false })).toMatchObject(refusedBy('OIDC_REFUSED'))
  expect((await through({ sub: 'f-1', email: 'FEMI@test.example', verified: true })).url).toBe(`${h.apiUrl}/dashboard`)
  expect(await newest(femi)).toEqual({ half: false, proved_at: null }) // one factor
  expect((await through({ sub: 'f-1', email: 'changed@test.example', verified: false, amr: ['mfa'] })).url).toBe(
    `${h.apiUrl}/dashboard`,
  )
  expect(await newest(femi)).toEqual({ half: false, proved_at: expect.any(Date) })
  expect(await through({ sub: 'f-2', email: femi.email, verified: true })).toMatchObject(refusedBy('OIDC_REFUSED'))
  // Hauwa was invited above: the provider's word for the address accepts it, with the role of the invitation.
  expect((await through({ sub: 'h-1', email: 'hauwa@test.example', verified: true })).url).toBe(`${h.apiUrl}/dashboard`)
  const joined = await h.sql(
    '01',
    `select m.role, p.password_digest, i.used_at is not null as used from people p
join memberships m on m.person_id = p.id join invitations i on i.email = p.email where p.email = 'hauwa@test.example'`,
  )
  expect(joined).toEqual([{ role: 'finance', password_digest: null, used: true }])
  await h.sql('01', 'update people set has_passkey = true where id = $1', [gozie.id])
  expect((await through({ sub: 'g-1', email: gozie.email, verified: true, amr: ['pwd'] })).url).toBe(
    `${h.apiUrl}/dashboard`,
  )
  expect(await newest(gozie)).toEqual({ half: true, proved_at: null }) // the second factor is ours to ask for

  // Half of a log-in: everything but the last step.
  const half = async () => {
    const who = visitor()
    const { url } = await who.follow(start, (at) => at.startsWith(callback))
    return { who, url }
  }
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as any).problem?.code]
  const OUT = [403, 'OIDC_REFUSED']
  await provider.be({ sub: 'f-1' })
  const first = await half()
  expect(await codeOf(await visitor().get(first.url))).toEqual(OUT) // another browser
  const other = await half()
  expect(await codeOf(await other.who.get(first.url))).toEqual(OUT) // another log-in's state
  const cookies = new Map(first.who.jar.get(new URL(h.apiUrl).host))
  const there = first.url.replace(callback, `${h.operatorUrl}/operator/v1/oidc/callback`)
  first.who.jar.set(new URL(h.operatorUrl).host, new Map(cookies))
  expect(await codeOf(await first.who.get(there))).toEqual(OUT) // the other side
  expect((await first.who.get(first.url)).status).toBe(303)
  first.who.jar.set(new URL(h.apiUrl).host, cookies)
  expect(await codeOf(await first.who.get(first.url))).toEqual(OUT) // a second time
  const late = await half()
  minutes(6)
  expect(await codeOf(await late.who.get(late.url))).toEqual(OUT)
  // Femi is nobody at the operator's.
  expect((await (await visitor().follow(`${h.operatorUrl}/operator/v1/oidc/log-in`)).answer?.text()) ?? '').toContain(
    'OIDC_REFUSED',
  )

  const alone = await half()
  await provider.stop()
  expect(await codeOf(await alone.who.get(alone.url))).toEqual([503, 'OIDC_UNAVAILABLE'])
  await expect(begin({ ...h.gateway.ctx, oidc: null }, 'merchant', callback)).rejects.toMatchObject({
    code: 'OIDC_OFF',
  })
})
