// Every screen of the checkout in a browser, from views: axe, sizes, zoom, print. The flows are in
// checkout.test.ts.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../apps/checkout/src/languages.ts'
import { cancelPage, checkoutPage, foreignPage, linkPage, notFoundPage } from '../../apps/checkout/src/page.ts'
import { LINK_SAMPLES, pending, SAMPLES } from '../../apps/checkout/src/sample.ts'
import { covered, launch, screenshot, serve, tooSmall, violations } from './browser.ts'

const quiet = (html: string) => html.replace(' data-go', '').replace(' data-watch=""', '') // nobody answers here
const views = {
  ...SAMPLES,
  sent: { ...pending, saysSent: true },
  'ussd-pick': { ...SAMPLES.ussd, ussd: { ...SAMPLES.ussd.ussd, chosen: null } },
  'card-errors': {
    ...SAMPLES.card,
    typed: { expiry: '13/30' },
    errors: [
      { field: 'number', word: 'errorNumber' },
      { field: 'expiry', word: 'errorExpiry' },
    ] as const,
  },
  // A colour that no text could be read on, a long name, a logo, and somebody to ask.
  branded: {
    ...pending,
    brand: {
      name: 'Mama Nkechi Kitchen and Catering Services',
      logoUrl: '/logo.svg',
      colour: '#ffcc00',
      supportEmail: 'help@nkechi.example',
      supportPhone: '+234 803 000 1111',
    },
    amountText: '12345678.90',
  },
  'branded-paid': {
    ...SAMPLES.paid,
    brand: { ...pending.brand, colour: '#2f3fa8', supportEmail: 'help@adire.example' },
  },
  'branded-card': { ...SAMPLES.card, brand: { ...pending.brand, colour: '#ff1a1a' } },
  'not-counted': {
    ...pending,
    arrivals: [
      { ...SAMPLES.late.arrivals[0]!, amountText: '4000.00', state: 'RETURNING' as const, reason: 'UNDER_PAYMENT' },
    ],
  },
}
const pages = new Map([
  ...Object.entries(views).map(([name, view]) => [name, checkoutPage(view)] as const),
  ['cancel', cancelPage(pending)] as const,
  ['not-found', notFoundPage()] as const,
  ['foreign', foreignPage('en', '/')] as const,
  ...Object.entries(LINK_SAMPLES).map(([name, view]) => [`link-${name.toLowerCase()}`, linkPage(view)] as const),
  ...LANGUAGES.slice(1).map((language) => [`transfer-${language}`, checkoutPage({ ...pending, language })] as const),
])
const NAMES = [...pages.keys()]
const WIDE = [
  'transfer',
  'card',
  'paid',
  'late',
  'topUp',
  'branded',
  'branded-paid',
  'not-found',
  'link-active',
  'link-open',
]
const DARK = ['transfer', 'card', 'paid', 'branded', 'link-active', 'link-open']

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="14" fill="#c62828"/></svg>'

let browser: Browser
let page: Page
let site: Awaited<ReturnType<typeof serve>>
beforeAll(async () => {
  const served = new Map([...pages].map(([name, { html, csp }]) => [name, { html: quiet(html), csp }]))
  ;[browser, site] = await Promise.all([launch(), serve(served, { '/logo.svg': LOGO })])
  page = await browser.newPage()
})
afterAll(async () => {
  await browser?.close()
  site?.stop()
})

const size = (width: number) => page.setViewportSize({ width, height: 800 })
const scrollWidth = (): Promise<number> => page.evaluate('document.documentElement.scrollWidth')
const details = (open: boolean) =>
  page.evaluate(`for (const one of document.querySelectorAll('details')) one.open = ${open}`)

test.each(NAMES)(
  '%s: axe at 360 px in both colours and at 1280 px, targets of 44 px, 320 px wide, large text',
  async (name) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' })
    await size(360)
    await page.goto(`${site.url}/${name}`)
    await screenshot(page, `${name}-360`)
    await details(true)
    expect(await violations(page)).toEqual([])
    expect(await tooSmall(page)).toEqual([])
    expect(await covered(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'contrast'), 'dark').toEqual([])
    await details(false)
    if (DARK.includes(name)) await screenshot(page, `${name}-dark-360`)
    await details(true)
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    expect(await page.evaluate('document.getAnimations().length'), 'moves').toBe(0)
    await size(320) // 1280 at 400 %
    expect(await scrollWidth()).toBeLessThanOrEqual(320)
    expect(await covered(page), '320 px').toEqual([])
    await size(640)
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    expect(await scrollWidth()).toBeLessThanOrEqual(640)
    expect(await covered(page), 'large text').toEqual([])
    await page.evaluate('document.documentElement.style.fontSize = ""')
    await size(1280)
    expect(await violations(page), '1280 px').toEqual([])
    expect(await tooSmall(page), '1280 px').toEqual([])
    await details(false)
    if (WIDE.includes(name)) await screenshot(page, `${name}-1280`)
    if (!DARK.includes(name)) return
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(page, 'contrast'), 'dark, 1280 px').toEqual([])
    await screenshot(page, `${name}-dark-1280`)
  },
)

test('the focus goes to what is wrong, with scripts and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled })
    const fresh = await context.newPage()
    await fresh.goto(`${site.url}/card-errors`)
    await expect.poll(() => fresh.locator('[role=alert]').evaluate((element) => element.matches(':focus'))).toBe(true)
    await context.close()
  }
})

test('a printed receipt shows references and no buttons', async () => {
  await page.goto(`${site.url}/paid`)
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByText('order-1001').isVisible()).toBe(true)
  expect(await page.locator('.btn:visible, .copy:visible, nav:visible, summary:visible').count()).toBe(0)
  await page.emulateMedia({ media: null })
})

test('card: digits in fours, the brand named, a slash in the expiry', async () => {
  await page.goto(`${site.url}/card`)
  await page.getByLabel('Card number').pressSequentially('5060995994247093')
  expect(await page.getByLabel('Card number').inputValue()).toBe('5060 9959 9424 7093')
  expect(await page.locator('.brand').textContent()).toBe('Verve')
  await page.getByLabel('Expiry date').pressSequentially('1030')
  expect(await page.getByLabel('Expiry date').inputValue()).toBe('10/30')
  expect(await page.getByLabel('CVV').getAttribute('type')).toBe('password')
})

test('card: the mark of the brand is left, and a date that cannot be is told before anything is sent', async () => {
  await page.goto(`${site.url}/card`)
  const marks = () => page.locator('[data-scheme]:visible').evaluateAll((all) => all.map((one) => one.dataset.scheme))
  expect(await marks()).toEqual(['Verve', 'Mastercard', 'Visa'])
  await page.getByLabel('Card number').pressSequentially('4111111111111111')
  expect(await marks()).toEqual(['Visa'])
  await page.getByLabel('CVV').fill('123')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const pay = page.getByRole('button', { name: /^Pay ₦/ })
  // The page's time is the server's: May 2026.
  for (const [date, said] of [
    ['13/30', 'Enter the expiry date as month and year, for example 10/30.'],
    ['', 'Enter the expiry date as month and year, for example 10/30.'],
    ['04/26', 'This card has expired. Check the date, or use another card.'],
  ] as const) {
    await page.getByLabel('Expiry date').fill(date)
    await pay.click()
    await page.locator('#card-expiry-error').getByText(said).waitFor()
    expect(await page.getByLabel('Expiry date').evaluate((field) => field.matches(':focus[aria-invalid=true]'))).toBe(
      true,
    )
    expect(await violations(page)).toEqual([])
  }
  expect(asked).toEqual([])
  expect(await page.getByLabel('Card number').inputValue()).toBe('4111 1111 1111 1111')
  await page.getByLabel('Expiry date').fill('05/26') // good until the end of its month
  await pay.click()
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]).toContain('/card')
})
