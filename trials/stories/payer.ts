// A payer in Chromium, in front of a real sandbox: what the browser tests of the checkout share.
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { launch, type Sandbox, startSandbox, startSite, watchFor } from './browser.ts'

export const PHONE = { viewport: { width: 360, height: 740 } }
export const DESKTOP = { viewport: { width: 1280, height: 900 } }
export const noScripts = (options: BrowserContextOptions = PHONE) => ({ ...options, javaScriptEnabled: false })

export type Payment = { readonly url: string; readonly reference: string; readonly transaction: string }

export type Payer = {
  readonly browser: Browser
  readonly sandbox: Sandbox
  readonly shop: Awaited<ReturnType<typeof startSite>>
  readonly contexts: BrowserContext[]
  readonly complaints: string[]
  call(path: string, body?: unknown, authorization?: string): Promise<any>
  /** Anew for every payment: tests move the clock past the life of a token. */
  token(): Promise<string>
  payment(over?: Record<string, unknown>): Promise<Payment>
  stateOf(payment: Payment): Promise<string>
  open(payment: Payment, options?: BrowserContextOptions, path?: string): Promise<Page>
}

/** Call at the top of a test file. A test whose pages complained (policy, script, foreign request) fails. */
export function usePayer(): () => Payer {
  let payer: Payer | null = null
  const contexts: BrowserContext[] = []
  const complaints: string[] = []
  beforeAll(async () => {
    const [browser, sandbox, shop] = await Promise.all([launch(), startSandbox(), startSite()])
    payer = createPayer(browser, sandbox, shop, contexts, complaints)
  })
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close()
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await payer?.browser.close()
    payer?.shop.stop()
    await payer?.sandbox.stop()
  })
  return () => payer as Payer
}

function createPayer(
  browser: Browser,
  sandbox: Sandbox,
  shop: Payer['shop'],
  contexts: BrowserContext[],
  complaints: string[],
): Payer {
  const { apiUrl, simulatorUrl, merchants } = sandbox.handle
  const { apiKey, secretKey, contractCode } = merchants.main
  let count = 0
  const payer: Payer = {
    browser,
    sandbox,
    shop,
    contexts,
    complaints,
    call: async (path, body, authorization = '') => {
      const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const headers = { 'content-type': 'application/json', authorization }
      const answer = await fetch(apiUrl + path, { ...post, headers })
      const json: any = await answer.json()
      expect(answer.status, JSON.stringify(json)).toBe(200)
      return json.responseBody
    },
    token: async () => {
      const basic = Buffer.from(`${apiKey}:${secretKey}`).toString('base64')
      return `Bearer ${(await payer.call('/api/v1/auth/login', {}, `Basic ${basic}`)).accessToken}`
    },
    payment: async (over = {}) => {
      count += 1
      const body = {
        amount: 5050,
        customerEmail: 'ngozi@example.com',
        paymentReference: `order-${1000 + count}`,
        paymentDescription: 'Two metres of adire',
        currencyCode: 'NGN',
        contractCode,
        redirectUrl: `${shop.url}/back?basket=7`,
        ...over,
      }
      const made = await payer.call('/api/v1/merchant/transactions/init-transaction', body, await payer.token())
      return { url: made.checkoutUrl, reference: made.paymentReference, transaction: made.transactionReference }
    },
    stateOf: async ({ transaction }) => {
      const path = `/api/v2/transactions/${encodeURIComponent(transaction)}`
      return (await payer.call(path, undefined, await payer.token())).paymentStatus
    },
    open: async (payment, options = PHONE, path = '') => {
      const context = await browser.newContext({ locale: 'en-NG', ...options })
      contexts.push(context)
      const problems = watchFor(context, [apiUrl, simulatorUrl, shop.url, 'about:'])
      context.on('close', () => complaints.push(...problems))
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      await page.goto(payment.url + path)
      return page
    },
  }
  return payer
}

/** The heading of the page that waits for a transfer. */
export const askFor = (amount: string): string => `Transfer exactly ${amount} to this account from any bank app`

export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** A tool of the sandbox's bar. */
export const tool = async (page: Page, name: string): Promise<void> => {
  await page.getByText('Test tools').click()
  await page.getByRole('button', { name, exact: true }).click()
}
