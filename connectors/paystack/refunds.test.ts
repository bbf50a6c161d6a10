// Refunds of a charge, whole and in parts, and reversals, through a running adapter.
import { expect, test } from 'vitest'
import { CARDS } from './fake/books.ts'
import { newCharge, newReference, newSession, usePaystack } from './test/processes.ts'

const paystack = usePaystack()
const { fake } = paystack
const noteOf = (sessionId: string): string => `Cowrie refund ${sessionId}`

async function approved() {
  const adapter = await paystack.adapter()
  const charge = newCharge()
  expect(await adapter.gateway.charge(charge)).toMatchObject({ state: 'APPROVED' })
  return { ...adapter, reference: charge.chargeReference }
}

test.each([
  ['processed', 'SUCCESS', '00'],
  ['failed', 'FAILED', '05'],
  ['processing', 'PENDING', '09'],
  ['needs-attention', 'PENDING', '09'],
  ['undocumented', 'PENDING', '09'],
])('a refund is PENDING; once it is %s: %s', async (said, status, responseCode) => {
  const { gateway, reference } = await approved()
  const session = newSession()
  expect(await gateway.refund(reference, '500.25', session)).toMatchObject({ status: 'PENDING', responseCode: '09' })
  expect(await fake.refunds()).toEqual([{ reference, kobo: '50025', note: noteOf(session), status: 'pending' }])
  await fake.settleRefund(noteOf(session), said)
  expect(await gateway.refundState(session)).toMatchObject({ sessionId: session, status, responseCode })
  // The charge itself was approved, whatever is refunded of it.
  expect(await gateway.inquire(reference)).toMatchObject({ state: 'APPROVED' })
})

test('the same refund twenty times at once is one; another under its session is refused', async () => {
  const { gateway, reference } = await approved()
  const session = newSession()
  await Promise.all(Array.from({ length: 20 }, () => gateway.refund(reference, '500.25', session)))
  expect(await fake.refunds()).toHaveLength(1)
  expect(await gateway.refund(reference, '500.26', session)).toMatchObject({ status: 409 })
})

test('more than was charged: FAILED; a refund that was barred is never made', async () => {
  const { gateway, reference } = await approved()
  const [first, second, barred] = [newSession(), newSession(), newSession()]
  await gateway.refund(reference, '12000.00', first)
  expect(await gateway.refund(reference, '1000.00', second)).toMatchObject({ status: 'FAILED', responseCode: '13' })
  expect(await gateway.refundState(barred)).toMatchObject({ status: 'UNKNOWN' })
  expect(await gateway.barRefund(barred)).toMatchObject({ status: 'FAILED' })
  expect(await gateway.refund(reference, '10.00', barred)).toMatchObject({ status: 'FAILED' })
  expect(await fake.refunds()).toHaveLength(1)
})

test.each([
  ['half', {}],
  ['html', { taken: true }],
  ['status', { status: 500, taken: true }],
  ['status', { status: 429 }],
] as const)('a refund whose answer is lost (%s %o) is found by its note, and made once', async (behaviour, how) => {
  const { gateway, reference } = await approved()
  const session = newSession()
  await fake.next('refund', behaviour, how)
  expect(await gateway.refund(reference, '500.25', session)).toMatchObject({ status: 'PENDING' })
  await gateway.refund(reference, '500.25', session)
  const made = await fake.refunds()
  expect(made.length).toBeLessThanOrEqual(1)
  if (made.length === 1) await fake.settleRefund(noteOf(session), 'processed')
  const status = made.length === 1 ? 'SUCCESS' : 'PENDING'
  expect(await gateway.refundState(session)).toMatchObject({ status })
  expect(await gateway.barRefund(session)).toMatchObject({ status })
  expect(await fake.refunds()).toHaveLength(made.length)
})

test('a webhook of a refund makes the adapter ask, and the gateway is notified once', async () => {
  const { gateway, reference } = await approved()
  const session = newSession()
  await gateway.refund(reference, '500.25', session)
  await fake.settleRefund(noteOf(session), 'processed')
  const event = { event: 'refund.processed', note: noteOf(session), times: 2 }
  expect(await fake.webhook(reference, event)).toEqual([200, 200])
  await expect
    .poll(() => paystack.gateway.received)
    .toMatchObject([
      {
        path: '/connector/v1/card-refunds',
        message: { sessionId: session, status: 'SUCCESS', responseCode: '00', message: 'Approved' },
      },
    ])
})

test('a reversal of an approved charge: REVERSING until all of it is back', async () => {
  const { gateway, reference } = await approved()
  expect(await gateway.reverse(reference)).toMatchObject({ state: 'REVERSING', code: '' })
  expect(await gateway.reverse(reference)).toMatchObject({ state: 'REVERSING' })
  const note = `Cowrie reversal ${reference}`
  expect(await fake.refunds()).toEqual([{ reference, kobo: '1250050', note, status: 'pending' }])
  await fake.settleRefund(note, 'processing')
  expect(await gateway.inquire(reference)).toMatchObject({ state: 'REVERSING' })
  await fake.settleRefund(note, 'processed')
  expect(await fake.webhook(reference, { event: 'refund.processed', note })).toEqual([200])
  await expect.poll(() => paystack.gateway.accepted()).toEqual([{ chargeReference: reference }])
  expect(await gateway.inquire(reference)).toMatchObject({ state: 'REVERSED' })
  expect(await gateway.reverse(reference)).toMatchObject({ state: 'REVERSED' })
  expect(await fake.refunds()).toHaveLength(1)
})

test('a reversal that Paystack cannot make stays REVERSING, and the log asks for a person', async () => {
  const { gateway, reference, log } = await approved()
  await gateway.reverse(reference)
  await fake.settleRefund(`Cowrie reversal ${reference}`, 'failed')
  expect(await gateway.reverse(reference)).toMatchObject({ state: 'REVERSING' })
  expect(await fake.refunds()).toHaveLength(1)
  expect(log()).toContain('a person must do it')
})

test('a reversal of what never arrived bars it; of what waits for the payer ends it; of a declined one changes nothing', async () => {
  const { gateway } = await paystack.adapter()
  const late = newCharge()
  expect(await gateway.reverse(late.chargeReference)).toMatchObject({ state: 'REVERSED' })
  expect(await gateway.charge(late)).toMatchObject({ state: 'REVERSED' })
  expect(await fake.times(late.chargeReference)).toBe(0)

  const waiting = newCharge(CARDS.pin)
  const asked = (await gateway.charge(waiting))['input'] as { readonly id: string }
  expect(await gateway.reverse(waiting.chargeReference)).toMatchObject({ state: 'REVERSED' })
  const input = await gateway.input(waiting.chargeReference, asked.id, 'PIN', '1111')
  expect(input).toMatchObject({ state: 'REVERSED' })
  expect((await fake.get('/fake/bodies'))['bodies']).toHaveLength(1)

  const declined = newCharge(CARDS.declined)
  await gateway.charge(declined)
  expect(await gateway.reverse(declined.chargeReference)).toMatchObject({ state: 'REVERSED' })
  expect(await fake.refunds()).toEqual([])
  expect(await gateway.reverse(newReference())).toMatchObject({ state: 'REVERSED' })
})

test('a reversal of one under way is decided when it is known: what was taken goes back', async () => {
  const { gateway } = await paystack.adapter()
  const [page, pending] = [newCharge(CARDS.page), newCharge()]
  await gateway.charge(page)
  await fake.next('charge', 'pend')
  await gateway.charge(pending)
  for (const { chargeReference } of [page, pending])
    expect(await gateway.reverse(chargeReference)).toMatchObject({ state: 'REVERSING' })
  expect(await fake.refunds()).toEqual([])
  await fake.settle(page.chargeReference, 'SUCCESS')
  await fake.settle(pending.chargeReference, 'FAILED')
  // By a webhook, without the gateway.
  await fake.webhook(page.chargeReference)
  await expect.poll(async () => (await fake.refunds()).length).toBe(1)
  expect(await gateway.inquire(page.chargeReference)).toMatchObject({ state: 'REVERSING' })
  expect(await gateway.inquire(pending.chargeReference)).toMatchObject({ state: 'REVERSED' })
  expect(await fake.refunds()).toMatchObject([{ reference: page.chargeReference, kobo: '1250050' }])
})
