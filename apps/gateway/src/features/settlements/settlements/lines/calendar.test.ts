import { expect, test } from 'vitest'
import { calculateCutoff, isWithinWorkingDays, nextRun } from './calendar.ts'

const NONE: ReadonlySet<string> = new Set()
const at = (text: string): Date => new Date(`${text}+01:00`)

test.each([
  ['2026-05-02T21:59:59.999', '2026-05-02T22:00'],
  ['2026-05-02T22:00:00.000', '2026-05-03T22:00'],
  ['2026-05-02T00:30:00.000', '2026-05-02T22:00'],
  ['2026-05-02T23:30:00.000', '2026-05-03T22:00'],
])('after %s the next run is at %s', (now, next) => expect(nextRun(at(now))).toEqual(at(next)))

test.each([
  ['a Friday pays what came before it', '2026-05-08T22:00', '2026-05-08T00:00', []],
  ['a Saturday pays nothing more', '2026-05-09T22:00', '2026-05-08T00:00', []],
  ['nor does a Sunday', '2026-05-10T22:00', '2026-05-08T00:00', []],
  ['a Monday pays Friday, Saturday and Sunday', '2026-05-11T22:00', '2026-05-11T00:00', []],
  ['a Monday that is a holiday pays nothing', '2026-05-11T22:00', '2026-05-08T00:00', ['2026-05-11']],
  ['the Tuesday after it pays four days', '2026-05-12T22:00', '2026-05-12T00:00', ['2026-05-11']],
  [
    'Easter: Good Friday to Monday pay what Thursday may',
    '2026-04-06T22:00',
    '2026-04-02T00:00',
    ['2026-04-03', '2026-04-06'],
  ],
  ['half past midnight belongs to the new day of West Africa', '2026-05-12T00:30', '2026-05-12T00:00', []],
])('T_PLUS_1: %s', (_, now, cutoff, holidays) =>
  expect(calculateCutoff('T_PLUS_1', at(now), new Set(holidays))).toEqual(at(cutoff)),
)

test.each(['SAME_DAY', 'INSTANT'] as const)('%s pays all there is, on a Sunday too', (schedule) => {
  const now = at('2026-05-10T22:00')
  expect(calculateCutoff(schedule, now, NONE).getTime()).toBe(now.getTime() + 1)
})

test.each([
  ['the first working day after now', '2026-05-13', 1, true],
  ['the day after that', '2026-05-14', 1, false],
  ['the fourth of them, over a weekend', '2026-05-18', 4, true],
  ['a weekend between them counts as before', '2026-05-17', 4, true],
  ['beyond them', '2026-05-19', 4, false],
  ['today', '2026-05-12', 0, true],
  ['tomorrow, of none', '2026-05-13', 0, false],
  ['long ago', '2026-01-01', 1, true],
])('within the working days that follow a Tuesday: %s', (_, day, count, expected) =>
  expect(isWithinWorkingDays(day, at('2026-05-12T15:00'), count, NONE)).toBe(expected),
)

test('a holiday is no working day to wait for', () => {
  const wednesday = new Set(['2026-05-13'])
  const within = (day: string) => isWithinWorkingDays(day, at('2026-05-12T15:00'), 1, wednesday)
  expect([within('2026-05-14'), within('2026-05-15')]).toEqual([true, false])
})
