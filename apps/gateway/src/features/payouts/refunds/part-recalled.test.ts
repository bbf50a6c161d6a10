// A payment in two parts, of which a bank recalls one: the other can still go back, to who paid it, and no
// more than it.
import { expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '#test/bank/notices.ts'
import { newMerchant } from '#test/features/payouts/disbursements.ts'
import { ask, refunded } from '#test/features/payouts/refunds.ts'
import { type Harness, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const [FIRST, SECOND] = ['0123456789', '0223456789']

/** 400 and 600 from two accounts; the first is recalled, as often as asked. */
async function inParts(h: Harness) {
  const merchant = await newMerchant(h, { naira: 10_000 })
  const policy = { less: 'TOP_UP', more: 'COMPLETE', extra: 'RETURN', tolerance: 0, barredPayers: [] }
  await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)
  const { accountNumber, transactionReference } = await waiting(h, merchant, { amount: 1_000 })
  const parts = [
    notice(accountNumber, '400.00', { senderAccountNumber: FIRST }),
    notice(accountNumber, '600.00', { senderAccountNumber: SECOND }),
  ] as const
  for (const part of parts) expect(outcomeOf(await tell(h, part))).toBe('COUNTED')
  expect(outcomeOf(await reverseCredit(h, parts[0]))).toBe('REVERSED')
  return { merchant, transactionReference, parts }
}
const codeOf = async (answer: Promise<{ json: any }>): Promise<string> => (await answer).json.problem.code

test('the other part is refunded to the account that paid it; a kobo more is refused', async () => {
  const h = harness()
  const { merchant, transactionReference } = await inParts(h)
  expect(await codeOf(ask(h, merchant, transactionReference, { refundAmount: 600.01 }))).toBe('REFUND_TOO_LARGE')
  const { refundReference } = await refunded(h, merchant, transactionReference, { refundAmount: 600 })
  const [row] = await h.sql('01', 'select account_number, elsewhere from refunds where refund_reference = $1', [
    refundReference,
  ])
  expect([row.account_number, row.elsewhere]).toEqual([SECOND, false])
  expect(await codeOf(ask(h, merchant, transactionReference, { refundAmount: 100 }))).toBe('REFUND_ALL_DONE')
})

test('the account whose money was recalled is a stranger: the gates of a payout hold for it', async () => {
  const h = harness()
  const { merchant, transactionReference } = await inParts(h)
  const to = { destinationAccountNumber: FIRST, destinationAccountBankCode: '058', refundAmount: 300 }
  const { refundReference } = await refunded(h, merchant, transactionReference, to)
  const [row] = await h.sql('01', 'select elsewhere from refunds where refund_reference = $1', [refundReference])
  expect(row.elsewhere).toBe(true)
})

test('when both were recalled nothing is left to refund', async () => {
  const h = harness()
  const { merchant, transactionReference, parts } = await inParts(h)
  expect(outcomeOf(await reverseCredit(h, parts[1]))).toBe('REVERSED')
  expect(await codeOf(ask(h, merchant, transactionReference, { refundAmount: 100 }))).toBe('REFUND_NOT_PERMITTED')
})

test('refunds of the other part at the same moment are never more than it', async () => {
  const h = harness()
  const { merchant, transactionReference } = await inParts(h)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask(h, merchant, transactionReference, { refundAmount: 250 })),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
})
