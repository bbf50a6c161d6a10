// Charging cards: the issuer's every answer, the payer's every step, and what is left of it in the record,
// the ledger, the event and the issuer's own books.

import { maskedPan } from '@cowrie/contract/collections/cards'
import { toDeclineCode } from '@cowrie/contract/collections/decline-codes'
import { isApproval, RESPONSE_CODES, responseCode } from '@cowrie/contract/collections/response-codes'
import { describe, expect, test } from 'vitest'
import type { Merchant } from '#core/access/merchants.ts'
import { runDue } from '#core/agenda.ts'
import {
  atIssuer,
  CHARGE,
  card,
  chargeBody,
  charges,
  chargeWith,
  issuerBooks,
  OTP,
  otpBody,
  SECURE,
} from '#test/features/collections/cards.ts'
import { advance, initialise, issueAccount, status, unique, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createBank } from '../../../outside/bank.ts'
import { cardsDue } from './cards.due.ts'
import { charge, readCard } from './cards.ts'

const harness = useHarness()

describe('cards.charge', () => {
  test('200 SUCCESS: the record, the ledger, the event and the issuer agree', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount: 2200 })
    expect(made.body).toMatchObject({ status: 'SUCCESS', authorizedAmount: 2200 })
    const record = await status(h, main, made.transactionReference)
    expect(record).toMatchObject({
      paymentStatus: 'PAID',
      paymentMethod: 'CARD',
      amountPaid: '2200.00',
      settlementAmount: '2167.00',
      accountPayments: [],
      cardDetails: {
        bin: '411111',
        last4: '1111',
        maskedPan: maskedPan('411111', '1111'),
        reusable: true,
        supportsTokenization: true,
      },
    })
    const [posted] = await h.sql(
      '01',
      `select -sum(e.kobo) filter (where e.account_id = 1) as schemes, sum(e.kobo) filter (where e.account_id = $2) as pending
       from transactions t join transfers f on f.object_id = t.id join entries e on e.transfer_id = f.id where t.reference = $1`,
      [made.transactionReference, main.id * 16n + 8n],
    )
    expect(posted).toEqual({ schemes: '220000', pending: '216700' })
    const feed = (await h.as(main, 'GET', '/sandbox/events')).json.responseBody as any[]
    const notified = feed.find((event) => event.object === made.transactionReference)
    expect(notified.body.eventData).toMatchObject({
      paymentMethod: 'CARD',
      paymentSourceInformation: [],
      destinationAccountInformation: {},
      cardDetails: { last4: '1111', reusable: true, supportsTokenization: true },
    })
    expect(JSON.stringify(notified)).not.toContain(record.cardDetails.cardToken)
    expect(await issuerBooks(h, main, made.transactionReference)).toMatchObject([{ state: 'APPROVED' }])
  })

  test('200 with every code of the issuer, by amount: approvals pay, everything else fails with words for the payer', async () => {
    const h = harness()
    const { second } = h.merchants
    for (const [code, { payer }] of Object.entries(RESPONSE_CODES)) {
      const made = await chargeWith(h, second, 'plain', { amount: `39${code}.39` })
      const expected = isApproval(code) ? 'SUCCESS' : 'FAILED'
      const word = expected === 'SUCCESS' ? undefined : toDeclineCode(code)
      expect([code, made.body.status, made.body.message, made.body.declineCode]).toEqual([code, expected, payer, word])
      const record = await status(h, second, made.transactionReference)
      expect([code, record.declineCode]).toEqual([code, word])
      expect([code, record.paymentStatus]).toEqual([code, expected === 'SUCCESS' ? 'PAID' : 'FAILED'])
      expect(record.amountPaid).toBe(expected === 'SUCCESS' ? `39${code}.39` : '0.00')
    }
  })

  test('200 FAILED for the failing card, which is not called an invalid number; the transaction is closed', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'failing')
    expect(made.body).toMatchObject({ status: 'FAILED', authorizedAmount: 0, message: RESPONSE_CODES['05']?.payer })
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('FAILED')
    const again = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
    expect([again.status, again.json.problem.code]).toEqual([400, 'TRANSACTION_CLOSED'])
  })

  test.each([
    ['CARD_NUMBER_INVALID', { number: '4111111111111112' }],
    ['CARD_NUMBER_INVALID', { number: '4111abcd11111111' }],
    ['CARD_NUMBER_INVALID', { number: '411111' }],
    ['CARD_EXPIRED', { expiryMonth: '01', expiryYear: '2020' }],
    ['FIELD_INVALID', { expiryMonth: '13' }],
    ['FIELD_INVALID', { cvv: '12' }],
    ['FIELD_INVALID', { pin: 'abcd' }],
  ])('400 %s for %j, and nothing is asked of the issuer', async (code, over) => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const answer = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain', over)))
    expect([answer.status, answer.json.problem.code]).toEqual([400, code])
    expect(await charges(h, main, made.transactionReference)).toEqual([])
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PENDING')
  })

  test('400 METHOD_NOT_ENABLED where the transaction takes no cards', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main, { paymentMethods: ['ACCOUNT_TRANSFER'] })
    const answer = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
    expect([answer.status, answer.json.problem.code]).toEqual([400, 'METHOD_NOT_ENABLED'])
  })

  test('a card is good until the end of its month and two digits of a year are enough', async () => {
    const h = harness()
    const { second } = h.merchants
    const now = h.gateway.ctx.clock.now()
    const [year, month] = [String(now.getUTCFullYear()), String(now.getUTCMonth() + 1)]
    const made = await initialise(h, second)
    const this_month = card('plain', { expiryYear: year.slice(2), expiryMonth: month })
    const answer = await h.as(second, 'POST', CHARGE, chargeBody(made.transactionReference, this_month))
    expect(answer.json.responseBody.status).toBe('SUCCESS')
  })
})

describe('an issuer that does not answer', () => {
  test.each([
    ['3901.38', 'APPROVED', 'APPROVED', 'PAID'],
    ['3902.38', 'DECLINED', 'DECLINED', 'FAILED'],
    ['3903.38', 'never received it', 'REVERSED', 'PENDING'],
  ])('%s: PENDING at once; asked later, the issuer %s: charge %s, transaction %s', async (amount, _, charge, state) => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount })
    expect(made.body.status).toBe('PENDING')
    const second = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
    expect([second.status, second.json.problem.code]).toEqual([400, 'CHARGE_UNDER_WAY'])
    await advance(h, 60)
    expect((await charges(h, main, made.transactionReference)).map((row) => row.status)).toEqual([charge])
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe(state)
    const books = await issuerBooks(h, main, made.transactionReference)
    expect(books.filter((row) => row.state === 'APPROVED').length).toBe(charge === 'APPROVED' ? 1 : 0)
  })

  test('what it granted goes back when the transaction was paid by transfer meanwhile', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'plain', { amount: '3901.38' })
    const account = await issueAccount(h, main, made.transactionReference)
    await h.pay(account, '3901.38')
    await advance(h, 60)
    expect((await charges(h, main, made.transactionReference)).map((row) => row.status)).toEqual(['REVERSED'])
    expect(await issuerBooks(h, main, made.transactionReference)).toMatchObject([{ state: 'REVERSED' }])
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      paymentMethod: 'ACCOUNT_TRANSFER',
      amountPaid: '3901.38',
    })
  })
})

test('no reason for a refusal advises to try again, another card or another way: the transaction may be over', () => {
  for (const { payer } of [...Object.values(RESPONSE_CODES), responseCode('ZZ')])
    expect(payer).not.toMatch(/another (card|way)|try again|in a few minutes|\bpay\b/i)
})

describe('saveCard', () => {
  test('false: paid without a token, and neither reusable nor supportsTokenization, in record and event', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const body = { ...chargeBody(transactionReference, card('plain')), saveCard: false }
    expect((await h.as(main, 'POST', CHARGE, body)).json.responseBody.status).toBe('SUCCESS')
    const none = { reusable: false, supportsTokenization: false }
    const record = await status(h, main, transactionReference)
    expect(record.cardDetails).toMatchObject({ cardToken: null, ...none })
    const feed = (await h.as(main, 'GET', '/sandbox/events')).json.responseBody as any[]
    expect(feed.find((event) => event.object === transactionReference).body.eventData.cardDetails).toMatchObject(none)
  })

  test("false when the same card asks for the issuer's page again: the waiting charge gives no token either", async () => {
    const h = harness()
    const { main } = h.merchants
    const { body, transactionReference } = await chargeWith(h, main, 'threeDs')
    const again = { transactionReference, card: card('threeDs'), apiKey: main.apiKey, saveCard: false }
    const shown = (await h.as(main, 'POST', SECURE, again)).json.responseBody.secure3dData
    expect(shown).toEqual(body.secure3dData)
    await atIssuer(shown.redirectUrl, 'approve')
    expect((await status(h, main, transactionReference)).cardDetails.cardToken).toBeNull()
  })
})

describe('a fault on our side of the wire', () => {
  test('a process that dies before the issuer has answered: the timer asks, and what never arrived is barred', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    const merchant = await merchants.byId(main.cell, main.id)
    const died = { ...ctx.bank, authorise: () => Promise.reject(new Error('the process died here')) }
    const dying = { ...ctx, connectors: { ...ctx.connectors, of: () => died } }
    const { transactionReference } = await initialise(h, main)
    const request = {
      reference: transactionReference,
      card: readCard(ctx, card('plain')),
      channel: 'API' as const,
      keepCard: true,
      address: null,
    }
    await expect(charge(dying, merchant as Merchant, request, async () => undefined)).rejects.toThrow('died here')
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['SENT'])
    await advance(h, 16)
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['REVERSED'])
    expect((await issuerBooks(h, main, transactionReference)).map((row) => row.state)).toEqual(['REVERSED'])
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PENDING')
  })

  test('nothing counts as returned until the bank has confirmed it', async () => {
    const h = harness()
    const { main } = h.merchants
    const { ctx, merchants } = h.gateway
    const made = await chargeWith(h, main, 'otp')
    await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
    const silent = createBank(`http://127.0.0.1:${await freePort()}`, h.config.keys.bank[0].key)
    const nobody = { ...ctx, connectors: { ...ctx.connectors, of: () => silent } }
    await runDue(nobody, main.cell, cardsDue(merchants))
    expect((await charges(h, main, made.transactionReference)).map((row) => row.status)).toEqual([
      'REVERSING',
      'APPROVED',
    ])
    await advance(h, 60)
    expect((await charges(h, main, made.transactionReference)).map((row) => row.status)).toEqual([
      'REVERSED',
      'APPROVED',
    ])
  })
})

describe('cards.authoriseOtp', () => {
  const asked = async (over: Record<string, unknown> = {}) => {
    const h = harness()
    const made = await chargeWith(h, h.merchants.main, 'otp', over)
    expect(made.body.status).toBe('OTP_AUTHORIZATION_REQUIRED')
    const confirm = (token?: string, tokenId = made.body.otpData.id) =>
      h.as(h.merchants.main, 'POST', OTP, otpBody(made.transactionReference, tokenId, token))
    return { h, main: h.merchants.main, confirm, ...made }
  }

  test('200 SUCCESS with the right code; a second time it is refused and nothing changes', async () => {
    const { h, main, confirm, transactionReference } = await asked({ amount: 2200 })
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PENDING')
    const answer = await confirm()
    expect(answer.json.responseBody).toMatchObject({
      status: 'SUCCESS',
      paymentStatus: 'SUCCESSFUL',
      amountPaid: 2200,
      currencyPaid: 'NGN',
    })
    const again = await confirm()
    expect([again.status, again.json.problem.code]).toEqual([422, 'TRANSACTION_CLOSED'])
    expect((await status(h, main, transactionReference)).amountPaid).toBe('2200.00')
  })

  test('400 OTP_WRONG counts the tries down; the last one fails the transaction, and the right code comes too late', async () => {
    const { h, main, confirm, transactionReference } = await asked()
    const wrong = [await confirm('999999'), await confirm('999998'), await confirm('999997')]
    expect(wrong.map((answer) => [answer.status, answer.json.problem.code])).toEqual([
      [400, 'OTP_WRONG'],
      [400, 'OTP_WRONG'],
      [400, 'OTP_TRIES_SPENT'],
    ])
    expect(wrong[0]?.json.responseMessage).toBe('Wrong OTP; 2 tries left')
    expect(await status(h, main, transactionReference)).toMatchObject({ paymentStatus: 'FAILED', amountPaid: '0.00' })
    expect((await confirm()).json.problem.code).toBe('TRANSACTION_CLOSED')
  })

  test('422 after ten minutes; the transaction still waits and the card can be charged again', async () => {
    const { h, main, confirm, transactionReference } = await asked()
    await advance(h, 601)
    const late = await confirm()
    expect([late.status, late.json.problem.code]).toEqual([422, 'CARD_PAYMENT_NOT_FOUND'])
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['REVERSED'])
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PENDING')
    const again = await h.as(main, 'POST', CHARGE, chargeBody(transactionReference, card('plain')))
    expect(again.json.responseBody.status).toBe('SUCCESS')
  })

  test('422 OTP_EXPIRED when the issuer finds the code late before our own timer does', async () => {
    const { h, main, confirm, transactionReference } = await asked()
    const [row] = await charges(h, main, transactionReference)
    await h.sql('01', `delete from agenda where kind = 'cards.look' and subject = $1`, [row.id])
    await advance(h, 601)
    const late = await confirm()
    expect([late.status, late.json.problem.code]).toEqual([422, 'OTP_EXPIRED'])
    await advance(h, 1)
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['REVERSED'])
  })

  test('422 for a tokenId that is wrong, or that of another transaction', async () => {
    const one = await asked()
    const two = await asked()
    for (const tokenId of ['nonsense', two.body.otpData.id]) {
      const answer = await one.confirm(undefined, tokenId)
      expect([answer.status, answer.json.problem.code]).toEqual([422, 'CARD_PAYMENT_NOT_FOUND'])
    }
  })

  test('a new charge takes the place of one that waits for its code: that one is reversed', async () => {
    const { h, main, confirm, transactionReference } = await asked()
    const again = await h.as(main, 'POST', CHARGE, chargeBody(transactionReference, card('otp')))
    expect(again.json.responseBody.status).toBe('OTP_AUTHORIZATION_REQUIRED')
    expect((await confirm()).json.problem.code).toBe('CARD_PAYMENT_NOT_FOUND')
    await advance(h, 1)
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['REVERSED', 'OTP'])
    const right = await h.as(main, 'POST', OTP, otpBody(transactionReference, again.json.responseBody.otpData.id))
    expect(right.json.responseBody.status).toBe('SUCCESS')
  })

  test('paid by transfer while the code was awaited: the code finds the transaction closed, and nothing is held', async () => {
    const { h, main, confirm, transactionReference } = await asked()
    await h.pay(await issueAccount(h, main, transactionReference), 1500)
    expect((await confirm()).json.problem.code).toBe('TRANSACTION_CLOSED')
    await advance(h, 601)
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['REVERSED'])
  })
})

describe('3-D Secure', () => {
  const asked = async (over: Record<string, unknown> = {}) => {
    const h = harness()
    const made = await chargeWith(h, h.merchants.main, 'threeDs', {
      redirectUrl: 'https://shop.example/thanks?a=1',
      ...over,
    })
    expect(made.body).toMatchObject({ status: 'BANK_AUTHORIZATION_REQUIRED', secure3dData: { method: 'POST' } })
    return { h, main: h.merchants.main, ...made, page: made.body.secure3dData.redirectUrl as string }
  }

  test('approved at the issuer: PAID, and the payer ends at the merchant with the documented query', async () => {
    const { h, main, page, transactionReference, paymentReference } = await asked()
    const end = new URL(await atIssuer(page, 'approve'))
    expect(end.origin + end.pathname).toBe('https://shop.example/thanks')
    expect(Object.fromEntries(end.searchParams)).toEqual({
      a: '1',
      paymentReference,
      transactionReference,
      paymentStatus: 'PAID',
    })
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PAID')
  })

  test('declined at the issuer: FAILED, nothing paid', async () => {
    const { h, main, page, transactionReference } = await asked()
    await atIssuer(page, 'decline')
    expect(await status(h, main, transactionReference)).toMatchObject({ paymentStatus: 'FAILED', amountPaid: '0.00' })
  })

  test('coming back proves nothing: without a decision the transaction waits on, and a wrong address is 404', async () => {
    const { h, main, transactionReference } = await asked()
    const [row] = await charges(h, main, transactionReference)
    const back = await fetch(`${h.apiUrl}/cards/3ds/${row.reference}/${row.return_token}`, { redirect: 'manual' })
    expect(back.status).toBe(303)
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PENDING')
    for (const path of [`${row.reference}/wrong`, `CWCH99000000000000000001/${row.return_token}`, 'x/y'])
      expect((await fetch(`${h.apiUrl}/cards/3ds/${path}`, { redirect: 'manual' })).status).toBe(404)
  })

  test('approved, but the payer never comes back: the timer finds out', async () => {
    const { h, main, page, transactionReference } = await asked()
    await fetch(page, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ outcome: 'approve' }) })
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PENDING')
    await advance(h, 901)
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('PAID')
  })

  test('approved after the transaction has expired: the money goes back', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    await advance(h, 30 * 60)
    const charged = await h.as(main, 'POST', CHARGE, chargeBody(transactionReference, card('threeDs')))
    await advance(h, 11 * 60)
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('EXPIRED')
    const end = await atIssuer(charged.json.responseBody.secure3dData.redirectUrl, 'approve')
    expect(new URL(end).pathname).toMatch(/^\/checkout\//)
    await advance(h, 1)
    expect(await issuerBooks(h, main, transactionReference)).toMatchObject([{ state: 'REVERSED' }])
    expect((await status(h, main, transactionReference)).paymentStatus).toBe('EXPIRED')
  })

  test('cards.authorise3ds: the same card gets the page it waits at; another card is a new charge', async () => {
    const { h, main, body, transactionReference } = await asked()
    const ask = (name: 'threeDs' | 'plain', over = {}) =>
      h.as(main, 'POST', SECURE, { transactionReference, card: card(name), apiKey: main.apiKey, ...over })
    expect((await ask('threeDs')).json.responseBody.secure3dData).toEqual(body.secure3dData)
    expect((await ask('threeDs', { apiKey: h.merchants.other.apiKey })).json.problem.code).toBe('API_KEY_FOREIGN')
    expect((await ask('plain')).json.responseBody.status).toBe('SUCCESS')
    await advance(h, 1)
    expect((await charges(h, main, transactionReference)).map((row) => row.status)).toEqual(['REVERSED', 'APPROVED'])
  })
})

describe('100 times at once', () => {
  test('the same charge takes the money once', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const body = chargeBody(made.transactionReference, card('plain'))
    const answers = await Promise.all(Array.from({ length: 100 }, () => h.as(main, 'POST', CHARGE, body)))
    const notified = answers.map((answer) => answer.json.responseBody?.status ?? answer.json.problem.code)
    expect(notified.filter((word) => word === 'SUCCESS').length).toBe(1)
    expect(
      [...new Set(notified)].filter((word) => !['SUCCESS', 'CHARGE_UNDER_WAY', 'TRANSACTION_CLOSED'].includes(word)),
    ).toEqual([])
    const books = await issuerBooks(h, main, made.transactionReference)
    expect(books.filter((row) => row.state === 'APPROVED').length).toBe(1)
    expect((await status(h, main, made.transactionReference)).amountPaid).toBe('1500.00')
  })

  test('the same right code takes the money once', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await chargeWith(h, main, 'otp')
    const body = otpBody(made.transactionReference, made.body.otpData.id)
    const answers = await Promise.all(Array.from({ length: 100 }, () => h.as(main, 'POST', OTP, body)))
    expect(answers.filter((answer) => answer.json.responseBody?.status === 'SUCCESS').length).toBe(1)
    expect(await issuerBooks(h, main, made.transactionReference)).toMatchObject([{ state: 'APPROVED' }])
    const feed = (await h.as(main, 'GET', '/sandbox/events?after=0')).json.responseBody as any[]
    expect(feed.filter((event) => event.object === made.transactionReference).length).toBe(1)
  })

  test('a charge against a transfer: exactly one of them pays, the other goes back or to suspense', async () => {
    const h = harness()
    const { main } = h.merchants
    for (let round = 0; round < 20; round += 1) {
      const made = await initialise(h, main, { amount: 100 + round })
      const account = await issueAccount(h, main, made.transactionReference)
      await Promise.all([
        h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain'))),
        h.pay(account, 100 + round),
      ])
      await advance(h, 1)
      expect((await status(h, main, made.transactionReference)).amountPaid).toBe(`${100 + round}.00`)
    }
  })
})

describe('Idempotency-Key on a charge', () => {
  test('replays the answer, in which the card plays no part, and keeps nothing of the card', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const key = { 'idempotency-key': unique('key') }
    const send = (over = {}) =>
      h.as(main, 'POST', CHARGE, { ...chargeBody(made.transactionReference, card('plain')), ...over }, key)
    const first = await send()
    expect(first.json.responseBody.status).toBe('SUCCESS')
    const second = await send()
    expect([second.text, second.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect((await send({ card: card('otp') })).text).toBe(first.text)
    expect((await send({ deviceInformation: {} })).json.problem.code).toBe('IDEMPOTENCY_MISMATCH')
    const [row] = await h.sql('01', 'select fields from requests where key = $1', [key['idempotency-key']])
    expect(Object.keys(JSON.parse(row.fields))).toEqual(['transactionReference', 'collectionChannel'])
  })

  test('refusals are kept too; a key whose work died is free again after a minute', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const key = { 'idempotency-key': unique('key') }
    const refused = { ...chargeBody(made.transactionReference, card('plain', { number: '411111' })) }
    const first = await h.as(main, 'POST', CHARGE, refused, key)
    expect(first.json.problem.code).toBe('CARD_NUMBER_INVALID')
    expect((await h.as(main, 'POST', CHARGE, refused, key)).text).toBe(first.text)

    const dead = { 'idempotency-key': unique('key') }
    const body = chargeBody(made.transactionReference, card('plain'))
    await h.sql(
      '01',
      `insert into requests (merchant_id, key, method, path, fields, created_at) values ($1, $2, 'POST', $3, '{}', $4)`,
      [main.id, dead['idempotency-key'], CHARGE, h.gateway.ctx.clock.now()],
    )
    expect((await h.as(main, 'POST', CHARGE, body, dead)).json.problem.code).toBe('IDEMPOTENCY_IN_FLIGHT')
    await advance(h, 61)
    expect((await h.as(main, 'POST', CHARGE, body, dead)).json.responseBody.status).toBe('SUCCESS')
  })
})
