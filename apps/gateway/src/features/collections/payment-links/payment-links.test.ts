// Payment links over HTTP: the merchant's calls, the payer's page, and payers at once.
import { describe, expect, test } from 'vitest'
import { after } from '#test/features/collections/invoices.ts'
import {
  bodyOf,
  cancelled,
  fillIn,
  LINK,
  LINKS,
  link,
  linkBody,
  lookAt,
  started,
} from '#test/features/collections/payment-links.ts'
import { dyingAt } from '#test/kit/dying.ts'
import {
  type Answer,
  advance,
  type Harness,
  initialise,
  issueAccount,
  status,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { readPayer } from './payment-links.routes.ts'

// Whether many may be opened at all is another story (open-payments.test.ts, puzzles.test.ts).
const harness = useHarness({ settings: async () => ({ STRANGERS_OPEN: '10000,10000,10000' }) })
const refusal = (answer: Answer) => [answer.status, answer.json?.problem?.code]
const page = (h: Harness, code: string, query = '') => h.call('GET', `/pay/${code}${query}`)
const titleOf = (html: string): string => (/<title>(.*)<\/title>/.exec(html)?.[1] ?? '').split(' · ')[0] ?? ''
const payFor = async (h: Harness, reference: string, amount: number) =>
  h.pay(await issueAccount(h, h.merchants.main, reference), amount)
const countOf = async (h: Harness, code: string): Promise<number> =>
  (await h.sql('01', `select count(*)::int as n from transactions where payment_reference like $1 || '-%'`, [code]))[0]
    .n

describe("the merchant's calls", () => {
  test('200: made, fetched, changed, listed newest first in pages; the trail has the change', async () => {
    const h = harness()
    const { other } = h.merchants
    const expiryDate = after(h, 3_600)
    const made = await link(h, other, {
      expiryDate,
      singleUse: true,
      paymentMethods: ['CARD', 'CARD'],
      description: 'Blue',
    })
    expect(made).toEqual({
      paymentLinkCode: expect.stringMatching(/^CWPL01[A-Z0-9]{12}$/),
      paymentLinkUrl: `${h.config.publicUrl}/pay/${made.paymentLinkCode}`,
      status: 'ACTIVE',
      title: 'Two metres of adire',
      description: 'Blue',
      amount: 2500,
      minimumAmount: null,
      maximumAmount: null,
      currencyCode: 'NGN',
      contractCode: other.contractCode,
      singleUse: true,
      paymentMethods: ['CARD'],
      redirectUrl: null,
      expiryDate,
      transactionCount: 0,
      createdBy: other.apiKey,
      createdOn: made.changedOn,
      changedOn: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    })
    expect(await lookAt(h, other, made.paymentLinkCode)).toEqual(made)
    const open = await link(h, other, { amount: undefined, maximumAmount: 900 })
    expect([open.amount, open.minimumAmount, open.maximumAmount]).toEqual([null, 20, 900])
    expect(open.paymentMethods).toEqual(['ACCOUNT_TRANSFER', 'CARD', 'USSD'])
    const change = async (body: object) => bodyOf(await h.as(other, 'PATCH', LINK(open.paymentLinkCode), body))
    expect(await change({ paused: true })).toMatchObject({ status: 'PAUSED', title: open.title, expiryDate: null })
    expect(await change({ title: 'Lace', expiryDate })).toMatchObject({ status: 'PAUSED', title: 'Lace', expiryDate })
    const changed = await change({ paused: false, expiryDate: null })
    expect(changed).toMatchObject({ status: 'ACTIVE', title: 'Lace', expiryDate: null })
    expect(await lookAt(h, other, open.paymentLinkCode)).toEqual(changed)
    const third = await link(h, other)
    const first = bodyOf(await h.as(other, 'GET', `${LINKS}?size=2`))
    expect(first).toEqual({ content: [third, changed], next: changed.paymentLinkCode })
    const last = bodyOf(await h.as(other, 'GET', `${LINKS}?size=2&before=${first.next}`))
    expect(last).toEqual({ content: [made], next: null })
    const lines = await h.sql('01', `select what from trail where what = 'paymentLinks.change' and merchant_id = $1`, [
      other.id,
    ])
    expect(lines).toHaveLength(3)
  })

  test('400, 404 and 422: what no link may be; that of another merchant answers as an unknown one', async () => {
    const h = harness()
    const { main, other, second } = h.merchants
    for (const [over, code] of [
      [{ amount: 19.99 }, 'AMOUNT_TOO_SMALL'],
      [{ amount: 100, minimumAmount: 50 }, 'PAYMENT_LINK_AMOUNTS_INVALID'],
      [{ amount: undefined, minimumAmount: 50, maximumAmount: 49 }, 'PAYMENT_LINK_AMOUNTS_INVALID'],
      [{ amount: undefined, maximumAmount: 10 }, 'AMOUNT_TOO_SMALL'],
      [{ currencyCode: 'USD' }, 'CURRENCY_UNKNOWN'],
      [{ contractCode: other.contractCode }, 'CONTRACT_UNKNOWN'],
      [{ paymentMethods: ['PHONE_NUMBER'] }, 'METHODS_NOT_OFFERED'],
      [{ expiryDate: after(h, -60) }, 'PAYMENT_LINK_EXPIRY_INVALID'],
      [{ expiryDate: 'tomorrow' }, 'PAYMENT_LINK_EXPIRY_INVALID'],
      [{ redirectUrl: 'https://shop@evil.example/' }, 'FIELD_INVALID'],
      [{ title: '' }, 'FIELD_MISSING'],
      [{ title: 'a\u0007' }, 'FIELD_INVALID'],
    ] as const) {
      const [, problem] = refusal(await h.as(main, 'POST', LINKS, linkBody(main, over)))
      expect(problem, JSON.stringify(over)).toBe(code)
    }
    const theirs = (await link(h, other)).paymentLinkCode
    const unknown = 'CWPL01AAAAAAAAAAAA'
    for (const merchant of [main, second])
      for (const code of [theirs, unknown])
        for (const [method, path, body] of [
          ['GET', LINK(code), undefined],
          ['PATCH', LINK(code), { paused: true }],
          ['GET', `${LINKS}?before=${code}`, undefined],
        ] as const)
          expect(refusal(await h.as(merchant, method, path, body)), `${method} ${path}`).toEqual([
            404,
            'PAYMENT_LINK_NOT_FOUND',
          ])
    expect((await lookAt(h, other, theirs)).status).toBe('ACTIVE')
  })
})

describe('the page', () => {
  test('200 without a script; the form leads to the checkout of a transaction that carries the link, in its event too', async () => {
    const h = harness()
    const { main } = h.merchants
    await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
    const { paymentLinkCode: code } = await link(h, main, {
      title: '<b>&adire',
      redirectUrl: 'https://shop.example/back',
    })
    const shown = await page(h, code)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('₦2,500.00')
    expect(shown.text).toContain('&lt;b&gt;&amp;adire')
    expect(shown.text).not.toContain('<script')
    expect(shown.text).not.toContain('name="amount"')
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'")
    expect(shown.headers.get('cache-control')).toBe('no-store')
    const { reference, path } = await started(h, code, { name: 'Ngozi', email: 'ngozi@example.com' })
    expect((await h.call('GET', path)).text).toContain('₦2,500.00')
    await payFor(h, reference, 2500)
    const record = await status(h, main, reference)
    expect(record).toMatchObject({
      paymentStatus: 'PAID',
      paymentReference: `${code}-1`,
      paymentDescription: '<b>&adire',
      customer: { name: 'Ngozi', email: 'ngozi@example.com' },
      product: { type: 'WEB_SDK', reference: `${code}-1` },
      metaData: { paymentLink: code },
    })
    await advance(h, 1)
    const event = h.received.find(({ body }) => body.eventData.paymentReference === `${code}-1`)
    expect(event?.body.eventData.metaData).toEqual({ paymentLink: code })
    await started(h, code)
    expect(await lookAt(h, main, code)).toMatchObject({ status: 'ACTIVE', transactionCount: 2 })
  })

  test('an open amount is the one that the payer chose, within the limits; 422 with what was typed and what is wrong', async () => {
    const h = harness()
    const { main } = h.merchants
    const { paymentLinkCode: code } = await link(h, main, {
      amount: undefined,
      minimumAmount: 100,
      maximumAmount: 5000,
    })
    for (const [fields, id] of [
      [{ amount: '99.99' }, 'link-amount'],
      [{ amount: '5000.01' }, 'link-amount'],
      [{ amount: 'many' }, 'link-amount'],
      [{ amount: '100', name: ' ' }, 'link-name'],
      [{ amount: '100', email: 'nobody' }, 'link-email'],
    ] as const) {
      const answer = await fillIn(h, code, { ...fields, name: 'Ada <i>', ...fields })
      expect(answer.status).toBe(422)
      expect(answer.text).toContain(`href="#${id}"`)
      expect(answer.text).toContain(`value="${fields.amount}"`)
      expect(answer.text).not.toContain('<i>')
    }
    expect(await countOf(h, code)).toBe(0)
    const { reference } = await started(h, code, { amount: '₦4,999.50' })
    expect((await status(h, main, reference)).totalPayable).toBe('4999.50')
    const read = (amount: string) =>
      readPayer({ kobo: null, min_kobo: 100n, max_kobo: null }, { name: 'A', email: 'a@b', amount })
    expect(read('1')).toMatchObject({ kobo: 100n })
    expect(read('0.99')).toEqual([{ field: 'amount', word: 'errorAmount' }])
  })

  test('paused, expired, unknown and of a foreign form: each is said plainly, and nothing is made', async () => {
    const h = harness()
    const { main } = h.merchants
    const refused = async (code: string, title: string) => {
      expect(titleOf((await page(h, code)).text)).toBe(title)
      const answer = await fillIn(h, code)
      expect([answer.status, titleOf(answer.text), await countOf(h, code)]).toEqual([409, title, 0])
    }
    const { paymentLinkCode: code } = await link(h, main)
    await h.as(main, 'PATCH', LINK(code), { paused: true })
    await refused(code, 'This payment link is paused')
    await h.as(main, 'PATCH', LINK(code), { paused: false, expiryDate: after(h, 30) })
    expect((await fillIn(h, code, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    await advance(h, 31)
    await refused(code, 'This payment link has expired')
    expect((await lookAt(h, main, code)).status).toBe('EXPIRED')
    for (const unknown of ['CWPL01AAAAAAAAAAAA', 'CWPL77AAAAAAAAAAAA', 'x', code.toLowerCase()]) {
      expect((await page(h, unknown)).status).toBe(404)
      expect((await fillIn(h, unknown)).status).toBe(404)
    }
    expect((await page(h, code, '?lang=pcm')).text).toContain('<html lang="pcm">')
  })

  test("422: what the merchant's limits do not allow is not started, as with init-transaction", async () => {
    const h = harness()
    const { other } = h.merchants
    const [fixed, open] = [await link(h, other, { amount: 5000 }), await link(h, other, { amount: undefined })]
    await h.sql(
      '01',
      `insert into merchant_limits (id, merchant_id, kind, per_payment_kobo, valid_from)
       values (1, $1, 'COLLECTIONS', 400000, '2026-01-01')`,
      [other.id],
    )
    h.gateway.merchants.forget('01')
    expect(titleOf((await fillIn(h, fixed.paymentLinkCode)).text)).toBe('This payment link cannot be paid now')
    const answer = await fillIn(h, open.paymentLinkCode, { amount: '4000.01' })
    expect([answer.status, answer.text.includes('cannot be accepted at the moment')]).toEqual([422, true])
    await started(h, open.paymentLinkCode, { amount: '4000' })
  })
})

describe('of single use', () => {
  test('one payer at a time: the same goes on, the next waits until it was given up, and nobody pays it twice', async () => {
    const h = harness()
    const { main } = h.merchants
    const { paymentLinkCode: code } = await link(h, main, { singleUse: true })
    const first = await started(h, code, { email: 'Ada@example.com' })
    expect((await lookAt(h, main, code)).status).toBe('PENDING')
    expect(titleOf((await page(h, code)).text)).toBe('A payment has been started here')
    expect((await started(h, code, { email: 'ada@example.com' })).path).toBe(first.path)
    const next = await fillIn(h, code)
    expect([next.status, next.text.includes('No payment was started here')]).toEqual([409, true])
    await cancelled(h, first.path)
    const second = await started(h, code)
    await payFor(h, second.reference, 2500)
    for (const email of ['ada@example.com', `${unique()}@example.com`]) {
      const late = await fillIn(h, code, { email })
      expect([late.status, titleOf(late.text)]).toEqual([409, 'This payment link has already been used'])
    }
    expect(await lookAt(h, main, code)).toMatchObject({ status: 'USED', transactionCount: 2 })
    expect(await countOf(h, code)).toBe(2)
  })

  test('a payment that ran out holds it for the grace of a late report, and then no longer', async () => {
    const h = harness()
    const { main } = h.merchants
    const { paymentLinkCode: code } = await link(h, main, { singleUse: true })
    await started(h, code)
    await advance(h, 45 * 60)
    expect((await fillIn(h, code)).status).toBe(409)
    await advance(h, 6 * 60)
    await started(h, code)
  })

  test('40 payers at once: one starts, and one transaction is there', async () => {
    const h = harness()
    const { main } = h.merchants
    for (let round = 0; round < 3; round += 1) {
      const { paymentLinkCode: code } = await link(h, main, { singleUse: true })
      const answers = await Promise.all(Array.from({ length: 40 }, () => fillIn(h, code)))
      expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
        303,
        ...Array.from({ length: 39 }, () => 409),
      ])
      expect(await countOf(h, code)).toBe(1)
    }
  }, 20_000)

  test('many payers at once of a link for many, while it is paused: as many transactions as were started, numbered without gaps', async () => {
    const h = harness()
    const { main } = h.merchants
    const { paymentLinkCode: code } = await link(h, main)
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => fillIn(h, code)),
      h.as(main, 'PATCH', LINK(code), { paused: true }),
      ...Array.from({ length: 5 }, () => fillIn(h, code)),
    ])
    const went = answers.filter((answer) => answer.status === 303).length
    expect(answers.every((answer) => [200, 303, 409].includes(answer.status))).toBe(true)
    expect([await countOf(h, code), (await lookAt(h, main, code)).transactionCount]).toEqual([went, went])
  })
})

test('killed between the transaction and the link: neither is there, and the next payer starts', async () => {
  const h = harness()
  const { main } = h.merchants
  const { paymentLinkCode: code } = await link(h, main, { singleUse: true })
  await dyingAt(h, 'payment_link_uses', async () => {
    expect((await fillIn(h, code)).status).toBe(500)
  })
  expect([await countOf(h, code), (await lookAt(h, main, code)).status]).toEqual([0, 'ACTIVE'])
  await started(h, code)
})

test('a reference that the merchant has used already does not stop its link', async () => {
  const h = harness()
  const { main } = h.merchants
  const { paymentLinkCode: code } = await link(h, main)
  await initialise(h, main, { paymentReference: `${code}-1` })
  const { reference } = await started(h, code)
  expect((await status(h, main, reference)).paymentReference).toMatch(new RegExp(`^${code}-1-[A-Z0-9]{4}$`))
})
