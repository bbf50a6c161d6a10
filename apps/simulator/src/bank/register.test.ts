import { expect, test } from 'vitest'
import { fullName, personOf } from './people.ts'
import { compareAccount, compareDetails, describePerson, lookUp } from './register.ts'

test.each([
  ['22222222222', true, false],
  ['22222222226', true, false],
  ['21212121212', true, false],
  ['10000000000', true, true],
  ['22222220000', true, true],
  ['22222200010', true, false],
  ['22222222221', false, false],
  ['00000000009', false, false],
])('the register: %s exists %s, barred %s, of either kind', (number, exists, barred) => {
  for (const kind of ['BVN', 'NIN'] as const) expect(lookUp({ kind, number })).toEqual({ kind, exists, barred })
})

test('a person follows from the number: the same one every time, another for another number, none for an odd one', () => {
  expect(personOf('21212121212')).toEqual(personOf('21212121212'))
  expect(personOf('21212121212')).not.toEqual(personOf('22222222226'))
  for (const number of ['21212121212', '22222222226', '98765432100']) {
    const person = personOf(number)!
    expect(person.dateOfBirth).toMatch(/^(19[5-9]|200)\d-\d\d-\d\d$/)
    expect(person.mobileNumber).toMatch(/^0[789]\d{9}$/)
    expect(['FEMALE', 'MALE']).toContain(person.gender)
    expect(describePerson({ reference: 'a', nin: number })).toEqual({ reference: 'a', person })
  }
  expect(describePerson({ reference: 'a', nin: '22222222221' })).toEqual({ reference: 'a', person: null })
})

test('details match as far as they are those of the person', () => {
  const bvn = '22222222222'
  const ada = { name: 'Ada Nneka Obi', dateOfBirth: '1991-03-14', mobileNumber: '08031234567' }
  const ask = (over = {}) => compareDetails({ reference: 'a', bvn, ...ada, ...over }).matches
  const all = { name: { match: 'FULL_MATCH', percentage: 100 }, dateOfBirth: 'FULL_MATCH', mobileNumber: 'FULL_MATCH' }
  expect(ask()).toEqual(all)
  expect(ask({ mobileNumber: '+2348031234567' })).toEqual(all)
  expect(ask({ name: 'OBI ADA' })?.name).toMatchObject({ match: 'PARTIAL_MATCH' })
  expect(ask({ name: 'Tunde Salami' })?.name).toEqual({ match: 'NO_MATCH', percentage: 0 })
  expect(ask({ dateOfBirth: '1991-03-15', mobileNumber: '08031234568' })).toEqual({
    ...all,
    dateOfBirth: 'NO_MATCH',
    mobileNumber: 'NO_MATCH',
  })
  expect(ask({ bvn: '22222222221' })).toBeNull()
  expect(fullName(personOf(bvn)!)).toBe(ada.name)
})

test('an account is that of a person by its last digits', () => {
  const ask = (accountNumber: string, bvn = '22222221234', bankCode = '058') =>
    compareAccount({ reference: 'a', bvn, bankCode, accountNumber })
  expect(ask('0000001234').account).toMatchObject({ match: 'FULL_MATCH', percentage: 100 })
  expect(ask('0000009934').account).toMatchObject({ match: 'PARTIAL_MATCH', percentage: 60 })
  expect(ask('0000000001').account).toMatchObject({ match: 'NO_MATCH', percentage: 0 })
  expect(ask('0000000404')).toEqual({ reference: 'a', exists: true, account: null })
  expect(ask('0000001234', '22222221235')).toEqual({ reference: 'a', exists: false, account: null })
  expect(ask('0000001234', '22222221234', '999')).toEqual({ reference: 'a', exists: true, account: null })
})
