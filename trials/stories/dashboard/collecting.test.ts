// Finance asks customers for money: an invoice, a payment link; and looks at reserved accounts, mandates and
// sub accounts.
import { expect, test } from 'vitest'
import { accepted, active } from '../../../apps/gateway/test/features/collections/direct-debit.ts'
import { reserve } from '../../../apps/gateway/test/features/collections/reserved-accounts.ts'
import { newMerchant } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { advance } from '../../../apps/gateway/test/kit/harness.ts'
import { button, field, heading, look, useStories } from './story.ts'

const { harness, as, complaints } = useStories()
const LONG = 'Adaeze Chukwuemeka-Okonkwo and Daughters Wholesale Textiles Limited'

test('an invoice is made, looked at and cancelled', async () => {
  const merchant = await newMerchant(harness())
  const page = await as('finance', '/invoices', { merchant })
  await page.getByText('There are no invoices yet.').waitFor()
  await page.getByRole('link', { name: 'New invoice' }).click()
  await heading(page, 'New invoice').waitFor()
  await look(page, 'invoice-new')
  await field(page, 'Customer').fill(LONG)
  await field(page, 'E-mail address').fill('adaeze@textiles.example')
  await field(page, 'What for').fill('Forty yards of adire, indigo')
  await field(page, 'Amount, naira').fill('0.5')
  await button(page, 'Send the invoice').click()
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor() // what the gateway refuses stands beside the button
  await field(page, 'Amount, naira').fill('125050.00')
  await button(page, 'Send the invoice').click()
  await heading(page, 'Invoice').waitFor()
  await page.getByText('Awaiting payment').waitFor()
  await look(page, 'invoice')
  await button(page, 'Cancel the invoice').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the invoice' }).click()
  await page.getByText('Cancel: not possible. It has ended.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Invoices' }).click()
  await page.getByText('1 to 1 of 1 invoices').waitFor()
  await look(page, 'invoices')
  expect(complaints()).toEqual([])
})

test('a payment link is made with its preview, paused and resumed; support sees it and can change nothing', async () => {
  const merchant = await newMerchant(harness())
  const page = await as('finance', '/links/new', { merchant })
  await field(page, 'What is paid for').fill('Ankara, six yards')
  await field(page, 'Amount, naira').fill('18500')
  await page.getByRole('region', { name: 'What the payer sees' }).getByText('₦18,500.00').waitFor()
  await look(page, 'link-new')
  await button(page, 'Make the link').click()
  await heading(page, 'Ankara, six yards').waitFor()
  await page.getByText('Nobody has started a payment yet.').waitFor()
  const address = (await page.getByRole('link', { name: /\/pay\/CWPL/ }).getAttribute('href')) ?? ''
  const payer = { name: 'Ngozi Bello', email: 'ngozi@example.com' }
  await fetch(address, { method: 'POST', body: new URLSearchParams(payer), redirect: 'manual' })
  await button(page, 'Pause').click()
  await page.getByText('Paused', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Ngozi Bello' }).waitFor()
  await look(page, 'link')
  await button(page, 'Resume').click()
  await page.getByText('Can be paid').waitFor()
  const support = await as('support', '/links', { merchant })
  await support.getByRole('link', { name: 'Ankara, six yards' }).waitFor()
  await look(support, 'links')
  await support.getByRole('link', { name: 'Ankara, six yards' }).click()
  await support.getByText('Your role cannot pause it.').waitFor()
  await support.getByRole('link', { name: 'N. B.' }).waitFor() // in part, for who may not see more
  expect(complaints()).toEqual([])
})

test('a reserved account with its payments, a mandate with its debits, and a sub account that is made and changed', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { accounts, accountReference } = await reserve(h, merchant, { customerName: LONG, getAllAvailableBanks: true })
  await h.pay(accounts[0].accountNumber, 4_500)
  const mandate = await active(h, merchant)
  const debited = await accepted(h, mandate)
  await advance(h, 60)
  const page = await as('owner', '/accounts', { merchant, proved: true })
  await page.getByText('and at 3 more').waitFor()
  await look(page, 'reserved-accounts')
  await page.getByRole('link', { name: LONG }).click()
  await page.getByText(accountReference).waitFor()
  await page.getByText('From one transfer.').waitFor()
  await page.getByText('1 to 1 of 1 payments').waitFor()
  await look(page, 'reserved-account')

  await page.goto(`${h.apiUrl}/dashboard/mandates?state=ACTIVE`)
  await page.getByRole('link', { name: mandate.body.customerName }).waitFor()
  await look(page, 'mandates')
  await page.getByRole('link', { name: mandate.body.customerName }).click()
  await page.getByRole('link', { name: debited.narration }).waitFor()
  await look(page, 'mandate')

  await page.goto(`${h.apiUrl}/dashboard/sub-accounts`)
  await page.getByText('There are no sub accounts.').waitFor()
  await button(page, 'New sub account').click()
  await field(page, 'Bank').selectOption('057')
  await field(page, 'Account number').fill('0123457788')
  await field(page, 'E-mail address').fill('partner@example.com')
  await field(page, 'Share by default, percent').fill('12.5')
  await look(page, 'sub-account-new')
  await button(page, 'Make the sub account').click()
  await page.getByText('12.5 %').waitFor()
  await page.getByRole('button', { name: /^Change / }).click()
  await field(page, 'Share by default, percent').fill('15')
  await button(page, 'Change it').click()
  await page.getByText('15 %').waitFor()
  await look(page, 'sub-accounts')
  expect(complaints()).toEqual([])
})
