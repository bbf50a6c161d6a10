// The checkout on a shop's own page, in Chromium on a real sandbox: a page of another origin, with a policy
// as strict as a shop may have, that loads the script and counts what it is told.
import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SANDBOX_CARDS } from '../../packages/contract/src/collections/cards.ts'
import { screenshot, startSite, violations, watchFor } from './browser.ts'
import { askFor, DESKTOP, PHONE, usePayer } from './payer.ts'

const payer = usePayer()
type Site = Awaited<ReturnType<typeof startSite>>
let shop: Site
let evil: Site

/** As the guide shows it, with the sandbox in place of the gateway. */
const sample = (name: string): string =>
  readFileSync(new URL(`../../samples/guides/in-page/${name}`, import.meta.url), 'utf8').replaceAll(
    'https://pay.example',
    payer().sandbox.handle.apiUrl,
  )
const pageOf = (
  api: string,
  policy: string,
): string => `<!doctype html><html lang="en"><head><title>Adire Stores</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<script src="${api}/plugin/monnify.js"></script></head>
<body><main><h1>Two metres of adire</h1><button id="pay" type="button">Pay now</button></main></body></html>`

beforeAll(async () => {
  const api = payer().sandbox.handle.apiUrl
  const policy = `default-src 'none'; style-src 'none'; ${sample('policy.txt').trim()}`
  const { apiKey, contractCode } = payer().sandbox.handle.merchants.main
  const one = await payer().payment({ redirectUrl: undefined })
  shop = await startSite({
    '/': pageOf(api, policy),
    '/no-frames': pageOf(api, policy.replace(/frame-src \S+/, "frame-src 'none'")),
    '/page-opens': sample('page-opens.html').replace('MK_TEST_01', apiKey).replace('0100000000', contractCode),
    '/server-initialises': sample('server-initialises.html'),
    '/orders/17/pay': JSON.stringify({ checkoutUrl: one.url }),
  })
  evil = await startSite({ '/': pageOf(api, policy) })
})
afterAll(() => {
  shop.stop()
  evil.stop()
})

let count = 0
const order = (over: Record<string, unknown> = {}): Record<string, unknown> => {
  count += 1
  const { apiKey, contractCode } = payer().sandbox.handle.merchants.main
  return {
    amount: 5050,
    currency: 'NGN',
    reference: `page-${count}`,
    customerFullName: 'Ngozi Bello',
    customerEmail: 'ngozi@example.com',
    paymentDescription: 'Two metres of adire',
    metadata: { order: count },
    apiKey,
    contractCode,
    ...over,
  }
}

async function visit(options: BrowserContextOptions = DESKTOP, path = '/', site = shop): Promise<Page> {
  const context = await payer().browser.newContext({ locale: 'en-NG', ...options })
  payer().contexts.push(context)
  const { apiUrl, simulatorUrl } = payer().sandbox.handle
  const problems = watchFor(context, [apiUrl, simulatorUrl, shop.url, evil.url, 'about:'])
  context.on('close', () => payer().complaints.push(...problems))
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(site.url + path)
  return page
}

/** What the shop's own script does when its button is pressed. */
async function press(page: Page, options: Record<string, unknown>, times = 1): Promise<void> {
  await page.evaluate(`(() => {
    window.calls = window.calls || []
    const tell = (name) => (data) => calls.push([name, data === undefined ? null : data])
    const options = ${JSON.stringify(options)}
    for (const name of ['onLoadStart', 'onLoadComplete', 'onComplete', 'onClose']) options[name] = tell(name)
    document.getElementById('pay').focus()
    for (let i = 0; i < ${times}; i += 1) MonnifySDK.initialize(options)
  })()`)
}
type Told = [name: string, data: any]
const told = (page: Page): Promise<Told[]> => page.evaluate('window.calls || []')
const names = async (page: Page): Promise<string[]> => (await told(page)).map(([name]) => name)
const LOADED = ['onLoadStart', 'onLoadComplete']
async function until(page: Page, ...ends: string[]): Promise<void> {
  await expect.poll(() => names(page), { timeout: 30_000 }).toEqual([...LOADED, ...ends])
}

const frameOf = (page: Page): FrameLocator => page.frameLocator('dialog iframe')
const heading = (page: Page, name: string): Promise<void> =>
  frameOf(page).getByRole('heading', { level: 1, name, exact: true }).waitFor()
async function opened(page: Page, options: Record<string, unknown>): Promise<FrameLocator> {
  await press(page, options)
  await heading(page, askFor('₦5,050.00'))
  await until(page)
  return frameOf(page)
}
async function transfer(page: Page, amount = 5050): Promise<void> {
  const accountNumber = await frameOf(page).locator('data.number').getAttribute('value')
  await send(accountNumber, amount)
}
async function send(accountNumber: string | null, amount = 5050): Promise<void> {
  const answer = await fetch(`${payer().sandbox.handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode: '50515', accountNumber, amount }),
  })
  expect(((await answer.json()) as any).status).toBe('ACCEPTED')
}
async function payWith(page: Page, name: keyof typeof SANDBOX_CARDS): Promise<void> {
  const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS[name]
  const frame = frameOf(page)
  await frame.getByRole('link', { name: 'Card', exact: true }).click()
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill(`${expiryMonth}/${expiryYear.slice(2)}`)
  await frame.getByLabel('CVV').fill(cvv)
  await frame.getByLabel('Card PIN').fill(pin)
  await frame.getByRole('button', { name: /^Pay ₦/ }).click()
}
async function gone(page: Page): Promise<void> {
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
}
const CANCELLED = {
  authorizedAmount: 5050,
  paymentStatus: 'USER_CANCELLED',
  redirectUrl: null,
  responseCode: 'USER_CANCELLED',
  responseMessage: 'User cancelled Transaction',
}
/** Complaints that the test made itself. */
async function forgive(pattern = /./): Promise<void> {
  await Promise.all(
    payer()
      .contexts.splice(0)
      .map((one) => one.close()),
  )
  expect(
    payer()
      .complaints.splice(0)
      .filter((one) => !pattern.test(one)),
  ).toEqual([])
}

describe('paid', () => {
  test('by transfer: each callback once, the fields of a list record, focus and scroll back where they were', async () => {
    const page = await visit()
    const wanted = order()
    await opened(page, wanted)
    expect(await page.evaluate('document.activeElement.tagName')).toBe('IFRAME')
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('hidden')
    expect(await page.locator('dialog').getAttribute('aria-label')).toBe('Payment to Adire Stores')
    await transfer(page)
    await heading(page, 'Paid')
    await until(page, 'onComplete', 'onClose')
    await gone(page)
    const [, , [, complete], [, closed]] = (await told(page)) as [Told, Told, Told, Told]
    expect(complete).toEqual({
      amount: 5050,
      amountPaid: 5050,
      completed: true,
      completedOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.000\+0000$/),
      createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.000\+0000$/),
      currencyCode: 'NGN',
      customerEmail: 'ngozi@example.com',
      customerName: 'Ngozi Bello',
      fee: expect.any(Number),
      metaData: { order: count },
      payableAmount: 5050,
      paymentMethod: 'ACCOUNT_TRANSFER',
      paymentReference: wanted['reference'],
      paymentStatus: 'PAID',
      transactionReference: expect.any(String),
      status: 'SUCCESS',
      redirectUrl: null,
    })
    expect(closed).toMatchObject({
      authorizedAmount: 5050,
      paymentStatus: 'PAID',
      responseCode: 'SUCCESS',
      redirectUrl: null,
    })
    expect(await page.evaluate('document.activeElement.id')).toBe('pay')
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('')
    await page.waitForTimeout(5_000) // one more question would have been asked by now
    expect(await names(page)).toEqual([...LOADED, 'onComplete', 'onClose'])
  })

  test('by card with a code', async () => {
    const page = await visit(PHONE)
    const frame = await opened(page, order())
    await payWith(page, 'otp')
    await frame.getByLabel('One-time code').fill(SANDBOX_CARDS.otp.otp)
    await frame.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'Paid')
    await until(page, 'onComplete', 'onClose')
    expect((await told(page))[2]?.[1]).toMatchObject({ paymentMethod: 'CARD', status: 'SUCCESS' })
  })

  test('by card with 3-D Secure: the issuer’s page is a window beside the frame, and closes', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    await payWith(page, 'threeDs')
    await heading(page, 'Confirm at your bank')
    const coming = page.context().waitForEvent('page')
    await frame.getByRole('button', { name: 'Continue to your bank' }).click()
    const issuer = await coming
    await issuer.getByRole('heading', { level: 1, name: 'Approve this payment?' }).waitFor()
    expect(issuer.url().startsWith(payer().sandbox.handle.simulatorUrl)).toBe(true)
    const closing = issuer.waitForEvent('close')
    await issuer.getByRole('button', { name: 'Approve', exact: true }).click()
    await closing
    await heading(page, 'Paid')
    await until(page, 'onComplete', 'onClose')
    expect(page.url()).toBe(`${shop.url}/`)
  })

  test('by card with 3-D Secure where popups are refused: the whole tab goes, comes back, and the page is told', async () => {
    const page = await visit()
    await page.context().addInitScript('window.open = () => null')
    await page.reload()
    const wanted = order()
    const frame = await opened(page, wanted)
    await payWith(page, 'threeDs')
    await frame.getByRole('button', { name: 'Continue to your bank' }).click()
    await page.getByRole('heading', { level: 1, name: 'Approve this payment?' }).waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Paid', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Return to Adire Stores' }).click()
    await page.waitForURL(`${shop.url}/`)
    await press(page, wanted)
    await until(page, 'onComplete', 'onClose')
    expect((await told(page))[2]?.[1]).toMatchObject({ paymentReference: wanted['reference'], status: 'SUCCESS' })
  })

  test('what the shop’s server has initialised; then the page goes where the server said', async () => {
    const page = await visit()
    const one = await payer().payment({ redirectUrl: `${shop.url}/thanks` })
    await opened(page, { checkoutUrl: one.url })
    await transfer(page)
    await page.waitForURL(`${shop.url}/thanks?**`)
    expect(new URL(page.url()).searchParams.get('paymentReference')).toBe(one.reference)
  })

  test('a reload in the middle finds the payment again', async () => {
    const page = await visit()
    const wanted = order()
    const frame = await opened(page, wanted)
    const before = await frame.locator('data.number').getAttribute('value')
    await page.reload()
    const after = await opened(page, wanted)
    expect(await after.locator('data.number').getAttribute('value')).toBe(before)
    await transfer(page)
    await until(page, 'onComplete', 'onClose')
  })

  test('pressed twice: one frame, one payment, and each call is told once', async () => {
    const page = await visit()
    await press(page, order(), 2)
    await heading(page, askFor('₦5,050.00'))
    expect(await page.locator('iframe').count()).toBe(1)
    await transfer(page)
    await expect
      .poll(async () => (await names(page)).toSorted())
      .toEqual([
        'onClose',
        'onClose',
        'onComplete',
        'onComplete',
        'onLoadComplete',
        'onLoadComplete',
        'onLoadStart',
        'onLoadStart',
      ])
  })

  test('the money comes when the frame is closed already: the page is told, once', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    const number = await frame.locator('data.number').getAttribute('value')
    await page.getByRole('button', { name: 'Close the payment' }).click()
    await heading(page, 'Cancel this payment?')
    await page.getByRole('button', { name: 'Close the payment' }).click()
    await until(page, 'onClose')
    expect((await told(page))[2]?.[1]).toEqual(CANCELLED)
    await send(number)
    await until(page, 'onClose', 'onComplete')
    expect((await told(page))[3]?.[1]).toMatchObject({ paymentStatus: 'PAID', status: 'SUCCESS' })
  })
})

describe('as the guide shows it', () => {
  test('the page opens: plain HTML, one button', async () => {
    const page = await visit(PHONE, '/page-opens')
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.getByRole('button', { name: 'Pay now' }).click()
    await heading(page, askFor('₦5,050.00'))
    await transfer(page)
    await expect.poll(() => said, { timeout: 30_000 }).toEqual(['ended PAID', 'closed SUCCESS'])
  })
  test('the server initialises, the page opens, and goes on when it has ended', async () => {
    const page = await visit(PHONE, '/server-initialises')
    await page.getByRole('button', { name: 'Pay now' }).click()
    await heading(page, askFor('₦5,050.00'))
    await transfer(page)
    await page.waitForURL(`${shop.url}/orders/17`)
    expect(page.url()).toBe(`${shop.url}/orders/17`)
  })
})

describe('not paid', () => {
  test('Escape asks first and goes back; “yes” cancels, and the page is told so', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    await page.keyboard.press('Escape')
    await heading(page, 'Cancel this payment?')
    await frame.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('Escape')
    await heading(page, askFor('₦5,050.00'))
    await frame.getByRole('link', { name: 'Cancel this payment' }).click()
    await frame.getByRole('button', { name: 'Yes, cancel it' }).click()
    await until(page, 'onClose')
    expect((await told(page))[2]?.[1]).toEqual(CANCELLED)
    await gone(page)
  })

  test('expired: told as FAILED, and closed by the payer', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    await frame.getByText('Test tools').click()
    await frame.getByRole('button', { name: 'Past expiry', exact: true }).click()
    await heading(page, 'This payment has expired')
    await until(page, 'onComplete')
    expect((await told(page))[2]?.[1]).toMatchObject({ paymentStatus: 'EXPIRED', status: 'FAILED', completed: true })
    await frame.getByRole('link', { name: 'Return to Adire Stores' }).click()
    await until(page, 'onComplete', 'onClose')
    expect((await told(page))[3]?.[1]).toMatchObject({ paymentStatus: 'EXPIRED', responseCode: 'FAILED' })
  })

  test('options that are refused: nothing opens, the console says why, and no button stays busy', async () => {
    const page = await visit()
    await press(page, order({ contractCode: '1' }))
    await expect.poll(() => names(page)).toEqual(['onLoadStart', 'onClose'])
    expect((await told(page))[1]?.[1]).toMatchObject({ responseCode: 'CONTRACT_UNKNOWN', redirectUrl: null })
    expect(await page.locator('dialog').count()).toBe(0)
    await forgive()
  })
})

describe('the frame', () => {
  test('is refused to every other origin', async () => {
    const page = await visit()
    const wanted = order()
    await opened(page, wanted)
    const address = await page.locator('dialog iframe').getAttribute('src')
    const thief = await visit(DESKTOP, '/', evil)
    await thief.evaluate(`(() => {
      const frame = document.createElement('iframe')
      frame.src = ${JSON.stringify(address)}
      document.body.append(frame)
    })()`)
    await expect.poll(() => thief.frames().some((one) => one.url().startsWith('chrome-error'))).toBe(true)
    await forgive()
  })

  test('forged messages change nothing, neither to the page nor to the frame', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    await page.evaluate(`(() => {
      for (const cowrie of ['close', 'tab', 'escape', 'surely', 'ready'])
        window.dispatchEvent(new MessageEvent('message', { data: { cowrie }, origin: ${JSON.stringify(payer().sandbox.handle.apiUrl)}, source: window }))
      window.postMessage({ cowrie: 'close' }, '*')
    })()`)
    await frame.locator('body').evaluate(`window.postMessage({ cowrie: 'leave' }, '*')`)
    await page.waitForTimeout(1_000)
    await heading(page, askFor('₦5,050.00'))
    expect(await names(page)).toEqual(LOADED)
    expect(page.url()).toBe(`${shop.url}/`)
  })

  test('where the shop’s policy forbids it the hosted page opens in the same tab', async () => {
    const page = await visit(DESKTOP, '/no-frames')
    await press(page, order())
    await page.waitForURL('**/checkout/**')
    await page.getByRole('heading', { level: 1, name: askFor('₦5,050.00'), exact: true }).waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
    await forgive()
  })

  test('that does not come: after fifteen seconds it says so and offers the hosted page', async () => {
    const page = await visit()
    await page.clock.install()
    await page.route('**/checkout/**', (route) =>
      route.request().frame().parentFrame() ? undefined : route.continue(),
    )
    await press(page, order())
    await page.locator('iframe').waitFor({ state: 'attached' })
    await page.clock.fastForward(16_000)
    await page.getByText('The payment page does not load inside this page.').waitFor()
    await screenshot(page, 'in-page-stuck-1280')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Close the payment' }).click()
    await expect.poll(() => names(page)).toEqual(['onLoadStart', 'onClose'])
    await forgive()
  })

  test.each([320, 390, 1440])('%i pixels wide: nothing runs over, axe finds nothing, light and dark', async (width) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await visit({ viewport: { width, height: width < 500 ? 740 : 900 }, colorScheme })
      const frame = await opened(page, order())
      expect(await violations(page), colorScheme).toEqual([])
      const inside = page.frames().find((one) => one.url().includes('/checkout/'))
      expect(await inside?.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      await screenshot(page, `in-page-transfer-${width}-${colorScheme}`)
      await frame.getByRole('link', { name: 'Card', exact: true }).click()
      await heading(page, 'Pay by card')
      await screenshot(page, `in-page-card-${width}-${colorScheme}`)
    }
    await forgive(/Failed to execute 'postMessage'/) // axe speaks to frames as if they were of its own origin
  })
})
