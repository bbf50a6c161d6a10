import type { CardAnswer } from '@cowrie/contract/bank/connector'
import { CHALLENGE_SECONDS, OTP_SECONDS, SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { expect, test } from 'vitest'
import { type Json, useBank } from '../../test/bank.ts'
import { cardCalls } from '../../test/cards.ts'

const bank = useBank()
const { authorise, confirm, inquire, reverse, booked } = cardCalls(bank)

type Shown = { status: number; text: string; csp: string; location: string | null }
async function open(address: string, outcome?: string, headers: Record<string, string> = {}): Promise<Shown> {
  const form = outcome === undefined ? {} : { method: 'POST', body: new URLSearchParams({ outcome }) }
  const response = await fetch(new URL(address, bank.url()), { ...form, headers, redirect: 'manual' })
  const csp = response.headers.get('content-security-policy') ?? ''
  return { status: response.status, text: await response.text(), csp, location: response.headers.get('location') }
}
const challengeOf = ({ challenge }: CardAnswer): NonNullable<CardAnswer['challenge']> => {
  if (challenge === undefined) throw new Error('no challenge')
  return challenge
}
const RETURN_URL = 'http://127.0.0.1:4000/back?token=7'
const charge = (more: Json = {}): Promise<CardAnswer> => authorise({ card: SANDBOX_CARDS.threeDs, ...more })

test('3-D Secure: the answer names two absolute addresses on the host that the gateway called', async () => {
  const answer = await charge()
  expect(answer).toMatchObject({ state: 'CHALLENGE', code: '', message: expect.stringContaining("your bank's page") })
  const { id, pageUrl, acsUrl, expiresAt } = challengeOf(answer)
  expect(pageUrl).toBe(`${bank.url()}/3ds/${id}`)
  expect(acsUrl).toBe(`${bank.url()}/3ds/${id}/acs`)
  expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan((CHALLENGE_SECONDS - 60) * 1000)
  expect(await inquire(answer.chargeReference)).toEqual(answer)
})

test('3-D Secure: approve takes the money and leads back; the page then says so and decides nothing more', async () => {
  const { chargeReference, ...answer } = await charge()
  const { pageUrl } = challengeOf({ chargeReference, ...answer })
  const shown = await open(pageUrl)
  expect(shown.status).toBe(200)
  // The gateway sends the payer on to the merchant, and Chromium holds the policy against that step too.
  expect(shown.csp).toMatch(/^default-src 'none'; .*; form-action 'self' http: https:;/)
  for (const words of ['₦2,200.00', 'Adire Stores', '400000******0002', 'value="approve"', 'value="decline"'])
    expect(shown.text).toContain(words)
  expect(shown.text).not.toContain('<script')

  expect(await open(pageUrl, 'approve')).toMatchObject({ status: 303, location: RETURN_URL })
  const approved = { state: 'APPROVED', code: '00', cardReference: expect.any(String) }
  expect(await inquire(chargeReference)).toMatchObject(approved)
  const after = await open(pageUrl)
  expect([after.status, after.text]).toEqual([200, expect.stringContaining('You approved this payment')])
  expect(after.text).not.toContain('<button')
  expect(await open(pageUrl, 'decline')).toMatchObject({ status: 303, location: RETURN_URL })
  expect(await inquire(chargeReference)).toMatchObject(approved)
  expect(await booked(chargeReference)).toMatchObject({ taken: '2200.00', returned: '0.00' })
})

test('3-D Secure: decline is 17, the amount decides after approve, a form without a choice decides nothing', async () => {
  const declined = await charge()
  const { pageUrl } = challengeOf(declined)
  expect(await open(pageUrl, 'perhaps')).toMatchObject({ status: 400, text: expect.stringContaining('role="alert"') })
  expect(await inquire(declined.chargeReference)).toMatchObject({ state: 'CHALLENGE' })
  expect(await open(pageUrl, 'decline')).toMatchObject({ status: 303, location: RETURN_URL })
  expect(await inquire(declined.chargeReference)).toMatchObject({ state: 'DECLINED', code: '17' })

  const byAmount = await charge({ amount: '3951.39' })
  await open(challengeOf(byAmount).pageUrl, 'approve')
  expect(await inquire(byAmount.chargeReference)).toMatchObject({ state: 'DECLINED', code: '51' })
  expect(await booked(byAmount.chargeReference)).toMatchObject({ taken: '0.00' })
})

test('3-D Secure: twenty approvals and declines at once decide once', async () => {
  const { chargeReference, ...answer } = await charge()
  const { pageUrl } = challengeOf({ chargeReference, ...answer })
  const turns = Array.from({ length: 20 }, (_, turn) => open(pageUrl, turn % 2 === 0 ? 'approve' : 'decline'))
  expect((await Promise.all(turns)).map(({ status }) => status)).toEqual(turns.map(() => 303))
  const { state } = await inquire(chargeReference)
  expect(await booked(chargeReference)).toMatchObject({ taken: state === 'APPROVED' ? '2200.00' : '0.00' })
})

test('3-D Secure: a challenge that has expired or was cancelled leads back and changes nothing', async () => {
  const late = await charge()
  const given = await charge()
  await reverse(given.chargeReference)
  await bank.moveClock(CHALLENGE_SECONDS)
  expect((await open(challengeOf(late).pageUrl)).text).toContain('The time to approve this payment has passed')
  expect((await open(challengeOf(given).pageUrl)).text).toContain('This payment was cancelled')
  for (const answer of [late, given]) {
    expect(await open(challengeOf(answer).pageUrl, 'approve')).toMatchObject({ status: 303, location: RETURN_URL })
    expect(await booked(answer.chargeReference)).toMatchObject({ taken: '0.00' })
  }
  expect(await inquire(late.chargeReference)).toMatchObject({ state: 'DECLINED', code: '68' })
  expect(await inquire(given.chargeReference)).toMatchObject({ state: 'REVERSED' })
})

test('3-D Secure: another site may send its visitor to acsUrl by a form, but cannot decide for them', async () => {
  const answer = await charge()
  const { pageUrl, acsUrl } = challengeOf(answer)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  const shown = await open(acsUrl, 'approve', crossSite)
  expect([shown.status, shown.text]).toEqual([200, (await open(pageUrl)).text])
  expect((await open(pageUrl, 'approve', crossSite)).status).toBe(403)
  expect(await inquire(answer.chargeReference)).toMatchObject({ state: 'CHALLENGE' })
})

test('the phone shows the message of a charge and what became of its code', async () => {
  expect((await open('/phone')).text).toContain('No messages yet')
  const otp = (more: Json = {}) => authorise({ card: SANDBOX_CARDS.otp, ...more })
  const [used, blocked, waiting] = [await otp(), await otp(), await otp({ merchantName: '<b>Adire</b> & Co' })]
  const sms = async ({ otp: sent }: CardAnswer): Promise<string> => (await open(`/phone/${sent?.id}`)).text
  const fresh = await sms(waiting)
  for (const words of ['123456', '₦2,200.00', '&lt;b&gt;Adire&lt;/b&gt; &amp; Co', '506099******7093', 'Not used yet'])
    expect(fresh).toContain(words)
  await confirm(used)
  for (let turn = 0; turn < 3; turn += 1) await confirm(blocked, '000000')
  expect(await sms(used)).toContain('The payment was approved')
  expect(await sms(blocked)).toContain('too many wrong codes')
  const list = (await open('/phone')).text
  expect(list.indexOf(`/phone/${waiting.otp?.id}`)).toBeLessThan(list.indexOf(`/phone/${used.otp?.id}`))
  await bank.moveClock(OTP_SECONDS)
  expect(await sms(waiting)).toContain(', unused.')
  expect((await open('/phone')).text).toContain(', unused.')
})

test('404 for a code or a challenge that does not exist, also under the address of the other', async () => {
  const [code, challenge] = [await authorise({ card: SANDBOX_CARDS.otp }), await charge()]
  for (const address of ['/phone/none', `/phone/${challenge.challenge?.id}`, '/3ds/none', `/3ds/${code.otp?.id}`])
    expect((await open(address)).status, address).toBe(404)
  expect((await open('/3ds/none', 'approve')).status).toBe(404)
})
