// What refunds, settlements and debits move at the bank, against its statement: nothing is left over on days
// without faults, and what the bank did without a word is followed from the statement, in the cell whose
// money it is.
import { beforeAll, expect, test } from 'vitest'
import { accepted, active, sessionOf } from '#test/features/collections/direct-debit.ts'
import { account, BANK_CODE } from '#test/features/payouts/disbursements.ts'
import { orderOf, refundedTo, statusOf } from '#test/features/payouts/refunds.ts'
import { breaks, brief, fault, night, noon } from '#test/features/settlements/reconciliation.ts'
import { setRule, settlements } from '#test/features/settlements/settlements.ts'
import { advance, paid, status, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness({ settles: true })
beforeAll(() => noon(harness()))

/** A debit of an account with this ending; its session and its transaction. */
async function debited(merchant: TestMerchant, ending: string) {
  const h = harness()
  const mandate = await active(h, merchant, {}, ending)
  const { paymentReference, transactionReference } = await accepted(h, mandate)
  await advance(h, 1)
  return { sessionId: await sessionOf(h, mandate, paymentReference), transactionReference }
}

test('refunds, settlements to a bank and debits in two cells, with every ending of the bank: no break, over several days', async () => {
  const h = harness()
  const { main, second } = h.merchants
  await setRule(h, second, { destination: 'BANK', schedule: 'SAME_DAY', bankCode: BANK_CODE, accountNumber: account() })
  for (const ending of ['7788', '0001', '0002', '0003', '0006']) await refundedTo(h, main, ending)
  for (const merchant of [main, second]) for (const ending of ['7788', '0002', '0003']) await debited(merchant, ending)
  await paid(h, second)
  for (let nights = 0; nights < 4; nights += 1) await night(h)
  expect(await breaks(h)).toEqual([])
  expect(await breaks(h, null, '02')).toEqual([])
  expect((await settlements(h, second)).map((one) => one.destination.type)).toContain('BANK')
  for (const cell of ['01', '02'] as const) {
    const kinds = await h.sql(cell, 'select distinct kind from statement_lines order by 1')
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['DEBIT', 'PAYOUT', 'REVERSAL']))
  }
  await noon(h)
})

test('REVERSAL: a refund that came back without a notice is taken for what it is', async () => {
  const h = harness()
  const { main } = h.merchants
  const { refundReference } = await refundedTo(h, main, '0003')
  await advance(h, 1)
  const { session_id: sessionId } = await orderOf(h, main, refundReference)
  expect(await statusOf(h, main, refundReference)).toBe('COMPLETED')
  await fault(h, { fault: 'mute', sessionId })
  for (let nights = 0; nights < 3; nights += 1) await night(h)
  expect(brief(await breaks(h, sessionId))).toEqual(['REVERSAL PAYOUT_REVERSAL RESOLVED'])
  expect(await statusOf(h, main, refundReference)).toBe('FAILED')
  await noon(h)
})

test('REVERSAL: a debit that was reversed without a notice is reversed, in its own cell', async () => {
  const h = harness()
  const { second } = h.merchants
  const { sessionId, transactionReference } = await debited(second, '0003')
  await fault(h, { fault: 'mute', sessionId })
  for (let nights = 0; nights < 3; nights += 1) await night(h)
  expect(await breaks(h, sessionId)).toEqual([])
  expect(await breaks(h, sessionId, '02')).toMatchObject([
    { class: 'REVERSAL', kind: 'REVERSAL', status: 'RESOLVED', done: 'Reversed, as the bank statement says.' },
  ])
  expect((await status(h, second, transactionReference)).paymentStatus).toBe('PAID')
  expect(await h.sql('02', 'select 1 from credit_reversals where bank_reference = $1', [sessionId])).toHaveLength(1)
  await noon(h)
})
