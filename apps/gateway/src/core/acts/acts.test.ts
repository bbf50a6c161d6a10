// What one person may, what needs two, and the audit trail of both: by the runner that HTTP and commands use,
// and over HTTP.

import { afterEach, describe, expect, test } from 'vitest'
import { queuePersonMail } from '#features/access/people/known/people-mails.ts'
import { monotonicMs } from '#kit/clock.ts'
import { Failure, fail } from '#kit/fail.ts'
import { parseApproval } from '#kit/ids.ts'
import {
  actorOf,
  approveAs,
  changeRole,
  type Doing,
  doAct,
  rejectAs,
  show,
  TEST_DOOR,
} from '#test/features/access/acts.ts'
import { doneTimes, TRIAL, trouble, WITH_TRIAL } from '#test/features/access/trial-acts.ts'
import { advance, type Harness, unique, useHarness } from '#test/kit/harness.ts'
import { run as audit } from '../../../../../tools/operator/audit.ts'
import { createApi, createOperatorApi, share } from '../../app.ts'
import { cellsText } from '../../config.ts'
import { FEATURES } from '../../feature-list.ts'
import { openGateway } from '../../gateway.ts'
import type { Actor } from '../access/actor.ts'
import { runDue } from '../agenda.ts'
import { engineTx } from '../cells/cells.ts'
import type { Logins } from '../cells/logins.ts'
import { sharedDueHandlers } from '../feature.ts'
import { listHouses } from '../work-loop.ts'
import { actDigest, canonical, decisionDigest } from './digest.ts'
import type { Door } from './door.ts'

const harness = useHarness()
afterEach(() => {
  trouble.next = null
})
const features = WITH_TRIAL

const code = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'DONE'
  } catch (error) {
    return error instanceof Failure ? error.code : String(error)
  }
}
const give = (h: Harness, by: Actor, note: string, more: Doing = {}) =>
  doAct(h, by, 'trials.give', { merchant: h.merchants.main, input: { note }, features, ...more })
/** Asked for by one; the reference, and what counts how often it was done. */
async function asked(h: Harness): Promise<{ note: string; by: Actor; reference: string }> {
  const [note, by] = [unique('note'), actorOf('operator', 'operations')]
  const { reference } = await give(h, by, note)
  return { note, by, reference: reference ?? '' }
}
const stateOf = async (h: Harness, reference: string): Promise<string> =>
  (await h.sql('01', 'select status from approvals where id = $1', [parseApproval(reference)?.id]))[0].status
const linesOf = (h: Harness, what: string, merchantId = h.merchants.main.id) =>
  h.sql('01', 'select * from trail where merchant_id = $1 and what = $2 order by number', [merchantId, what])

describe('an act of one person', () => {
  test('is done, with a line that says who, what, why, before and after', async () => {
    const h = harness()
    const [note, by] = [unique('note'), actorOf('operator', 'operations', 'bola@operator.example')]
    const done = await doAct(h, by, 'trials.write', {
      merchant: h.merchants.main,
      input: { note, stray: 'x' },
      features,
    })
    expect(done).toEqual({ outcome: 'DONE', reply: { given: note }, reference: null })
    expect(await doneTimes(h, note)).toBe(1)
    const line = (await linesOf(h, 'trials.write')).at(-1)
    expect(line).toMatchObject({
      actor_kind: 'person',
      actor_name: 'bola@operator.example',
      actor_role: 'operations',
      reason: 'a test wants it',
      address: '127.0.0.1',
      approval_id: null,
      after: canonical({ note }),
    })
  })

  test('can be tried, and nothing happens', async () => {
    const h = harness()
    const [note, by] = [unique('note'), actorOf('operator', 'operations')]
    const would = await give(h, by, note, { dryRun: true })
    expect(would).toEqual({ outcome: 'WOULD', reply: { would: note }, reference: null })
    expect(await doneTimes(h, note)).toBe(0)
    const send = doAct(h, actorOf('merchant', 'owner'), 'trials.send', { input: { note }, dryRun: true, features })
    expect(await code(send)).toBe('FIELD_INVALID')
  })

  test('is refused by name, and nothing of it is kept', async () => {
    const h = harness()
    const { main } = h.merchants
    const by = (role: 'support' | 'operations' | 'nobody') => actorOf('operator', role)
    const lines = async () => (await h.sql('01', 'select count(*)::integer as n from trail'))[0].n
    const before = await lines()
    const old = new Date(h.gateway.ctx.clock.now().getTime() - 5 * 60_000 - 1000)
    const input = { note: 'never' }
    const rows: [string, () => Promise<unknown>][] = [
      ['PERMISSION_DENIED', () => give(h, by('support'), 'never')],
      ['PERMISSION_DENIED', () => give(h, by('nobody'), 'never')],
      ['ACT_UNKNOWN', () => doAct(h, by('operations'), 'trials.none', { features })],
      ['ACT_UNKNOWN', () => doAct(h, actorOf('merchant', 'owner'), 'trials.give', { input, features })],
      ['STEP_UP_REQUIRED', () => give(h, by('operations'), 'never', { provedAt: old })],
      ['STEP_UP_REQUIRED', () => give(h, by('operations'), 'never', { provedAt: null })],
      ['STEP_UP_REQUIRED', () => give(h, by('operations'), 'never', { proof: { signs: 'something else' } })],
      ['FIELD_MISSING', () => give(h, by('operations'), 'never', { input: {} })],
      ['AMOUNT_INVALID', () => give(h, by('operations'), 'never', { input: { note: 'never', amount: '1.001' } })],
      ['FIELD_MISSING', () => give(h, by('operations'), 'never', { reason: '' })],
      ['FIELD_INVALID', () => give(h, by('operations'), 'refused')],
      ['MERCHANT_UNKNOWN', () => give(h, by('operations'), 'never', { merchant: 'MK_TEST_01AAAAAAAA' })],
      ['FIELD_MISSING', () => doAct(h, by('operations'), 'trials.give', { input, features })],
      ['PERMISSION_DENIED', () => doAct(h, actorOf('merchant', 'support'), 'trials.send', { input, features })],
      ['PERMISSION_DENIED', () => show(h, by('nobody'), 'trials.count', { merchant: main.apiKey }, features)],
      [
        'FIELD_INVALID',
        () => show(h, by('support'), 'trials.count', { merchant: main.apiKey, note: 'too long for it' }, features),
      ],
    ]
    for (const [expected, work] of rows) expect(await code(work())).toBe(expected)
    expect(await doneTimes(h, 'never')).toBe(0)
    expect(await lines()).toBe(before)
  })
})

describe('an act that needs two people', () => {
  test('waits; another approves it, and it is done once, with the approval in its line', async () => {
    const h = harness()
    const { note, by, reference } = await asked(h)
    expect([await doneTimes(h, note), await stateOf(h, reference)]).toEqual([0, 'WAITING'])
    const other = actorOf('operator', 'risk')
    const listed = await show(h, other, 'approvals.list', { state: 'WAITING' }, features)
    expect(listed.content[0]).toMatchObject({
      reference,
      mayApprove: true,
      requestedBy: { name: by.name },
      input: { note },
    })
    expect((await show(h, by, 'approvals.show', { reference }, features)).mayApprove).toBe(false)
    const approved = await approveAs(h, other, reference, { features })
    expect(approved).toMatchObject({ outcome: 'DONE', reply: { state: 'EXECUTED', reply: { given: note } } })
    expect([await doneTimes(h, note), await stateOf(h, reference)]).toEqual([1, 'EXECUTED'])
    const line = (await linesOf(h, 'trials.give')).at(-1)
    expect(line).toMatchObject({ actor_name: other.name, approval_id: String(parseApproval(reference)?.id) })
    const [grant] = await h.sql('01', 'select granted_by from feature_grants where reason = $1', [note])
    expect(grant.granted_by).toBe(by.name)
    expect(await code(approveAs(h, other, reference, { features }))).toBe('APPROVAL_OVER')
    expect(await code(rejectAs(h, other, reference, { features }))).toBe('APPROVAL_OVER')
  })

  test('is refused to whoever asked, to who may not, and to others, by name; a rejected one is never done', async () => {
    const h = harness()
    const { note, by, reference } = await asked(h)
    const alias = { ...actorOf('operator', 'admin'), name: by.name.toUpperCase() }
    const merchants = { ...actorOf('merchant', 'owner') }
    const old = new Date(h.gateway.ctx.clock.now().getTime() - 5 * 60_000 - 1000)
    const rows: [string, () => Promise<unknown>][] = [
      ['APPROVAL_OWN', () => approveAs(h, by, reference, { features })],
      ['APPROVAL_OWN', () => approveAs(h, alias, reference, { features })],
      ['PERMISSION_DENIED', () => approveAs(h, actorOf('operator', 'finance'), reference, { features })],
      ['PERMISSION_DENIED', () => approveAs(h, actorOf('operator', 'nobody'), reference, { features })],
      [
        'PERMISSION_DENIED',
        () =>
          approveAs(h, { ...actorOf('operator', 'admin'), personId: null, kind: 'command' }, reference, { features }),
      ],
      ['APPROVAL_UNKNOWN', () => approveAs(h, merchants, reference, { features })],
      ['APPROVAL_UNKNOWN', () => approveAs(h, actorOf('operator', 'admin'), 'CWAP0199', { features })],
      ['APPROVAL_UNKNOWN', () => approveAs(h, actorOf('operator', 'admin'), 'CWAP9999', { features })],
      ['APPROVAL_UNKNOWN', () => approveAs(h, actorOf('operator', 'admin'), 'nonsense', { features })],
      ['STEP_UP_REQUIRED', () => approveAs(h, actorOf('operator', 'admin'), reference, { features, provedAt: old })],
    ]
    for (const [expected, work] of rows) expect(await code(work())).toBe(expected)
    expect(await stateOf(h, reference)).toBe('WAITING')
    await rejectAs(h, by, reference, { features })
    expect([await doneTimes(h, note), await stateOf(h, reference)]).toEqual([0, 'REJECTED'])
    expect(await code(approveAs(h, actorOf('operator', 'admin'), reference, { features }))).toBe('APPROVAL_OVER')
  })

  test('fifty approvals at once, whoever asked among them: it is done once', async () => {
    const h = harness()
    const { note, by, reference } = await asked(h)
    const one = actorOf('operator', 'admin')
    const tries = Array.from({ length: 50 }, (_, at) =>
      at % 5 === 0 ? by : at % 2 === 0 ? one : actorOf('operator', 'risk'),
    )
    const outcomes = await Promise.all(tries.map((actor) => code(approveAs(h, actor, reference, { features }))))
    const counted = Map.groupBy(outcomes, (outcome) => outcome)
    expect(counted.get('DONE')).toHaveLength(1)
    expect(counted.get('APPROVAL_OVER')).toHaveLength(39)
    expect(counted.get('APPROVAL_OWN')).toHaveLength(10)
    expect(await doneTimes(h, note)).toBe(1)
  })

  test('approved and rejected at once: one of the two', async () => {
    const h = harness()
    const { note, reference } = await asked(h)
    const [a, b] = [actorOf('operator', 'admin'), actorOf('operator', 'risk')]
    const outcomes = await Promise.all([
      code(approveAs(h, a, reference, { features })),
      code(rejectAs(h, b, reference, { features })),
    ])
    expect(outcomes.toSorted()).toEqual(['APPROVAL_OVER', 'DONE'])
    expect(await doneTimes(h, note)).toBe((await stateOf(h, reference)) === 'EXECUTED' ? 1 : 0)
  })

  test('409 APPROVAL_STALE once whoever asked may no longer do it', async () => {
    const h = harness()
    const { note, by, reference } = await asked(h)
    changeRole(by, 'support')
    expect(await code(approveAs(h, actorOf('operator', 'admin'), reference, { features }))).toBe('APPROVAL_STALE')
    changeRole(by, 'operations')
    await approveAs(h, actorOf('operator', 'admin'), reference, { features })
    expect(await doneTimes(h, note)).toBe(1)
  })

  test('a handler that refuses, and a connection that dies in the middle, leave it waiting and nothing done', async () => {
    const h = harness()
    const { note, reference } = await asked(h)
    const other = actorOf('operator', 'admin')
    trouble.next = async () => fail('UNAVAILABLE')
    expect(await code(approveAs(h, other, reference, { features }))).toBe('UNAVAILABLE')
    trouble.next = async (t) => {
      const [own] = await t.query<{ pid: number }>({ name: 'own_pid', text: 'select pg_backend_pid() as pid' }, [])
      await h.sql('01', 'select pg_terminate_backend($1)', [own?.pid])
    }
    expect(await code(approveAs(h, other, reference, { features }))).not.toBe('DONE')
    expect([await doneTimes(h, note), await stateOf(h, reference)]).toEqual([0, 'WAITING'])
    trouble.next = null
    await approveAs(h, other, reference, { features })
    expect(await doneTimes(h, note)).toBe(1)
  })

  test('a passkey that signs exactly this act stands in for step-up, and is kept with it', async () => {
    const h = harness()
    const { main } = h.merchants
    const [note, by] = [unique('note'), actorOf('operator', 'operations')]
    const digest = actDigest({
      side: 'operator',
      act: 'trials.give',
      merchant: main.apiKey,
      cell: '01',
      input: { note },
      reason: 'a test wants it',
    })
    const signs = digest.toString('base64url')
    expect(await code(give(h, by, `${note}x`, { provedAt: null, proof: { signs } }))).toBe('STEP_UP_REQUIRED')
    const { reference } = await give(h, by, note, { provedAt: null, proof: { signs } })
    const decision = decisionDigest('approve', reference ?? '', digest).toString('base64url')
    const other = actorOf('operator', 'admin')
    expect(await code(approveAs(h, other, reference, { features, proof: { signs } }))).toBe('STEP_UP_REQUIRED')
    await approveAs(h, other, reference, { features, provedAt: null, proof: { signs: decision } })
    const [row] = await h.sql('01', 'select * from approvals where id = $1', [parseApproval(reference ?? '')?.id])
    expect(JSON.parse(row.request_proof)).toMatchObject({ signs })
    expect(JSON.parse(row.decision_proof)).toMatchObject({ signs: decision })
  })

  test("of a merchant: above its limit only, with another permission, never seen by another's people", async () => {
    const h = harness()
    const [owner, finance] = [actorOf('merchant', 'owner'), actorOf('merchant', 'finance')]
    const send = (amount: string) =>
      doAct(h, owner, 'trials.send', { input: { note: unique('note'), amount }, features })
    expect((await send('1000')).outcome).toBe('DONE')
    const { outcome, reference } = await send('1000.01')
    expect(outcome).toBe('WAITING')
    expect(await code(approveAs(h, actorOf('merchant', 'auditor'), reference, { features }))).toBe('PERMISSION_DENIED')
    const theirs = { features, merchant: h.merchants.other }
    expect(await code(approveAs(h, actorOf('merchant', 'owner'), reference, theirs))).toBe('APPROVAL_UNKNOWN')
    const query = { merchant: h.merchants.other.apiKey }
    expect((await show(h, actorOf('merchant', 'owner'), 'approvals.list', query, features)).content).toEqual([])
    expect((await approveAs(h, finance, reference, { features })).reply.state).toBe('EXECUTED')
    const trail = await show(h, owner, 'trail.list', {}, features)
    expect(trail.content[0]).toMatchObject({ what: 'trials.send', by: { name: finance.name }, approval: reference })
    const operators = trail.content.find((line: { by: { side: string } }) => line.by.side === 'operator')
    expect(operators).toMatchObject({ by: { name: 'operator', role: null }, address: null })
  })

  test('about no merchant: kept where people are known', async () => {
    const h = harness()
    const by = actorOf('operator', 'admin')
    const { reference } = await doAct(h, by, 'trials.house', { input: { note: unique('note') }, features })
    expect(reference?.slice(4, 6)).toBe(h.gateway.ctx.identities.id)
    await approveAs(h, actorOf('operator', 'admin'), reference, { features })
    const trail = await show(h, by, 'trail.list', { cell: h.gateway.ctx.identities.id }, features)
    expect(trail.content[0]).toMatchObject({ what: 'trials.house', approval: reference, concerns: null })
  })

  test('the database refuses an approval by whoever asked, and changed lines', async () => {
    const h = harness()
    const { reference } = await asked(h)
    const own = `update approvals set status = 'EXECUTED', decided_at = created_at, decider_kind = 'person', decider_id = requester_id,
      decider_name = 'somebody else' where id = $1`
    await expect(h.sql('01', own, [parseApproval(reference)?.id])).rejects.toThrow(/approvals_two_people/)
    for (const text of ['delete from trail', `update trail set reason = ''`, 'delete from approvals'])
      await expect(
        engineTx(h.gateway.ctx, '01', (t) => t.query({ name: `may_${text.length}`, text }, [])),
      ).rejects.toThrow(/permission denied/)
  })

  test('a process does not start whose act would store a secret', async () => {
    const h = harness()
    const [bound] = (TRIAL.acts?.({} as never) ?? []).filter(({ spec }) => spec.approval)
    const leaky = { ...TRIAL, acts: () => [{ ...bound, spec: { ...bound?.spec, secretFields: ['note'] } }] } as never
    expect(() => createApi(h.gateway, h.config, monotonicMs, [...FEATURES, leaky])).toThrow(/secret field note/)
  })
})

describe('the audit trail', () => {
  const command = async (...words: string[]) => {
    const lines: string[] = []
    const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(harness().config.cells) }
    return { code: await audit(words, env, (text) => lines.push(text)), lines }
  }

  test('has a line for every change that a merchant makes by key, without secrets and persons', async () => {
    const h = harness()
    const { other } = h.merchants
    const url = `${h.receiverUrl('/hook')}?key=hidden-in-query`
    const made = await h.as(other, 'POST', '/api/v1/webhook-endpoints', { url, eventTypes: ['SUCCESSFUL_TRANSACTION'] })
    const barredPayers = [{ bankCode: '058', accountNumber: '0123456789' }]
    const policy = { less: 'RETURN', more: 'RETURN', extra: 'RETURN', tolerance: 0, barredPayers }
    for (const headers of [{}, { 'idempotency-key': unique('key') }])
      expect((await h.as(other, 'PUT', '/api/v1/payment-policy', policy, headers)).status).toBe(200)
    const rows = await h.sql('01', 'select * from trail where merchant_id = $1 order by number', [other.id])
    expect(made.status, made.text).toBe(200)
    expect(rows.find(({ what }) => what === 'endpoints.create')).toMatchObject({
      actor_kind: 'key',
      actor_name: other.apiKey,
      address: '127.0.0.1',
      request_id: made.headers.get('x-request-id'),
    })
    expect(rows.filter(({ what }) => what === 'paymentPolicy.put')).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toMatch(/hidden-in-query|0123456789/)
    expect(rows.at(-1).after).toContain('"accountNumber":"…6789"')
    const refused = await h.as(other, 'POST', '/api/v1/webhook-endpoints', { url: 'nonsense', eventTypes: [] })
    expect(refused.status).toBe(400)
    expect(await h.sql('01', 'select from trail where merchant_id = $1', [other.id])).toHaveLength(rows.length)
  })

  test('is verified and exported; one changed line is found by its number', async () => {
    const h = harness()
    const { main } = h.merchants
    expect(await command('verify')).toMatchObject({ code: 0 })
    const plant = (text: string) => h.sql('01', text, [main.id])
    const last = (await plant('select number::integer from trail_heads where merchant_id = $1'))[0].number as number
    const faults: [change: string, back: string, at: number | null][] = [
      [
        `update trail set reason = reason || '!' where merchant_id = $1 and number = 2`,
        `update trail set reason = left(reason, -1) where merchant_id = $1 and number = 2`,
        2,
      ],
      [
        `update trail set merchant_id = -1 where merchant_id = $1 and number = 3`,
        `update trail set merchant_id = $1 where merchant_id = -1`,
        3,
      ],
      [
        `update trail_heads set number = number + 1 where merchant_id = $1`,
        `update trail_heads set number = number - 1 where merchant_id = $1`,
        null,
      ],
    ]
    for (const [change, back, at] of faults) {
      await plant(change)
      const { code: exit, lines } = await command('verify')
      await plant(back)
      expect(exit).toBe(1)
      expect(lines.join('\n')).toContain(`merchant ${main.id}: BROKEN at line ${at ?? last + 1}`)
    }
    expect(await command('verify')).toMatchObject({ code: 0 })
    const exported = await command('export', main.apiKey)
    expect(exported.lines.map((line) => JSON.parse(line).number)).toEqual(exported.lines.map((_, at) => String(at + 1)))
    expect(exported.lines.length).toBeGreaterThan(3)
    expect(await command('export', 'MK_TEST_01AAAAAAAA')).toMatchObject({ code: 1 })
    expect(await command('burn')).toMatchObject({ code: 2 })
  })
})

describe('over HTTP', () => {
  test('the operator has a listener of its own; every answer is the envelope; strangers and unknown acts are refused', async () => {
    const h = harness()
    const people = new Map([
      ['op', actorOf('operator', 'operations')],
      ['mo', actorOf('merchant', 'owner')],
    ])
    const door: Door = {
      ...TEST_DOOR,
      enter: async (request, side) => {
        const actor = people.get(String(request.headers['x-person'])) ?? fail('TOKEN_MISSING')
        if (actor.side !== side) fail('TOKEN_INVALID')
        const merchant = side === 'merchant' ? await h.gateway.merchants.byApiKey(h.merchants.main.apiKey) : null
        return { actor, merchant, provedAt: h.gateway.ctx.clock.now() }
      },
    }
    const all = [...features, { name: 'a door', door: () => door }]
    const servers = {
      operator: createOperatorApi(h.gateway, h.config, monotonicMs, all),
      merchant: createApi(h.gateway, h.config, monotonicMs, all),
    }
    const urls = {
      operator: await servers.operator.listen({ port: 0 }),
      merchant: await servers.merchant.listen({ port: 0 }),
    }
    const call = async (
      side: 'operator' | 'merchant',
      path: string,
      person: string,
      body?: object,
      type = 'application/json',
    ) => {
      const answer = await fetch(urls[side] + path, {
        method: body ? 'POST' : 'GET',
        headers: { 'x-person': person, ...(body ? { 'content-type': type } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const json: any = await answer.json()
      return {
        status: answer.status,
        code: json.problem?.code ?? 'ok',
        body: json.responseBody,
        cache: answer.headers.get('cache-control'),
      }
    }
    const note = unique('note')
    const act = { merchant: h.merchants.main.apiKey, input: { note, amount: 20.5 }, reason: 'by HTTP' }
    const asked = await call('operator', '/operator/v1/acts/trials.give', 'op', act)
    expect(asked).toMatchObject({ status: 200, cache: 'no-store', body: { outcome: 'WAITING' } })
    const shown = await call('operator', `/operator/v1/views/approvals.show?reference=${asked.body.reference}`, 'op')
    expect(shown.body).toMatchObject({ state: 'WAITING', input: { note, amount: '20.5' } })
    expect((await call('merchant', '/dashboard/v1/views/trail.list', 'mo')).status).toBe(200)
    const refused: [string, Promise<{ code: string }>][] = [
      ['TOKEN_MISSING', call('operator', '/operator/v1/acts/trials.give', 'nobody', act)],
      ['TOKEN_INVALID', call('operator', '/operator/v1/acts/trials.give', 'mo', act)],
      ['ACT_UNKNOWN', call('operator', '/operator/v1/acts/trials.none', 'op', act)],
      ['ACT_UNKNOWN', call('operator', '/operator/v1/views/trials.none', 'op')],
      ['MALFORMED_BODY', call('operator', '/operator/v1/acts/trials.give', 'op', act, 'text/plain')],
      ['ROUTE_UNKNOWN', call('merchant', '/operator/v1/acts/trials.give', 'op', act)],
      ['ROUTE_UNKNOWN', call('operator', '/dashboard/v1/views/trail.list', 'mo')],
      ['FIELD_INVALID', call('operator', '/operator/v1/acts/trials.give', 'op', { ...act, reason: 'x' })],
    ]
    for (const [expected, answer] of refused) expect((await answer).code).toBe(expected)
    await Promise.all(Object.values(servers).map((server) => server.close()))
  })
})

describe('a database of people apart from the cells', () => {
  const apart = async (h: Harness, identities: Logins) => {
    const cells = new Map([...h.config.cells].filter(([cell]) => cell === '01'))
    const config = { ...h.config, cells, identities }
    const gateway = await openGateway(config, 'test')
    return { ...h, gateway, config }
  }

  test('keeps what is about no merchant, and is not a cell', async () => {
    const h = await apart(harness(), harness().config.cells.get('02') as Logins)
    expect([[...h.gateway.ctx.cells.keys()], h.gateway.ctx.identities.id]).toEqual([['01'], '00'])
    const by = actorOf('operator', 'admin')
    const { reference } = await doAct(h, by, 'trials.house', { input: { note: unique('note') }, features })
    expect(reference).toMatch(/^CWAP00/)
    const listed = await show(h, by, 'approvals.list', { state: 'WAITING' }, features)
    expect(listed.content.map((one: { reference: string }) => one.reference)).toContain(reference)
    expect((await approveAs(h, actorOf('operator', 'admin'), reference, { features })).reply.state).toBe('EXECUTED')
    expect((await asked(h)).reference).toMatch(/^CWAP01/)
    await h.gateway.close()
  })

  test('is looked after like a cell: mails leave it, a timer that was lost comes back, and what nobody decided expires', async () => {
    const h = await apart(harness(), harness().config.cells.get('02') as Logins)
    const { ctx } = h.gateway
    const later = (ms: number) =>
      share(
        { ...h.gateway, ctx: { ...ctx, clock: { ...ctx.clock, now: () => new Date(ctx.clock.now().getTime() + ms) } } },
        h.config,
        FEATURES,
      )
    const house = await doAct(h, actorOf('operator', 'admin'), 'trials.house', { input: { note: 'lost' }, features })
    const id = parseApproval(house.reference ?? '')?.id
    const [mailId = 0n] = await ctx.identities.takeIds(1)
    const mail = { to: 'ada@operator.example', subject: 'News', text: 'for people' }
    await engineTx(ctx, '00', (t) => queuePersonMail(ctx, t, mailId, mail))
    await h.sql('02', `delete from agenda where kind = 'approval.expire' and subject = $1`, [id])

    const [cells, people] = listHouses(later(10 * 60_000))
    expect([cells.cells, people.cells]).toEqual([['01'], ['00']])
    for (const step of Object.values(people.steps)) await step('00')
    expect(await h.sql('02', 'select sent_at is not null as sent from people_mails where id = $1', [mailId])).toEqual([
      { sent: true },
    ])
    const eightDays = later(8 * 86_400_000)
    await runDue(eightDays.ctx, '00', sharedDueHandlers(eightDays))
    expect(await h.sql('02', 'select status from approvals where id = $1', [id])).toEqual([{ status: 'EXPIRED' }])
    await h.gateway.close()
  })

  test('its loss stops what needs it, and neither the start nor anything of a merchant', async () => {
    const nowhere = 'postgres://nobody@127.0.0.1:1/nothing'
    const h = await apart(harness(), { app: nowhere, engine: nowhere })
    const house = doAct(h, actorOf('operator', 'admin'), 'trials.house', { input: { note: 'x' }, features })
    expect(await code(house)).not.toBe('DONE')
    expect((await asked(h)).reference).toMatch(/^CWAP01/)
    await h.gateway.close()
  })
})

test('after seven days nobody can approve it: by the clock at once, and by the timer', async () => {
  const h = harness()
  const { note, reference } = await asked(h)
  const id = parseApproval(reference)?.id
  await h.sql(
    '01',
    `update agenda set due_at = due_at + interval '1 day' where kind = 'approval.expire' and subject = $1`,
    [id],
  )
  await advance(h, 7 * 86_400 + 60)
  const other = actorOf('operator', 'admin')
  expect(await stateOf(h, reference)).toBe('WAITING')
  expect((await show(h, other, 'approvals.show', { reference }, features)).state).toBe('EXPIRED')
  expect(await code(approveAs(h, other, reference, { features }))).toBe('APPROVAL_OVER')
  await advance(h, 86_400)
  expect([await doneTimes(h, note), await stateOf(h, reference)]).toEqual([0, 'EXPIRED'])
  expect((await linesOf(h, 'approvals.expire')).length).toBeGreaterThan(0)
})
