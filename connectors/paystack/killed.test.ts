// The adapter is killed in the middle of forwarding, again and again; the gateway goes on as gateways do.
// Then no charge was sent twice, none that was taken is lost, what the adapter says of each is true, and what
// the gateway gives up is returned. `PAYSTACK_KILLS=100` is the full form.
import { expect, test } from 'vitest'
import { sizeOf } from '../../trials/chaos/kit/sizes.ts'
import { CARDS } from './fake/books.ts'
import { newCharge, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack

const KILLS = sizeOf('PAYSTACK_KILLS', 5)
const AT_ONCE = 6
/** Paystack has charged and is about to answer, has not taken it, has charged and never answers, or has
 *  answered with half of it. */
const POINTS = ['slow', 'deaf', 'mute', 'half'] as const

test(
  `${KILLS} kills while charges are forwarded: none twice, none lost, and the adapter tells the truth`,
  async () => {
    const charged: string[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      const adapter = await paystack.adapter()
      await fake.next('charge', POINTS[kill % POINTS.length] ?? 'slow', { delayMs: 200, times: AT_ONCE })
      const before = (await fake.received()).length
      const charges = Array.from({ length: AT_ONCE }, () => newCharge())
      charged.push(...charges.map(({ chargeReference }) => chargeReference))
      const calls = charges.map((charge) => adapter.gateway.charge(charge))
      // After one more of them has reached Paystack than the time before.
      await expect.poll(async () => (await fake.received()).length).toBeGreaterThan(before + (kill % AT_ONCE))
      await adapter.kill()
      await Promise.all(calls)
      await fake.post('/exam/reset')
    }

    const last = await paystack.adapter()
    const { gateway } = last
    const received = await fake.received()
    expect(new Set(received).size).toBe(received.length)
    const taken = new Set((await fake.orders()).map(({ reference }) => reference))
    const ends: Record<string, number> = {}
    for (const reference of charged) {
      const { state, status } = await gateway.inquire(reference)
      // 404: it never arrived. PENDING: it was marked, and may have been sent.
      const said = status === 404 ? 'ABSENT' : String(state)
      ends[said] = (ends[said] ?? 0) + 1
      const truths = taken.has(reference)
        ? ['APPROVED']
        : received.includes(reference)
          ? ['PENDING']
          : ['PENDING', 'ABSENT']
      expect([reference, truths]).toEqual([reference, expect.arrayContaining([said])])
    }
    expect(Object.values(ends).reduce((sum, count) => sum + count)).toBe(KILLS * AT_ONCE)
    expect(ends['APPROVED']).toBe(taken.size)
    expect(ends['PENDING']).toBeGreaterThan(0)

    // The gateway gives all of them up: what was taken goes back in full, once, and what never arrived never
    // will.
    for (const reference of charged) await gateway.reverse(reference)
    const refunds = await fake.refunds()
    expect(refunds).toHaveLength(taken.size)
    expect(new Set(refunds.map(({ reference }) => reference))).toEqual(taken)
    for (const { note } of refunds) await fake.settleRefund(String(note), 'processed')
    for (const reference of charged) {
      const { state } = await gateway.reverse(reference)
      // REVERSING: what may have been sent is over only after a day without a word of it.
      const truths = taken.has(reference) ? ['REVERSED'] : ['REVERSED', 'REVERSING']
      expect([reference, truths]).toEqual([reference, expect.arrayContaining([state])])
    }
    expect(await fake.refunds()).toHaveLength(taken.size)
    expect(await last.stop()).toBe(0)
  },
  KILLS * 20_000 + 60_000,
)

test('a kill while a PIN is passed on: it is not passed on again, and the charge is known', async () => {
  const first = await paystack.adapter()
  const charge = newCharge(CARDS.pin)
  const asked = (await first.gateway.charge(charge))['input'] as { readonly id: string }
  await fake.next('input', 'mute')
  const lost = first.gateway.input(charge.chargeReference, asked.id, 'PIN', '1111')
  const bodies = async (): Promise<unknown[]> => (await fake.get('/fake/bodies'))['bodies'] as unknown[]
  await expect.poll(async () => (await bodies()).length).toBe(2)
  await first.kill()
  await lost
  const { gateway } = await paystack.adapter()
  await gateway.input(charge.chargeReference, asked.id, 'PIN', '1111')
  expect(await gateway.inquire(charge.chargeReference)).toMatchObject({ state: 'APPROVED' })
  expect(await bodies()).toHaveLength(2)
})

test('a kill while a charge is returned: it is returned once', async () => {
  const first = await paystack.adapter()
  const charge = newCharge()
  const { chargeReference } = charge
  await first.gateway.charge(charge)
  await fake.next('refund', 'mute')
  const lost = first.gateway.reverse(chargeReference)
  await expect.poll(async () => (await fake.refunds()).length).toBe(1)
  await first.kill()
  await lost
  const { gateway } = await paystack.adapter()
  expect(await gateway.reverse(chargeReference)).toMatchObject({ state: 'REVERSING' })
  expect(await fake.refunds()).toMatchObject([{ note: `Cowrie reversal ${chargeReference}`, kobo: '1250050' }])
})
