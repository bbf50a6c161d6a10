// Every mail has a text part and an HTML part that say the same; what others wrote is escaped, and never a
// link.
import { type Brand, plainBrand } from '@cowrie/contract/kit/brand'
import { expect, test } from 'vitest'
import { type MailSheet, plainSheet, sheetHtml, sheetText } from './mail-look.ts'

const OWN = 'https://pay.cowrie.example'
const ADIRE: Brand = {
  name: 'Adire & Sons',
  logoUrl: null,
  colour: '#ffcc00',
  supportEmail: 'help@adire.example',
  supportPhone: '+234 803 123 4567',
}
const EVIL = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
const RECEIPT: MailSheet = {
  by: 'merchant',
  kind: 'Receipt',
  lead: 'You paid Adire & Sons',
  amount: '₦18,500.00',
  state: { word: 'Paid in full, by bank transfer', good: true },
  lines: [
    ['Ankara × 2', '₦9,000.00'],
    ['Total', '₦18,500.00'],
  ],
  facts: [['Reference', EVIL]],
  paragraphs: [`Dear ${EVIL},`, `Pay at ${OWN}/checkout/x or https://evil.example/x`],
  links: [['Open the receipt', `${OWN}/checkout/a?b=1&c=2`]],
  note: `Is something wrong? ${EVIL}`,
}

/** What a reader sees of HTML: no markup, no style. */
const wordsOf = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>|<title>.*?<\/title>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

test("what others wrote is escaped wherever it stands, in the merchant's name too", () => {
  const html = sheetHtml(`Receipt ${EVIL}`, RECEIPT, { ...ADIRE, name: EVIL }, OWN)
  expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>(?!.*&gt;)/)
  expect(html).toContain('&lt;script&gt;')
  expect(wordsOf(html)).toContain(EVIL)
})

test('the two parts say the same', () => {
  const [html, text] = [wordsOf(sheetHtml('Receipt', RECEIPT, ADIRE, OWN)), sheetText(RECEIPT)]
  const said = [RECEIPT.lead, '₦18,500.00', 'Paid in full, by bank transfer', 'Ankara × 2', '₦9,000.00', 'Reference']
  for (const words of [...said, EVIL, 'Open the receipt', 'Is something wrong?']) {
    expect(text).toContain(words)
    expect(html).toContain(words)
  }
  expect(text).toContain(`${OWN}/checkout/a?b=1&c=2`)
})

test('our own addresses and those of a sheet are links, no others', () => {
  const html = sheetHtml('Receipt', RECEIPT, ADIRE, OWN)
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)
  expect(links).toEqual([`${OWN}/checkout/x`, `${OWN}/checkout/a?b=1&amp;c=2`])
  const elsewhere = sheetHtml('x', plainSheet('x', `see ${OWN}.evil.example/x`), ADIRE, OWN)
  expect(elsewhere).not.toContain('href')
})

test("a customer's mail has the merchant's name, tamed colour, initials or logo, and support contact", () => {
  const html = sheetHtml('Receipt', RECEIPT, ADIRE, OWN)
  expect(html).toContain('background-color:#845c00')
  expect(html).not.toContain('#ffcc00')
  for (const words of [
    'Adire & Sons',
    'AS',
    'help@adire.example',
    '+234 803 123 4567',
    'Sent by Cowrie for Adire & Sons',
  ])
    expect(wordsOf(html)).toContain(words)
  const logoUrl = `${OWN}/brand/01-${'a'.repeat(40)}.png`
  expect(sheetHtml('Receipt', RECEIPT, { ...ADIRE, logoUrl }, OWN)).toContain(`<img src="${logoUrl}"`)
})

test("a merchant's own mail is ours: nothing of its brand, and every paragraph of its text", () => {
  const text = 'First.\nSecond line.\n\n  Indented\n\n\nLast.'
  const html = sheetHtml('A notice', plainSheet('A notice', text), ADIRE, OWN)
  expect(html).not.toContain('Adire')
  expect(html).toContain('background-color:#0b5c48')
  expect(html).toContain('First.<br>\nSecond line.')
  expect(wordsOf(html)).toMatch(/A notice[\s\S]*Indented[\s\S]*Last\./)
})

test('no colour looks like a code: in HTML there are no six digits of their own but those of the text', () => {
  const sheet = plainSheet('Authorise payout-1', 'Authorization code: 482913', { kind: 'Code' })
  const html = sheetHtml('Authorise payout-1', sheet, plainBrand('Adire'), OWN)
  expect(html.match(/(?<!\d)\d{6}(?!\d)/g)).toEqual(['482913'])
})
