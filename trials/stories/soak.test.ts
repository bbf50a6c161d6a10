// The rules of the soak can fail, and its page asks nobody for anything. The run itself is
// `npm run trial -- soak`.
import { describe, expect, test } from 'vitest'
import { thinned } from '../chaos/soak/chart.ts'
import { pageOf } from '../chaos/soak/page.ts'
import {
  BACK_SECONDS,
  callersAreServed,
  type Heap,
  lagsAreBounded,
  memoryIsBounded,
  memoryIsFlat,
  processesLived,
} from '../chaos/soak/rules.ts'
import type { Sample } from '../chaos/soak/sample.ts'
import { planStrikes, type Struck } from '../chaos/soak/strikes.ts'
import { crowds, type DeliveryRow } from '../chaos/webhooks/checks.ts'
import type { Arrival } from '../chaos/webhooks/zoo.ts'

const SECONDS = 600
const sample = (at: number, more: Partial<Sample> = {}): Sample => ({
  ...{ at, payments: 3, calls: 30, refused: 0, p99: 40 },
  memory: { 'api-1': 150, 'api-2': 160 },
  loop: { 'api-1': 2, 'api-2': null },
  lags: { webhooks: 0.1, work: 0, events: 0 },
  ...more,
})
const SAMPLES = Array.from({ length: SECONDS / 3 }, (_, n) => sample(n * 3))
const lagging = (from: number, until: number): Sample[] =>
  SAMPLES.map((one) =>
    one.at >= from && one.at <= until ? { ...one, lags: { webhooks: 60, work: 0, events: 0 } } : one,
  )
const KILL: Struck = { kind: 'kill worker', at: 100_000, until: 104_000, note: '<b>worker-1</b>', fault: false }
const heap = (megabytes: (at: number) => number): Heap =>
  Array.from({ length: SECONDS / 10 }, (_, n) => ({ at: n * 10, megabytes: megabytes(n * 10) }))

describe('soak.strikes', () => {
  test('the same seed strikes the same way, another one does not', () => {
    expect(planStrikes(7, SECONDS, 0)).toEqual(planStrikes(7, SECONDS, 0))
    expect(planStrikes(7, SECONDS, 0)).not.toEqual(planStrikes(8, SECONDS, 0))
  })
  test('an hour has every kind, with room between them for lags to come back, and the failovers that were asked for', () => {
    const plan = planStrikes(7, 3_600, 2)
    expect(new Set(plan.map(({ kind }) => kind)).size).toBe(10)
    expect(plan.filter(({ kind }) => kind === 'failover').length).toBe(2)
    for (const [n, { at }] of plan.entries())
      expect(at - (plan[n - 1]?.at ?? -100_000)).toBeGreaterThan(BACK_SECONDS * 1000)
    expect(plan.at(-1)?.at).toBeLessThan(3_600_000 - BACK_SECONDS * 1000)
  })
})

describe('soak.memory', () => {
  test('is flat when it swings, also after a steep first half', () => {
    const settles = heap((at) => (at < SECONDS / 2 ? 40 + at / 10 : 70 + (at % 20 === 0 ? 3 : -3)))
    expect(memoryIsFlat('api-2', settles, SECONDS).held).toBe(true)
  })
  test('is not flat with ten megabytes more in the second half', () => {
    expect(
      memoryIsFlat(
        'api-2',
        heap((at) => 60 + at / 30),
        SECONDS,
      ),
    ).toMatchObject({ held: false })
  })
  test('is not flat when nobody looked', () => {
    expect(memoryIsFlat('api-2', [], SECONDS).held).toBe(false)
  })
  test('is bounded up to 512 MB', () => {
    expect(memoryIsBounded(SAMPLES).held).toBe(true)
    expect(memoryIsBounded([...SAMPLES, sample(601, { memory: { 'api-2': 513 } })]).held).toBe(false)
    expect(memoryIsBounded([]).held).toBe(false)
  })
})

describe('soak.lags', () => {
  test('may be high while a strike lasts and for half a minute after it, and not later', () => {
    expect(lagsAreBounded(SAMPLES, [KILL]).held).toBe(true)
    expect(lagsAreBounded(lagging(101, 130), [KILL]).held).toBe(true)
    expect(lagsAreBounded(lagging(101, 140), [KILL]).held).toBe(false)
    expect(lagsAreBounded(lagging(300, 310), [KILL]).held).toBe(false)
  })
  test('must come back before the end, and a database that does not answer is a lag', () => {
    expect(lagsAreBounded(lagging(590, 600), [{ ...KILL, at: 590_000, until: 591_000 }]).held).toBe(false)
    expect(lagsAreBounded([...SAMPLES, sample(700, { lags: null })], [KILL]).held).toBe(false)
    expect(lagsAreBounded([], []).held).toBe(false)
  })
})

describe('soak.crowds', () => {
  const delivery = (event: number, endpoint: number): DeliveryRow => ({
    ...{ event_id: String(event), endpoint_id: String(endpoint), state: 'DELIVERED', attempts: 1 },
    ...{ due_at: new Date(0), blocked: false },
  })
  const arrival = (event: number, at: number, until: number | null, left = false): Arrival => ({
    ...{ merchant: 3, event, id: `evt_01_${event}`, attempt: 1, at, until, status: 200, left },
  })
  const report = (arrivals: readonly Arrival[]) => ({ arrivals, faults: [], connectedAt: {} })
  const open = (from: number, count: number, at: number, until: number | null, left = false) =>
    Array.from({ length: count }, (_, n) => arrival(from + n, at + n, until, left))
  const events = (count: number, endpoint: number, from = 0) =>
    Array.from({ length: count }, (_, n) => delivery(from + n, endpoint))

  test('six at once of one endpoint are one too many, also when nobody knows the endpoint', () => {
    const six = report(open(0, 6, 1_000, 15_000))
    expect(crowds({ report: six, deliveries: events(6, 1) })).toEqual([{ merchant: 3, most: 6 }])
    expect(crowds({ report: six, deliveries: [] })).toEqual([{ merchant: 3, most: 6 }])
    expect(crowds({ report: report(open(0, 5, 1_000, 15_000)), deliveries: events(5, 1) })).toEqual([])
  })
  test('five of an endpoint that was removed and one of that which took its place are allowed', () => {
    const deliveries = [...events(5, 1), ...events(6, 2, 5)]
    const replaced = [...open(0, 5, 1_000, 15_000), ...open(5, 1, 2_000, 16_000)]
    expect(crowds({ report: report(replaced), deliveries })).toEqual([])
    const more = [...replaced, ...open(6, 5, 3_000, 17_000)]
    expect(crowds({ report: report(more), deliveries })).toEqual([{ merchant: 3, most: 6 }])
  })
  test('what was sent before the database was lost counts apart; what came after it is five again', () => {
    const both = [...open(0, 5, 1_000, 15_000), ...open(5, 5, 4_000, 18_000)]
    const deliveries = events(11, 1)
    expect(crowds({ report: report(both), deliveries, lostAt: [2_000] })).toEqual([])
    expect(crowds({ report: report(both), deliveries, lostAt: [] })).toEqual([{ merchant: 3, most: 10 }])
    const six = [...both, arrival(10, 5_000, 18_000)]
    expect(crowds({ report: report(six), deliveries, lostAt: [2_000] })).toEqual([{ merchant: 3, most: 6 }])
  })
  test('what a killed worker had open counts no longer, because the receiver sees it go', () => {
    const killed = [...open(0, 5, 1_000, 3_000, true), ...open(5, 5, 3_000, 17_000)]
    expect(crowds({ report: report(killed), deliveries: events(10, 1) })).toEqual([])
    const kept = killed.map((one) => ({ ...one, until: one.left ? null : one.until }))
    expect(crowds({ report: report(kept), deliveries: events(10, 1) })).toEqual([{ merchant: 3, most: 10 }])
  })
})

describe('soak.processes', () => {
  test('may be gone while they are struck; who is spared may never', () => {
    const gone = (at: number, name: string) => [...SAMPLES, sample(at, { memory: { [name]: null } })]
    expect(processesLived(gone(102, 'api-1'), [KILL], ['api-2']).held).toBe(true)
    expect(processesLived(gone(102, 'api-2'), [KILL], ['api-2']).held).toBe(false)
    expect(processesLived(gone(300, 'api-1'), [KILL], ['api-2']).held).toBe(false)
  })
  test('refuse at most one call in a hundred between strikes, and one in five of all', () => {
    const refusing = (from: number, until: number, refused: number) =>
      SAMPLES.map((one) => (one.at >= from && one.at <= until ? { ...one, refused } : one))
    const all = { calls: 6_000, refused: 0 }
    const served = (samples: readonly Sample[], total = all) => callersAreServed(total, samples, [KILL]).held
    expect(served(SAMPLES)).toBe(true)
    expect(served(refusing(100, 114, 30))).toBe(true)
    expect(served(refusing(100, 120, 30))).toBe(false)
    expect(served(refusing(300, 310, 30))).toBe(false)
    expect(served(SAMPLES, { calls: 6_000, refused: 1_201 })).toBe(false)
    expect(served([])).toBe(false)
  })
})

describe('soak.page', () => {
  const report = {
    facts: [['Seed', '7']] as const,
    seconds: SECONDS,
    verdicts: [lagsAreBounded(SAMPLES, [KILL])],
    struck: [KILL],
    samples: SAMPLES,
    heaps: { 'api-2': heap(() => 60) },
    missing: ['No database machine was lost in this run.'],
  }
  test('has everything in it: no script, and nothing to fetch', () => {
    const page = pageOf(report)
    expect(page).not.toMatch(/<script|<link rel="stylesheet|<img|@import|url\((?!#)/)
    expect([...page.matchAll(/(?:src|href)="(?!data:|#)[^"]*"/g)].map(([hit]) => hit)).toEqual([])
  })
  test('has a strike on the axis of every chart, a table behind each, and escapes what was noted', () => {
    const page = pageOf(report)
    const charts = page.match(/role="img" aria-label="[^"]*table below"/g)?.length
    expect(charts).toBe(6)
    expect(page.match(/class="struck"/g)?.length).toBe(charts)
    expect(page.match(/class="as-table"/g)?.length).toBe(charts)
    expect(page).toContain('&lt;b&gt;worker-1')
    expect(page).toContain('No database machine was lost')
  })
  test('says how many rules were broken', () => {
    expect(pageOf(report)).toContain('All 1 rules held')
    expect(pageOf({ ...report, verdicts: [lagsAreBounded([], [])] })).toContain('1 of 1 rules were broken')
  })
  test('keeps the peak of a stretch, and a gap where nothing is known', () => {
    const at = Array.from({ length: 1_000 }, (_, n) => n)
    const values = at.map((n) => (n === 500 ? 99 : n > 900 ? null : 1))
    const thin = thinned({ at, series: [{ name: 'p99', values }] })
    expect(thin.at.length).toBeLessThanOrEqual(120)
    expect(Math.max(...(thin.series[0]?.values.map((value) => value ?? 0) ?? []))).toBe(99)
    expect(thin.series[0]?.values.at(-1)).toBe(null)
  })
})
