// What a person is shown before money leaves is what then leaves: the quote of a payout and of a refund, held
// against what the commands take.
import { expect, test } from 'vitest'
import { actorOf, show } from '#test/features/access/acts.ts'
import { newMerchant, sent } from '#test/features/payouts/disbursements.ts'
import { type Harness, paid, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const finance = actorOf('merchant', 'finance')
const walletOf = (h: Harness, merchant: TestMerchant, query: object = {}): Promise<any> =>
  show(h, finance, 'wallets.own', { merchant: merchant.apiKey, ...query })
const waitsFor = async (h: Harness, merchant: TestMerchant, amount: string): Promise<string> =>
  (await walletOf(h, merchant, { amount })).quote.waitsFor

test('the quote of a payout and of a refund is what they take; the number is the one that money is sent from', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { naira: 20_000 })
  const { quote, ...wallet } = await walletOf(h, merchant, { amount: '6000' })
  expect(wallet).toMatchObject({
    walletNumber: merchant.walletNumber,
    availableBalance: '20000.00',
    receivable: '0.00',
  })
  expect(quote).toEqual({
    amount: '6000.00',
    fee: '25.00',
    total: '6025.00',
    availableAfter: '13975.00',
    waitsFor: 'NOBODY',
  })
  expect((await sent(h, merchant, { amount: 6000 })).totalFee).toBe(25)
  expect((await walletOf(h, merchant)).availableBalance).toBe(quote.availableAfter)
  expect((await walletOf(h, merchant, { amount: '13975' })).quote.availableAfter).toBeNull() // the fee is missing

  const { transactionReference } = await paid(h, merchant, { amount: 6_000 })
  const refund = (await walletOf(h, merchant, { amount: '6000', of: 'REFUND' })).quote
  const words = { refundReason: 'wrong colour', customerNote: 'sorry', refundReference: unique('back') }
  const body = { transactionReference, refundAmount: 6000, ...words }
  const answer = await h.as(merchant, 'POST', '/api/v1/refunds/initiate-refund', body)
  expect(answer.json.responseBody?.fee, answer.text).toBe(Number(refund.fee))
  expect((await walletOf(h, merchant)).availableBalance).toBe(refund.availableAfter)
})

test('the quote says whom it would wait for; an amount that is none is refused', async () => {
  const h = harness()
  const merchant = await newMerchant(h, { otp: true })
  await h.as(merchant, 'PUT', '/api/v1/disbursement-settings', { lowBalanceThreshold: null, approvalAbove: 200 })
  expect([await waitsFor(h, merchant, '200'), await waitsFor(h, merchant, '200.01')]).toEqual(['CODE', 'PERSON'])
  await expect(walletOf(h, merchant, { amount: '0' })).rejects.toMatchObject({ code: 'AMOUNT_INVALID' })
  expect((await walletOf(h, merchant)).quote).toBeNull()
})
