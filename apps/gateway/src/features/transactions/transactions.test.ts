import { describe, expect, test } from 'vitest'
import { drawAccount, initialise, paid, status, useHarness } from '../../../test/harness.ts'

const harness = useHarness()

describe('one payment', () => {
  test('exact money makes the transaction PAID and tells the merchant', async () => {
    const h = harness()
    const { main } = h.merchants
    await h.as(main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
    h.startWorker()
    const transaction = await paid(h, main)
    expect(await status(h, main, transaction.transactionReference)).toMatchObject({
      paymentStatus: 'PAID',
      amountPaid: '1500.00',
      settlementAmount: '1477.50',
    })
    const seen = await h.until('the notification', async () =>
      h.received.find((r) => r.body.eventData.transactionReference === transaction.transactionReference),
    )
    expect(seen.body.eventType).toBe('SUCCESSFUL_TRANSACTION')
  })
  test('less money makes it PARTIALLY_PAID', async () => {
    const h = harness()
    const { second } = h.merchants
    const { transactionReference } = await initialise(h, second)
    await h.pay(await drawAccount(h, second, transactionReference), 900)
    expect(await status(h, second, transactionReference)).toMatchObject({
      paymentStatus: 'PARTIALLY_PAID',
      amountPaid: '900.00',
    })
  })
})
