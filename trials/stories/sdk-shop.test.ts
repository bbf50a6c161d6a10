// The SDK against a real gateway and a real bank: the example shop sells, is paid, refunds, pays out and
// charges a stored card; then the network loses answers, the token ends early, the secret key is rotated.
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, type TestMerchant, unique, useHarness } from '../../apps/gateway/test/kit/harness.ts'
import { SANDBOX_CARDS } from '../../packages/contract/src/collections/cards.ts'
import { openShop } from '../../packages/sdk/examples/shop.ts'
import { createCowrie, InvalidRequest, kobo, OutcomeUnknown, webhooks } from '../../packages/sdk/src/index.ts'

const LINES_MAX = 90
const SHOP = new URL('../../packages/sdk/examples/shop.ts', import.meta.url)
const harness = useHarness()
const main = (): TestMerchant => harness().merchants.main
const keys = () => {
  const { apiKey, secretKey } = main()
  return { baseUrl: harness().apiUrl, apiKey, secretKey }
}

/** The real network, which loses the next answers to requests that a test names: they arrive, and are
 *  done. */
const losing = { next: 0, method: 'POST', path: '' }
const network = async (url: string, init: RequestInit): Promise<Response> => {
  const answer = await fetch(url, init)
  if (losing.next === 0 || init.method !== losing.method || !url.includes(losing.path)) return answer
  losing.next -= 1
  await answer.text()
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
}
const NGOZI = { customerName: 'Ngozi Bello', customerEmail: 'ngozi@example.com' }
const PAYOUTS = '/disbursements/single'
const balance = async (): Promise<bigint> =>
  kobo((await shop.cowrie.wallet.balance({ accountNumber: main().walletNumber })).availableBalance)
/** What one payout takes from the wallet. */
async function taken(reference: string): Promise<bigint> {
  const { amount, fee } = await shop.cowrie.transfers.get({ reference })
  return kobo(amount) + kobo(fee)
}

let shop: ReturnType<typeof openShop>
let address: string
beforeAll(async () => {
  const { contractCode, walletNumber } = main()
  shop = openShop({ ...keys(), contractCode, wallet: walletNumber, fetch: network })
  await new Promise<void>((done) => shop.server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(shop.server.address() as AddressInfo).port}/`
  await shop.cowrie.webhookUrls.put({ all: address })
  harness().startWorker()
})
afterAll(() => {
  shop.server.closeAllConnections()
  shop.server.close()
})

const referenceOf = async (order: string): Promise<string> =>
  (await shop.cowrie.transactions.query({ paymentReference: order })).transactionReference
async function paidByTransfer(amount: string): Promise<string> {
  const order = unique('order')
  expect(await shop.checkout(order, amount, NGOZI)).toContain(harness().apiUrl)
  const { accountNumber } = await shop.cowrie.transactions.initPayment({
    transactionReference: await referenceOf(order),
  })
  await harness().pay(accountNumber, amount)
  await harness().until('the webhook', async () => shop.orders.has(order))
  return order
}

describe('the shop', () => {
  test(`is at most ${LINES_MAX} lines`, () => {
    expect(readFileSync(SHOP, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(LINES_MAX)
  })

  test('checkout, webhook, refund: paid to the kobo, half of it comes back', async () => {
    const order = await paidByTransfer('1500.50')
    const sold = shop.orders.get(order)!
    expect(sold).toMatchObject({
      transaction: await referenceOf(order),
      email: NGOZI.customerEmail,
      paid: 150_050n,
      sold: true,
    })
    const refund = await shop.refundHalf(`refund-${order}`, sold)
    expect(refund).toMatchObject({ refundAmount: '750.25', fee: '10.00' })
    const found = async () => (await shop.cowrie.refunds.get({ refundReference: refund.refundReference })).refundStatus
    await harness().until('the refund', async () => (await found()) === 'COMPLETED')
  })

  test('a notification that somebody else made is answered 401, and counts for nothing', async () => {
    const body = JSON.stringify({ eventType: 'SUCCESSFUL_TRANSACTION', eventData: { paymentReference: 'forged' } })
    const headers = { 'webhook-id': 'e', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
    const signature = `v1,${Buffer.alloc(32).toString('base64')}`
    const answer = await fetch(address, {
      method: 'POST',
      body,
      headers: { ...headers, 'webhook-signature': signature },
    })
    expect(answer.status).toBe(401)
    expect(shop.orders.has('forged')).toBe(false)
  })

  test('payout: the answer is lost four times, and it leaves the wallet once', async () => {
    const reference = unique('payout')
    const before = await balance()
    Object.assign(losing, { next: 4, method: 'POST', path: PAYOUTS })
    expect(await shop.payOut(reference, '250.00', '058', '0123456789')).toMatchObject({ reference, amount: '250.00' })
    expect(losing.next).toBe(0)
    expect(before - (await balance())).toBe(await taken(reference))
  })

  test('a stored card: its token is in the status record, and is charged again', async () => {
    const order = unique('order')
    await shop.checkout(order, '2000.00', NGOZI)
    const transactionReference = await referenceOf(order)
    const { pin: _pin, ...card } = SANDBOX_CARDS.plain
    const charge = { transactionReference, collectionChannel: 'API_NOTIFICATION', card } as const
    expect((await shop.cowrie.cards.charge(charge)).status).toBe('SUCCESS')
    await harness().until('the webhook', async () => shop.orders.has(order))
    const again = await shop.chargeAgain(shop.orders.get(order)!, unique('month'), '2000.00')
    expect(again).toMatchObject({ paymentStatus: 'PAID', amountPaid: '2000.00' })
  })
})

describe('trouble', () => {
  const payout = async (reference: string) => {
    const to = { bankCode: '058', accountNumber: '0123456789' }
    const { accountName } = await shop.cowrie.transfers.validateAccount(to)
    return {
      ...{ amount: '30.00', reference, narration: 'Wages', sourceAccountNumber: main().walletNumber },
      ...{ destinationBankCode: to.bankCode, destinationAccountNumber: to.accountNumber },
      destinationAccountName: accountName,
    }
  }
  const failure = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'it succeeded',
      (error: unknown) => error,
    )

  test('OutcomeUnknown of a payout that was done: ask() finds it, repeat() gives the first answer, and it leaves the wallet once', async () => {
    const reference = unique('payout')
    const before = await balance()
    Object.assign(losing, { next: 1, method: 'POST', path: PAYOUTS })
    const error = await failure(shop.cowrie.transfers.initiate(await payout(reference), { retries: 0 }))
    expect(error).toBeInstanceOf(OutcomeUnknown)
    const { ask, repeat } = error as OutcomeUnknown
    expect(await ask()).toMatchObject({ reference, amount: '30.00' })
    expect(await repeat()).toMatchObject({ reference, amount: '30.00' })
    expect(before - (await balance())).toBe(await taken(reference))
  })

  test('OutcomeUnknown of a payout that never arrived: ask() gives null', async () => {
    const cowrie = createCowrie({
      ...keys(),
      fetch: (url, init) =>
        init.method === 'POST' && url.includes(PAYOUTS) ? Promise.reject(new TypeError('reset')) : fetch(url, init),
    })
    const error = await failure(cowrie.transfers.initiate(await payout(unique('payout')), { retries: 0 }))
    expect(error).toBeInstanceOf(OutcomeUnknown)
    expect(await (error as OutcomeUnknown).ask()).toBeNull()
  })

  test('a refusal has the code, the sentence, the link to its row in the reference, the request id and every fault', async () => {
    const init = {
      amount: '5.00',
      customerEmail: 'no address',
      paymentReference: ' x',
      currencyCode: 'NGN',
      contractCode: main().contractCode,
    }
    const error = (await failure(shop.cowrie.transactions.init(init))) as InvalidRequest
    expect(error).toBeInstanceOf(InvalidRequest)
    expect(error).toMatchObject({ code: 'FIELD_INVALID', status: 400, field: 'customerEmail' })
    expect(error.docUrl).toBe(`${harness().apiUrl}/docs#error-FIELD_INVALID`)
    expect(error.requestId).toMatch(/^[\w-]{20,}$/)
    expect(error.faults.map(({ field }) => field)).toEqual(['customerEmail', 'paymentReference'])
  })

  test('the clock is moved past the hour of the token: the next call logs in again', async () => {
    await shop.cowrie.banks.list()
    await advance(harness(), 2 * 3600)
    expect((await shop.cowrie.banks.list()).length).toBeGreaterThan(10)
  })

  test('`for await` sees every payout once over pages of one', async () => {
    const found: string[] = []
    for await (const { reference } of shop.cowrie.transfers.list({ pageSize: 1 })) found.push(reference)
    const all = await shop.cowrie.transfers.list({ pageSize: 1000 })
    expect(found.length).toBeGreaterThanOrEqual(2)
    expect(found).toEqual(all.content.map(({ reference }) => reference))
  })

  test('the log of events is read to its end and holds what the webhook brought, amounts as text', async () => {
    const payments: string[] = []
    for await (const item of shop.cowrie.events.list({ after: '0', limit: '2' })) {
      const event = webhooks.fromLog(item)
      if (event.eventType === 'SUCCESSFUL_TRANSACTION') payments.push(event.eventData.amountPaid)
    }
    expect(payments).toEqual(expect.arrayContaining(['1500.50', '2000.00']))
  })

  test('while the secret key is rotated, receivers with the old and with the new key take the notifications', async () => {
    const h = harness()
    const { secretKey } = await shop.cowrie.auth.rotateSecretKey({ overlapHours: 1 })
    await shop.cowrie.webhookUrls.put({ all: h.receiverUrl('/rotating') })
    const order = unique('order')
    await shop.checkout(order, '100.00', NGOZI)
    const { accountNumber } = await shop.cowrie.transactions.initPayment({
      transactionReference: await referenceOf(order),
    })
    await h.pay(accountNumber, '100.00')
    const mine = () => h.received.find(({ path, text }) => path === '/rotating' && text.includes(order))
    await h.until('the webhook', async () => mine() !== undefined)
    const { text, headers } = mine()!
    for (const known of [keys().secretKey, secretKey, ['old', secretKey]])
      expect(await webhooks.verify(text, headers, known)).toMatchObject({ eventType: 'SUCCESSFUL_TRANSACTION' })
    await expect(webhooks.verify(JSON.parse(text), headers, secretKey)).rejects.toThrow(/parsed already/)
  })
})
