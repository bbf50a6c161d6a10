// Batches in a crowd: many at once on one wallet, several workers on one batch, workers that die, notices of
// progress.
import { SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import { describe, expect, test } from 'vitest'
import type { DueRow } from '#core/agenda.ts'
import type { Ctx } from '#kit/ctx.ts'
import { addEndpoint } from '#test/features/events/events.ts'
import {
  type AskedRow,
  addsUp,
  authorise,
  BATCH,
  balances,
  bankBooks,
  batchBody,
  codesMailed,
  newMerchant,
  rowsOf,
  rowsTo,
  rowTo,
  SINGLE,
  summary,
  taken,
  untilQuiet,
} from '#test/features/payouts/batches.ts'
import { type Answer, advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { createPayouts } from './bank.ts'
import { payoutsDue } from './disbursements.due.ts'
import { percentNotified } from './progress.ts'

const harness = useHarness()
const codeOf = ({ status, json }: Answer): string => (status === 200 ? 'TAKEN' : json.problem.code)
const tally = (words: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length]))

/** The progress that a batch notified, in the order of its events. */
const progressOf = async (h: Harness, reference: string): Promise<{ percentDone: number; pendingCount: number }[]> =>
  (
    await h.sql(
      '01',
      `select event_body(shape, body) as body from events where type = 'BATCH_PROGRESS' and object = $1 order by id`,
      [reference],
    )
  ).map(({ body }) => JSON.parse(body).eventData)

describe('many at once', () => {
  test('twenty batches of 1,000 rows on a wallet for ten: ten are taken whole, ten leave nothing', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true, walletKobo: 10n * 1000n * 101_000n })
    const bodies = Array.from({ length: 20 }, () => batchBody(merchant, rowsTo(1000)))
    const answers = await Promise.all(bodies.map((body) => h.as(merchant, 'POST', BATCH, body)))
    expect(tally(answers.map(codeOf))).toEqual({ TAKEN: 10, INSUFFICIENT_FUNDS: 10 })
    expect(await balances(h, merchant)).toEqual({ wallet: 0n, held: 1_010_000_000n })
    const rows = await h.sql('01', 'select count(*)::int as rows from disbursements where merchant_id = $1', [
      merchant.id,
    ])
    expect(rows).toEqual([{ rows: 10_000 }])
    await untilQuiet(h, 86_401)
    expect(await balances(h, merchant), 'they expire, thousands of rows each').toEqual({
      wallet: 1_010_000_000n,
      held: 0n,
    })
  })

  test('one reference, twenty batches at once: one is taken', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const batchReference = unique('batch')
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        h.as(merchant, 'POST', BATCH, batchBody(merchant, rowsTo(3), { batchReference })),
      ),
    )
    expect(tally(answers.map(codeOf))).toEqual({ TAKEN: 1, TRANSFER_REFERENCE_USED: 19 })
    expect(await balances(h, merchant)).toMatchObject({ held: 303_000n })
    expect(await codesMailed(h, merchant)).toHaveLength(1)
  })

  test('one key, ten requests at once: one batch; the others are answered that it is under way, or get its bytes', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const body = batchBody(merchant, rowsTo(3))
    const key = { 'idempotency-key': unique('key') }
    const answers = await Promise.all(Array.from({ length: 10 }, () => h.as(merchant, 'POST', BATCH, body, key)))
    const good = answers.filter(({ status }) => status === 200)
    expect(new Set(good.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ status }) => status !== 200).map(codeOf)).toEqual(
      Array.from({ length: 10 - good.length }, () => 'IDEMPOTENCY_IN_FLIGHT'),
    )
    expect(await balances(h, merchant)).toMatchObject({ held: 303_000n })
  })

  test('a row and a single transfer with the same reference at once: one of them, whole', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { wallet } = await balances(h, merchant)
    const words: string[] = []
    for (let round = 0; round < 10; round += 1) {
      const row = rowTo()
      const path = `/api/v1/disbursements/account/validate?accountNumber=${row.destinationAccountNumber}&bankCode=058`
      const name = (await h.as(merchant, 'GET', path)).json.responseBody.accountName
      const single = { ...row, destinationAccountName: name, sourceAccountNumber: merchant.walletNumber, async: true }
      const answers = await Promise.all([
        h.as(merchant, 'POST', BATCH, batchBody(merchant, [rowTo(), row])),
        h.as(merchant, 'POST', SINGLE, single),
      ])
      const codes = answers.map(codeOf)
      expect(tally(codes)).toEqual({ TAKEN: 1, TRANSFER_REFERENCE_USED: 1 })
      words.push(codes[0] === 'TAKEN' ? 'batch' : 'single')
    }
    const { batch = 0, single = 0 } = tally(words)
    expect(await balances(h, merchant)).toMatchObject({ wallet: wallet - 101_000n * BigInt(2 * batch + single) })
    await untilQuiet(h, 1)
    expect(await balances(h, merchant)).toMatchObject({ held: 0n })
  })
})

describe('working off', () => {
  test('two workers, 300 rows, every ending of the bank: each row once, and the summary adds up at every look', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const { wallet } = await balances(h, merchant)
    await addEndpoint(h, merchant, h.receiverUrl('/progress'), ['BATCH_PROGRESS'])
    const special = ['0001', '0002', '0003', '0004', '0005', '0006']
    const list = [...special.flatMap((ending) => rowsTo(10, ending)), ...rowsTo(240)]
    const workers = [h.startWorker(), h.startWorker()]
    const made = await taken(h, merchant, list, { notificationInterval: 10 })
    let looks = 0
    const seen = await h.until(
      'the rows that the bank answers at once',
      async () => {
        const shown = await summary(h, merchant, made.batchReference)
        addsUp(shown)
        looks += 1
        return shown.pendingCount <= 30 && shown
      },
      30_000,
    )
    expect(looks).toBeGreaterThan(1)
    expect(seen).toMatchObject({ batchStatus: 'AWAITING_PROCESSING', successfulCount: 260, failedCount: 10 })
    await advance(h, 60) // the silent ones are asked about
    const asked = await summary(h, merchant, made.batchReference)
    addsUp(asked)
    expect(asked).toMatchObject({
      pendingCount: 10,
      successfulCount: 270,
      failedCount: 20,
      batchStatus: 'AWAITING_PROCESSING',
    })
    await advance(h, 7200)
    const done = await summary(h, merchant, made.batchReference)
    expect(done).toMatchObject({ pendingCount: 0, successfulCount: 280, failedCount: 20, batchStatus: 'COMPLETED' })
    await untilQuiet(h)
    const after = await summary(h, merchant, made.batchReference)
    addsUp(after)
    expect(after).toMatchObject({ successfulCount: 270, failedCount: 30, batchStatus: 'COMPLETED' })
    for (const worker of workers) await worker.stop()

    const rows = await rowsOf(h, merchant, made.batchReference)
    expect(rows.map((row) => row.reference)).toEqual(list.map((row) => row.reference))
    expect(tally(rows.map((row) => row.status))).toEqual({ SUCCESS: 270, FAILED: 20, REVERSED: 10 })
    expect(new Set(rows.map((row) => row.sessionId)).size).toBe(300)
    const books = await bankBooks(h)
    for (const row of rows) {
      const [booked, ...more] = books.get(row.destinationAccountNumber) ?? []
      expect(more, 'one payout per row').toEqual([])
      const paid = row.status === 'FAILED' ? '0.00' : '1000.00'
      const returned = row.status === 'REVERSED' ? '1000.00' : '0.00'
      expect(booked, `${row.destinationAccountNumber} ${row.status}`).toMatchObject({ asked: 1, paid, returned })
    }
    expect(await balances(h, merchant)).toEqual({ wallet: wallet - 270n * 101_000n, held: 0n })

    const notified = await progressOf(h, made.batchReference)
    const percents = notified.map(({ percentDone }) => percentDone)
    expect(percents, 'steps of ten, each once, the end at the end').toEqual(
      [...new Set(percents)].sort((a, b) => a - b),
    )
    expect(percents.every((percent) => percent % 10 === 0)).toBe(true)
    expect(notified.at(-1)).toMatchObject({ percentDone: 100, pendingCount: 0, totalTransactionsCount: 300 })
    for (const { percentDone, pendingCount } of notified) {
      const percent = ((300 - pendingCount) * 100) / 300
      expect(percent >= percentDone && percent < percentDone + 10, `${percentDone} with ${pendingCount}`).toBe(true)
    }
    const delivered = h.received.filter(({ path }) => path === '/progress').map(({ body }) => body)
    expect(new Set(delivered.map(({ eventType }) => eventType))).toEqual(new Set(['BATCH_PROGRESS']))
    expect(delivered.map(({ eventData }) => eventData.percentDone)).toEqual(percents)
  })

  test('progress is reported in the steps that were asked for, and at the end; without an interval never', () => {
    const batch = (rows: number, notify_percent: number | null) => ({ rows, notify_percent })
    const steps = (rows: number, notify: number | null) => [
      ...new Set(Array.from({ length: rows + 1 }, (_, ended) => percentNotified(batch(rows, notify), rows - ended))),
    ]
    expect(steps(1000, 20)).toEqual([0, 20, 40, 60, 80, 100])
    expect(steps(1000, 50)).toEqual([0, 50, 100])
    expect(steps(7, 100)).toEqual([0, 100])
    expect(steps(1000, 30), 'an end that is not a step is notified too').toEqual([0, 30, 60, 90, 100])
    expect(steps(3, 1)).toEqual([0, 33, 66, 100])
    expect(steps(1000, 1)).toHaveLength(101)
    expect(steps(50, null)).toEqual([0])
    expect(percentNotified(batch(1000, 20), 801), 'a row before the step').toBe(0)
    expect(percentNotified(batch(1000, 20), 800), 'the row of the step').toBe(20)
  })

  test('rows that failed validation count as done; a batch that waits for its code tells nothing', async () => {
    const h = harness()
    const merchant = await newMerchant(h, { otp: true })
    const { batchReference } = await taken(h, merchant, [...rowsTo(5, '404'), ...rowsTo(5)], {
      notificationInterval: 20,
    })
    await advance(h, 60)
    expect(await progressOf(h, batchReference)).toEqual([])
    const [code = ''] = await codesMailed(h, merchant)
    expect((await authorise(h, merchant, batchReference, code)).status).toBe(200)
    await advance(h, 1)
    const notified = await progressOf(h, batchReference)
    expect(notified.every(({ percentDone }) => percentDone >= 60)).toBe(true)
    expect(notified.at(-1)).toMatchObject({ percentDone: 100, pendingCount: 0 })
  })

  test('a worker that dies after the claim, before the order or before the answer leaves no row without an end', async () => {
    const h = harness()
    const merchant = await newMerchant(h)
    const [claimed, unsent, unheard] = [rowsTo(10), rowsTo(10), rowsTo(10)]
    const made = await taken(h, merchant, [...claimed, ...unsent, ...unheard], { notificationInterval: 100 })
    await dieWith(h, merchant, unsent, () => STILL)
    await dieWith(h, merchant, unheard, async (order) => {
      await h.gateway.ctx.bank.sendPayout(order)
      return STILL
    })
    // All three had claimed their timers.
    const leased = new Date(h.gateway.ctx.clock.now().getTime() + 1_000)
    await h.sql('01', 'update agenda set lease_until = $2, attempts = 1 where merchant_id = $1 and kind = $3', [
      ...[merchant.id, leased, SEND_DISBURSEMENT],
    ])
    const before = await summary(h, merchant, made.batchReference)
    expect(before).toMatchObject({ pendingCount: 30, batchStatus: 'AWAITING_PROCESSING' })
    const worker = h.startWorker()
    await advance(h, 60)
    await worker.stop()
    const rows = await rowsOf(h, merchant, made.batchReference)
    const statusOf = (list: readonly AskedRow[]) =>
      tally(list.map(({ reference }) => rows.find((row) => row.reference === reference)?.status))
    expect(statusOf(claimed), 'claimed and not sent').toEqual({ SUCCESS: 10 })
    expect(statusOf(unsent), 'about to be sent: barred at the bank, then free').toEqual({ FAILED: 10 })
    expect(statusOf(unheard), 'sent and without an outcome').toEqual({ SUCCESS: 10 })
    expect(await summary(h, merchant, made.batchReference)).toMatchObject({ batchStatus: 'COMPLETED', failedCount: 10 })
    expect(await balances(h, merchant)).toMatchObject({ held: 0n })
    const books = await bankBooks(h)
    const paid = (list: readonly AskedRow[]) => list.flatMap((row) => books.get(row.destinationAccountNumber) ?? [])
    expect(paid(claimed).map((one) => [one.paid, one.asked])).toEqual(claimed.map(() => ['1000.00', 1]))
    expect(paid(unsent)).toEqual([])
    expect(paid(unheard).map((one) => [one.paid, one.asked])).toEqual(unheard.map(() => ['1000.00', 1]))
    expect((await progressOf(h, made.batchReference)).map(({ percentDone }) => percentDone)).toEqual([100])
  })
})

const STILL = new Promise<never>(() => undefined)

/** The step of a worker that never comes back from its call to the bank. */
async function dieWith(
  h: Harness,
  merchant: TestMerchant,
  list: readonly AskedRow[],
  sendPayout: Ctx['bank']['sendPayout'],
): Promise<void> {
  const { ctx, merchants } = h.gateway
  const timers = await h.sql<Record<keyof DueRow, string>>(
    '01',
    `select a.* from agenda a join disbursements d on d.id = a.subject where a.kind = $1 and d.merchant_id = $2 and d.reference = any($3)`,
    [SEND_DISBURSEMENT, merchant.id, list.map(({ reference }) => reference)],
  )
  const connectors = { ...ctx.connectors, of: () => ({ ...ctx.bank, sendPayout }) }
  const handler = payoutsDue(createPayouts({ ...ctx, connectors }, merchants))[SEND_DISBURSEMENT]
  if (!handler || typeof handler === 'function') throw new Error('rows are sent aside')
  void handler.run(ctx, '01' as never, timers.map((timer) => ({ ...timer, subject: BigInt(timer.subject) })) as never)
  await h.until('they are about to be sent', async () => {
    const [row] = await h.sql<{ count: number }>(
      '01',
      `select count(*)::int as count from disbursements where merchant_id = $1 and reference = any($2) and status = 'PENDING'`,
      [merchant.id, list.map(({ reference }) => reference)],
    )
    return row?.count === list.length
  })
}
