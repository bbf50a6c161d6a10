// Every answer of a bank is held against its schema and against what was asked; nothing the bank wrote
// reaches a log.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BankPort, Outcome } from '#kit/ctx.ts'
import { createBank } from './bank.ts'

let said = ''
let status = 200
let server: Server
let bank: BankPort
beforeAll(async () => {
  server = createServer((_request, response) => void response.writeHead(status).end(said)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  bank = createBank(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'key')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const session = '0'.repeat(29)
const account = { bankCode: '058', accountNumber: '0123456789' }
const payout = { sessionId: `${session}1`, status: 'SUCCESS', responseCode: '00', message: 'Approved' }
const mandate = {
  mandateCode: 'CWDD|0101ARZ3NDEKTSV4RRFFQ69G5FAV',
  status: 'CANCELLED',
  authorizationMessage: '',
  authorizationLink: '',
}
const card = { scheme: 'Verve', bankCode: '058', bankName: 'GTBank', countryCode: 'NG' }
const charge = { chargeReference: 'CWCH1', state: 'APPROVED', code: '00', message: 'Approved', card }
const otp = { id: 'a1', triesLeft: 3, expiresAt: '2030-01-01T00:00:00.000Z', wrong: false }
const page = 'https://issuer.example/3ds'
const input = { id: 'i1', kind: 'PIN', expiresAt: '2026-05-02T13:15:31.000Z', wrong: false }
const challenge = { id: 'a1', pageUrl: page, acsUrl: page, expiresAt: otp.expiresAt }
const statement = { date: '2026-05-02', count: 0, amountIn: '0.00', amountOut: '0.00', lines: [], next: null }
const matched = { name: { match: 'FULL_MATCH', percentage: 100 }, dateOfBirth: 'NO_MATCH', mobileNumber: 'NO_MATCH' }
const other = `${session}2`
const customer = { productCode: 'AIRTIME', customerId: '1' }

type Ask = () => Promise<Outcome<unknown>>
const any = {} as any
/** name → the call, an answer that is believed, and answers about something else or that answer nothing. */
const CALLS: Record<string, readonly [Ask, object, ...object[]]> = {
  nameEnquiry: [
    () => bank.nameEnquiry(account),
    { ...account, accountName: 'ADA OBI' },
    { ...account, accountNumber: '0123456780', accountName: 'ADA OBI' },
    { ...account, bankCode: '057', accountName: 'ADA OBI' },
    { ...account, accountName: '' },
  ],
  nameEnquiries: [
    () => bank.nameEnquiries([account]),
    { accountNames: [null] },
    { accountNames: [] },
    { accountNames: [7] },
  ],
  returnCredit: [
    () => bank.returnCredit({ sessionId: `${session}1`, amount: '1.00', reason: '' }),
    { sessionId: `${session}1`, returnSessionId: other },
    { sessionId: other, returnSessionId: `${session}3` },
    { sessionId: `${session}1`, returnSessionId: `${session}1` },
    { returnSessionId: other },
  ],
  statement: [
    () => bank.statement({ date: statement.date, after: null }),
    statement,
    { ...statement, date: '2026-05-03' },
  ],
  authorise: [
    () => bank.authorise({ ...any, chargeReference: 'CWCH1' }),
    charge,
    { ...charge, chargeReference: 'CWCH2' },
    { ...charge, state: 'PAID' },
    { ...charge, state: 'OTP' },
    { ...charge, state: 'OTP', otp: { ...otp, expiresAt: 'soon' } },
    { ...charge, state: 'CHALLENGE' },
    { ...charge, state: 'CHALLENGE', challenge: { ...challenge, acsUrl: 'javascript:alert(1)' } },
    { ...charge, state: 'CHALLENGE', challenge: { ...challenge, expiresAt: '' } },
  ],
  confirmOtp: [
    () => bank.confirmOtp({ chargeReference: 'CWCH1', otpId: 'a1', otp: '1' }),
    { ...charge, state: 'OTP', otp },
    { ...charge, chargeReference: 'CWCH2' },
    { ...charge, state: 'CHALLENGE', challenge },
  ],
  inquire: [
    () => bank.inquire({ chargeReference: 'CWCH1' }),
    { ...charge, state: 'CHALLENGE', challenge },
    { ...charge, chargeReference: 'CWCH2' },
  ],
  reverse: [
    () => bank.reverse({ chargeReference: 'CWCH1' }),
    { ...charge, state: 'REVERSED' },
    { ...charge, state: 'REVERSED', chargeReference: 'CWCH2' },
    charge,
  ],
  authoriseV2: [
    () => bank.authoriseV2({ ...any, chargeReference: 'CWCH1' }),
    { ...charge, state: 'INPUT', code: '', input },
    { ...charge, state: 'INPUT', chargeReference: 'CWCH2', input },
    { ...charge, state: 'INPUT' },
    { ...charge, state: 'INPUT', input: { ...input, kind: 'SHOE_SIZE' } },
    { ...charge, state: 'INPUT', input: { ...input, expiresAt: 'soon' } },
    { ...charge, state: 'OTP' },
    { ...charge, state: 'CHALLENGE' },
    { ...charge, state: 'WAITING' },
  ],
  submitInput: [
    () => bank.submitInput({ chargeReference: 'CWCH1', inputId: 'a1', kind: 'PIN', value: '1' }),
    { ...charge, state: 'PENDING', code: '' },
    { ...charge, chargeReference: 'CWCH2' },
  ],
  inquireV2: [
    () => bank.inquireV2({ chargeReference: 'CWCH1' }),
    { ...charge, state: 'REVERSING', code: '' },
    { ...charge, chargeReference: 'CWCH2' },
  ],
  reverseV2: [
    () => bank.reverseV2({ chargeReference: 'CWCH1' }),
    { ...charge, state: 'REVERSING', code: '' },
    { ...charge, state: 'PENDING', code: '' },
    { ...charge, state: 'REVERSED', chargeReference: 'CWCH2' },
    charge,
  ],
  sendPayout: [() => bank.sendPayout({ ...any, ...payout }), payout, { ...payout, sessionId: other }],
  inquirePayout: [() => bank.inquirePayout(payout), payout, { ...payout, sessionId: other }],
  barPayout: [() => bank.barPayout(payout), payout, { ...payout, sessionId: other }, { ...payout, status: 'PENDING' }],
  sendCardRefund: [() => bank.sendCardRefund({ ...any, ...payout }), payout, { ...payout, sessionId: other }],
  inquireCardRefund: [() => bank.inquireCardRefund(payout), payout, { ...payout, sessionId: other }],
  barCardRefund: [
    () => bank.barCardRefund(payout),
    payout,
    { ...payout, sessionId: other },
    { ...payout, status: 'PENDING' },
  ],
  billCatalogue: [
    () => bank.billCatalogue(),
    { categories: [], billers: [], products: [] },
    { categories: [], billers: [{ code: 'MTN' }], products: [] },
  ],
  validateBillCustomer: [
    () => bank.validateBillCustomer(customer),
    { ...customer, known: true },
    { ...customer, customerId: '2', known: true },
    { ...customer, productCode: 'DATA', known: true },
  ],
  sendVend: [() => bank.sendVend({ ...any, ...payout }), payout, { ...payout, sessionId: other }],
  inquireVend: [() => bank.inquireVend(payout), payout, { ...payout, sessionId: other }],
  barVend: [() => bank.barVend(payout), payout, { ...payout, sessionId: other }, { ...payout, status: 'PENDING' }],
  lookUpIdentity: [
    () => bank.lookUpIdentity({ kind: 'BVN', number: '22222222222' }),
    { kind: 'BVN', exists: true, barred: false },
    { kind: 'NIN', exists: true, barred: false },
  ],
  matchDetails: [
    () => bank.matchDetails({ ...any, reference: 'CWVF1' }),
    { reference: 'CWVF1', matches: null },
    { reference: 'CWVF2', matches: null },
    { reference: 'CWVF1', matches: { name: { match: 'FULL_MATCH', percentage: 101 } } },
    { reference: 'CWVF1', matches: { ...matched, dateOfBirth: 'MAYBE' } },
  ],
  matchAccount: [
    () => bank.matchAccount({ ...any, reference: 'CWVF1' }),
    { reference: 'CWVF1', exists: true, account: { accountName: 'ADA OBI', match: 'NO_MATCH', percentage: 0 } },
    { reference: 'CWVF2', exists: true, account: null },
    { reference: 'CWVF1', exists: true, account: { accountName: 'ADA OBI', match: 'NO_MATCH' } },
  ],
  personOf: [
    () => bank.personOf({ ...any, reference: 'CWVF1' }),
    { reference: 'CWVF1', person: null },
    { reference: 'CWVF2', person: null },
    { reference: 'CWVF1', person: { firstName: 'Ada' } },
  ],
  registerMandate: [
    () => bank.registerMandate({ ...any, mandateCode: mandate.mandateCode }),
    mandate,
    { ...mandate, mandateCode: 'CWDD|0101ARZ3NDEKTSV4RRFFQ69G5FAW' },
  ],
  endMandate: [
    () => bank.endMandate(mandate),
    mandate,
    { ...mandate, mandateCode: 'CWDD|0101ARZ3NDEKTSV4RRFFQ69G5FAW' },
    { ...mandate, status: 'ACTIVE' },
  ],
  sendDebit: [() => bank.sendDebit({ ...any, ...payout }), payout, { ...payout, sessionId: other }],
  inquireDebit: [() => bank.inquireDebit(payout), payout, { ...payout, sessionId: other }],
  barDebit: [() => bank.barDebit(payout), payout, { ...payout, sessionId: other }, { ...payout, status: 'UNKNOWN' }],
  capabilities: [
    () => bank.capabilities(),
    { bankCode: '101', bankName: 'Providus', environment: 'TEST', capabilities: ['payout'] },
    { bankCode: '101', bankName: 'Providus', environment: 'TEST', capabilities: ['flying'] },
    { bankCode: '101', bankName: 'Providus', environment: 'PERHAPS', capabilities: ['payout'] },
  ],
  balances: [
    () => bank.balances(),
    { accounts: [{ ...account, available: '-1.00', at: otp.expiresAt }] },
    { accounts: [{ ...account, available: '1.005', at: otp.expiresAt }] },
    { accounts: [{ ...account, available: 1, at: otp.expiresAt }] },
  ],
  numbers: [
    () => bank.numbers({ reference: 'order-1', count: 1, accountName: 'Cowrie' }),
    { reference: 'order-1', numbers: [{ ...account, validUntil: null }] },
    { reference: 'order-2', numbers: [] },
    { reference: 'order-1', numbers: [{ ...account, validUntil: 'soon' }] },
    { reference: 'order-1', numbers: [{ ...account, accountNumber: '12345', validUntil: null }] },
  ],
}

const saying = async (ask: Ask, text: string, answered = 200): Promise<Outcome<unknown>> => {
  said = text
  status = answered
  return ask()
}

test('every call of the port is in the table', () => {
  expect(Object.keys(bank).filter((name) => !(name in CALLS))).toEqual([])
})

describe.each(Object.entries(CALLS))('%s', (_name, [ask, good, ...bad]) => {
  test('yes to an answer that fits; unknown to {}, to half an answer and to one about something else', async () => {
    const whole = JSON.stringify(good)
    expect(await saying(ask, whole)).toEqual({ kind: 'yes', value: good })
    for (const text of [
      '{}',
      '',
      'null',
      '[]',
      '"SUCCESS"',
      whole.slice(0, -1),
      `[${whole}]`,
      ...bad.map((one) => JSON.stringify(one)),
    ])
      expect(await saying(ask, text), text).toMatchObject({ kind: 'unknown' })
  })

  test('unknown to an endless answer, and what may be logged never quotes the bank', async () => {
    const secret = '4111111111111111'
    for (const code of [200, 302, 400, 503]) {
      const outcome = await saying(ask, `<html>${secret}</html>`, code)
      expect(outcome).toMatchObject({ kind: code === 400 ? 'no' : 'unknown' })
      expect('why' in outcome && outcome.why).not.toContain(secret)
    }
    expect(await saying(ask, `${' '.repeat(17 * 1024 * 1024)}${JSON.stringify(good)}`)).toEqual({
      ...{ kind: 'unknown', why: 'the answer is too long' },
    })
  })
})
