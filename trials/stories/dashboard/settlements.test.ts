// Finance checks a settlement in the browser, takes home a month that sums to its settlements, changes where
// settlements go, and decides about money that does not fit.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newMerchant } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { correct, run, statementOf } from '../../../apps/gateway/test/features/settlements/settlements.ts'
import { paid, subAccount, type TestMerchant } from '../../../apps/gateway/test/kit/harness.ts'
import { button, field, heading, look, useStories } from './story.ts'

const { harness, as, complaints } = useStories()

/** Three settlements, the last of them with shares and a correction. */
async function settled(): Promise<{ merchant: TestMerchant; reference: string }> {
  const h = harness()
  const merchant = await newMerchant(h)
  for (const amount of [12_750, 9_800]) {
    await paid(h, merchant, { amount })
    await run(h, merchant)
  }
  const { subAccountCode } = await subAccount(h, merchant)
  const incomeSplitConfig = [{ subAccountCode, splitPercentage: 8 }]
  for (const amount of [42_000, 18_500, 150_000.5])
    await paid(h, merchant, { amount, paymentReference: `order-${amount}-${merchant.id}`, incomeSplitConfig })
  await correct(h, merchant, -2_500_000n)
  const [made] = await run(h, merchant)
  return { merchant, reference: made?.settlementReference ?? '' }
}

test('a settlement adds up on the screen and is proved in the browser; one that was changed on its way is said to be wrong', async () => {
  const { merchant, reference } = await settled()
  const statement = await statementOf(harness(), merchant, reference)
  const page = await as('finance', '/settlements', { merchant, proved: true })
  await page.getByRole('link', { name: `No. ${statement.number}`, exact: true }).waitFor()
  await look(page, 'settlements')
  await page.getByRole('link', { name: `No. ${statement.number}`, exact: true }).click()
  await heading(page, `Settlement ${statement.number}`).waitFor()
  const proof = page.getByRole('region', { name: 'Proof' })
  await proof.getByText('The hash is right').waitFor()
  const checks = await proof.getByRole('listitem').allInnerTexts()
  expect(checks.map((text) => text.split(':')[0]?.trim())).toEqual(['Right', 'Right', 'Right', 'Right', 'Not checked'])
  expect(checks[2]).toContain(`Ed25519, key ${statement.keyId}`)
  await button(page, 'Follow the chain to no. 1').click()
  await proof.getByText('chain unbroken from no. 1').waitFor()
  const sum = (await page.getByRole('region', { name: 'How it adds up' }).locator('b').allInnerTexts()).map((text) =>
    Math.round(Number(text.replace(/[₦,]/g, '')) * 100),
  )
  const [collected = 0, corrections = 0, fees = 0, shares = 0, net] = sum
  expect([collected, corrections]).toEqual([21_050_050, 2_500_000])
  expect(collected - corrections - fees - shares).toBe(net)
  expect(net).toBe(Math.round(Number(statement.totals.net) * 100))
  await look(page, 'settlement')

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('statement.csv')

  // Somebody on the way gives a payment to another order, a signature of their own, and another past: each is
  // noticed; the sums still fit.
  const other = (text: string): string => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
  await page.route(`**/${reference}/statement`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text())
      .replace('"order-42000-', '"order-42001-')
      .replace(statement.signature, other(statement.signature))
      .replace(statement.previousHash, 'f'.repeat(64))
    await route.fulfill({ response: answer, body })
  })
  await page.reload()
  await proof.getByRole('heading', { name: 'This statement does not prove itself' }).waitFor()
  expect(
    (await proof.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n').slice(0, 2).join(' ')),
  ).toEqual([
    expect.stringContaining('Right: '),
    expect.stringContaining('The hash is not that of this statement'),
    expect.stringContaining('The signature is not the gateway’s'),
    expect.stringContaining(`The chain is broken at statement ${statement.number - 1}`),
    expect.stringContaining('Not checked: '),
  ])
  expect(complaints()).toEqual([])
})

test('finance finds the settlement behind a line of the bank statement by its amount and day', async () => {
  const { merchant } = await settled()
  const page = await as('finance', '/settlements', { merchant })
  await page.getByRole('link', { name: 'No. 3', exact: true }).waitFor()
  const amount = '9,653.00' // 9,800 naira less the fee
  await field(page, 'At least, ₦').fill(amount)
  await field(page, 'At most, ₦').fill(amount)
  await button(page, 'Filter').click()
  await page.waitForURL('**/settlements?least=9653.00&most=9653.00')
  await page.getByRole('link', { name: 'No. 3', exact: true }).waitFor({ state: 'detached' })
  const numbers = page.getByRole('link', { name: /^No\. \d+$/ })
  expect(await numbers.allInnerTexts()).toEqual(['No. 2'])
  await look(page, 'settlements-filtered')
  await field(page, 'To').fill('2020-01-01')
  await button(page, 'Filter').click()
  await page.getByText('No settlement fits these filters.').waitFor()
  await page.getByRole('link', { name: 'Show all settlements' }).click()
  await page.getByRole('link', { name: 'No. 3', exact: true }).waitFor()
  expect(await numbers.count()).toBeGreaterThan(2) // and those of the sub account
  expect(complaints()).toEqual([])
})

/** What Chromium wrote to the disk. */
async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const waiting = page.waitForEvent('download')
  await click()
  const file = await waiting
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
}
const koboIn = (text: string): number => Math.round(Number(text.replace(/[₦,\s]/g, '')) * 100)

test('finance saves the view of last month and exports it: its sum is that of the settlements; a file too large to wait for is written meanwhile', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const customerName = '=The Good Shepherd Nursery & Primary School, Ogbomosho'
  for (const amount of [12_750, 9_800.5, 310_000]) await paid(h, merchant, { amount, customerName })
  await run(h, merchant)
  await paid(h, merchant, { amount: 4_000 })
  await run(h, merchant)
  const month = new Date(h.gateway.ctx.clock.now().getTime() + 3_600_000).toISOString().slice(0, 7)
  const [year = 0, number = 0] = month.split('-').map(Number)
  const page = await as('finance', '/payments', { merchant, proved: true })
  await page.clock.setFixedTime(new Date(Date.UTC(year, number, 10))) // in the browser it is the month after
  await page.reload()
  await page.getByRole('link', { name: 'Last month' }).click()
  await page.waitForURL(`**/payments?from=${month}-01&to=${month}-*`)
  await button(page, 'Save this view').click()
  await field(page, 'Name').fill('Last month, for the accountant')
  await field(page, 'Everybody at Ibadan Looms').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Rename').waitFor()
  await look(page, 'payments-saved')

  const file = await downloaded(page, () => page.getByRole('link', { name: 'Export CSV' }).click())
  expect(file.name).toMatch(new RegExp(`^payments-${month}-01-to-${month}-\\d\\d\\.csv$`))
  const [, net = ''] = /# end, rows=4, sum=336550\.50, fees=[\d.]+, net=([\d.]+)\r\n$/.exec(file.text) ?? []
  await page.goto(`${h.apiUrl}/dashboard/settlements`)
  await page.getByRole('link', { name: 'No. 1', exact: true }).waitFor()
  const settled = await page.getByRole('cell').filter({ hasText: '₦' }).allInnerTexts()
  expect(settled).toHaveLength(2)
  expect(settled.reduce((sum, text) => sum + koboIn(text), 0)).toBe(koboIn(net))

  // A colleague opens the view; the list says that it is long, and the file is asked for.
  const auditor = await as('auditor', '/payments', { merchant, proved: true })
  await auditor.getByRole('link', { name: 'Last month, for the accountant shared' }).click()
  await auditor.getByText('who can change it').waitFor()
  await auditor.route('**/transactions/search?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({
      response: answer,
      body: (await answer.text()).replace(/"totalElements":\d+/, '"totalElements":1240000'),
    })
  })
  await auditor.reload()
  await button(auditor, 'Export CSV').click()
  await auditor.getByRole('heading', { name: 'Export 1,240,000 payments' }).waitFor()
  await button(auditor, 'Write the file').click()
  await heading(auditor, 'Exports').waitFor()
  await auditor.getByText('0 of 4 rows').waitFor()
  // Others, as they would stand there: being written, given up, ready.
  await h.sql(
    '01',
    `insert into exports (id, merchant_id, asked_by, query, masked, file_name, rows_expected, created_at, expires_at, attempt, lease_until, rows_written,
       bytes, failed_at, ready_at, pieces)
     select e.id - n, merchant_id, asked_by, '{"paymentStatus":"PAID","fromAmount":"20000"}', n = 2, 'payments-2026-09-01-to-2026-09-30.csv', 1240000,
       created_at, expires_at, 1, case when n = 1 then expires_at end, 512000, 61400000, case when n = 2 then created_at end,
       case when n = 3 then created_at end, case when n = 3 then 1 end
     from exports e cross join generate_series(1, 3) as n where merchant_id = $1`,
    [merchant.id],
  )
  await auditor.getByText('512,000 of 1,240,000 rows').waitFor() // nobody loads the page
  await look(auditor, 'exports')
  await h.sql(
    '01',
    'update exports set lease_until = null, failed_at = created_at where merchant_id = $1 and lease_until is not null',
    [merchant.id],
  )
  h.startWorker()
  await auditor.getByText(/^4 rows, /).waitFor()
  const taken = await downloaded(auditor, () => auditor.getByRole('link', { name: `Download ${file.name}` }).click())
  expect(taken).toEqual(file)
  expect(complaints()).toEqual([])
})

test('finance changes the settlement account after the bank has said whose it is; a developer sees it in part and proves nothing', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await paid(h, merchant)
  const [made] = await run(h, merchant)
  const page = await as('finance', '/settlements/account', { merchant, proved: true })
  await field(page, 'Pay to').selectOption('BANK')
  await field(page, 'Bank').selectOption('058')
  await field(page, 'Account number').fill('0123457788')
  await look(page, 'settlement-account')
  await button(page, 'Ask the bank whose it is').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The bank says that this name has the account.').waitFor()
  await look(page, 'settlement-account-confirm')
  await dialog.getByRole('button', { name: 'Settle to this account' }).click()
  await page.getByText('Changed. It counts from the next settlement.').waitFor()
  const rule = (await h.as(merchant, 'GET', '/api/v1/settlement-rule')).json.responseBody
  expect(rule).toMatchObject({ destination: 'BANK', bankCode: '058', accountNumber: '0123457788' })
  const [line] = await h.sql(
    '01',
    "select actor_name, before, after from trail where what = 'settlements.setRule' and merchant_id = $1",
    [merchant.id],
  )
  expect(JSON.parse(line.before)).toMatchObject({ destination: 'WALLET' })
  expect(JSON.parse(line.after)).toMatchObject({ destination: 'BANK', accountNumber: '…7788' })
  expect(line.actor_name).toContain('finance')

  const developer = await as('developer', `/settlements/${made?.settlementReference}`, { merchant })
  await developer.getByText('Your role sees names and account numbers in part').waitFor()
  await developer.getByText('Download: not possible.').waitFor()
  await developer.goto(`${h.apiUrl}/dashboard/settlements/account`)
  await developer.getByText('Your role cannot change it.').waitFor()
  expect(complaints()).toEqual([])
})

test('held money is accepted into the wallet or returned; what needs two people waits', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const page = await as('finance', '/held', { merchant, proved: true })
  await page.getByText('All money fits.').waitFor()
  await look(page, 'held-empty')
  const { accountNumber } = await paid(h, merchant)
  for (const naira of [500, 250, 90_000]) await h.pay(accountNumber, naira)
  await h.as(merchant, 'PUT', '/api/v1/disbursement-settings', { lowBalanceThreshold: null, approvalAbove: 50_000 })
  await page.reload()
  await page.getByText('3 items.').waitFor()
  await look(page, 'held')
  const decide = async (amount: string, word: string) => {
    await button(page, `Decide about ${amount}, Already paid`).click()
    await field(page, 'Why').fill('The customer asked for it')
    if (amount === '500.00') await look(page, 'held-decide')
    await page.getByRole('dialog').getByRole('button', { name: word }).click()
  }
  await decide('500.00', 'Accept it')
  await page.getByText('is in your wallet.').waitFor()
  await decide('250.00', 'Return it')
  await page.getByText('is on its way to the account it came from.').waitFor()
  await decide('90000.00', 'Accept it')
  await page.getByText('A second person has to approve.').waitFor()
  const states = await h.sql(
    '01',
    'select kobo::int, status from suspense_items where merchant_id = $1 order by kobo',
    [merchant.id],
  )
  expect(states).toEqual([
    { kobo: 25_000, status: expect.stringMatching(/^RETURN/) },
    { kobo: 50_000, status: 'REASSIGNED' },
    { kobo: 9_000_000, status: 'HELD' },
  ])
  expect(complaints()).toEqual([])
})
