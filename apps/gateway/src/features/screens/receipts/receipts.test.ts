// Receipts: whom they reach, what stands on them, and that each is sent once, whatever is repeated and
// whoever dies.
import { describe, expect, test } from 'vitest'
import { sequence } from '#core/events.ts'
import { ADDRESS } from '#core/personal/judging.ts'
import { notice, tell, waiting } from '#test/bank/notices.ts'
import { invoice } from '#test/features/collections/invoices.ts'
import { newMerchant, order, SINGLE } from '#test/features/payouts/disbursements.ts'
import { refunded } from '#test/features/payouts/refunds.ts'
import { dyingAt } from '#test/kit/dying.ts'
import { advance, type Harness, paid, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { followEvents, forgetOld } from './receipts.ts'

const harness = useHarness()
const ON = { payments: true, refunds: true, payouts: true }
const OFF = { payments: false, refunds: false, payouts: false }

const wants = async (h: Harness, merchant: TestMerchant, receipts: Record<string, boolean>, more = {}) => {
  const answer = await h.as(merchant, 'PUT', '/api/v1/merchant/branding', { ...more, receipts })
  expect(answer.status, answer.text).toBe(200)
}
const mailsTo = async (h: Harness, merchant: TestMerchant, to: string): Promise<any[]> => {
  await advance(h, 1)
  return (await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(to)}`)).json.responseBody
}
const somebody = (): string => `${unique('payer')}@example.com`
const receiptsOf = (h: Harness, merchant: TestMerchant) =>
  h.sql(merchant.cell, 'select sent_at, refused_at from receipts where merchant_id = $1', [merchant.id])
const refuseMail = (h: Harness, refuse: boolean) =>
  fetch(`${h.simulatorUrl}/api/mail`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refuse }),
  })

describe('what is sent', () => {
  test('a payment: to its customer, with amount, reference, page and contact; HTML and text; no link of others', async () => {
    const h = harness()
    const { main } = h.merchants
    await wants(h, main, ON, { colour: '#2f3fa8', supportEmail: 'help@adire.example' })
    const customerEmail = somebody()
    const made = await paid(h, main, { customerEmail, paymentDescription: 'Cloth <b>blue</b>, see evil.example' })
    const [mail, ...others] = await mailsTo(h, main, customerEmail)
    expect(others).toEqual([])
    expect(mail.subject).toBe('Receipt: ₦1,500.00 to Adire Stores')
    for (const words of [
      'You paid Adire Stores',
      'Paid in full, by bank transfer',
      made.paymentReference,
      'evil[.]example',
    ])
      expect(mail.text).toContain(words)
    expect(mail.text).toContain(made.checkoutUrl)
    expect(mail.html).toContain(`href="${made.checkoutUrl}"`)
    expect(mail.html).toContain('&lt;b&gt;blue')
    expect(mail.html).toContain('background-color:#31439e')
    expect(mail.html).toContain('help@adire.example')
    expect([...mail.html.matchAll(/href="([^"]*)"/g)].length).toBe(1)
    await wants(h, main, OFF)
  })

  test('none before they are asked for, none for what was before, none after they are switched off', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const customerEmail = somebody()
    await paid(h, merchant, { customerEmail })
    expect(await mailsTo(h, merchant, customerEmail)).toEqual([])
    await wants(h, merchant, ON)
    expect(await mailsTo(h, merchant, customerEmail)).toEqual([])
    await paid(h, merchant, { customerEmail })
    expect((await mailsTo(h, merchant, customerEmail)).length).toBe(1)
    await wants(h, merchant, { ...ON, payments: false })
    await paid(h, merchant, { customerEmail })
    expect((await mailsTo(h, merchant, customerEmail)).length).toBe(1)
    await wants(h, merchant, OFF)
    await paid(h, merchant, { customerEmail })
    await advance(h, 1) // an event without a number is of what follows
    await wants(h, merchant, ON)
    expect((await mailsTo(h, merchant, customerEmail)).length).toBe(1)
  })

  test('a refund: to the customer of the payment, with where it went and not why the merchant made it', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, { ...OFF, refunds: true })
    const customerEmail = somebody()
    const made = await paid(h, merchant, { customerEmail, amount: 1000 })
    const { refundReference } = await refunded(h, merchant, made.transactionReference, {
      refundReason: 'Fraud suspected',
    })
    await advance(h, 120)
    const [mail, ...others] = await mailsTo(h, merchant, customerEmail)
    expect(others).toEqual([])
    expect(mail.subject).toBe('Refund: ₦1,000.00 from Ibadan Looms')
    for (const words of ['Ibadan Looms refunded you', 'Sorry', refundReference, made.paymentReference])
      expect(mail.text).toContain(words)
    expect(mail.text + mail.html).not.toContain('Fraud suspected')
  })

  test('a payout: to the merchant, with the last four digits of the account; none for a row of a batch', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, { ...OFF, payouts: true })
    const single = order(merchant)
    expect((await h.as(merchant, 'POST', SINGLE, single)).status).toBe(200)
    const row = order(merchant)
    const { sourceAccountNumber, ...transaction } = row
    const batch = {
      title: 'Wages',
      batchReference: unique('batch'),
      narration: 'Wages',
      sourceAccountNumber,
      onValidationFailure: 'CONTINUE',
      notificationInterval: 25,
      transactionList: [transaction],
    }
    expect((await h.as(merchant, 'POST', '/api/v2/disbursements/batch', batch)).status).toBe(200)
    await advance(h, 120)
    const mails = (await mailsTo(h, merchant, merchant.email)).filter(({ subject }) => subject.startsWith('Sent: '))
    expect(mails.map(({ text }) => text.includes(single.reference))).toEqual([true])
    expect(mails[0].text).toContain(`···${single.destinationAccountNumber.slice(-4)}`)
    expect(mails[0].text + mails[0].html).not.toContain(single.destinationAccountNumber)
    const events = await h.sql(
      '01',
      `select type from events where merchant_id = $1 and type = 'SUCCESSFUL_DISBURSEMENT'`,
      [merchant.id],
    )
    expect(events.length).toBe(2)
  })

  test('an invoice that is paid in two parts has a receipt for each', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, ON)
    const customerEmail = somebody()
    const made = await invoice(h, merchant, { customerEmail })
    await h.pay(made.accountNumber, 1000)
    await h.pay(made.accountNumber, 1500)
    const mails = (await mailsTo(h, merchant, customerEmail)).filter(({ subject }) => subject.startsWith('Receipt'))
    expect(mails.length).toBe(2)
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(
      new Set(['Receipt: ₦1,000.00 to Ibadan Looms', 'Receipt: ₦2,500.00 to Ibadan Looms']),
    )
    expect(mails.some(({ text }) => text.includes('₦1,000.00 of ₦2,500.00'))).toBe(true)
  })
})

describe('once', () => {
  test('a notice that comes twenty times at once makes one receipt, also with four followers at once', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, ON)
    const customerEmail = somebody()
    const { accountNumber } = await waiting(h, merchant, { customerEmail, amount: 1500 })
    const body = notice(accountNumber, '1500.00')
    await Promise.all(Array.from({ length: 20 }, () => tell(h, body)))
    await advance(h, 0)
    await Promise.all(Array.from({ length: 4 }, () => followEvents(h.gateway.ctx, '01')))
    expect((await mailsTo(h, merchant, customerEmail)).length).toBe(1)
    await h.sql('01', 'update receipt_settings set looked_at = 0 where merchant_id = $1', [merchant.id]) // the place of a restored database
    await followEvents(h.gateway.ctx, '01')
    expect((await mailsTo(h, merchant, customerEmail)).length).toBe(1)
  })

  test.each(['receipts', 'agenda'])('a worker that dies while it writes %s leaves nothing half done', async (table) => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, ON)
    await advance(h, 1)
    const emails = [somebody(), somebody()]
    for (const customerEmail of emails) await paid(h, merchant, { customerEmail })
    const place = 'select looked_at::int as at from receipt_settings where merchant_id = $1'
    await sequence(h.gateway.ctx, '01')
    const [before] = await h.sql('01', place, [merchant.id])
    await dyingAt(h, table, async () => {
      await expect(followEvents(h.gateway.ctx, '01')).rejects.toThrow('died here')
    })
    expect(await h.sql('01', place, [merchant.id])).toEqual([before])
    expect(await receiptsOf(h, merchant)).toEqual([])
    for (const customerEmail of emails) expect((await mailsTo(h, merchant, customerEmail)).length).toBe(1)
    const [after] = await h.sql('01', place, [merchant.id])
    expect(after.at).toBe(before.at + 2)
  })

  test('a mail server in trouble is asked again; those it took are not sent again, and after three days it is given up', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, ON)
    const emails = [somebody(), somebody()] as const
    await paid(h, merchant, { customerEmail: emails[0] })
    expect((await mailsTo(h, merchant, emails[0])).length).toBe(1)
    await refuseMail(h, true)
    await paid(h, merchant, { customerEmail: emails[1] })
    await advance(h, 60)
    await refuseMail(h, false)
    await advance(h, 600)
    for (const email of emails) expect((await mailsTo(h, merchant, email)).length).toBe(1)
    await refuseMail(h, true)
    const late = somebody()
    await paid(h, merchant, { customerEmail: late })
    await advance(h, 60)
    await h.sql(
      '01',
      `update receipts set created_at = created_at - interval '4 days' where merchant_id = $1 and sent_at is null`,
      [merchant.id],
    )
    await refuseMail(h, false)
    await advance(h, 600)
    expect(await mailsTo(h, merchant, late)).toEqual([])
    const rows = await receiptsOf(h, merchant)
    const count = (which: 'sent_at' | 'refused_at') => rows.filter((row) => row[which] !== null).length
    expect([rows.length, count('sent_at'), count('refused_at')]).toEqual([3, 2, 1])
  })

  test('nothing is sent to a customer whose data was erased while it waited', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, ON)
    await paid(h, merchant, { customerEmail: ADDRESS })
    expect(await mailsTo(h, merchant, ADDRESS)).toEqual([])
    expect((await receiptsOf(h, merchant)).map((row) => row.refused_at !== null)).toEqual([true])
  })

  test('rows are gone after a week', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await wants(h, merchant, ON)
    await paid(h, merchant, { customerEmail: somebody() })
    await advance(h, 8 * 86_400)
    await forgetOld(h.gateway.ctx, '01')
    expect(await receiptsOf(h, merchant)).toEqual([])
  })
})
