// Invoice mails are no relay: what a merchant writes cannot be tapped, stands in no subject, and goes to
// nobody without end.
import { expect, test } from 'vitest'
import { cancel, invoice } from '#test/features/collections/invoices.ts'
import { advance, type Harness, unique, useHarness } from '#test/kit/harness.ts'
import { CREATED_MAILS, unlinked } from './mails.ts'

const harness = useHarness()
const mailsTo = async (h: Harness, to: string): Promise<any[]> => {
  await advance(h, 5)
  return (await h.as(h.merchants.main, 'GET', `/sandbox/mails?to=${encodeURIComponent(to)}`)).json.responseBody
}

test("a subject holds none of the merchant's words, and no link of theirs can be tapped in the text", async () => {
  const h = harness()
  const { main } = h.merchants
  const customerEmail = `${unique('victim')}@example.com`
  const invoiceReference = unique('URGENT: your account is locked')
  const description = 'Log in at https://evil.example/pay or www.evil.example, 2.5 metres'
  await invoice(h, main, { customerEmail, invoiceReference, description, customerName: 'evil.example' })
  expect((await cancel(h, main, invoiceReference)).status).toBe(200)
  const mails = await mailsTo(h, customerEmail)
  expect(new Set(mails.map(({ subject }) => subject))).toEqual(
    new Set(['Invoice from Adire Stores was cancelled: ₦2,500.00', 'Invoice from Adire Stores: ₦2,500.00']),
  )
  for (const { text } of mails) {
    expect(text).not.toMatch(/https?:\/\/evil|evil\.example/)
    expect(text).toContain('evil[.]example')
    expect(text).toContain('2.5 metres')
  }
  expect(unlinked('a.b 1.50 end. Next')).toBe('a[.]b 1.50 end. Next')
})

test("a recipient is mailed twenty times a day by one merchant; the invoice beyond is made, and the next day's is mailed", async () => {
  const h = harness()
  const { main } = h.merchants
  const customerEmail = `${unique('flooded')}@example.com`
  for (let n = 0; n < CREATED_MAILS.recipient + 2; n += 1)
    await invoice(h, main, { customerEmail: n % 2 ? customerEmail : customerEmail.toUpperCase() })
  await invoice(h, h.merchants.other, { customerEmail })
  expect((await mailsTo(h, customerEmail)).length).toBe(20)
  await advance(h, 86_400)
  await invoice(h, main, { customerEmail })
  expect((await mailsTo(h, customerEmail)).length).toBe(21)
})
