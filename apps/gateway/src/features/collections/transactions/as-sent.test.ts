// What a merchant sent comes back as it was sent: its large integers, its references, where its payers
// return.
import { createHmac } from 'node:crypto'
import { isRawNumber, parseExact } from '@cowrie/contract/kit/exact-json'
import { returnLink } from '@cowrie/contract/kit/html'
import { describe, expect, test } from 'vitest'
import { at, ownPath, setUrls } from '#test/features/events/webhooks.ts'
import { type Harness, INIT, initBody, initialise, issueAccount, unique, useHarness } from '#test/kit/harness.ts'
import { checkRedirect } from './transactions.ts'

const harness = useHarness()
type Merchant = Harness['merchants']['main']

const QUERY = '/api/v2/merchant/transactions/query'
const query = (h: Harness, merchant: Merchant, asked: Record<string, string>) =>
  h.as(merchant, 'GET', `${QUERY}?${new URLSearchParams(asked).toString()}`)

/** Initialises with `metaData` written exactly like that. */
async function sendRaw(h: Harness, merchant: Merchant, metaData: string, headers = {}) {
  const body = initBody(merchant, { paymentReference: unique('large') })
  const raw = `{"metaData":${metaData},${JSON.stringify(body).slice(1)}`
  const token = await h.token(merchant)
  return { raw, answer: await h.call('POST', INIT, { raw, token, headers }), reference: body.paymentReference }
}

describe('metaData', () => {
  const LARGE =
    '{"orderId":1234567890123456789,"inner":{"list":[-9007199254740993,7,"12345678901234567890"]},"small":1.5}'

  test('keeps large integers digit by digit in status, search, event, feed, webhook and the page of the payment', async () => {
    const h = harness()
    const { main } = h.merchants
    const { answer, reference } = await sendRaw(h, main, LARGE)
    expect(answer.status, answer.text).toBe(200)
    const { transactionReference } = answer.json.responseBody
    expect((await query(h, main, { paymentReference: reference })).text).toContain(`"metaData":${LARGE}`)
    const found = await h.as(main, 'GET', `/api/v1/transactions/search?paymentReference=${reference}`)
    expect(found.text).toContain(`"metaData":${LARGE}`)
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    const worker = h.startWorker()
    try {
      await h.pay(await issueAccount(h, main, transactionReference), 1500)
      const delivered = await h.until('the webhook', async () =>
        at(h, path).find(({ text }) => text.includes('SUCCESSFUL_TRANSACTION') && text.includes(reference)),
      )
      expect(delivered.text).toContain(`"metaData":${LARGE}`)
      const signature = createHmac('sha512', main.secretKey).update(delivered.text).digest('hex')
      expect(delivered.headers['monnify-signature']).toBe(signature)
      const feed = await h.as(main, 'GET', '/api/v1/events?after=0&limit=100')
      expect(feed.text).toContain(`"metaData":${LARGE}`)
    } finally {
      await worker.stop()
    }
  })

  test('a key that is sent again with another large integer is refused, with the same one it is answered again', async () => {
    const h = harness()
    const { main } = h.merchants
    const headers = { 'idempotency-key': unique('key') }
    const token = await h.token(main)
    const { raw, answer } = await sendRaw(h, main, '{"orderId":1234567890123456789}', headers)
    const again = await h.call('POST', INIT, { raw, token, headers })
    expect([again.status, again.text]).toEqual([200, answer.text])
    const other = await h.call('POST', INIT, { raw: raw.replace('456789}', '456788}'), token, headers })
    expect(other.json.problem).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
    expect(other.json.responseMessage).toContain('metaData')
  })

  test('the number of a card is refused as a large integer too', async () => {
    const h = harness()
    const { answer } = await sendRaw(h, h.merchants.main, '{"note":4111111111111111110}')
    expect([answer.status, answer.json.problem.code]).toEqual([400, 'CARD_DATA_REFUSED'])
  })

  test('outside it a large integer is refused: no double holds it', async () => {
    const h = harness()
    const { main } = h.merchants
    const raw = JSON.stringify(initBody(main)).replace('"Ngozi Bello"', '1234567890123456789')
    const answer = await h.call('POST', INIT, { raw, token: await h.token(main) })
    expect([answer.status, answer.json.problem.code]).toEqual([400, 'MALFORMED_BODY'])
  })

  test('parseExact reads what JSON.parse reads, and nothing is taken for a large integer that is none', () => {
    const text = '{"a":[1234567890123456,"12345678901234567",1.2345678901234567,1e21],"b":{"rawJSON":"1"}}'
    expect(parseExact(text)).toEqual(JSON.parse(text))
    expect(isRawNumber({ rawJSON: '1' })).toBe(false)
    expect(JSON.stringify(parseExact('[12345678901234567890]'))).toBe('[12345678901234567890]')
  })
})

describe('a query with both references', () => {
  test('404 when they name different transactions, whichever of them it is asked by; the answer when they name one', async () => {
    const h = harness()
    const { main } = h.merchants
    const [a, b] = [await initialise(h, main), await initialise(h, main)]
    const both = await query(h, main, {
      transactionReference: a.transactionReference,
      paymentReference: a.paymentReference,
    })
    expect([both.status, both.json.responseBody.transactionReference]).toEqual([200, a.transactionReference])
    const unknown = await query(h, main, { transactionReference: `${a.transactionReference}9` })
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const crossed = await query(h, main, {
        transactionReference: first.transactionReference,
        paymentReference: second.paymentReference,
      })
      expect([crossed.status, crossed.json.problem.code]).toEqual([404, unknown.json.problem.code])
    }
  })
})

describe('redirectUrl', () => {
  test.each(['myshop://paid', 'ng.adire.shop:/orders/7', 'myshop:paid', 'http://shop.example/back'])(
    '%s is taken, and the checkout leads there with the references',
    async (redirectUrl) => {
      const h = harness()
      const { main } = h.merchants
      const made = await initialise(h, main, { redirectUrl })
      const page = await (await fetch(made.checkoutUrl)).text()
      expect(page).toContain(`href="${redirectUrl}?paymentReference=${made.paymentReference}&amp;`)
    },
  )

  test.each([
    ...['javascript:alert(1)', 'JavaScript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'blob:x'],
    ...['about:blank', 'filesystem:x', 'view-source:x', 'https:shop.example', 'myshop:', 'myshop://a:b@paid', 'paid'],
    ...[' myshop://paid', 'my\tshop://paid', 'java\nscript:x', '//shop.example'],
  ])('%j is 400', async (redirectUrl) => {
    const h = harness()
    const answer = await h.as(h.merchants.main, 'POST', INIT, initBody(h.merchants.main, { redirectUrl }))
    expect([answer.status, answer.json.problem.field]).toEqual([400, 'redirectUrl'])
  })

  test('in live a web address is https; an application is an application', () => {
    const live = { environment: 'live' } as const
    expect(() => checkRedirect(live, 'http://shop.example/back')).toThrow(/https/)
    expect(() => checkRedirect(live, 'HTTP://shop.example/back')).toThrow(/https/)
    expect(() => checkRedirect(live, 'https://shop.example/back')).not.toThrow()
    expect(() => checkRedirect(live, 'myshop://paid')).not.toThrow()
  })

  test('what a row holds that no request may have made is no link', () => {
    for (const address of ['javascript:alert(1)', 'DATA:text/html,x', ' javascript:x', null])
      expect(returnLink(address)).toBeNull()
  })
})
