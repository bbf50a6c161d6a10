// What existing client libraries send, taken as they mean it: typed clients send "" and 0 for what is not set, PHP sends [] for
// an empty map.
import { describe, expect, test } from 'vitest'
import { CHARGE, card, chargeBody, chargeWith, TOKEN } from '../../test/cards.ts'
import { mandate, record } from '../../test/direct-debit.ts'
import { type Answer, DRAW, INIT, initBody, initialise, status, unique, useHarness } from '../../test/harness.ts'
import { invoice } from '../../test/invoices.ts'
import { bodyOf, KYC, reserve, reserveInvoice } from '../../test/reserved.ts'

const harness = useHarness()
const EMPTY = ['', null] as const
const NIN = '12345678902'

describe('"" and null in an optional field count as absent', () => {
  test.each(EMPTY)('init-transaction and init-payment: %j', async (empty) => {
    const h = harness()
    const { main } = h.merchants
    const over = { redirectUrl: empty, customerName: empty, paymentDescription: empty, incomeSplitConfig: empty }
    const answer = bodyOf(await h.as(main, 'POST', INIT, initBody(main, over)))
    expect([answer.redirectUrl, answer.incomeSplitConfig]).toEqual([null, []])
    const { transactionReference } = answer
    expect(bodyOf(await h.as(main, 'POST', DRAW, { transactionReference, bankCode: empty })).ussdPayment).toBeNull()
  })

  test.each(EMPTY)("a card's pin: %j", async (pin) => {
    const h = harness()
    const { transactionReference } = await initialise(h, h.merchants.main)
    const body = chargeBody(transactionReference, card('plain', { pin }))
    expect(bodyOf(await h.as(h.merchants.main, 'POST', CHARGE, body)).status).toBe('SUCCESS')
  })

  test.each(EMPTY)('bvn, nin and name of a reserved account, and kyc-info: %j', async (empty) => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference } = await reserve(h, main, { nin: empty, customerName: empty })
    await reserve(h, main, { bvn: empty, nin: NIN })
    await reserveInvoice(h, main, { nin: empty })
    const kyc = (body: object) => h.as(main, 'PUT', KYC(accountReference), body)
    expect(bodyOf(await kyc({ bvn: '22222222222', nin: empty }))).toMatchObject({ bvn: '*******2222' })
    expect(bodyOf(await kyc({ bvn: empty, nin: NIN }))).toMatchObject({ bvn: '*******2222', nin: '*******8902' })
    expect([(await kyc({ bvn: empty, nin: empty })).status]).toEqual([400])
  })

  test.each(EMPTY)('an invoice gets an account of its own: %j', async (empty) => {
    const h = harness()
    const made = await invoice(h, h.merchants.main, { accountReference: empty, redirectUrl: empty })
    expect([/^\d{10}$/.test(made.accountNumber), made.redirectUrl]).toEqual([true, null])
  })

  test.each(EMPTY)('amounts and the name of a mandate: %j', async (empty) => {
    const h = harness()
    const made = await mandate(h, h.merchants.main, {
      debitAmount: empty,
      mandateAmount: empty,
      customerAccountName: empty,
    })
    expect(await record(h, made)).toMatchObject({ debitAmount: null })
  })

  test.each(EMPTY)('a required field is missing, 400, and every fault is told: %j', async (empty) => {
    const h = harness()
    const { main } = h.merchants
    const answer = await h.as(main, 'POST', INIT, initBody(main, { customerEmail: empty, amount: 'plenty' }))
    expect([answer.status, answer.json.responseMessage]).toEqual([400, 'Field customerEmail cannot be null'])
    expect(answer.json.problem).toMatchObject({ code: 'FIELD_MISSING', field: 'customerEmail' })
    expect(answer.json.errors).toEqual([
      { field: 'customerEmail', code: 'FIELD_MISSING', message: 'Field customerEmail cannot be null' },
      {
        field: 'amount',
        code: 'AMOUNT_INVALID',
        message: 'Field amount must be an amount in naira with at most two decimals',
      },
    ])
  })
})

test('errors stand in refusals of a body only: not in a success, nor where the body is well formed', async () => {
  const h = harness()
  const { main } = h.merchants
  const answers: Answer[] = [
    await h.as(main, 'POST', INIT, initBody(main)),
    await h.as(main, 'POST', INIT, initBody(main, { contractCode: '0100000000' })),
    await h.as(main, 'GET', '/api/v2/transactions/unknown'),
  ]
  expect(answers.map(({ status: code, json }) => [code, 'errors' in json])).toEqual([
    [200, false],
    [422, false],
    [404, false],
  ])
})

test('metaData [] is {}: init-transaction and charge-card-token', async () => {
  const h = harness()
  const { main } = h.merchants
  const { transactionReference } = await chargeWith(h, main, 'plain', { metaData: [] })
  const shown = await status(h, main, transactionReference)
  expect(shown.metaData).toEqual({})
  const charged = await h.as(main, 'POST', TOKEN, {
    ...initBody(main, { paymentReference: unique('again'), customerEmail: shown.customer.email, metaData: [] }),
    cardToken: shown.cardDetails.cardToken,
    apiKey: main.apiKey,
  })
  expect(bodyOf(charged).metaData).toEqual({})
})
