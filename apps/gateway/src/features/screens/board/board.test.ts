// The board over all cells: what is late, what waits, what the bank did; and that a cell which does not
// answer is said to be one.
import { expect, test } from 'vitest'
import type { Cell } from '#kit/ctx.ts'
import { actorOf, show } from '#test/features/access/acts.ts'
import { addEndpoint, tell } from '#test/features/events/events.ts'
import { newMerchant, sentTo } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const support = actorOf('operator', 'support')
const boardOf = async (h: Harness, cell: string) =>
  (await show(h, support, 'board.show', {})).cells.find((one: { cell: string }) => one.cell === cell)?.standing

test('shows what is due and since when, what waits, and payouts by bank; what is paused or not due is not late', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  await addEndpoint(h, merchant, h.receiverUrl('/late'))
  await sentTo(h, merchant, '0000')
  await sentTo(h, merchant, '0002') // the bank takes two hours
  await advance(h, 1)
  const quiet = await boardOf(h, '01')
  expect(quiet.deliveries.due).toBe(0)
  expect(quiet.banks).toMatchObject([{ sent: 2, paid: 1, failed: 0, unanswered: 1, halfMs: expect.any(Number) }])
  expect(quiet.nextCheckAt).toEqual(expect.any(String))
  const id = await tell(h, merchant)
  await advance(h, 0)
  const late = new Date(h.gateway.ctx.clock.now().getTime() - 90_000)
  await h.sql('01', `update deliveries set state = 'PENDING', due_at = $2 where event_id = $1`, [id, late])
  const waiting = await boardOf(h, '01')
  expect(waiting.deliveries).toMatchObject({ due: 1, oldestDueAt: late.toISOString() })
  await h.sql('01', `update endpoints set rest_until = $1 where merchant_id = $2`, [
    new Date(late.getTime() + 3_600_000),
    merchant.id,
  ])
  expect((await boardOf(h, '01')).deliveries.due).toBe(0)
  await h.sql('01', `update endpoints set rest_until = null where merchant_id = $1`, [merchant.id])
  await h.sql('01', `update deliveries set state = 'DELIVERED' where event_id = $1`, [id])
  expect(waiting).toMatchObject({
    receivables: { merchants: 0, amount: '0.00', oldestAt: null },
    acquirers: { amount: '0.00' },
    disputes: { open: 0, dueAt: null },
  })
  expect(waiting.settlements.held).toBeGreaterThan(0) // those that tests hold
  expect((await boardOf(h, '02')).banks).toEqual([])
})

test('a cell that does not answer is shown as one, and the other is shown', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const dead = new Proxy(ctx.cells.get('02') as Cell, {
    get: (cell, name, self) => {
      if (name === 'engine') throw new Error('no connection')
      return Reflect.get(cell, name, self)
    },
  })
  const cells = new Map([...ctx.cells, ['02', dead] as const])
  const without = { ...h, gateway: { ...h.gateway, ctx: { ...ctx, cells } } } as Harness
  const { cells: shown } = await show(without, support, 'board.show', {})
  expect(shown).toMatchObject([
    { cell: '01', standing: { timers: expect.anything() } },
    { cell: '02', standing: null },
  ])
  const versions = await show(without, support, 'versions.show', {})
  expect(versions.cells).toMatchObject([
    { cell: '01', schema: expect.stringMatching(/^\d{4}_\w+\.sql$/), missing: [] },
    { cell: '02', schema: null, missing: [] },
  ])
})
