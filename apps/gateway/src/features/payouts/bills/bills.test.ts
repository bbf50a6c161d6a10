import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell } from '#test/bank/notices.ts'
import {
  AIRTIME,
  askBill,
  atBiller,
  BILLS,
  billBody,
  billMoney,
  meter,
  POWER,
  phone,
  requeried,
  VALIDATE_CUSTOMER,
  VEND,
  validated,
  vended,
  vendedTo,
} from '#test/features/payouts/bills.ts'
import { mailsTo, newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

const list = async (h: Harness, path: string): Promise<any> => {
  const answer = await h.as(h.merchants.main, 'GET', `${BILLS}/${path}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
const codes = (page: { content: { code: string }[] }): string[] => page.content.map(({ code }) => code)
const refusalOf = ({ status, json }: { status: number; json: any }) => [
  status,
  json.responseCode,
  json.problem.code,
  json.responseMessage,
]
const limits = async (h: Harness, merchant: TestMerchant, set: string): Promise<void> => {
  await h.sql('01', `update disbursement_settings set ${set} where merchant_id = ${merchant.id}`)
  h.gateway.merchants.forget('01')
}
const DETAILS = 'Please ensure that the details supplied in your request are appropriate'

describe('the catalogue', () => {
  test('lists categories in a wrapper of its own, twenty to a page, from page 0', async () => {
    const h = harness()
    expect(await list(h, 'biller-categories')).toEqual({
      content: expect.arrayContaining([{ code: 'AIRTIME', name: 'Airtime' }]),
      ...{ totalElements: 8, size: 20, number: 0, empty: false, nextPage: null },
    })
    expect(await list(h, 'biller-categories?page=1&size=3')).toMatchObject({ size: 3, number: 1, nextPage: 2 })
    expect(codes(await list(h, 'biller-categories?page=2&size=3'))).toEqual(['EDUCATION', 'TRANSPORTATION'])
    const beyond = { content: [], totalElements: 8, size: 3, number: 9, empty: true, nextPage: null }
    expect(await list(h, 'biller-categories?page=9&size=3')).toEqual(beyond)
  })

  test('lists billers, all or of a category, with their categories', async () => {
    const h = harness()
    const all = await list(h, 'billers')
    const power = await list(h, 'billers?category_code=ELECTRICITY')
    expect(power.content[0]).toEqual({
      code: 'biller-ikedc',
      name: 'Ikeja Electric',
      categories: [{ code: 'ELECTRICITY', name: 'Electricity' }],
    })
    expect(codes(power)).not.toContain('biller-mtn')
    expect(all.totalElements).toBeGreaterThan(power.totalElements)
    expect(await list(h, 'billers?category_code=NOTHING')).toMatchObject({ empty: true, totalElements: 0 })
  })

  test('lists products by the code of a biller in either form, with prices and metadata', async () => {
    const h = harness()
    const [airtime, data] = (await list(h, 'biller-products?biller_code=AIRTEL')).content
    expect(await list(h, 'biller-products?biller_code=biller-airtel')).toMatchObject({ content: [airtime, data, {}] })
    expect(airtime).toEqual({
      code: 'airtel-airtime',
      name: 'Airtel Airtime',
      category: { code: 'AIRTIME', name: 'Airtime' },
      biller: { code: 'biller-airtel', name: 'Airtel' },
      ...{ minAmount: 50, maxAmount: 50_000, price: null, priceType: 'OPEN', metadata: null },
    })
    expect(data).toMatchObject({
      price: 500,
      priceType: 'FIXED',
      minAmount: null,
      metadata: { volume: 1, duration: 1 },
    })
    const missing = await h.as(h.merchants.main, 'GET', `${BILLS}/biller-products`)
    expect([missing.status, missing.json.problem.code]).toEqual([400, 'FIELD_MISSING'])
  })
})

describe('validate-customer', () => {
  test('says who a meter belongs to, with the reference that vend needs; a network gives no name', async () => {
    const h = harness()
    expect(await validated(h, h.merchants.main, POWER, meter())).toEqual({
      priceType: 'OPEN',
      customerName: expect.any(String),
      vendInstruction: { requireValidationRef: true, validationReference: expect.stringMatching(/^VAL-/) },
      ...{ minAmount: 500, maxAmount: 500_000 },
    })
    expect(await validated(h, h.merchants.main, AIRTIME, phone())).toMatchObject({
      customerName: null,
      vendInstruction: { requireValidationRef: false },
    })
  })

  test('400 for a product that nobody sells, a customer that nobody knows, and a phone number of letters', async () => {
    const h = harness()
    const ask = async (productCode: string, customerId: string) =>
      refusalOf(await h.as(h.merchants.main, 'POST', VALIDATE_CUSTOMER, { productCode, customerId }))
    expect(await ask('nothing', phone())).toEqual([400, '99', 'BILL_PRODUCT_UNKNOWN', DETAILS])
    expect(await ask(POWER, meter('1404'))).toEqual([400, '99', 'BILL_CUSTOMER_UNKNOWN', DETAILS])
    expect(await ask(AIRTIME, 'abc')).toEqual([400, '99', 'BILL_PHONE_INVALID', 'Invalid MSISDN Provided'])
  })
})

describe('vend', () => {
  test('SUCCESS: the wallet pays the price less the commission, the biller is owed it, and requery shows the same', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 10_000 })
    const body = billBody({ emailAddress: 'ngozi@example.com' })
    const answer = await h.as(merchant, 'POST', VEND, body)
    expect(answer.json.responseBody).toEqual({
      vendReference: body.reference,
      transactionReference: expect.stringMatching(/^CWBP01\d{20}[0-9A-Z]{6}$/),
      ...{ vendStatus: 'SUCCESS', description: 'Transaction successful' },
      ...{ vendAmount: 1_000, payableAmount: 970, commission: 30 },
      ...{ customerId: body.customerId, productCode: AIRTIME, productName: 'MTN Airtime' },
      ...{ billerCode: 'biller-mtn', billerName: 'MTN' },
    })
    expect(await requeried(h, merchant, body.reference)).toEqual(answer.json.responseBody)
    expect(await billMoney(h, merchant)).toEqual({ wallet: 903_000n, clearing: 0n, billers: 97_000n })
    expect(await atBiller(h, body.customerId)).toMatchObject([{ status: 'SUCCESS', asked: 1, charged: '970.00' }])
    // Neither is kept: the row has nothing of it, and no event either.
    const rows = await h.sql('01', 'select row_to_json(b)::text as row from bills b where reference = $1', [
      body.reference,
    ])
    expect(rows[0].row).not.toContain('ngozi')
  })

  test('reports the movement of the wallet, mails nobody, and warns below the threshold', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 2_000 })
    await limits(h, merchant, 'low_balance_kobo = 150000')
    const { vendReference, customerId } = await vended(h, merchant)
    await advance(h, 1)
    const events = await h.sql('01', 'select type from events where merchant_id = $1 order by id', [merchant.id])
    expect(events.map(({ type }) => type)).toEqual(['ACCOUNT_ACTIVITY', 'LOW_BALANCE_ALERT'])
    const feed = (await h.as(merchant, 'GET', '/api/v1/events')).text
    expect(feed).toContain(vendReference)
    expect(feed).toContain(`MTN Airtime for ${customerId}`)
    expect(await mailsTo(h, merchant)).toEqual([])
  })

  test('electricity: needs the validation, and shows its token in the answer and by requery', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 10_000 })
    const customerId = meter()
    const bill = { productCode: POWER, customerId, amount: 2_000 }
    expect(refusalOf(await askBill(h, merchant, bill)).slice(0, 3)).toEqual([400, '99', 'BILL_VALIDATION_MISSING'])
    const { validationReference } = (await validated(h, merchant, POWER, customerId)).vendInstruction
    const done = await vended(h, merchant, { ...bill, validationReference })
    expect(done).toMatchObject({ vendStatus: 'SUCCESS', payableAmount: 1_970, commission: 30 })
    expect(done.token).toMatch(/^\d{4}(-\d{4}){4}$/)
    expect(await requeried(h, merchant, done.vendReference)).toEqual(done)
    const wrong = await vended(h, merchant, { ...bill, validationReference: 'VAL-OF-SOMEBODY-ELSE' })
    expect(wrong).toMatchObject({ vendStatus: 'FAILED', description: expect.stringContaining('validation reference') })
    expect(wrong).not.toHaveProperty('token')
    expect(await billMoney(h, merchant)).toEqual({ wallet: 803_000n, clearing: 0n, billers: 197_000n })
  })

  test('400 for a wrong price, an amount out of bounds or with three decimals, no product and no phone number', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const ask = async (over: Record<string, unknown>) => refusalOf(await askBill(h, merchant, over)).slice(2)
    expect(await ask({ productCode: 'mtn-data-1gb', amount: 499 })).toEqual([
      'BILL_AMOUNT_NOT_PRICE',
      'The price of this product is 500.00',
    ])
    const bounds = 'The amount must be from 50.00 to 50000.00'
    expect(await ask({ amount: 49.99 })).toEqual(['BILL_AMOUNT_OUT_OF_BOUNDS', bounds])
    expect(await ask({ amount: 50_000.01 })).toEqual(['BILL_AMOUNT_OUT_OF_BOUNDS', bounds])
    expect(await ask({ amount: 0 })).toMatchObject(['AMOUNT_INVALID', expect.any(String)])
    expect((await ask({ productCode: undefined }))[0]).toBe('FIELD_MISSING')
    expect(await ask({ productCode: 'nothing' })).toEqual(['BILL_PRODUCT_UNKNOWN', DETAILS])
    expect(await ask({ customerId: 'abc' })).toEqual(['BILL_PHONE_INVALID', 'Invalid MSISDN Provided'])
    expect(await billMoney(h, merchant)).toEqual({ wallet: 100_000_000n, clearing: 0n, billers: 0n })
  })

  test('commission is rounded down to the kobo, and the biller agrees', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { vendStatus, payableAmount, commission } = await vended(h, merchant, { amount: 50.33 })
    expect({ vendStatus, payableAmount, commission }).toEqual({
      vendStatus: 'SUCCESS',
      payableAmount: 48.83,
      commission: 1.5,
    })
  })
})

describe('a reference', () => {
  test('400 D05 when it was used before, whatever for; another merchant may use it', async () => {
    const h = harness()
    const [merchant, other] = [await newMerchant(h), await newMerchant(h)]
    const body = billBody()
    expect((await h.as(merchant, 'POST', VEND, body)).status).toBe(200)
    for (const over of [{}, { amount: 2_000 }])
      expect(refusalOf(await h.as(merchant, 'POST', VEND, { ...body, ...over })).slice(0, 3)).toEqual([
        ...[400, 'D05', 'BILL_REFERENCE_USED'],
      ])
    expect((await h.as(other, 'POST', VEND, body)).status).toBe(200)
    expect(await atBiller(h, body.customerId)).toHaveLength(2)
  })

  test('404 for one that nobody used, and for that of another merchant, with the same words', async () => {
    const h = harness()
    const { vendReference } = await vended(h, await newMerchant(h))
    for (const reference of [vendReference, unique('nobody')]) {
      const answer = await h.as(h.merchants.other, 'GET', `${BILLS}/requery?reference=${reference}`)
      expect(refusalOf(answer)).toEqual([
        ...[404, '99', 'BILL_NOT_FOUND', `Transaction not found for reference: ${reference}`],
      ])
    }
  })

  test('with an Idempotency-Key the same request gets the same answer, token and all, and is paid once', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const customerId = meter()
    const { validationReference } = (await validated(h, merchant, POWER, customerId)).vendInstruction
    const body = billBody({ productCode: POWER, customerId, validationReference })
    const key = { 'idempotency-key': unique('key') }
    const first = await h.as(merchant, 'POST', VEND, body, key)
    const again = await h.as(merchant, 'POST', VEND, body, key)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(first.json.responseBody.token).toMatch(/^\d{4}-/)
    expect(await atBiller(h, customerId)).toMatchObject([{ asked: 1 }])
    expect((await h.as(merchant, 'POST', VEND, { ...body, amount: 2_000 }, key)).status).toBe(422)
  })
})

describe('the gates', () => {
  test('limits of a transfer and of a day hold, what needs a second person is refused, and a bill counts in spentToday by what left the wallet', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await limits(h, merchant, 'per_transfer_kobo = 99999')
    expect(refusalOf(await askBill(h, merchant)).slice(0, 3)).toEqual([400, 'D01', 'TRANSFER_LIMIT'])
    await limits(h, merchant, 'per_transfer_kobo = 1000000, approval_above_kobo = 99999')
    expect(refusalOf(await askBill(h, merchant)).slice(0, 3)).toEqual([400, 'D01', 'SECOND_PERSON_NEEDED'])
    await limits(h, merchant, 'approval_above_kobo = null')
    await limits(h, merchant, 'per_transfer_kobo = 1000000, per_day_kobo = 193999')
    await vended(h, merchant)
    const settings = await h.as(merchant, 'GET', '/api/v1/disbursement-settings')
    expect(settings.json.responseBody.spentToday).toBe(970)
    expect(refusalOf(await askBill(h, merchant)).slice(0, 3)).toEqual([400, 'D01', 'DAILY_LIMIT'])
    await limits(h, merchant, 'per_day_kobo = 194000')
    await vendedTo(h, merchant, '0001')
    expect(refusalOf(await askBill(h, merchant, { amount: 50 })).slice(0, 3)).toEqual([400, 'D01', 'DAILY_LIMIT'])
  })

  test('the approval of transfers is not asked for: the feature is granted on its own', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { approved: false })
    expect((await vended(h, merchant)).vendStatus).toBe('SUCCESS')
  })

  test('400 D04 without the money; 400 RECEIVABLE_OPEN while something is owed after a reversal', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 969 })
    expect(refusalOf(await askBill(h, merchant)).slice(0, 3)).toEqual([400, 'D04', 'INSUFFICIENT_FUNDS'])
    const credit = notice(merchant.walletNumber, '5000.00')
    expect(outcomeOf(await tell(h, credit))).toBe('COUNTED')
    await vended(h, merchant, { amount: 5_000 })
    expect(outcomeOf(await reverseCredit(h, credit, {}))).toBe('REVERSED')
    expect(outcomeOf(await tell(h, notice(merchant.walletNumber, '1000.00')))).toBe('COUNTED')
    expect(refusalOf(await askBill(h, merchant, { amount: 50 })).slice(0, 3)).toEqual([400, 'D01', 'RECEIVABLE_OPEN'])
  })
})
