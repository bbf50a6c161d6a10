// What one of the operator's people would do to be both persons, and why it fails.
import { ACTS } from '@cowrie/contract/acts'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { expect, test } from 'vitest'
import { actorOf, doAct } from '#test/features/access/acts.ts'
import { join } from '#test/features/access/secret-keys.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { Browser, mailsTo, newPerson, operatorIn, PASSWORD } from '#test/people/people.ts'
import { type PersonIn, personIn, sessionHeader } from '#test/people/sessions.ts'
import { run } from '../../../../../../tools/operator/operators.ts'
import { cellsText } from '../../../config.ts'

const harness = useHarness()
const REFUSED = (answer: { status: number; code: string }) => [answer.status, answer.code]
const act = async (h: Harness, by: PersonIn, id: string, input: object, merchant?: TestMerchant) => {
  const answer = await fetch(`${h.operatorUrl}/operator/v1/acts/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...sessionHeader(by) },
    body: JSON.stringify({ input, reason: 'a test wants it', ...(merchant ? { merchant: merchant.apiKey } : {}) }),
  })
  const json: any = await answer.json()
  return { status: answer.status, code: json.problem?.code ?? '', body: json.responseBody }
}
const tokenIn = (text: string | undefined): string => /#([0-9a-f]{64})/.exec(text ?? '')?.[1] ?? ''
const machine = (h: Harness, ...words: string[]) =>
  run(words, { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), OPERATOR_URL: h.operatorUrl }, () => {})

test('one admin of three ends the other two and is still not two: a puppet waits for an approval that nobody can give', async () => {
  const h = harness()
  const [first, second, third] = [
    await personIn(h, 'operator', 'admin'),
    await personIn(h, 'operator', 'admin'),
    await personIn(h, 'operator', 'admin'),
  ]
  for (const other of [second, third])
    expect((await act(h, first, 'operators.end', { email: other.email })).body.outcome).toBe('DONE')
  for (const role of ['admin', 'operations', 'support']) {
    const puppet = { email: `puppet-${role}@operator.example`, name: 'P', role }
    expect((await act(h, first, 'operators.invite', puppet)).body).toMatchObject({ outcome: 'WAITING' })
  }
  const clerk = await personIn(h, 'operator', 'operations')
  const raised = await act(h, first, 'operators.changeRole', { email: clerk.email, role: 'admin' })
  expect(raised.body.outcome).toBe('WAITING')
  expect((await act(h, first, 'operators.reset', { email: clerk.email })).body.outcome).toBe('WAITING')
  expect(REFUSED(await act(h, first, 'approvals.approve', { reference: raised.body.reference }))).toEqual([
    ...[403, 'APPROVAL_OWN'],
  ])
  // Those who were ended hear of it, and so did whoever was left.
  expect((await mailsTo(h, second.email))[0]?.text).toContain(
    `The access of ${second.email}, admin, was ended by ${first.email}`,
  )
  expect(await mailsTo(h, third.email)).toHaveLength(2)

  // The way out is at the machine, while fewer than two are left.
  expect(await machine(h, 'another', 'dayo@operator.example', 'Dayo')).toBe(0)
  expect(await machine(h, 'first', 'eve@operator.example', 'Eve')).toBe(1)
  await operatorIn(h, 'admin', 'ngozi@operator.example')
  expect(await machine(h, 'another', 'eve@operator.example', 'Eve')).toBe(1)
})

test('a new or raised operator approves nothing for a day, by the clock; every admin hears of them', async () => {
  const h = harness()
  const [ada, bola] = [await personIn(h, 'operator', 'admin'), await personIn(h, 'operator', 'admin')]
  const asked = async () => (await act(h, ada, 'operators.reset', { email: bola.email })).body.reference as string
  const late = await operatorIn(h, 'admin', 'late@operator.example', true)
  const approve = (browser: Browser, reference: string) => browser.act('approvals.approve', { reference })
  expect(REFUSED(await approve(late.browser, await asked()))).toEqual([403, 'APPROVER_NEW'])
  const { content } = (await late.browser.get('views/approvals.list?state=WAITING')).json.responseBody
  expect(content[0].mayApprove).toBe(false)
  expect((await mailsTo(h, bola.email)).map(({ text }) => text).join()).toContain('late@operator.example is admin')

  const clerk = await operatorIn(h, 'support', 'clerk@operator.example')
  const raise = await act(h, ada, 'operators.changeRole', { email: 'clerk@operator.example', role: 'admin' })
  expect((await act(h, bola, 'approvals.approve', { reference: raise.body.reference })).status).toBe(200)
  expect(REFUSED(await approve(clerk.browser, await asked()))).toEqual([403, 'APPROVER_NEW'])
  expect((await mailsTo(h, ada.email)).map(({ text }) => text).join()).toContain('was made admin by')

  const waits = await h.sql(
    '01',
    `select extract(epoch from m.approves_from - $2)::int as seconds from memberships m join people p on p.id = m.person_id where p.email = any($1::text[])`,
    [['late@operator.example', 'clerk@operator.example'], h.gateway.ctx.clock.now()],
  )
  for (const { seconds } of waits) expect(Math.round(seconds / 100)).toBe(DAY_MS / 100_000)
  const approvesFrom = new Date(h.gateway.ctx.clock.now().getTime() + 120_000)
  const soon = await personIn(h, 'operator', 'admin', { approvesFrom })
  const reference = await asked()
  expect(REFUSED(await act(h, soon, 'approvals.approve', { reference }))).toEqual([403, 'APPROVER_NEW'])
  await advance(h, 121)
  expect((await act(h, soon, 'approvals.approve', { reference })).status).toBe(200)
})

test('every admin hears of every change among operators, whoever makes it: each act of the contract', async () => {
  const h = harness()
  const [ada, bola, watcher] = [
    await personIn(h, 'operator', 'admin'),
    await personIn(h, 'operator', 'admin'),
    await personIn(h, 'operator', 'admin'),
  ]
  const byTwo = async (id: string, input: object) => {
    const asked = await act(h, ada, id, input)
    if (asked.body?.outcome !== 'WAITING') return asked
    return act(h, bola, 'approvals.approve', { reference: asked.body.reference })
  }
  const clerk = await operatorIn(h, 'support', 'clerk2@operator.example')
  const changes: Readonly<Record<string, () => Promise<{ status: number }>>> = {
    'operators.invite': () => byTwo('operators.invite', { email: 'guest@operator.example', name: 'G', role: 'risk' }),
    'operators.reset': () => byTwo('operators.reset', { email: clerk.email }),
    'operators.changeRole': () => byTwo('operators.changeRole', { email: clerk.email, role: 'finance' }),
    'operators.end': () => byTwo('operators.end', { email: clerk.email }),
  }
  expect(Object.keys(changes)).toEqual(ACTS.flatMap(({ id }) => (id.startsWith('operators.') ? [id] : [])))
  const heard = async (who: PersonIn) =>
    (await mailsTo(h, who.email))
      .filter(({ subject }) => subject === 'A change among the operators')
      .map(({ text }) => text)
  const told = async (what: string, change: () => Promise<unknown>, text: string) => {
    await change()
    for (const who of [ada, bola, watcher]) expect((await heard(who)).join('\n'), what).toContain(text)
  }
  const words: Readonly<Record<string, string>> = {
    'operators.invite': 'guest@operator.example was invited as risk by',
    'operators.reset': 'clerk2@operator.example was sent a link to set another password by',
    'operators.changeRole': 'clerk2@operator.example, support, was made finance by',
    'operators.end': 'The access of clerk2@operator.example, finance, was ended by',
  }
  for (const [id, change] of Object.entries(changes)) {
    const changed = async () => expect((await change()).status, id).toBe(200)
    await told(id, changed, words[id] ?? '')
  }
  const ended = () => byTwo('operators.end', { email: 'guest@operator.example' })
  await told('an invitation is ended', ended, 'The invitation of guest@operator.example was ended by')
  await told(
    'an admin is ended',
    () => act(h, ada, 'operators.end', { email: watcher.email }),
    `${watcher.email}, admin, was`,
  )
})

test('all owners hear of every owner who comes, goes, is raised or lowered; nobody else’s owners do', async () => {
  const h = harness()
  const [merchant, other] = [await join(h), await join(h)]
  await newPerson(h, 'owner', { merchant: other, email: 'owner@other.example' })
  await newPerson(h, 'owner', { merchant, email: 'first@kano.example' })
  await newPerson(h, 'owner', { merchant, email: 'second@kano.example' })
  await newPerson(h, 'support', { merchant, email: 'helper@kano.example' })
  const by = actorOf('merchant', 'owner', 'first@kano.example')
  await doAct(h, by, 'team.changeRole', { merchant, input: { email: 'helper@kano.example', role: 'owner' } })
  await doAct(h, by, 'team.changeRole', { merchant, input: { email: 'second@kano.example', role: 'auditor' } })
  await doAct(h, by, 'team.end', { merchant, input: { email: 'helper@kano.example' } })
  const heard = async (email: string) =>
    (await mailsTo(h, email))
      .filter(({ subject }) => subject === 'A change among the owners')
      .map(({ text }) => text.split('\n')[0])
  expect(new Set(await heard('first@kano.example'))).toEqual(
    new Set([
      'second@kano.example is owner from now on, invited by a test.',
      'helper@kano.example, support, was made owner by first@kano.example.',
      'second@kano.example, owner, was made auditor by first@kano.example.',
      'The access of helper@kano.example, owner, was ended by first@kano.example.',
    ]),
  )
  expect(await heard('second@kano.example')).toHaveLength(2)
  expect(await heard('owner@other.example')).toEqual([])
})

test('a leaver’s keys are listed when their access ends: those they made or approved, in force, of this merchant', async () => {
  const h = harness()
  const merchant = await join(h)
  await newPerson(h, 'owner', { merchant, email: 'boss@kano.example' })
  await newPerson(h, 'developer', { merchant, email: 'leaver@kano.example' })
  const [boss, leaver] = [
    actorOf('merchant', 'owner', 'boss@kano.example'),
    actorOf('merchant', 'owner', 'Leaver@kano.example'),
  ]
  const make = async (by: typeof boss, name: string) =>
    (await doAct(h, by, 'keys.create', { merchant, input: { name, scope: 'READ' } })).reply.apiKey as string
  const [left, ended] = [await make(leaver, 'left'), await make(leaver, 'ended'), await make(boss, 'of the boss')]
  await doAct(h, boss, 'keys.end', { merchant, input: { apiKey: ended } })
  const { reply } = await doAct(h, boss, 'team.end', { merchant, input: { email: 'leaver@kano.example' } })
  expect(reply).toEqual({ email: 'leaver@kano.example', keys: [{ apiKey: left, name: 'left', scope: 'READ' }] })
  await doAct(h, boss, 'keys.end', { merchant, input: { apiKey: left } })
})

test('owners.invite is for a merchant without an owner: 409 OWNER_IN_FORCE, and an older invitation is void', async () => {
  const h = harness()
  const merchant = await join(h)
  const clerk = await personIn(h, 'operator', 'operations')
  const ops = await personIn(h, 'operator', 'operations')
  const invite = async (email: string) => {
    const asked = await act(h, clerk, 'owners.invite', { email, name: 'O' }, merchant)
    if (asked.body?.outcome === 'WAITING') return act(h, ops, 'approvals.approve', { reference: asked.body.reference })
    return asked
  }
  expect((await invite('puppet@evil.example')).status).toBe(200)
  expect((await invite('owner@kano.example')).status).toBe(200)
  const accept = async (email: string) => {
    const [mail] = await mailsTo(h, email)
    return new Browser(h, 'merchant').post('invitations/accept', { token: tokenIn(mail?.text), password: PASSWORD })
  }
  expect(REFUSED(await accept('puppet@evil.example'))).toEqual([404, 'INVITATION_INVALID'])
  expect((await accept('owner@kano.example')).status).toBe(200)
  expect(REFUSED(await invite('puppet@evil.example'))).toEqual([409, 'OWNER_IN_FORCE'])
})

test('an owner is replaced by two people, every owner is mailed, the link works after 72 hours, and an owner ends it', async () => {
  const h = harness()
  const merchant = await join(h)
  await newPerson(h, 'owner', { merchant, email: 'lost@kano.example' })
  const [one, two] = [await personIn(h, 'operator', 'operations'), await personIn(h, 'operator', 'operations')]
  const replace = async (email: string) => {
    const asked = await act(h, one, 'owners.replace', { email, name: 'N' }, merchant)
    expect(asked.body).toMatchObject({ outcome: 'WAITING' })
    expect(REFUSED(await act(h, one, 'approvals.approve', { reference: asked.body.reference }))).toEqual([
      ...[403, 'APPROVAL_OWN'],
    ])
    expect((await act(h, two, 'approvals.approve', { reference: asked.body.reference })).status).toBe(200)
    const [mail] = await mailsTo(h, email)
    return tokenIn(mail?.text)
  }
  const accept = (token: string) => new Browser(h, 'merchant').post('invitations/accept', { token, password: PASSWORD })
  const [puppets, heirs] = [await replace('puppet@evil.example'), await replace('heir@kano.example')]
  for (const to of ['lost@kano.example', merchant.email])
    expect((await mailsTo(h, to)).filter(({ text }) => text.includes('puppet@evil.example'))).toHaveLength(1)
  for (const token of [puppets, heirs]) expect(REFUSED(await accept(token))).toEqual([404, 'INVITATION_INVALID'])
  await doAct(h, actorOf('merchant', 'owner'), 'team.end', { merchant, input: { email: 'puppet@evil.example' } })
  await advance(h, (72 * HOUR_MS) / 1000 + 1)
  expect(REFUSED(await accept(puppets))).toEqual([404, 'INVITATION_INVALID'])
  expect((await accept(heirs)).status).toBe(200)
  expect((await mailsTo(h, 'lost@kano.example')).map(({ text }) => text).join()).toContain(
    'heir@kano.example is owner from now on',
  )
})
