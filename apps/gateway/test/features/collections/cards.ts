// The steps of a card payment, for tests.

import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { expect } from 'vitest'
import { type Answer, type Harness, initialise, type TestMerchant } from '../../kit/harness.ts'

export const CHARGE = '/api/v1/merchant/cards/charge'
export const OTP = '/api/v1/merchant/cards/otp/authorize'
export const SECURE = '/api/v1/sdk/cards/secure-3d/authorize'
export const TOKEN = '/api/v1/merchant/cards/charge-card-token'

export type CardName = keyof typeof SANDBOX_CARDS
export const card = (name: CardName, over: Record<string, unknown> = {}) => {
  const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS[name]
  return { number, expiryMonth, expiryYear, cvv, pin, ...over }
}

export const chargeBody = (transactionReference: string, of: object) => ({
  transactionReference,
  collectionChannel: 'API_NOTIFICATION',
  card: of,
})

/** Initialises a transaction and charges a card for it. */
export async function chargeWith(
  h: Harness,
  merchant: TestMerchant,
  name: CardName,
  over: Record<string, unknown> = {},
): Promise<{ transactionReference: string; paymentReference: string; checkoutUrl: string; answer: Answer; body: any }> {
  const made = await initialise(h, merchant, over)
  const answer = await h.as(merchant, 'POST', CHARGE, chargeBody(made.transactionReference, card(name)))
  expect(answer.status, answer.text).toBe(200)
  return { ...made, answer, body: answer.json.responseBody }
}

export const otpBody = (transactionReference: string, tokenId: string, token = SANDBOX_CARDS.otp.otp) => ({
  transactionReference,
  collectionChannel: 'API_NOTIFICATION',
  tokenId,
  token,
})

/** The payer at the issuer's page; answers where the gateway sends the browser in the end. */
export async function atIssuer(page: string, outcome: 'approve' | 'decline'): Promise<string> {
  expect((await fetch(page)).status).toBe(200)
  const decided = await fetch(page, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `outcome=${outcome}`,
  })
  expect(decided.status).toBe(303)
  const back = await fetch(decided.headers.get('location') ?? '', { redirect: 'manual' })
  expect(back.status).toBe(303)
  return back.headers.get('location') ?? ''
}

/** What the issuer's own books say of a transaction's charges, in the order they were made. */
export async function issuerBooks(h: Harness, merchant: TestMerchant, transactionReference: string): Promise<any[]> {
  const rows = await h.sql<{ reference: string }>(
    merchant.cell,
    'select c.reference from card_charges c join transactions t on t.id = c.transaction_id where t.reference = $1 order by c.id',
    [transactionReference],
  )
  const books = []
  for (const { reference } of rows) {
    const answer = await fetch(`${h.simulatorUrl}/api/cards/charges?reference=${reference}`)
    books.push(...((await answer.json()) as any[]))
  }
  return books
}

export const charges = (h: Harness, merchant: TestMerchant, transactionReference: string): Promise<any[]> =>
  h.sql(
    merchant.cell,
    'select c.* from card_charges c join transactions t on t.id = c.transaction_id where t.reference = $1 order by c.id',
    [transactionReference],
  )
