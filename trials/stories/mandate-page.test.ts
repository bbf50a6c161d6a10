// The customer's page of a mandate at the sandbox bank: authorised, and cancelled, in a browser without
// scripts.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch, type Sandbox, screenshot, startSandbox, tooSmall, violations, watchFor } from './browser.ts'

let browser: Browser
let sandbox: Sandbox
let token: string
beforeAll(async () => {
  ;[browser, sandbox] = await Promise.all([launch(), startSandbox()])
  const { apiUrl, merchants } = sandbox.handle
  const basic = Buffer.from(`${merchants.main.apiKey}:${merchants.main.secretKey}`).toString('base64')
  const init = { method: 'POST', headers: { authorization: `Basic ${basic}` } }
  const answer = (await (await fetch(`${apiUrl}/api/v1/auth/login`, init)).json()) as any
  token = answer.responseBody.accessToken
})
afterAll(async () => {
  await browser?.close()
  await sandbox?.stop()
})

const call = async (method: string, path: string, body?: object): Promise<any> => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  return ((await (await fetch(sandbox.handle.apiUrl + path, init)).json()) as any).responseBody
}
const written = (days: number): string =>
  new Date(Date.now() + days * 86_400_000 + 3_600_000).toISOString().slice(0, 19)

let references = 0
async function mandate(over: object = {}): Promise<{ link: string; state: () => Promise<string> }> {
  references += 1
  const mandateReference = `page-${references}`
  await call('POST', '/api/v1/direct-debit/mandate/create', {
    contractCode: sandbox.handle.merchants.main.contractCode,
    mandateReference,
    customerName: 'Ngozi Bello',
    customerEmailAddress: 'ngozi@example.com',
    customerPhoneNumber: '08031234567',
    customerAddress: '14 Marina, Lagos',
    customerAccountNumber: '0123456789',
    customerAccountBankCode: '057',
    mandateDescription: 'School fees, Queen Amina College',
    mandateStartDate: written(1),
    mandateEndDate: written(366),
    mandateAmount: 450_000,
    debitAmount: 37_500,
    ...over,
  })
  const record = async () =>
    (await call('GET', `/api/v1/direct-debit/mandate/?mandateReferences=${mandateReference}`))[0]
  return { link: (await record()).authorizationLink, state: async () => (await record()).mandateStatus }
}

const sound = async (page: Page): Promise<void> => {
  for (const width of [320, 360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await violations(page), `axe at ${width}`).toEqual([])
    expect(await tooSmall(page), `targets at ${width}`).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
}
async function pictured(page: Page, name: string): Promise<void> {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await screenshot(page, `${name}-${width}`)
  }
}

test('without scripts: the customer reads what is asked, pays the token, and later cancels', async () => {
  const { link, state } = await mandate({ customerCancellation: true })
  const context = await browser.newContext({ javaScriptEnabled: false })
  const problems = watchFor(context, [sandbox.handle.simulatorUrl])
  const page = await context.newPage()
  await page.goto(link)
  const text = await page.locator('main').innerText()
  for (const words of ['School fees, Queen Amina College', '₦37,500.00', '₦450,000.00', '0123456789', '₦50.00'])
    expect(text).toContain(words)
  await page.getByRole('button', { name: /Pay ₦50.00 and authorise/ }).click()
  await page.getByRole('status').getByText('You authorised this mandate').waitFor()
  expect(await state()).toBe('ACTIVE')
  await page.getByRole('button', { name: 'Cancel this mandate' }).click()
  await page.getByRole('status').getByText('This mandate ended').waitFor()
  expect(await state()).toBe('CANCELLED')
  expect(await page.getByRole('button').count()).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})

test('the customer declines', async () => {
  const { link, state } = await mandate()
  const page = await browser.newPage()
  await page.goto(link)
  await page.getByRole('button', { name: 'Decline' }).click()
  await page.getByRole('status').getByText('You declined this mandate').waitFor()
  expect(await state()).toBe('FAILED')
  await page.close()
})

test('axe, targets and widths of the page that waits, the one that is active, and the one that is over', async () => {
  const page = await browser.newPage()
  const { link } = await mandate()
  await page.goto(link)
  await sound(page)
  await pictured(page, 'mandate')
  await page.getByRole('button', { name: /authorise/ }).click()
  await sound(page)
  expect(await page.getByText('Only the merchant can cancel this mandate').count()).toBe(1)
  await page.setViewportSize({ width: 360, height: 800 })
  await screenshot(page, 'mandate-active-360')
  await page.goto(`${sandbox.handle.simulatorUrl}/mandates/nobody`)
  await sound(page)
  await page.close()
})
