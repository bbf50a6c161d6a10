// Refunds of card payments: back to the card through its issuer, whole and in parts. The issuer may answer,
// refuse, wait, be silent, or never receive the order; what nobody knows stays held until somebody does.

import { cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { describe, expect, test } from 'vitest'
import { events, signature } from '#test/bank/notices.ts'
import { charges, chargeWith, TOKEN } from '#test/features/collections/cards.ts'
import { account, BANK_CODE, mailsTo, newMerchant } from '#test/features/payouts/disbursements.ts'
import {
  ask,
  INITIATE,
  orderOf,
  REFUNDS,
  refundBody,
  refunded,
  refusalOf,
  shown,
  statusOf,
} from '#test/features/payouts/refunds.ts'
import {
  type Answer,
  advance,
  type Harness,
  initBody,
  type TestMerchant,
  unique,
  useHarness,
} from '#test/kit/harness.ts'
import { openSecondApi } from '#test/kit/second-api.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { startWorker } from '../../../app.ts'
import { openGateway } from '../../../gateway.ts'

const harness = useHarness()

const refunder = (h: Harness) => newMerchant(h, { naira: 100_000 })
const paidByCard = async (h: Harness, merchant: TestMerchant, naira = 50_000): Promise<string> => {
  const { transactionReference, body } = await chargeWith(h, merchant, 'plain', { amount: naira })
  expect(body.status).toBe('SUCCESS')
  return transactionReference
}

/** What the ledger says of a merchant's refunds, in kobo: `schemes` is what card schemes keep back for
 *  them. */
async function money(h: Harness, merchant: TestMerchant) {
  const [row] = await h.sql<Record<string, string>>(
    merchant.cell,
    `select coalesce(sum(e.kobo) filter (where f.kind not like 'SETTLEMENT%' and e.account_id = $1::bigint * 16 + 9), 0) as wallet,
       coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 12), 0) as clearing,
       coalesce(sum(e.kobo) filter (where f.kind like 'REFUND%' and e.account_id = 0), 0) as bank,
       coalesce(sum(e.kobo) filter (where f.kind like 'REFUND%' and e.account_id = 1), 0) as schemes,
       coalesce(sum(e.kobo) filter (where f.kind like 'REFUND%' and e.account_id = 2), 0) as fees
     from transfers f join entries e on e.transfer_id = f.id where f.merchant_id = $1`,
    [merchant.id],
  )
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, text]) => [name, BigInt(text)]))
}
const untouched = { wallet: 10_000_000n, clearing: 0n, bank: 0n, schemes: 0n, fees: 0n }
const held = (kobo: bigint) => ({ ...untouched, wallet: 9_999_000n - kobo, clearing: kobo + 1_000n })
const done = (kobo: bigint) => ({ ...untouched, wallet: 9_999_000n - kobo, schemes: kobo, fees: 1_000n })

/** What the issuer's own books say of a refund; null when it never received the order. */
async function atIssuer(h: Harness, sessionId: string): Promise<any> {
  const rows = (await (await fetch(`${h.simulatorUrl}/api/cards/refunds?sessionId=${sessionId}`)).json()) as any[]
  return rows[0] ?? null
}
const refundedByIssuer = async (h: Harness, merchant: TestMerchant, transactionReference: string): Promise<number> => {
  const [charge] = await charges(h, merchant, transactionReference)
  const url = `${h.simulatorUrl}/api/cards/refunds?chargeReference=${charge.reference}`
  const rows = (await (await fetch(url)).json()) as any[]
  return rows.reduce((sum, row) => sum + Number(row.refunded) - Number(row.returned), 0)
}
const notify = (h: Harness, sessionId: string, status: 'SUCCESS' | 'FAILED' | 'REVERSED'): Promise<Answer> => {
  const at = new Date().toISOString()
  const raw = JSON.stringify({ sessionId, status, responseCode: '00', message: `word of ${status}`, at })
  return h.call('POST', cardRefundNotice.path, { raw, headers: signature(h, raw, cardRefundNotice.path) })
}
const eventTypesOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string[]> =>
  (await events(h, merchant, reference)).map(({ eventType }) => eventType)

describe('to the card that paid', () => {
  test('PENDING, then COMPLETED: ORIGINAL_PAYMENT_SOURCE, the masked card and no account; fee of ten; SUCCESSFUL_REFUND; the owner is mailed', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const transactionReference = await paidByCard(h, merchant)
    const made = await refunded(h, merchant, transactionReference, { refundAmount: 50_000 })
    expect(made).toMatchObject({
      ...{ refundStatus: 'PENDING', refundStrategy: 'ORIGINAL_PAYMENT_SOURCE', refundType: 'FULL_REFUND', fee: 10 },
      ...{ comment: 'Transaction refund is in progress.', maskedPan: '411111******1111' },
    })
    for (const name of ['Number', 'Name']) expect(made[`destinationAccount${name}`]).toBeUndefined()
    expect(await money(h, merchant)).toEqual(held(5_000_000n))
    await advance(h, 1)
    expect(await shown(h, merchant, made.refundReference)).toMatchObject({
      ...{ refundStatus: 'COMPLETED', comment: 'Transaction refund completed successfully.' },
      ...{ maskedPan: '411111******1111', refundAmount: 50_000 },
    })
    expect(await money(h, merchant)).toEqual(done(5_000_000n))
    expect(await refundedByIssuer(h, merchant, transactionReference)).toBe(50_000)
    const reported = await events(h, merchant, made.refundReference)
    expect(reported.map(({ eventType }: any) => eventType)).toEqual(['ACCOUNT_ACTIVITY', 'SUCCESSFUL_REFUND'])
    expect(reported[1].body.eventData).toMatchObject({ refundStatus: 'COMPLETED', refundAmount: 50_000 })
    const mail = (await mailsTo(h, merchant)).find(({ text }) => text.includes(made.refundReference))
    expect(mail?.text).toContain('It goes back to the card that paid, ending in 1111.')
  })

  test('in parts, each with its fee, listed with the others; R12 when all is refunded, R3 for a kobo more than is left', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const transactionReference = await paidByCard(h, merchant, 1_000)
    const first = await refunded(h, merchant, transactionReference, { refundAmount: 600.5 })
    expect(first.refundType).toBe('PARTIAL_REFUND')
    const more = await ask(h, merchant, transactionReference, { refundAmount: 399.51 })
    expect(refusalOf(more)).toMatchObject({ status: 422, responseCode: 'R3' })
    await refunded(h, merchant, transactionReference, { refundAmount: 399.5 })
    const all = await ask(h, merchant, transactionReference, { refundAmount: 100 })
    expect(refusalOf(all)).toMatchObject({ status: 422, responseCode: 'R12' })
    await advance(h, 1)
    expect(await money(h, merchant)).toEqual({ ...untouched, wallet: 9_898_000n, schemes: 100_000n, fees: 2_000n })
    const listed = await h.as(
      merchant,
      'GET',
      `${REFUNDS}?transactionReference=${encodeURIComponent(transactionReference)}`,
    )
    expect(listed.json.responseBody.content.map((one: any) => one.refundStatus)).toEqual(['COMPLETED', 'COMPLETED'])
  })

  test('R6 with a destination account, R4 below 100, R5 above the wallet, R9 for a used reference; R2 for a declined card; no money moves', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { naira: 10_000 })
    const transactionReference = await paidByCard(h, merchant)
    const { refundReference } = await refunded(h, merchant, transactionReference, { refundAmount: 100 })
    await advance(h, 1)
    const before = await money(h, merchant)
    const refusals: [string, Record<string, unknown>][] = [
      ['R6', { destinationAccountNumber: account(), destinationAccountBankCode: BANK_CODE }],
      ['R4', { refundAmount: 99.99 }],
      ['R5', { refundAmount: 9_900 }],
      ['R9', { refundReference, refundAmount: 100 }],
    ]
    for (const [code, over] of refusals)
      expect(refusalOf(await ask(h, merchant, transactionReference, over)).responseCode, code).toBe(code)
    const declined = await chargeWith(h, merchant, 'plain', { amount: 3_951.39 })
    expect(refusalOf(await ask(h, merchant, declined.transactionReference)).responseCode).toBe('R2')
    expect(await money(h, merchant)).toEqual(before)
  })

  test('a payment with a stored card is refunded in the same way; another merchant finds neither it nor its refund', async () => {
    const h = harness()
    const [merchant, other] = [await refunder(h), await refunder(h)]
    const transactionReference = await paidByCard(h, merchant, 2_000)
    const [charge] = await charges(h, merchant, transactionReference)
    const again = await h.as(merchant, 'POST', TOKEN, {
      ...{ amount: 1_500, cardToken: charge.token, apiKey: merchant.apiKey, paymentReference: unique('pay') },
      ...{ customerName: 'Ada Obi', customerEmail: initBody(merchant).customerEmail, paymentDescription: 'Cloth' },
      ...{ currencyCode: 'NGN', contractCode: merchant.contractCode },
    })
    expect(again.status, again.text).toBe(200)
    const reference = again.json.responseBody.transactionReference
    const { refundReference } = await refunded(h, merchant, reference, { refundAmount: 1_500 })
    expect(refusalOf(await ask(h, other, reference)).responseCode).toBe('R1')
    expect((await h.as(other, 'GET', `${REFUNDS}/${refundReference}`)).status).toBe(404)
    await advance(h, 1)
    expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
  })
})

describe('by the amount, at the issuer', () => {
  const refund = async (h: Harness, merchant: TestMerchant, refundAmount: number) => {
    const transactionReference = await paidByCard(h, merchant)
    const made = await refunded(h, merchant, transactionReference, { refundAmount })
    return { ...made, transactionReference } as { refundReference: string; transactionReference: string }
  }
  const sessionOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string> =>
    (await orderOf(h, merchant, reference)).session_id

  test('refused: FAILED with its words, amount and fee are back, FAILED_REFUND, and it can be refunded again', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference, transactionReference } = await refund(h, merchant, 3_957.39)
    await advance(h, 1)
    expect(await shown(h, merchant, refundReference)).toMatchObject({
      ...{ refundStatus: 'FAILED', comment: 'Transaction not permitted to cardholder' },
    })
    expect(await money(h, merchant)).toEqual(untouched)
    expect(await eventTypesOf(h, merchant, refundReference)).toEqual([
      ...['ACCOUNT_ACTIVITY', 'FAILED_REFUND', 'ACCOUNT_ACTIVITY'],
    ])
    await refunded(h, merchant, transactionReference, { refundAmount: 50_000 })
  })

  test.each([
    [3_901.38, 'COMPLETED', done(390_138n), 1],
    [3_902.38, 'FAILED', untouched, 1],
  ])(
    '%d: no answer leaves it PENDING and held; the inquiry under the same session finds %s',
    async (amount, end, after, asked) => {
      const h = harness()
      const merchant = await refunder(h)
      const { refundReference } = await refund(h, merchant, amount)
      await advance(h, 5)
      expect(await statusOf(h, merchant, refundReference)).toBe('PENDING')
      expect(await money(h, merchant)).toEqual(held(BigInt(Math.round(amount * 100))))
      const session = await sessionOf(h, merchant, refundReference)
      await advance(h, 11)
      expect(await statusOf(h, merchant, refundReference)).toBe(end)
      expect(await money(h, merchant)).toEqual(after)
      expect(await atIssuer(h, session)).toMatchObject({ asked })
    },
  )

  test('3903.38: never received: barred at the issuer first, then FAILED, and nothing is refunded later', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference, transactionReference } = await refund(h, merchant, 3_903.38)
    await advance(h, 16)
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    expect(await money(h, merchant)).toEqual(untouched)
    const session = await sessionOf(h, merchant, refundReference)
    expect(await atIssuer(h, session)).toMatchObject({ status: 'FAILED', responseCode: '21', asked: 0 })
    expect(await refundedByIssuer(h, merchant, transactionReference)).toBe(0)
  })

  test.each([
    [3_905.38, 'COMPLETED', done(390_538n)],
    [3_906.38, 'FAILED', untouched],
  ])('%d: PENDING for two hours of questions, then %s; sent once', async (amount, end, after) => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refund(h, merchant, amount)
    await advance(h, 2 * HOUR_SECONDS - 60)
    const during = await orderOf(h, merchant, refundReference)
    expect(during).toMatchObject({ status: 'SENT' })
    expect(during.questions).toBeGreaterThan(3)
    expect(await money(h, merchant)).toEqual(held(BigInt(Math.round(amount * 100))))
    await advance(h, 120)
    expect(await statusOf(h, merchant, refundReference)).toBe(end)
    expect(await money(h, merchant)).toEqual(after)
    expect(await atIssuer(h, during.session_id)).toMatchObject({ asked: 1 })
  })

  test('3907.38: notified twice beside the answer: refunded once, reported once', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refund(h, merchant, 3_907.38)
    await advance(h, 1)
    expect(await money(h, merchant)).toEqual(done(390_738n))
    expect(await eventTypesOf(h, merchant, refundReference)).toEqual(['ACCOUNT_ACTIVITY', 'SUCCESSFUL_REFUND'])
  })

  test('3908.38: COMPLETED, and two days later reversed: FAILED, amount and fee are back, and it can be refunded again', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference, transactionReference } = await refund(h, merchant, 3_908.38)
    await advance(h, 48 * HOUR_SECONDS - 600)
    expect(await money(h, merchant)).toEqual(done(390_838n))
    await advance(h, 601)
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    expect(await money(h, merchant)).toEqual(untouched)
    expect(await refundedByIssuer(h, merchant, transactionReference)).toBe(0)
    // No bank's statement has it, and nobody misses it there.
    const session = await sessionOf(h, merchant, refundReference)
    expect(await h.sql('01', 'select 1 from recon_breaks where session_id = $1', [session])).toEqual([])
  })

  test('bank.cardRefund: every word of the issuer at once, 20 times each: one end; 404 for an unknown session, 401 unsigned', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const { refundReference } = await refund(h, merchant, 3_905.38)
    await advance(h, 1)
    const session = await sessionOf(h, merchant, refundReference)
    const words = (['SUCCESS', 'FAILED', 'REVERSED'] as const).flatMap((word) => Array.from({ length: 20 }, () => word))
    const answers = await Promise.all(words.map((word) => notify(h, session, word)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    expect(await money(h, merchant)).toEqual(untouched)
    expect((await notify(h, '000013260502140731010000000001', 'SUCCESS')).status).toBe(404)
    expect((await h.call('POST', cardRefundNotice.path, { body: {} })).status).toBe(401)
  })
})

describe('many at once, and workers that die', () => {
  test('50 parts of one payment, of which seven fit, in two processes: seven, here and at the issuer', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const transactionReference = await paidByCard(h, merchant, 1_000)
    const second = await openSecondApi(h)
    try {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const body = refundBody(transactionReference, { refundAmount: 130 })
          return at % 2 ? second.post(merchant, INITIATE, body) : h.as(merchant, 'POST', INITIATE, body)
        }),
      )
      const codes = answers.map(({ status, json }) => (status === 200 ? 'accepted' : json.responseCode))
      expect(codes.filter((code) => code === 'accepted')).toHaveLength(7)
      expect(codes.filter((code) => code === 'R3')).toHaveLength(43)
    } finally {
      await second.close()
    }
    await advance(h, 1)
    expect(await money(h, merchant)).toEqual({ ...untouched, wallet: 9_902_000n, schemes: 91_000n, fees: 7_000n })
    expect(await refundedByIssuer(h, merchant, transactionReference)).toBe(910)
  })

  test('a timer that comes again, to three workers at once, sends one order once', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const transactionReference = await paidByCard(h, merchant)
    const { refundReference } = await refunded(h, merchant, transactionReference, { refundAmount: 700 })
    await h.sql(
      '01',
      `insert into agenda (kind, merchant_id, subject, due_at) select 'orders.send', o.merchant_id, o.id, o.created_at
        from bank_orders o join refunds r on r.id = o.subject cross join generate_series(1, 5) where r.refund_reference = $1`,
      [refundReference],
    )
    const workers = [h.startWorker(), h.startWorker(), h.startWorker()]
    try {
      await h.until('it is paid', async () => (await orderOf(h, merchant, refundReference)).status === 'PAID')
    } finally {
      for (const worker of workers) await worker.stop()
    }
    const { session_id } = await orderOf(h, merchant, refundReference)
    expect(await atIssuer(h, session_id)).toMatchObject({ asked: 1, refunded: '700.00' })
  })

  test('an outcome that cannot be written leaves order and refund PENDING, and the inquiry finds it', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const transactionReference = await paidByCard(h, merchant)
    const { refundReference } = await refunded(h, merchant, transactionReference, { refundAmount: 500 })
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
      create trigger planted before update on refunds for each row execute function planted()`,
    )
    try {
      await advance(h, 1)
      expect((await orderOf(h, merchant, refundReference)).status).toBe('SENT')
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    expect(await money(h, merchant)).toEqual(held(50_000n))
    await advance(h, 20)
    expect(await statusOf(h, merchant, refundReference)).toBe('COMPLETED')
    expect(await money(h, merchant)).toEqual(done(50_000n))
    expect(await refundedByIssuer(h, merchant, transactionReference)).toBe(500)
  })

  test('a worker that dies between commit and order: PENDING and held, then barred at the issuer and FAILED', async () => {
    const h = harness()
    const merchant = await refunder(h)
    const transactionReference = await paidByCard(h, merchant)
    const { refundReference } = await refunded(h, merchant, transactionReference, { refundAmount: 500 })
    const config = { ...h.config, bankUrl: `http://127.0.0.1:${await freePort()}` }
    const gateway = await openGateway(config, 'test')
    const worker = startWorker(gateway, config)
    try {
      await h.until('it is sent', async () => (await orderOf(h, merchant, refundReference)).status === 'SENT')
    } finally {
      await worker.stop()
      await gateway.close()
    }
    expect(await money(h, merchant)).toEqual(held(50_000n))
    await advance(h, 16)
    // The issuer never received it: it is barred there, so that it cannot come later.
    expect(await statusOf(h, merchant, refundReference)).toBe('FAILED')
    expect(await money(h, merchant)).toEqual(untouched)
  })
})
