// Idempotency-Key, over HTTP: done once, and every repeat gets the same answer.

import type { ErrorCode } from '@cowrie/contract/errors/errors'
import { putWebhookUrls } from '@cowrie/contract/screens/sandbox'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { gatherContractStatements } from '#core/access/limited-keys.ts'
import { setWebhookUrls, type WebhookUrls, webhookUrls } from '#features/events/webhooks/endpoints.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { blockList } from '#kit/http/addresses.ts'
import { createAnonymousLimit } from '#kit/http/anonymous-limit.ts'
import { createHttp } from '#kit/http/http.ts'
import {
  type Answer,
  advance,
  CELLS,
  type Harness,
  INIT,
  INIT_PAYMENT,
  initBody,
  initialise,
  issueAccount,
  paid,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { freePort } from '../../../../tools/ports.ts'
import { seedMerchant } from '../../../../tools/sandbox/seed.ts'
import { FEATURES } from '../feature-list.ts'
import { joinMerchant } from '../join.ts'
import { createLimits } from './access/limits.ts'
import { createTokens } from './access/tokens.ts'
import { createWrongLogins } from './access/wrong-logins.ts'
import { bind } from './bind.ts'

const harness = useHarness()

const code = (answer: Answer): string => answer.json?.problem?.code
const keyed = (h: Harness, merchant: TestMerchant, key: string, body: unknown, path = INIT) =>
  h.as(merchant, 'POST', path, body, { 'idempotency-key': key })
const rawKeyed = async (h: Harness, merchant: TestMerchant, key: string, raw: string, path = INIT) =>
  h.call('POST', path, { raw, token: await h.token(merchant), headers: { 'idempotency-key': key } })
const transactions = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  (await h.sql(merchant.cell, 'select count(*)::int as n from transactions where merchant_id = $1', [merchant.id]))[0].n
const rowOf = async (h: Harness, merchant: TestMerchant, key: string): Promise<any> =>
  (await h.sql(merchant.cell, 'select * from requests where merchant_id = $1 and key = $2', [merchant.id, key]))[0]
const isReplay = (answer: Answer): boolean => answer.headers.get('idempotent-replayed') === 'true'

/** A server with one route of the contract whose command the test writes; bound like all others. */
async function serve(h: Harness, command: (t: Tx, merchantId: bigint) => Promise<WebhookUrls>) {
  const { ctx, merchants } = h.gateway
  const anonymous = createAnonymousLimit({
    perSecond: 200,
    trustedProxies: blockList([]),
    log: ctx.log,
    now: monotonicMs,
  })
  const http = { log: ctx.log, publicUrl: h.config.publicUrl, anonymous }
  const app = createHttp(http)
  const wrongLogins = createWrongLogins(monotonicMs)
  const contractStatements = gatherContractStatements(FEATURES)
  const shared = { contractStatements, limits: createLimits(), wrongLogins, door: null }
  const deps = { ctx, app, http, merchants, tokens: createTokens(ctx), ...shared }
  bind(deps, putWebhookUrls, { command: (t, { merchant }) => command(t, merchant.id) })
  const port = await freePort()
  await app.listen({ host: '127.0.0.1', port })
  return {
    send: async (key: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${putWebhookUrls.path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${await h.token(h.merchants.main)}`, 'idempotency-key': key },
        body: '{}',
      })
      return [answer.status, await answer.text(), answer.headers.get('idempotent-replayed')] as const
    },
    close: () => app.close(),
  }
}

describe('a request with a key', () => {
  test('200 is replayed with the same bytes and Idempotent-Replayed, and has one effect', async () => {
    const h = harness()
    const { main } = h.merchants
    const [key, body] = [unique('key'), initBody(main)]
    const first = await keyed(h, main, key, body)
    expect([first.status, isReplay(first)]).toEqual([200, false])
    const before = await transactions(h, main)
    for (let again = 0; again < 3; again += 1) {
      const replay = await keyed(h, main, key, body)
      expect([replay.status, replay.text, isReplay(replay)]).toEqual([200, first.text, true])
      expect(replay.headers.get('content-type')).toBe(first.headers.get('content-type'))
    }
    expect(await transactions(h, main)).toBe(before)
  })
  test('200 is replayed whatever the order of fields, nested ones too, and the space between them', async () => {
    const h = harness()
    const { second } = h.merchants
    const key = unique('key')
    const body = initBody(second, { metaData: { a: 1, b: { c: [1, 2], d: 'x' } } })
    const first = await keyed(h, second, key, body)
    const turned = Object.fromEntries(
      Object.entries({ ...body, metaData: { b: { d: 'x', c: [1, 2] }, a: 1 } }).reverse(),
    )
    const replay = await rawKeyed(h, second, key, JSON.stringify(turned, null, 2))
    expect([replay.text, isReplay(replay)]).toEqual([first.text, true])
  })
  test('the same answer later: the replay does not show what became of the transaction since', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const key = unique('draw')
    const first = await keyed(h, main, key, { transactionReference }, INIT_PAYMENT)
    await h.pay(first.json.responseBody.accountNumber, 1500)
    const replay = await keyed(h, main, key, { transactionReference }, INIT_PAYMENT)
    expect([replay.status, replay.text, isReplay(replay)]).toEqual([200, first.text, true])
    const plain = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference })
    expect(code(plain)).toBe('TRANSACTION_CLOSED')
  })

  test.each([
    ['422 DUPLICATE_PAYMENT_REFERENCE', 'DUPLICATE_PAYMENT_REFERENCE', 'taken'],
    ['422 CONTRACT_UNKNOWN', 'CONTRACT_UNKNOWN', { contractCode: '0100000000' }],
    ['400 AMOUNT_TOO_SMALL', 'AMOUNT_TOO_SMALL', { amount: 1 }],
    ['400 FIELD_MISSING', 'FIELD_MISSING', { customerEmail: undefined }],
  ] as const)('%s is replayed with its request id', async (_, expected, over) => {
    const h = harness()
    const { main } = h.merchants
    const taken = over === 'taken' ? { paymentReference: (await initialise(h, main)).paymentReference } : over
    const [key, body] = [unique('key'), initBody(main, taken)]
    const first = await keyed(h, main, key, body)
    expect([code(first), isReplay(first)]).toEqual([expected, false])
    const replay = await keyed(h, main, key, body)
    expect([replay.status, replay.text, isReplay(replay)]).toEqual([first.status, first.text, true])
    expect(replay.headers.get('x-request-id')).not.toBe(replay.json.problem.requestId)
  })
  test('400 MALFORMED_BODY is replayed for the same bytes', async () => {
    const h = harness()
    const { main } = h.merchants
    const key = unique('key')
    const first = await rawKeyed(h, main, key, '{"amount":')
    expect(code(first)).toBe('MALFORMED_BODY')
    const replay = await rawKeyed(h, main, key, '{"amount":')
    expect([replay.text, isReplay(replay)]).toEqual([first.text, true])
    expect(code(await keyed(h, main, key, initBody(main)))).toBe('IDEMPOTENCY_MISMATCH')
  })

  test('401 and 500 are not kept: the key is free for the request when it is right', async () => {
    const h = harness()
    const { main } = h.merchants
    const [key, body] = [unique('key'), initBody(main)]
    const refused = await h.call('POST', INIT, { body, token: 'bad', headers: { 'idempotency-key': key } })
    expect(refused.status).toBe(401)
    expect(await rowOf(h, main, key)).toBeUndefined()
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$`,
    )
    await h.sql('01', 'create trigger planted before insert on transactions for each row execute function planted()')
    const broken = await keyed(h, main, key, body)
    await h.sql('01', 'drop function planted() cascade')
    expect([broken.status, code(broken)]).toEqual([500, 'INTERNAL'])
    expect(broken.text).not.toContain('planted')
    expect(await rowOf(h, main, key)).toBeUndefined()
    const right = await keyed(h, main, key, body)
    expect([right.status, isReplay(right)]).toEqual([200, false])
  })
  test('429 is not kept', async () => {
    const h = harness()
    const seeded = seedMerchant({
      ...{ seed: 'requests', cell: '01', label: 'slow', name: 'Slow', email: 'slow@test.example' },
      ...{ transferOtp: false, requestsPerSecond: 3 },
    })
    const slow: TestMerchant = { ...seeded, cell: '01', id: await joinMerchant(h.gateway.ctx, '01', seeded) }
    await h.token(slow)
    const tries = Array.from({ length: 8 }, () => ({ key: unique('key'), body: initBody(slow) }))
    const answers = await Promise.all(tries.map(({ key, body }) => keyed(h, slow, key, body)))
    const limited = answers.findIndex((answer) => code(answer) === 'RATE_LIMITED')
    const { key, body } = tries[limited]!
    expect(await rowOf(h, slow, key)).toBeUndefined()
    const later = await h.until('there is room again', async () => {
      const answer = await keyed(h, slow, key, body)
      return answer.status !== 429 && answer
    })
    expect([later.status, isReplay(later)]).toEqual([200, false])
  })

  test('422 IDEMPOTENCY_MISMATCH names every field that differs, and nothing is done', async () => {
    const h = harness()
    const { main } = h.merchants
    const [key, body] = [unique('key'), initBody(main, { metaData: { a: { b: 1 } } })]
    const first = await keyed(h, main, key, body)
    const before = await transactions(h, main)
    const differing = async (over: Record<string, unknown>, path = INIT) => {
      const answer = await keyed(h, main, key, { ...body, ...over }, path)
      expect([answer.status, code(answer)]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
      return answer.json.responseMessage.split('differs in: ')[1].split(', ').sort()
    }
    expect(await differing({ amount: 1501 })).toEqual(['amount'])
    expect(await differing({ amount: '1500' })).toEqual(['amount'])
    expect(await differing({ metaData: { a: { b: 2 } } })).toEqual(['metaData'])
    expect(await differing({ amount: 1501, customerName: 'Bola', redirectUrl: 'https://a.example/' })).toEqual([
      'amount',
      'customerName',
      'redirectUrl',
    ])
    expect(await differing({ customerName: undefined })).toEqual(['customerName'])
    expect(await differing({}, INIT_PAYMENT)).toEqual(['path'])
    expect(await differing({ transactionReference: 'x' }, INIT_PAYMENT)).toEqual(['path', 'transactionReference'])
    expect(await transactions(h, main)).toBe(before)
    expect((await keyed(h, main, key, body)).text).toBe(first.text) // and the key still stands for the first
  })
  test("another merchant's same key is another key, in the same cell and in another", async () => {
    const h = harness()
    const key = unique('key')
    const answers: Answer[] = []
    for (const merchant of [h.merchants.main, h.merchants.other, h.merchants.second])
      answers.push(await keyed(h, merchant, key, initBody(merchant)))
    expect(answers.map((answer) => [answer.status, isReplay(answer)])).toEqual(answers.map(() => [200, false]))
    expect(new Set(answers.map((answer) => answer.json.responseBody.transactionReference)).size).toBe(3)
  })

  test('20 at once have one effect: those that are not answered 409 get the same bytes', async () => {
    const h = harness()
    const { main } = h.merchants
    for (let round = 0; round < 3; round += 1) {
      const [key, body] = [unique('key'), initBody(main)]
      const before = await transactions(h, main)
      const answers = await Promise.all(Array.from({ length: 20 }, () => keyed(h, main, key, body)))
      const finished = answers.filter((answer) => answer.status === 200)
      const inFlight = answers.filter((answer) => code(answer) === 'IDEMPOTENCY_IN_FLIGHT')
      expect(finished.length + inFlight.length).toBe(20)
      expect(finished.filter((answer) => !isReplay(answer)).length).toBe(1)
      expect(new Set(finished.map((answer) => answer.text)).size).toBe(1)
      expect(inFlight.every((answer) => answer.status === 409)).toBe(true)
      expect(await transactions(h, main)).toBe(before + 1)
      expect((await keyed(h, main, key, body)).text).toBe(finished[0]!.text)
    }
  })
  const WAITING_FOR_14 = `select from pg_locks where locktype = 'advisory' and objid = 14 and not granted
    and database = (select oid from pg_database where datname = current_database())`
  test('409 IDEMPOTENCY_IN_FLIGHT while the first is being worked on; afterwards it is replayed', async () => {
    const h = harness()
    const { main } = h.merchants
    const [key, body] = [unique('key'), initBody(main)]
    await h.sql(
      '01',
      `create function slow() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(14); return new; end $$`,
    )
    await h.sql('01', 'create trigger slow before insert on transactions for each row execute function slow()')
    const holder = new pg.Client({ connectionString: h.databases['01'] })
    await holder.connect()
    await holder.query('select pg_advisory_lock(14)')
    const first = keyed(h, main, key, body)
    await h.until('the first is being worked on', async () => (await h.sql('01', WAITING_FOR_14)).length)
    const second = await keyed(h, main, key, body)
    await holder.end() // and its lock with it
    const done = await first
    await h.sql('01', 'drop function slow() cascade')
    expect([second.status, code(second)]).toEqual([409, 'IDEMPOTENCY_IN_FLIGHT'])
    expect(done.status).toBe(200)
    expect((await keyed(h, main, key, body)).text).toBe(done.text)
  })
  test('20 at once on init-payment issue one account', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const key = unique('draw')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => keyed(h, main, key, { transactionReference }, INIT_PAYMENT)),
    )
    const finished = answers.filter((answer) => answer.status === 200)
    expect(answers.every((answer) => answer.status === 200 || code(answer) === 'IDEMPOTENCY_IN_FLIGHT')).toBe(true)
    expect(new Set(finished.map((answer) => answer.text)).size).toBe(1)
    expect(await issueAccount(h, main, transactionReference)).toBe(finished[0]!.json.responseBody.accountNumber)
  })

  test('a command that is refused after it wrote leaves its refusal and nothing else', async () => {
    const h = harness()
    let runs = 0
    const planted = await serve(h, async (t, merchantId) => {
      runs += 1
      await setWebhookUrls(h.gateway.ctx, t, merchantId, { settlement: 'https://written.example/' })
      return fail('SUB_ACCOUNT_UNKNOWN', { code: 'X' })
    })
    try {
      const first = await planted.send('after-writing')
      expect(first[0]).toBe(422)
      expect(await h.sql('01', `select from endpoints where url = 'https://written.example/'`)).toEqual([])
      expect(await planted.send('after-writing')).toEqual([first[0], first[1], 'true'])
      expect(runs).toBe(1)
      expect(await rowOf(h, h.merchants.main, 'after-writing')).toMatchObject({ status: 422, answer: first[1] })
    } finally {
      await planted.close()
    }
  })
  test('refusals a retry can change (409, 500, 503) are not kept, nor what was written before them', async () => {
    const h = harness()
    const outcomes: ErrorCode[] = ['WRONG_STATE', 'INTERNAL', 'UNAVAILABLE']
    const planted = await serve(h, async (t, merchantId) => {
      await setWebhookUrls(h.gateway.ctx, t, merchantId, { mandate: `https://run-${outcomes.length}.example/` })
      const refusal = outcomes.shift()
      return refusal ? fail(refusal) : webhookUrls(t, merchantId)
    })
    try {
      for (const expected of [409, 500, 503]) {
        expect((await planted.send('changing'))[0]).toBe(expected)
        expect(await rowOf(h, h.merchants.main, 'changing')).toBeUndefined()
        expect(await h.sql('01', `select from endpoints where url like '%run-%'`)).toEqual([])
      }
      const [status, text, replayed] = await planted.send('changing')
      expect([status, replayed]).toEqual([200, null])
      expect(await planted.send('changing')).toEqual([200, text, 'true'])
    } finally {
      await planted.close()
    }
  })

  test.each([
    ['256 characters', 'k'.repeat(256)],
    ['a space', 'a b'],
    ['nothing', ''],
    ['a letter beyond ASCII', 'k\u00e9'],
  ])('400 IDEMPOTENCY_KEY_INVALID for a key of %s, and nothing is done', async (_, key) => {
    const h = harness()
    const { main } = h.merchants
    const before = await transactions(h, main)
    const answer = await keyed(h, main, key, initBody(main))
    expect([answer.status, code(answer)]).toEqual([400, 'IDEMPOTENCY_KEY_INVALID'])
    expect(await transactions(h, main)).toBe(before)
  })
  test('200 for a key of 255 characters and for one of every sign', async () => {
    const h = harness()
    const { main } = h.merchants
    const signs = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('')
    for (const key of ['k'.repeat(255), signs]) expect((await keyed(h, main, key, initBody(main))).status).toBe(200)
  })
  test('a key on a request that only reads is ignored', async () => {
    const h = harness()
    const { main } = h.merchants
    const key = unique('read')
    const first = await h.as(main, 'GET', '/sandbox/clock', undefined, { 'idempotency-key': key })
    expect(first.status).toBe(200)
    expect(await rowOf(h, main, key)).toBeUndefined()
  })

  test('the key is kept for 30 days by the clock, then means a new request', async () => {
    const h = harness()
    const { main } = h.merchants
    const [key, body] = [unique('key'), initBody(main)]
    const first = await keyed(h, main, key, body)
    await advance(h, 30 * 86_400 - 60)
    expect((await keyed(h, main, key, body)).text).toBe(first.text)
    await advance(h, 61)
    expect((await h.as(main, 'GET', `/api/v1/idempotency-keys/${key}`)).status).toBe(404)
    const after = await keyed(h, main, key, body)
    expect([code(after), isReplay(after)]).toEqual(['DUPLICATE_PAYMENT_REFERENCE', false])
    const fresh = await keyed(h, main, unique('key'), initBody(main))
    expect(fresh.status).toBe(200)
  })

  test('of the body nothing readable is kept with the key', async () => {
    const h = harness()
    const { main } = h.merchants
    const canary = unique('canary')
    const key = unique('key')
    await keyed(h, main, key, {
      ...initBody(main),
      customerEmail: `${canary}@secret.example`,
      customerName: canary,
      metaData: { note: canary },
      amount: 1,
    })
    const row = await rowOf(h, main, key)
    expect(Object.keys(JSON.parse(row.fields)).sort()).toEqual([...Object.keys(initBody(main)), 'metaData'].sort())
    for (const value of Object.values(JSON.parse(row.fields))) expect(value).toMatch(/^[0-9a-f]{24}$/)
    for (const cell of CELLS)
      expect(await h.sql(cell, 'select from requests r where strpos(r::text, $1) > 0', [canary])).toEqual([])
  })
})

describe('idempotency.get', () => {
  test('200 tells what became of a key: method, path, status, times and the answer', async () => {
    const h = harness()
    const { main } = h.merchants
    const key = unique('key')
    const first = await keyed(h, main, key, initBody(main))
    const { json } = await h.as(main, 'GET', `/api/v1/idempotency-keys/${key}`)
    expect(json.responseBody).toEqual({
      key,
      method: 'POST',
      path: INIT,
      status: 200,
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      completedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      answer: first.json,
    })
  })
  test('200 tells of a refusal', async () => {
    const h = harness()
    const { main } = h.merchants
    const key = unique('key')
    const refused = await keyed(h, main, key, initBody(main, { amount: 1 }))
    const { json } = await h.as(main, 'GET', `/api/v1/idempotency-keys/${key}`)
    expect(json.responseBody).toMatchObject({ status: 400, answer: refused.json })
  })
  test('404 IDEMPOTENCY_KEY_UNKNOWN for a key nobody used and for the key of another merchant', async () => {
    const h = harness()
    const key = unique('key')
    await keyed(h, h.merchants.main, key, initBody(h.merchants.main))
    for (const [merchant, asked] of [
      [h.merchants.other, key],
      [h.merchants.second, key],
      [h.merchants.main, 'nobody'],
      [h.merchants.main, '%00'],
    ] as const)
      expect(code(await h.as(merchant, 'GET', `/api/v1/idempotency-keys/${asked}`))).toBe('IDEMPOTENCY_KEY_UNKNOWN')
  })
  test('200 for the longest key and for one whose every sign is percent-encoded', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const key of ['x'.repeat(255), `${'/'.repeat(100)}?#%${unique()}`]) {
      expect((await keyed(h, main, key, initBody(main))).status).toBe(200)
      const answer = await h.as(main, 'GET', `/api/v1/idempotency-keys/${encodeURIComponent(key)}`)
      expect([answer.status, answer.json.responseBody?.key]).toEqual([200, key])
    }
  })
})

describe('a payment after a replay', () => {
  test('is counted once', async () => {
    const h = harness()
    const { second } = h.merchants
    const [key, body] = [unique('key'), initBody(second)]
    await keyed(h, second, key, body)
    const { transactionReference } = (await keyed(h, second, key, body)).json.responseBody
    await h.pay(await issueAccount(h, second, transactionReference), 1500)
    await paid(h, second)
    expect(
      (await h.as(second, 'GET', `/api/v2/transactions/${encodeURIComponent(transactionReference)}`)).json.responseBody
        .paymentStatus,
    ).toBe('PAID')
  })
})
