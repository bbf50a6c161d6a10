// Cards that payers type on the page of whoever charges them, in Chromium, through a real adapter: no digit
// of a card is sent to the gateway.
import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { CHARGE, card, chargeBody, charges } from '../../apps/gateway/test/features/collections/cards.ts'
import { dump } from '../../apps/gateway/test/kit/data-at-rest.ts'
import { advance, initialise, status, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { CARDS } from '../../connectors/paystack/fake/books.ts'
import { adapterFile, fakeFile, type Program, startProgram } from '../../packages/connector-kit/test/programs.ts'
import { onServer } from '../../packages/connector-kit/test/store.ts'
import { launch, violations, watchFor } from './browser.ts'
import { heading, noScripts, PHONE } from './payer.ts'

const KEY = 'a key that gateway and adapter share'
const SECRET_KEY = 'sk_test_page5fd10aa1b2c3d4e5f6'
const database = `page_${randomUUID().replaceAll('-', '')}`
const programs: Program[] = []
const harness = useHarness({
  without: ['card'],
  settings: async ({ apiUrl }) => {
    await onServer(`create database ${database}`)
    const config = JSON.stringify({ port: 0, secretKey: SECRET_KEY, webhookUrl: 'http://127.0.0.1:1/' })
    const fake = await startProgram(fakeFile('paystack'), [config], {})
    const adapter = await startProgram(adapterFile('paystack'), [], {
      ...{ PAYSTACK_ENVIRONMENT: 'TEST', PAYSTACK_URL: fake.url, PAYSTACK_SECRET_KEY: SECRET_KEY },
      ...{ PAYSTACK_CARD_PAGE: 'yes', DATABASE_URL: inject('postgresUrl') + database, GATEWAY_URL: apiUrl },
      ...{ CONNECTOR_KEY: KEY, PORT: '0', WEBHOOK_PORT: '0' },
    })
    programs.push(fake, adapter)
    return { CONNECTORS: `paystack=${adapter.url}`, CONNECTOR_PAYSTACK_KEY: KEY }
  },
})
let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(async () => {
  await browser.close()
  await Promise.all(programs.map((one) => one.kill()))
  await onServer(`drop database if exists ${database} with (force)`)
})

const CONTINUE = 'Continue to enter your card'
const fakeUrl = (): string => programs[0]?.url ?? ''

/** A payer on the page of the gateway, and all that their browser sends to it. */
async function open(checkoutUrl: string, options: object = PHONE) {
  const h = harness()
  const context = await browser.newContext({ locale: 'en-NG', ...options })
  const problems = watchFor(context, [h.apiUrl, fakeUrl(), 'about:'])
  const sent: string[] = []
  context.on('request', (request) => {
    if (request.url().startsWith(h.apiUrl))
      sent.push(`${request.method()} ${request.url()}\n${request.postData() ?? ''}`)
  })
  const page = await context.newPage()
  await page.goto(`${checkoutUrl}?way=card`)
  return { page, problems, sent, close: () => context.close() }
}

async function typeCard(page: Page, number: string): Promise<void> {
  await page.locator('input[name=number]').fill(number)
  await page.getByRole('button', { name: 'Pay' }).click()
}

describe('on its page', () => {
  test('a card is refused, another pays; the payer comes back to "Paid", and the merchant is told which card it was', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const { page, problems, sent, close } = await open(made.checkoutUrl)
    expect(await page.locator('input[name=number], input[name=cvv], input[name=pin]').count()).toBe(0)
    problems.push(...(await violations(page)))
    await page.getByLabel(/^Save this card/).check()
    await page.getByRole('button', { name: CONTINUE }).click()
    await page.waitForURL(`${fakeUrl()}/page/*`)
    await typeCard(page, CARDS.declined)
    await page.getByText('Try another card').waitFor()
    expect((await status(h, main, made.transactionReference)).paymentStatus).toBe('PENDING')
    await typeCard(page, CARDS.plain)
    await heading(page, 'Paid')
    await page.getByText('408408******4081').first().waitFor()
    await close()
    expect(problems).toEqual([])

    const paid = await status(h, main, made.transactionReference)
    expect(paid).toMatchObject({
      paymentStatus: 'PAID',
      cardDetails: { bin: '408408', last4: '4081', expMonth: '12', expYear: '2030', maskedPan: '408408******4081' },
    })
    expect(paid.cardDetails.cardToken).toMatch(/^CWRY_/)
    const [charge] = await charges(h, main, made.transactionReference)
    expect(charge).toMatchObject({ status: 'APPROVED', connector_page: true, bin: '408408', protocol: 2 })
    expect(sent.length, 'the search has something to look at').toBeGreaterThan(2)
    for (const place of [sent.join('\n'), await dump(h.databases['01'])])
      for (const number of [CARDS.plain, CARDS.declined]) expect(place).not.toContain(number.slice(4, 14))
  })

  test('without scripts the way there is a link', async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main)
    const { page, close } = await open(made.checkoutUrl, noScripts())
    await page.getByRole('button', { name: CONTINUE }).click()
    await heading(page, 'Pay by card')
    await page.getByRole('link', { name: CONTINUE }).click()
    await typeCard(page, CARDS.plain)
    await heading(page, 'Paid')
    await close()
    expect((await status(h, h.merchants.main, made.transactionReference)).paymentStatus).toBe('PAID')
  })

  test('whoever does not come back in time may begin anew; what the first page still takes is not wanted any more', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const first = await open(made.checkoutUrl)
    await first.page.getByRole('button', { name: CONTINUE }).click()
    await first.page.waitForURL(`${fakeUrl()}/page/*`)
    await advance(h, 901)
    expect((await charges(h, main, made.transactionReference))[0]).toMatchObject({ status: 'REVERSING', bin: null })
    const second = await open(made.checkoutUrl)
    await second.page.getByText('The last attempt was not completed. Any amount it held will be released.').waitFor()
    await second.page.getByRole('button', { name: CONTINUE }).click()
    await second.page.waitForURL(`${fakeUrl()}/page/*`)
    await typeCard(second.page, CARDS.plain)
    await heading(second.page, 'Paid')
    await typeCard(first.page, CARDS.plain)
    await advance(h, 300)
    const rows = await charges(h, main, made.transactionReference)
    expect(rows.filter((row) => row.status === 'APPROVED')).toHaveLength(1)
    const { refunds } = (await (await fetch(`${fakeUrl()}/fake/refunds`)).json()) as { refunds: object[] }
    expect(refunds, 'the money of the first page is on its way back').toHaveLength(1)
    await first.close()
    await second.close()
  })
})

test('a server that sends a card is refused before anything is charged: nobody takes it', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await initialise(h, main)
  const answer = await h.as(main, 'POST', CHARGE, chargeBody(made.transactionReference, card('plain')))
  expect([answer.status, answer.json.problem?.code]).toEqual([400, 'METHOD_NOT_ENABLED'])
  expect(await charges(h, main, made.transactionReference)).toEqual([])
})
