// The operator's console in a browser: one onboards a merchant and a second lets it go live; a break is
// closed by a correcting entry of two; and the other screens with something in them.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newSession, notice, tell, waiting } from '../../../apps/gateway/test/bank/notices.ts'
import { newMerchant, sentTo } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { fault, noon } from '../../../apps/gateway/test/features/settlements/reconciliation.ts'
import { paid } from '../../../apps/gateway/test/kit/harness.ts'
import { button, heading, links, look, useStories } from './story.ts'

const { harness, asOperator, secondApproves, complaints } = useStories({ settles: true })

const dialog = (page: Page) => page.getByRole('dialog')
const accept = async (page: Page, paper: string, note = ''): Promise<void> => {
  await page.getByRole('row', { name: paper }).getByRole('button', { name: 'Record…' }).click()
  await dialog(page).getByLabel('State').selectOption('ACCEPTED')
  await dialog(page).getByLabel('Note').fill(note)
  await dialog(page).getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByText(`${paper}: recorded.`).waitFor()
}
const NAME = 'Ọmọ Oòduà Farms & Agro-Allied Processing Limited'

test('an operator records an application, its papers and its review; going live waits for a second person, and then it is live', async () => {
  const page = await asOperator('operations', '/')
  await page.getByRole('region', { name: 'Lags' }).waitFor()
  await page.getByText('never checked here').first().waitFor() // a check that did not run is a row
  expect(await links(page)).toContain('Reconciliation')
  await page.goto(`${harness().operatorUrl}/operator/merchants`)
  await button(page, 'Record an application…').click()
  const values: Readonly<Record<string, string>> = {
    Name: NAME,
    'E-mail address': 'adebayo@farms.example',
    'Registration number': 'RC 1884207',
    Address: '14 Ring Road, Ibadan',
    Contact: 'Adebayo Olaniyan, 0803 000 0000',
    'Expected a month, naira': '38000000',
  }
  for (const [label, value] of Object.entries(values)) await dialog(page).getByLabel(label, { exact: true }).fill(value)
  await look(page, 'operator-merchant-new')
  await dialog(page).getByRole('button', { name: 'Record an application' }).click()
  await page.getByText('The application is recorded.').waitFor()
  await look(page, 'operator-merchants')
  await page.getByRole('link', { name: NAME }).click()
  await heading(page, NAME).waitFor()
  await page.getByText('Not possible: it is applied; only what is in review can be.').waitFor()
  await button(page, 'Begin…').click()
  await dialog(page).getByRole('button', { name: 'Begin', exact: true }).click()
  await page.getByText('It is in review.').waitFor()
  for (const paper of ['Certificate of registration', 'Identity of the owner or directors', 'Proof of the address'])
    await accept(page, paper)
  await accept(page, 'Exam of its webhook handler', 'Waived: it looks at the dashboard only')
  await button(page, 'Go live…').click()
  await dialog(page).getByLabel('Networks').fill('102.89.23.0/24')
  await dialog(page).getByLabel('Transfers out of the wallet').check()
  await dialog(page).getByLabel('Reason').fill('Names match, papers read')
  await dialog(page).getByRole('button', { name: 'Ask for it: go live' }).click()
  await page.getByText('it waits for a second person').waitFor()
  await look(page, 'operator-merchant-in-review')
  expect(await page.getByText('API key').locator('..').innerText()).toContain('None before it is live')
  await secondApproves('operations', 'merchants.golive')
  await page.reload()
  await button(page, 'Suspend…').waitFor()
  await page.getByText('102.89.23.0/24').waitFor()
  await look(page, 'operator-merchant')
  // One who may not: what is not allowed stays there, with its reason.
  const clerk = await asOperator('support', new URL(page.url()).pathname.replace('/operator', ''))
  await clerk.getByText('Not possible: your role, support, may not.').first().waitFor()
  expect(await button(clerk, 'Suspend…').isDisabled()).toBe(true)
  expect(complaints()).toEqual([])
})

test('a break is shown with the statement beside the books, and closed by a correcting entry of two', async () => {
  const h = harness()
  await noon(h)
  const [charge, lost] = [newSession(), newSession()]
  await fault(h, { fault: 'invented', sessionId: charge, amount: '1450.00', kind: 'CHARGE' })
  await fault(h, { fault: 'stranger', sessionId: lost, amount: '36000.00', accountNumber: '0199999999' })
  const merchant = await newMerchant(h)
  await noon(h)
  await sentTo(h, merchant, '0002') // the bank takes two hours
  const { accountNumber } = await waiting(h, h.merchants.main)
  for (const amount of ['1500.00', '250000.00']) await tell(h, notice(accountNumber, amount)) // the second is one too many
  const page = await asOperator('finance', '/')
  await page.getByRole('table', { name: 'Banks' }).waitFor()
  await look(page, 'operator-board')
  await page.getByRole('link', { name: 'Breaks with the bank' }).click()
  const [row] = await h.sql('01', 'select id::text from recon_breaks where session_id = $1', [charge])
  await page.getByRole('link', { name: row.id }).waitFor()
  await look(page, 'operator-reconciliation')
  await page.getByRole('link', { name: row.id }).click()
  await page.getByRole('table', { name: 'Correcting entry' }).getByText('Balanced').waitFor()
  await look(page, 'operator-break')
  await button(page, 'Ask for this entry…').click()
  await dialog(page).getByLabel('Reason').fill('Letter of the bank of 14 November')
  await dialog(page).getByRole('button', { name: 'Ask for it: correct' }).click()
  await page.getByText('it waits for a second person').waitFor()
  expect(await h.sql('01', `select 1 from transfers where kind = 'CORRECTION' and object_id = $1`, [row.id])).toEqual(
    [],
  )
  await secondApproves('finance', 'breaks.resolve')
  await page.reload()
  await page.getByText('BANK_CHARGE: Letter of the bank').waitFor()
  const [posting, ...more] = await h.sql(
    '01',
    `select id::text from transfers where kind = 'CORRECTION' and object_id = $1`,
    [row.id],
  )
  expect(more).toEqual([])

  await page.goto(`${h.operatorUrl}/operator/books/01/${posting.id}`)
  await page.getByText('Balanced').waitFor()

  // The other screens, with something in them.
  const visits: readonly (readonly [path: string, name: string, shows: string])[] = [
    ['/books', 'operator-books', 'Sum of these accounts'],
    ['/suspense', 'operator-suspense', 'In suspense now'],
    ['/work', 'operator-work', 'asked'],
    ['/cells', 'operator-cells', 'the next merchant goes here'],
    ['/routes', 'operator-routes-none', 'There is one connector, bank, and no route.'],
    ['/settlements?show=would', 'operator-settlements', 'if it ran now'],
    ['/trail', 'operator-trail', 'breaks.resolve'],
    ['/security', 'operator-security', 'proposal.asked'],
    ['/team', 'operator-people', 'Authenticator app'],
    [`/merchants/${merchant.apiKey}/requests`, 'operator-requests', 'No request fits.'],
  ]
  for (const [path, name, shows] of visits) {
    await page.goto(`${h.operatorUrl}/operator${path}`)
    await page.getByRole('main').getByText(shows).first().waitFor()
    await look(page, name)
  }
  await page.goto(`${h.operatorUrl}/operator/work`)
  await page.getByRole('table', { name: 'Waiting' }).getByRole('link').first().click()
  await page.getByRole('region', { name: 'Its path so far' }).waitFor()
  await look(page, 'operator-work-one')
  expect(complaints()).toEqual([])
})

test('an operator finds a payout by the bank’s session, with merchant and cell; a fee is tried before it is asked for, and a limit waits for a second person', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { reference } = await sentTo(h, merchant, '0002') // the bank takes two hours
  const [{ session_id: session }] = await h.sql('01', 'select session_id from disbursements where reference = $1', [
    reference,
  ])
  const page = await asOperator('finance', '/fees')
  await page.getByRole('table', { name: 'Fees' }).waitFor()
  await page.keyboard.press('/')
  await page.getByLabel('Find anything').last().fill('nobody calls anything so')
  await page.getByText('No cell that answered knows').waitFor()
  await page.getByLabel('Find anything').last().fill('ibadan')
  await dialog(page).getByRole('link', { name: merchant.apiKey }).waitFor()
  await look(page, 'operator-find')
  await page.getByLabel('Find anything').last().fill(session)
  await dialog(page).getByText('Ibadan Looms · cell 01').waitFor()
  await page.keyboard.press('Enter')
  await heading(page, `Payout ${reference}`).waitFor()

  await page.goto(`${h.operatorUrl}/operator/fees?search=${merchant.apiKey}`)
  await page.getByRole('table', { name: 'Fees' }).getByText('Ibadan Looms').first().waitFor()
  await look(page, 'operator-fees')
  await button(page, 'Set a fee…').click()
  const values = {
    'API key of the merchant': merchant.apiKey,
    'Rate, hundredths of a percent': '0',
    'Cap, naira': '50',
  }
  for (const [label, value] of Object.entries(values)) await dialog(page).getByLabel(label, { exact: true }).fill(value)
  await dialog(page).getByLabel('Method').selectOption('PAYOUT')
  await dialog(page).getByLabel('Flat, naira').fill('50')
  const before = await h.sql('01', 'select count(*)::int as rows from approvals')
  await button(page, 'Try it on the last thirty days').click()
  await dialog(page).getByText('Nothing was charged in the last thirty days').waitFor() // the payout has not ended
  await sentTo(h, merchant, '0000')
  await h.until('the payout', async () => {
    const paid = await h.sql('01', `select 1 from disbursements where merchant_id = $1 and status = 'SUCCESS'`, [
      merchant.id,
    ])
    return paid.length === 1
  })
  await button(page, 'Try it on the last thirty days').click()
  const trial = dialog(page).getByRole('table', { name: 'Trial' }).getByText('1 charged')
  await trial.waitFor()
  await trial.scrollIntoViewIfNeeded()
  await look(page, 'operator-fee-trial')
  expect(await h.sql('01', 'select count(*)::int as rows from approvals')).toEqual(before)

  await page.goto(`${h.operatorUrl}/operator/limits?search=${merchant.apiKey}`)
  await page.getByRole('table', { name: 'Limits' }).getByText('Payouts').waitFor()
  await look(page, 'operator-limits')
  await button(page, 'Set limits…').click()
  await dialog(page).getByLabel('API key of the merchant').fill(merchant.apiKey)
  await dialog(page).getByLabel('In one payment, naira').fill('5000')
  await dialog(page).getByLabel('Reason').fill('Agreed with the merchant')
  await dialog(page).getByRole('button', { name: 'Ask for it: set limits' }).click()
  await page.getByText('it waits for a second person').waitFor()
  await secondApproves('finance', 'limits.set')
  await page.reload()
  await page.getByRole('table', { name: 'Limits' }).getByText('5,000').waitFor()
  expect(complaints()).toEqual([])
})

test('a support person finds a payment and sees it on the merchant’s own screens, read only and masked, until they end it', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { transactionReference } = await paid(h, merchant, { customerName: 'Adaeze Okonkwo' })
  const page = await asOperator('support', '/merchants')
  await heading(page, 'Merchants').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find anything').last().fill(transactionReference)
  await dialog(page).getByText('Ibadan Looms · cell 01').waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('on the merchant’s own screens').waitFor()
  await button(page, 'See its screens…').click()
  await dialog(page).getByLabel('Reason').fill('Ticket 4711: where is the payment?')
  await dialog(page).getByRole('button', { name: 'See its screens', exact: true }).click()
  const bar = page.getByRole('region', { name: 'View as' })
  await bar.getByText('as its role auditor does').waitFor()
  await page.getByRole('main').getByText(transactionReference).first().waitFor()
  expect(await page.getByRole('main').innerText()).not.toContain('Okonkwo')
  await look(page, 'operator-view-as-payment')
  for (const [word, title, last] of [
    ['Home', /./, 'Latest payments'],
    ['Payments', 'Payments', 'Transfer'],
    ['Payouts', 'Payouts', 'Nothing was paid out yet.'],
    ['Wallet', 'Wallet', 'Opening balance'],
    ['Settlements', 'Settlements', 'Settlements'],
    ['Events', 'Events', 'Outcome'],
    ['Requests', 'Requests', 'Requests'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: word, exact: true }).click()
    await heading(page, title).waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    await page.getByRole('main').getByText(last).first().waitFor() // what is asked for last, once the rest is known
    expect([word, await page.getByRole('alert').allInnerTexts()]).toEqual([word, []])
  }
  await bar.getByRole('button', { name: 'End' }).click()
  await heading(page, 'Ibadan Looms').waitFor()
  await page.goto(`${h.operatorUrl}/operator/as/${merchant.apiKey}/payments`)
  await button(page, 'See its screens…').waitFor() // without a grant it is the merchant's page again
  expect(complaints()).toEqual([])
})
