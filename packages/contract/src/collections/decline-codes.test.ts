import { expect, test } from 'vitest'
import { DECLINE_CODES, DECLINES, toDeclineCode } from './decline-codes.ts'
import { isApproval, RESPONSE_CODES } from './response-codes.ts'

test('every code of an issuer that does not approve has exactly one word, and no other code has any', () => {
  const declines = Object.keys(RESPONSE_CODES).filter((code) => !isApproval(code))
  expect(DECLINE_CODES.flatMap((word) => [...DECLINES[word].codes]).toSorted()).toEqual(declines.toSorted())
  expect([toDeclineCode('51'), toDeclineCode('05'), toDeclineCode('ZZ')]).toEqual([
    'INSUFFICIENT_FUNDS',
    'DO_NOT_HONOUR',
    'OTHER',
  ])
})
