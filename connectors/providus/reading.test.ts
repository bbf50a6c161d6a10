// How the bank's words are read: amounts to the kobo, times of West Africa, names of banks.
import { describe, expect, test } from 'vitest'
import { nipCodeOf, senderBankOf } from './src/banks.ts'
import { CODES, meaningOf } from './src/codes.ts'
import { claimOf, noticeOf } from './src/credits.ts'
import { availableOf, referenceOf } from './src/mapping.ts'
import type { Booked } from './src/upstream.ts'

const booked = (more: Partial<Booked> = {}): Booked => ({
  ...{ sessionId: 'S-1', settlementId: 'T-1', accountNumber: '9970000000', currency: 'NGN' },
  ...{ transactionAmount: '1000.0', tranDateTime: '2024-01-19 09:04:37' },
  ...more,
})
const noticed = (more: Partial<Booked>) => noticeOf(booked(more), [])?.notice

describe('a credit', () => {
  test.each([
    ['1000.0', '1000.00'],
    ['1', '1.00'],
    ['0.01', '0.01'],
    ['10.15', '10.15'],
    ['20.10000', '20.10'],
    ['1,250.5', '1250.50'],
    ['9007199254740.99', '9007199254740.99'],
  ])('of %s is %s', (transactionAmount, amount) => {
    expect(noticed({ transactionAmount })).toMatchObject({ amount })
  })

  test.each(['', '0', '0.00', '-5', '1e3', '10.005', '10.001', 'ten', 'NaN', ' ', '0x10', '99999999999999999'])(
    'of "%s" is not counted',
    (transactionAmount) => {
      expect(noticeOf(booked({ transactionAmount }), [])).toBeNull()
    },
  )

  test('of another currency, another kind of account or no moment is not counted', () => {
    for (const more of [
      { currency: 'USD' },
      { currency: '' },
      { accountNumber: '997' },
      { tranDateTime: '' },
      { tranDateTime: '2024-02-30 10:00:00' },
    ])
      expect(noticeOf(booked(more), [])).toBeNull()
  })

  test('has the moment of West Africa', () => {
    expect(noticed({})).toMatchObject({ paidAt: '2024-01-19T08:04:37.000Z' })
    expect(noticed({ tranDateTime: '2024-01-19 00:30:00' })).toMatchObject({ paidAt: '2024-01-18T23:30:00.000Z' })
  })

  test('has a masked sender as it is, and none that is something else', () => {
    expect(noticed({ sourceAccountNumber: '209****866' })).toMatchObject({ senderAccountNumber: '209****866' })
    expect(noticed({ sourceAccountNumber: 'WALLET-9' })).not.toHaveProperty('senderAccountNumber')
  })

  test('is claimed by its session, else by its settlement', () => {
    expect(claimOf('S-1', 'T-1')).toBe('session:S-1')
    expect(claimOf('', 'T-1')).toBe('settlement:T-1')
    expect(claimOf(undefined, 5)).toBeNull()
  })
})

describe('a bank', () => {
  test('is known to the network by six digits', () => {
    expect([nipCodeOf('058'), nipCodeOf('101'), nipCodeOf('nowhere')]).toEqual(['000013', '000023', null])
  })

  test.each([
    ['000004', '', '033'],
    ['033', '', null],
    ['000004', 'ACCESS BANK', null],
    ['', 'UNITED BANK FOR AFRICA', '033'],
    ['', 'Access Bank PLC', '044'],
    ['', 'GTBANK PLC', '058'],
    ['701', 'FIRST BANK OF NIGERIA', '011'],
    ['', 'A bank of the list', '090270'],
    ['701', '', null],
    ['', 'BANK', null],
    ['', 'ACCESS', null],
  ])('with the code "%s" and the name "%s" is %s', (code, name, expected) => {
    expect(senderBankOf(code, name, [{ bankCode: '090270', bankName: 'A BANK OF THE LIST' }])).toBe(expected)
  })

  test('that two of the list have the name of is not guessed', () => {
    const list = ['090270', '070010'].map((bankCode) => ({ bankCode, bankName: 'TWICE' }))
    expect(senderBankOf('', 'TWICE', list)).toBeNull()
  })
})

test('a balance is never more than there is', () => {
  const read = ['468520.951', '0', '7.5', '-0.001', '-12.50', '1.999', '', '1e3', 'x', '1,000.00'].map(availableOf)
  expect(read).toEqual(['468520.95', '0.00', '7.50', '-0.01', '-12.50', '1.99', null, null, null, null])
})

test('a reference is shorter than a session, and another for each', () => {
  const sessions = Array.from({ length: 100 }, (_, at) => `000013261118020500${String(at).padStart(12, '0')}`)
  expect(new Set(sessions.map(referenceOf)).size).toBe(100)
  for (const session of sessions) expect(referenceOf(session)).toMatch(/^CW\d{24}$/)
})

test('only 00 is success, and what no table has is unknown', () => {
  const kinds = (kind: string) => Object.keys(CODES).filter((code) => CODES[code]?.kind === kind)
  expect(kinds('success')).toEqual(['00'])
  expect(kinds('pending')).toEqual(['09'])
  for (const code of ['', '000', '7701', 'constructor', '__proto__', '0']) expect(meaningOf(code).kind).toBe('unknown')
})
