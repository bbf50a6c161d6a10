// How often a card may be tried: per transaction, by API and on the page together; per card and per address
// within an hour.

import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import {
  ADDRESS_TRIES_MAX,
  CARD_TRIES_EVERYWHERE_MAX,
  CARD_TRIES_MAX,
  SANDBOX_CARDS,
} from '@cowrie/contract/collections/cards'
import { hasCheckDigit } from '@cowrie/contract/kit/check-digit'
import { describe, expect, test } from 'vitest'
import { attemptDigest } from '#kit/crypto.ts'
import { behindFaultyBank } from '#test/bank/faulty-bank.ts'
import { CHARGE, card, chargeBody, charges, issuerBooks, OTP, otpBody } from '#test/features/collections/cards.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, initialise, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const RIGHT = SANDBOX_CARDS.otp.otp
const codeOf = (answer: { json: any }): string => answer.json.problem?.code ?? answer.json.responseBody.status
type Made = { transactionReference: string; checkoutUrl: string }

const chargeOtp = async (h: Harness, who: TestMerchant, { transactionReference }: Made): Promise<string> => {
  const answer = await h.as(who, 'POST', CHARGE, chargeBody(transactionReference, card('otp')))
  expect(codeOf(answer)).toBe('OTP_AUTHORIZATION_REQUIRED')
  return answer.json.responseBody.otpData.id
}
const code = (h: Harness, who: TestMerchant, made: Made, id: string, token: string) =>
  h.as(who, 'POST', OTP, otpBody(made.transactionReference, id, token))
/** Wrong codes, two for each charge; the answers, and the id of the last charge. */
async function guess(h: Harness, who: TestMerchant, made: Made, times: number) {
  const said: string[] = []
  let id = ''
  for (let nth = 0; nth < times; nth += 1) {
    if (nth % 2 === 0) id = await chargeOtp(h, who, made)
    said.push(codeOf(await code(h, who, made, id, `65400${nth}`)))
  }
  return { said, id }
}
const onPage = (made: Made, form: 'card' | 'otp', fields: Record<string, string>) =>
  fetch(`${made.checkoutUrl}/${form}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
const typed = (name: 'otp' | 'plain', over: Record<string, string> = {}) => {
  const { number, cvv, pin } = SANDBOX_CARDS[name]
  return { number, expiry: '10/30', cvv, pin, ...over }
}

describe('wrong codes of one transaction', () => {
  test('five over three charges leave the right one good', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const { said, id } = await guess(h, main, made, 5)
    expect(said).toEqual(Array(5).fill('OTP_WRONG'))
    expect(codeOf(await code(h, main, made, id, RIGHT))).toBe('SUCCESS')
  })

  test('400 CARD_ATTEMPTS_SPENT for the sixth: FAILED, the right code is too late, and the issuer holds nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const { said, id } = await guess(h, main, made, 6)
    expect(said.at(-1)).toBe('CARD_ATTEMPTS_SPENT')
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('FAILED')
    expect(codeOf(await code(h, main, made, id, RIGHT))).toBe('TRANSACTION_CLOSED')
    await advance(h, 5)
    expect((await issuerBooks(h, main, made.transactionReference)).map((row) => row.state)).toEqual(
      Array(3).fill('REVERSED'),
    )
  })

  test('by API and on the page together: three here and three there are six', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    await guess(h, main, made, 3)
    expect((await onPage(made, 'otp', { otp: '999901' })).status).toBe(422)
    expect((await onPage(made, 'card', typed('otp'))).status).toBe(303)
    expect((await onPage(made, 'otp', { otp: '999902' })).status).toBe(422)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PENDING')
    expect((await onPage(made, 'otp', { otp: '999903' })).status).toBe(303)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('FAILED')
  })

  test('thirty at once after four: two more reach the issuer at most, and the transaction is FAILED', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    await guess(h, main, made, 4) // two charges
    const id = await chargeOtp(h, main, made)
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, nth) => code(h, main, made, id, String(700_000 + nth))),
    )
    const said = answers.map(codeOf)
    // Four were wrong before: the fifth is, the sixth ends it, and the issuer's own third try is never
    // reached.
    expect(said.filter((word) => word === 'OTP_WRONG').length).toBeLessThanOrEqual(1)
    expect(said).not.toContain('OTP_TRIES_SPENT')
    const rows = await charges(h, main, made.transactionReference)
    expect(rows.reduce((sum, row) => sum + row.codes_sent, 0)).toBeLessThanOrEqual(6)
    await code(h, main, made, id, '700099')
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('FAILED')
  })

  test('a code that nobody answered for counts too, also when the process died with it', async () => {
    const h = harness()
    const { main } = h.merchants
    const line = await behindFaultyBank(h, (path) => (path === BANK_PATHS.cardOtps ? 'is lost' : 'passes'))
    try {
      const made = await initialise(h, main)
      const { id } = await guess(h, main, made, 3)
      await line.post(main, OTP, otpBody(made.transactionReference, id, '1'))
      const [, open] = await charges(h, main, made.transactionReference)
      expect([open.codes_sent, open.codes_wrong]).toEqual([2, 2])
      // What a dead process leaves: counted ahead, never answered. It counts once its charge is over.
      await h.sql(main.cell, 'update card_charges set codes_sent = codes_sent + 1 where id = $1', [open.id])
      const last = await chargeOtp(h, main, made)
      expect(codeOf(await code(h, main, made, last, '2'))).toBe('CARD_ATTEMPTS_SPENT')
    } finally {
      await line.close()
    }
  })
})

describe('charges of one transaction', () => {
  test('the fifth may pay; 400 CARD_ATTEMPTS_SPENT for the sixth, and the transaction is FAILED', async () => {
    const h = harness()
    const { main } = h.merchants
    const [good, bad] = [await initialise(h, main), await initialise(h, main)]
    let id = ''
    for (let nth = 0; nth < 5; nth += 1) id = await chargeOtp(h, main, good)
    expect(codeOf(await code(h, main, good, id, RIGHT))).toBe('SUCCESS')
    for (let nth = 0; nth < 5; nth += 1) await chargeOtp(h, main, bad)
    const sixth = await h.as(main, 'POST', CHARGE, chargeBody(bad.transactionReference, card('plain')))
    expect([sixth.status, codeOf(sixth)]).toEqual([400, 'CARD_ATTEMPTS_SPENT'])
    expect((await status(h, main, bad.transactionReference)).paymentStatus).toBe('FAILED')
    await advance(h, 5)
    expect((await charges(h, main, bad.transactionReference)).map((row) => row.status)).toEqual(
      Array(5).fill('REVERSED'),
    )
  })

  test('on the page the fifth may still pay by its code', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    for (let nth = 0; nth < 5; nth += 1) expect((await onPage(made, 'card', typed('otp'))).status).toBe(303)
    expect(await (await fetch(`${made.checkoutUrl}?way=card`)).text()).toContain('One-time code')
    expect((await onPage(made, 'otp', { otp: RIGHT })).status).toBe(303)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PAID')
  })

  test('on the page the sixth shows how it ended', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    for (let nth = 0; nth < 5; nth += 1) expect((await onPage(made, 'card', typed('otp'))).status).toBe(303)
    expect((await onPage(made, 'card', typed('otp'))).status).toBe(303)
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('FAILED')
    expect(await (await fetch(made.checkoutUrl)).text()).toContain('The payment did not succeed')
  })

  test('what never reached the issuer does not count: a wrong check digit, and a question that was lost', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main, { amount: '3903.38' }) // lost on its way, for this amount
    const send = (over = {}) => h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain', over)))
    for (let nth = 0; nth < 6; nth += 1)
      expect(codeOf(await send({ number: '4111111111111112' }))).toBe('CARD_NUMBER_INVALID')
    for (let nth = 0; nth < 6; nth += 1) {
      expect(codeOf(await send())).toBe('PENDING')
      await advance(h, 30)
    }
    expect((await charges(h, main, made.transactionReference)).map((row) => [row.status, row.never_reached])).toEqual(
      Array(6).fill(['REVERSED', true]),
    )
    expect(codeOf(await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('otp'))))).toBe(
      'OTP_AUTHORIZATION_REQUIRED',
    )
  })

  test('twenty at once, three times, on a transaction with four: one more reaches the issuer', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    for (let nth = 0; nth < 4; nth += 1) await chargeOtp(h, main, made)
    const body = chargeBody(made.transactionReference, card('otp'))
    for (let wave = 0; wave < 3; wave += 1)
      await Promise.all(Array.from({ length: 20 }, () => h.as(main, 'POST', CHARGE, body)))
    expect((await charges(h, main, made.transactionReference)).length).toBe(5)
  })
})

let serial = 0
/** A card that nobody else in the sandbox uses. */
function ownNumber(): string {
  serial += 1
  const body = `5399${String(process.pid).padStart(7, '0').slice(-7)}${String(serial).padStart(4, '0')}`
  for (let digit = 0; ; digit += 1) if (hasCheckDigit(`${body}${digit}`)) return `${body}${digit}`
}
const REFUSED = '3951.39' // no money on the card
const chargeNew = async (h: Harness, who: TestMerchant, number: string, amount: string | number = REFUSED) => {
  const { transactionReference } = await initialise(h, who, { amount })
  return h.as(who, 'POST', CHARGE, chargeBody(transactionReference, card('plain', { number })))
}
const kept = (h: Harness): Promise<any[]> => h.sql('01', 'select * from card_attempts', [])

describe('one card within an hour, whatever the transactions', () => {
  test('400 CARD_TRIED_TOO_OFTEN after ten without a payment, for every merchant; other cards pass; an hour later it is forgotten', async () => {
    const h = harness()
    const { main } = h.merchants
    const second = await newMerchant(h)
    const number = ownNumber()
    for (let nth = 0; nth < CARD_TRIES_MAX; nth += 1) expect(codeOf(await chargeNew(h, main, number))).toBe('FAILED')
    const refused = await chargeNew(h, second, number, 100)
    expect([refused.status, codeOf(refused)]).toEqual([400, 'CARD_TRIED_TOO_OFTEN'])
    expect(refused.text).not.toContain(number)
    expect(codeOf(await chargeNew(h, main, ownNumber(), 100))).toBe('SUCCESS')
    expect((await kept(h)).length).toBeGreaterThan(CARD_TRIES_MAX)
    await advance(h, 3601)
    expect(await kept(h)).toEqual([])
    expect(codeOf(await chargeNew(h, second, number, 100))).toBe('SUCCESS')
  })

  test('a payment begins the count anew; a charge that is refused before the issuer is asked does not count', async () => {
    const h = harness()
    const { main } = h.merchants
    const number = ownNumber()
    for (let nth = 0; nth < CARD_TRIES_MAX - 1; nth += 1) await chargeNew(h, main, number)
    for (let nth = 0; nth < 3; nth += 1) {
      const body = chargeBody('CWRY|01|20260101000000|000000', card('plain', { number }))
      expect(codeOf(await h.as(main, 'POST', CHARGE, body))).toBe('TRANSACTION_REFERENCE_INVALID')
    }
    expect(codeOf(await chargeNew(h, main, number, 100))).toBe('SUCCESS')
    expect(codeOf(await chargeNew(h, main, number))).toBe('FAILED')
  })

  test('a stranger who spends the tries of a card at one place does not lock its owner out; fifty everywhere do', async () => {
    const h = harness()
    const { main } = h.merchants
    const number = ownNumber()
    const digest = attemptDigest(h.gateway.ctx.keys, 'card', number)
    const strangers = (from: number, to: number) =>
      h.sql(
        '01',
        `insert into card_attempts (charge_id, merchant_id, card_digest, address_digest, made_at)
         select -n, $1, $2, set_byte('\\x0000', 1, (n / 10)::int), $3 from generate_series($4::int, $5::int) n`,
        [main.id, digest, h.gateway.ctx.clock.now(), from, to],
      )
    await strangers(10, 10 + CARD_TRIES_EVERYWHERE_MAX - 2)
    const made = await initialise(h, main, { amount: REFUSED })
    expect((await onPage(made, 'card', { ...typed('plain'), number })).status).toBe(303)
    const refused = await chargeNew(h, main, number, 100)
    expect([refused.status, codeOf(refused)]).toEqual([400, 'CARD_TRIED_TOO_OFTEN'])
    await h.sql('01', 'delete from card_attempts where charge_id < 0', [])
    expect(codeOf(await chargeNew(h, main, number, 100))).toBe('SUCCESS')
  })

  test('forty at once: ten reach the issuer', async () => {
    const h = harness()
    const { main } = h.merchants
    const number = ownNumber()
    const answers = await Promise.all(Array.from({ length: 40 }, () => chargeNew(h, main, number)))
    expect(answers.map(codeOf).filter((word) => word === 'FAILED').length).toBe(CARD_TRIES_MAX)
  })

  test('what is kept is a keyed digest', async () => {
    const h = harness()
    const number = ownNumber()
    await chargeNew(h, h.merchants.main, number)
    const digest = attemptDigest(h.gateway.ctx.keys, 'card', number)
    const rows = (await kept(h)).filter((row) => digest.equals(row.card_digest))
    expect(rows).toMatchObject([{ address_digest: null, paid: false }])
  })
})

test('one address of the hosted page within an hour: the page refuses the next card and says so, the API goes on', async () => {
  const h = harness()
  const { main } = h.merchants
  const digest = attemptDigest(h.gateway.ctx.keys, 'address', '127.0.0.1')
  await h.sql(
    '01',
    `insert into card_attempts (charge_id, merchant_id, card_digest, address_digest, made_at)
     select -n, $1, '\\x00', $2, $3 from generate_series(1, $4::int) n`,
    [main.id, digest, h.gateway.ctx.clock.now(), ADDRESS_TRIES_MAX],
  )
  const made = await initialise(h, main)
  const page = await onPage(made, 'card', typed('plain'))
  expect(page.status).toBe(422)
  expect(await page.text()).toContain('Too many attempts with this card')
  expect(await charges(h, main, made.transactionReference)).toEqual([])
  expect(codeOf(await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain'))))).toBe('SUCCESS')
  await h.sql('01', 'delete from card_attempts where charge_id < 0', [])
})
