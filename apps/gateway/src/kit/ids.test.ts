import { SESSION_ID } from '@cowrie/contract/bank/connector'
import { MANDATE_CODE } from '@cowrie/contract/bank/mandate-connector'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  cellOfApiKey,
  cellOfMandate,
  cellOfPayoutSession,
  cellOfReference,
  firstIdInMonth,
  type Institution,
  mandateCode,
  monthAt,
  monthOfId,
  payoutSessionId,
  transactionReference,
} from './ids.ts'

const cells = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))

const US: Institution = { code: '000013', issuingBanks: ['50515'], accountName: 'Cowrie' }
const cellOfOurPayout = (session: string) => cellOfPayoutSession(US, session)

describe('the month of an id', () => {
  test('is that of West Africa, where it is an hour later than in UTC', () => {
    expect(monthAt(new Date('2026-11-30T22:59:59Z'))).toBe(202_611n)
    expect(monthAt(new Date('2026-11-30T23:00:00Z'))).toBe(202_612n)
    expect(monthAt(new Date('2026-12-31T23:00:00Z'))).toBe(202_701n)
  })
  test('is found again from every id of it, and ids of later months are greater', () => {
    const months = fc.date({ min: new Date('2026-01-01'), max: new Date('2300-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(months, months, fc.bigInt({ min: 0n, max: 999_999_999_999n }), (one, other, serial) => {
        const [month, later] = [monthAt(one), monthAt(other)]
        const id = firstIdInMonth(month) + serial
        expect(monthOfId(id)).toBe(month)
        expect(later > month).toBe(id < firstIdInMonth(later))
        expect(id * 16n + 15n).toBeLessThan(2n ** 63n) // its accounts fit
      }),
    )
  })
})

describe('mandateCode', () => {
  const random = fc.uint8Array({ minLength: 16, maxLength: 16 })
  test('is the cell and a ULID: the moment first, then what nobody guesses', () => {
    const at = new Date(1_469_918_176_385) // the example of the format's own description
    const code = mandateCode('01', at, new Uint8Array(16).fill(31))
    expect(code).toBe(`CWDD|0101ARYZ6S41${'Z'.repeat(16)}`)
  })
  test('names its cell, has the form of the protocol, and sorts by its moment', () => {
    const moments = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(cells, moments, moments, random, (cell, one, other, bytes) => {
        const [first, second] = [mandateCode(cell, one, bytes), mandateCode(cell, other, bytes)]
        expect(cellOfMandate(first)).toBe(cell)
        expect(first).toMatch(new RegExp(MANDATE_CODE))
        expect(first < second).toBe(one < other)
      }),
    )
  })
})

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

describe('payoutSessionId', () => {
  const at = new Date('2026-05-02T23:15:30.999Z')
  // Whatever the year, its last two digits.
  const moments = fc.date({ min: new Date('2020-01-01'), max: new Date('2119-12-31'), noInvalidDate: true })
  const ids = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })

  test('is the network code, the West African second, the cell, and ten digits of the id', () => {
    expect(payoutSessionId(US, '02', at, 812n)).toBe('000013260503001530020000000812')
    expect(payoutSessionId(US, '02', at, 9_007_199_254_740_993n)).toBe('000013260503001530029254740993')
  })

  test('has the form of the protocol and names its cell, whatever moment and id', () => {
    fc.assert(
      fc.property(cells, moments, ids, (cell, moment, id) => {
        const session = payoutSessionId(US, cell, moment, id)
        expect(session).toMatch(new RegExp(SESSION_ID))
        expect(cellOfPayoutSession(US, session)).toBe(cell)
      }),
    )
  })

  test('is different for any two of ten thousand million ids in a row within one second, and repeats only then', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 62n }), fc.bigInt({ min: 1n, max: 9_999_999_999n }), (id, by) => {
        expect(payoutSessionId(US, '01', at, id)).not.toBe(payoutSessionId(US, '01', at, id + by))
      }),
    )
    expect(payoutSessionId(US, '01', at, 7n)).toBe(payoutSessionId(US, '01', at, 10_000_000_007n))
    const later = new Date(at.getTime() + 1)
    expect(payoutSessionId(US, '01', at, 7n)).not.toBe(payoutSessionId(US, '01', later, 10_000_000_007n))
  })

  test('is different in two cells that allocate the same id at the same moment', () => {
    fc.assert(
      fc.property(fc.uniqueArray(cells, { minLength: 2, maxLength: 2 }), moments, ids, ([one, other], moment, id) => {
        expect(payoutSessionId(US, String(one), moment, id)).not.toBe(payoutSessionId(US, String(other), moment, id))
      }),
    )
  })

  test.each([
    ...['00001326050300153002000000081', '0000132605030015300200000008120', '000014260503001530020000000812'],
    ...['000013260503001530020000000812\n', ' 000013260503001530020000000812', '00001326050300153002000000081x', ''],
  ])('%j is not a payout session', (text) => expect(cellOfPayoutSession(US, text)).toBeNull())
})

describe('the cell of an identifier', () => {
  test('of an API key', () => {
    expect(cellOfApiKey('MK_TEST_01ABCD1234')).toBe('01')
    expect(cellOfApiKey('MK_PROD_42ZZZZ9999')).toBe('42')
  })

  const NO_IDENTIFIERS = [
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
    ...['CWDD|01', 'CWDD|0101ARYZ6S41ZZZZZZZZZZZZZZZI', 'CWDD0101ARYZ6S41ZZZZZZZZZZZZZZZZ'],
    ...['-1', 'constructor', "01'; drop table merchants; --"],
  ]
  test.each(NO_IDENTIFIERS)('%j is not an identifier', (text) => {
    const all = [cellOfReference, cellOfApiKey, cellOfOurPayout, cellOfMandate]
    expect(all.map((of) => of(text))).toEqual(all.map(() => null))
  })

  test('any text gives a cell of two digits or null', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'CWRY|MK_TEST01 '.split('')) })),
        (text) => {
          for (const of of [cellOfReference, cellOfApiKey, cellOfOurPayout, cellOfMandate])
            expect(of(text) ?? '00').toMatch(/^\d\d$/)
        },
      ),
    )
  })
})
