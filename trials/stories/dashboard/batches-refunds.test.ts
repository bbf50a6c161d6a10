// Stories of money that leaves: a batch from a file, a refund, and the wallet they come out of.
import { expect, test } from 'vitest'
import { account, BANK_CODE, newMerchant, sentTo } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { advance, paid } from '../../../apps/gateway/test/kit/harness.ts'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { button, field, heading, look, useStories } from './story.ts'

const stories = useStories()
const nameAt = (number: string): string => accountName(BANK_CODE, number) ?? ''

test('a file of payouts: every fault beside its row, the banks asked for the names, faulty rows left out, the rest paid', async () => {
  const h = stories.harness()
  const merchant = await newMerchant(h)
  const page = await stories.as('finance', '/payouts/batches/new', { merchant, proved: true })
  const [first, second, third] = [account(), account(), account('0001')]
  const line = (...cells: string[]): string => cells.map((cell) => `"${cell}"`).join(',')
  const csv = [
    'amount,reference,bank,account number,name,narration',
    line('14,250.00', 'sal-1', BANK_CODE, first, nameAt(first), 'October'),
    line('14,250.00', 'sal-2', BANK_CODE, second, 'Somebody Else Altogether', ''),
    line('900', 'sal-3', BANK_CODE, third, nameAt(third), ''),
    line('ten', 'sal-1', 'Bank of Nowhere', '12345', '', ''),
  ].join('\n')
  await field(page, 'File').setInputFiles({ name: 'salaries.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByText('1 of 4 rows have faults.').waitFor()
  await page.getByText('no bank is called “Bank of Nowhere”').waitFor()
  await button(page, 'Ask the banks for the names').click()
  await page.getByText('The bank has another name, or no account, for 1 row.').waitFor()
  await field(page, 'Title').fill('Salaries, second half of October')
  expect(await button(page, 'Send the batch').isDisabled()).toBe(true)
  await page.getByText('Leave out the 1 row with faults').click()
  await look(page, 'batch-new')
  await button(page, 'Send the batch').click()
  await heading(page, 'Salaries, second half of October').waitFor()
  await advance(h, 5)
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByText('Dormant beneficiary account').waitFor()
  await look(page, 'batch')
  await page.goto(`${h.apiUrl}/dashboard/payouts/batches`)
  await page.getByRole('link', { name: '₦29,400.00' }).waitFor()
  await look(page, 'batches')
  await sentTo(h, merchant, '7788', { amount: 65 })
  await page.goto(`${h.apiUrl}/dashboard/payouts?least=65&most=900`)
  await page.getByText('1 to 2 of 2 payouts').waitFor()
  await look(page, 'payouts')
  expect(stories.complaints()).toEqual([])
})

test('a part of a payment is refunded, the rest is shown as what is left, and the wallet has both movements', async () => {
  const h = stories.harness()
  const merchant = await newMerchant(h, { naira: 50_000 })
  const { transactionReference } = await paid(h, merchant, { amount: 25_000 })
  const path = `/refunds/new?transactionReference=${transactionReference}`
  const page = await stories.as('finance', path, { merchant, proved: true })
  await page.getByText('Can be refunded').waitFor()
  await field(page, 'How much').selectOption('part')
  await field(page, 'Amount, ₦').fill('4,000')
  await field(page, 'Reason').fill('Wrong colour delivered')
  await field(page, 'Note to the payer').fill('Sorry')
  await page.getByText('₦4,010.00').waitFor()
  await look(page, 'refund-new')
  await button(page, 'Refund it').click()
  await page.getByText('A part', { exact: true }).waitFor()
  await advance(h, 5)
  await page.getByText('Refunded.', { exact: true }).waitFor()
  await look(page, 'refund')
  await page.goto(`${h.apiUrl}/dashboard${path}`)
  await page.getByText('₦21,000.00').first().waitFor()
  await page.goto(`${h.apiUrl}/dashboard/refunds?refundStatus=FAILED`)
  await page.getByText('No refund fits these filters.').waitFor()
  await page.getByRole('link', { name: 'Show all refunds' }).click()
  await page.getByText('1 to 1 of 1 refunds').waitFor()
  await look(page, 'refunds')
  await page.goto(`${h.apiUrl}/dashboard/wallet`)
  await page.getByRole('cell', { name: '−₦4,010.00' }).waitFor()
  await look(page, 'wallet')
  expect(stories.complaints()).toEqual([])
})
