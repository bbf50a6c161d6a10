import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { createTransport } from 'nodemailer'
import { expect, test } from 'vitest'
import { ACCOUNT, type Json, signature, useBank } from '../test/bank.ts'

const bank = useBank()
const { call, signed, pay, credits } = bank

test('exact: ACCEPTED once the gateway has the notice, with the amount to the kobo', async () => {
  const before = Date.now()
  const { status, json } = await pay({ narration: 'Order 7' })
  expect(status).toBe(200)
  expect(json).toEqual({
    sessionId: expect.stringMatching(/^000013\d{24}$/),
    status: 'ACCEPTED',
    beneficiaryName: 'Adire Stores',
  })
  expect(credits).toEqual([
    {
      ...ACCOUNT,
      sessionId: json['sessionId'],
      amount: '1000.50',
      senderName: expect.stringMatching(/^[A-Z]\w+( [A-Z]\w+){1,2}$/),
      senderAccountNumber: expect.stringMatching(/^\d{10}$/),
      senderBankCode: '058',
      narration: 'Order 7',
      paidAt: expect.any(String),
    },
  ])
  expect(Date.parse(String(credits[0]?.['paidAt']))).toBeGreaterThanOrEqual(before)
})

test('amounts are read from their source text, and what is not an amount is refused with 400', async () => {
  await call('POST', '/api/transfers', `{"bankCode":"50515","accountNumber":"0112345678","amount":9007199254740.93}`)
  await pay({ amount: '20' })
  expect(credits.map((credit) => credit['amount'])).toEqual(['9007199254740.93', '20.00'])
  for (const amount of [0, -5, 20.001, '1e3', '', null, true, [20]]) {
    expect(await pay({ amount })).toEqual({ status: 400, json: { error: expect.stringContaining('amount') } })
  }
  expect((await call('POST', '/api/transfers', '{')).status).toBe(400)
  expect((await pay({ accountNumber: 1_234_567_890 })).status).toBe(400)
  expect((await pay({ narration: 'a\u0000b' })).status).toBe(400)
})

test('twice: the same notice arrives two times before the answer', async () => {
  const { json } = await pay({ scenario: 'twice' })
  expect(credits.map((credit) => credit['sessionId'])).toEqual([json['sessionId'], json['sessionId']])
  expect(credits[1]).toEqual(credits[0])
})

test('late: the notice comes one minute after expiry, by the clock, and the statement shows it only then', async () => {
  const end = Date.now() + 40 * 60_000
  bank.expiresAt = new Date(end).toISOString()
  const { json } = await pay({ scenario: 'late' })
  expect(json['status']).toBe('ACCEPTED')
  const dueAt = new Date(end + 60_000).toISOString()
  expect((await signed('GET', BANK_PATHS.simulatorClock)).json).toEqual({ nextDueAt: dueAt, ran: 0 })
  expect((await signed('POST', BANK_PATHS.simulatorClock, { offsetMs: 40 * 60_000 })).json).toEqual({
    nextDueAt: dueAt,
    ran: 0,
  })
  expect(credits).toEqual([])
  const day = new Date(end + 60_000 + 3_600_000).toISOString().slice(0, 10)
  const booked = async () => (await signed('GET', `${BANK_PATHS.statement}?date=${day}`)).json['lines']
  expect(await booked()).toEqual([])
  expect((await signed('POST', BANK_PATHS.simulatorClock, { offsetMs: 42 * 60_000 })).json).toEqual({
    nextDueAt: null,
    ran: 1,
  })
  expect(credits).toMatchObject([{ sessionId: json['sessionId'], paidAt: dueAt }])
  expect(await booked()).toMatchObject([{ sessionId: json['sessionId'], bookedAt: dueAt }])
})

test('delayed: ten minutes after the transfer, in order of due time, and the clock survives a restart', async () => {
  const first = await pay({ scenario: 'delayed' })
  bank.expiresAt = new Date(Date.now() + 120_000).toISOString()
  const second = await pay({ scenario: 'late' })
  const paidAt = Date.now()
  await bank.restart()
  expect((await signed('POST', BANK_PATHS.simulatorClock, { offsetMs: 11 * 60_000 })).json).toEqual({
    nextDueAt: null,
    ran: 2,
  })
  expect(credits.map((credit) => credit['sessionId'])).toEqual([second.json['sessionId'], first.json['sessionId']])
  expect(Date.parse(String(credits[1]?.['paidAt']))).toBeLessThanOrEqual(paidAt)

  await bank.restart()
  await signed('POST', BANK_PATHS.simulatorClock, { offsetMs: 0 })
  await pay()
  expect(Date.parse(String(credits[2]?.['paidAt']))).toBeGreaterThan(Date.now() + 10.9 * 60_000)
})

test('gateway down: 503 before the money moved; afterwards the notice is repeated under the same session id', async () => {
  const delayed = await pay({ scenario: 'delayed' })
  await bank.closeGateway()
  expect(await pay()).toEqual({ status: 503, json: { error: expect.any(String) } })
  expect((await signed('POST', BANK_PATHS.simulatorClock, { offsetMs: 11 * 60_000 })).json).toEqual({
    nextDueAt: null,
    ran: 0,
  })
  await bank.reopenGateway()
  await expect.poll(() => credits.length).toBe(1)
  expect(credits[0]?.['sessionId']).toBe(delayed.json['sessionId'])
})

test('a gateway that does not take the notice: the transfer stands, the notice is repeated', async () => {
  bank.creditStatus = 500
  const { json } = await pay({ scenario: 'twice' })
  expect(json).toMatchObject({ status: 'ACCEPTED', beneficiaryName: 'Adire Stores' })
  bank.creditStatus = 200
  await expect.poll(() => credits.length).toBe(2)
  expect(credits.map((credit) => credit['sessionId'])).toEqual([json['sessionId'], json['sessionId']])
})

test('a transfer to nobody is REJECTED and leaves no trace', async () => {
  expect((await pay({ accountNumber: '0112345404' })).json).toMatchObject({
    status: 'REJECTED',
    reason: expect.any(String),
  })
  expect((await pay({ accountNumber: '0198765432' })).json).toMatchObject({
    status: 'REJECTED',
    reason: 'No such account',
  })
  expect((await pay({ bankCode: '999' })).json).toMatchObject({ status: 'REJECTED', reason: 'No such bank' })
  const today = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10)
  expect((await signed('GET', `${BANK_PATHS.statement}?date=${today}`)).json['lines']).toEqual([])
})

test('scenarios are listed, and those that there are none of are refused with 400', async () => {
  const list = (await call('GET', '/api/scenarios')).json as unknown as Json[]
  const available = Object.fromEntries(list.map((scenario) => [scenario['name'], scenario['available']]))
  expect(available).toMatchObject({
    ...{ exact: true, twice: true, late: true, delayed: true, lost: true, reversed: true },
    ...{ 'return-refused': true, 'card-plain': true, 'card-otp': true, 'card-three-ds': true, 'card-failing': true },
    ...{ 'card-amount-3901.38': true, 'card-amount-3951.39': true },
  })
  expect(Object.keys(available)).toHaveLength(list.length)
  expect(list.filter(({ name }) => /^card-amount-39\d\d\.39$/.test(String(name)))).toHaveLength(
    Object.keys(RESPONSE_CODES).length,
  )
  for (const { says, call: how } of list) expect([says, how]).toEqual([expect.any(String), expect.any(String)])
  for (const scenario of ['nonsense', 7]) expect((await pay({ scenario })).status).toBe(400)
})

test('names are stable; unknown banks and numbers ending in 404 have none', async () => {
  const first = await call('GET', '/api/accounts/058/0123456789')
  expect(first.json).toEqual({ bankCode: '058', accountNumber: '0123456789', accountName: expect.any(String) })
  const body = { bankCode: '058', accountNumber: '0123456789' }
  expect(await signed('POST', BANK_PATHS.nameEnquiry, body)).toEqual(first)
  expect((await call('GET', '/api/accounts/999/0123456789')).status).toBe(404)
  expect((await call('GET', '/api/accounts/058/0123456404')).status).toBe(404)
  expect((await call('GET', '/api/accounts/058/12345')).status).toBe(400)
})

test('401 for the gateway side without a signature, with a forged one, an old one, or one for another query', async () => {
  const target = `${BANK_PATHS.statement}?date=2026-01-01`
  const attempt = async (timestamp: string, mark: string): Promise<number> =>
    (await call('GET', target, undefined, { 'cowrie-timestamp': timestamp, 'cowrie-signature': mark })).status
  const now = String(Math.floor(Date.now() / 1000))
  const old = String(Number(now) - 301)
  expect((await call('GET', target)).status).toBe(401)
  expect(await attempt(now, `v1=${'0'.repeat(64)}`)).toBe(401)
  expect(await attempt(old, signature(old, 'GET', target, ''))).toBe(401)
  expect(await attempt(now, signature(now, 'GET', `${BANK_PATHS.statement}?date=2026-01-02`, ''))).toBe(401)
  expect(await attempt(now, signature(now, 'GET', target, ''))).toBe(200)
  expect((await call('POST', BANK_PATHS.simulatorClock, { offsetMs: 1e9 })).status).toBe(401)
})

test('mail by SMTP is kept; a refusing sink answers 451', async () => {
  const transport = createTransport({ host: '127.0.0.1', port: bank.smtpPort(), secure: false, ignoreTLS: true })
  const mail = {
    from: 'gateway@cowrie.example',
    to: 'owner@adire.example',
    subject: 'Naira ₦',
    text: 'Plain',
    html: '<p>Rich</p>',
  }
  await transport.sendMail(mail)
  await transport.sendMail({ ...mail, subject: 'Second' })
  const mails = (await signed('GET', `${BANK_PATHS.simulatorMails}?to=Owner@adire.example`)).json as unknown as Json[]
  expect(mails).toMatchObject([
    { subject: 'Second' },
    { to: mail.to, subject: mail.subject, sentAt: expect.any(String) },
  ])
  expect(String(mails[1]?.['text']).trim()).toBe('Plain')
  expect(mails[1]?.['html']).toContain('<p>Rich</p>')
  expect((await signed('GET', `${BANK_PATHS.simulatorMails}?to=nobody@adire.example`)).json).toEqual([])

  await call('POST', '/api/mail', { refuse: true })
  await expect(transport.sendMail(mail)).rejects.toMatchObject({ responseCode: 451 })
  await call('POST', '/api/mail', { refuse: false })
  await transport.sendMail(mail)
})

test('the page pays by a plain form, escapes what it is given and allows no script', async () => {
  const page = await fetch(`${bank.url()}/?accountNumber=%22%3E%3Cscript%3E&amount=20`)
  const html = await page.text()
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; img-src data:; style-src 'sha256-/)
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;"')
  expect(html).not.toContain('<script')

  const post = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${bank.url()}/pay`, { method: 'POST', body: new URLSearchParams(fields), headers })
  const paid = await post({ ...ACCOUNT, amount: '1,500.25', senderAccountName: '', scenario: 'exact' })
  const result = await paid.text()
  expect(result).toContain('Transfer accepted')
  expect(result).toContain('₦1,500.25')
  expect(result).toContain(String(credits[0]?.['sessionId']))
  const wrong = await post({ ...ACCOUNT, amount: 'much' })
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('role="alert"')])
  expect((await post({ ...ACCOUNT, amount: '5' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect(credits).toHaveLength(1)
})
