// Whatever waits has a timer; one that is lost comes back by the sweeper, whatever its kind, and its ordinary
// handler takes it.

import { MACHINES } from '@cowrie/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { listWaitingStates, sweepAll } from '#core/books/sweeper.ts'
import { mergeSweeps } from '#core/feature.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { LogFields } from '#kit/log.ts'
import { FEATURES } from '../../src/feature-list.ts'
import { chargeWith } from '../features/collections/cards.ts'
import { mandate } from '../features/collections/direct-debit.ts'
import { vendedTo } from '../features/payouts/bills.ts'
import { newMerchant } from '../features/payouts/disbursements.ts'
import { created } from '../features/payouts/paycodes.ts'
import { advance, type Harness, initialise, paid, status, useHarness } from '../kit/harness.ts'
import { debitScene } from './plants/direct-debit.plants.ts'
import { payoutScene } from './plants/payouts.plants.ts'
import { waitingApproval } from './plants/people/acts.plants.ts'
import { refundScene } from './plants/refunds.plants.ts'

const harness = useHarness()
const SWEEP = mergeSweeps(FEATURES)
const KINDS = [...new Set(MACHINES.flatMap((machine) => listWaitingStates(machine).map(({ kind }) => kind)))].toSorted()

beforeAll(async () => {
  const h = harness()
  const { main } = h.merchants
  const [payouts, debits, refunds] = [await payoutScene(h), await debitScene(h), await refundScene(h)]
  await advance(h, 1)
  await payouts()
  await debits()
  const unregistered = await mandate(h, main)
  await h.sql('01', 'update mandates set authorization_link = null, authorization_message = null where code = $1', [
    unregistered.mandateCode,
  ])
  const { accountNumber } = await paid(h, main)
  await h.pay(accountNumber, 700) // it is paid already: it goes back
  await chargeWith(h, main, 'otp')
  await initialise(h, main)
  await refunds()
  const shop = await newMerchant(h)
  await vendedTo(h, shop, '0002') // the biller takes two hours
  await created(h, shop)
  await waitingApproval(h)
})

/** The sweeper's own view: some minutes later, with ears. */
function later(h: Harness): { ctx: Ctx; said: LogFields[] } {
  const said: LogFields[] = []
  const now = () => new Date(h.gateway.ctx.clock.now().getTime() + 600_000)
  const log = { ...h.gateway.ctx.log, error: (_: string, fields: LogFields = {}) => void said.push(fields) }
  return { ctx: { ...h.gateway.ctx, log, clock: { ...h.gateway.ctx.clock, now } }, said }
}

const timers = (h: Harness, kind: string): Promise<{ subject: string; due_at: Date }[]> =>
  h.sql('01', 'select subject, max(due_at) as due_at from agenda where kind = $1 group by subject order by subject', [
    kind,
  ])

describe('every state that waits', () => {
  const states = MACHINES.flatMap((machine) =>
    Object.entries(machine.states).map(([state, spec]) => ({ name: `${machine.name} ${state}`, ...spec })),
  )
  const names = new Set(MACHINES.map(({ name }) => name))

  test('for a bank, or for so many minutes at most, has a timer or follows something that has', () => {
    const without = states.filter(
      ({ waits, minutesMax, timers: own = [], follows }) =>
        (waits === 'bank' || minutesMax !== undefined) && own.length === 0 && !names.has(follows ?? ''),
    )
    expect(without.map(({ name }) => name)).toEqual([])
  })
})

describe('the sweeper', () => {
  test('finds nothing where nothing is lost', async () => {
    const { ctx, said } = later(harness())
    expect([await sweepAll(ctx, '01', SWEEP), said]).toEqual([0, []])
  })

  test.each(KINDS)(
    '%s: every timer that is needed comes back, at its time, and the log names what waits',
    async (kind) => {
      const h = harness()
      const before = await timers(h, kind)
      await h.sql('01', 'delete from agenda where kind = $1', [kind])
      const { ctx, said } = later(h)
      const given = await sweepAll(ctx, '01', SWEEP)
      expect(given).toBeGreaterThan(0)
      expect(said).toHaveLength(given)
      for (const line of said) {
        expect(line).toMatchObject({ cell: '01', kind })
        expect(String(line.reference).length).toBeGreaterThan(2)
      }
      // Nothing that had none gets one, and none is due later than it was, but for the minutes of the
      // sweeper.
      const was = new Map(before.map(({ subject, due_at }) => [subject, due_at.getTime()]))
      for (const { subject, due_at } of await timers(h, kind)) {
        expect(was.has(subject), subject).toBe(true)
        expect(due_at.getTime()).toBeLessThanOrEqual(Math.max(was.get(subject) ?? 0, ctx.clock.now().getTime()))
      }
      expect(await sweepAll(ctx, '01', SWEEP)).toBe(0)
    },
  )

  test('a transaction without its timer expires all the same', async () => {
    const h = harness()
    const { transactionReference } = await initialise(h, h.merchants.main)
    await h.sql(
      '01',
      `delete from agenda where kind = 'transactions.expire'
      and subject = (select id from transactions where reference = $1)`,
      [transactionReference],
    )
    await sweepAll(later(h).ctx, '01', SWEEP)
    await advance(h, 41 * 60)
    expect((await status(h, h.merchants.main, transactionReference)).paymentStatus).toBe('EXPIRED')
  })

  test('two sweepers at once give each timer once', async () => {
    const h = harness()
    await h.sql('01', `delete from agenda where kind = 'mandates.end'`)
    await Promise.all(Array.from({ length: 6 }, () => sweepAll(later(h).ctx, '01', SWEEP)))
    await sweepAll(later(h).ctx, '01', SWEEP)
    const twice = await h.sql(
      '01',
      `select subject from agenda where kind = 'mandates.end' group by 1 having count(*) > 1`,
    )
    expect(twice).toEqual([])
  })
})
