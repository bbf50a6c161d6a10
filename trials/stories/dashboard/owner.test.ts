// An owner looks a customer up, takes care of the team, changes what counts from now on, and moves the
// sandbox's clock.
import { expect, test } from 'vitest'
import { chargeWith } from '../../../apps/gateway/test/features/collections/cards.ts'
import { reserve } from '../../../apps/gateway/test/features/collections/reserved-accounts.ts'
import { paid } from '../../../apps/gateway/test/kit/harness.ts'
import { button, field, heading, look, useStories } from './story.ts'

const { harness, as, complaints } = useStories()

test('a customer is found by e-mail address, with what they paid and what is kept; support sees the same in part', async () => {
  const h = harness()
  const { main } = h.merchants
  const [customerEmail, customerName] = ['ngozi.okonkwo@example.com', 'Ngozi Chukwuemeka Okonkwo-Adebayo']
  await paid(h, main, { customerEmail, customerName, amount: 18_500 })
  await chargeWith(h, main, 'plain', { customerEmail, customerName, amount: 7_250.5 })
  await reserve(h, main, { customerEmail, customerName, accountName: 'Adire Stores - Ngozi Okonkwo' })
  const page = await as('owner', '/customers')
  await page.getByRole('link', { name: customerName }).waitFor()
  await look(page, 'customers')
  await field(page, 'E-mail address').fill('NGOZI.okonkwo@example.com')
  await button(page, 'Open').click()
  await heading(page, customerName).waitFor()
  await page.getByText('₦25,750.50').waitFor()
  await page.getByText('Adire Stores - Ngozi Okonkwo').waitFor()
  await look(page, 'customer')
  await page.goto(`${h.apiUrl}/dashboard/customers/nobody@example.com`)
  await page.getByText('Nobody is known as nobody@example.com.').waitFor()

  const support = await as('support', '/customers')
  await support.getByText('N. C. O.').first().waitFor()
  expect(await support.getByRole('main').innerText()).not.toMatch(/ngozi|Okonkwo/i)
  await support.goto(`${h.apiUrl}/dashboard/settings`)
  await support
    .getByText(/Request [0-9a-f-]{36}/)
    .first()
    .waitFor() // refused by the gateway, not only hidden
  expect(complaints()).toEqual([])
})

test('an owner invites, changes a role and ends access; the trail has it; policy and branding change; the clock moves', async () => {
  const h = harness()
  const { second } = h.merchants
  const page = await as('owner', '/team', { merchant: second, proved: true, email: 'funmilayo@leather.example' })
  await button(page, 'Invite somebody').click()
  await field(page, 'E-mail address').fill('bola@leather.example')
  await field(page, 'Name').fill('Bola Ade')
  await field(page, 'Role').selectOption('finance')
  await button(page, 'Send the invitation').click()
  await page.getByText('The invitation is on its way.').waitFor()
  await page.getByText('Invited').waitFor()
  await look(page, 'team')
  await button(page, 'Role of funmilayo@leather.example').click()
  await field(page, 'Role').selectOption('support')
  await button(page, 'Change the role').click()
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor() // the last owner stays one: the gateway says so
  await page.keyboard.press('Escape')
  await button(page, 'End bola@leather.example').click()
  await button(page, 'End the access').click()
  await page.getByText('Bola Ade has no access any more.').waitFor()
  await field(page, 'Networks').fill('127.0.0.1, 41.58.7.0/24')
  await button(page, 'Change the networks').click()
  await page.getByText('It counts within seconds').waitFor()
  await page.reload()
  await expect.poll(() => field(page, 'Networks').inputValue()).toBe('127.0.0.1/32, 41.58.7.0/24')
  await look(page, 'team-networks')
  await page.getByRole('link', { name: 'What was done' }).click()
  await page.getByText('Invite a person to the team by mail').first().waitFor()
  await page.getByText('Whole line').first().click()
  await look(page, 'trail')
  await page.goto(`${h.apiUrl}/dashboard/security`)
  await page.getByText('Somebody was invited').first().waitFor()
  await look(page, 'security')
  await button(page, 'High and above').click()
  await page.waitForFunction(`document.querySelector('[aria-pressed=true]')?.textContent === 'High and above'`)
  await page.goto(`${h.apiUrl}/dashboard/account`)
  await page.getByText('Somebody was invited').first().waitFor()
  await look(page, 'account-lately')

  await page.goto(`${h.apiUrl}/dashboard/settings`)
  await field(page, 'Too much').selectOption('HOLD')
  await field(page, 'Difference that is forgiven, naira').fill('50')
  await button(page, 'Change the policy').click()
  await page.getByText('It counts for transfers from now on.').waitFor()
  await page.getByText('Every other way to pay').waitFor()
  const policy = await h.as(second, 'GET', '/api/v1/payment-policy')
  expect(policy.json.responseBody).toMatchObject({ more: 'HOLD', tolerance: 50 })
  await field(page, 'Pages that may open it').fill('https://leather.example, http://127.0.0.1:4000')
  await button(page, 'Change what pages may do').click()
  await page.getByText('It counts for payments that are opened from now on.').waitFor()
  const pages = await h.as(second, 'GET', '/api/v1/merchant/page-checkout')
  expect(pages.json.responseBody).toEqual({
    origins: ['https://leather.example', 'http://127.0.0.1:4000'],
    pageSplits: false,
  })
  await look(page, 'settings')
  await page.goto(`${h.apiUrl}/dashboard/settings/branding`)
  await field(page, 'Colour').fill('#ffcc00')
  await field(page, 'E-mail address for questions').fill('help@leather.example')
  await page.getByText('Questions: help@leather.example').first().waitFor()
  const colours = await page.evaluate(
    `[...document.querySelectorAll('[style]')].map((one) => one.style.getPropertyValue('--band'))`,
  )
  expect(colours).toEqual(['#845c00', '#845c00']) // tamed as the checkout does it
  expect(await page.locator('nav a[aria-current]').allInnerTexts()).toEqual(['Branding']) // and not Settings, which it is below
  await look(page, 'branding')
  await button(page, 'Change the branding').click()
  await page.getByText('Customers see it within five seconds.').waitFor()
  const branding = await h.as(second, 'GET', '/api/v1/merchant/branding')
  expect(branding.json.responseBody).toMatchObject({ colour: '#ffcc00', supportEmail: 'help@leather.example' })

  await button(page, 'Move clock').click()
  await field(page, 'Or so many hours').fill('0.1') // an idle session would end in half an hour
  await button(page, 'Move it').click()
  await page.getByText(/took effect/).waitFor()
  await look(page, 'move-clock')
  await button(page, 'Close').click()
  await page.getByRole('region', { name: 'Sandbox' }).locator('time').waitFor()
  await page.getByRole('link', { name: 'Mails', exact: true }).click()
  await heading(page, 'Mails').waitFor()
  await look(page, 'mails')
  expect(complaints()).toEqual([])
})
