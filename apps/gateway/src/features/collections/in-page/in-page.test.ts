// The door that pages come through: what it makes, what it refuses, and whom it tells how it ended.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { actorOf, approveAs, doAct } from '#test/features/access/acts.ts'
import { DOOR, open, opened, pageBody, SHOP } from '#test/features/collections/in-page.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, initialise, issueAccount, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { toOrigin } from './in-page.ts'

const harness = useHarness({ settings: async () => ({ STRANGERS_OPEN: '10000,10000,10000' }) })
const SETTINGS = '/api/v1/merchant/page-checkout'
const OTHER = 'https://evil.example'
const codeOf = (answer: { status: number; json: any }) => [answer.status, answer.json.problem?.code]
const pathOf = (address: string): string => new URL(address).pathname
const set = async (h: Harness, merchant: TestMerchant, body: Record<string, unknown>) =>
  h.as(merchant, 'PUT', SETTINGS, body)
const policy = async (h: Harness, checkoutUrl: string): Promise<string> => {
  const answer = await fetch(h.apiUrl + pathOf(checkoutUrl))
  return /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? ''
}
const record = async (h: Harness, merchant: TestMerchant, reference: string) =>
  (await h.as(merchant, 'GET', `/api/v2/merchant/transactions/query?paymentReference=${reference}`)).json.responseBody

describe('the script', () => {
  test('is one under both addresses, small, of one piece, and its digest is published', async () => {
    const h = harness()
    const [own, known] = await Promise.all(
      ['/plugin/v1/cowrie.js', '/plugin/monnify.js'].map(async (path) => {
        const answer = await fetch(h.apiUrl + path, { headers: { 'accept-encoding': 'gzip' } })
        expect(answer.headers.get('content-type')).toContain('javascript')
        expect(answer.headers.get('access-control-allow-origin')).toBe('*')
        const etag = answer.headers.get('etag') ?? ''
        expect(
          (await fetch(h.apiUrl + path, { headers: { 'if-none-match': etag, 'accept-encoding': 'gzip' } })).status,
        ).toBe(304)
        return answer.text()
      }),
    )
    expect(own).toBe(known)
    expect(own).toMatch(/MonnifySDK.*initialize/s)
    expect(own).not.toMatch(/\beval\(|new Function\(|innerHTML|localStorage|document\.cookie/)
    expect(gzipSync(own ?? '').length).toBeLessThan(6_000)
    const { integrity } = (await (await fetch(`${h.apiUrl}/plugin/v1/integrity.json`)).json()) as { integrity: string }
    expect(integrity).toBe(
      `sha384-${createHash('sha384')
        .update(own ?? '')
        .digest('base64')}`,
    )
  })
})

describe('what a page opens', () => {
  test('is the transaction that init-transaction makes, and any origin may read the answer', async () => {
    const h = harness()
    const body = pageBody(h.merchants.main, { redirectUrl: 'https://shop.example/thanks' })
    const answer = await open(h, body)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.json.responseBody).toMatchObject({ paymentReference: body.reference, merchantName: 'Adire Stores' })
    expect(answer.text).not.toContain(h.merchants.main.secretKey)
    expect(await record(h, h.merchants.main, body.reference)).toMatchObject({
      paymentStatus: 'PENDING',
      totalPayable: '1500.00',
      product: { type: 'WEB_SDK', reference: body.reference },
      paymentDescription: 'Two metres of adire',
      customer: { email: 'ngozi@example.com', name: 'Ngozi Bello' },
      metaData: { order: '17' },
    })
  })

  test('the other names of published wrappers are taken, and an amount as text; without a reference it gets one', async () => {
    const h = harness()
    const { customerFullName, currency, reference, metadata, ...rest } = pageBody(h.merchants.main)
    const names = { customerName: customerFullName, currencyCode: currency, metaData: metadata, isTestMode: true }
    const answer = await open(h, { ...rest, ...names, amount: '1500', paymentReference: reference })
    expect(answer.json.responseBody).toMatchObject({ paymentReference: reference })
    const without = (await open(h, { ...rest, ...names })).json.responseBody
    expect(without.paymentReference).toBe(without.transactionReference)
  })

  test('the preflight of a page is answered, and only POST is allowed', async () => {
    const asked = {
      origin: SHOP,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    }
    const answer = await fetch(harness().apiUrl + DOOR, { method: 'OPTIONS', headers: asked })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST')
  })

  test('the same page, reference and amount: the same transaction, also ten at once; any other use is refused', async () => {
    const h = harness()
    const body = pageBody(h.merchants.main)
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(h, body)))
    const references = new Set(answers.map(({ json }) => json.responseBody?.transactionReference))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(references.size).toBe(1)
    const refused = [open(h, { ...body, amount: 20 }), open(h, body, OTHER), open(h, { ...body, amount: undefined })]
    for (const answer of await Promise.all(refused))
      expect(answer.json.problem?.code, answer.text).toBe('DUPLICATE_PAYMENT_REFERENCE')
    expect((await record(h, h.merchants.main, body.reference)).totalPayable).toBe('1500.00')
    const ofServer = await initialise(h, h.merchants.main)
    const taken = await open(h, pageBody(h.merchants.main, { reference: ofServer.paymentReference }))
    expect(taken.json.problem.code).toBe('DUPLICATE_PAYMENT_REFERENCE')
  })

  test('a reference of another merchant is free, and tells nothing of that one', async () => {
    const h = harness()
    const body = pageBody(h.merchants.main)
    const first = (await open(h, body)).json.responseBody
    const { apiKey, contractCode } = h.merchants.other
    const second = (await open(h, { ...body, apiKey, contractCode })).json.responseBody
    expect(second.transactionReference).not.toBe(first.transactionReference)
  })

  test.each([
    ['an unknown API key', { apiKey: 'MK_TEST_01ZZZZZZZZ' }, 401, 'PAGE_API_KEY_UNKNOWN'],
    ['no API key', { apiKey: undefined }, 400, 'FIELD_MISSING'],
    ['no e-mail address', { customerEmail: undefined }, 400, 'FIELD_MISSING'],
    ['no contract', { contractCode: undefined }, 400, 'FIELD_MISSING'],
    ['no amount', { amount: undefined }, 400, 'FIELD_MISSING'],
    ['too little', { amount: 19.99 }, 400, 'AMOUNT_TOO_SMALL'],
    ['another currency', { currency: 'USD' }, 422, 'CURRENCY_UNKNOWN'],
    ['metadata that is no object', { metadata: 'x' }, 400, 'FIELD_INVALID'],
    ['a redirectUrl that is none', { redirectUrl: 'javascript:alert(1)' }, 400, 'FIELD_INVALID'],
    ['a card number in a name', { customerFullName: '4111111111111111' }, 400, 'CARD_DATA_REFUSED'],
  ])('refused in the envelope, for every origin to read: %s', async (_, over, status, code) => {
    const answer = await open(harness(), pageBody(harness().merchants.main, over))
    expect(answer.json.problem?.code, answer.text).toBe(code)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('the contract of another merchant is refused', async () => {
    const { main, other } = harness().merchants
    const answer = await open(harness(), pageBody(main, { contractCode: other.contractCode }))
    expect(answer.json.problem.code).toBe('CONTRACT_UNKNOWN')
  })

  test('the event and the status say who named the amount; a transaction of the server does not', async () => {
    const h = harness()
    const eventOf = async (reference: string) => {
      const [row] = await h.sql(
        '01',
        `select event_body(shape, body) as body from events where type = 'SUCCESSFUL_TRANSACTION' and object = $1`,
        [reference],
      )
      return JSON.parse(row.body).eventData
    }
    const { transactionReference } = await opened(h, h.merchants.main)
    await h.pay(await issueAccount(h, h.merchants.main, transactionReference), 1500)
    expect(await eventOf(transactionReference)).toMatchObject({ openedBy: 'PAGE', paymentStatus: 'PAID' })
    const own = await initialise(h, h.merchants.main)
    await open(h, { checkoutUrl: own.checkoutUrl })
    await h.pay(await issueAccount(h, h.merchants.main, own.transactionReference), 1500)
    expect(await eventOf(own.transactionReference)).not.toHaveProperty('openedBy')
  })
})

describe('what the merchant’s server has initialised', () => {
  test('is shown to the first page that asks, and its amount stays the server’s', async () => {
    const h = harness()
    const { checkoutUrl, transactionReference } = await initialise(h, h.merchants.main)
    expect(await policy(h, checkoutUrl)).toBe(`'none'`)
    const answer = await open(h, { checkoutUrl, amount: 20, page: '/pay?secret=1' })
    expect(answer.json.responseBody).toMatchObject({ transactionReference, checkoutUrl })
    expect(await policy(h, checkoutUrl)).toBe(SHOP)
    expect(codeOf(await open(h, { checkoutUrl }, OTHER))).toEqual([403, 'PAGE_ORIGIN_REFUSED'])
    expect(await policy(h, checkoutUrl)).toBe(SHOP)
    const [row] = await h.sql(
      '01',
      'select path, by_page from page_openings o join transactions t on t.id = o.transaction_id where t.reference = $1',
      [transactionReference],
    )
    expect(row).toEqual({ path: '/pay', by_page: false })
  })

  test('an address of somebody else, or with another token, is unknown', async () => {
    const h = harness()
    const { checkoutUrl } = await initialise(h, h.merchants.main)
    for (const address of [
      `${checkoutUrl.slice(0, -1)}${checkoutUrl.endsWith('A') ? 'B' : 'A'}`,
      checkoutUrl.replace(h.config.publicUrl, 'https://pay.example'),
      `${h.config.publicUrl}/docs`,
      `${h.config.publicUrl}/checkout/%E0%A4%A/x`,
      'x',
    ])
      expect(codeOf(await open(h, { checkoutUrl: address }))).toEqual([404, 'PAGE_CHECKOUT_UNKNOWN'])
  })
})

describe('origins', () => {
  test('what is listed may open, nothing else; the frame is for the origin that opened and for no other', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    expect((await h.as(merchant, 'GET', SETTINGS)).json.responseBody).toEqual({ origins: [], pageSplits: false })
    const { checkoutUrl } = await opened(h, merchant)
    expect(await policy(h, checkoutUrl)).toBe(SHOP)
    const saved = await set(h, merchant, { origins: ['https://listed.example', 'https://listed.example'] })
    expect(saved.json.responseBody).toEqual({ origins: ['https://listed.example'], pageSplits: false })
    const refused = await open(h, pageBody(merchant))
    expect(codeOf(refused)).toEqual([403, 'PAGE_ORIGIN_REFUSED'])
    expect(refused.json.problem.hint).toContain('Settings')
    expect(codeOf(await open(h, pageBody(merchant), null))).toEqual([403, 'PAGE_ORIGIN_REFUSED'])
    expect((await open(h, pageBody(merchant), 'https://listed.example')).status).toBe(200)
  })

  test.each(['https://shop.example/', 'https://shop.example/x', 'https://SHOP.example', 'shop.example', 'null', '*'])(
    'refused as an origin: %s',
    async (origin) => {
      const h = harness()
      const answer = await set(h, h.merchants.other, { origins: [origin] })
      expect([400, 422], answer.text).toContain(answer.status)
      expect((await h.as(h.merchants.other, 'GET', SETTINGS)).json.responseBody.origins).toEqual([])
    },
  )

  test('what is no origin goes into no policy', async () => {
    const h = harness()
    for (const header of [
      'https://a.example; script-src *',
      'null',
      'https://a.example/x',
      'https://A.example',
      'ftp://a',
    ])
      expect(toOrigin(header)).toBeNull()
    for (const header of ['https://a.example', 'http://127.0.0.1:4000', 'http://[::1]:4000'])
      expect(toOrigin(header)).toBe(header)
    const answer = await open(h, pageBody(h.merchants.main), 'https://a.example; script-src *')
    expect(await policy(h, answer.json.responseBody.checkoutUrl)).toBe(`'none'`)
  })

  test('the list of allowed addresses is for servers: a page is let in from anywhere', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await h.token(merchant)
    await h.sql('01', `update merchants set allowed_addresses = '{10.9.9.9/32}' where id = $1`, [merchant.id])
    await h.until('the new list', async () => (await h.as(merchant, 'GET', SETTINGS)).status === 403)
    expect((await open(h, pageBody(merchant))).status).toBe(200)
  })
})

describe('what the page is told', () => {
  const resultOf = async (h: Harness, checkoutUrl: string) => {
    const answer = await fetch(`${h.apiUrl}${pathOf(checkoutUrl)}/page-result`, { headers: { origin: SHOP } })
    return {
      status: answer.status,
      allows: answer.headers.get('access-control-allow-origin'),
      json: (await answer.json()) as any,
    }
  }
  test('only its own origin may read it; amounts and moments as in the list', async () => {
    const h = harness()
    const { checkoutUrl, transactionReference, paymentReference } = await opened(h, h.merchants.main)
    expect((await resultOf(h, checkoutUrl)).json).toMatchObject({ completed: false, status: 'PENDING' })
    await h.pay(await issueAccount(h, h.merchants.main, transactionReference), 1500)
    const { status, allows, json } = await resultOf(h, checkoutUrl)
    expect([status, allows]).toEqual([200, SHOP])
    const listed = (
      await h.as(h.merchants.main, 'GET', `/api/v1/transactions/search?paymentReference=${paymentReference}`)
    ).json.responseBody.content[0]
    expect(json).toEqual({
      amount: 1500,
      amountPaid: 1500,
      completed: true,
      completedOn: listed.completedOn,
      createdOn: listed.createdOn,
      currencyCode: 'NGN',
      customerEmail: 'ngozi@example.com',
      customerName: 'Ngozi Bello',
      fee: listed.fee,
      metaData: { order: '17' },
      payableAmount: listed.payableAmount,
      paymentMethod: 'ACCOUNT_TRANSFER',
      paymentReference,
      paymentStatus: 'PAID',
      transactionReference,
      status: 'SUCCESS',
      redirectUrl: null,
    })
  })
  test('404 for what no page has opened, and for a wrong token', async () => {
    const h = harness()
    const { checkoutUrl } = await initialise(h, h.merchants.main)
    expect((await resultOf(h, checkoutUrl)).status).toBe(404)
    const { checkoutUrl: own } = await opened(h, h.merchants.main)
    expect((await resultOf(h, `${own.slice(0, -2)}xx`)).status).toBe(404)
  })
})

test('from one address a merchant’s door opens sixty at once, and another merchant’s is not held up', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const answers = await Promise.all(Array.from({ length: 120 }, () => open(h, pageBody(merchant))))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(20)
  expect(refused[0]?.json.problem.code).toBe('RATE_LIMITED')
  expect(refused[0]?.headers.get('access-control-allow-origin')).toBe('*')
  expect((await open(h, pageBody(h.merchants.other))).status).toBe(200)
})

test('what a page opens does not use up the merchant’s limit of the day; what is paid does', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const hours = (h.gateway.ctx.clock.now().getTime() / 3_600_000 + 1) % 24
  await advance(h, Math.ceil(((36 - hours) % 24) * 3600)) // noon in Lagos: nothing here crosses midnight
  const asked = await doAct(h, actorOf('operator', 'risk'), 'limits.set', {
    ...{ merchant, input: { kind: 'COLLECTIONS', perDay: '3000' } },
  })
  await approveAs(h, actorOf('operator', 'admin'), asked.reference)
  const first = await opened(h, merchant, { amount: 2900 })
  await opened(h, merchant, { amount: 2999 })
  await initialise(h, merchant, { amount: 1000 })
  await h.pay(await issueAccount(h, merchant, first.transactionReference), 2900)
  const refused = await open(h, pageBody(merchant, { amount: 100 }))
  expect(codeOf(refused)).toEqual([400, 'PAYMENT_DAY_LIMIT'])
})
