// Initialising, drawing an account, asking for the status. What arrives as money is in credits.test.ts.

import { isNuban } from '@cowrie/contract/bank/nuban'
import { initPayment, initTransaction } from '@cowrie/contract/collections/transactions'
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import { nairaText } from '@cowrie/contract/kit/money'
import { listErrors } from '@cowrie/contract/reference/openapi'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Answer,
  advance,
  type Harness,
  INIT,
  INIT_PAYMENT,
  initBody,
  initialise,
  issueAccount,
  paid,
  status,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { accountName } from './transactions.ts'

const harness = useHarness()
const QUERY = '/api/v2/merchant/transactions/query'

const code = (answer: Answer): string => answer.json?.problem?.code
const withoutId = (answer: Answer): string => answer.text.replace(/"requestId":"[^"]+"/, '')
const said = (answer: Answer) => [answer.status, code(answer), answer.json?.problem?.field]
const count = async (h: Harness, merchant: TestMerchant, paymentReference: string): Promise<number> =>
  (
    await h.sql(merchant.cell, 'select from transactions where merchant_id = $1 and payment_reference = $2', [
      merchant.id,
      paymentReference,
    ])
  ).length
/** The body of init with `amount` as it stands in the source. */
const rawInit = (merchant: TestMerchant, paymentReference: string, amount: string): string => {
  const { amount: _, ...rest } = initBody(merchant, { paymentReference })
  return `{"amount":${amount},${JSON.stringify(rest).slice(1)}`
}

describe('one payment', () => {
  test('exact money makes the transaction PAID and tells the merchant', async () => {
    const h = harness()
    const { main } = h.merchants
    await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
    h.startWorker()
    const transaction = await paid(h, main)
    expect(await status(h, main, transaction.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
      settlementAmount: '1477.50',
    })
    const seen = await h.until('the notification', async () =>
      h.received.find((r) => r.body.eventData.transactionReference === transaction.transactionReference),
    )
    expect(seen.body.eventType).toBe('SUCCESSFUL_TRANSACTION')
  })
  test('less money makes it PARTIALLY_PAID', async () => {
    const h = harness()
    const { second } = h.merchants
    const { transactionReference } = await initialise(h, second)
    await h.pay(await issueAccount(h, second, transactionReference), 900)
    expect(await status(h, second, transactionReference)).toMatchObject({
      paymentStatus: 'PARTIALLY_PAID',
      amountPaid: '900.00',
    })
  })
})

describe('transactions.init', () => {
  test('200 names the transaction, its checkout page and what was asked', async () => {
    const h = harness()
    const { second } = h.merchants
    const body = initBody(second, { redirectUrl: 'https://shop.example/back?a=1' })
    const answer = await h.as(second, 'POST', INIT, body)
    expect(answer.json.responseBody).toEqual({
      transactionReference: expect.stringMatching(/^CWRY\|02\|\d{14}\|\d{6}$/),
      paymentReference: body.paymentReference,
      merchantName: second.name,
      apiKey: second.apiKey,
      enabledPaymentMethod: ['ACCOUNT_TRANSFER', 'CARD', 'USSD'],
      checkoutUrl: expect.stringMatching(/^http:.*\/checkout\/CWRY%7C02%7C\d{14}%7C\d{6}\/[\w-]{22}$/),
      redirectUrl: 'https://shop.example/back?a=1',
      incomeSplitConfig: [],
    })
    const record = await status(h, second, answer.json.responseBody.transactionReference)
    expect(record).toEqual({
      transactionReference: answer.json.responseBody.transactionReference,
      paymentReference: body.paymentReference,
      amountPaid: '0.00',
      totalPayable: '1500.00',
      settlementAmount: '0.00',
      paidOn: null,
      paymentStatus: 'PENDING',
      paymentDescription: body.paymentDescription,
      currency: 'NGN',
      paymentMethod: null,
      product: { type: 'WEB_SDK', reference: body.paymentReference },
      collectionChannel: 'API_NOTIFICATION',
      cardDetails: null,
      accountDetails: null,
      accountPayments: [],
      customer: { email: body.customerEmail, name: body.customerName },
      metaData: {},
    })
  })

  // Every refusal of the contract, except those that come with who asks (auth.test.ts), the key
  // (requests.test.ts), a sub account (sub-accounts.test.ts) and faults of ours (http.test.ts).
  const ELSEWHERE: readonly ErrorCode[] = [
    'CARD_DATA_REFUSED',
    'METHODS_NOT_OFFERED',
    'PAYMENT_LIMIT',
    'PAYMENT_DAY_LIMIT',
    'SPLIT_INVALID',
    ...(['TOKEN_MISSING', 'TOKEN_INVALID', 'TOKEN_EXPIRED', 'ADDRESS_NOT_ALLOWED', 'RATE_LIMITED'] as const),
    ...(['MERCHANT_SUSPENDED', 'PERMISSION_DENIED'] as const),
    ...([
      'IDEMPOTENCY_KEY_INVALID',
      'IDEMPOTENCY_IN_FLIGHT',
      'IDEMPOTENCY_MISMATCH',
      'INTERNAL',
      'UNAVAILABLE',
    ] as const),
  ]
  type Case = readonly [ErrorCode, string, Record<string, unknown> | string]
  const REFUSED: readonly Case[] = [
    ['MALFORMED_BODY', 'a comma is missing', '{"amount":20 "customerName":"A"}'],
    ['MALFORMED_BODY', 'text follows the object', '{} {}'],
    ['MALFORMED_BODY', 'a key is repeated in metaData', '{"metaData":{"a":1,"a":2}}'],
    ['MALFORMED_BODY', 'it is eleven levels deep', `{"metaData":${'{"a":'.repeat(10)}1${'}'.repeat(10)}}`],
    ['MALFORMED_BODY', 'a key is __proto__', '{"metaData":{"__proto__":{"a":1}}}'],
    ['BODY_TOO_LARGE', 'the body has more than 64 kB', { metaData: { a: 'x'.repeat(64 * 1024) } }],
    ...(['amount', 'customerEmail', 'paymentReference', 'currencyCode', 'contractCode'] as const).flatMap(
      (field): Case[] => [
        ['FIELD_MISSING', `${field} is left out`, { [field]: undefined }],
        ['FIELD_MISSING', `${field} is null`, { [field]: null }],
        ['FIELD_MISSING', `${field} is empty`, { [field]: '' }],
      ],
    ),
    ['FIELD_INVALID', 'the e-mail has no @', { customerEmail: 'ngozi' }],
    ['FIELD_INVALID', 'the e-mail has two', { customerEmail: 'a@b@c' }],
    ['FIELD_INVALID', 'paymentReference begins with a space', { paymentReference: ' a' }],
    ['FIELD_INVALID', 'paymentReference has 101 characters', { paymentReference: 'r'.repeat(101) }],
    ['FIELD_INVALID', 'paymentReference is a number', { paymentReference: 7 }],
    ['FIELD_INVALID', 'paymentReference is not ASCII', { paymentReference: 'réf' }],
    ['FIELD_INVALID', 'a method is unknown', { paymentMethods: ['CASH'] }],
    ['FIELD_INVALID', 'the methods are no list', { paymentMethods: 'CARD' }],
    ['FIELD_INVALID', 'metaData is a list', { metaData: [1] }],
    ['FIELD_INVALID', 'metaData is text', { metaData: 'a' }],
    ['FIELD_INVALID', 'redirectUrl is a script', { redirectUrl: 'javascript:alert(1)' }],
    ['FIELD_INVALID', 'redirectUrl is not an address', { redirectUrl: 'https://[' }],
    ['FIELD_INVALID', 'customerName holds a control character', { customerName: 'Ngozi\u0007' }],
    ['FIELD_INVALID', 'customerName has a line break', { customerName: 'Ngozi\nBello' }],
    ['FIELD_INVALID', 'the description holds a control character', { paymentDescription: 'a\u007f' }],
    ['FIELD_INVALID', 'the description has 501 characters', { paymentDescription: 'd'.repeat(501) }],
    [
      'AMOUNT_INVALID',
      'the amount of a split has three decimals',
      { incomeSplitConfig: [{ subAccountCode: 'S', splitAmount: 1.234 }] },
    ],
    ['AMOUNT_INVALID', 'the amount is negative', { amount: -20 }],
    [
      'PERCENTAGE_INVALID',
      'the percentage of a split is a text with seven decimals',
      { incomeSplitConfig: [{ subAccountCode: 'S', splitPercentage: '1.2345678' }] },
    ],
    ['AMOUNT_TOO_SMALL', 'the amount is 19.99', { amount: 19.99 }],
    ['CURRENCY_UNKNOWN', 'the currency is USD', { currencyCode: 'USD' }],
    ['CURRENCY_UNKNOWN', 'the currency is in lower case', { currencyCode: 'ngn' }],
    ['CONTRACT_UNKNOWN', 'nobody has the contract', { contractCode: '0100000000' }],
    ['SUB_ACCOUNT_UNKNOWN', 'the split names a outsider', { incomeSplitConfig: [{ subAccountCode: 'CWRY_SUB_1' }] }],
  ]
  test.each(REFUSED)('4xx %s when %s, and nothing is written', async (expected, _, over) => {
    const h = harness()
    const { main } = h.merchants
    const before = await h.sql('01', 'select count(*)::int as n from transactions')
    const token = await h.token(main)
    const answer =
      typeof over === 'string'
        ? await h.call('POST', INIT, { raw: over, token })
        : await h.call('POST', INIT, { body: initBody(main, over), token })
    expect(code(answer), answer.text).toBe(expected)
    expect(await h.sql('01', 'select count(*)::int as n from transactions')).toEqual(before)
  })
  test('422 CONTRACT_UNKNOWN for the contract of another merchant', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const answer = await h.as(main, 'POST', INIT, initBody(main, { contractCode: other.contractCode }))
    expect(said(answer)).toEqual([422, 'CONTRACT_UNKNOWN', 'contractCode'])
  })
  test('422 DUPLICATE_PAYMENT_REFERENCE when the reference was used, but not by another merchant', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const { paymentReference } = await initialise(h, main)
    const again = await h.as(main, 'POST', INIT, initBody(main, { paymentReference, amount: 20 }))
    expect(said(again)).toEqual([422, 'DUPLICATE_PAYMENT_REFERENCE', 'paymentReference'])
    expect((await h.as(other, 'POST', INIT, initBody(other, { paymentReference }))).status).toBe(200)
    expect(await count(h, main, paymentReference)).toBe(1)
  })
  test('the refusals above are all the contract lists', () => {
    const tested = new Set([...REFUSED.map(([first]) => first), 'DUPLICATE_PAYMENT_REFERENCE', ...ELSEWHERE])
    expect([...listErrors(initTransaction)].sort()).toEqual([...tested].sort())
  })

  const AMOUNTS: readonly (readonly [string, string])[] = [
    ['20', '20.00'],
    ['20.0', '20.00'],
    ['20.1', '20.10'],
    ['20.01', '20.01'],
    ['"20"', '20.00'],
    ['"1500.50"', '1500.50'],
    ['0.1e0', 'AMOUNT_TOO_SMALL'],
    ['9999999999999.99', '9999999999999.99'],
    ['4503599627370.97', '4503599627370.97'],
    ['19.99', 'AMOUNT_TOO_SMALL'],
    ['0', 'AMOUNT_TOO_SMALL'],
    ['20.000000000000001', '20.00'],
    ['"20.000000000000001"', 'AMOUNT_INVALID'],
    ['20.001', 'AMOUNT_INVALID'],
    ['20.000', '20.00'],
    ['1e3', '1000.00'],
    ['2E1', '20.00'],
    ['"2E1"', 'AMOUNT_INVALID'],
    ['1e308', 'AMOUNT_INVALID'],
    ['1e999', 'AMOUNT_INVALID'],
    ['-0', 'AMOUNT_TOO_SMALL'],
    ['-20', 'AMOUNT_INVALID'],
    ['9007199254740993', 'AMOUNT_INVALID'],
    ['99999999999999.99', 'AMOUNT_INVALID'],
    ['["20"]', 'AMOUNT_INVALID'],
    ['{"value":20}', 'AMOUNT_INVALID'],
    ['true', 'AMOUNT_INVALID'],
    ['null', 'FIELD_MISSING'],
    ['""', 'FIELD_MISSING'],
    ['" 20"', 'AMOUNT_INVALID'],
    ['"20 "', 'AMOUNT_INVALID'],
    ['"20\\n"', 'AMOUNT_INVALID'],
    ['"+20"', 'AMOUNT_INVALID'],
    ['"1,500"', 'AMOUNT_INVALID'],
    ['"0x14"', 'AMOUNT_INVALID'],
    ['"NaN"', 'AMOUNT_INVALID'],
    ['"\u0662\u0660"', 'AMOUNT_INVALID'],
    ['20,"amount":2000000', 'MALFORMED_BODY'],
    ['20,"\\u0061mount":2000000', 'MALFORMED_BODY'],
    ['0x14', 'MALFORMED_BODY'],
    ['020', 'MALFORMED_BODY'],
    ['20.', 'MALFORMED_BODY'],
    ['.5', 'MALFORMED_BODY'],
    ['+20', 'MALFORMED_BODY'],
    ['NaN', 'MALFORMED_BODY'],
    ['Infinity', 'MALFORMED_BODY'],
  ]
  const sendAmount = async (h: Harness, source: string) => {
    const { main } = h.merchants
    const paymentReference = unique('amount')
    const token = await h.token(main)
    const answer = await h.call('POST', INIT, { raw: rawInit(main, paymentReference, source), token })
    return { answer, rows: await count(h, main, paymentReference) }
  }
  test.each(AMOUNTS.filter(([, expected]) => /^\d/.test(expected)))(
    '200 for the amount %s in the source: %s exactly',
    async (source, expected) => {
      const h = harness()
      const { answer, rows } = await sendAmount(h, source)
      expect([answer.status, rows], answer.text).toEqual([200, 1])
      const reference = answer.json.responseBody.transactionReference
      expect((await status(h, h.merchants.main, reference)).totalPayable).toBe(expected)
      const [row] = await h.sql('01', 'select kobo::text from transactions where reference = $1', [reference])
      expect(row.kobo).toBe(expected.replace('.', '').replace(/^0+/, ''))
    },
  )
  test.each(AMOUNTS.filter(([, expected]) => !/^\d/.test(expected)))(
    '400 for the amount %s in the source: %s, and nothing is written',
    async (source, expected) => {
      const { answer, rows } = await sendAmount(harness(), source)
      expect([answer.status, code(answer), rows]).toEqual([400, expected, 0])
    },
  )
  test('200 keeps every amount exact to the kobo, as a number and as text', async () => {
    const h = harness()
    const { main } = h.merchants
    const token = await h.token(main)
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 2_000n, max: 999_999_999_999_999n }), fc.boolean(), async (kobo, asText) => {
        const source = asText ? `"${nairaText(kobo)}"` : nairaText(kobo)
        const answer = await h.call('POST', INIT, { raw: rawInit(main, unique('exact'), source), token })
        const reference = answer.json.responseBody.transactionReference
        expect((await status(h, main, reference)).totalPayable).toBe(nairaText(kobo))
        const account = await h.call('POST', INIT_PAYMENT, { body: { transactionReference: reference }, token })
        expect(account.text).toMatch(new RegExp(`"amount":${nairaText(kobo).replace(/\.?0+$/, '')}[,.]`))
      }),
      { numRuns: 25 },
    )
  })

  test('200 keeps metaData exactly: keys like integers, nesting, lists, nulls, any script', async () => {
    const h = harness()
    const { main } = h.merchants
    const metaData = {
      '10': 'ten',
      '2': 'two',
      '-1': 0,
      '': 'empty key',
      constructor: 'c',
      toString: null,
      list: [1, 'two', null, [true, { deep: [{ er: 1.5 }] }]],
      Größe: 'überall – 日本語 🐚',
      'key with "quotes" \\ and \n': '\t"\\\u2028',
      amount: 20.001,
    }
    const { transactionReference } = await initialise(h, main, { metaData })
    const record = await status(h, main, transactionReference)
    expect(record.metaData).toEqual(metaData)
    expect(Object.keys(record.metaData)).toEqual(Object.keys(metaData))
    const transaction = await paid(h, main, { metaData })
    const { json } = await h.as(main, 'GET', '/sandbox/events')
    const event = json.responseBody.find((e: any) => e.object === transaction.transactionReference)
    expect(event.body.eventData.metaData).toEqual(metaData)
  })
  test('200 takes metadata as another name; metaData wins', async () => {
    const h = harness()
    const { main } = h.merchants
    const alias = await initialise(h, main, { metadata: { a: 1 } })
    expect((await status(h, main, alias.transactionReference)).metaData).toEqual({ a: 1 })
    const both = await initialise(h, main, { metadata: { a: 1 }, metaData: { b: 2 } })
    expect((await status(h, main, both.transactionReference)).metaData).toEqual({ b: 2 })
  })
  test.each([
    [undefined, ['ACCOUNT_TRANSFER', 'CARD', 'USSD']],
    [[], ['ACCOUNT_TRANSFER', 'CARD', 'USSD']],
    [['CARD'], ['CARD']],
    [
      ['CARD', 'ACCOUNT_TRANSFER', 'CARD'],
      ['CARD', 'ACCOUNT_TRANSFER'],
    ],
    [
      ['USSD', 'PHONE_NUMBER'],
      ['USSD', 'PHONE_NUMBER'],
    ],
  ])('200 with paymentMethods %j enables %j', async (paymentMethods, enabled) => {
    const h = harness()
    const { main } = h.merchants
    const answer = await h.as(main, 'POST', INIT, initBody(main, { paymentMethods }))
    expect(answer.json.responseBody.enabledPaymentMethod).toEqual(enabled)
  })

  test('422 METHODS_NOT_OFFERED for PHONE_NUMBER alone: the message names what there is', async () => {
    const h = harness()
    const { main } = h.merchants
    const answer = await h.as(main, 'POST', INIT, initBody(main, { paymentMethods: ['PHONE_NUMBER'] }))
    expect([answer.status, answer.json.problem.code]).toEqual([422, 'METHODS_NOT_OFFERED'])
    expect(answer.json.responseMessage).toBe('paymentMethods must include CARD, ACCOUNT_TRANSFER or USSD')
  })

  test.each([
    ['Ṣadé Ọláńrewájú', 'Àṣọ òkè'],
    ['مُحَمَّد', '商品'],
    ['\u202eolleh', '🐚'.repeat(30)],
    ['', `a${'🐚'.repeat(30)}`],
    ["Robert'); drop table transactions;--", "' or 1=1 --"],
    ['<script>alert(1)</script>', '$1 :name %s \\x00 \\u0000'],
    ['{"a":1}', 'a,b,{c},"d",NULL'],
  ])('200 keeps the texts %s and %s as they came', async (customerName, paymentDescription) => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main, { customerName, paymentDescription })
    const record = await status(h, main, transactionReference)
    expect([record.customer.name, record.paymentDescription]).toEqual([customerName, paymentDescription])
    const account = await h.as(main, 'POST', INIT_PAYMENT, { transactionReference })
    expect(account.json.responseBody.accountName.isWellFormed()).toBe(true)
    const page = await h.call(
      'GET',
      new URL((await initialise(h, main, { customerName, paymentDescription })).checkoutUrl).pathname,
    )
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('<script>alert')
  })
  test('200 for SQL in a reference, which finds itself and nothing else', async () => {
    const h = harness()
    const { main } = h.merchants
    const paymentReference = `x' or '1'='1 ${unique()}`
    await initialise(h, main, { paymentReference })
    const found = await h.as(main, 'GET', `${QUERY}?paymentReference=${encodeURIComponent(paymentReference)}`)
    expect(found.json.responseBody.paymentReference).toBe(paymentReference)
    expect((await h.as(main, 'GET', `${QUERY}?paymentReference=${encodeURIComponent("x' or '1'='1")}`)).status).toBe(
      404,
    )
  })
  test.each([
    ['an escaped NUL in a name', '"customerName":"a\\u0000b"'],
    ['an escaped NUL in a key of metaData', '"metaData":{"a\\u0000":1}'],
    ['an escaped NUL in a value of metaData', '"metaData":{"a":["\\u0000"]}'],
    ['a raw control character', '"customerName":"a\u0001b"'],
    ['half of a surrogate pair', '"customerName":"\\ud83d"'],
    ['half of a pair in a key', '"metaData":{"\\udc00":1}'],
  ])('400 MALFORMED_BODY for %s', async (_, field) => {
    const h = harness()
    const raw = `{${field},${JSON.stringify(initBody(h.merchants.main)).slice(1)}`
    const answer = await h.call('POST', INIT, { raw, token: await h.token(h.merchants.main) })
    expect([answer.status, code(answer)]).toEqual([400, 'MALFORMED_BODY'])
  })

  test('100 at once with one reference: one 200, 99 × 422 DUPLICATE_PAYMENT_REFERENCE, one row', async () => {
    const h = harness()
    const { main } = h.merchants
    const paymentReference = unique('same')
    await h.token(main)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        h.as(main, 'POST', INIT, initBody(main, { paymentReference, amount: 20 + i })),
      ),
    )
    const won = answers.filter((answer) => answer.status === 200)
    expect(won.length).toBe(1)
    expect(answers.filter((answer) => code(answer) === 'DUPLICATE_PAYMENT_REFERENCE').length).toBe(99)
    expect(await count(h, main, paymentReference)).toBe(1)
    const reference = won[0]!.json.responseBody.transactionReference
    const asked = answers.indexOf(won[0]!) + 20
    expect((await status(h, main, reference)).totalPayable).toBe(`${asked}.00`)
  })
})

describe('transactions.initPayment', () => {
  const requestAccount = (h: Harness, merchant: TestMerchant, body: Record<string, unknown>) =>
    h.as(merchant, 'POST', INIT_PAYMENT, body)

  test.each([
    ['Two yards of adire', null, 'Adire Stores-Two yards of adire'],
    ['Ankara gown, two yards', null, 'Adire Stores-Ankara gown, two'],
    ['Ankara gowns and, well, lace', null, 'Adire Stores-Ankara gowns and'],
    ['Donaudampfschifffahrtsgesellschaft', null, 'Adire Stores'],
    ['', null, 'Adire Stores'],
    ['  adire stores,   order 88213', null, 'adire stores, order'],
    ['Ankara gown, two; delivery to Yaba', 'INVOICE', 'Adire Stores-Ankara gown, two; delivery to Yaba'],
    [`${'word '.repeat(19)}abcdef`, 'INVOICE', `Adire Stores-${'word '.repeat(19).trim()}`],
    ['', 'INVOICE', 'Adire Stores'],
  ])(
    'the name that a bank shows for “%s” (%s) begins with the merchant and ends with a word',
    (what, product, name) => {
      expect(accountName('Adire Stores', what, product)).toBe(name)
    },
  )

  test('200 shows a number of the issuing bank in the cell of the merchant, for 40 minutes at most', async () => {
    const h = harness()
    const { second } = h.merchants
    const { transactionReference, paymentReference } = await initialise(h, second, { amount: 2500.5 })
    const account = (await requestAccount(h, second, { transactionReference })).json.responseBody
    expect(account).toMatchObject({
      accountName: 'Kano Leatherworks-Two yards of adire',
      bankCode: '50515',
      ussdPayment: null,
      transactionReference,
      paymentReference,
      amount: 2500.5,
      fee: 0,
      totalPayable: 2500.5,
    })
    expect(account.accountNumber).toMatch(/^02/)
    expect(isNuban('50515', account.accountNumber)).toBe(true)
    expect(account.accountDurationSeconds).toBeGreaterThan(2_390)
    expect(account.accountDurationSeconds).toBeLessThanOrEqual(2_400)
    const seconds = (Date.parse(`${account.expiresOn}Z`) - Date.parse(`${account.requestTime}Z`)) / 1000
    expect(Math.abs(seconds - account.accountDurationSeconds)).toBeLessThanOrEqual(1)
  })
  test('200 gives the same account again', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const first = await issueAccount(h, main, transactionReference)
    expect(await issueAccount(h, main, transactionReference)).toBe(first)
    expect(
      (await requestAccount(h, main, { transactionReference, bankCode: '058' })).json.responseBody.accountNumber,
    ).toBe(first)
  })
  test.each([
    ['without keys', false],
    ['with a key each', true],
  ])('200 for 40 at once %s: one account, issued once', async (_, keyed) => {
    const h = harness()
    const { main } = h.merchants
    for (let round = 0; round < 3; round += 1) {
      const { transactionReference } = await initialise(h, main)
      const answers = await Promise.all(
        Array.from({ length: 40 }, () =>
          h.as(
            main,
            'POST',
            INIT_PAYMENT,
            { transactionReference },
            keyed ? { 'idempotency-key': unique('issue') } : {},
          ),
        ),
      )
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200))
      expect(new Set(answers.map((answer) => answer.json.responseBody.accountNumber)).size).toBe(1)
      const rows = await h.sql(
        '01',
        'select from virtual_accounts v join transactions t on t.id = v.transaction_id where t.reference = $1',
        [transactionReference],
      )
      expect(rows.length).toBe(1)
    }
  })
  test('200 gives 100 transactions 100 different numbers', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await Promise.all(Array.from({ length: 100 }, () => initialise(h, main)))
    const numbers = await Promise.all(made.map((one) => issueAccount(h, main, one.transactionReference)))
    expect(new Set(numbers).size).toBe(100)
  })
  test.each([
    ['058', 1500, '*737*2*1500*'],
    ['058', 1500.5, '*737*2*1500.50*'],
  ])('200 with bankCode %s and %d builds the USSD string', async (bankCode, amount, beginning) => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main, { amount })
    const account = (await requestAccount(h, main, { transactionReference, bankCode })).json.responseBody
    expect(account.ussdPayment).toBe(`${beginning}${account.accountNumber}#`)
  })
  test('422 BANK_UNKNOWN for a bank that is not there, and no number is issued', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main)
    const answer = await requestAccount(h, main, { transactionReference, bankCode: '00000' })
    expect(said(answer)).toEqual([422, 'BANK_UNKNOWN', 'bankCode'])
    expect((await status(h, main, transactionReference)).paymentMethod).toBeNull()
  })
  test('422 METHOD_NOT_ENABLED for a transaction that takes cards only', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference } = await initialise(h, main, { paymentMethods: ['CARD'] })
    const answer = await requestAccount(h, main, { transactionReference })
    expect(said(answer)).toEqual([422, 'METHOD_NOT_ENABLED', undefined])
  })
  test('422 TRANSACTION_CLOSED once it is paid, and once it has expired', async () => {
    const h = harness()
    const { main } = h.merchants
    const done = await paid(h, main)
    const closed = await requestAccount(h, main, { transactionReference: done.transactionReference })
    expect(said(closed)).toEqual([422, 'TRANSACTION_CLOSED', undefined])
    expect(closed.json.responseMessage).toContain('PAID')
    const { transactionReference } = await initialise(h, main)
    await advance(h, 2_400)
    const expired = await requestAccount(h, main, { transactionReference })
    expect(said(expired)).toEqual([422, 'TRANSACTION_CLOSED', undefined])
    expect(expired.json.responseMessage).toContain('EXPIRED')
  })
  test.each([
    ['MALFORMED_BODY', '{'],
    ['FIELD_MISSING', '{}'],
    ['FIELD_INVALID', '{"transactionReference":7}'],
    ['FIELD_INVALID', `{"transactionReference":"${'r'.repeat(61)}"}`],
    ['TRANSACTION_REFERENCE_INVALID', '{"transactionReference":"CWRY|01|20260101000000|000000"}'],
    ['TRANSACTION_REFERENCE_INVALID', '{"transactionReference":"nonsense"}'],
    ['TRANSACTION_REFERENCE_INVALID', '{"transactionReference":"CWRY|77|20260101000000|000000"}'],
  ])('4xx %s for %s', async (expected, raw) => {
    const h = harness()
    const answer = await h.call('POST', INIT_PAYMENT, { raw, token: await h.token(h.merchants.main) })
    expect(code(answer), answer.text).toBe(expected)
  })
  test('its own refusals are all tested here', () => {
    expect([...initPayment.errors].sort()).toEqual(
      ['BANK_UNKNOWN', 'METHOD_NOT_ENABLED', 'TRANSACTION_CLOSED', 'TRANSACTION_REFERENCE_INVALID'].sort(),
    )
  })
})

describe('transactions.get and transactions.query', () => {
  test('200 shows the same record by path, by either reference, with raw and encoded bars', async () => {
    const h = harness()
    const { main } = h.merchants
    const { transactionReference, paymentReference } = await paid(h, main)
    const record = await status(h, main, transactionReference)
    for (const path of [
      `/api/v2/transactions/${transactionReference}`,
      `${QUERY}?transactionReference=${encodeURIComponent(transactionReference)}`,
      `${QUERY}?transactionReference=${transactionReference}`,
      `${QUERY}?paymentReference=${paymentReference}`,
      `${QUERY}?paymentReference=other&paymentReference=${paymentReference}&more=1`,
    ])
      expect((await h.as(main, 'GET', path)).json.responseBody, path).toEqual(record)
  })
  test('400 REFERENCE_REQUIRED without either reference', async () => {
    const h = harness()
    for (const query of ['', '?', '?paymentReference=', '?reference=a'])
      expect(said(await h.as(h.merchants.main, 'GET', QUERY + query))).toEqual([400, 'REFERENCE_REQUIRED', undefined])
  })
  test('4xx for a reference with NUL', async () => {
    const h = harness()
    const { main } = h.merchants
    for (const path of ['/api/v2/transactions/a%00b', '/api/v2/transactions/%00'])
      expect((await h.as(main, 'GET', path)).status, path).toBe(404)
    for (const name of ['transactionReference', 'paymentReference'])
      expect((await h.as(main, 'GET', `${QUERY}?${name}=a%00b`)).status).toBe(400)
  })
})

describe("another merchant's transaction", () => {
  // In the same cell (other) and in another one (second).
  test.each(['other', 'second'] as const)(
    'cannot be distinguished from one that does not exist, by %s, on init-payment and on both status endpoints',
    async (who) => {
      const h = harness()
      const outsider = h.merchants[who]
      const { transactionReference, paymentReference } = await paid(h, h.merchants.main)
      const missing = transactionReference.replace(/\d{6}$/, (digits) =>
        String((Number(digits) + 1) % 1_000_000).padStart(6, '9'),
      )
      const pairs: [Answer, Answer][] = [
        [
          await h.as(outsider, 'POST', INIT_PAYMENT, { transactionReference }),
          await h.as(outsider, 'POST', INIT_PAYMENT, { transactionReference: missing }),
        ],
        [
          await h.as(outsider, 'GET', `/api/v2/transactions/${encodeURIComponent(transactionReference)}`),
          await h.as(outsider, 'GET', `/api/v2/transactions/${encodeURIComponent(missing)}`),
        ],
        [
          await h.as(outsider, 'GET', `${QUERY}?transactionReference=${encodeURIComponent(transactionReference)}`),
          await h.as(outsider, 'GET', `${QUERY}?transactionReference=${encodeURIComponent(missing)}`),
        ],
        [
          await h.as(outsider, 'GET', `${QUERY}?paymentReference=${paymentReference}`),
          await h.as(outsider, 'GET', `${QUERY}?paymentReference=${unique('nobody')}`),
        ],
      ]
      expect(pairs.map(([theirs]) => [theirs.status, code(theirs)])).toEqual([
        [422, 'TRANSACTION_REFERENCE_INVALID'],
        [404, 'TRANSACTION_NOT_FOUND'],
        [404, 'TRANSACTION_NOT_FOUND'],
        [404, 'PAYMENT_NOT_FOUND'],
      ])
      for (const [theirs, nobodys] of pairs) expect(withoutId(theirs)).toBe(withoutId(nobodys))
      const events = await h.as(outsider, 'GET', '/sandbox/events')
      expect(events.text).not.toContain(transactionReference)
    },
  )
})
