// Refunds over HTTP: what is accepted and shown, and who sees it. What is refused is in refused.test.ts, many
// at once in races.test.ts, what the bank does with them in orders.test.ts.
import { describe, expect, test } from 'vitest'
import { events, notice, tell, waiting } from '#test/bank/notices.ts'
import { account, BANK_CODE, newMerchant, paidTo } from '#test/features/payouts/disbursements.ts'
import {
  ask,
  INITIATE,
  money,
  orderOf,
  PAYER,
  paidBy,
  payment,
  REFUNDS,
  refundBody,
  refunded,
  refundedTo,
  refusalOf,
  shown,
  statusOf,
} from '#test/features/payouts/refunds.ts'
import { advance, type Harness, paid, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { accountName } from '../../../../../simulator/src/kit/names.ts'

const harness = useHarness()

const MOMENT = /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d [AP]M$/
const UNPADDED = /^\d\d\/\d\d\/\d{4} \d{1,2}:\d\d:\d\d [AP]M$/

const setPolicy = async (h: Harness, merchant: TestMerchant, over: object) => {
  const policy = { less: 'COMPLETE', more: 'COMPLETE', extra: 'HOLD', tolerance: 0, barredPayers: [], ...over }
  expect((await h.as(merchant, 'PUT', '/api/v1/payment-policy', policy)).status).toBe(200)
}

describe('refunds.initiate', () => {
  test('200 with every field; without a destination it goes to the account that paid, whose number is masked', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await paidBy(h, merchant)
    const body = refundBody(transactionReference)
    const answer = await h.as(merchant, 'POST', INITIATE, body)
    expect(answer.status, answer.text).toBe(200)
    const whole = {
      ...body,
      refundType: 'FULL_REFUND',
      refundStatus: 'PENDING',
      refundStrategy: 'ORIGINAL_PAYMENT_SOURCE',
      comment: 'Transaction refund is in progress.',
      createdOn: expect.stringMatching(MOMENT),
      reference: expect.stringMatching(/^CWRF\|01\|\d{14}\|\d{6}$/),
      fee: 10,
      currencyCode: 'NGN',
      destinationAccountNumber: '******6789',
      destinationAccountName: accountName(BANK_CODE, '0123456789'),
      destinationBankCode: BANK_CODE,
      destinationBankName: 'Gtbank',
    }
    expect(answer.json.responseBody).toEqual(whole)
    expect(await shown(h, merchant, body.refundReference)).toEqual(answer.json.responseBody)
    await advance(h, 1)
    expect(await shown(h, merchant, body.refundReference)).toEqual({
      ...answer.json.responseBody,
      refundStatus: 'COMPLETED',
      comment: 'Transaction refund completed successfully.',
      completedOn: expect.stringMatching(MOMENT),
    })
    const { session_id } = await orderOf(h, merchant, body.refundReference)
    expect((await paidTo(h, '0123456789')).filter(({ sessionId }) => sessionId === session_id)).toMatchObject([
      { amount: '1000.00', narration: 'Sorry' },
    ])
  })

  test('200 to a given account, by either name of the bank code; a part is a PARTIAL_REFUND', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await paidBy(h, merchant)
    for (const name of ['destinationAccountBankCode', 'destinationBankCode']) {
      const destinationAccountNumber = account()
      const to = { destinationAccountNumber, [name]: BANK_CODE, refundAmount: 400.5 }
      const record = await refunded(h, merchant, transactionReference, to)
      expect(record).toMatchObject({
        refundAmount: 400.5,
        refundType: 'PARTIAL_REFUND',
        refundStrategy: 'MERCHANT_WALLET',
        destinationAccountNumber,
        destinationAccountName: accountName(BANK_CODE, destinationAccountNumber),
      })
      await advance(h, 1)
      expect(await paidTo(h, destinationAccountNumber)).toMatchObject([{ amount: '400.50' }])
    }
  })

  test('200 with empty destination fields: the same as none', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await paidBy(h, merchant)
    const none = { destinationAccountNumber: '', destinationAccountBankCode: '', destinationBankCode: null }
    expect(await refunded(h, merchant, transactionReference, none)).toMatchObject({
      refundStrategy: 'ORIGINAL_PAYMENT_SOURCE',
    })
  })

  test('parts up to what was paid; then R12, and R3 before that with what is left; one that fails can be made again', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const failing = { destinationAccountNumber: account('0001'), destinationBankCode: BANK_CODE }
    const lost = await refunded(h, merchant, transactionReference, { refundAmount: 600, ...failing })
    const early = await ask(h, merchant, transactionReference, { refundAmount: 400.01 })
    expect(refusalOf(early)).toMatchObject({ responseCode: 'R3' })
    expect(early.json.responseMessage).toContain('400.00')
    await refunded(h, merchant, transactionReference, { refundAmount: 400 })
    expect(refusalOf(await ask(h, merchant, transactionReference, { refundAmount: 100 }))).toEqual({
      ...{ status: 422, responseCode: 'R12', code: 'REFUND_ALL_DONE' },
    })
    await advance(h, 1)
    expect(await statusOf(h, merchant, lost.refundReference)).toBe('FAILED')
    await refunded(h, merchant, transactionReference, { refundAmount: 600 })
    await advance(h, 1)
    expect(refusalOf(await ask(h, merchant, transactionReference, { refundAmount: 100 })).responseCode).toBe('R12')
    expect(await money(h, merchant)).toMatchObject({ clearing: 0n, paid: 100_000n, fees: 2_000n })
  })

  test('all that was paid can be refunded where more or less came than was asked', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    for (const amount of [1_300, 700]) {
      const { transactionReference } = await paidBy(h, merchant, PAYER, [amount])
      expect((await ask(h, merchant, transactionReference, { refundAmount: amount + 0.01 })).json.responseCode).toBe(
        'R3',
      )
      expect(await refunded(h, merchant, transactionReference, { refundAmount: amount })).toMatchObject({
        refundType: 'FULL_REFUND',
      })
    }
  })

  test('money that was not counted cannot be refunded: R3', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await setPolicy(h, merchant, { extra: 'HOLD' })
    const { transactionReference } = await paidBy(h, merchant, PAYER, [1_000, 500])
    expect(refusalOf(await ask(h, merchant, transactionReference, { refundAmount: 1_000.01 })).responseCode).toBe('R3')
    await refunded(h, merchant, transactionReference)
  })

  test('paid from several accounts: R6 without a destination, 200 with one', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    await setPolicy(h, merchant, { less: 'TOP_UP' })
    const transaction = await waiting(h, merchant, { amount: 1_000 })
    await tell(h, notice(transaction.accountNumber, 400, PAYER))
    const open = await ask(h, merchant, transaction.transactionReference, { refundAmount: 400 })
    expect(refusalOf(open)).toEqual({ status: 422, responseCode: 'R2', code: 'REFUND_NOT_PERMITTED' })
    await tell(h, notice(transaction.accountNumber, 600, { ...PAYER, senderAccountNumber: '0123456780' }))
    const several = await ask(h, merchant, transaction.transactionReference)
    expect(refusalOf(several)).toEqual({ status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' })
    expect(several.json.responseMessage).toContain('several accounts')
    const to = { destinationAccountNumber: account(), destinationAccountBankCode: BANK_CODE }
    await refunded(h, merchant, transaction.transactionReference, to)
  })

  test('200 for two merchants that use the same refundReference', async () => {
    const h = harness()
    const refundReference = unique('refund')
    for (const merchant of [await newMerchant(h), await newMerchant(h)]) {
      const { transactionReference } = await payment(h, merchant)
      expect(await refunded(h, merchant, transactionReference, { refundReference })).toMatchObject({
        refundReference,
        transactionReference,
      })
    }
  })

  test('an Idempotency-Key replays the answer, a refusal too, and names what differs', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const key = { 'idempotency-key': unique('key') }
    const body = refundBody(transactionReference, { refundAmount: 300 })
    const first = await h.as(merchant, 'POST', INITIATE, body, key)
    expect(first.status, first.text).toBe(200)
    await advance(h, 1)
    const again = await h.as(merchant, 'POST', INITIATE, body, key)
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
    const other = await h.as(merchant, 'POST', INITIATE, { ...body, refundAmount: 400 }, key)
    expect([other.status, other.json.responseMessage]).toEqual([422, expect.stringContaining('refundAmount')])
    expect((await money(h, merchant)).paid).toBe(30_000n)
    const refusedKey = { 'idempotency-key': unique('key') }
    const refused = await h.as(merchant, 'POST', INITIATE, body, refusedKey)
    expect(refusalOf(refused).responseCode).toBe('R9')
    expect((await h.as(merchant, 'POST', INITIATE, body, refusedKey)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('a wallet that falls below its threshold is reported', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 2_000 })
    await h.sql('01', 'update disbursement_settings set low_balance_kobo = 150000 where merchant_id = $1', [
      merchant.id,
    ])
    h.gateway.merchants.forget('01')
    const { transactionReference } = await payment(h, merchant)
    await refunded(h, merchant, transactionReference)
    await advance(h, 1)
    const [notified] = await events(h, merchant, merchant.walletNumber)
    expect(notified).toMatchObject({ eventType: 'LOW_BALANCE_ALERT', body: { eventData: { walletBalance: 990 } } })
  })
})

describe('refunds.get and refunds.list', () => {
  test("404 R7 for an unknown refund; another merchant's is the same, and so is its transaction", async () => {
    const h = harness()
    const [merchant, outsider] = [await newMerchant(h), await newMerchant(h)]
    const { refundReference, transactionReference } = await refundedTo(h, merchant, '7788', { refundAmount: 200 })
    const words = (answer: { status: number; json: any }) => ({
      ...refusalOf(answer),
      says: answer.json.responseMessage,
    })
    const theirs = await h.as(outsider, 'GET', `${REFUNDS}/${refundReference}`)
    expect(words(theirs)).toEqual({
      ...{ status: 404, responseCode: 'R7', code: 'REFUND_NOT_FOUND' },
      says: 'Could not find refund with the specified refund reference',
    })
    expect(words(await h.as(outsider, 'GET', `${REFUNDS}/${unique('nobody')}`))).toEqual(words(theirs))
    const asked = words(await ask(h, outsider, transactionReference))
    expect(asked).toEqual(words(await ask(h, outsider, 'CWRY|01|20260502141500|000812')))
    expect(asked.responseCode).toBe('R1')
    expect((await h.as(outsider, 'GET', REFUNDS)).json.responseBody).toMatchObject({ content: [], totalElements: 0 })
  })

  test('a page of the newest first, narrowed by transaction, state and time', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const [one, two] = [await payment(h, merchant), await payment(h, merchant)]
    const at = () => h.gateway.ctx.clock.now().getTime()
    const made: string[] = []
    const before: number[] = []
    for (const { transactionReference } of [one, two, two, one, two]) {
      before.push(at())
      made.push((await refunded(h, merchant, transactionReference, { refundAmount: 150 })).refundReference)
      await advance(h, 2)
    }
    const failing = { destinationAccountNumber: account('0001'), destinationBankCode: BANK_CODE, refundAmount: 100 }
    made.push((await refunded(h, merchant, one.transactionReference, failing)).refundReference)
    await advance(h, 1)
    const list = async (query: string) => {
      const answer = await h.as(merchant, 'GET', `${REFUNDS}?${query}`)
      expect(answer.status, answer.text).toBe(200)
      const { content, totalElements } = answer.json.responseBody
      return [content.map((record: any) => made.indexOf(record.refundReference)), totalElements]
    }
    expect(await list('')).toEqual([[5, 4, 3, 2, 1, 0], 6])
    expect(await list('page=1&size=4')).toEqual([[1, 0], 6])
    expect(await list('page=2&size=4')).toEqual([[], 6])
    expect(await list(`transactionReference=${encodeURIComponent(two.transactionReference)}`)).toEqual([[4, 2, 1], 3])
    expect(await list('refundStatus=FAILED')).toEqual([[5], 1])
    expect(await list('refundStatus=COMPLETED&size=2')).toEqual([[4, 3], 5])
    expect(await list('refundStatus=NOTHING')).toEqual([[], 0])
    expect(await list(`from=${before[2]}&to=${(before[4] ?? 0) - 1}`)).toEqual([[3, 2], 2])
    expect(await list(`to=${(before[0] ?? 0) - 1}`)).toEqual([[], 0])
    for (const query of ['from=yesterday', 'size=0', 'page=x'])
      expect((await h.as(merchant, 'GET', `${REFUNDS}?${query}`)).status).toBe(400)
    const { content } = (await h.as(merchant, 'GET', `${REFUNDS}?size=1`)).json.responseBody
    expect(content[0]).toEqual(await shown(h, merchant, made[5] as string))
  })
})

describe('events', () => {
  test.each([
    ['7788', 'SUCCESSFUL_REFUND', 'COMPLETED'],
    ['0001', 'FAILED_REFUND', 'FAILED'],
  ])('%s: %s has exactly the fields of the interface', async (ending, eventType, refundStatus) => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { refundReference, transactionReference } = await refundedTo(h, merchant, ending, { refundAmount: 900.5 })
    await advance(h, 1)
    const notified = (await events(h, merchant, refundReference)).filter((event) => event.eventType === eventType)
    expect(notified.map(({ body }) => body)).toEqual([
      {
        eventType,
        eventData: {
          merchantReason: 'Out of stock',
          transactionReference,
          completedOn: expect.stringMatching(UNPADDED),
          refundStatus,
          customerNote: 'Sorry',
          createdOn: expect.stringMatching(UNPADDED),
          refundReference,
          refundAmount: 900.5,
        },
      },
    ])
  })

  test('they go to the address for refunds, and to no other', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const urls = { refundCompletion: h.receiverUrl('/refunds'), disbursement: h.receiverUrl('/out') }
    expect((await h.as(merchant, 'PUT', '/sandbox/webhook-urls', urls)).status).toBe(200)
    const { refundReference } = await refundedTo(h, merchant, '7788')
    await advance(h, 1)
    const got = h.received.filter(({ body }) => body.eventData.refundReference === refundReference)
    expect(got.map(({ path, body }) => [path, body.eventType])).toEqual([['/refunds', 'SUCCESSFUL_REFUND']])
  })
})

test('a transaction that was refunded stays as it was', async () => {
  const h = harness()
  const merchant = await newMerchant(h)
  const { transactionReference } = await paid(h, merchant, { amount: 1_000 })
  const path = `/api/v2/transactions/${encodeURIComponent(transactionReference)}`
  const before = (await h.as(merchant, 'GET', path)).json.responseBody
  await refunded(h, merchant, transactionReference)
  await advance(h, 1)
  expect((await h.as(merchant, 'GET', path)).json.responseBody).toEqual(before)
})
