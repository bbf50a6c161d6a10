// What the banks hold against what clients are owed, as it is said every night.
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newSession } from '#test/bank/notices.ts'
import { fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { useHarness } from '#test/kit/harness.ts'
import { readCover, reportCover } from './cover.ts'

const harness = useHarness()
beforeAll(() => noon(harness()))
afterEach(() => vi.restoreAllMocks())

test('as much as clients are owed is enough; a fee that a bank takes is not, until it is made good', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const [warn, info] = [vi.spyOn(ctx.log, 'warn'), vi.spyOn(ctx.log, 'info')]
  const LESS = 'banks hold less than clients are owed'
  const before = await readCover(ctx, '01')
  expect(before.clients).toBeGreaterThan(0n)
  expect(before.banks).toBe(before.clients)
  await reportCover(ctx, '01')
  expect(warn.mock.calls.filter(([message]) => message === LESS)).toEqual([])
  expect(info).toHaveBeenCalledWith("banks hold clients' money", expect.objectContaining({ cell: '01' }))
  await fault(h, { fault: 'invented', sessionId: newSession(), amount: '0.01', kind: 'FEE' })
  await night(h)
  const after = await readCover(ctx, '01')
  expect([after.banks, after.clients]).toEqual([before.banks - 1n, before.clients])
  expect(warn).toHaveBeenCalledWith(LESS, expect.objectContaining({ cell: '01' }))
})
