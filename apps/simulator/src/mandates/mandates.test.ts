// The mandate scheme by its own: what it is asked, what customers decide, and whom it tells.
import { MANDATE_PATHS } from '@cowrie/contract/bank/mandate-connector'
import { expect, test } from 'vitest'
import { type Json, useBank } from '../../test/bank.ts'

const bank = useBank()

let codes = 0
const newCode = (): string => {
  codes += 1
  return `CWDD|0101J9ZQ4T7M8K2V5X${String(codes).padStart(10, '0')}`
}
const orderFor = (mandateCode: string, more: Json = {}): Json => ({
  mandateCode,
  merchantName: 'Adire Stores',
  customerName: 'Ngozi Bello',
  customerBankCode: '057',
  customerAccountNumber: '0123457788',
  customerAccountName: 'NGOZI BELLO',
  description: 'School fees',
  startDate: '2026-05-02T07:00:00.000Z',
  endDate: '2099-05-02T07:00:00.000Z',
  autoRenew: false,
  amount: '10000.00',
  customerCancellation: false,
  authorizeBy: '2099-01-01T00:00:00.000Z',
  ...more,
})
const register = (order: Json) => bank.signed('POST', MANDATE_PATHS.mandates, order)
const decide = (mandateCode: string, decision: string) =>
  bank.call('POST', `/api/mandates/${encodeURIComponent(mandateCode)}/${decision}`, {})
const end = (mandateCode: string) => bank.signed('POST', MANDATE_PATHS.mandateEnds, { mandateCode })
const notices = (mandateCode: string) =>
  bank.schemeNotices.filter((one) => one['mandateCode'] === mandateCode).map((one) => one['status'])
async function mandate(more: Json = {}): Promise<string> {
  const code = newCode()
  expect((await register(orderFor(code, more))).status).toBe(200)
  return code
}
async function active(ending: string, more: Json = {}): Promise<string> {
  const code = await mandate({ customerAccountNumber: ending.padStart(10, '0123456789'), ...more })
  expect((await decide(code, 'authorize')).status).toBe(200)
  return code
}

let sessions = 0
const debitOf = (mandateCode: string, more: Json = {}): Json & { sessionId: string } => {
  sessions += 1
  const sessionId = `00001326111502050001${String(sessions).padStart(10, '0')}`
  return { sessionId, mandateCode, amount: '1200.00', narration: 'First term', ...more }
}
const order = async (debit: Json): Promise<Json> => (await bank.signed('POST', MANDATE_PATHS.debits, debit)).json
const ask = async (path: string, { sessionId }: { sessionId: string }): Promise<Json> =>
  (await bank.signed('POST', path, { sessionId })).json
const booked = async ({ sessionId }: { sessionId: string }): Promise<Json | undefined> =>
  ((await bank.call('GET', `/api/debits?sessionId=${sessionId}`)).json as unknown as Json[])[0]

test('a registration answers the instruction and a page; repeated it answers the same; with other terms 409', async () => {
  const code = newCode()
  const { json } = await register(orderFor(code))
  expect(json).toMatchObject({ mandateCode: code, status: 'WAITING' })
  expect(json['authorizationMessage']).toMatch(/token of ₦50\.00 from account 0123457788/)
  const page = await fetch(json['authorizationLink'] as string)
  expect([page.status, (await page.text()).includes('School fees')]).toEqual([200, true])
  expect((await register(orderFor(code))).json).toEqual(json)
  expect((await register(orderFor(code, { amount: '10000.01' }))).status).toBe(409)
  expect((await register(orderFor('CWDD|01'))).status).toBe(400)
  expect((await register(orderFor(newCode(), { startDate: 'soon' }))).status).toBe(400)
  expect((await bank.call('POST', MANDATE_PATHS.mandates, orderFor(newCode()))).status).toBe(401)
})

test('a customer decides once; asking again answers the same, and the gateway is notified once', async () => {
  const [yes, no] = [await mandate(), await mandate()]
  for (const _ of [1, 2]) expect((await decide(yes, 'authorize')).json).toMatchObject({ status: 'ACTIVE' })
  expect((await decide(yes, 'decline')).status).toBe(409)
  expect((await decide(no, 'decline')).json).toMatchObject({ status: 'DECLINED' })
  expect((await decide(no, 'authorize')).status).toBe(409)
  expect((await decide('CWDD|01nobody', 'authorize')).status).toBe(404)
  expect([notices(yes), notices(no)]).toEqual([['ACTIVE'], ['DECLINED']])
})

test('only where it is allowed a customer cancels, and nobody authorises too late', async () => {
  const [free, bound] = [await active('7788', { customerCancellation: true }), await active('7788')]
  expect([(await decide(free, 'cancel')).status, (await decide(bound, 'cancel')).status]).toEqual([200, 409])
  expect(notices(free)).toEqual(['ACTIVE', 'CANCELLED'])
  const late = await mandate({ authorizeBy: new Date(Date.now() + 3_600_000).toISOString() })
  await bank.moveClock(3_601)
  expect((await decide(late, 'authorize')).status).toBe(409)
})

test('a notice that the gateway does not take comes again until it is taken', async () => {
  bank.schemeStatus = 503
  const code = await mandate()
  expect((await decide(code, 'authorize')).status).toBe(200)
  expect(notices(code)).toEqual([])
  bank.schemeStatus = 200
  await bank.moveClock(1)
  expect(notices(code)).toEqual(['ACTIVE'])
})

test('the gateway ends a mandate, also one that was never registered: then it is ended from the start', async () => {
  const code = await active('7788')
  expect((await end(code)).json).toMatchObject({ status: 'CANCELLED' })
  expect((await end(code)).json).toMatchObject({ status: 'CANCELLED' })
  const unheard = newCode()
  expect((await end(unheard)).json).toMatchObject({ status: 'CANCELLED' })
  expect((await register(orderFor(unheard))).json).toMatchObject({ status: 'CANCELLED' })
  expect((await decide(unheard, 'authorize')).status).toBe(409)
  const refused = await mandate()
  await decide(refused, 'decline')
  expect((await end(refused)).json).toMatchObject({ status: 'DECLINED' })
})

test('a debit takes its money once, whatever is repeated; 409 with other contents, 404 without a mandate', async () => {
  const debit = debitOf(await active('7788'))
  const answers = await Promise.all(Array.from({ length: 20 }, () => order(debit)))
  for (const answer of answers) expect(answer).toMatchObject({ status: 'SUCCESS', responseCode: '00' })
  expect(await booked(debit)).toMatchObject({ asked: 20, taken: '1200.00', returned: '0.00' })
  expect((await bank.signed('POST', MANDATE_PATHS.debits, { ...debit, amount: '1.00' })).status).toBe(409)
  expect((await bank.signed('POST', MANDATE_PATHS.debits, debitOf(newCode()))).status).toBe(404)
})

test('a mandate that is not active fails its debits', async () => {
  const [waiting, over] = [await mandate(), await active('7788')]
  await end(over)
  for (const code of [waiting, over])
    expect(await order(debitOf(code))).toMatchObject({ status: 'FAILED', responseCode: '57' })
})

test('by the ending of the account: fails, waits two hours, is reversed after two days, is notified twice', async () => {
  expect(await order(debitOf(await active('0001')))).toMatchObject({ status: 'FAILED', responseCode: '06' })
  const [slow, back, twice] = [
    debitOf(await active('0002')),
    debitOf(await active('0003')),
    debitOf(await active('0006')),
  ]
  expect(await order(slow)).toMatchObject({ status: 'PENDING' })
  expect(await order(back)).toMatchObject({ status: 'SUCCESS' })
  expect(await order(twice)).toMatchObject({ status: 'SUCCESS' })
  await bank.moveClock(2 * 3_600 + 1)
  expect(await booked(slow)).toMatchObject({ status: 'SUCCESS', taken: '1200.00' })
  await bank.moveClock(48 * 3_600 + 1)
  expect(await booked(back)).toMatchObject({ status: 'REVERSED', taken: '1200.00', returned: '1200.00' })
  const words = ({ sessionId }: { sessionId: string }) =>
    bank.schemeNotices.filter((one) => one['sessionId'] === sessionId).map((one) => one['status'])
  // The two notices of the last were on their way while the clock moved; nothing waits for them.
  await expect.poll(() => words(twice)).toEqual(['SUCCESS', 'SUCCESS'])
  expect([words(slow), words(back)]).toEqual([['SUCCESS'], ['REVERSED']])
})

test('what was not taken yet is barred for ever; what was taken stays', async () => {
  const [slow, unheard, paid] = [
    debitOf(await active('0002')),
    debitOf(await active('7788')),
    debitOf(await active('7788')),
  ]
  await order(slow)
  await order(paid)
  expect(await ask(MANDATE_PATHS.debitInquiries, unheard)).toMatchObject({ status: 'UNKNOWN', responseCode: '25' })
  for (const debit of [slow, unheard])
    expect(await ask(MANDATE_PATHS.debitBars, debit)).toMatchObject({ status: 'FAILED', responseCode: '21' })
  expect(await ask(MANDATE_PATHS.debitBars, paid)).toMatchObject({ status: 'SUCCESS' })
  expect(await order(unheard)).toMatchObject({ status: 'FAILED' })
  await bank.moveClock(3 * 3_600)
  expect(await booked(slow)).toMatchObject({ status: 'FAILED', taken: '0.00' })
  expect(await booked(unheard)).toMatchObject({ status: 'FAILED', taken: '0.00' })
})
