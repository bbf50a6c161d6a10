import { describe, expect, test } from 'vitest'
import { hourText, plainText, slashedText, spacedText, stampText } from './times.ts'

// West Africa Time is UTC+1 all year.
const MOMENTS = [
  {
    what: 'an afternoon',
    at: '2026-05-02T13:15:31.400Z',
    stamp: '20260502141531',
    plain: '2026-05-02T14:15:31',
    spaced: '2026-05-02 14:15:31.4',
    slashed: '02/05/2026 02:15:31 PM',
    hour: '14:15',
  },
  {
    what: 'midnight',
    at: '2026-05-01T23:00:00.000Z',
    stamp: '20260502000000',
    plain: '2026-05-02T00:00:00',
    spaced: '2026-05-02 00:00:00.0',
    slashed: '02/05/2026 12:00:00 AM',
    hour: '00:00',
  },
  {
    what: 'the last millisecond of a day',
    at: '2026-05-01T22:59:59.999Z',
    stamp: '20260501235959',
    plain: '2026-05-01T23:59:59',
    spaced: '2026-05-01 23:59:59.999',
    slashed: '01/05/2026 11:59:59 PM',
    hour: '23:59',
  },
  {
    what: 'noon',
    at: '2026-05-02T11:00:00.000Z',
    stamp: '20260502120000',
    plain: '2026-05-02T12:00:00',
    spaced: '2026-05-02 12:00:00.0',
    slashed: '02/05/2026 12:00:00 PM',
    hour: '12:00',
  },
  {
    what: 'a second before noon',
    at: '2026-05-02T10:59:59.050Z',
    stamp: '20260502115959',
    plain: '2026-05-02T11:59:59',
    spaced: '2026-05-02 11:59:59.05',
    slashed: '02/05/2026 11:59:59 AM',
    hour: '11:59',
  },
  {
    what: 'the new year, which comes an hour before that of UTC',
    at: '2026-12-31T23:00:00.120Z',
    stamp: '20270101000000',
    plain: '2027-01-01T00:00:00',
    spaced: '2027-01-01 00:00:00.12',
    slashed: '01/01/2027 12:00:00 AM',
    hour: '00:00',
  },
  {
    what: 'a leap day',
    at: '2028-02-28T23:30:00.007Z',
    stamp: '20280229003000',
    plain: '2028-02-29T00:30:00',
    spaced: '2028-02-29 00:30:00.007',
    slashed: '29/02/2028 12:30:00 AM',
    hour: '00:30',
  },
  {
    what: 'a July, where other countries move their clocks',
    at: '2026-07-15T08:05:09.900Z',
    stamp: '20260715090509',
    plain: '2026-07-15T09:05:09',
    spaced: '2026-07-15 09:05:09.9',
    slashed: '15/07/2026 09:05:09 AM',
    hour: '09:05',
  },
]

describe('the texts of a moment are West Africa Time', () => {
  test.each(MOMENTS)('$what: $plain', ({ at, stamp, plain, spaced, slashed, hour }) => {
    const moment = new Date(at)
    expect(stampText(moment)).toBe(stamp)
    expect(plainText(moment)).toBe(plain)
    expect(spacedText(moment)).toBe(spaced)
    expect(slashedText(moment)).toBe(slashed)
    expect(hourText(moment)).toBe(hour)
  })

  test('spacedText drops trailing zeros of the fraction and keeps one digit', () => {
    const fraction = (ms: number) => spacedText(new Date(Date.UTC(2026, 0, 1, 0, 0, 0, ms))).split('.')[1]
    expect([0, 1, 10, 100, 101, 110, 120, 400, 405, 450, 999].map(fraction)).toEqual(
      ['0', '001', '01', '1', '101', '11', '12', '4', '405', '45', '999'], // as a timestamp with a point is written
    )
  })

  test('slashedText has the twelve hours right, all twenty-four of them', () => {
    const hours = Array.from({ length: 24 }, (_, hour) =>
      slashedText(new Date(Date.UTC(2026, 0, 2, hour - 1)))
        .slice(11)
        .replace(':00:00', ''),
    )
    const twelve = ['12', '01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11']
    expect(hours).toEqual([...twelve.map((h) => `${h} AM`), ...twelve.map((h) => `${h} PM`)])
  })
})
