// Invoices with lines, VAT, addresses and a tax number: they add up, and stand in the answer, on the page and
// in the mail.
import { expect, test } from 'vitest'
import { CREATE, invoice, invoiceBody, look, refusal } from '#test/features/collections/invoices.ts'
import { advance, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const LINES = [
  { description: 'Adire, indigo', quantity: 2.5, unitAmount: 800.1 },
  { description: 'Sewing <b>one</b> gown', quantity: 1, unitAmount: '300' },
]
const PAPER = {
  amount: 2473.02,
  lineItems: LINES,
  vatAmount: 172.77,
  customerAddress: '3 Ọ̀pẹ̀bí Road\nIkeja, Lagos',
  merchantAddress: '12 Itoku Market Road, Abẹ́òkúta',
  taxNumber: '12345678-0001',
}

test('200: what was given is in the answer, each line with what it comes to; without them nothing', async () => {
  const h = harness()
  const { main } = h.merchants
  const made = await invoice(h, main, PAPER)
  const shown = {
    lineItems: [
      { description: 'Adire, indigo', quantity: 2.5, unitAmount: 800.1, amount: 2000.25 },
      { description: 'Sewing <b>one</b> gown', quantity: 1, unitAmount: 300, amount: 300 },
    ],
    vatAmount: 172.77,
    customerAddress: PAPER.customerAddress,
    merchantAddress: PAPER.merchantAddress,
    taxNumber: '12345678-0001',
  }
  expect(made).toMatchObject(shown)
  expect(await look(h, main, made.invoiceReference)).toMatchObject(shown)
  const none = { lineItems: [], vatAmount: null, customerAddress: null, merchantAddress: null, taxNumber: null }
  expect(await invoice(h, main)).toMatchObject(none)
  expect(await invoice(h, main, { lineItems: [], taxNumber: '', customerAddress: null })).toMatchObject(none)
})

test.each<[string, number, Record<string, unknown>]>([
  ['INVOICE_TOTAL_WRONG', 422, { amount: 2473.03 }],
  ['INVOICE_TOTAL_WRONG', 422, { vatAmount: undefined }],
  ['FIELD_INVALID', 400, { lineItems: undefined }],
  ['AMOUNT_INVALID', 400, { lineItems: [{ ...LINES[0], quantity: 0 }] }],
  ['FIELD_INVALID', 400, { lineItems: [{ ...LINES[0], quantity: 1.0001 }] }],
  ['AMOUNT_INVALID', 400, { lineItems: [{ ...LINES[0], unitAmount: -1 }] }],
  ['FIELD_MISSING', 400, { lineItems: [{ quantity: 1, unitAmount: 1 }] }],
  ['FIELD_INVALID', 400, { lineItems: Array.from({ length: 51 }, () => LINES[0]) }],
  ['CARD_DATA_REFUSED', 400, { lineItems: [{ ...LINES[0], description: 'Card 4111 1111 1111 1111' }] }],
  ['CARD_DATA_REFUSED', 400, { customerAddress: '4111111111111111' }],
  ['FIELD_INVALID', 400, { taxNumber: '<b>' }],
])('%s (%d) for %j', async (code, status, over) => {
  const h = harness()
  const body = invoiceBody(h, h.merchants.main, { ...PAPER, ...over })
  expect(refusal(await h.as(h.merchants.main, 'POST', CREATE, body))).toEqual([status, code])
})

test('the mail has the lines and their sum, the page has all of it, and both escape it', async () => {
  const h = harness()
  const { main } = h.merchants
  const customerEmail = `${unique('lines')}@example.com`
  const made = await invoice(h, main, { ...PAPER, customerEmail })
  await advance(h, 5)
  const [mail] = (await h.as(main, 'GET', `/sandbox/mails?to=${customerEmail}`)).json.responseBody
  for (const words of ['Adire, indigo × 2.5: ₦2,000.25', 'VAT: ₦172.77', 'Total: ₦2,473.02', made.accountNumber])
    expect(mail.text).toContain(words)
  for (const words of ['Adire, indigo × 2.5', '₦2,000.25', 'Sewing &lt;b&gt;one', `href="${made.checkoutUrl}"`])
    expect(mail.html).toContain(words)
  const page = await (await fetch(`${made.checkoutUrl}/invoice`)).text()
  for (const words of [
    '2.5 × ₦800.10',
    'Sewing &lt;b&gt;one',
    'Ikeja, Lagos',
    'Tax number: 12345678-0001',
    '<svg class="qr"',
  ])
    expect(page).toContain(words)
  expect(page).toContain('12 Itoku Market Road')
})
