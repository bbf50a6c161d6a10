// "Try it" of the reference, in Chromium, against a sandbox as a reader starts it: another origin than the
// site.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES } from '../../../packages/contract/src/index.ts'
import { ensureSite } from '../../../tools/site/build.ts'
import { serveSite } from '../../../tools/site/serve.ts'
import { launch, type Sandbox, startSandbox, violations } from '../browser.ts'

const LIMIT_MS = 240_000
const PAGE = '/reference/transactions/'
const INIT = '/api/v1/merchant/transactions/init-transaction'
const ACCOUNT = '/api/v1/merchant/bank-transfer/init-payment'
const QUERY = '/api/v2/merchant/transactions/query'
const STORED = '({ local: { ...localStorage }, tab: { ...sessionStorage } })'

let site: { url: string; stop(): void }
let sandbox: Sandbox
let browser: Browser
beforeAll(async () => {
  await ensureSite()
  site = await serveSite()
  sandbox = await startSandbox()
  browser = await launch()
}, LIMIT_MS)
afterAll(async () => {
  await browser?.close()
  await sandbox?.stop()
  site?.stop()
})

const formOf = (page: Page, path: string): Locator => page.locator(`[data-try*='"${path}"'] details`)
async function open(page: Page, path: string): Promise<Locator> {
  const form = formOf(page, path)
  await form.locator('summary').click()
  await form.getByLabel('Address of your sandbox').waitFor()
  return form
}
async function identify(form: Locator, address = sandbox.handle.apiUrl): Promise<void> {
  const { apiKey, secretKey, contractCode } = sandbox.handle.merchants.main
  await form.getByLabel('Address of your sandbox').fill(address)
  await form.getByLabel('API key', { exact: true }).fill(apiKey)
  await form.getByLabel('Secret key').fill(secretKey)
  await form.getByLabel('Contract code').fill(contractCode)
}
async function send(form: Locator): Promise<{ said: string; json: any; requestId: string }> {
  await form.getByRole('button', { name: /^Send / }).click()
  await form.locator('.answer :is(.good, .bad)').waitFor()
  const said = (await form.locator('.answer > p').textContent()) ?? ''
  const text = await form.locator('.answer pre').textContent({ timeout: 1000 })
  const requestId = (await form.locator('.answer dd').first().textContent()) ?? ''
  return { said, json: JSON.parse(text ?? ''), requestId }
}
async function refused(form: Locator): Promise<string> {
  await form.getByRole('button', { name: /^Send / }).click()
  await form.locator('.answer .bad').waitFor()
  return (await form.locator('.answer').textContent()) ?? ''
}
/** Whom a page asks beside the site that it came from. */
function askedElsewhere(context: BrowserContext): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith(site.url)) asked.push(request.url())
  })
  return asked
}

test('the running sandbox serves the guides too; one from the build, which has no site, says how to get them', async () => {
  const { guidesUrl } = sandbox.handle as unknown as { guidesUrl: string }
  const page = await fetch(`${guidesUrl}/guides/integrate/webhooks/`)
  const expected = process.env['COWRIE_BUILD'] ? [503, 'npm run docs:build'] : [200, 'OFFLINE_PAYMENT_AGENT']
  expect([page.status, await page.text()]).toEqual([expected[0], expect.stringContaining(String(expected[1]))])
})

describe('a request of the reference', () => {
  test('is sent with the reader’s keys, again with another reference, and its payment is PAID', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(site.url + PAGE)
    const form = await open(page, INIT)
    await identify(form)
    const first = await send(form)
    expect(first.said).toMatch(/^200 OK$/)
    expect(first.requestId).not.toBe('')
    expect(first.json.responseBody.checkoutUrl.startsWith(`${sandbox.handle.apiUrl}/checkout/`)).toBe(true)
    expect(await form.getByRole('link', { name: /checkout/ }).getAttribute('href')).toBe(
      first.json.responseBody.checkoutUrl,
    )
    const second = await send(form)
    expect(second.said, JSON.stringify(second.json)).toMatch(/^200 /)
    expect(second.json.responseBody.paymentReference).not.toBe(first.json.responseBody.paymentReference)

    const query = await open(page, QUERY)
    expect(await query.getByLabel('paymentReference').inputValue()).toBe(second.json.responseBody.paymentReference)
    expect((await send(query)).json.responseBody.paymentStatus).toBe('PENDING')

    const account = (await send(await open(page, ACCOUNT))).json.responseBody
    const paid = await fetch(`${sandbox.handle.simulatorUrl}/api/transfers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bankCode: account.bankCode, accountNumber: account.accountNumber, amount: 1500 }),
    })
    expect(paid.status).toBe(200)
    await open(page, QUERY)
    expect((await send(query)).json.responseBody.paymentStatus).toBe('PAID')

    const { local, tab } = await page.evaluate<any>(STORED)
    const own = (stored: object) => JSON.stringify(Object.entries(stored).filter(([name]) => name.startsWith('cowrie')))
    expect(own(local)).toBe(JSON.stringify([['cowrie-try-address', sandbox.handle.apiUrl]]))
    expect(own(tab)).toContain(sandbox.handle.merchants.main.secretKey)
    await context.close()
  })

  test('what the reader changed is what is sent; a refusal is shown as it is', async () => {
    const page = await browser.newPage()
    await page.goto(site.url + PAGE)
    const form = await open(page, INIT)
    await identify(form)
    await form.getByLabel('Body').fill('{"amount": 10, "paymentRef": "x"}')
    const { said, json } = await send(form)
    expect(said).toMatch(/^400 /)
    expect(json.problem.code).toBe('FIELD_MISSING')
    await form.getByLabel('Secret key').fill('wrong')
    expect(await refused(form)).toMatch(/^The log-in was refused: .* Are these the keys of this sandbox\?$/)
    await form.getByLabel('API key', { exact: true }).fill('MK_PROD_01AAAAAAAA')
    expect(await refused(form)).toMatch(/^Nothing was sent: these are keys of a live gateway/)
    await page.close()
  })
})

describe('an address', () => {
  test.each([
    'https://api.example',
    'http://127.0.0.1.example:4000',
    'http://127.0.0.1:4000@api.example',
    'http://user:word@127.0.0.1:4000',
    'http://192.168.1.10:4000',
    'http://0.0.0.0:4000',
    'http://[::2]:4000',
    'ftp://127.0.0.1',
    '',
  ])('that is not this machine is refused in plain words, and nothing is asked: "%s"', async (address) => {
    const context = await browser.newContext()
    const page = await context.newPage()
    const asked = askedElsewhere(context)
    await page.goto(site.url + PAGE)
    const form = await open(page, INIT)
    await identify(form, address)
    expect(await refused(form)).toBe(
      `Nothing was sent: ${address || 'no address'} is not this machine. This page sends only to a sandbox at 127.0.0.1, localhost or [::1].`,
    )
    expect(asked).toEqual([])
    const { local } = await page.evaluate<any>(STORED)
    expect(Object.keys(local).filter((name) => name.startsWith('cowrie'))).toEqual([])
    await context.close()
  })

  test('of this machine where a live gateway listens is sent no key: it answers no preflight', async () => {
    const seen: string[] = []
    const live = createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.authorization ?? 'without a key'}`)
      response.writeHead(request.method === 'OPTIONS' ? 405 : 200).end('{}')
    })
    live.listen(0, '127.0.0.1')
    await once(live, 'listening')
    const page = await browser.newPage()
    await page.goto(site.url + PAGE)
    const form = await open(page, INIT)
    await identify(form, `localhost:${(live.address() as AddressInfo).port}`)
    expect(await refused(form)).toMatch(/^No answer from http:\/\/localhost:\d+\. /)
    expect(new Set(seen)).toEqual(new Set(['OPTIONS without a key']))
    await page.close()
    live.closeAllConnections()
    live.close()
  })
})

describe('the page', () => {
  test('has a form for every operation that a page may call, and none without script', async () => {
    const tried = ROUTES.filter(({ group, path }) => group === 'Transactions' && path.startsWith('/api/')).length
    const page = await browser.newPage()
    await page.goto(site.url + PAGE)
    expect(await page.locator('.try summary').count()).toBe(tried)
    await page.goto(`${site.url}/reference/sandbox/`)
    expect(await page.locator('.try').count()).toBe(0)
    await page.close()
    const bare = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await bare.goto(site.url + PAGE)
    expect(await bare.locator('.try').count()).toBe(tried)
    expect((await bare.locator('.try').allTextContents()).join('')).toBe('')
    expect(await bare.locator('.try').first().boundingBox()).toMatchObject({ height: 0 })
    await bare.context().close()
  })

  test.each([360, 1280])('axe finds nothing in an open form at %i px, and nothing is too wide', async (width) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
      const page = await context.newPage()
      await page.goto(site.url + PAGE)
      const form = await open(page, INIT)
      await identify(form)
      await send(form)
      const where = `at ${width}, ${colorScheme}`
      expect(await violations(page, colorScheme === 'light' ? 'all' : 'contrast'), where).toEqual([])
      const over = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
      expect(over, where).toBeLessThanOrEqual(0)
      const small = await page.evaluate(
        `[...document.querySelectorAll('.try [open] :is(button, input, textarea)')].filter((one) => one.getBoundingClientRect().height < 44).length`,
      )
      expect(small, where).toBe(0)
      await context.close()
    }
  })
})
