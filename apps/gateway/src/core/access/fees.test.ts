// Which schedule a fee is by: the newest that has begun, the one that was quoted, or that a page has shown.
import { describe, expect, test } from 'vitest'
import {
  calculatePrice,
  type FeeRow,
  feeScheduleAt,
  feeScheduleFor,
  findSchedule,
  findShownSchedule,
  NOT_QUOTED,
  payableKobo,
  payerScheduleAt,
  quoteBy,
  toFees,
} from './fees.ts'

const begins = new Date('2026-11-16T00:00:00.000Z')
const after = (ms: number): Date => new Date(begins.getTime() + ms)
const row = (id: string, validFrom: Date, over: Partial<FeeRow> = {}): FeeRow => ({
  ...{ id, method: 'ANY', basis_points: 150, flat_kobo: '0', cap_kobo: '200000', bearer: 'MERCHANT', ...over },
  valid_from: validFrom.toISOString(),
})
/** One from the beginning of time, and one that replaces it. */
const two = { fees: toFees([row('2', begins), row('1', new Date(0))]) }
const borne = { fees: toFees([row('3', begins, { bearer: 'CUSTOMER' }), row('1', new Date(0))]) }

test('a schedule is in force from its very instant, and the one before it until then', () => {
  const at = (ms: number) => feeScheduleAt(two, 'CARD', after(ms))?.id
  expect([at(-1), at(0), at(1)]).toEqual([1n, 2n, 2n])
})

test("a method's own schedule comes before one of any method, also where that is newer; one of another method never", () => {
  const fees = toFees([row('9', after(10)), row('8', begins, { method: 'CARD' }), row('7', begins, { method: 'USSD' })])
  const at = (method: 'ACCOUNT_TRANSFER' | 'CARD' | 'PAYOUT') => feeScheduleAt({ fees }, method, after(20))?.id ?? null
  expect([at('CARD'), at('ACCOUNT_TRANSFER')]).toEqual([8n, 9n])
  expect(at('PAYOUT'), 'what is charged has none of any').toBeNull()
})

test('what is charged costs what its schedule says, and by the tariff for all before it has begun', () => {
  const fees = toFees([row('5', begins, { method: 'PAYOUT', basis_points: 0, flat_kobo: '700' })])
  const price = (ms: number) => calculatePrice({ fees }, 'PAYOUT', after(ms), 100_000n, () => 1_000n)
  expect(price(0)).toEqual({ kobo: 700n, scheduleId: 5n })
  expect(price(-1)).toEqual({ kobo: 1_000n, scheduleId: null })
})

describe('a fee that the payer bears', () => {
  test('is quoted by a schedule that says so, of the amount itself, and by no other', () => {
    const chosen = (ms: number) => payerScheduleAt(borne, 'CARD', after(ms))
    expect([chosen(-1)?.id, chosen(0)?.id]).toEqual([undefined, 3n])
    expect(quoteBy(chosen(0), 100_000n)).toEqual({ quoted_fee_kobo: 1_500n, quoted_schedule_id: 3n })
    expect(quoteBy(feeScheduleAt(two, 'CARD', begins), 100_000n)).toEqual(NOT_QUOTED)
    expect(quoteBy(null, 100_000n)).toEqual(NOT_QUOTED)
  })

  test('is expected on top of the amount, and nothing is where none was quoted', () => {
    expect(payableKobo({ kobo: 100_000n, quoted_fee_kobo: 1_500n })).toBe(101_500n)
    expect(payableKobo({ kobo: 100_000n, quoted_fee_kobo: null })).toBe(100_000n)
  })

  test('is the cap when the money comes, by the schedule of the quote, whatever is in force by then', () => {
    const quoted = (fee: bigint | null, schedule: bigint | null) =>
      feeScheduleFor(two, { quoted_fee_kobo: fee, quoted_schedule_id: schedule }, 'CARD', after(1))
    expect(quoted(77n, 1n)).toMatchObject({ id: 1n, capKobo: 77n })
    expect(quoted(0n, 1n)).toMatchObject({ id: 1n, capKobo: 0n })
    for (const [fee, schedule] of [
      [null, null],
      [77n, null],
      [null, 1n],
    ] as const)
      expect(quoted(fee, schedule)).toMatchObject({ id: 2n, capKobo: 200_000n })
    expect(() => quoted(77n, 99n)).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
  })
})

test('a version is found by its number, whatever its method; one that is not known is none', () => {
  const known = { fees: toFees([row('4', begins, { method: 'REFUND' }), row('2', begins)]) }
  expect([findSchedule(known, 4n)?.id, findSchedule(known, 2n)?.id, findSchedule(known, 5n)]).toEqual([4n, 2n, null])
})

describe('a version that a page has shown', () => {
  const held = (id: string, since: number, now: number) =>
    findShownSchedule(two, 'CARD', id, after(since), after(now))?.id ?? null

  test('is held to if it was in force at some moment from then to now, the first and the last included', () => {
    expect([held('1', -10, -5), held('1', -1, 50), held('2', -10, 5), held('2', -10, 0)]).toEqual([1n, 1n, 2n, 2n])
  })

  test('is none if it was replaced before, has not begun, or is not of the merchant', () => {
    expect([held('1', 0, 5), held('1', 5, 9), held('2', -10, -1), held('9', -10, 5)]).toEqual([null, null, null, null])
  })
})
