// A shop with the checkout on its own page, as a payer meets it: what the browser tests of the script, of our
// packages and of other people's wrappers share. `calls` in the page is what its own code was told.
import type { FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SANDBOX_CARDS } from '../../packages/contract/src/collections/cards.ts'
import { askFor, type Payer } from './payer.ts'

export type Told = [name: string, data: any]
export const told = (page: Page): Promise<Told[]> => page.evaluate('window.calls || []')
export const names = async (page: Page): Promise<string[]> => (await told(page)).map(([name]) => name)
/** What it was told under this name, of which there is one. */
export async function toldOnce(page: Page, name: string): Promise<any> {
  const found = (await told(page)).filter(([one]) => one === name)
  expect(found, name).toHaveLength(1)
  return found[0]?.[1]
}

export const frameOf = (page: Page): FrameLocator => page.frameLocator('dialog iframe')
export const heading = (page: Page, name: string): Promise<void> =>
  frameOf(page).getByRole('heading', { level: 1, name, exact: true }).waitFor()
/** The frame is there and asks for the money. */
export const asksFor5050 = (page: Page): Promise<void> => heading(page, askFor('₦5,050.00'))
export async function gone(page: Page): Promise<void> {
  await expect.poll(() => page.locator('dialog').count()).toBe(0)
}

export const accountIn = (page: Page): Promise<string | null> =>
  frameOf(page).locator('data.number').getAttribute('value')
/** From the payer's bank. */
export async function send(payer: Payer, accountNumber: string | null, amount = 5050): Promise<void> {
  const answer = await fetch(`${payer.sandbox.handle.simulatorUrl}/api/transfers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ bankCode: '50515', accountNumber, amount }),
  })
  expect(((await answer.json()) as any).status).toBe('ACCEPTED')
}

export async function payWith(page: Page, name: keyof typeof SANDBOX_CARDS): Promise<void> {
  const { number, expiryMonth, expiryYear, cvv, pin } = SANDBOX_CARDS[name]
  const frame = frameOf(page)
  await frame.getByRole('link', { name: 'Card', exact: true }).click()
  await frame.getByLabel('Card number').fill(number)
  await frame.getByLabel('Expiry date').fill(`${expiryMonth}/${expiryYear.slice(2)}`)
  await frame.getByLabel('CVV').fill(cvv)
  await frame.getByLabel('Card PIN').fill(pin)
  await frame.getByRole('button', { name: /^Pay ₦/ }).click()
}
export async function payWithOtp(page: Page): Promise<void> {
  await payWith(page, 'otp')
  await frameOf(page).getByLabel('One-time code').fill(SANDBOX_CARDS.otp.otp)
  await frameOf(page).getByRole('button', { name: 'Confirm' }).click()
}
/** The issuer's page is a window beside the frame, and closes. */
export async function payWith3ds(page: Page): Promise<string> {
  await payWith(page, 'threeDs')
  await heading(page, 'Confirm at your bank')
  const coming = page.context().waitForEvent('page')
  await frameOf(page).getByRole('button', { name: 'Continue to your bank' }).click()
  const issuer = await coming
  await issuer.getByRole('heading', { level: 1, name: 'Approve this payment?' }).waitFor()
  const address = issuer.url()
  const closing = issuer.waitForEvent('close')
  await issuer.getByRole('button', { name: 'Approve', exact: true }).click()
  await closing
  return address
}
export async function cancel(page: Page): Promise<void> {
  await frameOf(page).getByRole('link', { name: 'Cancel this payment' }).click()
  await frameOf(page).getByRole('button', { name: 'Yes, cancel it' }).click()
}
export async function expire(page: Page): Promise<void> {
  await frameOf(page).getByText('Test tools').click()
  await frameOf(page).getByRole('button', { name: 'Past expiry', exact: true }).click()
  await heading(page, 'This payment has expired')
}

/** What `onClose` gets from a payer who leaves (W7). */
export const CANCELLED = {
  authorizedAmount: 5050,
  paymentStatus: 'USER_CANCELLED',
  redirectUrl: null,
  responseCode: 'USER_CANCELLED',
  responseMessage: 'User cancelled Transaction',
}
const DATE = /^\d{4}-\d\d-\d\dT[\d:]{8}\.000\+0000$/
/** What `onComplete` gets, in the formats of the transaction list (W6). */
export const completedOf = (reference: unknown, over: Record<string, unknown> = {}): Record<string, unknown> => ({
  amount: 5050,
  amountPaid: 5050,
  completed: true,
  completedOn: expect.stringMatching(DATE),
  createdOn: expect.stringMatching(DATE),
  currencyCode: 'NGN',
  customerEmail: 'ngozi@example.com',
  customerName: 'Ngozi Bello',
  fee: expect.any(Number),
  metaData: expect.any(Object),
  payableAmount: 5050,
  paymentMethod: 'ACCOUNT_TRANSFER',
  paymentReference: reference,
  paymentStatus: 'PAID',
  transactionReference: expect.any(String),
  status: 'SUCCESS',
  redirectUrl: null,
  ...over,
})

/** Complaints that the test made itself. */
export async function forgive(payer: Payer, pattern = /./): Promise<void> {
  await Promise.all(payer.contexts.splice(0).map((one) => one.close()))
  expect(payer.complaints.splice(0).filter((one) => !pattern.test(one))).toEqual([])
}
