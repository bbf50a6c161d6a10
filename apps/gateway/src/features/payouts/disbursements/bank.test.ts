// What the bank says of a transfer, does not say, says twice or in the wrong order: it is sent once, its
// money goes one way, and what nobody knows stays held until somebody does.
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { ownWallet } from '#features/wallets/wallets/holders.ts'
import { events } from '#test/bank/notices.ts'
import {
  account,
  atBank,
  BANK_CODE,
  money,
  newMerchant,
  notify,
  order,
  paidTo,
  payoutFaults,
  SINGLE,
  sent,
  sentTo,
  statusOf,
  summary,
} from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { accountName } from '../../../../../simulator/src/kit/names.ts'
import { startWorker } from '../../../app.ts'
import { openGateway } from '../../../gateway.ts'
import { createAccept } from './acceptance/accept.ts'

const harness = useHarness()

const [UNTOUCHED, HELD, PAID] = [
  { wallet: 100_000n, hold: 0n, paid: 0n, fees: 0n },
  { wallet: 74_000n, hold: 26_000n, paid: 0n, fees: 0n },
  { wallet: 74_000n, hold: 0n, paid: 25_000n, fees: 1_000n },
]
const PAID_AND_BACK = ['ACCOUNT_ACTIVITY', 'SUCCESSFUL_DISBURSEMENT', 'REVERSED_DISBURSEMENT', 'ACCOUNT_ACTIVITY']
const payerOf = (h: Harness) => newMerchant(h, { naira: 1_000 })
const eventTypesOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string[]> =>
  (await events(h, merchant, reference)).map(({ eventType }) => eventType)

describe('by the ending of the account', () => {
  test('0001: FAILED with the words of the bank; amount and fee are back', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const result = await sentTo(h, payer, '0001')
    expect(result).toMatchObject({ status: 'FAILED', comment: 'Dormant beneficiary account' })
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    await advance(h, 1)
    expect(await eventTypesOf(h, payer, result.reference)).toEqual([
      ...['ACCOUNT_ACTIVITY', 'FAILED_DISBURSEMENT', 'ACCOUNT_ACTIVITY'],
    ])
    const [, , back] = await events(h, payer, result.reference)
    expect(back.body.eventData).toMatchObject({ amount: 260, balanceBefore: 740, balanceAfter: 1000 })
  })

  test('0002: PENDING with its money held for two hours of questions, then SUCCESS; sent once', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, status, sessionId, comment } = await sentTo(h, payer, '0002')
    expect({ status, comment }).toEqual({ status: 'PENDING', comment: 'Transaction processing in progress' })
    const before = await summary(h, payer, reference)
    expect(before.inquiry).toEqual({ questions: 0, nextQuestionAt: expect.any(String) })
    await advance(h, 2 * HOUR_SECONDS - 60)
    const during = await summary(h, payer, reference)
    expect(during).toMatchObject({ status: 'PENDING', sessionId })
    expect(during.inquiry.questions).toBeGreaterThan(3)
    expect(Date.parse(during.inquiry.nextQuestionAt)).toBeGreaterThan(h.gateway.ctx.clock.now().getTime())
    expect(await money(h, payer)).toMatchObject(HELD)
    await advance(h, 120)
    expect(await summary(h, payer, reference)).toMatchObject({ status: 'SUCCESS', sessionId })
    expect(await summary(h, payer, reference)).not.toHaveProperty('inquiry')
    expect(await money(h, payer)).toMatchObject(PAID)
    expect(await atBank(h, sessionId)).toMatchObject({ asked: 1, paid: '250.00' })
    await advance(h, 24 * HOUR_SECONDS)
    expect(await money(h, payer)).toMatchObject(PAID)
  })

  test('0003: SUCCESS, and two days later REVERSED: amount and fee are back, notified once', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, status } = await sentTo(h, payer, '0003')
    expect(status).toBe('SUCCESS')
    await advance(h, 48 * HOUR_SECONDS - 600)
    expect(await money(h, payer)).toMatchObject(PAID)
    await advance(h, 601)
    expect(await statusOf(h, payer, reference)).toBe('REVERSED')
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    expect(await eventTypesOf(h, payer, reference)).toEqual(PAID_AND_BACK)
  })

  test.each([
    ['0004', 'SUCCESS', 'Transaction successful', PAID],
    ['0005', 'FAILED', 'Transaction timed out while waiting for destination bank', UNTOUCHED],
  ])(
    '%s: no answer leaves it PENDING; the question under the same session finds %s',
    async (ending, end, words, after) => {
      const h = harness()
      const payer = await payerOf(h)
      const { reference, status, sessionId } = await sentTo(h, payer, ending)
      expect(status).toBe('PENDING')
      expect(await money(h, payer)).toMatchObject(HELD)
      await advance(h, 5)
      expect(await statusOf(h, payer, reference)).toBe('PENDING')
      await advance(h, 11)
      expect(await summary(h, payer, reference)).toMatchObject({
        status: end,
        sessionId,
        transactionDescription: words,
      })
      expect(await money(h, payer)).toMatchObject(after)
      expect(await atBank(h, sessionId)).toMatchObject({ asked: 1 })
    },
  )

  test('0006: notified twice at the same moment, beside the answer; paid once, reported once', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, sessionId } = await sentTo(h, payer, '0006')
    await advance(h, 1)
    expect(await statusOf(h, payer, reference)).toBe('SUCCESS')
    expect(await money(h, payer)).toMatchObject(PAID)
    expect(await atBank(h, sessionId)).toMatchObject({ asked: 1, paid: '250.00' })
    expect(await eventTypesOf(h, payer, reference)).toEqual(['ACCOUNT_ACTIVITY', 'SUCCESSFUL_DISBURSEMENT'])
  })
})

describe('bank.payout', () => {
  test('50 notices of a reversal at once: amount and fee are returned once', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, sessionId } = await sent(h, payer)
    const answers = await Promise.all(Array.from({ length: 50 }, () => notify(h, sessionId, 'REVERSED')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await statusOf(h, payer, reference)).toBe('REVERSED')
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    await advance(h, 1)
    expect(await eventTypesOf(h, payer, reference)).toEqual(PAID_AND_BACK)
  })

  test('REVERSED before SUCCESS: both happened, in this order, and the late SUCCESS changes nothing', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, sessionId } = await sentTo(h, payer, '0002')
    expect((await notify(h, sessionId, 'REVERSED')).status).toBe(200)
    expect(await statusOf(h, payer, reference)).toBe('REVERSED')
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    expect((await notify(h, sessionId, 'SUCCESS')).status).toBe(200)
    expect((await notify(h, sessionId, 'FAILED')).status).toBe(200)
    expect(await statusOf(h, payer, reference)).toBe('REVERSED')
    await advance(h, 1)
    expect(await eventTypesOf(h, payer, reference)).toEqual(PAID_AND_BACK)
    const versions = (await events(h, payer, reference)).map(({ objectVersion }) => objectVersion)
    expect(versions).toEqual([1, 2, 3, 3])
  })

  test('every word of the bank at once, 20 times each: one end, and the money follows it', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, sessionId } = await sentTo(h, payer, '0002')
    const words = Array.from(
      { length: 60 },
      (_, at) => (['FAILED', 'SUCCESS', 'REVERSED'] as const)[at % 3] as 'FAILED',
    )
    await Promise.all(words.map((word) => notify(h, sessionId, word)))
    const status = await statusOf(h, payer, reference)
    expect(['FAILED', 'REVERSED']).toContain(status)
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
  })

  test('a notice of a failure ends the wait; one after the success does not', async () => {
    const h = harness()
    const [payer, other] = [await payerOf(h), await payerOf(h)]
    const waiting = await sentTo(h, payer, '0002')
    await notify(h, waiting.sessionId, 'FAILED')
    expect(await summary(h, payer, waiting.reference)).toMatchObject({
      ...{ status: 'FAILED', transactionDescription: 'word of FAILED' },
    })
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    await notify(h, waiting.sessionId, 'SUCCESS') // somebody has to talk to the bank; the ledger does not move
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    const paid = await sent(h, other)
    await notify(h, paid.sessionId, 'FAILED')
    expect(await statusOf(h, other, paid.reference)).toBe('SUCCESS')
    expect(await money(h, other)).toMatchObject(PAID)
  })

  test('404 PAYOUT_UNKNOWN for a session of nobody, of this cell or of none', async () => {
    const h = harness()
    for (const sessionId of [`000013260502141500010000000007`, `000013260502141500990000000007`, '1'.repeat(30)]) {
      const { status, json } = await notify(h, sessionId, 'SUCCESS')
      expect([status, json.problem.code]).toEqual([404, 'PAYOUT_UNKNOWN'])
    }
  })
})

describe('a bank that does not answer, or does not know the payment', () => {
  test('200 PENDING within about three seconds when the bank holds the line for longer', async () => {
    const h = harness()
    const payer = await payerOf(h)
    // The database of the bank is what is slow here: its rows are locked, so that neither order nor question
    // is answered.
    const url = h.databases['01'].replace(/_01$/, '_simulator')
    const lock = new pg.Client({ connectionString: url })
    await lock.connect()
    const started = Date.now()
    try {
      await lock.query('begin; lock table payouts in access exclusive mode')
      const result = await sent(h, payer)
      const took = Date.now() - started
      expect(result.status).toBe('PENDING')
      expect(took).toBeGreaterThan(2_500)
      expect(took).toBeLessThan(9_000) // and not the ten seconds after which the call to the bank is given up
      expect((await summary(h, payer, result.reference)).inquiry.questions).toBe(0)
      expect(await money(h, payer)).toMatchObject(HELD)
      await lock.query('rollback')
      // The answer was waited for all the same.
      await h.until('it is paid', async () => (await statusOf(h, payer, result.reference)) === 'SUCCESS')
      expect(await atBank(h, result.sessionId)).toMatchObject({ asked: 1, paid: '250.00' })
    } finally {
      await lock.end()
    }
  })

  test('paid and reversed, received at once, is one step: if its second half cannot be written, neither is the first', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference, sessionId } = await sentTo(h, payer, '0004')
    await h.sql(
      '01',
      `create function planted() returns trigger language plpgsql as $$ begin
         if new.status = 'REVERSED' then raise exception 'planted'; end if; return new; end $$;
       create trigger planted before update on disbursements for each row execute function planted()`,
    )
    try {
      expect((await notify(h, sessionId, 'REVERSED')).status).toBe(500)
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    expect([await statusOf(h, payer, reference), await money(h, payer)]).toMatchObject(['PENDING', HELD])
    // Its timer is still there, and the next word ends it.
    expect((await notify(h, sessionId, 'REVERSED')).status).toBe(200)
    expect([await statusOf(h, payer, reference), await money(h, payer)]).toMatchObject(['REVERSED', UNTOUCHED])
    await advance(h, 20)
    expect(await eventTypesOf(h, payer, reference)).toEqual(PAID_AND_BACK)
  })

  test('200 SUCCESS also when the answer cannot be kept for its key: the money is out', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const fault = `create function planted() returns trigger language plpgsql as $$ begin
        if new.status is not null then raise exception 'planted'; end if; return new; end $$;
      create trigger planted before update on requests for each row execute function planted()`
    await h.sql('01', fault)
    try {
      const answer = await h.as(payer, 'POST', SINGLE, order(payer), { 'idempotency-key': unique('key') })
      expect([answer.status, answer.json.responseBody?.status]).toEqual([200, 'SUCCESS'])
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    expect(await money(h, payer)).toMatchObject(PAID)
  })

  test('200 PENDING when the end cannot be written: the order is out, and the question finds what became of it', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const fault = `create function planted() returns trigger language plpgsql as $$ begin raise exception 'planted'; end $$;
      create trigger planted before insert on state_changes for each row execute function planted()`
    await h.sql('01', fault)
    let result: any
    try {
      result = await sent(h, payer)
    } finally {
      await h.sql('01', 'drop function planted() cascade')
    }
    expect(result.status).toBe('PENDING')
    expect(await money(h, payer)).toMatchObject(HELD)
    await advance(h, 16)
    expect(await summary(h, payer, result.reference)).toMatchObject({ status: 'SUCCESS', sessionId: result.sessionId })
    expect(await atBank(h, result.sessionId)).toMatchObject({ asked: 1, paid: '250.00' })
  })

  test('lost orders: half were paid, half never arrived; each ends as the bank has it, and none is sent twice', async () => {
    const h = harness()
    const payer = await newMerchant(h, { naira: 100_000 })
    await payoutFaults(h, { seed: 'lost orders', lost: 1 })
    let results: any[]
    try {
      results = await Promise.all(Array.from({ length: 16 }, () => sent(h, payer)))
    } finally {
      await payoutFaults(h, {})
    }
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['PENDING']))
    expect((await money(h, payer)).hold).toBe(16n * 26_000n)
    await advance(h, 16)
    const ends = { SUCCESS: 0, FAILED: 0 }
    for (const { reference, sessionId } of results) {
      const { status } = await summary(h, payer, reference)
      ends[status as keyof typeof ends] += 1
      const booked = await atBank(h, sessionId)
      expect(booked.status).toBe(status)
      expect(booked.asked).toBe(status === 'SUCCESS' ? 1 : 0)
      expect(booked.paid).toBe(status === 'SUCCESS' ? '250.00' : '0.00')
    }
    expect(ends.SUCCESS + ends.FAILED).toBe(16)
    expect(Math.min(ends.SUCCESS, ends.FAILED)).toBeGreaterThan(0)
    expect(await money(h, payer)).toMatchObject({ hold: 0n, paid: BigInt(ends.SUCCESS) * 25_000n })
  })

  const requestOf = (payer: TestMerchant, destination: string) => ({
    mode: 'NOW' as const,
    reference: `died-${destination}`,
    kobo: 25_000n,
    narration: 'Cloth',
    bankCode: BANK_CODE,
    accountNumber: destination,
    accountName: accountName(BANK_CODE, destination) ?? '',
    givenName: 'Ada',
    nameScore: 90,
    senderInfo: null,
    codeDigest: null,
    codeExpires: null,
    claim: null,
    filing: () => null,
    merchant: {
      id: payer.id,
      name: payer.name,
      cell: payer.cell,
      contracts: [payer.contractCode],
      fees: new Map(),
      wallet: { accountNumber: payer.walletNumber, bankCode: payer.walletBankCode },
      transfers: {
        approved: true,
        otp: false,
        perTransferKobo: 10n ** 9n,
        perDayKobo: 10n ** 9n,
        lowBalanceKobo: null,
      },
    } as never,
    wallet: ownWallet({ id: payer.id, wallet: { accountNumber: payer.walletNumber, bankCode: payer.walletBankCode } }),
  })

  test('a process that dies between commit and order: FAILED by the timer, money back, and barred at the bank', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const destination = account()
    const { reference, session_id: sessionId } = await createAccept(h.gateway.ctx)('01', requestOf(payer, destination))
    expect(await summary(h, payer, reference)).toMatchObject({ status: 'PENDING', sessionId })
    expect(await money(h, payer)).toMatchObject(HELD)
    expect(await atBank(h, sessionId as string)).toBeNull()
    await advance(h, 16)
    expect(await summary(h, payer, reference)).toMatchObject({ status: 'FAILED', sessionId })
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
    // The order that was on its way all the time is not paid any more.
    const late = await h.gateway.ctx.bank.sendPayout({
      sessionId: sessionId as string,
      amount: '250.00',
      destinationBankCode: BANK_CODE,
      destinationAccountNumber: destination,
      destinationAccountName: 'Ada',
      narration: 'Cloth',
      senderName: payer.name,
      senderAccountNumber: payer.walletNumber,
    })
    expect(late).toMatchObject({ kind: 'yes', value: { status: 'FAILED', responseCode: '21' } })
    expect(await paidTo(h, destination)).toEqual([])
    expect(await atBank(h, sessionId as string)).toMatchObject({ status: 'FAILED', paid: '0.00' })
  })

  test('a bank that cannot be reached: PENDING and asked again in seconds; its money stays held', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { id, reference } = await createAccept(h.gateway.ctx)('01', requestOf(payer, account()))
    await h.sql('01', `update agenda set due_at = due_at - interval '1 minute' where subject = $1`, [id])
    await h.sql('01', `update disbursements set question_at = question_at - interval '1 minute' where id = $1`, [id])
    const config = { ...h.config, bankUrl: `http://127.0.0.1:${await freePort()}` }
    const gateway = await openGateway(config, 'test')
    const worker = startWorker(gateway, config)
    try {
      await h.until('it was asked', async () => (await summary(h, payer, reference)).inquiry?.questions === 1)
    } finally {
      await worker.stop()
      await gateway.close()
    }
    const { status, inquiry } = await summary(h, payer, reference)
    expect(status).toBe('PENDING')
    const inMs = Date.parse(inquiry.nextQuestionAt) - h.gateway.ctx.clock.now().getTime()
    expect(inMs).toBeLessThan(5_500)
    expect(await money(h, payer)).toMatchObject(HELD)
    await advance(h, 60)
    expect(await statusOf(h, payer, reference)).toBe('FAILED')
    expect(await money(h, payer)).toMatchObject(UNTOUCHED)
  })

  test('questions that overlap keep one chain of timers', async () => {
    const h = harness()
    const payer = await payerOf(h)
    const { reference } = await sentTo(h, payer, '0002')
    const timers = () =>
      h.sql(
        '01',
        `select a.due_at from agenda a join disbursements d on d.id = a.subject
          where d.reference = $1 and a.kind = 'disbursements.look'`,
        [reference],
      )
    // A worker that asked and died before it put its timer away leaves it to the next.
    await h.sql(
      '01',
      `insert into agenda (kind, merchant_id, subject, due_at) select a.kind, a.merchant_id, a.subject, a.due_at + interval '1 second'
        from agenda a join disbursements d on d.id = a.subject where d.reference = $1`,
      [reference],
    )
    expect(await timers()).toHaveLength(2)
    await advance(h, 20)
    expect(await timers()).toHaveLength(1)
    expect((await summary(h, payer, reference)).inquiry.questions).toBe(1)
  })
})
