// Stored cards: charged again under their token, by their merchant, for their customer.

import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { describe, expect, test } from 'vitest'
import { chargeWith, issuerBooks, TOKEN } from '#test/features/collections/cards.ts'
import { advance, type Harness, status, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

async function stored(h: Harness, merchant: TestMerchant): Promise<string> {
  const made = await chargeWith(h, merchant, 'plain')
  return (await status(h, merchant, made.transactionReference)).cardDetails.cardToken
}
const tokenBody = (merchant: TestMerchant, cardToken: string, over: Record<string, unknown> = {}) => ({
  cardToken,
  amount: 750.25,
  customerName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com',
  paymentReference: unique('token'),
  paymentDescription: 'Monthly plan',
  currencyCode: 'NGN',
  contractCode: merchant.contractCode,
  apiKey: merchant.apiKey,
  ...over,
})

describe('cards.chargeToken', () => {
  test('200 PAID: a transaction of its own, with the same card and token, reported by an event', async () => {
    const h = harness()
    const { main } = h.merchants
    const token = await stored(h, main)
    const answer = await h.as(main, 'POST', TOKEN, tokenBody(main, token, { metaData: { plan: 'gold' } }))
    expect(answer.json.responseBody).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '750.25',
      settlementAmount: '739.00',
      paymentMethod: 'CARD',
      cardDetails: { cardToken: token, last4: '1111' },
      metaData: { plan: 'gold' },
    })
    expect(await status(h, main, answer.json.responseBody.transactionReference)).toEqual(answer.json.responseBody)
    const feed = (await h.as(main, 'GET', '/sandbox/events?after=0')).json.responseBody as any[]
    expect(feed.filter((event) => event.object === answer.json.responseBody.transactionReference).length).toBe(1)
  })

  test('the e-mail may differ in case and in nothing else', async () => {
    const h = harness()
    const { main } = h.merchants
    const token = await stored(h, main)
    const charge = (customerEmail: string) => h.as(main, 'POST', TOKEN, tokenBody(main, token, { customerEmail }))
    expect((await charge('Ngozi@Example.com')).status).toBe(200)
    const other = await charge('thief@example.com')
    expect([other.status, other.json.problem.code]).toEqual([400, 'CARD_TOKEN_EMAIL_DIFFERS'])
  })

  test('400 CARD_TOKEN_INVALID for nonsense and, word for word the same, for the token of another merchant', async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    const token = await stored(h, main)
    for (const outsider of [other, second]) {
      const theirs = await h.as(outsider, 'POST', TOKEN, tokenBody(outsider, token))
      const nonsense = await h.as(outsider, 'POST', TOKEN, tokenBody(outsider, `CWRY_${'0'.repeat(32)}`))
      expect([theirs.status, theirs.json.problem.code]).toEqual([400, 'CARD_TOKEN_INVALID'])
      expect({ ...theirs.json.problem, requestId: '' }).toEqual({ ...nonsense.json.problem, requestId: '' })
      expect(theirs.json.responseMessage).toBe(nonsense.json.responseMessage)
    }
  })

  test('400 CARD_TOKEN_EXPIRED once the month of the card is over', async () => {
    const h = harness()
    const { main } = h.merchants
    const token = await stored(h, main)
    await h.sql('01', `update card_tokens set exp_year = '2020' where token = $1`, [token])
    const answer = await h.as(main, 'POST', TOKEN, tokenBody(main, token))
    expect([answer.status, answer.json.responseMessage]).toEqual([400, 'Card token has expired.'])
    await h.sql('01', `update card_tokens set exp_year = '2030' where token = $1`, [token])
  })

  test.each([
    ['DUPLICATE_PAYMENT_REFERENCE', 'paymentReference'],
    ['CONTRACT_UNKNOWN', 'contractCode'],
    ['API_KEY_FOREIGN', 'apiKey'],
    ['CURRENCY_UNKNOWN', 'currencyCode'],
  ])('422 %s', async (code, field) => {
    const h = harness()
    const { main, other } = h.merchants
    const token = await stored(h, main)
    const reference = unique('token')
    if (code === 'DUPLICATE_PAYMENT_REFERENCE')
      await h.as(main, 'POST', TOKEN, tokenBody(main, token, { paymentReference: reference }))
    const wrong: Record<string, string> = {
      paymentReference: reference,
      contractCode: '0199999999',
      apiKey: other.apiKey,
      currencyCode: 'USD',
    }
    const answer = await h.as(main, 'POST', TOKEN, tokenBody(main, token, { [field]: wrong[field] }))
    expect([answer.status, answer.json.problem.code]).toEqual([422, code])
  })

  test('a refusal of the issuer is a record that is FAILED, nothing paid', async () => {
    const h = harness()
    const { second } = h.merchants
    const token = await stored(h, second)
    const answer = await h.as(second, 'POST', TOKEN, tokenBody(second, token, { amount: '3951.39' }))
    expect(answer.json.responseBody).toMatchObject({
      ...{ paymentStatus: 'FAILED', amountPaid: '0.00', cardDetails: null },
      declineCode: 'INSUFFICIENT_FUNDS',
    })
    expect(RESPONSE_CODES['51']).toBeDefined()
  })

  test('no answer is a record that waits; the issuer is asked later and the money taken once', async () => {
    const h = harness()
    const { main } = h.merchants
    const token = await stored(h, main)
    const answer = await h.as(main, 'POST', TOKEN, tokenBody(main, token, { amount: '3901.38' }))
    const { transactionReference, paymentStatus } = answer.json.responseBody
    expect(paymentStatus).toBe('PENDING')
    await advance(h, 60)
    expect(await status(h, main, transactionReference)).toMatchObject({ paymentStatus: 'PAID', amountPaid: '3901.38' })
    expect((await issuerBooks(h, main, transactionReference)).length).toBe(1)
  })

  test('Idempotency-Key: the same charge 20 times at once is made once', async () => {
    const h = harness()
    const { main } = h.merchants
    const token = await stored(h, main)
    const body = tokenBody(main, token, { amount: 813.37 })
    const key = { 'idempotency-key': unique('key') }
    const answers = await Promise.all(Array.from({ length: 20 }, () => h.as(main, 'POST', TOKEN, body, key)))
    const good = answers.filter((answer) => answer.status === 200)
    expect(good.length).toBeGreaterThan(0)
    expect(new Set(good.map((answer) => answer.text)).size).toBe(1)
    expect(good.filter((answer) => answer.headers.get('idempotent-replayed') !== 'true').length).toBe(1)
    const refused = answers.filter((answer) => answer.status !== 200)
    expect(refused.filter((answer) => answer.json.problem.code !== 'IDEMPOTENCY_IN_FLIGHT')).toEqual([])
    // Not by our references: a charge that we forgot would be found too.
    const booked = (await (await fetch(`${h.simulatorUrl}/api/cards/charges`)).json()) as any[]
    expect(booked.filter(({ amount }) => amount === '813.37')).toMatchObject([{ taken: '813.37', returned: '0.00' }])
  })
})
