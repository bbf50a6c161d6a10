// The checkout on a shop's own page, in Chromium on a real sandbox: a page of another origin, with a policy
// as strict as a shop may have, that loads the script and counts what it is told.
import { readFileSync } from 'node:fs'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { screenshot, startSite, violations, watchFor } from './browser.ts'
import {
  accountIn,
  asksFor5050,
  CANCELLED,
  cancel,
  completedOf,
  expire,
  forgive,
  frameOf,
  gone,
  heading,
  names,
  payWith,
  payWith3ds,
  payWithOtp,
  send,
  type Told,
  told,
} from './in-page-shop.ts'
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
const LOADED = ['onLoadStart', 'onLoadComplete']
/** What the script does about a message, at the moment that it does it. */
const WATCH = `(() => {
  window.reactions = []
  const ask = window.fetch
  window.fetch = (...call) => {
    if (window.event?.type === 'message') reactions.push('asks')
    return ask(...call)
  }
  window.confirm = () => reactions.push('confirms')
  navigation.addEventListener('navigate', () => reactions.push('leaves'))
  addEventListener('message', ({ data }) => { if (data === 'clicked') reactions.push('the frame clicks') })
})()`
/** How often the page has asked anybody anything. */
const COUNT_ASKS = `(() => {
  const ask = window.fetch
  window.asks = 0
  window.answers = 0
  window.fetch = (...call) => {
    window.asks += 1
    return ask(...call).finally(() => { window.answers += 1 })
  }
})()`
async function until(page: Page, ...ends: string[]): Promise<void> {
  await expect.poll(() => names(page), { timeout: 30_000 }).toEqual([...LOADED, ...ends])
}

async function opened(page: Page, options: Record<string, unknown>): Promise<FrameLocator> {
  await press(page, options)
  await asksFor5050(page)
  await until(page)
  return frameOf(page)
}
const transfer = async (page: Page): Promise<void> => send(payer(), await accountIn(page))

describe('paid', () => {
  test('by transfer: each callback once, the fields of a list record, focus and scroll back where they were', async () => {
    const page = await visit()
    await page.clock.install()
    await page.evaluate(COUNT_ASKS)
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
    expect(complete).toEqual(completedOf(wanted['reference'], { metaData: { order: count } }))
    expect(closed).toMatchObject({
      authorizedAmount: 5050,
      paymentStatus: 'PAID',
      responseCode: 'SUCCESS',
      redirectUrl: null,
    })
    expect(await page.evaluate('document.activeElement.id')).toBe('pay')
    expect(await page.evaluate('document.documentElement.style.overflow')).toBe('')
    // An hour later nothing has been asked, so nothing can be told twice.
    const asked = await page.evaluate('asks')
    await page.clock.fastForward(3_600_000)
    expect(await page.evaluate('asks')).toBe(asked)
    expect(await names(page)).toEqual([...LOADED, 'onComplete', 'onClose'])
  })

  test('by card with a code', async () => {
    const page = await visit(PHONE)
    await opened(page, order())
    await payWithOtp(page)
    await heading(page, 'Paid')
    await until(page, 'onComplete', 'onClose')
    expect((await told(page))[2]?.[1]).toMatchObject({ paymentMethod: 'CARD', status: 'SUCCESS' })
  })

  test('by card with 3-D Secure: the issuer’s page is a window beside the frame, and closes', async () => {
    const page = await visit()
    await opened(page, order())
    const issuer = await payWith3ds(page)
    expect(issuer.startsWith(payer().sandbox.handle.simulatorUrl)).toBe(true)
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
    await asksFor5050(page)
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
    await send(payer(), number)
    await until(page, 'onClose', 'onComplete')
    expect((await told(page))[3]?.[1]).toMatchObject({ paymentStatus: 'PAID', status: 'SUCCESS' })
  })
})

describe('asking how it stands', () => {
  test('a tab that wakes up again and again asks no more often afterwards', async () => {
    const page = await visit()
    await page.clock.install()
    await opened(page, order())
    await page.evaluate(COUNT_ASKS)
    const wakes = 6
    await page.evaluate(`for (let i = 0; i < ${wakes}; i += 1) document.dispatchEvent(new Event('visibilitychange'))`)
    await expect.poll(() => page.evaluate(`asks >= ${wakes} && answers === asks`)).toBe(true)
    const before = Number(await page.evaluate('asks'))
    await page.clock.fastForward(4_000)
    // One of the script's own four seconds may have ended beside it.
    const after = Number(await page.evaluate('asks')) - before
    expect(after).toBeGreaterThanOrEqual(1)
    expect(after).toBeLessThanOrEqual(2)
  })

  test('an answer that never comes keeps nobody: the payer leaves, and the page is told', async () => {
    const page = await visit()
    await page.clock.install()
    await opened(page, order())
    await page.route('**/page-result', () => undefined)
    await page.getByRole('button', { name: 'Close the payment' }).click()
    await heading(page, 'Cancel this payment?')
    await page.getByRole('button', { name: 'Close the payment' }).click()
    await page.clock.fastForward(2_000)
    await until(page, 'onClose')
    await gone(page)
    expect((await told(page))[2]?.[1]).toEqual(CANCELLED)
    await forgive(payer())
  })
})

describe('as the guide shows it', () => {
  test('the page opens: plain HTML, one button', async () => {
    const page = await visit(PHONE, '/page-opens')
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.getByRole('button', { name: 'Pay now' }).click()
    await asksFor5050(page)
    await transfer(page)
    await expect.poll(() => said, { timeout: 30_000 }).toEqual(['ended PAID', 'closed SUCCESS'])
  })
  test('the server initialises, the page opens, and goes on when it has ended', async () => {
    const page = await visit(PHONE, '/server-initialises')
    await page.getByRole('button', { name: 'Pay now' }).click()
    await asksFor5050(page)
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
    await asksFor5050(page)
    await cancel(page)
    await until(page, 'onClose')
    expect((await told(page))[2]?.[1]).toEqual(CANCELLED)
    await gone(page)
  })

  test('expired: told as FAILED, and closed by the payer', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    await expire(page)
    await until(page, 'onComplete')
    expect((await told(page))[2]?.[1]).toMatchObject({ paymentStatus: 'EXPIRED', status: 'FAILED', completed: true })
    await frame.getByRole('link', { name: 'Return to Adire Stores' }).click()
    await until(page, 'onComplete', 'onClose')
    expect((await told(page))[3]?.[1]).toMatchObject({ paymentStatus: 'EXPIRED', responseCode: 'FAILED' })
  })

  test('cancelled: the promise of the end has no payment in it', async () => {
    const page = await visit()
    await page.evaluate(`void Cowrie.checkout(${JSON.stringify(order())}).then((end) => { window.end = end })`)
    await asksFor5050(page)
    await cancel(page)
    await expect.poll(() => page.evaluate('window.end')).toEqual({ completed: null, closed: CANCELLED })
  })

  test('another amount while a payment without a reference is open is another payment: refused, and told', async () => {
    const page = await visit()
    await press(page, order({ reference: undefined }))
    await asksFor5050(page)
    await press(page, order({ reference: undefined, amount: 17, redirectUrl: `${shop.url}/thanks` }))
    await until(page, 'onClose')
    expect((await told(page))[2]?.[1]).toMatchObject({ responseCode: 'ALREADY_OPEN', redirectUrl: null })
    expect(await page.locator('iframe').count()).toBe(1)
    await forgive(payer(), /Another payment/)
  })

  test('a door that does not answer: what the server has initialised can be paid on its own page', async () => {
    const page = await visit()
    const { url } = await payer().payment({ redirectUrl: undefined })
    await page.route('**/plugin/transactions', (route) => route.abort())
    await press(page, { checkoutUrl: url })
    expect(await page.getByRole('link', { name: 'Open it on its own page' }).getAttribute('href')).toBe(url)
    await page.getByRole('button', { name: 'Close the payment' }).click()
    await expect.poll(() => names(page)).toEqual(['onLoadStart', 'onClose'])
    await forgive(payer(), /ERR_FAILED|NETWORK_ERROR/)
  })

  test('options that are refused: nothing opens, the console says why, and no button stays busy', async () => {
    const page = await visit()
    await press(page, order({ contractCode: '1' }))
    await expect.poll(() => names(page)).toEqual(['onLoadStart', 'onClose'])
    expect((await told(page))[1]?.[1]).toMatchObject({ responseCode: 'CONTRACT_UNKNOWN', redirectUrl: null })
    expect(await page.locator('dialog').count()).toBe(0)
    await forgive(payer())
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
    await forgive(payer())
  })

  test('forged messages change nothing, neither to the page nor to the frame', async () => {
    const page = await visit()
    const frame = await opened(page, order())
    await page.evaluate(WATCH)
    await page.evaluate(`(() => {
      for (const cowrie of ['close', 'tab', 'escape', 'surely', 'ready'])
        window.dispatchEvent(new MessageEvent('message', { data: { cowrie }, origin: ${JSON.stringify(payer().sandbox.handle.apiUrl)}, source: window }))
      window.postMessage({ cowrie: 'close' }, '*')
      addEventListener('message', ({ data }) => { if (data === 'last') window.last = true })
    })()`)
    // Whatever the frame answers to the forged one it says before its own last word, and both come in order.
    await frame.locator('body').evaluate(`(() => {
      document.addEventListener('click', () => parent.postMessage('clicked', '*'))
      addEventListener('message', ({ data }) => { if (data === 'last') parent.postMessage('last', '*') })
      window.postMessage({ cowrie: 'leave' }, '*')
      window.postMessage('last', '*')
    })()`)
    await expect.poll(() => page.evaluate('window.last')).toBe(true)
    expect(await page.evaluate('reactions')).toEqual([])
    await asksFor5050(page)
    expect(await names(page)).toEqual(LOADED)
    expect(page.url()).toBe(`${shop.url}/`)
  })

  test('where the shop’s policy forbids it the hosted page opens in the same tab; who comes back is told', async () => {
    const page = await visit(DESKTOP, '/no-frames')
    const wanted = order()
    await press(page, wanted)
    await page.waitForURL('**/checkout/**')
    await page.getByRole('heading', { level: 1, name: askFor('₦5,050.00'), exact: true }).waitFor()
    expect(await page.locator('dialog').count()).toBe(0)
    await send(payer(), await page.locator('data.number').getAttribute('value'))
    await page.getByRole('heading', { level: 1, name: 'Paid', exact: true }).waitFor()
    await page.goto(`${shop.url}/no-frames`)
    await press(page, wanted)
    await expect.poll(() => names(page)).toEqual(['onLoadStart', 'onComplete', 'onClose'])
    await forgive(payer())
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
    await forgive(payer())
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
    await forgive(payer(), /Failed to execute 'postMessage'/) // axe speaks to frames as if they were of its own origin
  })
})
