// Cards on the hosted checkout, in Chromium on a real sandbox: every card, every way it can end, with scripts
// and without.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { SANDBOX_CARDS } from '../../packages/contract/src/collections/cards.ts'
import { screenshot, violations } from './browser.ts'
import { DESKTOP, heading, noScripts, type Payment, PHONE, usePayer } from './payer.ts'

const payer = usePayer()

type CardName = keyof typeof SANDBOX_CARDS
async function typeCard(page: Page, name: CardName): Promise<void> {
  const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS[name]
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expiry date').fill(`${expiryMonth}/${expiryYear.slice(2)}`)
  await page.getByLabel('CVV').fill(cvv)
  await page.getByLabel('Card PIN').fill(pin)
}
async function payWith(page: Page, name: CardName): Promise<void> {
  await typeCard(page, name)
  await page.getByRole('button', { name: /^Pay ₦/ }).click()
}
async function openCard(
  one: Payment,
  options = PHONE as Parameters<ReturnType<typeof payer>['open']>[1],
): Promise<Page> {
  const page = await payer().open(one, options)
  await page.getByRole('link', { name: 'Card', exact: true }).click()
  await heading(page, 'Pay by card')
  return page
}
/** axe needs scripts of its own; pages without them are the same markup. */
const look = async (page: Page, name: string, scripts = true): Promise<void> => {
  expect(scripts ? await violations(page) : [], name).toEqual([])
  await screenshot(page, name)
}
/** The secrets of a card, in a page's own text or fields. */
const leaks = async (page: Page, name: CardName): Promise<string[]> => {
  const { number, cvv, pin } = SANDBOX_CARDS[name]
  const html = await page.content()
  const values = (await page.evaluate(
    `[...document.querySelectorAll('input')].map((input) => input.value)`,
  )) as string[]
  return [number, ...(values.includes(cvv) ? [cvv] : []), ...(values.includes(pin) ? [pin] : [])].filter(
    (secret) => html.replace(/<details[\s\S]*?<\/details>/g, '').includes(secret) || values.includes(secret),
  )
}

const WAYS = [
  ['with scripts on a phone', PHONE],
  ['without scripts on a desktop', noScripts(DESKTOP)],
] as const

describe.each(WAYS)('%s', (where, options) => {
  const scripts = where.startsWith('with scripts')
  const suffix = scripts ? '360' : '1280'

  test('the plain card pays at once', async () => {
    const one = await payer().payment()
    const page = await openCard(one, options)
    await look(page, `card-form-live-${suffix}`, scripts)
    await payWith(page, 'plain')
    await heading(page, 'Paid')
    await page.getByText('411111******1111').first().waitFor()
    await look(page, `card-paid-live-${suffix}`, scripts)
    expect(await payer().stateOf(one)).toBe('PAID')
  })

  test('a code: wrong, then right', async () => {
    const one = await payer().payment()
    const page = await openCard(one, options)
    await payWith(page, 'otp')
    await heading(page, 'Enter the code from your bank')
    await page.getByLabel('One-time code').fill('999999')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('2 attempts left.').waitFor()
    await look(page, `card-otp-wrong-live-${suffix}`, scripts)
    expect(await payer().stateOf(one)).toBe('PENDING')
    await page.getByLabel('One-time code').fill(SANDBOX_CARDS.otp.otp)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'Paid')
    expect(await payer().stateOf(one)).toBe('PAID')
  })

  test.each([
    ['Approve', 'Paid', 'PAID'],
    ['Decline', 'The card was declined', 'PENDING'],
  ])("the issuer's page in the same tab: %s", async (button, title, state) => {
    const one = await payer().payment()
    const page = await openCard(one, options)
    await payWith(page, 'threeDs')
    if (!scripts) {
      await heading(page, 'Confirm at your bank')
      await look(page, `card-3ds-live-${suffix}`, scripts)
      await page.getByRole('button', { name: 'Continue to your bank' }).click()
    }
    await heading(page, 'Approve this payment?') // the bank's own page; with scripts nothing had to be pressed
    expect(page.url().startsWith(payer().sandbox.handle.simulatorUrl)).toBe(true)
    await look(page, `issuer-3ds-${suffix}`, scripts)
    await page.getByRole('button', { name: button, exact: true }).click()
    await heading(page, title)
    expect(page.url().startsWith(payer().sandbox.handle.apiUrl)).toBe(true)
    expect(await payer().stateOf(one)).toBe(state)
  })

  test('a refused card is explained in words and another one may be tried; three refusals are the end', async () => {
    const one = await payer().payment()
    const page = await openCard(one, options)
    await payWith(page, 'failing')
    await heading(page, 'The card was declined')
    await page.getByText('You can try a card 2 more times.').waitFor()
    expect(await leaks(page, 'failing')).toEqual([])
    await look(page, `card-declined-live-${suffix}`, scripts)
    await payWith(page, 'failing')
    await page.getByText('You can try a card once more.').waitFor()
    await payWith(page, 'failing')
    await heading(page, 'The payment did not succeed')
    await look(page, `failed-live-${suffix}`, scripts)
    expect(await payer().stateOf(one)).toBe('FAILED')
  })

  test('what is wrong with the form is shown at its field, and nothing secret is written back', async () => {
    const one = await payer().payment()
    const page = await openCard(one, options)
    await typeCard(page, 'plain')
    await page.getByLabel('Card number').fill('4111111111111112')
    await page.getByRole('button', { name: /^Pay ₦/ }).click()
    await page.getByText('Please check the following').waitFor()
    await page.getByText('The card number is not valid. Please check it against your card.').first().waitFor()
    expect(await page.getByLabel('Expiry date').inputValue()).toMatch(/^10 ?\/ ?30$/)
    for (const label of ['Card number', 'CVV', 'Card PIN']) expect(await page.getByLabel(label).inputValue()).toBe('')
    await look(page, `card-error-live-${suffix}`, scripts)
    await payWith(page, 'plain')
    await heading(page, 'Paid')
  })
})

test('an issuer that does not answer: the page says so, asks, and tells the end by itself', async () => {
  const one = await payer().payment({ amount: 3901.38 })
  const page = await openCard(one)
  await payWith(page, 'plain')
  await heading(page, 'Checking with your bank')
  await look(page, 'card-checking-live-360')
  await heading(page, 'Paid') // the worker asks the issuer after two seconds
  expect(await payer().stateOf(one)).toBe('PAID')
})

test('paid by transfer while the code is awaited: the page says Paid, and the code is worth nothing', async () => {
  const one = await payer().payment()
  const page = await openCard(one)
  await payWith(page, 'otp')
  await heading(page, 'Enter the code from your bank')
  const other = await payer().open(one, DESKTOP, '?way=transfer')
  const accountNumber = await other.locator('data.number').getAttribute('value')
  await fetch(`${payer().sandbox.handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode: '50515', accountNumber, amount: 5050 }),
  })
  await heading(page, 'Paid')
  expect(await page.getByLabel('One-time code').count()).toBe(0)
  expect(await payer().stateOf(one)).toBe('PAID')
})

test('keyboard alone: a card from the first key to Paid', async () => {
  const one = await payer().payment()
  const page = await payer().open(one, DESKTOP)
  const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS.plain
  const tabTo = async (name: string): Promise<void> => {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      const focused = (await page.evaluate(
        `(document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent ?? '').trim()`,
      )) as string
      if (focused.startsWith(name)) return
    }
    throw new Error(`${name} cannot be reached by Tab`)
  }
  await tabTo('Card')
  await page.keyboard.press('Enter')
  await heading(page, 'Pay by card')
  for (const [label, text] of [
    ['Card number', number],
    ['Expiry date', `${expiryMonth}${expiryYear.slice(2)}`],
    ['CVV', cvv],
    ['Card PIN', pin],
  ] as const) {
    await tabTo(label)
    await page.keyboard.type(text)
  }
  await page.keyboard.press('Enter')
  await heading(page, 'Paid')
  expect(await payer().stateOf(one)).toBe('PAID')
})

test('the language that was chosen is there again after the issuer’s page', async () => {
  for (const options of [PHONE, noScripts(DESKTOP)]) {
    const page = await payer().open(await payer().payment(), options, '?way=card&lang=ha')
    const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS.threeDs
    for (const [field, text] of [
      ['number', number],
      ['expiry', `${expiryMonth}/${expiryYear.slice(2)}`],
      ['cvv', cvv],
      ['pin', pin],
    ] as const)
      await page.locator(`#card-${field}`).fill(text)
    await page.getByRole('button', { name: /^Biya ₦/ }).click()
    if (options !== PHONE) await page.getByRole('button', { name: 'Ci gaba zuwa bankinku' }).click()
    await heading(page, 'Approve this payment?')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await heading(page, 'An biya')
    expect(await page.locator('html').getAttribute('lang')).toBe('ha')
  }
})

test('without scripts a date that cannot be asks for the card again, and keeps nothing of it', async () => {
  const page = await openCard(await payer().payment(), noScripts())
  await typeCard(page, 'plain')
  await page.getByLabel('Expiry date').fill('01/20')
  await page.getByRole('button', { name: /^Pay ₦/ }).click()
  await page.getByText('This card has expired. Check the date, or use another card.').first().waitFor()
  expect(await leaks(page, 'plain')).toEqual([])
})
