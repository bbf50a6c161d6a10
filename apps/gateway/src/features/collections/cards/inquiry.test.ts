// How often an issuer is asked that says nothing.
import { DAY_MS, MINUTE_MS } from '@cowrie/contract/kit/durations'
import { expect, test } from 'vitest'
import { pauseAfter } from './inquiry.ts'

test.each([
  ['at once', 0, 2_000],
  ['after ten seconds', 10_000, 5_000],
  ['after ten minutes', 10 * MINUTE_MS, 5 * MINUTE_MS],
  ['just before a day', DAY_MS - 1, 5 * MINUTE_MS],
  ['after a day', DAY_MS, 60 * MINUTE_MS],
  ['after a year', 365 * DAY_MS, 60 * MINUTE_MS],
])(
  '%s: the next question comes after half the age, at least two seconds, at most five minutes; after a day after an hour',
  (_when, age, pause) => {
    expect(pauseAfter(age)).toBe(pause)
  },
)
