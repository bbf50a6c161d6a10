// A dispute at Paystack, from its webhook to the gateway's notice.
import { expect, test } from 'vitest'
import { newCharge, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack

const DUE = '2026-12-01T12:00:00.000Z'
const dispute = (reference: string, more: object = {}) => fake.post('/fake/dispute', { reference, ...more })
const webhook = (reference: string, event: string, more: object = {}) =>
  fake.webhook(reference, { event: `charge.dispute.${event}`, ...more })
const notices = () => paystack.gateway.received.filter(({ path }) => path === '/connector/v2/disputes')

test('a dispute is reported with what Paystack says when it is asked, and so is each change; people and cards are not', async () => {
  const { gateway, log } = await paystack.adapter()
  const charge = newCharge()
  const { chargeReference } = charge
  expect(await gateway.charge(charge)).toMatchObject({ state: 'APPROVED' })
  const { id } = await dispute(chargeReference, { due: DUE })
  expect(await webhook(chargeReference, 'create', { forged: 'signature' })).toEqual([401])
  expect(await webhook(chargeReference, 'create', { times: 3 })).toEqual([200, 200, 200])
  await expect
    .poll(notices)
    .toMatchObject([
      { message: { chargeReference, disputeReference: id, state: 'OPENED', dueAt: DUE, reasonCode: 'chargeback' } },
    ])
  expect(notices()[0]?.message['amount']).toBe(charge.amount)
  // What the webhook says is not what counts: it may be old.
  await dispute(chargeReference, { status: 'resolved', resolution: 'merchant-accepted' })
  expect(await webhook(chargeReference, 'remind')).toEqual([200])
  await expect.poll(() => notices().map(({ message }) => message['state'])).toEqual(['OPENED', 'LOST'])
  expect(await webhook(chargeReference, 'resolve')).toEqual([200])
  for (const text of [log(), JSON.stringify(notices()), await paystack.rows()]) {
    expect(text).not.toContain(charge.payer.email)
    expect(text).not.toContain('408408')
  }
  expect(notices()).toHaveLength(2)
})
