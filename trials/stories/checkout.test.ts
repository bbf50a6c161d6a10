// The hosted checkout as payers meet it: Chromium on a real sandbox, with scripts and without, on a phone and
// on a desktop.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { screenshot, startSite, violations } from './browser.ts'
import { askFor, DESKTOP, heading, noScripts, PHONE, tool, usePayer } from './payer.ts'

const payer = usePayer()

async function transfer(page: Page, amount: number): Promise<void> {
  const accountNumber = await page.locator('data.number').getAttribute('value')
  const answer = await fetch(`${payer().sandbox.handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode: '50515', accountNumber, amount }),
  })
  expect(((await answer.json()) as any).status).toBe('ACCEPTED')
}

describe('transfer', () => {
  test('with scripts: no tap to the account, copied clean, paid automatically, back to the shop after five seconds', async () => {
    const one = await payer().payment()
    const page = await payer().open(one, { ...PHONE, permissions: ['clipboard-read', 'clipboard-write'] })
    await heading(page, askFor('₦5,050.00'))
    const number = await page.locator('data.number').getAttribute('value')
    for (const [name, text] of [
      ['Copy Account number', number],
      ['Copy Amount', '5050'],
      ['Copy Bank', 'Moniepoint Microfinance Bank'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => page.locator('#say').textContent()).toBe(`${name.replace('Copy ', '')} copied`)
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text)
    }
    expect(await page.locator('#left').isVisible()).toBe(false) // no count-down from the start
    const questions: string[] = []
    page.on('request', (request) => request.url().endsWith('/status') && questions.push(request.url()))
    await transfer(page, 5050)
    const paidAt = Date.now()
    await heading(page, 'Paid')
    expect(questions, 'the stream has reported it').toEqual([])
    expect(await page.title()).toBe('Paid · ₦5,050.00 · Adire Stores (sandbox)')
    await page.waitForURL(`${payer().shop.url}/**`)
    expect(Date.now() - paidAt).toBeGreaterThan(4_500)
    const back = new URL(page.url())
    expect(Object.fromEntries(back.searchParams)).toEqual({
      basket: '7',
      paymentReference: one.reference,
      transactionReference: one.transaction,
      paymentStatus: 'PAID',
    })
  })
  test('without scripts: nothing that does not work, “Check now” tells, the button goes back', async () => {
    const one = await payer().payment()
    const page = await payer().open(one, noScripts())
    await heading(page, askFor('₦5,050.00'))
    expect(await page.getByRole('button', { name: /Copy/ }).count()).toBe(0)
    await page.getByText('This page does not update automatically').waitFor()
    await page.getByRole('link', { name: 'I have sent it' }).click()
    await heading(page, 'Looking for your transfer')
    expect(await payer().stateOf(one)).toBe('PENDING')
    await page.getByRole('link', { name: 'Show the account number again' }).click()
    await transfer(page, 5050)
    await page.getByRole('link', { name: 'Check now' }).click()
    await heading(page, 'Paid')
    await page.getByRole('link', { name: 'Return to Adire Stores' }).click()
    expect(page.url()).toContain(`${payer().shop.url}/back?basket=7&paymentReference=`)
  })
  test('whoever presses a key, or “Stay”, is not sent away', async () => {
    const one = await payer().payment()
    const page = await payer().open(one, DESKTOP)
    await tool(page, 'Pay exactly')
    await heading(page, 'Paid')
    await page.getByText('You will return to Adire Stores in').waitFor()
    await page.getByRole('button', { name: 'Stay on this page' }).click()
    const other = await payer().open(one, DESKTOP)
    await other.getByText('You will return to Adire Stores in').waitFor()
    await other.keyboard.press('Tab')
    await page.waitForTimeout(5_500)
    for (const still of [page, other]) {
      expect(still.url()).toContain('/checkout/')
      expect(await still.getByText('You will return to').isVisible()).toBe(false)
    }
  })
  test('the page learns of it without a stream too, and after the network was gone', async () => {
    const [one, two] = [await payer().payment(), await payer().payment()]
    const page = await payer().open(one)
    await page.route('**/live', (route) => route.fulfill({ status: 429, body: '' }))
    await page.reload()
    payer().complaints.length = 0
    await transfer(page, 5050)
    await heading(page, 'Paid')
    const away = await payer().open(two)
    const context = away.context()
    await context.setOffline(true)
    await expect.poll(() => away.locator('#say').textContent()).toContain('No connection')
    await transfer(away, 5050)
    await context.setOffline(false)
    await heading(away, 'Paid')
    // The refused stream and the lost network are payer().complaints that we made ourselves.
    await Promise.all(
      payer()
        .contexts.splice(0)
        .map((one) => one.close()),
    )
    payer().complaints.length = 0
  })
  test('counts down in the last ten minutes, by the server’s time, and tells the end by itself', async () => {
    const one = await payer().payment()
    const page = await payer().open(one)
    await tool(page, 'One minute before expiry')
    const left = page.locator('#left')
    await expect.poll(() => left.textContent()).toMatch(/^(1:00|0:[345]\d) left$/)
    await screenshot(page, 'count-down-360')
    await payer().call('/sandbox/clock/advance', { seconds: 60 }, await payer().token())
    await heading(page, 'This payment has expired')
    expect(await payer().stateOf(one)).toBe('EXPIRED')
  })
})

describe('every end, with scripts on a phone and without on a desk', () => {
  const ends = [
    ['Pay exactly', 'Paid', '₦5,050.00 has arrived.'],
    ['Pay half', 'Less than the amount due has arrived', '₦2,525.00 of ₦5,050.00 has arrived; ₦2,525.00 is missing.'],
    [
      'Pay 50% too much',
      'Paid, with more than the amount due',
      '₦7,575.00 has arrived; that is ₦2,525.00 more than the amount due.',
    ],
    ['Pay twice', 'Paid, and more money arrived', 'Another ₦5,050.00 arrived'],
    ['Let it expire, then pay', 'Your transfer arrived too late', '₦5,050.00 arrived after this payment had closed'],
    ['Past expiry', 'This payment has expired', 'No money has arrived.'],
  ] as const
  test.each(ends)('%s: %s', async (name, title, said) => {
    for (const options of [PHONE, noScripts(DESKTOP)]) {
      const page = await payer().open(await payer().payment({ redirectUrl: undefined }), options)
      await tool(page, name)
      await heading(page, title)
      await page.getByText(said).waitFor()
      expect(await page.title()).toContain(title)
    }
  })
  test('cancelled: asked first, on a page of its own; “no” goes back, “yes” is the end', async () => {
    for (const options of [PHONE, noScripts(DESKTOP)]) {
      const one = await payer().payment()
      const page = await payer().open(one, options)
      await page.getByRole('link', { name: 'Cancel this payment' }).click()
      await heading(page, 'Cancel this payment?')
      await page.getByRole('link', { name: 'No, go back' }).click()
      await heading(page, askFor('₦5,050.00'))
      await page.getByRole('link', { name: 'Cancel this payment' }).click()
      await page.getByRole('button', { name: 'Yes, cancel it' }).dblclick()
      await heading(page, 'The payment was cancelled')
      expect(await payer().stateOf(one)).toBe('CANCELLED')
    }
  })
  test('a part, where the merchant lets payers make it good: the page asks for the rest, and is paid with it', async () => {
    const policy = (less: string) => ({ less, more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] })
    const set = async (less: string): Promise<void> => {
      const answer = await fetch(`${payer().sandbox.handle.apiUrl}/api/v1/payment-policy`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: await payer().token() },
        body: JSON.stringify(policy(less)),
      })
      expect(answer.status).toBe(200)
    }
    await set('TOP_UP')
    try {
      for (const options of [PHONE, noScripts(DESKTOP)]) {
        const one = await payer().payment({ redirectUrl: undefined })
        const page = await payer().open(one, options)
        await tool(page, 'Pay half')
        await heading(page, 'Part of the amount has arrived')
        await page.getByText('Please send the missing ₦2,525.00 to the same account.').waitFor()
        await transfer(page, 2525)
        if (options !== PHONE) await page.getByRole('link', { name: 'Check now' }).click()
        await heading(page, 'Paid')
        expect(await payer().stateOf(one)).toBe('PAID')
      }
    } finally {
      await set('COMPLETE')
    }
  })
  test('an open page is updated by another phone’s payment', async () => {
    const one = await payer().payment({ redirectUrl: undefined })
    const [mine, other] = [await payer().open(one), await payer().open(one, DESKTOP)]
    await tool(other, 'Pay half')
    await heading(mine, 'Less than the amount due has arrived')
    expect(await mine.title()).toContain('Less than the amount due has arrived')
  })
})

describe('USSD', () => {
  test('with scripts: searched by name, dialled by a link, remembered', async () => {
    const one = await payer().payment()
    const page = await payer().open(one)
    await page.getByRole('link', { name: 'USSD', exact: true }).click()
    await page.getByLabel('Search for your bank').fill('zen')
    expect(await page.locator('.banks li:visible').allTextContents()).toEqual(['Zenith Bank'])
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Search for your bank').fill('no such bank')
    await page.getByText('No bank of that name').first().waitFor()
    await page.getByLabel('Search for your bank').fill('')
    await page.getByRole('link', { name: 'Zenith Bank' }).click()
    const dial = page.getByRole('link', { name: 'Dial Zenith Bank' })
    expect(await dial.getAttribute('href')).toMatch(/^tel:\*966\*5050\*\d{10}%23$/)
    await page.getByRole('link', { name: 'Choose another bank' }).click()
    await expect.poll(() => page.locator('.banks li').first().textContent()).toBe('Zenith Bank last used')
  })
  test('without scripts: a plain list', async () => {
    const page = await payer().open(await payer().payment({ paymentMethods: ['USSD'] }), noScripts(DESKTOP))
    await page.getByLabel('Your bank').selectOption('Gtbank')
    await page.getByRole('button', { name: 'Show the code' }).click()
    expect(await page.getByRole('link', { name: 'Dial Gtbank' }).getAttribute('href')).toMatch(/^tel:\*737\*2\*5050\*/)
  })
})

test('language: the browser’s, then the one chosen, kept through links and forms', async () => {
  const page = await payer().open(await payer().payment(), { ...noScripts(), locale: 'ha-NG' })
  expect(await page.locator('html').getAttribute('lang')).toBe('ha')
  await page.getByText('Hausa').first().click() // the menu bears the name of the language
  await page.getByRole('link', { name: 'Yorùbá' }).click()
  await page.getByRole('link', { name: 'Mo ti fi ránṣẹ́' }).click()
  expect(await page.locator('html').getAttribute('lang')).toBe('yo')
  await tool(page, 'Pay exactly')
  await heading(page, 'A ti san án')
})

test('keyboard alone: from the top to “I have sent it” and to a bank, the focus always in sight', async () => {
  const page = await payer().open(await payer().payment(), DESKTOP)
  const seen: string[] = []
  for (let presses = 0; presses < 40 && seen.at(-1) !== 'I have sent it'; presses += 1) {
    await page.keyboard.press('Tab')
    const [text, outline] = (await page.evaluate(
      '[document.activeElement.textContent.trim(), getComputedStyle(document.activeElement).outlineStyle]',
    )) as [string, string]
    expect(outline, text).toBe('solid')
    seen.push(text)
  }
  expect(seen).toEqual([
    'Test tools',
    'Language: English',
    ...['Transfer', 'Card', 'USSD'],
    ...['Copy Account number', 'Copy Bank', 'Copy Amount'],
    'Check now',
    'I have sent it',
  ])
  await page.keyboard.press('Enter')
  await heading(page, 'Looking for your transfer')
})

test('another site can neither frame the page nor send its forms', async () => {
  const one = await payer().payment()
  const evil = await startSite({
    '/form': `<!doctype html><html lang="en"><title>x</title><form method="post" action="${new URL(one.url).href}/cancel"><button>Win</button></form>`,
    '/frame': `<!doctype html><html lang="en"><title>x</title><iframe src="${one.url}"></iframe>`,
  })
  try {
    const context = await payer().browser.newContext(PHONE)
    payer().contexts.push(context)
    const page = await context.newPage()
    await page.goto(`${evil.url.replace('127.0.0.1', 'localhost')}/form`)
    await page.getByRole('button').click()
    await heading(page, 'This did not come from the payment page')
    expect(await payer().stateOf(one)).toBe('PENDING')
    await page.goto(`${evil.url}/frame`)
    expect(await page.frames()[1]?.evaluate('document.querySelector("main")')).toBeNull()
  } finally {
    evil.stop()
  }
})

test('markup from text is impossible: the browser itself refuses it', async () => {
  const page = await payer().open(await payer().payment({ paymentDescription: '<img src=x onerror=alert(1)>' }))
  await page.getByText('<img src=x onerror=alert(1)>').waitFor()
  const refused = (code: string) =>
    page.evaluate(`(() => { try { ${code}; return 'done' } catch (error) { return error.name } })()`)
  expect(await refused(`document.body.innerHTML = '<p>x</p>'`)).toBe('TypeError')
  expect(await refused(`document.createElement('script').text = 'alert(1)'`)).toBe('TypeError')
  await payer().contexts.pop()?.close()
  expect(
    payer()
      .complaints.splice(0)
      .every((text) => /Trusted/i.test(text)),
  ).toBe(true)
})

test('on 400 kbit/s with 400 ms of delay the account is there within three seconds, in at most 40 kB', async () => {
  const one = await payer().payment()
  const context = await payer().browser.newContext(PHONE)
  payer().contexts.push(context)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  })
  let bytes = 0
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const began = Date.now()
  await page.goto(one.url, { waitUntil: 'commit' })
  await page.locator('data.number').waitFor()
  await page.getByRole('button', { name: 'Copy Account number' }).waitFor() // the script has run
  const usableMs = Date.now() - began
  await page.waitForLoadState('domcontentloaded')
  await page.waitForTimeout(500)
  console.log(`checkout on 400 kbit/s, 400 ms: usable after ${usableMs} ms, ${bytes} bytes`)
  expect(usableMs).toBeLessThan(3_000)
  expect(bytes).toBeGreaterThan(2_000)
  expect(bytes).toBeLessThan(40_000)
})
