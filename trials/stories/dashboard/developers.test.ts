// A developer sees why the handler failed and sends the event again; makes a key for a partner; finds a
// refused request.
import { expect, test } from 'vitest'
import { paid } from '../../../apps/gateway/test/kit/harness.ts'
import { button, field, heading, look, useStories } from './story.ts'

const { harness, as, complaints } = useStories({ settings: async () => ({ REQUEST_LOG_DAYS: '7' }) })

test('a developer sees why the handler failed and sends the event again', async () => {
  const h = harness()
  const { main } = h.merchants
  h.answerWith(() => 502)
  await h.as(main, 'PUT', '/api/v1/webhook-urls', { transactionCompletion: h.receiverUrl('/hook') })
  h.startWorker()
  const payment = await paid(h, main, { customerName: 'Oluwaseun Babatunde Adeleke-Johnson' })
  await h.until('the first attempt', async () => h.received.length > 0)

  const page = await as('developer', '/developers/events')
  await page.getByText('Retrying').waitFor()
  await look(page, 'events')
  await page.getByRole('link', { name: 'Payment received' }).click()
  await page.getByText('Your server answered 502').first().waitFor()
  await page.getByText(payment.transactionReference).first().waitFor()
  expect(await page.getByRole('main').innerText()).not.toContain('Oluwaseun') // the role sees no personal data
  await look(page, 'event')
  h.answerWith(() => 200)
  await button(page, 'Resend now').click()
  await page.getByText('It is sent again').first().waitFor()
  await page.getByText('Your server answered 200').waitFor()
  await page.getByText('Taken', { exact: true }).waitFor()

  await page.goto(`${h.apiUrl}/dashboard/developers/events?outcome=GIVEN_UP`)
  await page.getByText('Nothing was given up.').waitFor()
  await h.sql('01', `update deliveries set state = 'GIVEN_UP'`)
  await page.reload()
  await page.getByRole('cell', { name: 'Given up' }).waitFor()
  await h.sql('01', `update deliveries set state = 'DELIVERED'`)
  await page.getByRole('link', { name: 'Endpoints' }).first().click()
  await page.getByText('Takes what it is sent').waitFor()
  await look(page, 'endpoints')
  expect(complaints()).toEqual([])
})

test('a key for a partner is made and ended, its secret key shown once; the secret key is rotated with itself; a refused request is found', async () => {
  const h = harness()
  const { second } = h.merchants
  const page = await as('owner', '/developers/keys', { merchant: second, proved: true })
  await page.getByText('No limited key yet.').waitFor()
  await button(page, 'Make a key').click()
  await field(page, 'Name').fill('Accounting, read only')
  await field(page, 'Only from these addresses').fill('not an address')
  await button(page, 'Make the key').click()
  await page.getByText('must be addresses or networks').waitFor()
  await field(page, 'Only from these addresses').fill('203.0.113.0/24, 198.51.100.7')
  await button(page, 'Make the key').click()
  await page.getByText('The secret key is shown once.').waitFor()
  const secret = await page.getByText(/^Secret key \S+/).innerText()
  await look(page, 'key-made')
  await button(page, 'I have stored it').click()
  await button(page, 'End Accounting, read only').waitFor()
  expect(await page.content()).not.toContain(secret.replace('Secret key ', '').trim())
  await look(page, 'keys')
  await button(page, 'End Accounting, read only').click()
  await button(page, 'End the key').click()
  await page.getByText('Ended').waitFor()

  await button(page, 'Rotate the secret key…').click()
  await field(page, 'Present secret key').fill('wrong')
  await button(page, 'Get the new key').click()
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor()
  await field(page, 'Present secret key').fill(second.secretKey)
  await button(page, 'Get the new key').click()
  await page.getByText('The old key is good until').waitFor()
  await button(page, 'I have stored it').click()

  await h.as(second, 'GET', '/api/v2/transactions/nothing-of-the-kind')
  await h.until('the line in the log', async () => {
    const [row] = await h.sql(second.cell, 'select count(*)::int as n from request_log where status = 404')
    return row.n > 0
  })
  await page.goto(`${h.apiUrl}/dashboard/developers/requests?status=4xx&path=/api/v2`)
  await heading(page, 'Requests').waitFor()
  await page.getByText('TRANSACTION_NOT_FOUND').waitFor()
  await button(page, 'Copy as curl: /api/v2/transactions/nothing-of-the-kind').waitFor()
  await look(page, 'requests')
  expect(complaints()).toEqual([])
})

test('a key that may more than its maker waits for an owner, who is shown its secret key', async () => {
  const h = harness()
  const { main } = h.merchants
  const page = await as('developer', '/developers/keys', { merchant: main, proved: true })
  await button(page, 'Make a key').click()
  await field(page, 'Name').fill('Accounting, read only')
  await field(page, 'Why').fill('Their new accountant')
  await button(page, 'Make the key').click()
  await page.getByText('It waits for an owner.').waitFor()
  await look(page, 'key-waits')
  const [waiting] = await h.sql('01', `select id::text from approvals where act = 'keys.create'`)
  const owner = await as('owner', `/approvals/CWAP01${waiting.id}`, { merchant: main, proved: true })
  await button(owner, 'Approve and make the key').click()
  await owner.getByText('The secret key is shown once.').waitFor()
  await look(owner, 'key-approved')
  expect(complaints()).toEqual([])
})
