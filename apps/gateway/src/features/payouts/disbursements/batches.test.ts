// Accepting batches: as a whole or not at all, with the money of the valid rows held once; and looking at
// them.
import { describe, expect, test } from 'vitest'
import {
  addsUp,
  BATCH,
  BULK,
  balances,
  bankBooks,
  batchBody,
  newMerchant,
  rowsOf,
  rowsTo,
  rowTo,
  SINGLE,
  summary,
  taken,
  untilQuiet,
} from '#test/features/payouts/batches.ts'
import { type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const refused = async (h: Harness, merchant: TestMerchant, body: unknown) => {
  const answer = await h.as(merchant, 'POST', BATCH, body)
  expect(answer.status, answer.text).toBe(400)
  const { responseCode, responseMessage, problem } = answer.json
  return { code: problem.code, field: problem.field, hint: problem.hint, responseCode, responseMessage }
}
/** Rows, batches, timers, money and events of a merchant: what a refusal must leave as it was. */
const traces = (h: Harness, merchant: TestMerchant) =>
  h.sql(
    '01',
    `select (select count(*) from disbursements where merchant_id = $1) as rows, (select count(*) from batches where merchant_id = $1) as batches,
      (select count(*) from agenda where merchant_id = $1) as timers, (select count(*) from events where merchant_id = $1) as events,
      (select count(*) from authorizations where merchant_id = $1) as codes, (select coalesce(sum(kobo), 0) from disbursement_days where merchant_id = $1) as spent,
      (select jsonb_agg(balance_kobo order by id) from accounts where merchant_id = $1) as money`,
    [merchant.id],
  )

describe('batches.initiate', () => {
  test('200: the whole answer, one hold for amounts and fees, and every row is paid once', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { walletKobo: 10_000_000n })
    const list = [rowTo(), rowTo('7777', { amount: 6000.5 }), rowTo('7777', { amount: '50000.01', narration: null })]
    const made = await taken(h, merchant, list, { batchReference: 'whole-1' })
    expect(made).toEqual({
      totalAmount: 57_000.51,
      totalFee: 85,
      batchReference: 'whole-1',
      transactionBatchReference: expect.stringMatching(/^CWDB01\d{14}\d{6}[A-Z0-9]{6}$/),
      batchStatus: 'AWAITING_PROCESSING',
      totalTransactionsCount: 3,
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
    })
    expect(await balances(h, merchant)).toEqual({ wallet: 10_000_000n - 5_708_551n, held: 5_708_551n })
    const holds = await h.sql('01', `select object from transfers where merchant_id = $1 and kind = 'PAYOUT_HOLD'`, [
      merchant.id,
    ])
    expect(holds).toEqual([{ object: 'batch' }])
    await untilQuiet(h, 1)
    const shown = await summary(h, merchant, 'whole-1')
    expect(shown).toEqual({
      title: 'Wages',
      totalAmount: 57_000.51,
      totalFee: 85,
      batchReference: 'whole-1',
      batchStatus: 'COMPLETED',
      totalTransactionsCount: 3,
      successfulCount: 3,
      failedCount: 0,
      pendingCount: 0,
      successfulAmount: 57_000.51,
      failedAmount: 0,
      pendingAmount: 0,
      dateCreated: made.dateCreated,
    })
    expect(await balances(h, merchant)).toEqual({ wallet: 10_000_000n - 5_708_551n, held: 0n })
    const books = await bankBooks(h)
    for (const [at, paid] of ['1000.00', '6000.50', '50000.01'].entries())
      expect(books.get(list[at]?.destinationAccountNumber ?? '')?.map((one) => one.paid)).toEqual([paid])
    const rows = await rowsOf(h, merchant, 'whole-1')
    expect(rows.map((row) => [row.reference, row.status, row.fee, row.narration])).toEqual([
      [list[0]?.reference, 'SUCCESS', 10, 'Wages of May'],
      [list[1]?.reference, 'SUCCESS', 25, 'Wages of May'],
      [list[2]?.reference, 'SUCCESS', 50, 'Wages'],
    ])
  })

  const FAULTS: readonly (readonly [why: string, over: Record<string, unknown>])[] = [
    ['Account number could not be validated', { destinationAccountNumber: '3000000404' }],
    ['Account number could not be validated', { destinationAccountNumber: '12345' }],
    ['Account number could not be validated', { destinationAccountNumber: 'no digits' }],
    ['Unknown destination bank code', { destinationBankCode: '999' }],
    ['Unknown currency', { currency: 'USD' }],
    ['Unknown currency', { currency: null, currencyCode: 'KES' }],
    ['The amount exceeds the limit for a single transfer', { amount: '10000000.01' }],
  ]
  test.each(FAULTS)(
    'CONTINUE: a row is FAILED from the start with “%s” (%o), the others are paid',
    async (why, over) => {
      const h = harness()
      const merchant = await newMerchant(h)
      const before = await balances(h, merchant)
      const bad = rowTo('7777', over)
      const made = await taken(h, merchant, [rowTo(), bad, rowTo()])
      expect(made).toMatchObject({ batchStatus: 'AWAITING_PROCESSING', totalTransactionsCount: 3 })
      expect(made.totalAmount, 'totals include the failed row').toBe(2000 + Number(bad['amount']))
      expect(await balances(h, merchant), 'only valid rows are held').toEqual({
        wallet: before.wallet - 202_000n,
        held: 202_000n,
      })
      const shown = await summary(h, merchant, made.batchReference)
      addsUp(shown)
      expect(shown).toMatchObject({ failedCount: 1, pendingCount: 2, failedAmount: Number(bad['amount']) })
      const [, row] = await rowsOf(h, merchant, made.batchReference)
      expect(row).toMatchObject({ reference: bad.reference, status: 'FAILED', transactionDescription: why })
      expect(row).not.toHaveProperty('destinationAccountName')
      expect(row).not.toHaveProperty('destinationBankName')
      await untilQuiet(h, 1)
      const after = await summary(h, merchant, made.batchReference)
      expect(after).toMatchObject({ batchStatus: 'COMPLETED', successfulCount: 2, failedCount: 1, pendingCount: 0 })
    },
  )

  test.each(FAULTS)(
    '400 ROW_INVALID with BREAK: “%s” (%o) names row and reference and leaves nothing',
    async (why, over) => {
      const h = harness()
      const merchant = await newMerchant(h)
      const before = await traces(h, merchant)
      const bad = rowTo('7777', over)
      const body = batchBody(merchant, [rowTo(), bad, rowTo('404')], { onValidationFailure: 'BREAK' })
      expect(await refused(h, merchant, body)).toMatchObject({
        code: 'ROW_INVALID',
        responseCode: 'D03',
        responseMessage: `Row 2 (${bad.reference}): ${why}`,
      })
      expect(await traces(h, merchant)).toEqual(before)
      // Nothing is left of its references either.
      await taken(h, merchant, [rowTo('7777', { reference: bad.reference })], { batchReference: body.batchReference })
    },
  )

  test('CONTINUE is what counts when onValidationFailure is not given', async () => {
    const h = harness()
    const list = [rowTo('404'), rowTo()]
    const made = await taken(h, h.merchants.main, list, { onValidationFailure: undefined })
    expect(await summary(h, h.merchants.main, made.batchReference)).toMatchObject({ failedCount: 1, pendingCount: 1 })
  })

  test('a batch in which every row fails is COMPLETED at once; nothing is held, sent or mailed, with a code or without', async () => {
    const h = harness()
    for (const otp of [false, true]) {
      const merchant = await newMerchant(h, { otp })
      const before = await balances(h, merchant)
      const made = await taken(h, merchant, rowsTo(3, '404'), { notificationInterval: 30 })
      expect(made).toMatchObject({ batchStatus: 'COMPLETED', totalAmount: 3000, totalFee: 0 })
      expect(await balances(h, merchant)).toEqual(before)
      expect(await summary(h, merchant, made.batchReference)).toMatchObject({ failedCount: 3, pendingCount: 0 })
      const mails = await h.as(merchant, 'GET', `/sandbox/mails?to=${encodeURIComponent(merchant.email)}`)
      expect(mails.json.responseBody).toEqual([])
      const timers = await h.sql('01', 'select kind from agenda where merchant_id = $1', [merchant.id])
      expect(timers).toEqual([])
      const notified = await h.sql(
        '01',
        'select type, event_body(shape, body) as body from events where merchant_id = $1',
        [merchant.id],
      )
      const failed = ['FAILED_DISBURSEMENT', 'FAILED_DISBURSEMENT', 'FAILED_DISBURSEMENT']
      expect(notified.map(({ type }) => type)).toEqual(expect.arrayContaining(['BATCH_PROGRESS', ...failed]))
      expect(notified).toHaveLength(4)
      const progress = notified.find(({ type }) => type === 'BATCH_PROGRESS')
      expect(JSON.parse(progress?.body).eventData.percentDone).toBe(100)
    }
  })

  test.each(['BREAK', 'CONTINUE'])('%s: what nobody could keep refuses the batch and names the row', async (mode) => {
    const h = harness()
    const merchant = await newMerchant(h)
    const before = await traces(h, merchant)
    const twice = rowTo()
    const cases: readonly (readonly [unknown[], Record<string, unknown>])[] = [
      [
        [rowTo(), twice, rowTo(), { ...rowTo(), reference: twice.reference }],
        {
          ...{ code: 'ROW_INVALID', responseMessage: `Row 4 (${twice.reference}): the reference occurs twice` },
          hint: expect.stringContaining('CONTINUE does not help'),
        },
      ],
      [[rowTo(), rowTo('7777', { amount: 0 })], { code: 'AMOUNT_INVALID', field: 'transactionList.1.amount' }],
      [[rowTo(), rowTo('7777', { amount: '0.00' })], { code: 'AMOUNT_INVALID', field: 'transactionList.1.amount' }],
      [[rowTo(), rowTo('7777', { amount: -5 })], { code: 'AMOUNT_INVALID', field: 'transactionList.1.amount' }],
      [[rowTo(), rowTo('7777', { amount: 1.005 })], { code: 'AMOUNT_INVALID', field: 'transactionList.1.amount' }],
      [[rowTo(), rowTo('7777', { amount: null })], { code: 'FIELD_MISSING', field: 'transactionList.1.amount' }],
      [[rowTo('7777', { reference: '' })], { code: 'FIELD_MISSING', field: 'transactionList.0.reference' }],
      [[rowTo('7777', { narration: 7 })], { code: 'FIELD_INVALID', field: 'transactionList.0.narration' }],
      [['no row'], { code: 'FIELD_INVALID', field: 'transactionList.0' }],
      [[], { code: 'FIELD_INVALID', field: 'transactionList' }],
    ]
    for (const [list, wanted] of cases)
      expect(await refused(h, merchant, batchBody(merchant, list, { onValidationFailure: mode }))).toMatchObject(wanted)
    expect(await traces(h, merchant)).toEqual(before)
  })

  test('400: the wallet of another, a merchant without transfers, an interval of 0 or 101, an unknown mode', async () => {
    const h = harness()
    const [merchant, barred] = [await newMerchant(h), await newMerchant(h, { approved: false })]
    const of = (over: Record<string, unknown>) => refused(h, merchant, batchBody(merchant, rowsTo(1), over))
    expect(await of({ sourceAccountNumber: h.merchants.main.walletNumber })).toMatchObject({ code: 'WALLET_NOT_YOURS' })
    expect(await of({ notificationInterval: 0 })).toMatchObject({ field: 'notificationInterval' })
    expect(await of({ notificationInterval: 101 })).toMatchObject({ field: 'notificationInterval' })
    expect(await of({ onValidationFailure: 'MAYBE' })).toMatchObject({ field: 'onValidationFailure' })
    expect(await refused(h, barred, batchBody(barred, rowsTo(1)))).toMatchObject({ code: 'TRANSFERS_NOT_APPROVED' })
  })

  test('400 D05: a batch reference used before; a row whose reference a transfer, a row or a failed row has', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const [paid, failed] = [rowTo(), rowTo('404')]
    const made = await taken(h, merchant, [paid, failed])
    const single = rowTo()
    const { accountName } = (
      await h.as(
        merchant,
        'GET',
        `/api/v1/disbursements/account/validate?accountNumber=${single.destinationAccountNumber}&bankCode=058`,
      )
    ).json.responseBody
    const sent = { ...single, destinationAccountName: accountName, sourceAccountNumber: merchant.walletNumber }
    expect((await h.as(merchant, 'POST', SINGLE, sent)).status).toBe(200)
    const before = await traces(h, merchant)
    const D05 = { code: 'TRANSFER_REFERENCE_USED', responseCode: 'D05' }
    expect(
      await refused(h, merchant, batchBody(merchant, rowsTo(1), { batchReference: made.batchReference })),
    ).toMatchObject({ ...D05, field: 'batchReference' })
    for (const { reference } of [paid, failed, single]) {
      for (const onValidationFailure of ['BREAK', 'CONTINUE']) {
        const list = [rowTo(), rowTo('7777', { reference })]
        expect(await refused(h, merchant, batchBody(merchant, list, { onValidationFailure }))).toMatchObject({
          ...D05,
          field: 'transactionList.1.reference',
        })
      }
    }
    expect(await traces(h, merchant)).toEqual(before)
    // References belong to a merchant: another one may have the same.
    await taken(h, h.merchants.other, [rowTo('7777', { reference: paid.reference })], {
      batchReference: made.batchReference,
    })
  })

  test('400 D04: a kobo too little refuses the whole and leaves nothing; the exact sum is enough', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { walletKobo: 303_000n })
    const list = [...rowsTo(2), rowTo('7777', { amount: 1000.01 })]
    const before = await traces(h, merchant)
    expect(await refused(h, merchant, batchBody(merchant, list))).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      responseCode: 'D04',
    })
    expect(await traces(h, merchant)).toEqual(before)
    // A row that cannot be paid needs no money.
    await taken(h, merchant, [...rowsTo(3), rowTo('404')])
    expect(await balances(h, merchant)).toEqual({ wallet: 0n, held: 303_000n })
  })

  test('400 DAILY_LIMIT: valid rows count, those of batches before too, failed ones do not', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { perDayKobo: 300_000n })
    await taken(h, merchant, [...rowsTo(2), rowTo('404')])
    const before = await traces(h, merchant)
    expect(await refused(h, merchant, batchBody(merchant, rowsTo(2)))).toMatchObject({ code: 'DAILY_LIMIT' })
    expect(await traces(h, merchant)).toEqual(before)
    await taken(h, merchant, [rowTo(), rowTo('404')])
    expect(await refused(h, merchant, batchBody(merchant, rowsTo(1)))).toMatchObject({ code: 'DAILY_LIMIT' })
  })

  test('a refusal is replayed for its key as well', async () => {
    const h = harness()
    const body = batchBody(h.merchants.main, [rowTo('404')], { onValidationFailure: 'BREAK' })
    const key = { 'idempotency-key': unique('key') }
    const first = await h.as(h.merchants.main, 'POST', BATCH, body, key)
    const again = await h.as(h.merchants.main, 'POST', BATCH, body, key)
    expect([first.status, again.text]).toEqual([400, first.text])
  })

  test('a name that differs from what the bank holds is shown with its score and does not stop the row', async () => {
    const h = harness()
    const made = await taken(h, h.merchants.main, [rowTo('7777', { destinationAccountName: 'Nobody Of This Name' })])
    const [row] = await rowsOf(h, h.merchants.main, made.batchReference)
    expect(row.nameMatch).toEqual({
      given: 'Nobody Of This Name',
      held: row.destinationAccountName,
      score: expect.any(Number),
    })
    await untilQuiet(h, 1)
    expect(await summary(h, h.merchants.main, made.batchReference)).toMatchObject({ successfulCount: 1 })
  })
})

describe('looking at batches', () => {
  test('both lists page in the same way, newest first, and show one merchant only; rows come in the order of the request', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const made: any[] = []
    for (let n = 0; n < 5; n += 1) made.unshift(await taken(h, merchant, rowsTo(3)))
    await untilQuiet(h, 1)
    const completed = made.map((batch) => ({ ...batch, batchStatus: 'COMPLETED' }))
    for (const path of [`${BULK}/transactions?`, `${BULK}?`, `${BULK}?sourceAccountNumber=${merchant.walletNumber}&`]) {
      const page = async (query: string) => (await h.as(merchant, 'GET', path + query)).json.responseBody
      expect(await page('pageNo=0&pageSize=2')).toMatchObject({
        content: completed.slice(0, 2),
        totalElements: 5,
        totalPages: 3,
        first: true,
        last: false,
      })
      expect(await page('pageNo=2&pageSize=2')).toMatchObject({ content: completed.slice(4), last: true, first: false })
      expect(await page('pageNo=3&pageSize=2')).toMatchObject({ content: [], last: true, empty: true })
      expect(await page('')).toMatchObject({ content: completed, size: 10 })
    }
    const wrong = await h.as(merchant, 'GET', `${BULK}?sourceAccountNumber=${h.merchants.main.walletNumber}`)
    expect([wrong.status, wrong.json.problem.code]).toEqual([400, 'WALLET_NOT_YOURS'])
    const [{ batchReference }] = made
    const all = await rowsOf(h, merchant, batchReference)
    const rowPage = async (query: string) =>
      (await h.as(merchant, 'GET', `${BULK}/${batchReference}/transactions?${query}`)).json.responseBody
    expect(await rowPage('pageNo=1&pageSize=2')).toMatchObject({ content: all.slice(2), last: true, totalElements: 3 })
    const single = await h.as(merchant, 'GET', `${SINGLE}/summary?reference=${all[0].reference}`)
    expect(single.json.responseBody, 'a row is a transfer too').toEqual(all[0])
  })

  test("404 BATCH_NOT_FOUND, the same for an unknown reference and another merchant's", async () => {
    const h = harness()
    const { batchReference } = await taken(h, h.merchants.other, rowsTo(1))
    for (const reference of [batchReference, unique('nothing')]) {
      for (const path of [`${BATCH}/summary?reference=${reference}`, `${BULK}/${reference}/transactions`]) {
        const answer = await h.as(h.merchants.main, 'GET', path)
        expect([answer.status, answer.json.problem.code, answer.json.responseCode]).toEqual([
          404,
          'BATCH_NOT_FOUND',
          'D02',
        ])
      }
    }
  })
})

// The last of the file: its rows stay where they are, and nobody has to wait for them.
describe('batches.initiate, as many rows as it takes', () => {
  test('5,000 rows are taken, one more is refused; a key replays the bytes and names what differs', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { walletKobo: 600_000_000n })
    const rows = rowsTo(5001)
    expect(await refused(h, merchant, batchBody(merchant, rows))).toMatchObject({ field: 'transactionList' })
    const body = batchBody(merchant, rows.slice(0, 5000))
    const key = { 'idempotency-key': unique('key') }
    const [first, again] = [
      await h.as(merchant, 'POST', BATCH, body, key),
      await h.as(merchant, 'POST', BATCH, body, key),
    ]
    expect(first.status, first.text).toBe(200)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await balances(h, merchant)).toMatchObject({ held: 505_000_000n })
    const other = await h.as(merchant, 'POST', BATCH, { ...body, transactionList: rows.slice(1) }, key)
    expect([other.status, other.json.problem.code]).toEqual([400, 'IDEMPOTENCY_MISMATCH'])
    expect(other.json.responseMessage).toContain('transactionList')
    const shown = await summary(h, merchant, body.batchReference)
    expect(shown).toMatchObject({ pendingCount: 5000, totalAmount: 5_000_000, totalFee: 50_000 })
  })
})
