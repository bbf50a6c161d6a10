// Paycodes at an agent: by the connector, signed, and through the simulator's agent. What is paid once,
// refused, repeated and throttled.

import { redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import { describe, expect, test } from 'vitest'
import { newSession, signature } from '#test/bank/notices.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import {
  atAgent,
  cancel,
  enquire,
  eventsOf,
  HELD,
  issued,
  money,
  newAgent,
  otherThan,
  PAID,
  problemOf,
  RETURNED,
  redeem,
  shown,
  statusOf,
} from '#test/features/payouts/paycodes.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const rich = (h: Harness) => newMerchant(h, { naira: 10_000 })

describe('at the connector', () => {
  test('the enquiry names beneficiary and amount; redeemed: COMPLETED, the agents have the amount and we the fee', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { record, reference, code } = await issued(h, merchant)
    const enquired = await enquire(h, code)
    expect(enquired.json.responseBody).toMatchObject({ beneficiaryName: 'Ada Obi', amount: '500.00' })
    expect(await money(h, merchant)).toEqual(HELD)
    const sessionId = newSession()
    const answer = await redeem(h, code, { sessionId })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json.responseBody).toEqual({
      sessionId,
      transactionReference: record.transactionReference,
      beneficiaryName: 'Ada Obi',
      amount: '500.00',
      redeemedAt: expect.stringMatching(/Z$/),
    })
    expect(await shown(h, merchant, reference)).toEqual({
      ...record,
      transactionStatus: 'COMPLETED',
      modifiedBy: 'AGENT',
      redeemedOn: expect.stringMatching(/\+00:00$/),
    })
    expect(await money(h, merchant)).toEqual(PAID)
    await advance(h, 25 * 3600) // its timer finds nothing to do
    expect(await money(h, merchant)).toEqual(PAID)
  })

  test('SUCCESSFUL_TRANSACTION of an offline payment is sent, with the code masked and nothing to settle', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { record, reference, code } = await issued(h, merchant)
    expect((await redeem(h, code)).status).toBe(200)
    await advance(h, 1)
    const events = await eventsOf(h, merchant, reference)
    expect(events.map(({ eventType }) => eventType)).toEqual(['ACCOUNT_ACTIVITY', 'SUCCESSFUL_TRANSACTION'])
    const { body } = events[1]
    const { eventData } = typeof body === 'string' ? JSON.parse(body) : body
    expect(eventData).toEqual({
      product: { reference, type: 'OFFLINE_PAYMENT_AGENT' },
      transactionReference: record.transactionReference,
      paymentReference: reference,
      invoiceReference: reference,
      paidOn: expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d{1,2}:\d\d:\d\d [AP]M$/),
      paymentDescription: 'Paycode for Ada Obi',
      metaData: {},
      paymentSourceInformation: [],
      destinationAccountInformation: {},
      amountPaid: 500,
      totalPayable: 500,
      cardDetails: {},
      offlineProductInformation: { amount: 500, code: record.paycode, type: 'DYNAMIC' },
      paymentMethod: 'CASH',
      currency: 'NGN',
      settlementAmount: '0.00',
      paymentStatus: 'PAID',
      customer: { name: 'Ada Obi', email: '' },
    })
  })

  test('the same session gets the same response for ever, and pays once; for another code, amount or agent it is 409', async () => {
    const h = harness()
    const merchant = await rich(h)
    const [{ code }, other] = [await issued(h, merchant), await issued(h, merchant)]
    const [sessionId, agentId] = [newSession(), newAgent()]
    const first = await redeem(h, code, { sessionId, agentId })
    await advance(h, 8 * 86_400)
    expect((await redeem(h, code, { sessionId, agentId })).text).toBe(first.text)
    for (const over of [{ amount: '500.01' }, { agentId: newAgent() }])
      expect(problemOf(await redeem(h, code, { sessionId, agentId, ...over }))).toBe('PAYCODE_SESSION_USED')
    const answer = await redeem(h, other.code, { sessionId, agentId })
    expect([answer.status, problemOf(answer)]).toEqual([409, 'PAYCODE_SESSION_USED'])
    expect((await money(h, merchant)).agents).toBe(50_000n)
  })

  test('422 after it was redeemed, cancelled or has expired, and nothing moves', async () => {
    const h = harness()
    const merchant = await rich(h)
    const [redeemed, cancelled, expired] = [
      await issued(h, merchant),
      await issued(h, merchant),
      await issued(h, merchant),
    ]
    expect((await redeem(h, redeemed.code)).status).toBe(200)
    expect((await cancel(h, merchant, cancelled.reference)).status).toBe(200)
    await advance(h, 24 * 3600 + 1)
    const before = await money(h, merchant)
    for (const [{ code }, state] of [
      [redeemed, 'COMPLETED'],
      [cancelled, 'CANCELLED'],
      [expired, 'EXPIRED'],
    ] as const)
      for (const answer of [await enquire(h, code), await redeem(h, code)])
        expect([answer.status, answer.json.responseMessage]).toEqual([422, `The paycode is ${state}`])
    expect(await money(h, merchant)).toEqual(before)
  })

  test('the clock ends it, however late its timer is', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code, reference } = await issued(h, merchant)
    await h.sql('01', `update paycodes set expires_at = created_at where paycode_reference = $1`, [reference])
    for (const answer of [await enquire(h, code), await redeem(h, code)])
      expect([answer.status, answer.json.responseMessage]).toEqual([422, 'The paycode is EXPIRED'])
    expect((await cancel(h, merchant, reference)).status).toBe(422)
    expect(await statusOf(h, merchant, reference)).toBe('PENDING')
    await advance(h, 25 * 3600)
    expect(await statusOf(h, merchant, reference)).toBe('EXPIRED')
    expect(await money(h, merchant)).toEqual(RETURNED)
  })

  test('401 without the signature of the bank; 400 for a code that is not ten digits', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code } = await issued(h, merchant)
    const raw = JSON.stringify({ sessionId: newSession(), paycode: code, amount: '500.00', agentId: 'A1' })
    const path = redeemPaycode.path
    for (const headers of [{}, signature(h, raw, path, { key: 'another key' }), signature(h, raw, path, { age: 400 })])
      expect((await h.call('POST', path, { raw, headers })).status).toBe(401)
    const short = await redeem(h, code.slice(0, 9))
    expect([short.status, short.text.includes(code.slice(0, 9))]).toEqual([400, false])
    expect(await money(h, merchant)).toEqual(HELD)
  })

  test('a step that fails leaves it PENDING and held; the same session redeems it once after that', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code, reference } = await issued(h, merchant)
    const over = { sessionId: newSession(), agentId: newAgent() }
    for (const table of ['state_changes', 'transfers', 'events', 'outbox'])
      await dyingAt(h, table, async () => {
        expect((await redeem(h, code, over)).status).toBe(500)
      })
    expect([await statusOf(h, merchant, reference), await money(h, merchant)]).toEqual(['PENDING', HELD])
    expect((await redeem(h, code, over)).status).toBe(200)
    expect(await money(h, merchant)).toEqual(PAID)
  })
})

describe('wrong codes', () => {
  test('404 five times, then 429 with Retry-After also for the right code, by enquiry and by redemption; another agent goes on', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code } = await issued(h, merchant)
    const agentId = newAgent()
    const wrong = otherThan(code)
    for (const answer of [
      await enquire(h, wrong, agentId),
      await redeem(h, wrong, { agentId }),
      await redeem(h, `99${wrong.slice(2)}`, { agentId }), // of no cell
      await enquire(h, wrong, agentId),
    ])
      expect([answer.status, problemOf(answer)]).toEqual([404, 'PAYCODE_UNKNOWN'])
    const amount = await redeem(h, code, { agentId, amount: '499.99' })
    expect([amount.status, problemOf(amount)]).toEqual([422, 'PAYCODE_OTHER_AMOUNT'])
    for (const answer of [await enquire(h, code, agentId), await redeem(h, code, { agentId })]) {
      expect([answer.status, problemOf(answer)]).toEqual([429, 'AGENT_THROTTLED'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(800)
    }
    expect((await enquire(h, code)).status).toBe(200)
    await advance(h, 16 * 60)
    expect((await redeem(h, code, { agentId })).status).toBe(200)
    expect(await money(h, merchant)).toEqual(PAID)
  })

  test('an agent that is throttled still gets the response of a session that has redeemed', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code } = await issued(h, merchant)
    const over = { sessionId: newSession(), agentId: newAgent() }
    const first = await redeem(h, code, over)
    for (let tried = 0; tried < 5; tried += 1) await enquire(h, otherThan(code), over.agentId)
    expect((await enquire(h, code, over.agentId)).status).toBe(429)
    expect((await redeem(h, code, over)).text).toBe(first.text)
  })

  test('50 guesses of one agent at once: five are answered, the others are throttled', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code } = await issued(h, merchant)
    const agentId = newAgent()
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(h, otherThan(code), { agentId })))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => String(a).localeCompare(String(b)))
    expect(statuses).toEqual([...Array(5).fill(404), ...Array(45).fill(429)])
  })
})

describe('at the agent of the sandbox', () => {
  test('enquire and redeem; a second time is REFUSED with the reason; the agent keeps no code', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code } = await issued(h, merchant)
    expect(await atAgent(h, 'enquire', { paycode: code })).toEqual({
      status: 200,
      json: { beneficiaryName: 'Ada Obi', amount: '500.00' },
    })
    const { status, json } = await atAgent(h, 'redeem', { paycode: code, amount: 500 })
    expect([status, json]).toMatchObject([200, { status: 'PAID', beneficiaryName: 'Ada Obi', amount: '500.00' }])
    expect(JSON.stringify(json)).not.toContain(code)
    const again = await atAgent(h, 'redeem', { paycode: code, amount: 500, sessionId: json.sessionId })
    expect(again.json).toEqual(json)
    const other = await atAgent(h, 'redeem', { paycode: code, amount: 500 })
    expect(other.json).toMatchObject({ status: 'REFUSED', reason: 'The paycode is COMPLETED' })
    expect(await money(h, merchant)).toEqual(PAID)
  })

  test('a response that is lost: UNKNOWN, and under the same session PAID; the money has moved once', async () => {
    const h = harness()
    const merchant = await rich(h)
    const { code, reference } = await issued(h, merchant)
    const lost = await atAgent(h, 'redeem', { paycode: code, amount: 500, scenario: 'lost' })
    expect(lost.json.status).toBe('UNKNOWN')
    expect(await statusOf(h, merchant, reference)).toBe('COMPLETED')
    expect((await cancel(h, merchant, reference)).status).toBe(422)
    const { sessionId } = lost.json
    const found = await atAgent(h, 'redeem', { paycode: code, amount: 500, sessionId })
    expect(found.json).toMatchObject({ sessionId, status: 'PAID' })
    expect(await money(h, merchant)).toEqual(PAID)
  })
})
