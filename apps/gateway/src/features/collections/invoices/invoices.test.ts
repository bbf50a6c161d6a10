// Invoices over HTTP: created, looked at, listed, cancelled, paid by either way, expired, and mailed about.

import { enquireAccount } from '@cowrie/contract/bank/connector'
import { toInvoiceStatus } from '@cowrie/contract/collections/invoices'
import { describe, expect, test } from 'vitest'
import { signature, suspense } from '#test/bank/notices.ts'
import { CHARGE, card, chargeBody } from '#test/features/collections/cards.ts'
import {
  ALL,
  after,
  bodyOf,
  CREATE,
  cancel,
  details,
  invoice,
  invoiceBody,
  look,
  refusal,
} from '#test/features/collections/invoices.ts'
import {
  invoiceAccountBody,
  RESERVE_INVOICE,
  reserve,
  reserveInvoice,
} from '#test/features/collections/reserved-accounts.ts'
import {
  advance,
  type Harness,
  initialise,
  status,
  subAccount,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'

const harness = useHarness()
const mailsTo = async (h: Harness, to: string): Promise<any[]> =>
  bodyOf(await h.as(h.merchants.main, 'GET', `/sandbox/mails?to=${encodeURIComponent(to)}`))
const setPolicy = async (h: Harness, merchant: TestMerchant, over: Record<string, unknown>) =>
  bodyOf(
    await h.as(merchant, 'PUT', '/api/v1/payment-policy', {
      ...{ less: 'COMPLETE', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] },
      ...over,
    }),
  )

describe('invoices.create', () => {
  test('200: every field, a number of its own until the expiry date, a transaction that names the invoice', async () => {
    const h = harness()
    const { main } = h.merchants
    const { subAccountCode } = await subAccount(h, main)
    const body = invoiceBody(h, main, {
      amount: '2500.50',
      redirectUrl: 'https://shop.example/invoice',
      incomeSplitConfig: [{ subAccountCode, splitPercentage: 15 }],
    })
    const made = bodyOf(await h.as(main, 'POST', CREATE, body))
    expect(made).toEqual({
      amount: 2500.5,
      amountPaid: 0,
      amountDue: 2500.5,
      invoiceReference: body.invoiceReference,
      invoiceStatus: 'PENDING',
      description: 'Two metres of adire',
      contractCode: main.contractCode,
      customerEmail: 'sola@example.com',
      customerName: 'Ṣọlá Ọdẹ',
      expiryDate: body.expiryDate,
      createdBy: main.apiKey,
      createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      checkoutUrl: expect.stringContaining('/checkout/CWRY%7C01%7C'),
      accountNumber: expect.stringMatching(/^01\d{8}$/),
      accountName: 'Adire Stores-Two metres of adire',
      bankName: 'Moniepoint Microfinance Bank',
      bankCode: '50515',
      redirectUrl: 'https://shop.example/invoice',
      transactionReference: expect.stringMatching(/^CWRY\|01\|\d{14}\|\d{6}$/),
      incomeSplitConfig: [
        { subAccountCode, feeBearer: false, feePercentage: null, splitPercentage: 15, splitAmount: null },
      ],
      lineItems: [],
      vatAmount: null,
      customerAddress: null,
      merchantAddress: null,
      taxNumber: null,
    })
    expect(await look(h, main, body.invoiceReference)).toEqual(made)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReference: made.transactionReference,
      product: { type: 'INVOICE', reference: body.invoiceReference },
    })
    const raw = JSON.stringify({ bankCode: '50515', accountNumber: made.accountNumber })
    const enquiry = await h.call('POST', enquireAccount.path, { raw, headers: signature(h, raw, enquireAccount.path) })
    expect(bodyOf(enquiry)).toMatchObject({ accountName: 'Adire Stores-Two metres of adire', open: true })
  })

  test('the payment reference of the merchant may equal an invoice reference: they are different names', async () => {
    const h = harness()
    const reference = unique('same')
    await initialise(h, h.merchants.main, { paymentReference: reference })
    expect((await invoice(h, h.merchants.main, { invoiceReference: reference })).invoiceStatus).toBe('PENDING')
  })

  test('422 INVOICE_REFERENCE_TAKEN, also for fifty at once: one is made; another merchant may use it', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const body = invoiceBody(h, main)
    const answers = await Promise.all(Array.from({ length: 50 }, () => h.as(main, 'POST', CREATE, body)))
    const refused = answers.filter((answer) => answer.status !== 200)
    expect(refused.map((answer) => answer.json.problem.code)).toEqual(Array(49).fill('INVOICE_REFERENCE_TAKEN'))
    const rows = await h.sql('01', `select id from transactions where product_reference = $1`, [body.invoiceReference])
    expect(rows.length).toBe(1) // what the others had begun is undone
    await invoice(h, other, { invoiceReference: body.invoiceReference, amount: 2700 })
    expect((await look(h, main, body.invoiceReference)).amount).toBe(2500)
  })

  test('the same Idempotency-Key gives the same answer, one invoice and one mail', async () => {
    const h = harness()
    const { main } = h.merchants
    const customerEmail = `${unique('once')}@example.com`
    const body = invoiceBody(h, main, { customerEmail })
    const key = { 'idempotency-key': unique('key') }
    const first = await h.as(main, 'POST', CREATE, body, key)
    const again = await h.as(main, 'POST', CREATE, body, key)
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    await advance(h, 1)
    expect((await mailsTo(h, customerEmail)).length).toBe(1)
  })

  test.each<[string, number, Record<string, unknown> | ((h: Harness) => Record<string, unknown>)]>([
    ['AMOUNT_TOO_SMALL', 400, { amount: 19.99 }],
    ['AMOUNT_INVALID', 400, { amount: 100.001 }],
    ['CURRENCY_UNKNOWN', 422, { currencyCode: 'XYZ' }],
    ['CONTRACT_UNKNOWN', 422, { contractCode: '9999999999' }],
    ['FIELD_MISSING', 400, { description: undefined }],
    ['FIELD_MISSING', 400, { customerName: '' }],
    ['FIELD_MISSING', 400, { expiryDate: undefined }],
    ['INVOICE_EXPIRY_MALFORMED', 400, { expiryDate: '31st of May' }],
    ['INVOICE_EXPIRY_MALFORMED', 400, { expiryDate: '2026-02-31 10:00:00' }],
    ['INVOICE_EXPIRY_MALFORMED', 400, { expiryDate: '2026-12-31T10:00:00' }],
    ['INVOICE_EXPIRY_INVALID', 422, (h) => ({ expiryDate: after(h, -1) })],
    ['INVOICE_EXPIRY_INVALID', 422, (h) => ({ expiryDate: after(h, 183 * 86_400 + 60) })],
    ['INVOICE_ACCOUNT_UNKNOWN', 422, { accountReference: 'nobody' }],
    ['FIELD_INVALID', 400, { accountReference: 'nobody', paymentMethods: ['CARD'] }],
  ])('%s (%i)', async (code, wanted, over) => {
    const h = harness()
    const { main } = h.merchants
    const before = (await h.sql('01', 'select count(*)::int as n from transactions'))[0].n
    const body = invoiceBody(h, main, typeof over === 'function' ? over(h) : over)
    const answer = await h.as(main, 'POST', CREATE, body)
    expect(answer.json?.problem?.code, answer.text).toBe(code)
    expect(answer.status).toBe(wanted)
    expect((await h.sql('01', 'select count(*)::int as n from transactions'))[0].n).toBe(before)
  })

  test('183 days are taken; an invoice by card alone has no account', async () => {
    const h = harness()
    const { main } = h.merchants
    await invoice(h, main, { expiryDate: after(h, 183 * 86_400 - 60) })
    const byCard = await invoice(h, main, { paymentMethods: ['CARD'] })
    expect([byCard.accountNumber, byCard.accountName, byCard.bankCode, byCard.bankName]).toEqual([
      null,
      null,
      null,
      null,
    ])
  })

  test('a mail with amount, day, account and link goes to the customer; one that is refused for good holds nobody up', async () => {
    const h = harness()
    const { main } = h.merchants
    const customerEmail = `${unique('cust')}@example.com`
    const made = await invoice(h, main, { customerEmail, amount: 1_234_567.5 })
    await advance(h, 1)
    const [mail, ...more] = await mailsTo(h, customerEmail)
    expect(more).toEqual([])
    expect(mail.subject).toBe('Invoice from Adire Stores: ₦1,234,567.50')
    for (const part of [
      made.accountNumber,
      made.checkoutUrl,
      `${made.checkoutUrl}/invoice.pdf`,
      '₦1,234,567.50',
      'Ṣọlá Ọdẹ',
    ])
      expect(mail.text).toContain(part)
    const [year, month, day] = made.expiryDate.slice(0, 10).split('-')
    expect(mail.text).toContain(`before ${day}/${month}/${year} ${made.expiryDate.slice(11, 16)} (West Africa Time)`)
    // A comma does not make two addresses of one: the server is given it whole, refuses it, and is not asked
    // again.
    await invoice(h, main, { customerEmail: 'a,victim@example.com' })
    const customer = `${unique('cust')}@example.com`
    await invoice(h, main, { customerEmail: customer })
    await advance(h, 5)
    expect((await mailsTo(h, customer)).length).toBe(1)
    expect(await mailsTo(h, 'victim@example.com')).toEqual([])
    const unsent = await h.sql('01', 'select recipient from mails where sent_at is null and refused_at is null')
    expect(unsent).toEqual([])
  })
})

describe('invoices.get, invoices.list', () => {
  test('404 for an unknown reference and for that of another merchant, with the same body', async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    const { invoiceReference } = await invoice(h, main)
    const bare = ({ json }: any) => ({ ...json, problem: json.problem.code })
    for (const merchant of [other, second]) {
      const foreign = await h.as(merchant, 'GET', details(invoiceReference))
      const unknown = await h.as(merchant, 'GET', details('nobody'))
      expect(refusal(foreign)).toEqual([404, 'INVOICE_NOT_FOUND'])
      expect(bare(foreign)).toEqual(bare(unknown))
      expect(refusal(await cancel(h, merchant, invoiceReference))).toEqual([404, 'INVOICE_NOT_FOUND'])
    }
    expect((await look(h, main, invoiceReference)).invoiceStatus).toBe('PENDING')
  })

  test('pages of the own invoices, the newest first, each once; stray keys of the query are ignored', async () => {
    const h = harness()
    const { second } = h.merchants
    expect(bodyOf(await h.as(second, 'GET', ALL))).toMatchObject({
      totalElements: 0,
      content: [],
      last: true,
      size: 10,
    })
    const made: string[] = []
    for (let n = 0; n < 7; n += 1) made.unshift((await invoice(h, second)).invoiceReference)
    const at = async (query: string) => bodyOf(await h.as(second, 'GET', `${ALL}?${query}`))
    const names = (page: any) => page.content.map((one: any) => one.invoiceReference)
    expect(names(await at('page=0&size=3&sort=x&invoiceReference=y'))).toEqual(made.slice(0, 3))
    expect(names(await at('page=1&size=3'))).toEqual(made.slice(3, 6))
    const last = await at('page=2&size=3')
    expect([names(last), last.last, last.totalElements, last.totalPages]).toEqual([made.slice(6), true, 7, 3])
    const beyond = await at('page=5&size=3')
    expect([beyond.content, beyond.totalElements]).toEqual([[], 7])
    expect((await at('page=0&size=3')).content[0]).toEqual(await look(h, second, made[0] as string))
  })
})

describe('paying', () => {
  test('the whole amount makes it PAID; the next transfer is not counted; it cannot be cancelled', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await invoice(h, main)
    await h.pay(made.accountNumber, 2500)
    expect(await look(h, main, made.invoiceReference)).toMatchObject({
      invoiceStatus: 'PAID',
      amountPaid: 2500,
      amountDue: 0,
    })
    await h.pay(made.accountNumber, 2500)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '2500.00',
    })
    expect(refusal(await cancel(h, main, made.invoiceReference))).toEqual([422, 'INVOICE_NOT_PENDING'])
  })

  test('it outlives the forty minutes of a checkout', async () => {
    const h = harness()
    const made = await invoice(h, h.merchants.main)
    await advance(h, 7_200)
    await h.pay(made.accountNumber, 2500)
    expect((await look(h, h.merchants.main, made.invoiceReference)).invoiceStatus).toBe('PAID')
  })

  test.each<[string, Record<string, unknown>, number[], Record<string, unknown>]>([
    [
      'less, COMPLETE: counted, waits',
      { less: 'COMPLETE' },
      [1000],
      { invoiceStatus: 'PENDING', amountPaid: 1000, amountDue: 1500 },
    ],
    [
      'less, COMPLETE: the rest completes it',
      { less: 'COMPLETE' },
      [1000, 500, 1000],
      { invoiceStatus: 'PAID', amountPaid: 2500, amountDue: 0 },
    ],
    [
      'less, TOP_UP: counted, waits',
      { less: 'TOP_UP' },
      [1000],
      { invoiceStatus: 'PENDING', amountPaid: 1000, amountDue: 1500 },
    ],
    [
      'less, RETURN: not counted',
      { less: 'RETURN' },
      [1000],
      { invoiceStatus: 'PENDING', amountPaid: 0, amountDue: 2500 },
    ],
    [
      'less, HOLD: not counted',
      { less: 'HOLD' },
      [1000, 2500],
      { invoiceStatus: 'PAID', amountPaid: 2500, amountDue: 0 },
    ],
    ['more, COMPLETE: paid', { more: 'COMPLETE' }, [3000], { invoiceStatus: 'PAID', amountPaid: 3000, amountDue: 0 }],
    [
      'more, RETURN: not counted',
      { more: 'RETURN' },
      [3000],
      { invoiceStatus: 'PENDING', amountPaid: 0, amountDue: 2500 },
    ],
    [
      'within the tolerance: paid',
      { tolerance: 10 },
      [2495],
      { invoiceStatus: 'PAID', amountPaid: 2495, amountDue: 0 },
    ],
  ])('%s', async (_, policy, transfers, wanted) => {
    const h = harness()
    const { other } = h.merchants
    await setPolicy(h, other, policy)
    const made = await invoice(h, other)
    for (const amount of transfers) await h.pay(made.accountNumber, amount)
    expect(await look(h, other, made.invoiceReference)).toMatchObject(wanted)
    await setPolicy(h, other, {})
  })

  test('a plain transaction with the same policy is closed by less: only invoices wait', async () => {
    const h = harness()
    const { other } = h.merchants
    const one = await initialise(h, other, { amount: 2500 })
    const { accountNumber } = bodyOf(
      await h.as(other, 'POST', '/api/v1/merchant/bank-transfer/init-payment', {
        transactionReference: one.transactionReference,
      }),
    )
    await h.pay(accountNumber, 1000)
    await h.pay(accountNumber, 1500)
    expect(await status(h, other, one.transactionReference)).toMatchObject({
      paymentStatus: 'PARTIALLY_PAID',
      amountPaid: '1000.00',
    })
  })

  test('by card too; a refused card does not end it, by API or on the page, but five charges are enough', async () => {
    const h = harness()
    const { main } = h.merchants
    const charge = (reference: string, name: 'plain' | 'failing') =>
      h.as(main, 'POST', CHARGE, chargeBody(reference, card(name)))
    const made = await invoice(h, main)
    for (let n = 0; n < 4; n += 1)
      expect(bodyOf(await charge(made.transactionReference, 'failing')).status).toBe('FAILED')
    expect((await look(h, main, made.invoiceReference)).invoiceStatus).toBe('PENDING')
    expect(bodyOf(await charge(made.transactionReference, 'plain')).status).toBe('SUCCESS')
    expect((await look(h, main, made.invoiceReference)).invoiceStatus).toBe('PAID')
    const tired = await invoice(h, main)
    for (let n = 0; n < 5; n += 1) bodyOf(await charge(tired.transactionReference, 'failing'))
    const spent = await charge(tired.transactionReference, 'plain')
    expect([spent.status, spent.json.problem.code]).toEqual([400, 'CARD_ATTEMPTS_SPENT'])
    expect((await look(h, main, tired.invoiceReference)).invoiceStatus).toBe('PENDING')
    const page = await (await fetch(`${tired.checkoutUrl}?way=card`)).text()
    expect(page).toContain('Pay by bank transfer')
    expect(page).not.toContain('id="card-number"')
    await h.pay(tired.accountNumber, 2500)
    expect((await look(h, main, tired.invoiceReference)).invoiceStatus).toBe('PAID')
    // A transaction that is not an invoice still ends with the first refusal by API.
    const plain = await initialise(h, main)
    await charge(plain.transactionReference, 'failing')
    expect((await status(h, main, plain.transactionReference)).paymentStatus).toBe('FAILED')
  })
})

describe('invoices.cancel and expiry', () => {
  test('200: CANCELLED and stays so, takes no money, the customer is notified; a second time 422', async () => {
    const h = harness()
    const { main } = h.merchants
    const customerEmail = `${unique('cancel')}@example.com`
    const made = await invoice(h, main, { customerEmail })
    const cancelled = bodyOf(await cancel(h, main, made.invoiceReference))
    expect(cancelled).toEqual({ ...made, invoiceStatus: 'CANCELLED', amountDue: 0 })
    await h.pay(made.accountNumber, 2500)
    expect(await look(h, main, made.invoiceReference)).toEqual(cancelled)
    const [item] = await h.sql(
      '01',
      `select s.reason, event_body(e.shape, e.body) as body from suspense_items s join transactions t on t.id = s.transaction_id
       join events e on e.object = t.reference and e.type = 'REJECTED_PAYMENT' where t.reference = $1`,
      [made.transactionReference],
    )
    expect(item.reason).toBe('TRANSACTION_CANCELLED')
    expect(JSON.parse(item.body).eventData.paymentRejectionInformation.rejectionReason).toBe('TRANSACTION_CANCELLED')
    const again = await cancel(h, main, made.invoiceReference)
    expect(refusal(again)).toEqual([422, 'INVOICE_NOT_PENDING'])
    expect(again.json.responseMessage).toBe('Invoice cannot be cancelled: it is CANCELLED')
    await advance(h, 1)
    const mails = await mailsTo(h, customerEmail)
    expect(mails.map(({ subject }) => subject)).toContain('Invoice from Adire Stores was cancelled: ₦2,500.00')
    expect(mails.length).toBe(2)
  })

  test('with a part paid: the part stays, the rest is not counted, the mail says so', async () => {
    const h = harness()
    const { main } = h.merchants
    const customerEmail = `${unique('part')}@example.com`
    const made = await invoice(h, main, { customerEmail })
    await h.pay(made.accountNumber, 1000)
    expect(bodyOf(await cancel(h, main, made.invoiceReference))).toMatchObject({
      ...{ invoiceStatus: 'CANCELLED', amountPaid: 1000, amountDue: 0 },
    })
    await h.pay(made.accountNumber, 1500)
    expect(await status(h, main, made.transactionReference)).toMatchObject({
      paymentStatus: 'PARTIALLY_PAID',
      amountPaid: '1000.00',
    })
    expect(await suspense(h, main, made.transactionReference)).toMatchObject([{ reason: 'TRANSACTION_CANCELLED' }])
    await advance(h, 86_500)
    expect((await look(h, main, made.invoiceReference)).invoiceStatus).toBe('CANCELLED')
    expect((await mailsTo(h, customerEmail)).map(({ text }) => text).join()).toContain(
      'You had already paid ₦1,000.00.',
    )
  })

  test('422 INVOICE_CARD_UNDER_WAY while an issuer has not answered', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await invoice(h, main)
    const [{ id }] = await h.sql('01', 'select id from invoices where reference = $1', [made.invoiceReference])
    await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('otp')))
    await h.sql('01', `update card_charges set status = 'SENT' where transaction_id = $1`, [id])
    expect(refusal(await cancel(h, main, made.invoiceReference))).toEqual([422, 'INVOICE_CARD_UNDER_WAY'])
    await h.sql('01', `update card_charges set status = 'OTP' where transaction_id = $1`, [id])
    bodyOf(await cancel(h, main, made.invoiceReference))
  })

  test('after its expiry date it is EXPIRED, also with a part; it takes no money and cannot be cancelled', async () => {
    const h = harness()
    const { main } = h.merchants
    const [made, part] = [await invoice(h, main), await invoice(h, main)]
    await h.pay(part.accountNumber, 100)
    await advance(h, 86_401)
    for (const [one, amountPaid] of [
      [made, 0],
      [part, 100],
    ] as const) {
      await h.pay(one.accountNumber, 2500)
      expect(await look(h, main, one.invoiceReference)).toMatchObject({
        invoiceStatus: 'EXPIRED',
        amountPaid,
        amountDue: 0,
      })
      expect(refusal(await cancel(h, main, one.invoiceReference))).toEqual([422, 'INVOICE_NOT_PENDING'])
    }
  })

  test('the payer cannot cancel an invoice on the page', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await invoice(h, main)
    expect(await (await fetch(made.checkoutUrl)).text()).not.toContain('Cancel this payment')
    await fetch(`${made.checkoutUrl}/cancel`, { method: 'POST', redirect: 'manual' })
    expect((await look(h, main, made.invoiceReference)).invoiceStatus).toBe('PENDING')
  })
})

describe('attached to a reserved account', () => {
  test('the number and name of the account; paid while open, dormant after, then the next invoice', async () => {
    const h = harness()
    const { main } = h.merchants
    const account = await reserveInvoice(h, main)
    const { accountReference, accountNumber } = account
    const first = await invoice(h, main, { accountReference, amount: 3100 })
    expect([first.accountNumber, first.bankCode, first.accountName]).toEqual([
      ...[accountNumber, account.bankCode, account.accountName],
    ])
    expect(await (await fetch(first.checkoutUrl)).text()).toContain(`value="${accountNumber}"`)
    const taken = await h.as(main, 'POST', CREATE, invoiceBody(h, main, { accountReference }))
    expect(refusal(taken)).toEqual([422, 'INVOICE_ACCOUNT_TAKEN'])
    await h.pay(accountNumber, 3100)
    expect((await look(h, main, first.invoiceReference)).invoiceStatus).toBe('PAID')
    await h.pay(accountNumber, 3100)
    expect((await look(h, main, first.invoiceReference)).amountPaid).toBe(3100)
    const next = await invoice(h, main, { accountReference, amount: 3200 })
    await h.pay(accountNumber, 1200)
    await h.pay(accountNumber, 2000)
    expect(await look(h, main, next.invoiceReference)).toMatchObject({ invoiceStatus: 'PAID', amountPaid: 3200 })
  })

  test('422 for a general account; free again after cancellation and after expiry', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const general = await reserve(h, main)
    const asked = (accountReference: string, merchant = main) =>
      h.as(merchant, 'POST', CREATE, invoiceBody(h, merchant, { accountReference }))
    expect(refusal(await asked(general.accountReference))).toEqual([422, 'INVOICE_ACCOUNT_TYPE'])
    const { accountReference } = bodyOf(await h.as(main, 'POST', RESERVE_INVOICE, invoiceAccountBody(main)))
    expect(refusal(await asked(accountReference, other))).toEqual([422, 'INVOICE_ACCOUNT_UNKNOWN'])
    const first = bodyOf(await asked(accountReference))
    bodyOf(await cancel(h, main, first.invoiceReference))
    bodyOf(await asked(accountReference))
    await advance(h, 86_401)
    bodyOf(await asked(accountReference))
  })

  test('twenty invoices ask for one account at once: one gets it', async () => {
    const h = harness()
    const { main } = h.merchants
    const { accountReference } = await reserveInvoice(h, main)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => h.as(main, 'POST', CREATE, invoiceBody(h, main, { accountReference }))),
    )
    const refused = answers.filter((answer) => answer.status !== 200)
    expect(refused.map((answer) => answer.json.problem.code)).toEqual(Array(19).fill('INVOICE_ACCOUNT_TAKEN'))
  })
})

test('the state of an invoice for every state of its transaction', () => {
  const [now, none] = [new Date(0), null]
  const of = (status: string, closed_at: Date | null, cancelled_at: Date | null = none) =>
    toInvoiceStatus({ status, closed_at, cancelled_at })
  expect([of('PENDING', none), of('PARTIALLY_PAID', none)]).toEqual(['PENDING', 'PENDING'])
  expect([of('PAID', now), of('OVERPAID', now)]).toEqual(['PAID', 'PAID'])
  expect([of('EXPIRED', now), of('PARTIALLY_PAID', now)]).toEqual(['EXPIRED', 'EXPIRED'])
  expect([of('CANCELLED', now, now), of('PARTIALLY_PAID', now, now)]).toEqual(['CANCELLED', 'CANCELLED'])
})
