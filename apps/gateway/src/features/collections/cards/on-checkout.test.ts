// Cards on the hosted checkout: a payer has nothing but the page, so a refused card is not the end.

import { CHECKOUT_DECLINES_MAX, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { describe, expect, test } from 'vitest'
import { atIssuer, card } from '#test/features/collections/cards.ts'
import { advance, type Harness, initialise, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { openGateway } from '../../../gateway.ts'
import { type AtCheckout, createCheckoutCards } from './on-checkout.ts'

const harness = useHarness()
const PAYER = { keepCard: false, address: '197.210.1.1' }

async function atCheckout(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const made = await initialise(h, merchant, over)
  const [row] = await h.sql(merchant.cell, 'select id, reference from transactions where reference = $1', [
    made.transactionReference,
  ])
  const known = await h.gateway.merchants.byId(merchant.cell, merchant.id)
  const at = { merchant: known, row: { id: BigInt(row.id), reference: row.reference } } as AtCheckout
  return { ...made, at, cards: createCheckoutCards(h.gateway.ctx) }
}

describe('a card on the checkout', () => {
  test('that is refused leaves the transaction waiting; so do two; the third fails it', async () => {
    const h = harness()
    const { main } = h.merchants
    const { at, cards, transactionReference } = await atCheckout(h, main)
    const seen = []
    for (let attempt = 0; attempt < CHECKOUT_DECLINES_MAX; attempt += 1) {
      const shown = await cards.charge(at, card('failing'), PAYER)
      seen.push([
        shown.state,
        shown.code,
        shown.declinesLeft,
        (await status(h, main, transactionReference)).paymentStatus,
      ])
    }
    expect(seen).toEqual([
      ['DECLINED', '05', 2, 'PENDING'],
      ['DECLINED', '05', 1, 'PENDING'],
      ['DECLINED', '05', 0, 'FAILED'],
    ])
    await expect(cards.charge(at, card('plain'), PAYER)).rejects.toMatchObject({ code: 'TRANSACTION_CLOSED' })
  })

  test('that is refused and then another one that is not: PAID', async () => {
    const h = harness()
    const { main } = h.merchants
    const { at, cards, transactionReference } = await atCheckout(h, main)
    await cards.charge(at, card('failing'), PAYER)
    expect(await cards.charge(at, card('plain'), PAYER)).toMatchObject({
      state: 'APPROVED',
      masked: '411111******1111',
    })
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PAID')
    expect(await cards.latest(at)).toMatchObject({ state: 'APPROVED' })
  })

  test('the last charge is the last one made, also when another process made the one before', async () => {
    const h = harness()
    const { main } = h.merchants
    const { at, cards } = await atCheckout(h, main)
    await cards.charge(at, card('failing'), PAYER) // this process has its block of ids; the other one takes a later block
    const elsewhere = await openGateway({ ...h.config, connections: 4 }, 'test')
    try {
      await createCheckoutCards(elsewhere.ctx).charge(at, card('failing'), PAYER)
    } finally {
      await elsewhere.close()
    }
    const { chargeId } = await cards.charge(at, card('plain'), PAYER)
    expect(await cards.latest(at)).toMatchObject({ chargeId, state: 'APPROVED' })
  })

  test('with a code: a wrong one counts down, the right one pays', async () => {
    const h = harness()
    const { second } = h.merchants
    const { at, cards, transactionReference } = await atCheckout(h, second)
    const { chargeId, state } = await cards.charge(at, card('otp'), PAYER)
    expect(state).toBe('OTP')
    expect(await cards.submit(at, chargeId, { kind: 'OTP', value: '999999' })).toMatchObject({
      state: 'OTP',
      wrongOtp: true,
      triesLeft: 2,
    })
    expect(await cards.submit(at, chargeId, { kind: 'OTP', value: SANDBOX_CARDS.otp.otp })).toMatchObject({
      state: 'APPROVED',
    })
    expect((await status(h, second, transactionReference)).paymentStatus).toBe('PAID')
    await expect(cards.submit(at, chargeId, { kind: 'OTP', value: SANDBOX_CARDS.otp.otp })).rejects.toMatchObject({
      code: 'CARD_PAYMENT_NOT_FOUND',
    })
  })

  test('the code of one transaction does not open the charge of another', async () => {
    const h = harness()
    const { main } = h.merchants
    const [one, two] = [await atCheckout(h, main), await atCheckout(h, main)]
    const { chargeId } = await one.cards.charge(one.at, card('otp'), PAYER)
    await expect(
      two.cards.submit(two.at, chargeId, { kind: 'OTP', value: SANDBOX_CARDS.otp.otp }),
    ).rejects.toMatchObject({
      code: 'CARD_PAYMENT_NOT_FOUND',
    })
  })

  test('is kept only where the payer ticked the box: a token with keepCard=yes, none without or with another value', async () => {
    const h = harness()
    const { main } = h.merchants
    const { number, cvv, pin } = SANDBOX_CARDS.plain
    for (const [over, kept] of [
      [{}, false],
      [{ keepCard: 'no' }, false],
      [{ keepCard: 'yes' }, true],
    ] as const) {
      const { checkoutUrl, transactionReference } = await initialise(h, main)
      const [box] =
        (await (await fetch(`${checkoutUrl}?way=card`)).text()).match(/<input[^>]*name="keepCard"[^>]*>/) ?? []
      expect(box).toMatch(/type="checkbox"[^>]* value="yes"/)
      expect(box).not.toMatch(/\bchecked\b/)
      const body = new URLSearchParams({ number, cvv, pin, expiry: '10/30', ...over })
      expect((await fetch(`${checkoutUrl}/card`, { method: 'POST', redirect: 'manual', body })).status).toBe(303)
      const { cardDetails } = await status(h, main, transactionReference)
      expect(cardDetails).toMatchObject({ reusable: kept, supportsTokenization: kept })
      expect(cardDetails.cardToken !== null).toBe(kept)
      const rows = await h.sql(
        main.cell,
        'select 1 from card_tokens k join card_charges c on c.id = k.charge_id join transactions t on t.id = c.transaction_id where t.reference = $1',
        [transactionReference],
      )
      expect(rows.length).toBe(kept ? 1 : 0)
    }
  })

  test("with the issuer's page: the payer comes back to the checkout, also where the merchant gave a redirectUrl", async () => {
    const h = harness()
    const { main } = h.merchants
    const { at, cards, checkoutUrl, transactionReference } = await atCheckout(h, main, {
      redirectUrl: 'https://shop.example/thanks',
    })
    const shown = await cards.charge(at, card('threeDs'), PAYER)
    expect(shown).toMatchObject({ state: 'CHALLENGE' })
    expect(await atIssuer(shown.acsUrl?.replace(/\/acs$/, '') ?? '', 'approve')).toBe(checkoutUrl)
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PAID')
  })

  test('that the issuer does not answer for: shown as such, and found out later', async () => {
    const h = harness()
    const { main } = h.merchants
    const { at, cards } = await atCheckout(h, main, { amount: '3901.38' })
    expect(await cards.charge(at, card('plain'), PAYER)).toMatchObject({ state: 'SENT', code: null })
    await advance(h, 60)
    expect(await cards.latest(at)).toMatchObject({ state: 'APPROVED', code: '00' })
  })
})
