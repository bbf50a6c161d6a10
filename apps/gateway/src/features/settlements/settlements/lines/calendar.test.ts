import { expect, test } from 'vitest'
import { calculateCutoff, nextRun } from './calendar.ts'

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
