import { expect, test } from 'vitest'
import { noticeOf } from './disputes.ts'
import type { Dispute } from './upstream.ts'

const dispute = (more: Partial<Dispute> = {}): Dispute => ({
  ...{ id: '2867', status: 'pending', resolution: null, currency: null, refund_amount: '39100', category: null },
  transaction: { reference: 'CWCH01202611000000010000', amount: '50000' },
  createdAt: '2026-11-18T00:01:36.000Z',
  ...more,
})

test.each([
  ['awaiting-merchant-feedback', null, 'OPENED'],
  ['pending', null, 'OPENED'],
  ['awaiting-bank-feedback', null, 'ANSWERED'],
  ['resolved', 'merchant-accepted', 'LOST'],
  ['resolved', 'auto-accepted', 'LOST'],
  ['resolved', 'declined', 'WON'],
  ['resolved', 'something-new', 'CLOSED'],
  ['resolved', null, 'CLOSED'],
  ['archived', null, 'CLOSED'],
])('%s, %s: %s', (status, resolution, state) => {
  expect(noticeOf(dispute({ status, resolution }))).toMatchObject({ state, amount: '391.00', disputeReference: '2867' })
})

test('without an amount of its own it is about the whole charge', () => {
  expect(noticeOf(dispute({ refund_amount: null }))).toMatchObject({ amount: '500.00' })
})

test.each([
  ['a state that is not published', { status: 'constructor' }],
  ['another currency', { currency: 'GHS' }],
  ['no charge', { transaction: null }],
  ['no time', { createdAt: 'yesterday' }],
])('%s: nothing is reported', (_, more) => {
  expect(noticeOf(dispute(more))).toBeNull()
})
