// What a merchant was not granted is refused, on every route that names a feature and by both ways into the
// server.

import { ROUTES } from '@cowrie/contract'
import { httpStatus } from '@cowrie/contract/errors/errors'
import { FEATURE_NAMES, FEATURES, type FeatureName, featureError } from '@cowrie/contract/kit/features'
import type { Route } from '@cowrie/contract/kit/spec'
import { beforeAll, describe, expect, test } from 'vitest'
import { grant, grantNew } from '#features/access/merchants/access.ts'
import { basic } from '#test/features/access/secret-keys.ts'
import { codeOf, newMerchant, order, SINGLE, sent, validate } from '#test/features/payouts/disbursements.ts'
import { RULE } from '#test/features/settlements/settlements.ts'
import { SUB_ACCOUNTS, subAccountBody, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { sandboxMerchants, seedMerchant } from '../../../../../tools/sandbox/seed.ts'
import { joinMerchant } from '../../join.ts'
import { engineTx } from '../cells/cells.ts'

const harness = useHarness()
const NAMED = ROUTES.filter((route): route is Route & { feature: FeatureName } => route.feature !== undefined)

let bare: TestMerchant
let full: TestMerchant
beforeAll(async () => {
  const h = harness()
  const label = unique('bare')
  const made = seedMerchant({
    ...{ seed: 'features', cell: '01', label, name: 'Jos Tin', email: `${label}@test.example`, transferOtp: false },
    ...{ requestsPerSecond: 100_000, features: [] },
  })
  bare = { ...made, cell: '01', id: await joinMerchant(h.gateway.ctx, '01', made) }
  full = await newMerchant(h)
})

const set = async (merchant: TestMerchant, feature: FeatureName, granted: boolean): Promise<void> => {
  const { ctx, merchants } = harness().gateway
  await engineTx(ctx, merchant.cell, (t) => grant(t, merchant.id, { feature, granted, by: 'test', why: 'a test' }))
  merchants.forget(merchant.cell)
}

/** With an empty body: whoever may use the feature gets an answer about what is missing. A query takes the
 *  framework's way. */
async function answerOf(merchant: TestMerchant, { method, path }: Route, query: '' | '?'): Promise<any> {
  const h = harness()
  const answer = await fetch(h.apiUrl + path.replace(/\{\w+\}/g, 'nobody') + query, {
    method,
    headers: { authorization: `Bearer ${await h.token(merchant)}`, 'content-type': 'application/json' },
    ...(method === 'POST' || method === 'PUT' ? { body: '{}' } : {}),
  })
  return { status: answer.status, json: await answer.json() }
}

test('routes name features, and each of them asks for a token', () => {
  expect(NAMED.map(({ feature }) => feature)).toEqual(expect.arrayContaining(['TRANSFERS', 'SUB_ACCOUNTS']))
  for (const route of NAMED) expect(route, route.id).toMatchObject({ auth: 'bearer' })
})

describe.each(NAMED.map((route) => [route.id, route] as const))('%s', (_, route) => {
  const code = featureError(route.feature)
  test.each(['', '?'] as const)(
    'without the grant it is refused, with how to get it; with it it is not (%j)',
    async (query) => {
      const refused = await answerOf(bare, route, query)
      expect([refused.status, refused.json.problem.code]).toEqual([httpStatus(code), code])
      expect(refused.json.problem.hint).toMatch(/operator/)
      expect(refused.json.responseMessage).toContain(
        code === 'FEATURE_NOT_GRANTED' ? FEATURES[route.feature] : 'Transfers',
      )
      expect((await answerOf(full, route, query)).json.problem?.code).not.toBe(code)
    },
  )
})

test('a merchant of the sandbox has every feature, by its seed and in the record of a request', async () => {
  const h = harness()
  for (const merchant of Object.values(sandboxMerchants('any', '01'))) expect(merchant.features).toEqual(FEATURE_NAMES)
  for (const { cell, id } of Object.values(h.merchants))
    expect((await h.gateway.merchants.must(cell, id)).features).toEqual(new Set(FEATURE_NAMES))
  expect((await h.gateway.merchants.must('01', bare.id)).features).toEqual(new Set())
})

test('a feature that is new to a merchant is granted when its sandbox starts; one that was withdrawn is not', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await set(merchant, 'BILLS', false)
  await h.sql('01', `delete from feature_grants where merchant_id = $1 and feature = 'PAYCODE'`, [merchant.id])
  await engineTx(h.gateway.ctx, '01', (t) => grantNew(t, merchant.id, FEATURE_NAMES, 'a test'))
  h.gateway.merchants.forget('01')
  const { features } = await h.gateway.merchants.must('01', merchant.id)
  expect([features.has('PAYCODE'), features.has('BILLS')]).toEqual([true, false])
})

test('what was done under a key is replayed after the feature is withdrawn; a new request is refused', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const key = unique('key')
  const body = [subAccountBody()]
  const first = await h.as(merchant, 'POST', SUB_ACCOUNTS, body, { 'Idempotency-Key': key })
  expect(first.status, first.text).toBe(200)
  await set(merchant, 'SUB_ACCOUNTS', false)
  const again = await h.as(merchant, 'POST', SUB_ACCOUNTS, body, { 'Idempotency-Key': key })
  expect([again.status, again.text]).toEqual([200, first.text])
  expect((await h.as(merchant, 'POST', SUB_ACCOUNTS, body, { 'Idempotency-Key': unique('key') })).status).toBe(403)
  const codes = first.json.responseBody.map((one: any) => one.subAccountCode)
  expect((await h.as(merchant, 'GET', SUB_ACCOUNTS)).json.responseBody.map((one: any) => one.subAccountCode)).toEqual(
    codes,
  )
  await set(merchant, 'SUB_ACCOUNTS', true)
  expect((await h.as(merchant, 'POST', SUB_ACCOUNTS, [subAccountBody()])).status).toBe(200)
})

test('400 D01 TRANSFERS_NOT_APPROVED once transfers are withdrawn: a new one, and one that waits for its code', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { otp: true })
  const { reference } = await sent(h, merchant)
  await set(merchant, 'TRANSFERS', false)
  const code = await codeOf(h, merchant, reference)
  for (const answer of [
    await validate(h, merchant, reference, code),
    await h.as(merchant, 'POST', SINGLE, order(merchant)),
  ])
    expect([answer.status, answer.json.responseCode, answer.json.problem.code]).toEqual([
      400,
      'D01',
      'TRANSFERS_NOT_APPROVED',
    ])
  await set(merchant, 'TRANSFERS', true)
  expect((await validate(h, merchant, reference, code)).status).toBe(200)
})

test('403 FEATURE_NOT_GRANTED for a settlement rule that is INSTANT; every other schedule is open to everybody', async () => {
  const h = harness()
  const put = (schedule: string) =>
    h.call('PUT', RULE, { body: { destination: 'WALLET', schedule }, headers: basic(bare, bare.secretKey) })
  const refused = await put('INSTANT')
  expect([refused.status, refused.json.problem.code]).toEqual([403, 'FEATURE_NOT_GRANTED'])
  expect((await put('T_PLUS_1')).status).toBe(200)
  await set(bare, 'INSTANT_SETTLEMENT', true)
  expect((await put('INSTANT')).status).toBe(200)
  await set(bare, 'INSTANT_SETTLEMENT', false)
})
