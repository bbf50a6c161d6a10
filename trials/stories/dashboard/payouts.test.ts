// Stories of money that leaves: a payout that two people decide, one that a code releases and one that nobody
// knows of; and an act of the operator's that two people decide.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  account,
  BANK_CODE,
  mailsTo,
  newMerchant,
  statusOf,
} from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant } from '../../../apps/gateway/test/kit/harness.ts'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { button, field, heading, look, useStories } from './story.ts'

const stories = useStories()
const SETTINGS = '/api/v1/disbursement-settings'
const above = (h: Harness, merchant: TestMerchant, approvalAbove: number) =>
  h.as(merchant, 'PUT', SETTINGS, { lowBalanceThreshold: null, approvalAbove })
const nameAt = (number: string): string => accountName(BANK_CODE, number) ?? ''

async function fillPayout(page: Page, naira: string, number: string, name = nameAt(number)): Promise<void> {
  await heading(page, 'New payout').waitFor()
  await field(page, 'Amount, ₦').fill(naira)
  await field(page, 'Bank').selectOption(BANK_CODE)
  await field(page, 'Account number').fill(number)
  await field(page, 'Name of whoever you pay').fill(name)
  await field(page, 'Narration').fill('Indigo dye, invoice JDW-1180')
}

async function withPasskey(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const answers = { hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true }
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, ...answers } as const
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  await field(page, 'Name of this device').fill('Work laptop')
  await button(page, 'Register a passkey').click()
  await button(page, 'Rename Work laptop').waitFor()
}

test('finance asks for a payout above the limit and cannot approve it; an owner signs it with a passkey, and it is paid', async () => {
  const h = stories.harness()
  const merchant = await newMerchant(h)
  await above(h, merchant, 200_000)
  const number = account()
  const page = await stories.as('finance', '/payouts', { merchant, proved: true, email: 'kehinde@test.example' })
  await page.getByText('Nothing was paid out yet.').waitFor()
  await page.getByRole('link', { name: 'New payout' }).click()
  await fillPayout(page, '450,000', number, 'Somebody Quite Different')
  await page.getByText('Names differ').waitFor()
  await button(page, 'Send it').click() // the screen has no rule of its own: the gateway refuses it
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor()
  await field(page, 'Name of whoever you pay').fill(nameAt(number))
  await page.getByText('Same name, 100 of 100').waitFor()
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor({ state: 'detached' })
  await page.getByText('₦450,050.00').waitFor() // with the fee of the gateway
  await page.getByText('A second person of your team').waitFor()
  await look(page, 'payout-new')
  await button(page, 'Send it').click()
  await page.getByText('It waits for a second person.').waitFor()
  await page.getByRole('link', { name: 'See the approval' }).click()
  await page.getByText('You cannot approve what you asked for.').waitFor()
  expect(await button(page, 'Approve and send').count()).toBe(0)

  const owner = await stories.as('owner', '/account', { merchant, email: 'funmilayo@test.example' })
  await withPasskey(owner)
  const { clock } = h.gateway
  clock?.setOffset(clock.offsetMs() + 6 * 60_000) // the proof is old now
  await owner.goto(`${h.apiUrl}/dashboard/approvals`)
  await owner.getByRole('link', { name: 'Look and decide' }).waitFor()
  await look(owner, 'approvals')
  await owner.getByRole('link', { name: 'Look and decide' }).click()
  await field(owner, 'Reason').fill('Invoice seen')
  await look(owner, 'approval')
  await button(owner, 'Approve and send').click()
  await button(owner, 'Use your passkey').click()
  await owner.getByText('Approved and done.').waitFor()
  await owner.getByText('signed it with a passkey').waitFor()
  await advance(h, 5)
  await owner.getByRole('link', { name: /^See all of/ }).click()
  await owner.getByText('A bank may still reverse it').waitFor()
  const [reference = ''] = /payout-\d{8}-\w+/.exec(owner.url()) ?? []
  expect(await statusOf(h, merchant, reference)).toBe('SUCCESS')
  expect(stories.complaints()).toEqual([])
})

test('a code by mail releases a payout; one that the bank is silent about is neither paid nor failed; support sees both, masked', async () => {
  const h = stories.harness()
  const merchant = await newMerchant(h, { otp: true })
  const page = await stories.as('finance', '/payouts/new', { merchant, proved: true })
  const number = account('0002')
  await fillPayout(page, '1250.50', number)
  await page.getByText('A code is mailed to the owner.').waitFor()
  await button(page, 'Send it').click()
  await field(page, 'Code from the mail').fill('000000')
  await button(page, 'Authorise').click()
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor()
  const [mail] = await mailsTo(h, merchant)
  // Not just any six digits: those at the end of the reference may be the first.
  await field(page, 'Code from the mail').fill(/code: (\d{6})\n/.exec(mail?.text ?? '')?.[1] ?? '')
  await button(page, 'Authorise').click()
  await page.getByText('Neither paid nor failed.').waitFor()
  await page.getByText('Do not send it again.').waitFor()
  await look(page, 'payout-unknown')
  const support = await stories.as('support', '/payouts', { merchant })
  await support.getByText('Not known yet').waitFor()
  const name = nameAt(number)
  expect(await support.getByRole('table').innerText()).not.toContain(name.split(' ')[0])
  expect(await support.getByText(`…${number.slice(-4)}`).count()).toBe(1)
  expect(stories.complaints()).toEqual([])
})

test('an operator asks for another name of a merchant, a second one approves it on the screen', async () => {
  const h = stories.harness()
  const merchant = await newMerchant(h)
  const asker = await stories.asOperator('operations', '/approvals', { email: 'ada@operator.example' })
  await heading(asker, 'Approvals').waitFor()
  const asked = { input: { name: 'Ibadan Looms & Dyers' }, reason: 'Registered under it', merchant: merchant.apiKey }
  await asker.evaluate(`fetch('/operator/v1/acts/merchants.rename', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(asked))}
  })`)
  const page = await stories.asOperator('admin', '/approvals', { email: 'bayo@operator.example' })
  await page.getByRole('link', { name: 'Look and decide' }).click()
  await page.getByText('Ibadan Looms & Dyers').waitFor()
  await look(page, 'operator-approval')
  await button(page, 'Approve the name').click()
  await page.getByText('Approved and done.').waitFor()
  expect(stories.complaints()).toEqual([])
})
