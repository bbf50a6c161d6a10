// A payment link, and the page of a shop, where strangers have opened many payments and left them: in
// Chromium the page works for a second and goes on by itself; without scripts a payer waits a minute.
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { screenshot, startSite, violations, watchFor } from './browser.ts'
import { askFor, heading, noScripts, PHONE, usePayer } from './payer.ts'

const payer = usePayer()
let url = ''

/** As many as one network may open before its next payer is asked. */
const UNASKED = 30
const start = () =>
  fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name: 'N', email: 'n@nobody.example', amount: '100' }).toString(),
  })

beforeAll(async () => {
  const { contractCode } = payer().sandbox.handle.merchants.main
  const body = { title: 'Donate', currencyCode: 'NGN', contractCode }
  url = (await payer().call('/api/v1/payment-links', body, await payer().token())).paymentLinkUrl
  for (let n = 0; n < UNASKED; n += 1) await start()
})

const linkAt = async (options: object): Promise<Page> =>
  payer().open({ url, reference: '', transaction: '' }, { ...PHONE, ...options })
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel('Amount in naira').fill('1500')
  await page.getByLabel('Your name').fill('Ngozi Okafor')
  await page.getByLabel('E-mail address').fill('ngozi@example.com')
}

test('as many as nobody is asked for were opened; the next is asked', async () => {
  expect((await start()).status).toBe(422)
})

test('with scripts: the page answers its puzzle while somebody types, and goes on', async () => {
  const page = await linkAt({})
  await heading(page, 'Your details')
  expect(await violations(page)).toEqual([])
  await fillIn(page)
  await expect.poll(() => page.locator('[name=answer]').inputValue(), { timeout: 60_000 }).toMatch(/^\d+$/)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await heading(page, askFor('₦1,500.00'))
})

test('with scripts: a form that comes without a good answer is answered by the page, and goes on by itself', async () => {
  const page = await linkAt({})
  await fillIn(page)
  // As when the page was opened before anybody was asked.
  await page.evaluate(`{
    const { puzzle, answer } = document.querySelector('form[data-puzzle]').elements
    puzzle.value = ''
    answer.value = 'none'
  }`)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await heading(page, askFor('₦1,500.00'))
  expect(await page.locator('[name=answer]').count()).toBe(0)
})

test('without scripts: the page says to wait a minute, and then takes the form', async () => {
  const page = await linkAt(noScripts())
  await page.getByText('Please wait a minute, then continue.').waitFor()
  await screenshot(page, 'link-wait-360')
  await fillIn(page)
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByText('Please wait a minute, then continue.').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ngozi Okafor')
  await payer().call('/sandbox/clock/advance', { seconds: 61 }, await payer().token())
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await heading(page, askFor('₦1,500.00'))
})

test('on the page of a shop: the script answers the puzzle, and the frame opens', async () => {
  const { apiUrl, simulatorUrl, merchants } = payer().sandbox.handle
  const { apiKey, contractCode } = merchants.main
  const shop = await startSite({
    '/': `<!doctype html><html lang="en"><head><title>Adire Stores</title><script src="${apiUrl}/plugin/v1/cowrie.js"></script></head><body></body></html>`,
  })
  onTestFinished(() => shop.stop())
  const options = { amount: 1500, currency: 'NGN', customerEmail: 'ngozi@example.com', apiKey, contractCode }
  const asked = await fetch(`${apiUrl}/plugin/transactions`, {
    ...{ method: 'POST', headers: { origin: shop.url }, body: JSON.stringify(options) },
  })
  expect([asked.status, asked.headers.get('x-cowrie-puzzle') !== null]).toEqual([429, true])
  const context = await payer().browser.newContext()
  payer().contexts.push(context)
  // The browser itself writes the refusal that asks for work to the console.
  watchFor(context, [apiUrl, simulatorUrl, shop.url, 'about:'])
  const page = await context.newPage()
  await page.goto(shop.url)
  await page.evaluate(`void Cowrie.checkout(${JSON.stringify(options)})`)
  await page
    .frameLocator('dialog iframe')
    .getByRole('heading', { level: 1, name: askFor('₦1,500.00') })
    .waitFor()
})
