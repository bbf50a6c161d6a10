// Cards that the payer's browser seals, in Chromium on a real api process: everything that reaches the
// gateway is recorded on the wire, and no digit of a card that must not be there has arrived, nor rests in a
// row or a line of the log.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Acquirer, startAcquirer } from '../../apps/gateway/test/bank/acquirer.ts'
import { charges } from '../../apps/gateway/test/features/collections/cards.ts'
import { type Api, startApi } from '../../apps/gateway/test/kit/api-process.ts'
import { dump } from '../../apps/gateway/test/kit/data-at-rest.ts'
import { initialise, unique, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { launch, violations, watchFor } from './browser.ts'
import { heading, PHONE } from './payer.ts'

let acquirer: Acquirer
const harness = useHarness({
  settings: async () => {
    acquirer = await startAcquirer({ pin: 'ASKED' })
    return { BANK_URL: acquirer.url }
  },
})

/** Passes everything on, and keeps what was sent to the other side, by connection. */
async function startWire() {
  const wire = { sent: [] as string[], to: 0, url: '', stop: (): unknown => undefined }
  const server = createServer((socket) => {
    const other = connect(wire.to, '127.0.0.1')
    const nth = wire.sent.push('') - 1
    socket.on('data', (bytes) => {
      wire.sent[nth] += bytes.toString('latin1')
    })
    for (const [from, into] of [
      [socket, other],
      [other, socket],
    ] as const) {
      from.pipe(into)
      from.on('error', () => into.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  wire.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  wire.stop = () => server.close()
  return wire
}

let browser: Browser
let wire: Awaited<ReturnType<typeof startWire>>
let api: Api | null = null
/** All that the api has written. */
const stopApi = async (): Promise<string> => {
  const stopping = api
  api = null
  return (await stopping?.stop()) ?? ''
}
beforeAll(async () => {
  ;[browser, wire] = await Promise.all([launch(), startWire()])
  api = await startApi(harness(), 'trace', { settings: { PUBLIC_URL: wire.url } })
  wire.to = Number(new URL(api.url).port)
})
afterAll(async () => {
  await browser.close()
  await stopApi()
  wire.stop()
  acquirer.stop()
})

const SECRETS = { number: '5399838642975313', cvv: '8642', pin: '975319' }
const SPACED = '5399 8386 4297 5313'

/** A payer who pays with the card; answers what went over the wire meanwhile. */
async function pay(customerName: string, without = '') {
  const h = harness()
  const { main } = h.merchants
  const made = await initialise(h, main, { customerName })
  const from = wire.sent.length
  const context = await browser.newContext({ locale: 'en-NG', ...PHONE })
  const problems = watchFor(context, [wire.url, 'about:'])
  if (without !== '') await context.addInitScript(without)
  const page = await context.newPage()
  await page.goto(`${wire.url}${new URL(made.checkoutUrl).pathname}?way=card`)
  await typeCard(page)
  await heading(page, 'Your bank needs one more detail')
  await page.getByLabel('Card PIN').fill('12')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('The PIN has four to six digits.').first().waitFor()
  problems.push(...(await violations(page)))
  await page.getByLabel('Card PIN').fill(SECRETS.pin)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await heading(page, 'Paid')
  await page.getByText('539983******5313').first().waitFor()
  await context.close()
  expect(problems).toEqual([])
  return { made, sent: wire.sent.slice(from).join('\n') }
}

async function typeCard(page: Page): Promise<void> {
  const fill = async (label: string, text: string): Promise<void> => page.getByLabel(label).fill(text)
  const press = (): Promise<void> => page.getByRole('button', { name: /^Pay ₦/ }).click()
  expect(await page.getByLabel('Card PIN').count(), 'a PIN is asked for only when the issuer wants it').toBe(0)
  await fill('Card number', '5399 8386 4297 5314')
  await fill('Expiry date', '11/31')
  await fill('CVV', SECRETS.cvv)
  if ((await page.locator('form[data-key]').count()) === 1 && (await page.evaluate('"subtle" in crypto'))) {
    await press()
    await page.getByText('The card number is not valid. Please check it against your card.').first().waitFor()
  }
  await fill('Card number', SPACED)
  await press()
}

/** The forms that were sent. */
const bodies = (sent: string): URLSearchParams[] =>
  [...sent.matchAll(/POST \S+ HTTP\/1\.1\r\n[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/gi)].map(
    ({ 0: head, 1: length, index }) =>
      new URLSearchParams(sent.slice(index + head.length, index + head.length + Number(length))),
  )
/** Which secrets are in a text, in any spelling that a form has. Short ones count where they are no part of
 *  `more`. */
function found(text: string, more = '[\\w-]'): string[] {
  const { number, cvv, pin } = SECRETS
  const long = [
    ...[number.slice(0, 10), number.slice(3, 13), number.slice(-10)],
    ...[' ', '+', '%20', '-'].map((gap) => SPACED.replaceAll(' ', gap)),
  ].filter((digits) => text.includes(digits))
  return [...long, ...[cvv, pin].filter((digits) => new RegExp(`(?<!${more})${digits}(?!${more})`).test(text))]
}
/** In what was sent, beside what is sealed. */
const foundIn = (sent: string): string[] =>
  found(
    bodies(sent).reduce((rest, form) => rest.replaceAll(form.get('sealed') || '\0', ''), sent),
    '\\d',
  )

test('the gateway is sent nothing that it could read, and keeps nothing; where the browser cannot seal, it is sent the card', async () => {
  const h = harness()
  const marker = unique('sealed')
  const { made, sent } = await pay(marker)
  const posted = bodies(sent)
  expect(posted.map((form) => [...form.keys()].toSorted())).toEqual([
    ['cvv', 'expiry', 'fees', 'first6', 'last4', 'number', 'sealed'],
    ['pin', 'sealed'],
  ])
  const [card, pin] = posted.map((form) => Object.fromEntries(form)) as [Record<string, string>, Record<string, string>]
  expect(card).toMatchObject({ number: '', cvv: '', first6: '539983', last4: '5313', expiry: '11/31' })
  expect(pin['pin']).toBe('')
  expect(foundIn(sent)).toEqual([])

  // Whoever has the key has it all, to the letter that the browser wrote.
  const [charged, given] = acquirer.messages()
  expect([charged.sealedCard, given.sealedValue]).toEqual([card['sealed'], pin['sealed']])
  const { number, cvv } = SECRETS
  expect(JSON.parse(acquirer.open(charged.sealedCard))).toEqual({ number, cvv, expiryMonth: '11', expiryYear: '2031' })
  expect(acquirer.open(given.sealedValue)).toBe(SECRETS.pin)
  const row = { status: 'APPROVED', bin: '539983', last4: '5313', exp_month: '11', exp_year: '2031' }
  expect((await charges(h, h.merchants.main, made.transactionReference))[0]).toMatchObject(row)

  // The control: the same without the browser's cryptography, which pages have over https and on this machine
  // only.
  const before = acquirer.messages().length
  const open = await pay(marker, 'delete Crypto.prototype.subtle')
  expect(foundIn(open.sent)).toEqual(expect.arrayContaining([SPACED.replaceAll(' ', '+'), SECRETS.cvv, SECRETS.pin]))
  const [again] = acquirer.messages().slice(before)
  expect(JSON.parse(acquirer.open(again.sealedCard))).toMatchObject({ number, cvv })

  const places: Record<string, string> = {
    log: await stopApi(),
    'database 01': await dump(h.databases['01']),
    acquirer: acquirer.read.map(({ text }) => text).join('\n'),
  }
  expect(places['database 01'], 'the search finds what is there').toContain(marker)
  for (const [place, text] of Object.entries(places)) expect([place, found(text)]).toEqual([place, []])
  for (const [place, text] of Object.entries({ ...places, acquirer: '' }))
    for (const jwe of [card['sealed'], pin['sealed']])
      expect(text.includes(jwe?.split('.')[3] ?? ''), `a sealed secret in ${place}`).toBe(false)
})
