// Two days instead of a month: they end as the month must, and then a fault is planted for every check of the
// month.
import { beforeAll, describe, expect, test } from 'vitest'
import { useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { CHECKS, judge } from './month/checks.ts'
import { type Evidence, readEvidence } from './month/evidence.ts'
import { furnish, live } from './month/load.ts'
import { planMonth, SMALL } from './month/plan.ts'
import { PLANTS, plantKobo, plantOverdue } from './month/plant.ts'

const harness = useHarness({ settles: true, silenceMs: 20, bankApart: true })
const SEED = 11
let evidence: Evidence

beforeAll(async () => {
  const h = harness()
  const world = await furnish(h, SMALL, SEED)
  const { firstDay, lastDay } = await live(h, world, planMonth(SEED, SMALL))
  evidence = await readEvidence(h, firstDay, lastDay)
}, 240_000)

test('two days end as the month must, and the bank has misbehaved', () => {
  expect(judge(evidence)).toEqual({})
  expect(evidence.lines.length).toBeGreaterThan(100)
  expect(evidence.views.main.statements.length).toBeGreaterThan(1)
  const kinds = new Set(evidence.lines.map(({ kind }) => kind))
  for (const kind of ['CREDIT', 'PAYOUT', 'DEBIT', 'REVERSAL']) expect(kinds).toContain(kind)
  expect(evidence.breaks.some(({ class: cls, status }) => cls === 'MISSING_HERE' && status === 'RESOLVED')).toBe(true)
})

describe('a planted fault is found by its check', () => {
  test.each(Object.entries(PLANTS))('%s', (_, { finds, as, plant }) => {
    const faults = CHECKS[finds](plant(evidence))
    expect(faults.join('\n')).toMatch(as)
  })

  test('a timer is overdue', async () => {
    expect(await plantOverdue(harness())).toEqual(['a timer is overdue: planted 0'])
  })

  test('an entry is a kobo more: the books say so', async () => {
    expect(await plantKobo(harness().databases['01'])).toContain(
      'entries of a transfer sum to zero, and are two or more, each of something and of another account',
    )
  })
})
