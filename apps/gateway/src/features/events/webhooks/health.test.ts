// The rules of health: when a delivery is tried again, when an endpoint is paused, how it comes back, when it
// is given up.

import { RETRY_DELAYS_SECONDS } from '@cowrie/contract/events/delivery'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countPlaces, type Health, judge, nextAttemptAt, reasonToDisable, retryAfterMs } from './health.ts'

const START = new Date('2026-05-02T13:00:00Z')
const after = (seconds: number): Date => new Date(START.getTime() + seconds * 1000)
const NEW: Health = {
  answered: false,
  failingSince: null,
  windowFrom: null,
  windowTries: 0,
  windowFailures: 0,
  restUntil: null,
  restCount: 0,
}
const said = (seconds: number, status: number | null, retryAfter: string | null = null) => ({
  at: after(seconds),
  status,
  retryAfter,
})
/** One verdict a second, from a second on. */
const row = (health: Health, from: number, statuses: readonly (number | null)[]): Health =>
  statuses.reduce<Health>((h, status, i) => judge(h, said(from + i, status)), health)
const known = row(NEW, 0, [200])
const many = (status: number | null, count: number) => Array.from({ length: count }, () => status)

describe('the next attempt', () => {
  test('waits as the contract says, or up to a fifth less; there is none after the tenth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.double({ min: 0, max: 1, noNaN: true }), (failed, spread) => {
        const next = nextAttemptAt(failed, said(0, 500), spread)
        if (failed >= 10) return next === null
        const wait = (next!.getTime() - START.getTime()) / 1000
        const seconds = RETRY_DELAYS_SECONDS[failed]!
        return wait >= seconds * 0.8 - 0.001 && wait <= seconds + 0.001
      }),
    )
    expect(RETRY_DELAYS_SECONDS).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(RETRY_DELAYS_SECONDS.reduce((sum, one) => sum + one)).toBeLessThan(76 * 3600)
    expect(nextAttemptAt(1, said(0, 500), 0)).not.toEqual(nextAttemptAt(1, said(0, 500), 1))
  })

  test('waits longer if it is asked to, a day at most, and never less', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat({ max: 200_000 }), (failed, asked) => {
        const plain = nextAttemptAt(failed, said(0, 503), 0.5)!.getTime()
        const next = nextAttemptAt(failed, said(0, 503, String(asked)), 0.5)!.getTime()
        expect(next).toBe(Math.max(plain, START.getTime() + Math.min(asked, 86_400) * 1000))
      }),
    )
  })

  test.each([
    ['0', 0],
    ['3600', 3_600_000],
    [' 120 ', 120_000],
    ['-1', 0],
    ['1.5', 0],
    ['soon', 0],
    ['', 0],
    [null, 0],
    ['1e9', 0],
    ['Sat, 02 May 2026 13:00:30 GMT', 30_000],
    ['Sat, 02 May 2026 12:00:00 GMT', 0],
    ['2026-05-02T13:00:30Z', 0],
    ['Sat, 99 May 2026 13:00:30 GMT', 0],
  ])('Retry-After %s asks for %d ms', (header, ms) => {
    expect(retryAfterMs(header, START)).toBe(ms)
  })
})

describe('places', () => {
  test('one for an unknown endpoint, five for one that answers, one while it fails, none while it is paused', () => {
    expect(countPlaces(NEW, START)).toBe(1)
    expect(countPlaces(known, after(1))).toBe(5)
    const failing = row(known, 1, [500])
    expect(countPlaces(failing, after(2))).toBe(1)
    expect(countPlaces(row(failing, 2, [200]), after(3))).toBe(5)
    const resting = row(known, 1, many(500, 10))
    expect(countPlaces(resting, after(39))).toBe(0)
    expect(countPlaces(resting, after(40))).toBe(1)
  })
})

describe('a rest', () => {
  test('begins with the tenth failure in a row, for 30 s, and not before', () => {
    expect(row(known, 1, many(500, 9)).restUntil).toBeNull()
    expect(row(known, 1, many(500, 10))).toMatchObject({ restUntil: after(40), restCount: 1 })
    expect(row(known, 1, many(null, 10)).restUntil).toEqual(after(40))
  })

  test('begins when seven of ten fail, not when six do', () => {
    expect(row(known, 1, [500, 200, 500, 200, 500, 200, 500, 500, 500, 500]).restCount).toBe(1)
    expect(row(known, 1, [500, 200, 500, 200, 500, 200, 500, 200, 500, 500]).restCount).toBe(0)
  })

  test('does not begin with failures that lie more than five minutes apart', () => {
    let health = known
    for (let i = 1; i <= 30; i += 1) health = judge(health, said(i * 40, 500))
    expect(health.restCount).toBe(0) // eight in each five minutes
    expect(health.failingSince).toEqual(after(40))
  })

  test('doubles with every failed look up to 16 minutes, and ends with the first 200', () => {
    let health = row(known, 1, many(500, 10))
    const pauses: number[] = []
    for (let look = 0; look < 8; look += 1) {
      const at = health.restUntil!
      expect(countPlaces(health, at)).toBe(1)
      health = judge(health, { at, status: 500, retryAfter: null })
      pauses.push((health.restUntil!.getTime() - at.getTime()) / 1000)
    }
    expect(pauses).toEqual([60, 120, 240, 480, 960, 960, 960, 960])
    const well = judge(health, { at: health.restUntil!, status: 200, retryAfter: null })
    expect(well).toEqual({ ...NEW, answered: true })
    expect(countPlaces(well, health.restUntil!)).toBe(5)
  })

  test('is not prolonged by what was sent before it began', () => {
    const resting = row(known, 1, many(500, 10))
    expect(row(resting, 11, many(500, 5))).toEqual(resting)
  })

  test('follows 429 and 503 that ask for it, an hour at most; other answers cannot ask', () => {
    expect(judge(known, said(1, 429, '120')).restUntil).toEqual(after(121))
    expect(judge(known, said(1, 503, '86400')).restUntil).toEqual(after(3601))
    for (const retryAfter of ['0', '-1', 'garbage', null])
      expect(judge(known, said(1, 429, retryAfter)).restUntil).toBeNull()
    expect(judge(known, said(1, 500, '120')).restUntil).toBeNull()
  })

  test('200 of one that is well tells nothing new: nothing is to be written', () => {
    expect(judge(known, said(5, 200))).toBe(known)
    expect(judge(NEW, said(5, 200))).not.toBe(NEW)
  })

  test('whatever the answers: there is a failing since exactly if the last was a failure, and looks are alone', () => {
    const verdicts = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 2_000 }), fc.constantFrom(200, 200, 500, null, 429, 410)),
    )
    fc.assert(
      fc.property(verdicts, (list) => {
        let [health, now] = [NEW, START.getTime()]
        for (const [pause, status] of list) {
          now = Math.max(now + pause * 100, health.restUntil?.getTime() ?? 0) // nothing is sent while it is paused
          const places = countPlaces(health, new Date(now))
          expect(health.restCount > 0 ? [1] : [1, 5]).toContain(places)
          health = judge(health, { at: new Date(now), status, retryAfter: '7' })
          expect(health.failingSince === null).toBe(status === 200)
          expect(status === 200 ? health.restUntil : null).toBeNull()
          expect(health.windowFailures).toBeLessThanOrEqual(health.windowTries)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('giving up', () => {
  test('410 at once; failures after five days of nothing else, not a second before', () => {
    const failing = row(known, 0, [500])
    expect(reasonToDisable(known, said(1, 410))).toBe('GONE')
    expect(reasonToDisable(failing, said(5 * 86_400 - 1, 500))).toBeNull()
    expect(reasonToDisable(failing, said(5 * 86_400, 500))).toBe('FAILING')
    expect(reasonToDisable(known, said(9 * 86_400, 500))).toBeNull()
  })
})
