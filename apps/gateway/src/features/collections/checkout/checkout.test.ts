// The hosted checkout over HTTP, on a real database: what a payer sees of every state, and the little they
// may do.

import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { isForeign } from '#kit/http/foreign.ts'
import {
  advance,
  type Harness,
  type Initialised,
  initialise,
  issueAccount,
  status,
  useHarness,
} from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'
import { cardError, readCard } from './card-forms.ts'
import { listWays } from './checkout.ts'

const harness = useHarness()

const pathOf = (made: { checkoutUrl: string }): string => new URL(made.checkoutUrl).pathname
const page = (h: Harness, path: string, headers: Record<string, string> = {}) => h.call('GET', path, { headers })
const titleOf = (html: string): string => (/<title>(.*)<\/title>/.exec(html)?.[1] ?? '').split(' · ')[0] ?? ''
const markOf = (html: string): string => /data-mark="([^"]*)"/.exec(html)?.[1] ?? ''
const accountOf = (html: string): string => /<data class="number" value="(\d{10})"/.exec(html)?.[1] ?? ''
const post = async (h: Harness, path: string, fields: Record<string, string> = {}, headers = {}, base = h.apiUrl) => {
  const answer = await fetch(base + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}
const accounts = (h: Harness, reference: string) =>
  h.sql(
    '01',
    'select v.account_number from virtual_accounts v join transactions t on t.id = v.transaction_id where t.reference = $1',
    [reference],
  )
const play = async (h: Harness, made: Initialised, action: string) => {
  const answer = await post(h, `${pathOf(made)}/sandbox`, { action })
  expect([answer.status, answer.location]).toEqual([303, pathOf(made)])
  return page(h, pathOf(made))
}
const CHARGE = `insert into card_charges (id, merchant_id, transaction_id, reference, status, channel, kobo, bin, last4, exp_month, exp_year,
    return_token, created_at)
  select t.id + 1000000000, t.merchant_id, t.id, 'planted' || t.id, $2, 'CHECKOUT', t.kobo, '411111', '1111', '10', '2030', 'x', t.created_at
  from transactions t where t.reference = $1`

describe('GET the page', () => {
  test('200 with a policy of hashes, and the account issued: it is the one of init-payment', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main, {
      paymentDescription: '<b>&"\'adire',
      redirectUrl: 'https://shop.example/back?x=1',
    })
    const shown = await page(h, pathOf(made))
    expect(shown.status).toBe(200)
    const policy = shown.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(
      /^default-src 'none'; img-src data:; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; /,
    )
    for (const part of ["require-trusted-types-for 'script'", "trusted-types 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*|http/)
    for (const [name, value] of [
      ['content-type', 'text/html; charset=utf-8'],
      ['x-content-type-options', 'nosniff'],
      ['referrer-policy', 'no-referrer'],
      ['cross-origin-opener-policy', 'same-origin'],
      ['cache-control', 'no-store'],
    ] as const)
      expect(shown.headers.get(name), name).toBe(value)
    expect(shown.headers.get('set-cookie')).toBeNull()
    expect(shown.text).toContain('₦1,500.00')
    expect(shown.text).toContain('&lt;b&gt;&amp;&quot;&#39;adire')
    expect(shown.text).toContain('https://shop.example/back?x=1&amp;paymentReference=')
    expect(accountOf(shown.text)).toBe(await issueAccount(h, main, made.transactionReference))
  })
  test('the account is issued once, however many open the page at once', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const pages = await Promise.all(Array.from({ length: 12 }, () => page(h, pathOf(made))))
    expect(new Set(pages.map(({ text }) => accountOf(text))).size).toBe(1)
    expect(accountOf(pages[0]?.text ?? '')).toMatch(/^\d{10}$/)
    expect(await accounts(h, made.transactionReference)).toHaveLength(1)
  })
  test('HEAD, a fetch ahead, the card form and a payment without transfer issue nothing', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    await fetch(made.checkoutUrl, { method: 'HEAD' })
    const ahead = await page(h, pathOf(made), { 'sec-purpose': 'prefetch' })
    expect(ahead.text).toContain(`action="${pathOf(made)}/account"`)
    expect(await accounts(h, made.transactionReference)).toEqual([])
    expect((await post(h, `${pathOf(made)}/account`)).status).toBe(303)
    expect(await accounts(h, made.transactionReference)).toHaveLength(1)
    // Such a payment is refused now; old ones are still there.
    const other = await initialise(h, h.merchants.main)
    await h.sql('01', `update transactions set methods = 'P' where reference = $1`, [other.transactionReference])
    expect(titleOf((await page(h, pathOf(other))).text)).toBe('This payment cannot be made here')
    expect(await accounts(h, other.transactionReference)).toEqual([])
    const card = await initialise(h, h.merchants.main, { paymentMethods: ['CARD'] })
    expect((await post(h, `${pathOf(card)}/account`)).status).toBe(303)
    expect(await accounts(h, card.transactionReference)).toEqual([])
  })
  test('a payment by USSD alone gets an account to dial to, and init-payment still refuses it', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main, { paymentMethods: ['USSD'], amount: 20.5 })
    const pick = await page(h, pathOf(made))
    expect(titleOf(pick.text)).toBe('Pay by USSD')
    expect(pick.text.match(/<option /g)).toHaveLength(12)
    for (const closed of ['Diamond', 'Heritage']) expect(pick.text).not.toContain(closed)
    expect(pick.text).not.toContain('Kuda') // has no code for a transfer with amount
    const [row] = await accounts(h, made.transactionReference)
    const dial = await page(h, `${pathOf(made)}?way=ussd&bank=058`)
    expect(dial.text).toContain(`href="tel:*737*2*20.50*${row.account_number}%23"`)
    const code = new URLSearchParams({ code: `*737*2*20.50*${row.account_number}#` })
    expect(dial.text).toContain(`href="${h.simulatorUrl}/dial?${code.toString()}"`)
    const asked = await h.as(main, 'POST', '/api/v1/merchant/bank-transfer/init-payment', {
      transactionReference: made.transactionReference,
    })
    expect(asked.json.problem.code).toBe('METHOD_NOT_ENABLED')
    await h.pay(row.account_number, '20.50')
    expect(titleOf((await page(h, pathOf(made))).text)).toBe('Paid')
  })
  test('404 for a wrong token, a wrong reference and the token of another, the same answer for all and for every address', async () => {
    const h = harness()
    const [made, another] = [await initialise(h, h.merchants.main), await initialise(h, h.merchants.main)]
    const path = pathOf(made)
    const token = path.split('/').at(-1) ?? ''
    const wrong = [
      path.replace(token, pathOf(another).split('/').at(-1) ?? ''),
      path.replace(token, `${token}x`),
      path.replace(token, token.slice(0, -1)),
      path.replace('CWRY%7C01', 'CWRY%7C02'),
      path.replace('CWRY%7C01', 'CWRY%7C77'),
      `/checkout/nonsense/${token}`,
      '/checkout/%00/%00',
    ]
    const pages = await Promise.all(wrong.flatMap((one) => [page(h, one), page(h, `${one}/cancel`)]))
    expect(new Set(pages.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(pages[0]?.status).toBe(404)
    for (const one of wrong) {
      for (const end of ['account', 'cancel', 'sandbox']) expect((await post(h, `${one}/${end}`)).status).toBe(404)
      for (const end of ['status', 'live']) expect((await page(h, `${one}/${end}`)).status).toBe(404)
    }
    const record = await status(h, h.merchants.main, made.transactionReference)
    expect([record.paymentStatus, record.paymentMethod]).toEqual(['PENDING', null])
  })
  test('compressed as the browser can read it, at most 15 kB', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    for (const [accept, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await fetch(made.checkoutUrl, { headers: { 'accept-encoding': accept } })
      expect(answer.headers.get('content-encoding')).toBe(encoding)
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(encoding === null ? 40_000 : 15_000)
      expect(await answer.text()).toContain('</html>')
    }
  })
  test('speaks the language of the browser, or the one chosen on the page, also after a form', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const hausa = await page(h, pathOf(made), { 'accept-language': 'ha-NG,en;q=0.5' })
    expect(hausa.text).toContain('<html lang="ha">')
    const yoruba = await page(h, `${pathOf(made)}?lang=yo`, { 'accept-language': 'ha' })
    expect(yoruba.text).toContain('<html lang="yo">')
    expect((await page(h, `${pathOf(made)}?lang=xx&lang=yo`)).text).toContain('<html lang="en">')
    const account = await post(h, `${pathOf(made)}/account?lang=ig`)
    expect(account.location).toBe(`${pathOf(made)}?lang=ig`)
  })
})

describe('the states, by real money', () => {
  test.each([
    ['exact', 'PAID', 'Paid', '₦1,500.00 has arrived'],
    [
      'less',
      'PARTIALLY_PAID',
      'Less than the amount due has arrived',
      '₦750.00 of ₦1,500.00 has arrived; ₦750.00 is missing',
    ],
    ['more', 'OVERPAID', 'Paid, with more than the amount due', '₦2,250.00 has arrived; that is ₦750.00 more'],
    ['twice', 'PAID', 'Paid, and more money arrived', 'Another ₦1,500.00 arrived'],
    ['late', 'EXPIRED', 'Your transfer arrived too late', '₦1,500.00 arrived after this payment had closed'],
    ['past', 'EXPIRED', 'This payment has expired', 'No money has arrived'],
  ])('sandbox form %s: %s, %s', async (action, state, title, said) => {
    const h = harness()
    const made = await initialise(h, h.merchants.main, { redirectUrl: 'https://shop.example/back' })
    const before = await page(h, pathOf(made))
    const shown = await play(h, made, action)
    expect(titleOf(shown.text)).toBe(title)
    expect(shown.text).toContain(said)
    expect(markOf(shown.text)).not.toBe(markOf(before.text))
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe(state)
    expect(shown.text).toContain(`paymentStatus=${state}`)
    expect(shown.text).not.toContain(`value="${accountOf(before.text)}"`)
  })
  test('how the bank notifies: twice counts once, ten minutes late by the clock, lost not before the statement', async () => {
    const h = harness()
    const { main } = h.merchants
    const states = async (...actions: string[]) => {
      const made: string[] = []
      for (const action of actions) {
        const one = await initialise(h, main)
        await play(h, one, action)
        made.push(one.transactionReference)
      }
      return () => Promise.all(made.map(async (one) => (await status(h, main, one)).paymentStatus))
    }
    const now = await states('notified-twice', 'delayed', 'lost', 'reversed')
    expect(await now()).toEqual(['PAID', 'PENDING', 'PENDING', 'PAID'])
    await advance(h, 601)
    expect(await now()).toEqual(['PAID', 'PAID', 'PENDING', 'PAID'])
  })
  test('a second transfer after PAID: the page tells that it came, that it is on its way back, and that it was sent', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const paid = await play(h, made, 'exact')
    expect(titleOf(paid.text)).toBe('Paid')
    const twice = await play(h, made, 'exact')
    expect(titleOf(twice.text)).toBe('Paid, and more money arrived')
    expect(twice.text).toContain('It is being returned to the account it came from.')
    await advance(h, 1)
    const sent = await page(h, pathOf(made))
    expect(sent.text).toContain('It has been returned to the account it came from.')
    expect(new Set([markOf(paid.text), markOf(twice.text), markOf(sent.text)]).size).toBe(3)
  })
  test('held by policy: the page names the day by which it will be returned', async () => {
    const h = harness()
    const { other } = h.merchants
    const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
    expect((await h.as(other, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
    const made = await initialise(h, other)
    await play(h, made, 'exact')
    expect((await play(h, made, 'exact')).text).toMatch(
      /By \d\d\/\d\d\/\d{4} it will be returned to the account it came from/,
    )
  })
  test('in parts, by policy: what is missing is asked for at the same account until it is there', async () => {
    const h = harness()
    const { second } = h.merchants
    const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
    expect((await h.as(second, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
    const made = await initialise(h, second)
    const part = await play(h, made, 'less')
    expect(titleOf(part.text)).toBe('Part of the amount has arrived')
    expect(part.text).toContain('Please send the missing ₦750.00 to the same account.')
    await h.pay(accountOf(part.text), 750)
    const whole = await page(h, pathOf(made))
    expect(titleOf(whole.text)).toBe('Paid')
    expect((await status(h, second, made.transactionReference)).amountPaid).toBe('1500.00')
  })
  test('sent back by policy and then paid exactly: Paid, with a word on what was returned; unpaid: no lie that nothing came', async () => {
    const h = harness()
    const { second } = h.merchants
    const policy = { less: 'RETURN', more: 'RETURN', extra: 'RETURN', tolerance: 0, barredPayers: [] }
    expect((await h.as(second, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
    const made = await initialise(h, second)
    const short = await play(h, made, 'less')
    expect(titleOf(short.text)).toBe('Pay by bank transfer')
    expect(short.text).toContain('₦750.00 arrived. That is less than the amount due, so it was not accepted.')
    const paid = await play(h, made, 'exact')
    expect(titleOf(paid.text)).toBe('Paid')
    expect(paid.text).toContain('₦750.00 arrived. That is less than the amount due')
    const unpaid = await initialise(h, second)
    await play(h, unpaid, 'less')
    const over = await play(h, unpaid, 'past')
    expect(titleOf(over.text)).toBe('This payment has expired')
    expect(over.text).not.toContain('No money has arrived')
  })
  test('sandbox form nearly: one minute is left, and the payment still waits', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const shown = await play(h, made, 'nearly')
    const [, now, until] = /data-now="(\d+)" data-until="(\d+)"/.exec(shown.text) ?? []
    expect(Number(until) - Number(now)).toBeGreaterThan(50_000)
    expect(Number(until) - Number(now)).toBeLessThanOrEqual(60_000)
    expect(titleOf((await play(h, made, 'exact')).text)).toBe('Paid')
  })
  test('303 with a notice for an action that does not exist; the payment is untouched', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const answer = await post(h, `${pathOf(made)}/sandbox`, { action: 'rob' })
    expect(answer.location).toBe(`${pathOf(made)}?did=not`)
    expect((await page(h, answer.location ?? '')).text).toContain('The simulator refused.')
  })
  test('live has no bar and no address behind it: 404, and the clock stays', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const port = await freePort()
    const app = createApi({ ...h.gateway, clock: null }, { ...h.config, port })
    await app.listen({ host: '127.0.0.1', port })
    try {
      const base = `http://127.0.0.1:${port}`
      const offset = h.gateway.ctx.clock.offsetMs()
      for (const action of ['exact', 'past'])
        expect((await post(h, `${pathOf(made)}/sandbox`, { action }, {}, base)).status).toBe(404)
      const shown = await (await fetch(base + pathOf(made))).text()
      expect(accountOf(shown)).toMatch(/^\d{10}$/)
      expect(shown.slice(shown.indexOf('<body>'))).not.toMatch(/sandbox|simulator/i)
      expect(h.gateway.ctx.clock.offsetMs()).toBe(offset)
      expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
    } finally {
      await app.close()
    }
  })
})

describe('cancel', () => {
  test('GET asks, POST cancels; the history records it, and money that arrives afterwards is reported', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const account = accountOf((await page(h, pathOf(made))).text)
    const asked = await page(h, `${pathOf(made)}/cancel`)
    expect(titleOf(asked.text)).toBe('Cancel this payment?')
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
    expect(await post(h, `${pathOf(made)}/cancel`)).toMatchObject({ status: 303, location: pathOf(made) })
    expect(titleOf((await page(h, pathOf(made))).text)).toBe('The payment was cancelled')
    const [change] = await h.sql(
      '01',
      `select c.action, c.from_state, c.to_state, t.closed_at from state_changes c join transactions t on t.id = c.object_id
       where t.reference = $1 and c.object = 'transaction' order by c.version desc limit 1`,
      [made.transactionReference],
    )
    expect(change).toMatchObject({ action: 'cancel', from_state: 'PENDING', to_state: 'CANCELLED' })
    expect(change.closed_at).toBeInstanceOf(Date)
    await h.pay(account, 1500)
    expect(titleOf((await page(h, pathOf(made))).text)).toBe('Your transfer arrived too late')
    expect(titleOf((await page(h, `${pathOf(made)}/cancel`)).text)).toBe('Your transfer arrived too late')
  })
  test('409 while an issuer has been asked and has not answered; the payment stays', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    await h.sql('01', CHARGE, [made.transactionReference, 'SENT'])
    try {
      const answer = await post(h, `${pathOf(made)}/cancel`)
      expect(answer.status).toBe(409)
      expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
    } finally {
      await h.sql('01', `delete from card_charges where reference like 'planted%'`)
    }
  })
  test('409 for a cancel that meets a charge being started: it waits for the transaction’s lock and sees the charge', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const other = new pg.Client({ connectionString: h.databases['01'] })
    await other.connect()
    try {
      await other.query('begin')
      await other.query('select from transactions where reference = $1 for update', [made.transactionReference])
      const cancelled = post(h, `${pathOf(made)}/cancel`)
      await h.until('the cancel to wait', async () => {
        const rows = await h.sql('01', `select from pg_stat_activity where wait_event_type = 'Lock'`)
        return rows.length > 0
      })
      await other.query(CHARGE, [made.transactionReference, 'SENT'])
      await other.query('commit')
      expect((await cancelled).status).toBe(409)
      expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
    } finally {
      await other.end()
      await h.sql('01', `delete from card_charges where reference like 'planted%'`)
    }
  })
  test('303 for a payment that is over; it stays what it is', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    await play(h, made, 'exact')
    expect((await post(h, `${pathOf(made)}/cancel`)).status).toBe(303)
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PAID')
  })
  test('40 cancels against 40 credits at once: each is either paid or cancelled with its money in suspense', async () => {
    const h = harness()
    const { main } = h.merchants
    const all = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const made = await initialise(h, main)
        return { made, account: await issueAccount(h, main, made.transactionReference) }
      }),
    )
    await Promise.all(
      all.flatMap(({ made, account }, at) => {
        const cancel = () => post(h, `${pathOf(made)}/cancel`)
        const pay = () => h.pay(account, 1500)
        return at % 2 === 0 ? [cancel(), pay(), cancel()] : [pay(), cancel(), cancel()]
      }),
    )
    const rows = await h.sql(
      '01',
      `select t.status, c.outcome, count(*)::int from transactions t join inbound_credits c on c.transaction_id = t.id
       where t.reference = any($1) group by 1, 2`,
      [all.map(({ made }) => made.transactionReference)],
    )
    expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(40)
    for (const row of rows) expect(['PAID COUNTED', 'CANCELLED SUSPENDED']).toContain(`${row.status} ${row.outcome}`)
  })
})

describe('forms of other sites', () => {
  test('403 and nothing done for a cross-site post; 303 for our own', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      const answer = await post(h, `${pathOf(made)}/cancel`, {}, headers)
      expect([answer.status, titleOf(answer.text)]).toEqual([403, 'This did not come from the payment page'])
    }
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
    expect((await post(h, `${pathOf(made)}/cancel`, {}, { 'sec-fetch-site': 'same-origin' })).status).toBe(303)
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('CANCELLED')
  })
  test.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://pay.example' }, false],
    [{ origin: 'https://pay.example.evil.example' }, true],
    [{ origin: 'http://pay.example' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://pay.example' }, true],
  ])('%j is foreign: %s', (headers, foreign) => {
    expect(isForeign(headers, 'https://pay.example/base')).toBe(foreign)
  })
  test('413 for a form above 64 kB', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    expect((await post(h, `${pathOf(made)}/cancel`, { x: 'y'.repeat(70_000) })).status).toBe(413)
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PENDING')
  })
})

describe('card', () => {
  const { plain, otp, failing, threeDs } = SANDBOX_CARDS
  const typed = (card: { number: string }, over: Record<string, string> = {}) => ({
    number: card.number,
    expiry: '10/30',
    cvv: '123',
    pin: '1234',
    ...over,
  })
  const pay = (h: Harness, made: Initialised, card: { number: string }, over: Record<string, string> = {}) =>
    post(h, `${pathOf(made)}/card`, typed(card, over))

  test('303 and PAID; the page names the card by six and four digits', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const answer = await pay(h, made, plain)
    expect([answer.status, answer.location]).toEqual([303, `${pathOf(made)}?way=card`])
    const shown = await page(h, pathOf(made))
    expect(titleOf(shown.text)).toBe('Paid')
    expect(shown.text).toContain('411111******1111')
  })
  test('422 with the form again, its expiry kept and no secret in it; then a refused card, then a good one', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const wrong = await pay(h, made, { number: '4111 1111 1111 1112' }, { cvv: '9876', pin: '8642' })
    expect(wrong.status).toBe(422)
    expect(wrong.text).toContain('The card number is not valid.')
    expect(wrong.text).toContain('value="10/30"')
    expect(wrong.text).not.toMatch(/(?<![\w-])(?:9876|8642)(?![\w-])|1111 1112|11111112/)
    const expired = await pay(h, made, plain, { expiry: '01/20' })
    expect([expired.status, expired.text.includes('This card has expired.')]).toEqual([422, true])
    expect((await pay(h, made, failing)).status).toBe(303)
    const declined = await page(h, pathOf(made))
    expect(titleOf(declined.text)).toBe('The card was declined')
    expect(declined.text).toContain('You can try a card 2 more times.')
    expect((await pay(h, made, plain)).status).toBe(303)
    expect(titleOf((await page(h, pathOf(made))).text)).toBe('Paid')
    expect((await pay(h, made, plain)).text).toContain('Paid') // closed by now: the page says so
  })
  test('OTP: 422 for letters and for a wrong code, with the tries that are left; 303 and PAID for the right one', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.second)
    await pay(h, made, otp)
    expect(titleOf((await page(h, pathOf(made))).text)).toBe('Enter the code from your bank')
    const code = (text: string) => post(h, `${pathOf(made)}/otp`, { otp: text })
    expect((await code('abc')).text).toContain('Enter the code from your bank, digits only.')
    const wrong = await code('999999')
    expect([wrong.status, wrong.text.includes('That code is not correct.')]).toEqual([422, true])
    expect(wrong.text).toContain('2 attempts left.')
    expect(wrong.text).not.toContain('999999')
    expect((await code(otp.otp)).status).toBe(303)
    expect(titleOf((await page(h, pathOf(made))).text)).toBe('Paid')
    expect((await code(otp.otp)).status).toBe(303)
  })
  test('3-D Secure: a form to the issuer alone, and the policy lets nobody else be sent to', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    await pay(h, made, threeDs)
    const shown = await page(h, pathOf(made))
    expect(titleOf(shown.text)).toBe('Confirm at your bank')
    const target = /<form method="post" action="(http[^"]+)">/.exec(shown.text)?.[1] ?? ''
    expect(target.startsWith(`${h.simulatorUrl}/3ds/`)).toBe(true)
    expect(shown.headers.get('content-security-policy')).toContain(`form-action 'self' ${new URL(target).origin};`)
  })
  test('an issuer that is silent: checking, no cancel, and PAID once it was found out; the page is updated', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main, { amount: '3901.38' })
    await pay(h, made, plain)
    const shown = await page(h, `${pathOf(made)}?way=transfer`)
    expect(titleOf(shown.text)).toBe('Checking with your bank')
    const refused = await post(h, `${pathOf(made)}/cancel`)
    expect([refused.status, refused.text.includes('cannot be cancelled now')]).toEqual([409, true])
    await advance(h, 60)
    const found = await page(h, pathOf(made))
    expect(titleOf(found.text)).toBe('Paid')
    expect(markOf(found.text)).not.toBe(markOf(shown.text))
  })
  test('six forms at once charge the card once', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(h, made, plain)))
    for (const { status } of answers) expect([303, 422]).toContain(status)
    const [row] = await h.sql(
      '01',
      `select count(*) filter (where c.status = 'APPROVED')::int as approved from card_charges c
       join transactions t on t.id = c.transaction_id where t.reference = $1`,
      [made.transactionReference],
    )
    expect(row.approved).toBe(1)
    expect((await status(h, h.merchants.main, made.transactionReference)).amountPaid).toBe('1500.00')
  })
})

describe('card form', () => {
  const form = (over: Record<string, string> = {}) =>
    new URLSearchParams({ number: '4111 1111 1111 1111', expiry: '10/30', cvv: '123', pin: '1234', ...over })
  test.each([
    [{}, { number: '4111111111111111', expiryMonth: '10', expiryYear: '30', cvv: '123', pin: '1234' }],
    [
      { expiry: ' 1 / 2030 ', pin: '' },
      { number: '4111111111111111', expiryMonth: '1', expiryYear: '2030', cvv: '123' },
    ],
    [
      { expiry: '1030', number: '5060-9959-9424-7093' },
      { number: '5060995994247093', expiryMonth: '10', expiryYear: '30', cvv: '123', pin: '1234' },
    ],
  ])('%j is read as %j', (over, card) => {
    expect(readCard(form(over))).toEqual(card)
  })
  test.each([
    [{ number: '' }, ['number']],
    [{ number: '4111 1111 111' }, ['number']],
    [{ number: '4111 1111 1111 1111 x' }, ['number']],
    [{ expiry: '13/30' }, ['expiry']],
    [{ expiry: '0/30' }, ['expiry']],
    [{ expiry: 'soon' }, ['expiry']],
    [{ cvv: '12' }, ['cvv']],
    [{ pin: '12' }, ['pin']],
    [{ number: 'x', expiry: '', cvv: '', pin: 'y' }, ['number', 'expiry', 'cvv', 'pin']],
  ])('%j is refused for %j, and what was typed is not in the answer', (over, fields) => {
    const errors = readCard(form(over as Record<string, string>))
    expect(Array.isArray(errors) && errors.map(({ field }) => field)).toEqual(fields)
    expect(JSON.stringify(errors)).not.toMatch(/\d/)
  })
  test('refusals of a charge become words; what is not known is looked up first', () => {
    expect(cardError('CARD_NUMBER_INVALID')).toEqual({ field: 'number', word: 'errorNumber' })
    expect(cardError('CHARGE_UNDER_WAY')).toEqual({ field: null, word: 'errorUnderWay' })
    expect(cardError('UNAVAILABLE')).toEqual({ field: null, word: 'errorService' })
    expect(cardError(null)).toEqual({ field: null, word: 'errorService' })
  })
  test('ways: transfer first; USSD only where it is named', () => {
    expect(listWays(['CARD', 'ACCOUNT_TRANSFER'])).toEqual(['transfer', 'card'])
    expect(listWays(['USSD', 'CARD', 'ACCOUNT_TRANSFER'])).toEqual(['transfer', 'card', 'ussd'])
    expect(listWays(['CARD'])).toEqual(['card'])
    expect(listWays(['USSD'])).toEqual(['ussd'])
  })
})

test('GET status tells mark, state and the time of the server, and nothing else', async () => {
  const h = harness()
  const made = await initialise(h, h.merchants.main)
  await page(h, pathOf(made))
  const before = await page(h, `${pathOf(made)}/status`)
  expect(Object.keys(before.json).sort()).toEqual(['mark', 'now', 'state'])
  expect(before.json).toMatchObject({ mark: markOf((await page(h, pathOf(made))).text), state: 'PENDING' })
  await advance(h, 60)
  const after = await page(h, `${pathOf(made)}/status`)
  expect(after.json.now - before.json.now).toBeGreaterThanOrEqual(60_000)
  expect(after.json.mark).toBe(before.json.mark)
})
