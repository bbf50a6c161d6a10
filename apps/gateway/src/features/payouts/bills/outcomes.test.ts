// Every outcome of a biller, also silence; many at once; and processes that die.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { discardResponse } from '#core/idempotency.ts'
import {
  AIRTIME,
  askBill,
  atBiller,
  billBody,
  billMoney,
  chargedByBillers,
  owedToBillers,
  phone,
  requeried,
  VEND,
  vended,
  vendedTo,
} from '#test/features/payouts/bills.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { openGateway } from '../../../gateway.ts'
import { createBiller } from './biller.ts'
import { vend } from './bills.ts'
import { createCatalogue } from './catalogue.ts'

const harness = useHarness({ silenceMs: 300 })
let second: Awaited<ReturnType<typeof openSecondApi>>
beforeAll(async () => {
  second = await openSecondApi(harness())
})
afterAll(() => second.close())

const HELD = { wallet: 903_000n, clearing: 97_000n, billers: 0n }
const PAID = { wallet: 903_000n, clearing: 0n, billers: 97_000n }
const UNTOUCHED = { wallet: 1_000_000n, clearing: 0n, billers: 0n }

const shop = (h: Harness): Promise<TestMerchant> => newMerchant(h, { naira: 10_000 })
const activities = async (h: Harness, merchant: TestMerchant): Promise<number> =>
  (await h.sql('01', `select from events where merchant_id = $1 and type = 'ACCOUNT_ACTIVITY'`, [merchant.id])).length

describe('the biller', () => {
  test('fails it: FAILED with its words, and the money is back, reported', async () => {
    const h = harness()
    const merchant = await shop(h)
    const bill = await vendedTo(h, merchant, '0001')
    expect(bill).toMatchObject({ vendStatus: 'FAILED', description: 'The biller is not available' })
    expect(await requeried(h, merchant, bill.vendReference)).toEqual(bill)
    expect(await billMoney(h, merchant)).toEqual(UNTOUCHED)
    expect(await activities(h, merchant)).toBe(2)
  })

  test.each([
    ['0002', 'SUCCESS', PAID],
    ['0003', 'FAILED', UNTOUCHED],
  ] as const)('%s: IN_PROGRESS, held, asked for two hours, then %s', async (ending, end, money) => {
    const h = harness()
    const merchant = await shop(h)
    const { vendReference, vendStatus, customerId } = await vendedTo(h, merchant, ending)
    expect(vendStatus).toBe('IN_PROGRESS')
    await advance(h, 3_600)
    expect(await requeried(h, merchant, vendReference)).toMatchObject({ vendStatus: 'IN_PROGRESS' })
    expect(await billMoney(h, merchant)).toEqual(HELD)
    await advance(h, 2 * 3_600)
    expect(await requeried(h, merchant, vendReference)).toMatchObject({ vendStatus: end })
    expect(await billMoney(h, merchant)).toEqual(money)
    expect(await atBiller(h, customerId)).toMatchObject([{ status: end, asked: 1 }])
  })

  test.each([
    ['0004', 'SUCCESS', PAID],
    ['0005', 'FAILED', UNTOUCHED],
    ['0006', 'FAILED', UNTOUCHED],
  ] as const)(
    '%s is silent: IN_PROGRESS and held until an inquiry finds it %s; never sent twice',
    async (ending, end, money) => {
      const h = harness()
      const merchant = await shop(h)
      const bill = await vendedTo(h, merchant, ending)
      expect(bill).toMatchObject({ vendStatus: 'IN_PROGRESS', description: 'Transaction processing in progress' })
      expect(await billMoney(h, merchant)).toEqual(HELD)
      await advance(h, 16)
      expect(await requeried(h, merchant, bill.vendReference)).toMatchObject({ vendStatus: end })
      expect(await billMoney(h, merchant)).toEqual(money)
      const [booked] = await atBiller(h, bill.customerId)
      const once = { status: end, asked: 1, charged: end === 'SUCCESS' ? '970.00' : '0.00' }
      expect(booked && { status: booked.status, asked: booked.asked, charged: booked.charged }).toEqual(
        ending === '0006' ? undefined : once,
      )
    },
  )
})

describe('a process that dies', () => {
  test('between commit and order: held, FAILED by the timer, money back; the order that was on its way is not delivered', async () => {
    const h = harness()
    const merchant = await shop(h)
    const config = { ...h.config, bankUrl: `http://127.0.0.1:${await freePort()}` }
    const gateway = await openGateway(config, 'test')
    const [customerId, reference] = [phone(), unique('died')]
    try {
      // It knows the catalogue, and its order reaches nobody.
      const seller = {
        catalogue: createCatalogue(h.gateway.ctx),
        biller: createBiller(gateway.ctx, gateway.merchants),
      }
      const call = {
        merchant: await gateway.merchants.must('01', merchant.id),
        body: { productCode: AIRTIME, customerId, amount: '1000', reference },
        query: undefined,
        params: {},
      }
      expect(await vend(gateway.ctx, seller, call, discardResponse)).toMatchObject({ vendStatus: 'IN_PROGRESS' })
    } finally {
      await gateway.close()
    }
    expect(await billMoney(h, merchant)).toEqual(HELD)
    expect(await atBiller(h, customerId)).toEqual([])
    await advance(h, 16)
    expect(await requeried(h, merchant, reference)).toMatchObject({
      vendStatus: 'FAILED',
      description: 'No action taken',
    })
    expect(await billMoney(h, merchant)).toEqual(UNTOUCHED)
    const [{ session_id: sessionId }] = await h.sql('01', 'select session_id from bills where reference = $1', [
      reference,
    ])
    const order = { sessionId, productCode: AIRTIME, customerId, amount: '1000.00', payableAmount: '970.00' }
    const late = await h.gateway.ctx.bank.sendVend(order)
    expect(late).toMatchObject({ kind: 'yes', value: { status: 'FAILED', responseCode: '21' } })
  })

  test('a question that overlaps another keeps one chain of timers, and the outcome is written once', async () => {
    const h = harness()
    const merchant = await shop(h)
    const { vendReference } = await vendedTo(h, merchant, '0002')
    const timers = () =>
      h.sql('01', `select a.subject from agenda a join bills b on b.id = a.subject where b.reference = $1`, [
        vendReference,
      ])
    await h.sql(
      '01',
      `insert into agenda (kind, merchant_id, subject, due_at) select a.kind, a.merchant_id, a.subject, a.due_at + interval '1 second'
        from agenda a join bills b on b.id = a.subject where b.reference = $1`,
      [vendReference],
    )
    expect(await timers()).toHaveLength(2)
    await advance(h, 20)
    expect(await timers()).toHaveLength(1)
    await advance(h, 3 * 3_600)
    expect(await requeried(h, merchant, vendReference)).toMatchObject({ vendStatus: 'SUCCESS' })
    expect(await billMoney(h, merchant)).toEqual(PAID)
  })
})

describe('many at once, at two processes', () => {
  const together = async (
    merchant: TestMerchant,
    bodies: readonly object[],
    apis: 1 | 2 = 2,
  ): Promise<Record<string, number>> => {
    const h = harness()
    await h.token(merchant)
    const answers = await Promise.all(
      bodies.map((body, at) =>
        at % apis === 0 ? h.as(merchant, 'POST', VEND, body) : second.post(merchant, VEND, body),
      ),
    )
    const counts: Record<string, number> = {}
    for (const { status, json } of answers) {
      const word = status === 200 ? json.responseBody.vendStatus : json.problem.code
      counts[word] = (counts[word] ?? 0) + 1
    }
    return counts
  }

  test('50 vends with money for 10: ten are delivered, forty refused, and nothing is left over', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 9_700 })
    const customerId = phone()
    const bodies = Array.from({ length: 50 }, () => billBody({ customerId }))
    expect(await together(merchant, bodies)).toEqual({ SUCCESS: 10, INSUFFICIENT_FUNDS: 40 })
    expect(await billMoney(h, merchant)).toEqual({ wallet: 0n, clearing: 0n, billers: 970_000n })
    expect(await atBiller(h, customerId)).toHaveLength(10)
  })

  test('30 of one reference: one is delivered', async () => {
    const h = harness()
    const merchant = await shop(h)
    const body = billBody()
    const counts = await together(
      merchant,
      Array.from({ length: 30 }, () => body),
    )
    expect(counts).toEqual({ SUCCESS: 1, BILL_REFERENCE_USED: 29 })
    expect(await atBiller(h, body.customerId)).toHaveLength(1)
    expect(await billMoney(h, merchant)).toEqual(PAID)
  })

  test('30 at the limit of the day: as many as it allows', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await h.sql('01', `update disbursement_settings set per_day_kobo = 485000 where merchant_id = $1`, [merchant.id])
    h.gateway.merchants.forget('01')
    const bodies = Array.from({ length: 30 }, () => billBody())
    // At one of them: the other has a clock of its own, which may be in another day.
    expect(await together(merchant, bodies, 1)).toEqual({ SUCCESS: 5, DAILY_LIMIT: 25 })
  })
})

test('what the biller says that we owe is what our books say', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  for (const ending of ['4567', '0001', '0004', '0005', '0006', '0002', '0003'])
    await vendedTo(h, merchant, ending, { amount: 333.33 })
  await vended(h, h.merchants.second)
  expect((await askBill(h, merchant, { amount: 77.77 })).status).toBe(200)
  await advance(h, 3 * 3_600)
  expect(await owedToBillers(h)).toBe(await chargedByBillers(h))
  expect(await owedToBillers(h)).toBeGreaterThan(0n)
  expect((await billMoney(h, merchant)).clearing).toBe(0n)
})
