// Fees as they are shown: whoever adds them up has what left the wallet.
import { expect, test } from 'vitest'
import { events } from '#test/bank/notices.ts'
import { BULK, balances, summary as batchSummary, rowTo, taken } from '#test/features/payouts/batches.ts'
import { newMerchant, SINGLE, sent, sentTo, summary } from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const DAY = 24 * 3600

/** What every place says of the fee of one transfer. */
async function feesSaid(h: Harness, merchant: TestMerchant, reference: string): Promise<unknown[]> {
  const { fee, feeReturned, status } = await summary(h, merchant, reference)
  const list = (await h.as(merchant, 'GET', `${SINGLE}/transactions`)).json.responseBody.content
  const search = `/api/v2/disbursements/search-transactions?sourceAccountNumber=${merchant.walletNumber}`
  const found = (await h.as(merchant, 'GET', search)).json.responseBody.content
  for (const content of [list, found])
    expect(content.find((one: any) => one.reference === reference)).toMatchObject({ fee })
  return [status, fee, feeReturned]
}
const eventOf = async (h: Harness, merchant: TestMerchant, reference: string, type: string): Promise<any> =>
  (await events(h, merchant, reference)).find(({ eventType }) => eventType === type)?.body.eventData

test('a transfer that failed or was never authorised cost nothing: in the answer, in every list, in its event', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const failed = await sentTo(h, merchant, '0001')
  expect([failed.status, failed.totalFee, failed.feeReturned]).toEqual(['FAILED', 0, undefined])
  expect(await feesSaid(h, merchant, failed.reference)).toEqual(['FAILED', 0, undefined])
  expect(await eventOf(h, merchant, failed.reference, 'FAILED_DISBURSEMENT')).toMatchObject({ fee: 0 })
  const careful = await newMerchant(h, { otp: true })
  const waits = await sent(h, careful)
  expect([waits.status, waits.totalFee]).toEqual(['PENDING_AUTHORIZATION', 10])
  await advance(h, 2 * DAY)
  expect(await feesSaid(h, careful, waits.reference)).toEqual(['EXPIRED', 0, undefined])
})

test('one that the bank reversed cost nothing in the end, and says which fee came back', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { reference, status, totalFee } = await sentTo(h, merchant, '0003')
  expect([status, totalFee]).toEqual(['SUCCESS', 10])
  expect(await eventOf(h, merchant, reference, 'SUCCESSFUL_DISBURSEMENT')).toMatchObject({ fee: 10 })
  await advance(h, 3 * DAY)
  expect(await feesSaid(h, merchant, reference)).toEqual(['REVERSED', 0, 10])
  expect(await eventOf(h, merchant, reference, 'REVERSED_DISBURSEMENT')).toMatchObject({ fee: 0, feeReturned: 10 })
})

test('successfulAmount and totalFee of a finished batch are what left the wallet; before that, totalFee is of the rows that wait', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const before = await balances(h, merchant)
  const rows = [rowTo('7777', { amount: 2697 }), rowTo('0001', { amount: 1000 }), rowTo('404', { amount: 1000 })]
  const made = await taken(h, merchant, rows)
  expect(made.totalFee).toBe(20) // two rows wait, the third was FAILED from the start
  await advance(h, 60)
  const shown = await batchSummary(h, merchant, made.batchReference)
  expect(shown).toMatchObject({ batchStatus: 'COMPLETED', successfulAmount: 2697, totalFee: 10 })
  const after = await balances(h, merchant)
  expect(before.wallet - after.wallet).toBe(BigInt(Math.round((shown.successfulAmount + shown.totalFee) * 100)))
  const { content } = (await h.as(merchant, 'GET', `${BULK}/transactions`)).json.responseBody
  const listed = content.find((one: any) => one.batchReference === made.batchReference)
  expect(listed).toMatchObject({ totalFee: 10 })
})
