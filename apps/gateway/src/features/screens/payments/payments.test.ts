// The page of one payment: what it shows adds up, is found by whoever may see it, and tells nobody more than
// their role allows.

import { MASKED, PLAIN } from '@cowrie/contract/access/masking'
import { showPayment } from '@cowrie/contract/screens/payments'
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '#test/bank/notices.ts'
import { actorOf, show } from '#test/features/access/acts.ts'
import { ownPath, setUrls } from '#test/features/events/webhooks.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { refunded } from '#test/features/payouts/refunds.ts'
import {
  advance,
  type Harness,
  initialise,
  paid,
  subAccount,
  type TestMerchant,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness({ settings: async () => ({ REQUEST_LOG_DAYS: '3' }) })
const owner = actorOf('merchant', 'owner')
const pageOf = (h: Harness, merchant: TestMerchant, reference: string, by = owner): Promise<any> =>
  show(h, by, 'payments.show', { merchant: merchant.apiKey, reference })
const kobo = (naira: number): number => Math.round(naira * 100)
const addsUp = ({ money }: any): boolean => {
  const shares = money.shares.reduce((sum: number, { amount }: any) => sum + kobo(amount), 0)
  return kobo(money.paid) - kobo(money.reversed) - kobo(money.fee) - shares === kobo(money.yours)
}
const can = (page: any): string[] => page.can.map((one: any) => `${one.what} ${one.possible ? 'yes' : one.why}`)

describe('a payment that was paid, announced twice and refunded in part', () => {
  test('shows states, bank, postings, attempts, requests and refund, newest first, and what is left', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const path = ownPath()
    await setUrls(h, merchant, { all: h.receiverUrl(path) })
    h.answerWith((request) =>
      request.path === path && h.received.filter((one) => one.path === path).length === 1 ? 500 : 200,
    )
    const { transactionReference: reference, sessionId } = await paid(h, merchant, { amount: 2_000 })
    await advance(h, 3_600)
    await h.as(merchant, 'GET', `/api/v2/transactions/${encodeURIComponent(reference)}`)
    const refund = await refunded(h, merchant, reference, { refundAmount: 500 })
    await advance(h, 120)
    await h.until('the request in the log', async () => (await pageOf(h, merchant, reference)).requests.total > 0)
    const page = await pageOf(h, merchant, reference)
    expect(page.payment).toMatchObject({
      transactionReference: reference,
      paymentStatus: 'PAID',
      amountPaid: '2000.00',
    })
    expect(page.states.rows.map((row: any) => [row.object, row.from, row.state])).toEqual([
      ['refund', 'PENDING', 'COMPLETED'],
      ['transaction', 'PENDING', 'PAID'],
    ])
    expect(page.credits).toMatchObject({ total: 1, rows: [{ sessionId, outcome: 'COUNTED', amount: 2_000 }] })
    expect(page.postings.rows.map(({ kind }: any) => kind)).toEqual(['REFUND', 'COLLECTION'])
    for (const { entries } of page.postings.rows)
      expect(entries.reduce((sum: number, { amount }: any) => sum + kobo(amount), 0)).toBe(0)
    expect(page.events.rows.map(({ eventType }: any) => eventType)).toEqual([
      'SUCCESSFUL_REFUND',
      'SUCCESSFUL_TRANSACTION',
    ])
    const own = page.events.rows[1].eventId
    const attempts = page.attempts.rows.filter(({ eventId }: any) => eventId === own)
    expect(attempts.map(({ attempt, status }: any) => [attempt, status])).toEqual([
      [2, 200],
      [1, 500],
    ])
    expect(page.requests.rows.map(({ route, status }: any) => [route, status])).toEqual([['transactions.get', 200]])
    expect(page.refunds.rows).toMatchObject([
      { refundReference: refund.refundReference, state: 'COMPLETED', amount: 500 },
    ])
    expect(page.money).toMatchObject({ asked: 2_000, paid: 2_000, refunded: 500, refunding: 0, shares: [] })
    expect(addsUp(page)).toBe(true)
    expect(page.can).toMatchObject([
      { what: 'REFUND', possible: true, most: 1_500 },
      { what: 'RESEND', possible: true },
      { what: 'CANCEL', possible: false, why: 'It is PAID' },
    ])
  })

  test('what is left can still be refunded when it is exactly the least that a refund may be, and not a kobo below', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    for (const [refundAmount, offered] of [
      [900, { what: 'REFUND', possible: true, most: 100 }],
      [900.01, { what: 'REFUND', possible: false }],
    ] as const) {
      const { transactionReference: reference } = await paid(h, merchant, { amount: 1_000 })
      await refunded(h, merchant, reference, { refundAmount })
      expect((await pageOf(h, merchant, reference)).can[0]).toMatchObject(offered)
    }
  })

  test('finds the event also where a block of ids ended between it and its posting', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference: reference } = await paid(h, main)
    const types = async () => (await pageOf(h, main, reference)).events.rows.map(({ eventType }: any) => eventType)
    const move = (by: number) => h.sql('01', `update events set id = id + ${by} where object = $1`, [reference])
    await move(30_000)
    expect(await types()).toEqual(['SUCCESSFUL_TRANSACTION'])
    await move(-30_000)
    expect(await types()).toEqual(['SUCCESSFUL_TRANSACTION'])
  })
})

test('a split payment adds up to the kobo, before and after the bank reverses it', async () => {
  const h = harness()
  const { main } = h.merchants
  const { subAccountCode } = await subAccount(h, main, { defaultSplitPercentage: 12.5 })
  const made = await waiting(h, main, { amount: 1_234.56, incomeSplitConfig: [{ subAccountCode }] })
  const credit = notice(made.accountNumber, '1234.56')
  expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
  const before = await pageOf(h, main, made.transactionReference)
  expect(before.money.shares).toEqual([{ subAccountCode, amount: 154.32 }])
  expect([addsUp(before), before.money.reversed, before.flagged]).toEqual([true, 0, false])
  expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
  const after = await pageOf(h, main, made.transactionReference)
  expect(after.money).toMatchObject({ reversed: 1_234.56, yours: 0, fee: 0, shares: [{ subAccountCode, amount: 0 }] })
  expect([addsUp(after), after.flagged, after.reversals.total]).toEqual([true, true, 1])
  expect(can(after)[0]).toContain('a bank reversed it')
})

test('one that waits shows where it is paid, and that only its payer cancels it', async () => {
  const h = harness()
  const { main } = h.merchants
  const { transactionReference: reference, checkoutUrl } = await initialise(h, main)
  const page = await pageOf(h, main, reference)
  expect(page).toMatchObject({
    checkoutUrl,
    account: null,
    states: { total: 0, rows: [] },
    money: { paid: 0, yours: 0 },
  })
  expect(can(page)).toEqual([
    expect.stringContaining('REFUND'),
    'RESEND Nothing was announced about it yet',
    'CANCEL The payer cancels it on the checkout page, or it expires unpaid',
  ])
})

describe('who sees what', () => {
  test('another merchant’s payment answers like an unknown one: TRANSACTION_NOT_FOUND', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { transactionReference: reference } = await initialise(h, main)
    for (const asked of [reference, 'CWRY|01|20260101000000|000000', 'nothing'])
      await expect(pageOf(h, other, asked)).rejects.toMatchObject({ code: 'TRANSACTION_NOT_FOUND' })
  })

  test('support gets no byte of who paid, and is shown which kinds of row are left out', async () => {
    const h = harness()
    const { main } = h.merchants
    const customer = { customerName: 'Ngozi Okafor', customerEmail: 'ngozi.okafor@mail.example' }
    const { transactionReference: reference } = await paid(h, main, customer)
    const page = await pageOf(h, main, reference, actorOf('merchant', 'support'))
    expect(JSON.stringify(page)).not.toMatch(/ngozi|okafor/i)
    expect(page.payment.customer).toEqual({ name: 'N. O.', email: 'n…@mail.example' })
    expect(page.unseen).toEqual(['PEOPLE', 'SETTLEMENTS'])
    expect(can(page)).toContain('REFUND Your role may not refund')
    const whole = await pageOf(h, main, reference)
    expect([whole.payment.customer.name, whole.unseen]).toEqual(['Ngozi Okafor', []])
  })

  test('every text of the page is shown in part or known to be about no person', () => {
    const found = new Set<string>()
    const walk = (schema: any, name: string): void => {
      for (const [key, inner] of Object.entries(schema?.properties ?? {})) walk(inner, key)
      for (const inner of schema?.anyOf ?? []) walk(inner, name)
      if (schema?.items) walk(schema.items, name)
      if (schema?.type === 'string' || schema?.enum) found.add(name)
    }
    walk(showPayment.reply, '')
    expect([...found].filter((name) => !MASKED.has(name) && !PLAIN.has(name))).toEqual([])
  })
})
