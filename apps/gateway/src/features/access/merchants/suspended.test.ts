// A suspended merchant: refused everywhere, its money returned, what waits stays, what is at the bank ends;
// and how one is closed.

import { ROUTES } from '@cowrie/contract'
import { enquireAccount } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { createSettlements } from '#features/settlements/settlements/settlements.ts'
import { notice, signature, tell } from '#test/bank/notices.ts'
import { actorOf, approveAs, doAct, show } from '#test/features/access/acts.ts'
import { bola, byTwo, refusal, sade, suspendIt } from '#test/features/access/merchants.ts'
import { logIn, verdict } from '#test/features/access/secret-keys.ts'
import { reserve } from '#test/features/collections/reserved-accounts.ts'
import { account, ask, BATCH, money, newMerchant, order } from '#test/features/payouts/disbursements.ts'
import {
  advance,
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  paid,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()
const BEARER = ROUTES.filter((route) => route.auth === 'bearer')

const batchOf = async (h: Harness, merchant: TestMerchant, count: number): Promise<string> => {
  const batchReference = unique('batch')
  const transactionList = Array.from({ length: count }, () => {
    const { currency: _, sourceAccountNumber: __, ...row } = order(merchant, { destinationAccountNumber: account() })
    return row
  })
  const body = { title: 'May', batchReference, narration: 'Cloth', sourceAccountNumber: merchant.walletNumber }
  const answer = await h.as(merchant, 'POST', BATCH, { ...body, transactionList })
  expect(answer.status, answer.text).toBe(200)
  return batchReference
}
const statesOf = async (h: Harness, merchant: TestMerchant): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await h.sql('01', 'select status, count(*)::int as n from disbursements where merchant_id = $1 group by 1', [
        merchant.id,
      ])
    ).map(({ status, n }) => [status, n]),
  )

test('403 MERCHANT_SUSPENDED at every route, with a running token, a login and for its people; a wrong secret learns nothing', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const token = await h.token(merchant)
  expect((await suspendIt(h, merchant)).reply.state).toBe('SUSPENDED')
  await h.until('it is known', async () => (await h.call('GET', '/sandbox/clock', { token })).status === 403, 5_000)
  for (const { method, path } of BEARER) {
    const answer = await h.call(method, path.replace(/\{\w+\}/g, 'x'), {
      token,
      ...(method === 'GET' ? {} : { body: {} }),
    })
    expect([answer.status, answer.json.problem.code], `${method} ${path}`).toEqual([403, 'MERCHANT_SUSPENDED'])
  }
  expect(verdict(await logIn(h, merchant, merchant.secretKey))).toBe('403 MERCHANT_SUSPENDED')
  expect(verdict(await logIn(h, merchant, 'wrong'))).toBe('401 CREDENTIALS_INVALID')
  const owner = actorOf('merchant', 'owner')
  expect(await refusal(show(h, owner, 'approvals.list', { merchant: merchant.apiKey }))).toBe('MERCHANT_SUSPENDED')
  expect(await refusal(doAct(h, bola, 'merchants.suspend', { merchant }))).toBe('MERCHANT_STATE')
  expect(await refusal(doAct(h, bola, 'keys.reset', { merchant }))).toBe('MERCHANT_STATE')
  await byTwo(h, 'merchants.resume', { merchant })
  expect((await h.call('GET', '/sandbox/clock', { token })).status).toBe(200)
})

test('money to a one-time account, a reserved account and the wallet is returned; what waits stays and goes on after; settlements are held', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const collected = await paid(h, merchant)
  const open = await initialise(h, merchant)
  const oneTime = await issueAccount(h, merchant, open.transactionReference)
  const reserved = await reserve(h, merchant)
  await batchOf(h, merchant, 3)
  await suspendIt(h, merchant)
  const before = await money(h, merchant)
  const [number] = reserved.accounts
  const transfers = [
    await h.pay(oneTime, 1500),
    await h.pay(number.accountNumber, 700, { bankCode: number.bankCode }),
    await h.pay(merchant.walletNumber, 900),
    await h.pay(collected.accountNumber, 1500),
  ]
  const sessions = transfers.map(({ json }) => json.sessionId as string)
  const itemsOf = () =>
    h.sql('01', 'select reason, status from suspense_items where bank_reference = any($1)', [sessions])
  await h.until('the money is in suspense', async () => (await itemsOf()).length === 4)
  await advance(h, 60)
  expect(await itemsOf()).toEqual(Array(4).fill({ reason: 'MERCHANT_SUSPENDED', status: 'RETURNED' }))
  const enquiry = enquireAccount.path
  const raw = JSON.stringify({ bankCode: '50515', accountNumber: oneTime })
  const asked = await h.call('POST', enquiry, { raw, headers: signature(h, raw, enquiry) })
  expect(asked.json.responseBody.open, asked.text).toBe(false)
  await h.horizonPassed()
  const runs = createSettlements(h.gateway.ctx)
  await runs.run('01', merchant.id - 1n)
  expect(await h.sql('01', 'select from settlements where merchant_id = $1', [merchant.id])).toHaveLength(0)
  await advance(h, 3600)
  expect(await statesOf(h, merchant)).toEqual({ AWAITING_PROCESSING: 3 })
  expect(await money(h, merchant)).toEqual(before)
  await byTwo(h, 'merchants.resume', { merchant })
  await advance(h, 1800)
  expect(await statesOf(h, merchant)).toEqual({ SUCCESS: 3 })
  await h.horizonPassed()
  await runs.run('01', merchant.id - 1n)
  expect(await h.sql('01', 'select from settlements where merchant_id = $1', [merchant.id])).toHaveLength(1)
  expect((await tell(h, notice(merchant.walletNumber, '900.00'))).json.responseBody).toEqual({ outcome: 'COUNTED' })
})

test('a suspension amid payments and payouts: each is whole or refused, and nothing is sent after it', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await batchOf(h, merchant, 20)
  const accounts = await Promise.all(
    Array.from({ length: 10 }, async () =>
      issueAccount(h, merchant, (await initialise(h, merchant)).transactionReference),
    ),
  )
  const going = [
    ...accounts.map((number) => tell(h, notice(number, '1500.00'))),
    ...Array.from({ length: 20 }, () => ask(h, merchant)),
    ...Array.from({ length: 10 }, () => h.as(merchant, 'POST', INIT, initBody(merchant))),
  ]
  const working = advance(h, 1)
  await suspendIt(h, merchant)
  for (const { status } of await Promise.all(going)) expect([200, 403]).toContain(status)
  await working
  const sent = async () =>
    (
      await h.sql('01', 'select count(session_id)::int as n from disbursements where merchant_id = $1', [merchant.id])
    )[0].n
  const once = await sent()
  await advance(h, 7200)
  expect(await sent()).toBe(once)
  const { PENDING: _, ...ended } = await statesOf(h, merchant)
  expect(Object.keys(ended).filter((state) => !['SUCCESS', 'AWAITING_PROCESSING'].includes(state))).toEqual([])
  await byTwo(h, 'merchants.resume', { merchant })
  await advance(h, 7200)
  expect(Object.keys(await statesOf(h, merchant))).toEqual(['SUCCESS'])
})

test('closing is refused while money is left, something is under way, or a request may be; then it is for ever', async () => {
  const h = harness()
  const [rich, empty, busy] = [await newMerchant(h), await newMerchant(h, { naira: 0 }), await newMerchant(h)]
  await batchOf(h, busy, 1)
  const close = (merchant: TestMerchant) => doAct(h, bola, 'merchants.close', { merchant })
  expect(await refusal(close(empty))).toBe('MERCHANT_STATE')
  for (const merchant of [rich, empty, busy]) await suspendIt(h, merchant)
  expect(await refusal(close(empty))).toBe('MERCHANT_NOT_EMPTY')
  await advance(h, 61)
  for (const merchant of [rich, busy]) expect(await refusal(close(merchant))).toBe('MERCHANT_NOT_EMPTY')
  await expect(close(busy)).rejects.toThrow(/disbursement under way: 1/)
  await expect(close(rich)).rejects.toThrow(/WALLET 1000000\.00/)
  const { reference } = await close(empty)
  expect((await approveAs(h, sade, reference)).reply.reply.state).toBe('CLOSED')
  expect(verdict(await logIn(h, empty, empty.secretKey))).toBe('403 MERCHANT_SUSPENDED')
  expect((await tell(h, notice(empty.walletNumber, '900.00'))).json.responseBody).toEqual({ outcome: 'SUSPENDED' })
  await advance(h, 60)
  for (const act of ['merchants.resume', 'merchants.suspend', 'merchants.close'])
    expect(await refusal(doAct(h, bola, act, { merchant: empty })), act).toBe('MERCHANT_STATE')
})
