import { expect, test } from 'vitest'
import { BANKS, findBank, isOpenBank, OPEN_BANKS } from './banks.ts'
import { bankDialled, baseCode, dialPrefix, paymentCode, readDialled, USSD_BANKS } from './ussd.ts'

const ACCOUNT = '0112345678'

test('every bank has a code of its own, and no two open banks share one of the network', () => {
  expect(new Set(BANKS.map(({ code }) => code)).size).toBe(BANKS.length)
  expect(isOpenBank('058')).toBe(true)
  expect([isOpenBank('030'), findBank('030')?.closed]).toEqual([false, 'Licence revoked in June 2024'])
  expect(isOpenBank('999999')).toBe(false)
  // Two names of one institution each, as the public list has them.
  const shared = Object.entries(Object.groupBy(OPEN_BANKS, ({ nipBankCode }) => nipBankCode ?? '')).filter(
    ([network, banks]) => network !== '' && (banks?.length ?? 0) > 1,
  )
  expect(shared.map(([network]) => network).sort()).toEqual(['070012', '090175'])
})

test('no two banks listen to the same code', () => {
  const prefixes = USSD_BANKS.map(dialPrefix)
  expect(new Set(prefixes).size).toBe(prefixes.length)
  expect(prefixes).not.toContain(null)
})

test.each(USSD_BANKS.map((bank) => [bank.name, bank] as const))('%s: what it shows can be dialled', (_, bank) => {
  expect(bankDialled(dialPrefix(bank) ?? '')).toBe(bank)
  expect(bankDialled(baseCode(bank))).toBe(bank)
  expect(readDialled(paymentCode(bank, ACCOUNT))).toEqual({ bank, accountNumber: ACCOUNT, kobo: null })
  for (const [amount, kobo] of [
    ['1500', 150_000n],
    ['20.5', 2_050n],
    ['1234567890.25', 123_456_789_025n],
  ] as const) {
    const text = bank.ussdTemplate?.replace('AccountNumber', ACCOUNT).replace('Amount', amount)
    expect(text === undefined ? null : readDialled(text), text).toEqual(
      text === undefined ? null : { bank, accountNumber: ACCOUNT, kobo },
    )
  }
})

test.each([
  '',
  '*737#',
  '*737*000*011234567#',
  '*737*2*1500#',
  '*322*030*0112345678*20#',
  '*737*000*0112345678',
  'x*737*000*0112345678#',
])('%j is answered by no bank', (text) => expect(readDialled(text)).toBeNull())
