// The dashboard in a browser, as people use it: an invitation, a second factor, a passkey, a session that
// ends, a gateway that is away. Every screen is looked at in both schemes, on a phone and wide: axe finds
// nothing, and nothing is wider than the page.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { codeOf, newPerson } from '../../apps/gateway/test/people/people.ts'
import { run } from '../../tools/operator/operators.ts'
import { button, entriesOf, field, heading, links, logIn, look, PASSWORD, useStories } from './dashboard/story.ts'

const { harness, browser, open, complaints } = useStories()

const board = (page: Page) => page.getByRole('region', { name: 'What must always be true' })

test('an operator accepts the invitation, sets up an authenticator app, and logs in with a code and with a recovery code', async () => {
  const h = harness()
  const page = await open()
  const lines: string[] = []
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), OPERATOR_URL: h.operatorUrl }
  await run(['first', 'ada@operator.example', 'Ada', 'Obi'], env, (text) => lines.push(text))
  const link = /https?:\/\/\S+#[0-9a-f]{64}/.exec(lines.join('\n'))?.[0] ?? ''
  expect(link).toContain('/operator/invitation#')
  await page.goto(link)
  await heading(page, 'Welcome').waitFor()
  expect(page.url()).toBe(`${h.operatorUrl}/operator/invitation`) // the token is out of the address
  await look(page, 'operator-invitation')
  await field(page, 'Password').fill('adaobi adaobi')
  await field(page, 'The same again').fill('adaobi adaobi')
  await button(page, 'Go on').click()
  await page.getByText('neither your name nor your e-mail address').waitFor()
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor()
  await field(page, 'Password').fill(PASSWORD)
  await field(page, 'The same again').fill(PASSWORD)
  await button(page, 'Go on').click()

  // Nothing else is allowed before there is a second factor, whatever address is asked for.
  await heading(page, 'Set up a second factor').waitFor()
  expect(await links(page)).toEqual([])
  await page.goto(`${h.operatorUrl}/operator/team`)
  await heading(page, 'Set up a second factor').waitFor()
  await field(page, 'Your password').fill(PASSWORD)
  await button(page, 'Set up an authenticator app').click()
  const seed = (await page.locator('code').innerText()).replaceAll(' ', '')
  const uri = `otpauth://totp/Cowrie?secret=${seed}`
  await look(page, 'operator-set-up')
  await field(page, 'The code that it shows now').fill(codeOf(uri))
  await button(page, 'Confirm').click()
  await heading(page, 'Store your recovery codes').waitFor()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  await look(page, 'operator-recovery-codes')
  await button(page, 'I have stored them').click()
  await board(page).waitFor()
  expect(await links(page)).toEqual(entriesOf('operator', 'admin'))
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.getByRole('cell', { name: 'Authenticator app' }).waitFor()

  await button(page, 'Log out').click()
  await page.getByText('You are logged out.').waitFor()
  await logIn(page, 'ada@operator.example')
  await heading(page, 'Confirm that it is you').waitFor()
  await look(page, 'operator-code')
  await field(page, 'Code').fill('000000')
  await button(page, 'Go on').click()
  await page.getByText('The code is wrong or was used before').waitFor()
  await field(page, 'Code').fill(codeOf(uri, 1))
  await button(page, 'Go on').click()
  await board(page).waitFor()
  await button(page, 'Log out').click()
  await logIn(page, 'ada@operator.example')
  await button(page, 'Use a recovery code').click()
  await field(page, 'Recovery code').fill(codes[0] ?? '')
  await button(page, 'Go on').click()
  await board(page).waitFor()
  expect(complaints()).toEqual([])
})

test('an owner registers a passkey, logs in with it alone, confirms an act with it when the proof is old, and logs out everywhere', async () => {
  const h = harness()
  await newPerson(h, 'owner', { merchant: h.merchants.main, email: 'funmilayo@test.example' })
  const page = await open()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(`${h.apiUrl}/dashboard`)
  await heading(page, 'Log in').waitFor()
  await look(page, 'log-in')
  await field(page, 'E-mail address').fill('funmilayo@test.example')
  await field(page, 'Password').fill('not the right one')
  await button(page, 'Log in').click()
  await page.getByText('The e-mail address or the password is wrong').waitFor()
  await look(page, 'log-in-refused')
  await logIn(page, 'funmilayo@test.example')
  await page.getByText('You have no second factor').waitFor()
  expect(await links(page)).toEqual(entriesOf('merchant', 'owner'))
  await page.getByRole('main').getByRole('link', { name: 'Your account' }).click()
  await page.getByText('You have no passkey.').waitFor()
  await field(page, 'Name of this device').fill('Work laptop')
  await button(page, 'Register a passkey').click()
  await button(page, 'Rename Work laptop').waitFor()
  await button(page, 'Log out').click()

  await button(page, 'Log in with a passkey').click()
  await page.getByText('You have no recovery codes').waitFor() // in, as two factors
  const second = await browser().newContext()
  const phone = await second.newPage()
  await phone.goto(`${h.apiUrl}/dashboard`)
  await logIn(phone, 'funmilayo@test.example')
  await heading(phone, 'Confirm that it is you').waitFor()
  await second.close()
  await page.goto(`${h.apiUrl}/dashboard/account`)
  await page.getByText('This one').waitFor()
  await button(page, 'Get ten new codes').click() // a passkey just now is proof enough
  await page.getByText('These codes are shown once.').waitFor()
  await button(page, 'I have stored them').click()
  await page.getByText('You have 10 that were not used.').waitFor()
  await look(page, 'account')

  // Six minutes later the proof is old: the dialog asks, the passkey answers, and the codes are there.
  const { clock } = h.gateway
  clock?.setOffset(clock.offsetMs() + 6 * 60_000)
  await button(page, 'Get ten new codes').click()
  await page.getByRole('dialog').waitFor()
  await look(page, 'account-confirm')
  await button(page, 'Use your passkey').click()
  await page.getByText('These codes are shown once.').waitFor()
  await button(page, 'I have stored them').click()
  await button(page, 'Log out everywhere').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByText('You are logged out everywhere.').waitFor()
  expect(complaints()).toEqual([])
})

test('support sees what its role may; a session that was ended leads to the log-in and from there back; a gateway that is away is a banner that heals', async () => {
  const h = harness()
  await newPerson(h, 'support', { merchant: h.merchants.main, email: 'bola@test.example' })
  const page = await open()
  await page.goto(`${h.apiUrl}/dashboard/account`)
  await logIn(page, 'bola@test.example')
  await heading(page, 'Your account').waitFor() // where they wanted to go
  expect(await links(page)).toEqual(entriesOf('merchant', 'support'))
  await page.goto(`${h.apiUrl}/dashboard/team`)
  await page.getByText(/Request [0-9a-f-]{36}/).waitFor() // refused by the gateway, not only hidden
  await page.goto(`${h.apiUrl}/dashboard/nothing/here`)
  await heading(page, 'This screen does not exist').waitFor()
  await page.goto(`${h.apiUrl}/dashboard/parts`)
  await heading(page, 'Parts').waitFor()
  await look(page, 'parts')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')

  await page.goto(`${h.apiUrl}/dashboard/account`)
  await page.getByText('This one').waitFor()
  await page.context().setOffline(true)
  await field(page, 'Your present password').fill(PASSWORD)
  await field(page, 'New password').fill('eight yellow danfo buses')
  await button(page, 'Change the password').click()
  await page.getByText('The gateway is away.').waitFor()
  await page.getByText('It is not known whether this was done.').waitFor()
  await look(page, 'away')
  await page.context().setOffline(false)
  await page.getByText('The gateway is away.').waitFor({ state: 'detached' })

  await h.sql('01', 'update sessions set ended_at = now() where ended_at is null')
  await button(page, 'Change the password').click()
  await page.getByText('Your session has ended. Log in again').waitFor()
  await logIn(page, 'bola@test.example')
  await heading(page, 'Your account').waitFor()
  expect(complaints()).toEqual([])
})

test('whoever opens the gateway itself finds the way in; a wrong address is a page with the way home and the request', async () => {
  const h = harness()
  const page = await open()
  await page.goto(h.apiUrl)
  await heading(page, /Your gateway is running/).waitFor()
  await look(page, 'landing')
  await page.getByRole('region', { name: 'Your first payment, by curl' }).click()
  expect(await page.evaluate('getSelection().toString()')).toMatch(/^API_KEY=.*init-transaction.*; echo$/s)
  for (const [home, way, there] of [
    [h.apiUrl, 'Home', /Your gateway is running/],
    [h.operatorUrl, 'Operator console', 'Log in'],
  ] as const) {
    await page.goto(`${home}/no/such/page`)
    await heading(page, 'There is nothing at this address').waitFor()
    await page.getByText(/Request [0-9a-f-]{36}/).waitFor()
    await look(page, 'wrong-turn')
    await page.getByRole('link', { name: way }).click()
    await heading(page, there).waitFor()
  }
  expect(complaints()).toEqual([])
})
