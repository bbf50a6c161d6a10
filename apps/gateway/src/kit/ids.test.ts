import { nuban } from '@cowrie/contract/nuban'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellOfAccountNumber, cellOfApiKey, cellOfReference, transactionReference } from './ids.ts'

const cells = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))

describe('transactionReference', () => {
  test('carries the cell, the moment and the last six digits of the id', () => {
    expect(transactionReference('01', '20260502141500', 812n)).toBe('CWRY|01|20260502141500|000812')
    expect(transactionReference('02', '20260502141500', 9_007_199_254_740_993n)).toBe('CWRY|02|20260502141500|740993')
  })

  test('names its cell, whatever the id', () => {
    fc.assert(
      fc.property(cells, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (cell, id) => {
        expect(cellOfReference(transactionReference(cell, '20260502141500', id))).toBe(cell)
      }),
    )
  })

  test('a million ids in a row have different references within one second', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 62n }), fc.bigInt({ min: 1n, max: 999_999n }), (id, by) => {
        const [one, other] = [id, id + by].map((n) => transactionReference('01', '20260502141500', n))
        expect(one).not.toBe(other)
      }),
    )
  })
})

describe('the cell of an identifier', () => {
  test('of an API key', () => {
    expect(cellOfApiKey('MK_TEST_01ABCD1234')).toBe('01')
    expect(cellOfApiKey('MK_PROD_42ZZZZ9999')).toBe('42')
  })

  test('of an account number, whichever serial it was made of', () => {
    fc.assert(
      fc.property(cells, fc.integer({ min: 0, max: 9_999_999 }), (cell, serial) => {
        expect(cellOfAccountNumber(nuban('50515', cell + String(serial).padStart(7, '0')))).toBe(cell)
      }),
    )
  })

  const STRANGERS = [
    ...['', ' ', '01', 'CWRY', 'CWRY|01', 'CWRY|1|20260502141500|000812', 'cwry|01|20260502141500|000812'],
    ...['CWRY|01|20260502141500|000812 ', ' CWRY|01|20260502141500|000812', 'CWRY|01|20260502141500|000812\n'],
    ...['CWRY|01|20260502141500|00081x', 'CWRY|01|2026050214150|000812', 'XCWRY|01|20260502141500|000812'],
    ...['MK_TEST_01ABCD123', 'MK_TEST_01ABCD12345', 'MK_TEST_0XABCD1234', 'MK_DEMO_01ABCD1234', 'mk_test_01abcd1234'],
    ...[
      'MK_TEST_01ABCD1234\n',
      'MK_TEST_٠١ABCD1234',
      '012345678',
      '01234567890',
      '01234x6789',
      '0123456789\n',
      '٠١23456789',
    ],
    ...['-1', 'constructor', "01'; drop table merchants; --"],
  ]
  test.each(STRANGERS)('%j is no identifier', (text) => {
    expect([cellOfReference(text), cellOfApiKey(text), cellOfAccountNumber(text)]).toEqual([null, null, null])
  })

  test('any text gives a cell of two digits or null', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'CWRY|MK_TEST01 '.split('')) })),
        (text) => {
          for (const of of [cellOfReference, cellOfApiKey, cellOfAccountNumber])
            expect(of(text) ?? '00').toMatch(/^\d\d$/)
        },
      ),
    )
  })
})
