// Mails as people see them, in Chromium: nothing is cut off on a telephone, in light and in dark, and axe
// finds nothing.
import { mkdirSync } from 'node:fs'
import type { Brand } from '@cowrie/contract/kit/brand'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailSheet, plainSheet, sheetHtml } from '../../apps/gateway/src/features/events/mails/mail-look.ts'
import { launch, violations } from './browser.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

const BRAND: Brand = {
  name: 'Adire Stores',
  logoUrl: null,
  colour: '#2f3fa8',
  supportEmail: 'help@adire.example',
  supportPhone: '+234 803 123 4567',
}
const OWN = 'https://pay.cowrie.example'
const PAGE = `${OWN}/checkout/CWRY%7C01%7C20261115152353%7C020141/0zAbQ2rT4uVwXyZ1234567`
const receipt: MailSheet = {
  by: 'merchant',
  kind: 'Receipt',
  lead: 'You paid Adire Stores',
  amount: '₦18,500.00',
  state: { word: 'Paid in full, by bank transfer', good: true },
  facts: [
    ['For', 'Ankara, two yards, and the sewing of one gown'],
    ['When', '15/11/2026 15:45 WAT'],
    ['From', 'Guaranty Trust Bank ···2290'],
    ['Reference', 'order-88213'],
    ['Transaction', 'CWRY|01|20261115152353|020141'],
  ],
  links: [['Open the receipt', PAGE]],
  note: 'Is something wrong? Answer this mail and quote order-88213. Nobody will ever ask you for your PIN or a code.',
}
const invoice: MailSheet = {
  by: 'merchant',
  kind: 'Invoice',
  lead: 'Adire Stores asks you to pay',
  amount: '₦2,473.02',
  paragraphs: [
    'Dear Ṣọlá Ọdẹ́yẹmí,',
    'This is for: Twelve metres of adire, indigo, hand-dyed in Abẹ́òkúta',
    'Please pay before 31/05/2026 18:00 (West Africa Time). After that, the invoice can no longer be paid.',
  ],
  lines: [
    ['Adire, indigo × 2.5', '₦2,000.25'],
    ['Sewing one gown, with a very long description that needs more than one line on a telephone', '₦300.00'],
    ['VAT', '₦172.77'],
    ['Total', '₦2,473.02'],
  ],
  facts: [
    ['Bank', 'Moniepoint Microfinance Bank'],
    ['Account number', '5010000127'],
    ['Account name', 'Adire Stores-Twelve metres'],
    ['Invoice', `INV-${'2026'.repeat(12)}`],
  ],
  links: [
    ['Pay online, or see what has been received', PAGE],
    ['The invoice as a PDF', `${PAGE}/invoice.pdf`],
  ],
  note: 'If you do not know Adire Stores or did not expect this invoice, do not pay. You can ignore this mail.',
}
const code = plainSheet(
  'Authorise payout-81',
  `A transfer to GTBank ···6789, ₦12,500.00, reference payout-81, is waiting for your authorization.\n\nAuthorization code: 482913\n\nIt is valid for 10 minutes. If you did not request this, do nothing and contact support.`,
  { kind: 'Code' },
)

const SHEETS: readonly (readonly [string, MailSheet, Brand])[] = [
  ['receipt', receipt, BRAND],
  [
    'receipt-yellow',
    { ...receipt, state: { word: 'Received: ₦300.00 of ₦18,500.00', good: false } },
    { ...BRAND, colour: '#ffcc00' },
  ],
  ['invoice', invoice, BRAND],
  ['code', code, BRAND],
]
const CASES = SHEETS.flatMap(([name, sheet, brand]) =>
  (['light', 'dark'] as const).flatMap((scheme) => [360, 1280].map((width) => ({ name, sheet, brand, scheme, width }))),
)

test.each(CASES)(
  '$name at $width px, $scheme: fits, and axe finds nothing',
  async ({ name, sheet, brand, scheme, width }) => {
    const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } })
    try {
      const page = await context.newPage()
      await page.setContent(sheetHtml('A mail', sheet, brand, OWN))
      const scroll: number = await page.evaluate('document.documentElement.scrollWidth')
      expect(scroll).toBeLessThanOrEqual(width)
      expect(await violations(page)).toEqual([])
      const shots = process.env['MAIL_SHOTS']
      if (shots) {
        mkdirSync(shots, { recursive: true })
        await page.screenshot({ path: `${shots}/${name}-${width}-${scheme}.png`, fullPage: true })
      }
    } finally {
      await context.close()
    }
  },
)
