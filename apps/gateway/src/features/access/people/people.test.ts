// People coming in: every way that must be refused, and what must stay secret.
import { describe, expect, test } from 'vitest'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { dump } from '#test/kit/data-at-rest.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { Browser, codeOf, enrol, mailsTo, newPerson, operatorIn, PASSWORD, seedOf } from '#test/people/people.ts'
import { run as audit } from '../../../../../../tools/operator/audit.ts'
import { run } from '../../../../../../tools/operator/operators.ts'
import { share } from '../../../app.ts'
import { cellsText } from '../../../config.ts'
import { FEATURES } from '../../../feature-list.ts'
import { mayStill } from './known/persons.ts'
import { people } from './people.feature.ts'

const harness = useHarness()
const REFUSED = (answer: { status: number; code: string }) => [answer.status, answer.code]
const operators = async (h: Harness, ...words: string[]) => {
  const lines: string[] = []
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), OPERATOR_URL: h.operatorUrl }
  return { code: await run(words, env, (text) => lines.push(text)), text: lines.join('\n') }
}
/** What must be in no row; looked for at the end. */
const secrets: string[] = [PASSWORD]

describe('operators', () => {
  test('the first one comes by a link that works once, and may only enrol until a second factor was seen', async () => {
    const h = harness()
    const made = await operators(h, 'first', 'ada@operator.example', 'Ada', 'Obi')
    expect(made.code).toBe(0)
    const token = /#([0-9a-f]{64})/.exec(made.text)?.[1] as string
    secrets.push(token)
    const ada = new Browser(h, 'operator')
    const merchants = new Browser(h, 'merchant')
    const body = { token, password: PASSWORD }
    expect(REFUSED(await merchants.post('invitations/accept', body))).toEqual([404, 'INVITATION_INVALID'])
    expect(REFUSED(await ada.post('invitations/accept', { token, password: 'adaobi adaobi' }))).toEqual([
      400,
      'PASSWORD_WEAK',
    ])
    expect((await ada.post('invitations/accept', body)).status).toBe(200)
    expect(REFUSED(await ada.post('invitations/accept', body))).toEqual([404, 'INVITATION_INVALID'])
    expect((await operators(h, 'first', 'eve@operator.example', 'Eve')).code).toBe(1)
    const lines = await h.sql('01', `select actor_kind, after from trail where what = 'operators.inviteFirst'`)
    expect(lines).toEqual([{ actor_kind: 'command', after: '{"email":"ada@operator.example"}' }])

    const answer = await ada.logIn('Ada@Operator.example')
    expect(answer.json.responseBody).toEqual({ state: 'IN', factors: [] })
    expect(answer.headers.getSetCookie()[0]).toMatch(
      /^__Host-cowrie-op=[0-9a-f]{64}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    const me = await ada.get('me')
    expect(me.json.responseBody).toMatchObject({ role: 'admin', factorNeeded: true, merchant: null, factors: [] })
    expect(REFUSED(await ada.get('views/operators.list'))).toEqual([403, 'FACTOR_NEEDED'])
    expect(REFUSED(await ada.act('operators.end', { email: 'x@y.example' }))).toEqual([403, 'FACTOR_NEEDED'])

    expect(REFUSED(await ada.post('totp/start'))).toEqual([403, 'PROOF_NEEDED'])
    expect(REFUSED(await ada.post('totp/start', { password: 'wrong wrong wrong' }))).toEqual([403, 'PASSWORD_REFUSED'])
    expect(REFUSED(await ada.post('totp/confirm', { code: '000000' }))).toEqual([409, 'FACTOR_NOT_STARTED'])
    const old = ada.cookie
    const { uri, recoveryCodes } = await enrol(ada)
    secrets.push(
      seedOf(uri),
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
      old,
      ada.cookie,
    )
    expect(recoveryCodes).toHaveLength(10)
    expect(ada.cookie).not.toBe(old)
    expect((await ada.get('views/operators.list')).json.responseBody).toMatchObject([
      { email: 'ada@operator.example', role: 'admin', state: 'ACTIVE', factors: ['TOTP'] },
    ])
    expect((await mailsTo(h, 'ada@operator.example')).map(({ subject }) => subject)).toEqual([
      'The authenticator app of your Cowrie account changed',
    ])
    expect(REFUSED(await ada.act('operators.end', { email: 'ada@operator.example' }))).toEqual([409, 'LAST_ADMIN'])
    const demoted = await ada.act('operators.changeRole', { email: 'ada@operator.example', role: 'auditor' })
    expect(REFUSED(demoted)).toEqual([409, 'LAST_ADMIN'])
    await h.sql('01', `update sessions set proved_at = proved_at - interval '6 minutes'`)
    expect(REFUSED(await ada.act('operators.invite', { email: 'b@b.example', name: 'B', role: 'risk' }))).toEqual([
      403,
      'STEP_UP_REQUIRED',
    ])
  })

  test('the second is invited by one, the third by two; a code is taken once, and so is a recovery code', async () => {
    const h = harness()
    const a = await operatorIn(h, 'admin', 'a@operator.example')
    await h.sql(
      '01',
      `update memberships set ended_at = created_at, managed = false where id in (select m.id from memberships m join people p on p.id = m.person_id where p.email = 'ada@operator.example')`,
    )
    const direct = await a.browser.act('operators.invite', { email: 'B@operator.example', name: 'Bola', role: 'admin' })
    expect(direct.json.responseBody).toMatchObject({ outcome: 'DONE', reply: { email: 'b@operator.example' } })
    const [mail] = await mailsTo(h, 'b@operator.example')
    expect(mail?.text).toContain(`${h.operatorUrl}/operator/invitation#`)
    const token = /#([0-9a-f]{64})/.exec(mail?.text ?? '')?.[1] as string
    secrets.push(token)
    const b = new Browser(h, 'operator')
    expect((await b.post('invitations/accept', { token, password: PASSWORD })).status).toBe(200)
    await b.logIn('b@operator.example')
    const { uri, code: confirmed } = await enrol(b)
    const third = await a.browser.act('operators.invite', { email: 'c@operator.example', name: 'Chi', role: 'risk' })
    const { outcome, reference } = third.json.responseBody
    expect(outcome).toBe('WAITING')
    expect(await mailsTo(h, 'c@operator.example')).toEqual([])
    expect(REFUSED(await a.browser.act('approvals.approve', { reference }))).toEqual([403, 'APPROVAL_OWN'])
    expect((await b.act('approvals.approve', { reference })).status).toBe(200)
    expect(await mailsTo(h, 'c@operator.example')).toHaveLength(1)

    // Replay: the code that was confirmed with, then the next one twice, in another browser each time.
    const again = new Browser(h, 'operator')
    expect((await again.logIn('b@operator.example')).json.responseBody).toEqual({ state: 'CODE', factors: ['TOTP'] })
    for (const path of ['me', 'sessions', 'views/operators.list'])
      expect(REFUSED(await again.get(path)), path).toEqual([403, 'SESSION_HALF'])
    expect(REFUSED(await again.post('step-up', { code: codeOf(uri, 1) }))).toEqual([403, 'SESSION_HALF'])
    expect(REFUSED(await again.post('log-in/code', { code: confirmed }))).toEqual([403, 'CODE_REFUSED'])
    const half = again.cookie
    const next = codeOf(uri, 1)
    expect((await again.post('log-in/code', { code: next })).json.responseBody.state).toBe('IN')
    expect(again.cookie).not.toBe(half)
    expect(REFUSED(await again.post('step-up', { code: next }))).toEqual([403, 'CODE_REFUSED'])
    const fixed = new Browser(h, 'operator')
    fixed.cookies.set('__Host-cowrie-op', half)
    expect(REFUSED(await fixed.get('me'))).toEqual([401, 'SESSION_ENDED'])

    const before = a.browser.cookie
    const code = a.recoveryCodes[0] as string
    expect((await a.browser.post('step-up', { code: code.toLowerCase() })).status).toBe(200)
    expect(REFUSED(await a.browser.post('step-up', { code }))).toEqual([403, 'CODE_REFUSED'])
    expect(a.browser.cookie).not.toBe(before)
    fixed.cookies.set('__Host-cowrie-op', before)
    expect(REFUSED(await fixed.get('me'))).toEqual([401, 'SESSION_ENDED'])
    expect((await a.browser.post('recovery-codes')).json.responseBody.recoveryCodes).toHaveLength(10)
    expect(REFUSED(await a.browser.post('step-up', { code: a.recoveryCodes[1] as string }))).toEqual([
      403,
      'CODE_REFUSED',
    ])

    // A role that changes, or that nobody knows, counts at the next request.
    const may = async (email: string, where: TestMerchant | null = null) => {
      const [row] = await h.sql('01', 'select id from people where email = $1', [email])
      return mayStill(h.gateway.ctx, row.id, 'operator', where, 'operator.people.read')
    }
    expect(await may('b@operator.example')).toBe(true)
    expect(await may('b@operator.example', h.merchants.main)).toBe(true)
    await h.sql(
      '01',
      `update memberships set role = 'janitor' where person_id = (select id from people where email = 'b@operator.example')`,
    )
    expect(REFUSED(await again.get('views/operators.list'))).toEqual([403, 'PERMISSION_DENIED'])
    expect((await again.get('me')).json.responseBody.permissions).toEqual([])
    expect(await may('b@operator.example')).toBe(false)
    expect((await a.browser.act('operators.end', { email: 'b@operator.example' })).status).toBe(200)
    expect(REFUSED(await again.get('me'))).toEqual([401, 'SESSION_ENDED'])
    expect(REFUSED(await new Browser(h, 'operator').logIn('b@operator.example'))).toEqual([401, 'LOG_IN_REFUSED'])
  })

  test('many codes at once: one is taken', async () => {
    const h = harness()
    const { browser, recoveryCodes } = await operatorIn(h, 'risk', 'race@operator.example')
    const code = recoveryCodes[3] as string
    const halves = await Promise.all(
      [1, 2, 3].map(async () => {
        const one = new Browser(h, 'operator')
        one.cookies.set('__Host-cowrie-device', browser.cookies.get('__Host-cowrie-device') as string)
        await one.logIn('race@operator.example')
        return one
      }),
    )
    const answers = await Promise.all(halves.map((one) => one.post('log-in/code', { code })))
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '403', '403'])
  })
})

describe("a merchant's people", () => {
  test('a session ends with log-out, log-out everywhere, idleness and its absolute limit, by the clock', async () => {
    const h = harness()
    const email = 'ngozi@adire.example'
    await newPerson(h, 'owner', { merchant: h.merchants.main, email })
    const [one, two] = [new Browser(h, 'merchant'), new Browser(h, 'merchant')]
    const first = await one.logIn(email)
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^__Host-cowrie=[0-9a-f]{64}; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    )
    expect(await mailsTo(h, email)).toEqual([])
    await two.logIn(email)
    expect((await mailsTo(h, email)).map(({ subject }) => subject)).toEqual(['A log-in from a new device'])
    expect((await one.get('me')).json.responseBody).toMatchObject({
      role: 'owner',
      factorNeeded: false,
      merchant: { name: 'Adire Stores' },
    })
    const listed = (await one.get('sessions')).json.responseBody
    expect(listed).toHaveLength(2)
    const other = listed.find((row: { present: boolean }) => !row.present)
    expect((await one.ask('DELETE', `sessions/${other.id}`)).status).toBe(200)
    expect(REFUSED(await two.get('me'))).toEqual([401, 'SESSION_ENDED'])

    // A stolen cookie after log-out; and the cookie of one side is nothing on the other.
    const stolen = one.cookie
    const operator = new Browser(h, 'operator')
    operator.cookies.set('__Host-cowrie-op', stolen)
    expect(REFUSED(await operator.get('me'))).toEqual([401, 'SESSION_ENDED'])
    expect((await one.post('log-out')).status).toBe(200)
    expect(one.cookie).toBe('')
    expect(REFUSED(await one.get('me'))).toEqual([401, 'SESSION_MISSING'])
    one.cookies.set('__Host-cowrie', stolen)
    expect(REFUSED(await one.get('me'))).toEqual([401, 'SESSION_ENDED'])

    // From a known device: no mail. Then everywhere at once.
    await one.logIn(email)
    await two.logIn(email)
    expect(await mailsTo(h, email)).toHaveLength(1)
    expect((await two.ask('DELETE', 'sessions')).status).toBe(200)
    expect(REFUSED(await one.get('me'))).toEqual([401, 'SESSION_ENDED'])

    await one.logIn(email)
    await advance(h, 29 * 60)
    expect((await one.get('me')).status).toBe(200)
    await advance(h, 30 * 60 + 1)
    expect(REFUSED(await one.get('me'))).toEqual([401, 'SESSION_ENDED'])
    await two.logIn(email)
    for (let minutes = 25; minutes < 12 * 60; minutes += 25) {
      await advance(h, 25 * 60)
      expect((await two.get('me')).status, `${minutes} minutes`).toBe(200)
    }
    await advance(h, 25 * 60)
    expect(REFUSED(await two.get('me'))).toEqual([401, 'SESSION_ENDED'])
  })

  test('403 CROSS_SITE for what another site sends with the cookie, also for acts and log-in; not for a program', async () => {
    const h = harness()
    const email = 'csrf@adire.example'
    await newPerson(h, 'owner', { merchant: h.merchants.main, email })
    const browser = new Browser(h, 'merchant')
    await browser.logIn(email)
    const evil: Record<string, Record<string, string | null>> = {
      'another site': { 'sec-fetch-site': 'cross-site' },
      'a page beside ours': { 'sec-fetch-site': 'same-site' },
      'an old browser elsewhere': { 'sec-fetch-site': null, origin: 'https://evil.example' },
      'an old browser that says nothing': { 'sec-fetch-site': null },
      'a form': { 'content-type': 'text/plain' },
      'no type': { 'content-type': 'application/x-www-form-urlencoded' },
    }
    for (const [name, headers] of Object.entries(evil)) {
      expect(REFUSED(await browser.post('log-out', {}, headers)), name).toEqual([403, 'CROSS_SITE'])
      expect(REFUSED(await browser.post('acts/team.end', { input: { email } }, headers)), name).toEqual([
        403,
        'CROSS_SITE',
      ])
      expect(REFUSED(await browser.post('log-in', { email, password: PASSWORD }, headers)), name).toEqual([
        403,
        'CROSS_SITE',
      ])
    }
    expect((await browser.get('me', { 'sec-fetch-site': 'cross-site' })).status).toBe(200)
    expect((await browser.post('log-out', {}, { 'sec-fetch-site': null, origin: h.apiUrl })).status).toBe(200)

    const program = new Browser(h, 'merchant')
    const made = await program.post('log-in', { email, password: PASSWORD, asToken: true }, { 'sec-fetch-site': null })
    expect(made.headers.getSetCookie()).toEqual([])
    const { token, deviceToken } = made.json.responseBody
    secrets.push(token, deviceToken)
    const headers = { authorization: `Session ${token}`, 'sec-fetch-site': null }
    expect((await program.get('me', headers)).status).toBe(200)
    expect((await program.post('log-out', {}, headers)).status).toBe(200)
    expect(REFUSED(await program.get('me', headers))).toEqual([401, 'SESSION_ENDED'])
  })

  test('invitations are no relay for words and links of a team: names without links, twenty a day, three an hour to one address', async () => {
    const h = harness()
    const email = 'relay@leather.example'
    const merchant = await newMerchant(h)
    await newPerson(h, 'owner', { merchant, email })
    const owner = new Browser(h, 'merchant')
    await owner.logIn(email)
    await enrol(owner)
    const invited = async (to: string, name = 'Ada Obi') => {
      const answer = await owner.act('team.invite', { email: to, name, role: 'support' })
      return answer.status === 200 ? 'DONE' : answer.json.problem.code
    }
    for (const name of [
      'see https://evil.example/unlock',
      'www.evil.ng',
      'call evil.example now',
      'x//y',
      'evil。example',
    ])
      expect(await invited('first@victim.example', name)).toBe('FIELD_INVALID')
    for (const name of ['J.K. Obi', 'St. John', "Ngozi D'Souza-Ali"])
      expect(await invited('first@victim.example', name)).toBe('DONE')
    expect(await invited('First@victim.example')).toBe('TOO_MANY_INVITATIONS')
    const many = await Promise.all(Array.from({ length: 30 }, (_, n) => invited(`v${n}@victim.example`)))
    // One is the owner's own.
    const sent = await h.sql('01', 'select from invitations where member_of = $1 and merchant_cell = $2', [
      merchant.id,
      merchant.cell,
    ])
    expect(sent.length).toBe(20)
    expect(many.filter((outcome) => outcome !== 'DONE' && outcome !== 'TOO_MANY_INVITATIONS')).toEqual([])
  }, 60_000)

  test('the team is invited, changed and ended by the owner, of one merchant only; the last owner stays', async () => {
    const h = harness()
    const { main, second } = h.merchants
    await newPerson(h, 'owner', { merchant: second, email: 'kano@leather.example' })
    await newPerson(h, 'developer', { merchant: second, email: 'dev@leather.example' })
    const [owner, developer] = [new Browser(h, 'merchant'), new Browser(h, 'merchant')]
    await owner.logIn('kano@leather.example')
    await developer.logIn('dev@leather.example')
    expect(REFUSED(await developer.get('views/team.list'))).toEqual([403, 'PERMISSION_DENIED'])
    expect(REFUSED(await owner.act('team.invite', { email: 'x@y.example', name: 'X', role: 'admin' }))).toEqual([
      400,
      'FIELD_INVALID',
    ])
    const input = { email: 'Fin@leather.example', name: 'Fin', role: 'finance' }
    expect(REFUSED(await owner.act('team.invite', input))).toEqual([403, 'STEP_UP_REQUIRED'])
    const { recoveryCodes } = await enrol(owner)
    expect((await owner.act('team.invite', input)).json.responseBody.outcome).toBe('DONE')
    expect(REFUSED(await owner.act('team.end', { email: 'ngozi@adire.example' }))).toEqual([404, 'MEMBER_UNKNOWN'])
    expect(REFUSED(await owner.act('team.invite', { ...input, email: 'dev@leather.example' }))).toEqual([
      409,
      'ALREADY_MEMBER',
    ])
    expect(REFUSED(await owner.act('team.end', { email: 'kano@leather.example' }))).toEqual([409, 'LAST_ADMIN'])
    const team = (await owner.get('views/team.list')).json.responseBody
    expect(team.map((row: { email: string; state: string }) => [row.email, row.state])).toEqual([
      ['dev@leather.example', 'ACTIVE'],
      ['kano@leather.example', 'ACTIVE'],
      ['fin@leather.example', 'INVITED'],
    ])
    // An invitation that is 72 hours old is over; one that was ended too.
    const link = async () =>
      /#([0-9a-f]{64})/.exec((await mailsTo(h, 'fin@leather.example'))[0]?.text ?? '')?.[1] as string
    const token = await link()
    secrets.push(token)
    await advance(h, 72 * 3600 + 1)
    expect(REFUSED(await owner.post('invitations/accept', { token, password: PASSWORD }))).toEqual([
      404,
      'INVITATION_INVALID',
    ])

    await owner.logIn('kano@leather.example')
    await owner.post('log-in/code', { code: recoveryCodes[0] })
    await developer.logIn('dev@leather.example')
    expect((await owner.act('team.changeRole', { email: 'dev@leather.example', role: 'auditor' })).status).toBe(200)
    expect((await developer.get('views/team.list')).status).toBe(200)
    expect((await owner.act('team.reset', { email: 'dev@leather.example' })).status).toBe(200)
    const reset = /#([0-9a-f]{64})/.exec((await mailsTo(h, 'dev@leather.example'))[0]?.text ?? '')?.[1]
    const changed = 'nine green molue buses'
    secrets.push(changed)
    expect((await owner.post('invitations/accept', { token: reset, password: changed })).status).toBe(200)
    expect(REFUSED(await developer.get('me'))).toEqual([401, 'SESSION_ENDED'])
    expect(REFUSED(await developer.logIn('dev@leather.example'))).toEqual([401, 'LOG_IN_REFUSED'])
    expect((await developer.logIn('dev@leather.example', changed)).status).toBe(200)
    const body = { password: changed, newPassword: `${changed} 2` }
    expect(REFUSED(await developer.post('password', { ...body, newPassword: 'short' }))).toEqual([400, 'PASSWORD_WEAK'])
    const old = developer.cookie
    expect((await developer.post('password', body)).status).toBe(200)
    expect(developer.cookie).not.toBe(old)
    expect((await developer.get('me')).status).toBe(200)
    // Whoever is a member of two merchants says which; one that they do not belong to is refused.
    await newPerson(h, 'support', { merchant: main, email: 'two@both.example' })
    await newPerson(h, 'auditor', { merchant: second, email: 'two@both.example' })
    const both = new Browser(h, 'merchant')
    await both.logIn('two@both.example', PASSWORD, { merchant: main.apiKey })
    expect((await both.get('me')).json.responseBody).toMatchObject({
      role: 'support',
      merchant: { name: 'Adire Stores' },
    })
    const other = await both.logIn('two@both.example', PASSWORD, { merchant: h.merchants.other.apiKey })
    expect(REFUSED(other)).toEqual([401, 'LOG_IN_REFUSED'])
    expect((await owner.act('team.end', { email: 'dev@leather.example' })).status).toBe(200)
    expect(REFUSED(await developer.get('me'))).toEqual([401, 'SESSION_ENDED'])
  })
})

describe('what people do with their own account', () => {
  const linesOf = async (h: Harness, email: string): Promise<any[]> =>
    h.sql('01', 'select * from trail where actor_name = $1 order by number', [email])

  test('is in the audit trail, with who and from where: password, factors, sessions; its merchant reads it, no other', async () => {
    const h = harness()
    const { other } = h.merchants
    const email = 'own@calabar.example'
    await newPerson(h, 'owner', { merchant: other, email })
    const [one, two] = [new Browser(h, 'merchant'), new Browser(h, 'merchant')]
    await one.logIn(email)
    await two.logIn(email)
    const changed = 'eleven blue keke riders'
    secrets.push(changed)
    await one.post('password', { password: PASSWORD, newPassword: changed })
    await two.logIn(email, changed)
    const started = await one.post('totp/start', { password: changed })
    const { uri } = started.json.responseBody
    expect((await one.post('totp/confirm', { code: codeOf(uri) })).status).toBe(200)
    const { recoveryCodes } = (await one.post('recovery-codes')).json.responseBody
    secrets.push(seedOf(uri), ...recoveryCodes)
    await two.logIn(email, changed)
    await two.post('log-out') // it still lacked its code
    await two.logIn(email, changed)
    await two.post('log-in/code', { code: recoveryCodes[0] })
    const sessions = (await one.get('sessions')).json.responseBody
    const ended = sessions.find((row: { present: boolean }) => !row.present).id
    await one.ask('DELETE', `sessions/${ended}`)
    await one.ask('DELETE', `sessions/${ended}`) // it is over: nothing changes
    await two.logIn(email, changed)
    await two.post('log-in/code', { code: recoveryCodes[1] })
    await two.post('log-out')
    const [seen] = (await one.get('views/trail.list?of=TEAM')).json.responseBody.content
    await one.ask('DELETE', 'sessions')

    const lines = await linesOf(h, email)
    expect(lines.map(({ what, after }) => [what.replace('merchant.people.', ''), JSON.parse(after)])).toEqual([
      ['acceptInvitation', { role: 'owner', password: 'set' }],
      ['changePassword', { sessionsEnded: 1 }],
      ['confirmTotp', { factors: ['TOTP'], sessionsEnded: 1 }],
      ['newRecoveryCodes', { recoveryCodes: 10 }],
      ['endSession', { session: ended }],
      ['logOut', { session: expect.stringMatching(/^\d+$/) }],
      ['endSessions', { sessionsEnded: 1 }],
    ])
    const [person] = await h.sql('01', 'select id from people where email = $1', [email])
    for (const line of lines)
      expect(line).toMatchObject({
        merchant_id: '0',
        concerns: other.apiKey,
        actor_kind: 'person',
        actor_side: 'merchant',
        actor_id: String(person.id),
        actor_role: 'owner',
        address: '127.0.0.1',
        request_id: expect.any(String),
      })
    expect(seen).toMatchObject({ what: 'merchant.people.logOut', by: { name: email }, concerns: other.apiKey })
    expect((await linesOf(h, 'ada@operator.example')).map(({ what, concerns }) => [what, concerns])).toEqual([
      ['operator.people.acceptInvitation', null],
      ['operator.people.confirmTotp', null],
    ])
    const third = new Browser(h, 'merchant')
    await third.logIn('ngozi@adire.example')
    const { content } = (await third.get('views/trail.list?of=TEAM')).json.responseBody
    expect(new Set(content.map((line: { concerns: string }) => line.concerns))).toEqual(
      new Set([h.merchants.main.apiKey]),
    )
    const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells) }
    expect(await audit(['verify'], env, () => undefined)).toBe(0)
  })

  test('is not done without its line', async () => {
    const h = harness()
    const email = 'line@adire.example'
    await newPerson(h, 'owner', { merchant: h.merchants.main, email })
    const one = new Browser(h, 'merchant')
    await one.logIn(email)
    const cookie = one.cookie
    await dyingAt(h, 'trail', async () => {
      const body = { password: PASSWORD, newPassword: 'twelve red okada riders' }
      expect((await one.post('password', body)).status).toBe(500)
      expect((await one.ask('DELETE', 'sessions')).status).toBe(500)
    })
    expect([one.cookie, (await one.get('me')).status]).toEqual([cookie, 200])
    expect((await new Browser(h, 'merchant').logIn(email)).status).toBe(200)
    expect((await linesOf(h, email)).map(({ what }) => what)).toEqual(['merchant.people.acceptInvitation'])
  })
})

test('invitations that ended 90 days ago, and devices unused for 400, are forgotten by the clock; younger ones stay', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const DAY_MS = 86_400_000
  const after = async (days: number) => {
    const now = () => new Date(ctx.clock.now().getTime() + days * DAY_MS)
    const shared = share({ ...h.gateway, ctx: { ...ctx, clock: { ...ctx.clock, now } } }, h.config, FEATURES)
    const steps = people.peopleHousekeeping?.(shared) ?? {}
    for (const name of ['old invitations', 'old devices']) await steps[name]?.('01')
    const count = (table: string, of: string) => h.sql('01', `select count(*)::integer as n from ${table} where ${of}`)
    const [invitations] = await count('invitations', `email in ('old@adire.example', 'young@adire.example')`)
    const mine = `select id from people where email in ('old@adire.example', 'young@adire.example')`
    const [devices] = await count('devices', `person_id in (${mine})`)
    return [invitations.n, devices.n]
  }
  for (const email of ['old@adire.example', 'young@adire.example']) {
    await newPerson(h, 'support', { merchant: h.merchants.main, email })
    await new Browser(h, 'merchant').logIn(email)
  }
  await h.sql(
    '01',
    `update invitations set expires_at = expires_at + interval '10 days' where email = 'young@adire.example'`,
  )
  await h.sql(
    '01',
    `update devices set last_seen = last_seen + interval '10 days' where person_id = (select id from people where email = 'young@adire.example')`,
  )
  expect(await after(3 + 89)).toEqual([2, 2])
  expect(await after(3 + 91)).toEqual([1, 2])
  expect(await after(399)).toEqual([0, 2])
  expect(await after(401)).toEqual([0, 1])
  expect(await after(411)).toEqual([0, 0])
})

test('no password, seed, code, token or link is in any row', async () => {
  const h = harness()
  const all = [await dump(h.databases['01']), await dump(h.databases['02'])].join('\n')
  expect(all).toContain('ada@operator.example')
  expect(secrets.length).toBeGreaterThan(25)
  for (const secret of secrets) {
    expect(all.includes(secret), `${secret.slice(0, 6)}…`).toBe(false)
    expect(all.includes(Buffer.from(secret).toString('hex')), `${secret.slice(0, 6)}… in hexadecimal`).toBe(false)
  }
})
