// Paystack's words by the tables.
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'
import { expect, test } from 'vitest'
import { declineOf, meaningOf, STATUSES } from './codes.ts'

test('a status of no table is a word of its own', () => {
  for (const status of ['constructor', '__proto__', 'toString', '', 'Successful', 'fail'])
    expect([status, meaningOf(status)]).toEqual([status, undefined])
  expect(meaningOf('Reversal Pending')).toBe('reversing')
  expect([...STATUSES].filter(([, meaning]) => meaning === 'declined')).toEqual([['failed', 'declined']])
})

test.each([
  ['Insufficient Funds', '51'],
  ['insufficient funds.', '51'],
  ['Declined', '05'],
  ['Do Not Honor', '05'],
  ['Incorrect PIN', '55'],
  ['PIN Tries Exceeded', '75'],
  ['Expired Card', '54'],
  ['Lost Card, Pick-Up', '41'],
  ['Transaction not Permitted to Cardholder', '57'],
  ['Transaction not permitted on terminal', '58'],
  ['Token Not Generated. Customer Not Registered on Token Platform', '57'],
  ['Suspected Fraud', '59'],
  ['Restricted card', '62'],
  ['Exceeds Withdrawal Limit', '61'],
  ['Issuer or Switch Inoperative', '91'],
  ['System Malfunction', '96'],
  ['Approved', '05'],
  ['Request in progress', '05'],
  ['a text that nobody has published', '05'],
  ['constructor', '05'],
  ['', '05'],
])('%s: %s', (text, code) => {
  expect(declineOf(text)).toBe(code)
  expect(RESPONSE_CODES[code]).toBeDefined()
})
