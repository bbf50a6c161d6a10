// The first screen, and the one box: a support person finds a payment by the account that its payer paid
// from; finance sees the day, where the money is and what needs them; what happens elsewhere reaches the
// screen.
import { expect, test } from 'vitest'
import { addEndpoint } from '../../../apps/gateway/test/features/events/events.ts'
import { newMerchant } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { initialise, issueAccount, paid } from '../../../apps/gateway/test/kit/harness.ts'
import { button, heading, look, useStories } from './story.ts'

const { harness, as, complaints } = useStories()
const PAYER = '0690001122'

test('finance sees the day and what needs them; every figure leads to its list; a new payment reaches the screen on its own', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  await addEndpoint(h, merchant, h.receiverUrl())
  h.answerWith(() => 500)
  const names = ['Adaeze Chukwuemeka-Okonkwo', 'The Good Shepherd Nursery & Primary School, Ogbomosho', 'Ṣọlá Ọdẹ́yẹmí']
  const payments = []
  for (const [at, customerName] of names.entries())
    payments.push(await paid(h, merchant, { customerName, amount: [18_500, 125_000, 4250.5][at] }))
  await h.pay(payments[0]?.accountNumber ?? '', 900) // a second time: it does not fit
  await initialise(h, merchant, { customerName: 'Ibrahim Danjuma Mai-Wada', amount: 9800 })
  h.startWorker()
  const failing = 'select from endpoints where merchant_id = $1 and failing_since is not null'
  await h.until('the endpoint fails', async () => (await h.sql('01', failing, [merchant.id])).length === 1)
  const page = await as('finance', '/', { merchant })
  await page.getByRole('link', { name: '₦147,750.50' }).waitFor()
  await page.getByText('One transfer does not fit').waitFor()
  await page.getByText('A webhook endpoint fails').waitFor()
  await page.getByRole('table', { name: 'Latest payments' }).getByRole('link', { name: 'Ṣọlá Ọdẹ́yẹmí' }).waitFor()
  await look(page, 'home')
  await page.getByText('Seven days as a table').click()
  await look(page, 'home-days')
  const waiting = page.getByRole('link', { name: '1 payment', exact: true })
  expect(await waiting.getAttribute('href')).toBe('/dashboard/payments?state=PENDING')

  // Nobody touches the page: the hint comes, and the figure is read anew.
  await paid(h, merchant, { customerName: 'Chinedu Eze', amount: 1000 })
  await page.getByRole('link', { name: '₦148,750.50' }).waitFor()
  expect(complaints()).toEqual([])
})

test('support finds a payment by the account of its payer, sees nothing that the role may not, and the box also knows the screens', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const page = await as('support', '/', { merchant })
  await page.getByText('No payment was asked for yet.').waitFor()
  await page.getByText('Nothing was paid yet today.').waitFor()
  await look(page, 'home-empty')
  expect(await page.getByText('In your wallet').count()).toBe(0)
  const made = await initialise(h, merchant, { customerName: 'Adaeze Chukwuemeka-Okonkwo', amount: 18_500 })
  const accountNumber = await issueAccount(h, merchant, made.transactionReference)
  const { sessionId } = (await h.pay(accountNumber, 18_500, { senderAccountNumber: PAYER })).json
  await h.until('the credit', async () => {
    const rows = await h.sql('01', 'select from inbound_credits where bank_reference = $1', [sessionId])
    return rows.length === 1
  })
  await button(page, 'Find anything Ctrl K').waitFor()
  await page.keyboard.press('/')
  const box = page.getByRole('dialog', { name: 'Find anything' })
  await box.getByRole('textbox').fill('0690001199')
  await box.getByText('Nothing of yours is called').waitFor()
  await box.getByRole('textbox').fill(PAYER)
  await box.getByText('A. C.').waitFor() // masked for support
  await look(page, 'find')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/dashboard/payments/${encodeURIComponent(made.transactionReference)}`)
  await page.goBack()
  await page.getByText('Latest payments').waitFor()
  await page.keyboard.press('Control+k')
  await box.getByRole('textbox').fill('acc')
  await box.getByRole('link', { name: 'Your account' }).click()
  await heading(page, 'Your account').waitFor()
  expect(complaints()).toEqual([])
})
