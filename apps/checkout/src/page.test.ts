import { createHash } from 'node:crypto'
import { transactionMachine } from '@cowrie/contract/transactions'
import { describe, expect, test } from 'vitest'
import { type CheckoutView, checkoutPage, landingPage, notFoundPage } from './page.ts'
import { type CheckoutState, nairaWords } from './words.ts'

const account = { bankName: 'Wema Bank', accountNumber: '0123456789', accountName: 'Adire Stores' }
const pending: CheckoutView = {
  merchantName: 'Adire Stores',
  amountText: '1500.00',
  currency: 'NGN',
  description: 'Two metres of adire',
  paymentReference: 'order-1001',
  transactionReference: 'CWRY|01|20260502141500|000812',
  state: 'PENDING',
  amountPaidText: '0.00',
  account,
  validUntil: '14:32',
  paidOn: null,
  redirectUrl: 'https://adire.example/thanks?paymentReference=order-1001',
  sandbox: true,
  simulatorUrl: 'http://127.0.0.1:4100/?accountNumber=0123456789&amount=1500.00',
  drawAction: '/checkout/token/draw',
}
const STATES = Object.keys(transactionMachine.states) as CheckoutState[]
const links = {
  docsUrl: 'http://127.0.0.1:4000/docs',
  openapiUrl: 'http://127.0.0.1:4000/openapi.json',
  simulatorUrl: 'http://127.0.0.1:4100',
  sandbox: true,
}
const titleOf = (page: string): string => /<title>(.*)<\/title>/.exec(page)?.[1] ?? ''
const everyPage = [
  ...STATES.map((state) => ({ name: state as string, page: checkoutPage({ ...pending, state }) })),
  { name: 'PENDING without account', page: checkoutPage({ ...pending, account: null }) },
  { name: 'not found', page: notFoundPage() },
  { name: 'landing', page: landingPage(links) },
]

describe('every page', () => {
  test.each(everyPage)('$name: the policy admits exactly its style, and there is no script', ({ page }) => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(page.html)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page.csp).toContain("default-src 'none'")
    expect(page.csp).toContain(`style-src 'sha256-${hash}'`)
    expect(page.csp).not.toContain('unsafe')
    expect(page.html).not.toMatch(/<script|<img|<link|<iframe|\ssrc=|\sstyle=|\son\w+=|url\(|@import/i)
    expect(page.html).toContain('<html lang="en">')
  })

  test.each(everyPage)('$name: addresses stand in links only', ({ page }) => {
    const withoutLinks = page.html.replace(/<a [^>]*href="[^"]*"[^>]*>/g, '')
    expect(withoutLinks.replaceAll('http-equiv', '')).not.toMatch(/http/i)
  })
})

describe('checkoutPage', () => {
  test.each(STATES)('%s has a screen of its own with reference, merchant and state in the title', (state) => {
    const { html } = checkoutPage({ ...pending, state })
    expect(html).toContain('order-1001')
    expect(html).toContain('Return to Adire Stores')
    expect(html).toContain('href="https://adire.example/thanks?paymentReference=order-1001"')
    const others = STATES.filter((other) => other !== state).map((other) => checkoutPage({ ...pending, state: other }))
    expect(others.map((other) => titleOf(other.html))).not.toContain(titleOf(html))
  })

  test('PENDING without account offers one button and does not refresh', () => {
    const { html, csp } = checkoutPage({ ...pending, account: null })
    expect(html).toContain('<form method="post" action="/checkout/token/draw">')
    expect(html.match(/<button/g)).toHaveLength(1)
    expect(html).toContain('Pay by bank transfer')
    expect(html).not.toContain('http-equiv="refresh"')
    expect(csp).toContain("form-action 'self'")
  })

  test('PENDING with account shows where to pay and refreshes every 10 s', () => {
    const { html } = checkoutPage(pending)
    expect(html.replace(/<[^>]+>/g, '')).toContain('Transfer exactly ₦1,500.00 to this account from any bank app.')
    expect(html).toContain('<data class="number" value="0123456789"><span>012</span><span>345</span><span>6789</span>')
    expect(html).toContain('Valid until 14:32')
    expect(html).toContain('<meta http-equiv="refresh" content="10">')
    expect(html).toContain('href="http://127.0.0.1:4100/?accountNumber=0123456789&amp;amount=1500.00"')
    expect(html).not.toContain('<form')
  })

  test('less, more and nothing are told in naira', () => {
    const less = checkoutPage({ ...pending, state: 'PARTIALLY_PAID', amountPaidText: '1000.50' }).html
    expect(less).toContain('₦1,000.50 of ₦1,500.00 has arrived; ₦499.50 is missing.')
    const more = checkoutPage({ ...pending, state: 'OVERPAID', amountPaidText: '2500.00' }).html
    expect(more).toContain('₦2,500.00 has arrived; that is ₦1,000.00 more than asked.')
    const late = checkoutPage({ ...pending, state: 'EXPIRED' }).html
    expect(late).toContain('No money has arrived for this payment. This payment was valid until 14:32.')
  })

  test('the sandbox says so, live has no trace of it', () => {
    expect(checkoutPage(pending).html).toContain('<strong>SANDBOX</strong>')
    const live = checkoutPage({ ...pending, sandbox: false }).html
    expect(live.replace(/<style>[\s\S]*<\/style>/, '')).not.toMatch(/sandbox|simulator/i)
  })

  test('whatever others wrote is escaped', () => {
    const nasty = `<script>alert("1")</script>'&`
    for (const state of STATES) {
      const { html } = checkoutPage({
        ...pending,
        state,
        merchantName: nasty,
        description: nasty,
        paymentReference: nasty,
        transactionReference: nasty,
        paidOn: nasty,
        amountText: nasty,
        amountPaidText: nasty,
        validUntil: nasty,
        drawAction: nasty,
        account: { bankName: nasty, accountNumber: nasty, accountName: nasty },
      })
      expect(html).not.toContain('<script')
      expect(html).not.toContain(`"1"`)
      expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;')
    }
  })

  test('an address that is not of the web never becomes a link', () => {
    const address = 'javascript:alert(1)'
    const { html } = checkoutPage({ ...pending, redirectUrl: address, simulatorUrl: address })
    expect(html).not.toContain('javascript:')
    expect(checkoutPage({ ...pending, redirectUrl: null }).html).not.toContain('Return to')
  })
})

describe('landingPage', () => {
  test('says that the dashboard is missing and what to use instead', () => {
    const { html } = landingPage(links)
    expect(html).toContain('The merchant dashboard is not built yet')
    for (const url of [links.docsUrl, links.openapiUrl, links.simulatorUrl]) expect(html).toContain(`href="${url}"`)
    expect(html).toContain('POST /sandbox/clock/advance')
    expect(landingPage({ ...links, sandbox: false }).html).not.toContain('/sandbox/')
  })
})

test.each([
  ['20.00', '₦20.00'],
  ['999.99', '₦999.99'],
  ['1500.00', '₦1,500.00'],
  ['1234567.89', '₦1,234,567.89'],
  ['9999999999999.00', '₦9,999,999,999,999.00'],
])('nairaWords: %s reads %s', (text, words) => {
  expect(nairaWords(text)).toBe(words)
})
