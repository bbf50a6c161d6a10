import { BANK_PATHS, payoutNotice } from '@cowrie/contract/bank/connector'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { PAYOUT_CODES } from '@cowrie/contract/payouts/payout-codes'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { type Json, useBank } from '../../test/bank.ts'
import { payoutCalls } from '../../test/payouts.ts'

const bank = useBank()
const { call, signed, payoutNotices, moveClock } = bank
const { orderTo, newSession, send, order, inquire, bar, booked, statement, faults } = payoutCalls(bank)

const nextDueAt = async (): Promise<unknown> => (await signed('GET', BANK_PATHS.simulatorClock)).json['nextDueAt']
const words = (): unknown[] => payoutNotices.map(({ status }) => status)
const hundred = <T>(work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 100 }, (_, turn) => work(turn)))
const PAID = { status: 'SUCCESS', responseCode: '00', message: 'Approved or completed successfully' }
const BARRED = { status: 'FAILED', responseCode: '21', message: 'No action taken' }
const NOT_RECEIVED = { status: 'UNKNOWN', responseCode: '25', message: 'Unable to locate record' }
const NO_NOTICE = { nextDueAt: null, ran: 0 }

describe('an order', () => {
  test('SUCCESS at once for an ordinary account: booked to the kobo, and no notice beside the answer', async () => {
    const asked = orderTo('7788')
    expect(await order(asked)).toEqual({ sessionId: asked.sessionId, ...PAID })
    expect(await inquire(asked.sessionId)).toEqual({ sessionId: asked.sessionId, ...PAID })
    const { destinationBankCode, destinationAccountNumber, destinationAccountName, narration } = asked
    expect(await booked(asked.sessionId)).toEqual({
      sessionId: asked.sessionId,
      amount: '12500.50',
      ...{ destinationBankCode, destinationAccountNumber, destinationAccountName, narration },
      ...{ status: 'SUCCESS', responseCode: '00', asked: 1, paid: '12500.50', returned: '0.00' },
      ...{ paidAt: expect.any(String), reversedAt: null },
    })
    expect(await moveClock(100 * HOUR_SECONDS)).toEqual(NO_NOTICE)
    expect(payoutNotices).toEqual([])
  })

  test('again answers what has become of it, is counted, and pays nothing more', async () => {
    const asked = orderTo('7788')
    const first = await order(asked)
    for (let turn = 0; turn < 3; turn += 1) expect(await order(asked)).toEqual(first)
    expect(await booked(asked.sessionId)).toMatchObject({ asked: 4, paid: '12500.50' })
  })

  test('409 when a known session comes with other contents, whichever field differs; the first stays as it was', async () => {
    const asked = orderTo('7788')
    await order(asked)
    const changes = [
      ...[{ amount: '12500.51' }, { destinationBankCode: '057' }, { destinationAccountNumber: '0123457789' }],
      ...[{ destinationAccountName: 'Ada Obi' }, { narration: 'Week 19' }, { senderName: 'Another' }],
      { senderAccountNumber: '0112345679' },
    ]
    for (const change of changes) expect((await send({ ...asked, ...change })).status, JSON.stringify(change)).toBe(409)
    expect(await booked(asked.sessionId)).toMatchObject({ amount: '12500.50', paid: '12500.50', status: 'SUCCESS' })
    expect(await statement()).toHaveLength(1)
  })

  test('400 when it cannot be read, 401 without a signature; nothing is booked', async () => {
    const wrong = [
      ...[{ sessionId: '123' }, { sessionId: `${newSession()}\n` }, { amount: '0.00' }, { amount: '-5.00' }],
      ...[{ amount: '1.001' }, { amount: undefined }, { destinationAccountNumber: '12345' }, { narration: 7 }],
      ...[{ destinationBankCode: '' }, { destinationAccountName: '' }, { senderName: 'a\u0000b' }],
      { senderAccountNumber: null },
    ]
    for (const change of wrong) {
      const { status, json } = await send(orderTo('7788', change))
      expect([status, Object.keys(json)], JSON.stringify(change)).toEqual([400, ['error']])
    }
    for (const path of [BANK_PATHS.payouts, BANK_PATHS.payoutInquiries, BANK_PATHS.payoutBars])
      expect((await call('POST', path, orderTo('7788'))).status).toBe(401)
    for (const path of [BANK_PATHS.payoutInquiries, BANK_PATHS.payoutBars])
      expect((await signed('POST', path, { sessionId: 'x' })).status).toBe(400)
    expect(await statement()).toEqual([])
  })

  test('a hundred times at once is one payment and one answer', async () => {
    const asked = orderTo('7788')
    const answers = await hundred(() => order(asked))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await bank.query('select kind, kobo from payout_money')).toEqual([{ kind: 'PAID', kobo: '1250050' }])
    expect(await booked(asked.sessionId)).toMatchObject({ asked: 100, paid: '12500.50' })
  })

  test('a second payment under a session is refused by the table itself', async () => {
    const asked = orderTo('7788')
    await order(asked)
    const again = `insert into payout_money select session_id, kind, kobo, booked_at from payout_money`
    await expect(bank.query(again)).rejects.toMatchObject({ code: '23505' })
    const unsaid = `update payouts set status = 'FAILED'`
    await expect(bank.query(unsaid)).rejects.toMatchObject({ constraint: 'payout_paid_when_said' })
  })

  test('SIMULATOR_PAYOUT_MS is how long the bank takes', async () => {
    await bank.restart({ payoutMs: 150 })
    const began = Date.now()
    expect(await order(orderTo('7788'))).toMatchObject(PAID)
    expect(Date.now() - began).toBeGreaterThanOrEqual(149)
  })
})

describe('by the last digits of the account', () => {
  test('0001, 404 and an unknown bank: FAILED, with the words of the network, and nothing paid', async () => {
    for (const [asked, responseCode, message] of [
      [orderTo('0001'), '06', 'Dormant beneficiary account'],
      [orderTo('404'), '07', 'Invalid destination account number'],
      [orderTo('7788', { destinationBankCode: '999' }), '16', 'Unknown destination bank code'],
    ] as const) {
      const { sessionId } = asked
      expect(await order(asked)).toEqual({ sessionId, status: 'FAILED', responseCode, message })
      expect(await inquire(sessionId)).toMatchObject({ status: 'FAILED', responseCode })
      expect(PAYOUT_CODES[responseCode]).toBe(message)
      expect(await booked(sessionId)).toMatchObject({ paid: '0.00', paidAt: null })
    }
    expect(await moveClock(HOUR_SECONDS)).toEqual(NO_NOTICE)
  })

  test('0002: PENDING for two hours by the clock, then SUCCESS with a notice; the clock knows when', async () => {
    const asked = orderTo('0002')
    const before = Date.now()
    expect(await order(asked)).toMatchObject({ status: 'PENDING', responseCode: '09' })
    const due = Date.parse(String(await nextDueAt()))
    expect(due - before - 2 * HOUR_SECONDS * 1000).toBeGreaterThanOrEqual(0)
    expect(due - Date.now() - 2 * HOUR_SECONDS * 1000).toBeLessThanOrEqual(0)
    await moveClock(2 * HOUR_SECONDS - 60)
    expect(await inquire(asked.sessionId)).toMatchObject({ status: 'PENDING' })
    expect(await booked(asked.sessionId)).toMatchObject({ paid: '0.00' })
    expect(payoutNotices).toEqual([])
    await bank.restart()
    expect(await moveClock(2 * HOUR_SECONDS + 1)).toEqual({ nextDueAt: null, ran: 1 })
    const { sessionId } = asked
    expect(payoutNotices).toEqual([{ sessionId, ...PAID, at: new Date(due).toISOString() }])
    expect(Compile(payoutNotice.body).Check(payoutNotices[0])).toBe(true)
    expect(await order(asked)).toMatchObject(PAID)
    expect(await booked(sessionId)).toMatchObject({ paid: '12500.50', paidAt: new Date(due).toISOString() })
  })

  test('0002: an inquiry after the hour says SUCCESS also while the gateway takes no notice', async () => {
    bank.payoutStatus = 500
    const { sessionId } = await order(orderTo('0002'))
    await moveClock(2 * HOUR_SECONDS + 1)
    expect(await inquire(sessionId)).toMatchObject(PAID)
    expect(await booked(sessionId)).toMatchObject({ paid: '12500.50', status: 'SUCCESS' })
  })

  test('0003: SUCCESS, and two days later REVERSED with a notice; the money comes back once', async () => {
    const asked = orderTo('0003')
    expect(await order(asked)).toMatchObject(PAID)
    await moveClock(48 * HOUR_SECONDS - 60)
    expect(await inquire(asked.sessionId)).toMatchObject(PAID)
    const due = await nextDueAt()
    expect(await moveClock(48 * HOUR_SECONDS + 1)).toEqual({ nextDueAt: null, ran: 1 })
    expect(payoutNotices).toEqual([
      {
        ...{ sessionId: asked.sessionId, status: 'REVERSED', responseCode: '05' },
        ...{ message: 'Rejected by destination institution', at: due },
      },
    ])
    for (const answer of [await inquire(asked.sessionId), await order(asked), await bar(asked.sessionId)])
      expect(answer).toMatchObject({ status: 'REVERSED', responseCode: '05' })
    expect(await booked(asked.sessionId)).toMatchObject({
      ...{ status: 'REVERSED', paid: '12500.50', returned: '12500.50', reversedAt: due },
    })
  })

  test('0004 and 0005: no answer; an inquiry finds SUCCESS, or FAILED, and so does the order sent again', async () => {
    for (const [ending, found, paid] of [
      ['0004', PAID, '12500.50'],
      ['0005', { status: 'FAILED', responseCode: '97' }, '0.00'],
    ] as const) {
      const asked = orderTo(ending)
      const began = Date.now()
      await expect(send(asked)).rejects.toThrow('fetch failed')
      expect(Date.now() - began).toBeGreaterThanOrEqual(199)
      expect(await inquire(asked.sessionId)).toMatchObject(found)
      expect(await order(asked)).toMatchObject(found)
      expect(await booked(asked.sessionId)).toMatchObject({ paid, asked: 2 })
    }
  })

  test('0006: SUCCESS, and the notice of it twice, both with the gateway at the same moment', async () => {
    bank.payoutsTogether = 2
    const asked = orderTo('0006')
    expect(await order(asked)).toMatchObject(PAID)
    await expect.poll(words).toEqual(['SUCCESS', 'SUCCESS'])
    expect(payoutNotices[1]).toEqual(payoutNotices[0])
    expect(bank.payoutNoticesAtOnce).toBe(2)
    expect(await moveClock(HOUR_SECONDS)).toEqual(NO_NOTICE)
    expect(payoutNotices).toHaveLength(2)
  })
})

describe('a notice', () => {
  test('is sent again under the same session until the gateway takes it', async () => {
    bank.payoutStatus = 404
    const { sessionId } = await order(orderTo('0002'))
    expect(await moveClock(2 * HOUR_SECONDS + 1)).toMatchObject({ ran: 0 })
    bank.payoutStatus = 200
    await expect.poll(words).toEqual(['SUCCESS'])
    expect(payoutNotices[0]).toMatchObject({ sessionId })
    await bank.closeGateway()
    await order(orderTo('0006'))
    await bank.reopenGateway()
    await expect.poll(() => payoutNotices.length).toBe(3)
  })

  test('of a payout and of a credit are sent in the order of their time', async () => {
    const seen: string[] = []
    const { sessionId } = await order(orderTo('0002'))
    const { json } = await bank.pay({ scenario: 'delayed' })
    expect(await moveClock(600 + 1)).toMatchObject({ ran: 1 })
    seen.push(...bank.credits.map((credit) => String(credit['sessionId'])))
    expect(await moveClock(2 * HOUR_SECONDS + 1)).toMatchObject({ ran: 1 })
    seen.push(...payoutNotices.map((notice) => String(notice['sessionId'])))
    expect(seen).toEqual([json['sessionId'], sessionId])
  })
})

describe('a bar', () => {
  test('of a session the bank never received: FAILED, and the order that comes later is not paid', async () => {
    const asked = orderTo('7788')
    const { sessionId } = asked
    expect(await inquire(sessionId)).toEqual({ sessionId, ...NOT_RECEIVED })
    expect(await bar(sessionId)).toEqual({ sessionId, ...BARRED })
    expect(await order(asked)).toEqual({ sessionId, ...BARRED })
    expect(await inquire(sessionId)).toEqual({ sessionId, ...BARRED })
    expect(await bar(sessionId)).toEqual({ sessionId, ...BARRED })
    expect(await booked(sessionId)).toMatchObject({ amount: null, paid: '0.00', status: 'FAILED' })
  })

  test('of a pending payout: FAILED for ever, and the notice at its hour says so too', async () => {
    const asked = orderTo('0002')
    await order(asked)
    expect(await bar(asked.sessionId)).toMatchObject(BARRED)
    await moveClock(3 * HOUR_SECONDS)
    expect(await inquire(asked.sessionId)).toMatchObject(BARRED)
    expect(await order(asked)).toMatchObject(BARRED)
    expect(payoutNotices).toMatchObject([BARRED])
    expect(await booked(asked.sessionId)).toMatchObject({ paid: '0.00' })
  })

  test('of a pending payout whose hour has come is too late: SUCCESS', async () => {
    bank.payoutStatus = 500
    const { sessionId } = await order(orderTo('0002'))
    await moveClock(2 * HOUR_SECONDS + 1)
    expect(await bar(sessionId)).toMatchObject(PAID)
  })

  test('of a payout that is decided changes nothing: SUCCESS, or FAILED with its own code', async () => {
    const paid = await order(orderTo('7788'))
    const failed = await order(orderTo('0001'))
    expect(await bar(paid.sessionId)).toEqual(paid)
    expect(await bar(failed.sessionId)).toEqual(failed)
  })

  test('against its order, whoever comes first: both say the same, and the book says it too', async () => {
    const ends = await hundred(async (turn) => {
      const asked = orderTo('7788')
      const { sessionId } = asked
      if (turn % 5 === 0) await order(asked)
      if (turn % 5 === 1) await bar(sessionId)
      const [, barred] = await Promise.all([order(asked), bar(sessionId), order(asked)])
      return [barred, await inquire(sessionId), await booked(sessionId)] as const
    })
    for (const [barred, after, book] of ends) {
      expect(after).toEqual(barred)
      expect(book?.['paid']).toBe(barred.status === 'SUCCESS' ? '12500.50' : '0.00')
    }
    const paid = ends.filter(([barred]) => barred.status === 'SUCCESS').length
    expect(paid).toBeGreaterThanOrEqual(20)
    expect(paid).toBeLessThanOrEqual(80)
  })
})

describe('faults by seed', () => {
  /** Each order's answer, or none. */
  const run = (orders: readonly Json[]): Promise<(string | null)[]> =>
    Promise.all(
      orders.map((asked) =>
        order(asked).then(
          ({ status }) => status,
          () => null,
        ),
      ),
    )
  const orders = (): (Json & { sessionId: string })[] => Array.from({ length: 60 }, () => orderTo('7788'))

  test('lost: no answer, about half were paid and half never arrived; {} turns faults off, also for those sent again', async () => {
    expect((await faults({ seed: 7, lost: 1 })).json).toEqual({ seed: '7', lost: 1, late: 0, doubled: 0, reversed: 0 })
    const asked = orders()
    expect(new Set(await run(asked))).toEqual(new Set([null]))
    const found: string[] = []
    for (const { sessionId } of asked) found.push((await inquire(sessionId)).status)
    const paid = found.filter((status) => status === 'SUCCESS').length
    expect(found.filter((status) => status === 'UNKNOWN')).toHaveLength(60 - paid)
    expect(paid).toBeGreaterThan(15)
    expect(paid).toBeLessThan(45)
    const inBooks = (await statement()).map(({ sessionId }) => sessionId)
    expect(new Set(inBooks)).toEqual(
      new Set(asked.filter((_, at) => found[at] === 'SUCCESS').map(({ sessionId }) => sessionId)),
    )
    expect((await faults({})).json).toEqual({})
    expect(new Set(await run(asked))).toEqual(new Set(['SUCCESS']))
    expect((await statement()).every((payout) => payout['paid'] === '12500.50')).toBe(true)
  })

  test('late: answered PENDING, and seconds later the notice says SUCCESS or FAILED, as an inquiry does', async () => {
    await faults({ seed: 7, late: 1 })
    const asked = orders()
    expect(new Set(await run(asked))).toEqual(new Set(['PENDING']))
    expect(await moveClock(10)).toMatchObject({ nextDueAt: null })
    expect(payoutNotices).toHaveLength(60)
    const notified = new Map(payoutNotices.map(({ sessionId, status }) => [sessionId, status]))
    for (const { sessionId } of asked) expect((await inquire(sessionId)).status).toBe(notified.get(sessionId))
    expect(new Set(words())).toEqual(new Set(['SUCCESS', 'FAILED']))
  })

  test('doubled: SUCCESS, and the notice of it twice', async () => {
    await faults({ seed: 7, doubled: 1 })
    expect(new Set(await run(orders()))).toEqual(new Set(['SUCCESS']))
    // Rows, not messages: on a slow machine an attempt may run out of its time and be made again.
    const owed = () => bank.query('select count(*)::int as owed, count(taken_at)::int as taken from notices')
    await expect.poll(owed, { timeout: 8_000 }).toEqual([{ owed: 120, taken: 120 }])
    const received = Map.groupBy(payoutNotices, ({ sessionId }) => sessionId)
    expect(received.size).toBe(60)
    for (const [sessionId, notices] of received) expect(notices.length, String(sessionId)).toBeGreaterThanOrEqual(2)
    expect(new Set(words())).toEqual(new Set(['SUCCESS']))
  })

  test('reversed: answered SUCCESS; some REVERSED come before the answer, with a SUCCESS behind them', async () => {
    await faults({ seed: 7, reversed: 1 })
    const asked = orders()
    const notifiedBefore = new Set<unknown>()
    for (const one of asked) {
      expect(await order(one)).toMatchObject(PAID)
      if (payoutNotices.some(({ sessionId }) => sessionId === one.sessionId)) notifiedBefore.add(one.sessionId)
    }
    await moveClock(20)
    let overtaken = 0
    for (const { sessionId } of asked) {
      const notified = payoutNotices.filter((notice) => notice['sessionId'] === sessionId).map(({ status }) => status)
      const behind = notified.length === 2
      if (behind) overtaken += 1
      expect(notified).toEqual(behind ? ['REVERSED', 'SUCCESS'] : ['REVERSED'])
      expect(notifiedBefore.has(sessionId) || !behind, 'the notice of the reversal came before the answer').toBe(true)
      expect(await inquire(sessionId)).toMatchObject({ status: 'REVERSED' })
      expect(await booked(sessionId)).toMatchObject({ paid: '12500.50', returned: '12500.50' })
    }
    expect(overtaken).toBeGreaterThan(15)
    expect(overtaken).toBeLessThan(45)
  })

  test('the same seed and session have the same fate, another seed another; a restart keeps the faults', async () => {
    const shares = { lost: 0.25, late: 0.25, doubled: 0.25, reversed: 0.25 }
    const asked = orders()
    const fates = async (seed: unknown): Promise<string[]> => {
      await faults({ seed, ...shares })
      await bank.restart()
      const answers = await run(asked)
      const found: string[] = []
      for (const { sessionId } of asked) found.push((await inquire(sessionId)).status)
      await bank.query('truncate payouts, payout_money, notices')
      return answers.map((answer, at) => `${answer} ${found[at] === 'UNKNOWN'}`)
    }
    const first = await fates(7)
    expect(new Set(first)).toEqual(new Set(['null true', 'null false', 'PENDING false', 'SUCCESS false']))
    expect(await fates('7')).toEqual(first)
    expect(await fates(8)).not.toEqual(first)
  })

  test('shares are near what was asked for, and the rest is untouched', async () => {
    await faults({ seed: 3, late: 0.3 })
    const late = (await run(Array.from({ length: 200 }, () => orderTo('7788')))).filter((said) => said === 'PENDING')
    expect(late.length).toBeGreaterThan(35)
    expect(late.length).toBeLessThan(85)
  })

  test('an account with an ending of its own keeps it; 400 for an unknown fault', async () => {
    await faults({ seed: 7, lost: 1 })
    expect(await order(orderTo('0001'))).toMatchObject({ status: 'FAILED', responseCode: '06' })
    for (const wrong of [{ lost: 0.5 }, { seed: 1, lost: 1.1 }, { seed: 1, lost: -1 }, { seed: 1, lost: 'x' }])
      expect((await faults(wrong)).status, JSON.stringify(wrong)).toBe(400)
    for (const wrong of [
      { seed: 1, lost: 0.6, late: 0.6 },
      { seed: 1, slow: 0.1 },
      { seed: null, lost: 0.1 },
    ])
      expect((await faults(wrong)).status, JSON.stringify(wrong)).toBe(400)
  })

  test('they stand in the list of scenarios, with the endings', async () => {
    const list = (await call('GET', '/api/scenarios')).json as unknown as Json[]
    const names = list.map(({ name }) => name).filter((name) => String(name).startsWith('payout-'))
    expect(names).toEqual([
      ...['payout-0001', 'payout-0002', 'payout-0003', 'payout-0004', 'payout-0005', 'payout-0006'],
      ...['payout-404', 'payout-faults'],
    ])
  })
})

test('the books: one payout, the latest hundred, and the statement with all of them and their number', async () => {
  const asked = Array.from({ length: 103 }, () => orderTo('7788'))
  await Promise.all(asked.map(order))
  await order(orderTo('0001'))
  expect((await call('GET', '/api/payouts')).json).toHaveLength(100)
  const { json } = await call('GET', '/api/payouts/statement')
  expect(json).toMatchObject({ count: 104 })
  expect((await statement()).filter(({ paid }) => paid === '12500.50')).toHaveLength(103)
  expect((await call('GET', `/api/payouts?sessionId=${newSession()}`)).json).toEqual([])
})
