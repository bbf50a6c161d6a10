// Every code with which a refund is refused; none of them moves money.
import { describe, expect, test } from 'vitest'
import { notice, outcomeOf, reverseCredit, tell, waiting } from '#test/bank/notices.ts'
import { chargeWith } from '#test/features/collections/cards.ts'
import { account, BANK_CODE, newMerchant } from '#test/features/payouts/disbursements.ts'
import {
  INITIATE,
  money,
  PAYER,
  paidBy,
  payment,
  refundBody,
  refunded,
  refusalOf,
} from '#test/features/payouts/refunds.ts'
import { type Harness, initialise, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'

const harness = useHarness()

describe('refused', () => {
  const REFUSED: [string, object, (h: Harness, merchant: TestMerchant) => Promise<Record<string, unknown>>][] = [
    [
      'R1: an unknown transaction',
      { status: 404, responseCode: 'R1', code: 'REFUND_TRANSACTION_UNKNOWN' },
      async () => refundBody('CWRY|01|20260502141500|000812'),
    ],
    [
      'R6: a card payment to an account',
      { status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' },
      async (h, merchant) =>
        refundBody((await chargeWith(h, merchant, 'plain', { amount: 1_000 })).transactionReference, {
          ...{ destinationAccountNumber: account(), destinationAccountBankCode: BANK_CODE },
        }),
    ],
    [
      'R2: a transaction that nobody paid',
      { status: 422, responseCode: 'R2', code: 'REFUND_NOT_PERMITTED' },
      async (h, merchant) => refundBody((await initialise(h, merchant)).transactionReference),
    ],
    [
      'R2: a transaction of which a bank reversed money',
      { status: 422, responseCode: 'R2', code: 'REFUND_NOT_PERMITTED' },
      async (h, merchant) => {
        const made = await waiting(h, merchant, { amount: 1_000 })
        const credit = notice(made.accountNumber, '1000.00', PAYER)
        await tell(h, credit)
        expect(outcomeOf(await reverseCredit(h, credit))).toBe('REVERSED')
        return refundBody(made.transactionReference)
      },
    ],
    [
      'R3: a kobo more than was paid',
      { status: 422, responseCode: 'R3', code: 'REFUND_TOO_LARGE' },
      async (h, merchant) => refundBody((await payment(h, merchant)).transactionReference, { refundAmount: 1_000.01 }),
    ],
    [
      'R4: a kobo less than 100',
      { status: 400, responseCode: 'R4', code: 'REFUND_TOO_SMALL' },
      async (h, merchant) => refundBody((await payment(h, merchant)).transactionReference, { refundAmount: 99.99 }),
    ],
    [
      'R5: the wallet covers the amount and not the fee',
      { status: 422, responseCode: 'R5', code: 'REFUND_FUNDS' },
      async (h, merchant) =>
        refundBody((await payment(h, merchant, 60_000)).transactionReference, { refundAmount: 49_990.01 }),
    ],
    [
      'R6: an account that does not exist',
      { status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' },
      async (h, merchant) =>
        refundBody((await payment(h, merchant)).transactionReference, {
          ...{ destinationAccountNumber: account('404'), destinationAccountBankCode: BANK_CODE },
        }),
    ],
    [
      'R6: no such bank',
      { status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' },
      async (h, merchant) =>
        refundBody((await payment(h, merchant)).transactionReference, {
          ...{ destinationAccountNumber: account(), destinationAccountBankCode: '999' },
        }),
    ],
    [
      'R6: nine digits',
      { status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' },
      async (h, merchant) =>
        refundBody((await payment(h, merchant)).transactionReference, {
          ...{ destinationAccountNumber: '123456789', destinationAccountBankCode: BANK_CODE },
        }),
    ],
    [
      'R6: the account that paid does not exist any more',
      { status: 422, responseCode: 'R6', code: 'REFUND_ACCOUNT_INVALID' },
      async (h, merchant) =>
        refundBody((await paidBy(h, merchant, { ...PAYER, senderAccountNumber: account('404') })).transactionReference),
    ],
    [
      'R8: a reason of 65 characters',
      { status: 400, responseCode: 'R8', code: 'REFUND_TEXT_TOO_LONG' },
      async (h, merchant) =>
        refundBody((await payment(h, merchant)).transactionReference, { refundReason: 'x'.repeat(65) }),
    ],
    [
      'R8: a note of 17 characters',
      { status: 400, responseCode: 'R8', code: 'REFUND_TEXT_TOO_LONG' },
      async (h, merchant) =>
        refundBody((await payment(h, merchant)).transactionReference, { customerNote: 'x'.repeat(17) }),
    ],
    [
      'R9: a reference that was used before',
      { status: 422, responseCode: 'R9', code: 'REFUND_REFERENCE_USED' },
      async (h, merchant) => {
        const { transactionReference } = await payment(h, merchant)
        const { refundReference } = await refunded(h, merchant, transactionReference, { refundAmount: 200 })
        return refundBody(transactionReference, { refundReference, refundAmount: 200 })
      },
    ],
    [
      'R12: all of it is refunded',
      { status: 422, responseCode: 'R12', code: 'REFUND_ALL_DONE' },
      async (h, merchant) => {
        const { transactionReference } = await payment(h, merchant)
        await refunded(h, merchant, transactionReference)
        return refundBody(transactionReference, { refundAmount: 100 })
      },
    ],
  ]
  test.each(REFUSED)('%s, and no money moves', async (_, expected, make) => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 50_000 })
    const body = await make(h, merchant)
    const before = await money(h, merchant)
    const answer = await h.as(merchant, 'POST', INITIATE, body)
    expect(refusalOf(answer)).toEqual(expected)
    expect(await money(h, merchant)).toEqual(before)
  })

  test('texts of exactly 64 and 16 characters are taken, of any script', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const texts = { refundReason: '😀'.repeat(64), customerNote: 'ọ'.repeat(16) }
    expect(await refunded(h, merchant, transactionReference, texts)).toMatchObject(texts)
  })

  test.each([
    ...['transactionReference', 'refundReference', 'refundAmount', 'refundReason', 'customerNote'].map(
      (field) => [field, { [field]: undefined }] as const,
    ),
    ['destinationAccountBankCode', { destinationAccountNumber: '0123456789' }] as const,
    ['destinationAccountNumber', { destinationBankCode: BANK_CODE }] as const,
  ])('400 FIELD_MISSING names %s', async (field, over) => {
    const h = harness()
    const answer = await h.as(h.merchants.main, 'POST', INITIATE, refundBody('CWRY|01|20260502141500|000812', over))
    expect(refusalOf(answer)).toEqual({ status: 400, responseCode: '99', code: 'FIELD_MISSING' })
    expect(answer.json.responseMessage).toContain(field)
  })

  test.each([['1000.001'], ['1e-3'], ['"1e3"'], ['-100']])('400 AMOUNT_INVALID for %s', async (refundAmount) => {
    const h = harness()
    const body = JSON.stringify(refundBody('x')).replace('1000', refundAmount)
    const answer = await h.call('POST', INITIATE, { raw: body, token: await h.token(h.merchants.main) })
    expect(refusalOf(answer)).toEqual({ status: 400, responseCode: '99', code: 'AMOUNT_INVALID' })
  })

  test('R10 503 when the wallet cannot be read: nothing is refunded, and the same reference works afterwards', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const body = refundBody(transactionReference)
    const wallet = merchant.id * 16n + 9n
    await h.sql('01', 'update accounts set id = -id where id = $1', [wallet])
    try {
      const answer = await h.as(merchant, 'POST', INITIATE, body)
      expect(refusalOf(answer)).toEqual({ status: 503, responseCode: 'R10', code: 'REFUND_BALANCE_UNAVAILABLE' })
    } finally {
      await h.sql('01', 'update accounts set id = -id where id = -$1::bigint', [wallet])
    }
    expect((await h.as(merchant, 'POST', INITIATE, body)).status).toBe(200)
  })

  test('R11 503 when the bank does not say whose account it is; rules that need no bank come first', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { transactionReference } = await payment(h, merchant)
    const deaf = await openSecondApi(h, { bankUrl: `http://127.0.0.1:${await freePort()}` })
    try {
      const answer = await deaf.post(merchant, INITIATE, refundBody(transactionReference))
      expect(refusalOf(answer)).toEqual({ status: 503, responseCode: 'R11', code: 'REFUND_ENQUIRY_UNANSWERED' })
      const large = await deaf.post(merchant, INITIATE, refundBody(transactionReference, { refundAmount: 2_000 }))
      expect(refusalOf(large).responseCode).toBe('R3')
    } finally {
      await deaf.close()
    }
    expect(await money(h, merchant)).toMatchObject({ clearing: 0n, paid: 0n })
  })
})
