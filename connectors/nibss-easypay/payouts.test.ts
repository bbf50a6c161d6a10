// The story of a payout, over HTTP from end to end.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { expect, test } from 'vitest'
import { newOrder, useEasyPay } from './test/harness.ts'

const { fake, gateway, query, adapter } = useEasyPay()

test('a payout is paid: one order in the books, under our session, to the kobo', async () => {
  const order = newOrder({ amount: '12500.05' })
  expect(await gateway.order(order)).toMatchObject({ status: 'SUCCESS', responseCode: '00' })
  const { orders } = await fake().books()
  expect(orders.filter(({ reference }) => reference === order.sessionId)).toMatchObject([
    { kobo: '1250005', status: 'SUCCESS', bankCode: '058', accountNumber: order.destinationAccountNumber },
  ])
  expect(await gateway.inquire(order.sessionId)).toBe('SUCCESS')
  expect(await gateway.bar(order.sessionId)).toBe('SUCCESS')
})

test('a payout fails by the word of the destination, and is not tried again', async () => {
  await fake().next('order', 'code', { code: '06' })
  const order = newOrder()
  expect(await gateway.order(order)).toMatchObject({ status: 'FAILED', responseCode: '06' })
  expect(await gateway.order(order)).toMatchObject({ status: 'FAILED', responseCode: '06' })
  expect(await fake().times(order.sessionId)).toBe(0)
})

test('a payout is under way, then paid', async () => {
  await fake().next('order', 'pend')
  const order = newOrder()
  expect(await gateway.order(order)).toMatchObject({ status: 'PENDING', responseCode: '09' })
  expect(await gateway.inquire(order.sessionId)).toBe('PENDING')
  await fake().settle(order.sessionId, 'SUCCESS')
  expect(await gateway.inquire(order.sessionId)).toBe('SUCCESS')
})

test('a payout is under way, then fails', async () => {
  await fake().next('order', 'pend')
  const order = newOrder()
  expect(await gateway.pay(order)).toBe('PENDING')
  await fake().settle(order.sessionId, 'FAILED')
  expect(await gateway.bar(order.sessionId)).toBe('FAILED')
})

test('what cannot be sent is refused before anything is sent', async () => {
  const { received, names } = await fake().counts()
  const elsewhere = newOrder({ sessionId: newOrder().sessionId.replace(/^\d{6}/, '000099') })
  expect(await gateway.order(elsewhere)).toMatchObject({ status: 'FAILED', responseCode: '15' })
  expect(await gateway.order(newOrder({ destinationBankCode: '4711' }))).toMatchObject({ responseCode: '16' })
  expect(await fake().counts()).toMatchObject({ received, names })
})

test('an account that does not exist gets no transfer', async () => {
  const { received } = await fake().counts()
  const order = newOrder({ destinationAccountNumber: '9900000001' })
  expect(await gateway.order(order)).toMatchObject({ status: 'FAILED', responseCode: '07' })
  expect(await fake().counts()).toMatchObject({ received })
})

test('a name enquiry that fails is made once more; then the payout has failed for certain, and nothing was sent', async () => {
  await fake().next('name', 'status', { status: 500 })
  expect(await gateway.pay(newOrder())).toBe('SUCCESS')
  const { received } = await fake().counts()
  await fake().next('name', 'html', { times: 2 })
  expect(await gateway.order(newOrder())).toMatchObject({ status: 'FAILED', responseCode: '21' })
  await fake().next('name', 'code', { code: '91' })
  expect(await gateway.order(newOrder())).toMatchObject({ status: 'FAILED', responseCode: '91' })
  expect(await fake().counts()).toMatchObject({ received })
})

test('a hundred of the same order at once are one order', async () => {
  const order = newOrder()
  const statuses = await Promise.all(Array.from({ length: 100 }, () => gateway.pay(order)))
  expect(new Set(statuses)).toEqual(new Set(['SUCCESS']))
  expect(await fake().times(order.sessionId)).toBe(1)
  expect(await fake().counts()).toMatchObject({ repeated: 0 })
  expect((await gateway.post(BANK_PATHS.payouts, { ...order, amount: '1.00' }))?.status).toBe(409)
})

test('a hundred different orders at once are a hundred orders', async () => {
  const orders = Array.from({ length: 100 }, () => newOrder())
  const statuses = await Promise.all(orders.map((order) => gateway.pay(order)))
  expect(new Set(statuses)).toEqual(new Set(['SUCCESS']))
  const { orders: booked } = await fake().books()
  const mine = booked.filter(({ reference }) => orders.some(({ sessionId }) => sessionId === reference))
  expect(mine).toHaveLength(100)
})

test('whose account it is', async () => {
  expect(await gateway.name('058', '0123456789')).toMatchObject({
    status: 200,
    json: { accountName: 'HOLDER OF 0123456789' },
  })
  expect((await gateway.name('058', '9900000001'))?.status).toBe(404)
  expect((await gateway.name('4711', '0123456789'))?.status).toBe(404)
  for (const behaviour of ['html', 'half'] as const) {
    await fake().next('name', behaviour)
    expect((await gateway.name('058', '0123456789'))?.status).toBe(503)
  }
  await fake().next('name', 'code', { code: '97' })
  expect((await gateway.name('058', '0123456789'))?.status).toBe(503)
})

test('the session that the network gave is kept beside ours', async () => {
  await fake().next('order', 'pend')
  const order = newOrder()
  expect(await gateway.pay(order)).toBe('PENDING')
  const stored = await query(`select session_id, reference, bank_reference from nibss_easypay.orders
    where session_id = '${order.sessionId}'`)
  expect(stored).toMatchObject([
    { reference: order.sessionId, bank_reference: expect.stringMatching(/^999999\d{24}$/) },
  ])
})

test('a payout with the reference of a name enquiry that it answered makes none of its own, once', async () => {
  const order = newOrder()
  const { nameEnquiryReference } = await gateway.nameV2('058', order.destinationAccountNumber)
  expect(nameEnquiryReference).toMatch(/^999999\d{24}$/)
  const { names = 0 } = await fake().counts()
  const referred = { ...order, nameEnquiryReference: String(nameEnquiryReference) }
  expect(await gateway.orderV2(referred)).toMatchObject({
    ...{ status: 'SUCCESS', networkReference: expect.stringMatching(/^999999\d{24}$/) },
  })
  expect(await fake().counts()).toMatchObject({ names })
  // Used, of another account, or of nobody: it enquires itself.
  const { nameEnquiryReference: other } = await gateway.nameV2('058', order.destinationAccountNumber)
  for (const reference of [nameEnquiryReference, other, 'of-nobody'])
    expect(await gateway.orderV2({ ...newOrder(), nameEnquiryReference: String(reference) })).toMatchObject({
      status: 'SUCCESS',
    })
  expect(await fake().counts()).toMatchObject({ names: names + 4 })
})

test('it says who it is, and does not know what it never received', async () => {
  expect(adapter().log()).toContain('"ready"')
  const { json } = (await gateway.post(BANK_PATHS.payoutInquiries, { sessionId: newOrder().sessionId })) ?? { json: {} }
  expect(json).toMatchObject({ status: 'UNKNOWN', responseCode: '25' })
})
