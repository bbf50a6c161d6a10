// Who is told of what happens to people, rights, keys and destinations: in the stream, by mail, and outside;
// and how long a second factor can be guessed at.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROUTES } from '@cowrie/contract'
import { createOidcRoutes } from '@cowrie/contract/access/oidc'
import { createPasskeyRoutes } from '@cowrie/contract/access/passkeys'
import { PEOPLE_ROUTES } from '@cowrie/contract/access/people'
import { SECURITY_KIND_NAMES, SECURITY_KINDS, SECURITY_LINES } from '@cowrie/contract/access/security'
import { ACTS } from '@cowrie/contract/acts'
import { SCREEN_ROUTES } from '@cowrie/contract/screens/files'
import { expect, test } from 'vitest'
import type { Shared } from '#core/feature.ts'
import { WRONG_MAX, WRONG_TOLD } from '#features/access/people/factors/counted.ts'
import { sharedEntrance } from '#features/access/people/sessions/entrance.ts'
import { actorOf, doAct, sharedOf, show } from '#test/features/access/acts.ts'
import { dyingAt } from '#test/kit/dying.ts'
import {
  CELLS,
  type CellName,
  type Harness,
  SUB_ACCOUNTS,
  subAccountBody,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { Browser, codeOf, enrol, mailsTo, newPerson, operatorIn, PASSWORD } from '#test/people/people.ts'
import { createFeed, signFeed } from '../../../outside/feed.ts'
import { telling } from './telling.ts'

const harness = useHarness()

type Event = {
  kind: string
  person: string | null
  actor_name: string
  details: string | null
  concerns: string | null
}
const eventsOf = (h: Harness, where: string, values: unknown[] = [], cell: CellName = '01'): Promise<Event[]> =>
  h.sql(cell, `select * from security_events where ${where} order by id`, values)
/** Where people are known, or what they did with their merchant in its cell. */
const kindsOf = async (h: Harness, person: string, cell: CellName = '01'): Promise<string[]> =>
  (await eventsOf(h, 'person = $1', [person], cell)).map(({ kind }) => kind)
/** Everything that is due is told now. */
async function tellAll(h: Harness, shared: Shared = sharedOf(h)): Promise<void> {
  for (const cell of CELLS) for (const step of Object.values(telling(shared))) await step(cell)
}
const mails = async (h: Harness, to: string): Promise<string[]> => {
  await tellAll(h)
  return (await mailsTo(h, to)).map(({ subject }) => subject)
}
/** Somebody of the main merchant with a second factor, in. */
async function memberIn(h: Harness, role: 'owner' | 'finance' | 'developer' | 'support', merchant: TestMerchant) {
  const email = `${unique(role)}@kano.example`
  await newPerson(h, role, { merchant, email })
  const browser = new Browser(h, 'merchant')
  await browser.logIn(email)
  return { browser, email, ...(await enrol(browser)) }
}
const wrong = (uri: string, at: number): string => {
  const right = [-1, 0, 1, 2].map((ahead) => codeOf(uri, ahead))
  return (
    Array.from({ length: 10 }, (_, more) => String(200_000 + at * 10 + more)).find((one) => !right.includes(one)) ?? ''
  )
}
/** With the password alone, from a device that nobody knows. */
async function halfIn(h: Harness, email: string): Promise<Browser> {
  const browser = new Browser(h, 'merchant')
  await browser.logIn(email)
  return browser
}
/** What a process counts by itself is another matter (throttle.ts): as if each try came to one of its own. */
async function forgetTries(h: Harness, email: string): Promise<void> {
  const [{ id }] = await h.sql('01', 'select id from people where email = $1', [email])
  const { tries } = sharedEntrance(h.gateway)
  for (let at = 0; at < 10; at += 1) tries.code.release(`${id} `)
}

test('every line that is an event is a line of an act or a route, and every kind can be said', () => {
  const routes = (['merchant', 'operator'] as const).flatMap((side) => [
    ...Object.values(PEOPLE_ROUTES[side]),
    ...Object.values(createPasskeyRoutes(side)),
    ...Object.values(createOidcRoutes(side)),
  ])
  const known = new Set([
    ...[...ACTS, ...ROUTES, ...SCREEN_ROUTES].map(({ id }) => id),
    ...routes.map(({ id }) => id.replace(/^(?:merchant|operator)\./, '')),
    ...['keys.open', 'approvals.ask', 'operators.first', 'operators.inviteFirst', 'operators.inviteAnother'],
    ...['destinations.stop'],
  ])
  expect(Object.keys(SECURITY_LINES).filter((line) => !known.has(line))).toEqual([])
  for (const kind of new Set(Object.values(SECURITY_LINES)).difference(new Set(['MEMBER', 'EXPORT'])))
    expect(SECURITY_KIND_NAMES).toContain(kind)
  for (const { ocsf } of Object.values(SECURITY_KINDS)) expect([3001, 3002, 3004, 3005, 6003]).toContain(ocsf[0])
})

test('ten wrong passwords for an owner: ten events and one of the lock, one mail; of nobody an event without a name', async () => {
  const h = harness()
  const { email } = await memberIn(h, 'owner', h.merchants.main)
  const before = (await kindsOf(h, email)).length
  const stranger = new Browser(h, 'merchant')
  for (let at = 0; at < 10; at += 1) expect((await stranger.logIn(email, `wrong ${at}`)).code).toBe('LOG_IN_REFUSED')
  expect((await stranger.logIn(email, 'wrong again')).code).toBe('LOG_IN_LIMITED')
  const kinds = (await kindsOf(h, email)).slice(before)
  expect(kinds).toEqual([...Array.from({ length: 10 }, () => 'login.refused'), 'login.locked'])
  const [event] = await eventsOf(h, `kind = 'login.locked' and person = $1`, [email])
  expect(event).toMatchObject({ concerns: h.merchants.main.apiKey, actor_name: email })
  expect((await mails(h, email)).filter((one) => one === SECURITY_KINDS['login.locked'].says)).toHaveLength(1)

  const typed = `${unique('hunter2')}@nobody.example`
  expect((await stranger.logIn(typed, 'wrong')).code).toBe('LOG_IN_REFUSED')
  const nobody = await eventsOf(h, `kind = 'login.refused' and person is null`)
  expect(nobody.length).toBeGreaterThan(0)
  expect(JSON.stringify(nobody)).not.toContain(typed)
})

test('wrong codes are counted on the person: a mail at five, codes of the app refused from twenty, also right ones; a recovery code opens', async () => {
  const h = harness()
  const { email, uri, recoveryCodes } = await memberIn(h, 'finance', h.merchants.main)
  const owner = await memberIn(h, 'owner', h.merchants.main)
  const send = async (code: string): Promise<string> => {
    await forgetTries(h, email)
    return (await (await halfIn(h, email)).post('log-in/code', { code })).code
  }
  for (let at = 0; at < WRONG_TOLD - 1; at += 1) expect(await send(wrong(uri, at))).toBe('CODE_REFUSED')
  expect(await mails(h, email)).not.toContain(SECURITY_KINDS['factor.attacked'].says)
  expect(await send(wrong(uri, 50))).toBe('CODE_REFUSED')
  for (const to of [email, owner.email]) expect(await mails(h, to)).toContain(SECURITY_KINDS['factor.attacked'].says)
  for (let at = WRONG_TOLD; at < WRONG_MAX - 1; at += 1) expect(await send(wrong(uri, at))).toBe('CODE_REFUSED')
  expect(await send(wrong(uri, 60))).toBe('FACTOR_LOCKED')
  expect(await send(codeOf(uri, 1))).toBe('FACTOR_LOCKED')
  expect(await mails(h, owner.email)).toContain(SECURITY_KINDS['factor.locked'].says)
  const counted = `select wrong_factors as n from people where email = $1`
  expect((await h.sql('01', counted, [email]))[0].n).toBe(WRONG_MAX + 1)
  const half = await halfIn(h, email)
  await forgetTries(h, email)
  expect((await half.post('log-in/code', { code: recoveryCodes[0] })).json.responseBody.state).toBe('IN')
  expect((await h.sql('01', counted, [email]))[0].n).toBe(0)
  const kinds = await kindsOf(h, email)
  expect(kinds.filter((kind) => kind === 'factor.refused')).toHaveLength(WRONG_MAX + 1)
  expect(kinds.filter((kind) => kind === 'factor.attacked' || kind === 'factor.locked')).toHaveLength(2)
})

test('thirty wrong codes at once: each is counted once, and the twentieth locks once', async () => {
  const h = harness()
  const { email, uri } = await memberIn(h, 'finance', h.merchants.main)
  const halves: Browser[] = []
  for (let at = 0; at < 3; at += 1) halves.push(await halfIn(h, email))
  for (let round = 0; round < 3; round += 1) {
    await forgetTries(h, email)
    await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        (halves[at % 3] as Browser).post('log-in/code', { code: wrong(uri, round * 10 + at) }),
      ),
    )
  }
  expect((await h.sql('01', 'select wrong_factors as n from people where email = $1', [email]))[0].n).toBe(30)
  const kinds = await kindsOf(h, email)
  expect(kinds.filter((kind) => kind === 'factor.refused')).toHaveLength(30)
  expect(kinds.filter((kind) => kind === 'factor.locked')).toHaveLength(1)
})

test('roles, owners, endpoints and exports: an event with the change, and mails to whom it concerns', async () => {
  const h = harness()
  const merchant = h.merchants.second
  const owner = await memberIn(h, 'owner', merchant)
  const other = await memberIn(h, 'owner', merchant)
  const support = `${unique('support')}@kano.example`
  await newPerson(h, 'support', { merchant, email: support })
  expect((await owner.browser.act('team.changeRole', { email: support, role: 'finance' })).status).toBe(200)
  expect((await kindsOf(h, support)).at(-1)).toBe('role.raised')
  for (const to of [support, owner.email, other.email])
    expect(await mails(h, to)).toContain(SECURITY_KINDS['role.raised'].says)
  expect((await owner.browser.act('team.changeRole', { email: support, role: 'owner' })).status).toBe(200)
  expect((await kindsOf(h, support)).at(-1)).toBe('manager.added')
  expect((await owner.browser.act('team.end', { email: other.email })).status).toBe(200)
  expect((await kindsOf(h, other.email)).at(-1)).toBe('manager.ended')
  expect(await mails(h, other.email)).toContain(SECURITY_KINDS['manager.ended'].says)

  const developer = await memberIn(h, 'developer', merchant)
  const put = await fetch(`${h.apiUrl}/dashboard/v1/api/v1/webhook-urls`, {
    method: 'PUT',
    headers: {
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
      cookie: [...developer.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    body: JSON.stringify({ transactionCompletion: h.receiverUrl('/elsewhere') }),
  })
  expect(put.status).toBe(200)
  expect((await kindsOf(h, developer.email, merchant.cell)).at(-1)).toBe('webhook.changed')
  expect(await mails(h, owner.email)).toContain(SECURITY_KINDS['webhook.changed'].says)
  await owner.browser.get('exports/payments.csv')
  expect((await kindsOf(h, owner.email, merchant.cell)).at(-1)).toBe('export.everybody')
  expect(await mails(h, support)).toContain(SECURITY_KINDS['export.everybody'].says) // an owner by now
})

test('what an API key does is an event of its merchant, without a person', async () => {
  const h = harness()
  const { other } = h.merchants
  const answer = await h.as(other, 'POST', SUB_ACCOUNTS, [subAccountBody()])
  expect(answer.status, answer.text).toBe(200)
  const rows = await eventsOf(h, 'merchant_id = $1', [other.id], other.cell)
  expect(rows.at(-1)).toMatchObject({
    kind: 'destination.added',
    person: null,
    actor_kind: 'key',
    actor_name: other.apiKey,
  })
})

test('where a merchant has no people, it is mailed itself', async () => {
  const h = harness()
  const { other } = h.merchants
  const body = { transactionCompletion: h.receiverUrl('/moved') }
  expect((await h.as(other, 'PUT', '/api/v1/webhook-urls', body)).status).toBe(200)
  expect(await mails(h, other.email)).toContain(SECURITY_KINDS['webhook.changed'].says)
})

test('an event commits with its change or not at all', async () => {
  const h = harness()
  const owner = await memberIn(h, 'owner', h.merchants.main)
  const before = await kindsOf(h, owner.email)
  await dyingAt(h, 'security_events', async () => {
    const body = { password: PASSWORD, newPassword: 'twelve red okada riders' }
    expect((await owner.browser.post('password', body)).status).toBe(500)
  })
  expect(await kindsOf(h, owner.email)).toEqual(before)
  expect((await new Browser(h, 'merchant').logIn(owner.email)).status).toBe(200)
})

test('read by the person, by the merchant without names of the operator, and by the operator; by nobody else', async () => {
  const h = harness()
  const { main, second } = h.merchants
  const owner = await memberIn(h, 'owner', main)
  const own = await owner.browser.get('security')
  expect(own.status).toBe(200)
  const operator = await operatorIn(h, 'auditor', `${unique('auditor')}@operator.example`)
  const all = await operator.browser.get('views/security.list?cell=01')
  expect(all.status).toBe(200)
  expect(all.json.responseBody.content[0]).toMatchObject({ cell: '01' })
  const listed = await show(h, actorOf('merchant', 'owner', owner.email), 'security.list', {})
  const ids = listed.content.map(({ id }: { id: string }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(listed.content.some(({ person }: { person: string }) => person === owner.email)).toBe(true)
  const theirs = await show(h, actorOf('merchant', 'owner'), 'security.list', { merchant: second.apiKey })
  expect(JSON.stringify(theirs)).not.toContain(owner.email)
  await expect(show(h, actorOf('merchant', 'support'), 'security.list', {})).rejects.toMatchObject({
    code: 'PERMISSION_DENIED',
  })
  const elsewhere = await show(h, actorOf('operator', 'admin'), 'security.list', { cell: '01', before: '9000.17' })
  expect(elsewhere.content.length).toBeGreaterThan(0)
  const worse = await show(h, actorOf('merchant', 'owner'), 'security.list', { least: 'HIGH' })
  for (const { severity } of worse.content) expect(['HIGH', 'CRITICAL']).toContain(severity)
  await doAct(h, actorOf('operator', 'operations', 'bola@operator.example'), 'viewas.begin', {
    merchant: main,
    input: { role: 'support' },
  })
  const seen = await show(h, actorOf('merchant', 'owner'), 'security.list', {})
  const look = seen.content.find(({ kind }: { kind: string }) => kind === 'viewas.begun')
  expect(look.by).toEqual({ kind: 'person', side: 'operator', name: 'operator' })
})

test('a page ends where the next begins, over both places', async () => {
  const h = harness()
  const merchant = h.merchants.main
  await h.sql(
    '01',
    `insert into security_events (merchant_id, concerns, at, kind, severity, actor_kind, actor_side, actor_name)
     select case n % 3 when 0 then 0 else $1::bigint end, case n % 3 when 0 then $2::text end, now() + n * interval '1 second', 'login.accepted', 1, 'person', 'merchant', 'x'
     from generate_series(1, 250) n`,
    [merchant.id, merchant.apiKey],
  )
  const [{ n }] = await h.sql(
    '01',
    `select count(*)::integer as n from security_events where merchant_id = $1 or merchant_id = 0 and concerns = $2`,
    [merchant.id, merchant.apiKey],
  )
  const seen: string[] = []
  for (let before: string | null = ''; before !== null; ) {
    const page = await show(h, actorOf('merchant', 'owner'), 'security.list', before ? { before } : {})
    seen.push(...page.content.map(({ id }: { id: string }) => id))
    before = page.next
  }
  expect([seen.length, new Set(seen).size]).toEqual([n, n])
})

test('a SIEM hears of each event by file and by signed post, in OCSF, at least once and whatever fails between', async () => {
  const h = harness()
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-feed-'))
  const key = 'k'.repeat(32)
  const taken: { body: string; signature: string }[] = []
  let status = 503
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      if (status === 200) taken.push({ body, signature: String(request.headers['cowrie-signature']) })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siem`
  try {
    await tellAll(h) // what nobody listened to is gone
    const { ctx } = h.gateway
    const feeding = { ...ctx, feed: createFeed({ folder, receiver: { url, key } }) }
    const shared = { ...sharedOf(h), ctx: feeding }
    const { email } = await memberIn(h, 'owner', h.merchants.main)
    const waiting = () => h.sql('01', `select sink, count(*)::integer as n from security_outbox group by 1 order by 1`)
    await expect(tellAll(h, shared)).rejects.toThrow('503')
    expect(await waiting()).toMatchObject([{ sink: 'POST' }])
    status = 200
    const later = { ...feeding, clock: { ...ctx.clock, now: () => new Date(ctx.clock.now().getTime() + 61_000) } }
    await tellAll(h, { ...shared, ctx: later })
    expect(await waiting()).toEqual([])
    const posted = taken.flatMap(({ body }) => JSON.parse(body))
    const filed = readdirSync(folder).flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    )
    for (const events of [posted, filed]) {
      expect(events.map((one) => one.metadata.event_code)).toEqual([
        'manager.added',
        'login.accepted',
        'factor.enrolled',
      ])
      for (const one of events) {
        expect(one.type_uid).toBe(one.class_uid * 100 + one.activity_id)
        expect(one.category_uid).toBe(Math.floor(one.class_uid / 1000))
        expect([one.metadata.version, one.user.email_addr, one.metadata.tenant_uid]).toEqual([
          '1.4.0',
          email,
          h.merchants.main.apiKey,
        ])
      }
    }
    for (const { body, signature } of taken) {
      const seconds = Number(/^t=(\d+),/.exec(signature)?.[1])
      expect(signature).toBe(signFeed(key, seconds, body))
    }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
