// What existing client libraries send, taken as they mean it: typed clients send "" and 0 for what is not
// set, PHP sends [] for an empty map.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { notice, tell } from '#test/bank/notices.ts'
import { CHARGE, card, chargeBody, chargeWith, TOKEN } from '#test/features/collections/cards.ts'
import { CREATE, mandate, mandateBody, record } from '#test/features/collections/direct-debit.ts'
import { invoice } from '#test/features/collections/invoices.ts'
import {
  bodyOf,
  KYC,
  RESERVE,
  reserve,
  reserveInvoice,
  SOURCES,
  TRANSACTIONS,
} from '#test/features/collections/reserved-accounts.ts'
import { setUrls } from '#test/features/events/webhooks.ts'
import { BATCH, batchBody, rowTo } from '#test/features/payouts/batches.ts'
import { newMerchant, order, SINGLE } from '#test/features/payouts/disbursements.ts'
import { INITIATE, refundBody } from '#test/features/payouts/refunds.ts'
import {
  type Answer,
  type Harness,
  INIT,
  INIT_PAYMENT,
  initBody,
  initialise,
  issueAccount,
  paid,
  SUB_ACCOUNTS,
  status,
  subAccountBody,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { accountName } from '../../simulator/src/kit/names.ts'

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
    expect(
      bodyOf(await h.as(main, 'POST', INIT_PAYMENT, { transactionReference, bankCode: empty })).ussdPayment,
    ).toBeNull()
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

  test.each(EMPTY)('a required field is missing, 400, and every fault is listed: %j', async (empty) => {
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

// ---- what they read

const search = async (h: Harness, merchant: TestMerchant, transactionReference: string): Promise<any> =>
  bodyOf(
    await h.as(
      merchant,
      'GET',
      `/api/v1/transactions/search?${new URLSearchParams({ transactionReference }).toString()}`,
    ),
  ).content[0]
const listen = async (h: Harness, merchant: TestMerchant): Promise<void> => {
  await setUrls(h, merchant, { all: h.receiverUrl('/clients') })
  h.startWorker()
}
const eventAbout = (h: Harness, transactionReference: string): Promise<any> =>
  h.until('the event', async () =>
    h.received.find((one) => one.body.eventData.transactionReference === transactionReference),
  )
/** Type of product, and where it was paid: in the status record, and in the list. */
const shownAs = async (h: Harness, merchant: TestMerchant, transactionReference: string): Promise<string[]> => {
  const { product, collectionChannel } = await status(h, merchant, transactionReference)
  return [product.type, collectionChannel, (await search(h, merchant, transactionReference)).collectionChannel]
}

describe('product.type and collectionChannel', () => {
  test('WEB_SDK for init-transaction, in the event too; API_NOTIFICATION where account or card came by API', async () => {
    const h = harness()
    const { main } = h.merchants
    await listen(h, main)
    const byTransfer = await paid(h, main)
    expect(await shownAs(h, main, byTransfer.transactionReference)).toEqual([
      'WEB_SDK',
      ...['API_NOTIFICATION', 'API_NOTIFICATION'],
    ])
    const byCard = await chargeWith(h, main, 'plain')
    expect(await shownAs(h, main, byCard.transactionReference)).toEqual([
      'WEB_SDK',
      ...['API_NOTIFICATION', 'API_NOTIFICATION'],
    ])
    for (const { transactionReference, paymentReference } of [byTransfer, byCard])
      expect((await eventAbout(h, transactionReference)).body.eventData.product).toEqual({
        type: 'WEB_SDK',
        reference: paymentReference,
      })
  })

  test('collectionChannel WEB_SDK when it was paid on the hosted page, by transfer and by card', async () => {
    const h = harness()
    const { main } = h.merchants
    const [dialled, charged] = [await initialise(h, main), await initialise(h, main)]
    expect((await fetch(dialled.checkoutUrl)).status).toBe(200)
    await h.pay(await issueAccount(h, main, dialled.transactionReference), dialled.amount)
    const { number, expiryMonth, expiryYear, cvv, pin } = card('plain')
    const form = { number, expiry: `${expiryMonth}/${expiryYear.slice(-2)}`, cvv, pin }
    const sent = await fetch(`${charged.checkoutUrl}/card`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    expect(sent.status).toBe(303)
    for (const { transactionReference } of [dialled, charged])
      expect(await shownAs(h, main, transactionReference)).toEqual(['WEB_SDK', 'WEB_SDK', 'WEB_SDK'])
  })

  test('charge-card-token keeps API_NOTIFICATION as its product', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await chargeWith(h, main, 'plain')
    const shown = await status(h, main, transactionReference)
    const paymentReference = unique('again')
    const charged = await h.as(main, 'POST', TOKEN, {
      ...initBody(main, { paymentReference, customerEmail: shown.customer.email }),
      cardToken: shown.cardDetails.cardToken,
      apiKey: main.apiKey,
    })
    expect(bodyOf(charged)).toMatchObject({
      product: { type: 'API_NOTIFICATION', reference: paymentReference },
      collectionChannel: 'API_NOTIFICATION',
    })
  })
})

test('accountDurationSeconds is expiresOn less requestTime, to the second', async () => {
  const h = harness()
  const begun = performance.now()
  const lives = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const { transactionReference } = await initialise(h, h.merchants.main)
      const issued = bodyOf(await h.as(h.merchants.main, 'POST', INIT_PAYMENT, { transactionReference }))
      const between = (Date.parse(issued.expiresOn) - Date.parse(issued.requestTime)) / 1000
      expect(issued.accountDurationSeconds).toBe(between)
      return between
    }),
  )
  // Forty minutes from the request of the transaction, less the time that has passed since.
  const passed = Math.ceil((performance.now() - begun) / 1000)
  for (const life of lives) {
    expect(life).toBeLessThanOrEqual(2400)
    expect(life).toBeGreaterThanOrEqual(2400 - passed)
  }
})

test('an INVOICE-type account lists the payments of its invoices, and counts them', async () => {
  const h = harness()
  const { main } = h.merchants
  const account = await reserveInvoice(h, main)
  const references: string[] = []
  for (const amount of [1300, 1400]) {
    const made = await invoice(h, main, { amount, accountReference: account.accountReference })
    await h.pay(made.accountNumber, amount, { bankCode: made.bankCode })
    references.unshift(made.transactionReference)
  }
  // An invoice that nobody has paid is not a payment.
  await invoice(h, main, { amount: 1500, accountReference: account.accountReference })
  const listed = bodyOf(await h.as(main, 'GET', TRANSACTIONS({ accountReference: account.accountReference })))
  expect(listed).toMatchObject({ totalElements: 2 })
  expect(listed.content.map((one: any) => [one.transactionReference, one.paymentStatus, one.amountPaid])).toEqual([
    [references[0], 'PAID', 1400],
    [references[1], 'PAID', 1300],
  ])
  const shown = bodyOf(await h.as(main, 'GET', `${RESERVE}/${account.accountReference}`))
  expect([shown.transactionCount, shown.totalAmount]).toEqual([2, 2700])
})

test.each([
  ['by its code', '058', '058'],
  ['by the code of the network', '000013', '058'],
  ['with no code of three digits', '090270', '090270'],
])("a payer's bank named %s has one code in status record and event", async (_, named, shown) => {
  const h = harness()
  const { main } = h.merchants
  await listen(h, main)
  const made = await initialise(h, main)
  const accountNumber = await issueAccount(h, main, made.transactionReference)
  await tell(h, notice(accountNumber, String(made.amount), { senderBankCode: named }))
  const shownRecord = await status(h, main, made.transactionReference)
  const { body } = await eventAbout(h, made.transactionReference)
  expect([
    shownRecord.accountDetails.bankCode,
    shownRecord.accountPayments[0].bankCode,
    body.eventData.paymentSourceInformation[0].bankCode,
  ]).toEqual([shown, shown, shown])
})

test('every notification has the same digest in service-signature and monnify-signature', async () => {
  const h = harness()
  await listen(h, h.merchants.main)
  const { transactionReference } = await paid(h, h.merchants.main)
  const { headers, text } = await eventAbout(h, transactionReference)
  const digest = createHmac('sha512', h.merchants.main.secretKey).update(text).digest('hex')
  expect([headers['service-signature'], headers['monnify-signature']]).toEqual([digest, digest])
})

describe("customerAccountName of a mandate is held against the bank's", () => {
  const heldName = (body: { customerAccountBankCode: string; customerAccountNumber: string }): string =>
    accountName(body.customerAccountBankCode, body.customerAccountNumber) ?? ''

  test('422 MANDATE_NAME_MISMATCH names both, and no mandate is made', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = mandateBody(h, main, { customerAccountName: 'Zubairu Wrongname' })
    const answer = await h.as(main, 'POST', CREATE, body)
    expect([answer.status, answer.json.problem.code]).toEqual([422, 'MANDATE_NAME_MISMATCH'])
    for (const name of ['Zubairu Wrongname', heldName(body)]) expect(answer.json.responseMessage).toContain(name)
    expect((await h.as(main, 'POST', CREATE, { ...body, customerAccountName: undefined })).status).toBe(200)
  })

  test("a name that matches tolerantly is taken; the record shows the bank's", async () => {
    const h = harness()
    const body = mandateBody(h, h.merchants.main)
    const words = heldName(body).toLowerCase().split(/\s+/)
    const made = await mandate(h, h.merchants.main, { ...body, customerAccountName: `${words[0]} ${words.at(-1)}` })
    expect((await record(h, made)).customerAccountName).toBe(heldName(body))
  })
})

test('an unknown bank is 422; 400 where the interface lists no 422', async () => {
  const h = harness()
  const { main } = h.merchants
  const payer = await newMerchant(h)
  const bankCode = '999'
  const { transactionReference } = await initialise(h, main)
  const refundable = await paid(h, payer)
  const { accountReference } = await reserve(h, main)
  const filter = {
    restrictPaymentSource: true,
    allowedPaymentSources: { bankAccounts: [{ accountNumber: '0123456789', bankCode }] },
  }
  const row = rowTo('7777', { destinationBankCode: bankCode })
  const refund = { destinationAccountNumber: '0123456789', destinationAccountBankCode: bankCode }
  const asked: [number, TestMerchant, string, string, unknown?][] = [
    [422, main, 'POST', INIT_PAYMENT, { transactionReference, bankCode }],
    [422, main, 'POST', SUB_ACCOUNTS, [subAccountBody({ bankCode })]],
    [422, main, 'POST', CREATE, mandateBody(h, main, { customerAccountBankCode: bankCode })],
    [422, main, 'GET', `/api/v1/disbursements/account/validate?accountNumber=0123456789&bankCode=${bankCode}`],
    [422, payer, 'POST', INITIATE, refundBody(refundable.transactionReference, refund)],
    [400, payer, 'POST', SINGLE, order(payer, { destinationBankCode: bankCode, destinationAccountName: 'ADA OBI' })],
    [400, payer, 'POST', BATCH, batchBody(payer, [row], { onValidationFailure: 'BREAK' })],
    [400, main, 'PUT', SOURCES(accountReference), filter],
  ]
  for (const [expected, merchant, method, path, body] of asked) {
    const answer = await h.as(merchant, method, path, body)
    expect([path, answer.status]).toEqual([path, expected])
    expect(answer.json.responseMessage).toMatch(/bank/i)
  }
})
