import { CARD_REFUND_PATHS, cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { useBank } from '../../test/bank.ts'
import { cardRefundCalls } from '../../test/card-refunds.ts'
import { cardCalls } from '../../test/cards.ts'

const bank = useBank()
const { authorise, reverse } = cardCalls(bank)
const { orderOf, send, order, inquire, bar, booked } = cardRefundCalls(bank)

const DONE = { status: 'SUCCESS', responseCode: '00', message: 'Refunded' }
const charged = async (amount = '50000.00'): Promise<string> => (await authorise({ amount })).chargeReference
const notices = (): unknown[] => bank.schemeNotices.map(({ status }) => status)

describe('a refund to a card', () => {
  test('SUCCESS at once, booked to the kobo; again answers the same and refunds nothing more', async () => {
    const asked = orderOf(await charged(), '1250.50')
    const { sessionId } = asked
    for (let turn = 0; turn < 3; turn += 1) expect(await order(asked)).toEqual({ sessionId, ...DONE })
    expect(await inquire(sessionId)).toEqual({ sessionId, ...DONE })
    expect(await booked(sessionId)).toMatchObject({ asked: 3, refunded: '1250.50', returned: '0.00' })
    expect(notices()).toEqual([])
  })

  test('parts up to what was taken; a kobo more is FAILED 13, and what failed makes no room but takes none', async () => {
    const charge = await charged('1000.00')
    expect(await order(orderOf(charge, '600.00'))).toMatchObject(DONE)
    expect(await order(orderOf(charge, '400.01'))).toMatchObject({ status: 'FAILED', responseCode: '13' })
    expect(await order(orderOf(charge, '400.00'))).toMatchObject(DONE)
    expect(await order(orderOf(charge, '0.01'))).toMatchObject({ status: 'FAILED', responseCode: '13' })
  })

  test('fifty parts at once of which seven fit: seven', async () => {
    const charge = await charged('1000.00')
    const answers = await Promise.all(Array.from({ length: 50 }, () => order(orderOf(charge, '130.00'))))
    expect(answers.filter(({ status }) => status === 'SUCCESS')).toHaveLength(7)
    expect(await bank.query('select sum(kobo)::int as kobo from card_refund_money')).toEqual([{ kobo: 91_000 }])
  })

  test('FAILED 12 for a charge that is unknown, declined or reversed', async () => {
    const declined = (await authorise({ amount: '3951.39' })).chargeReference
    const back = await charged()
    await reverse(back)
    for (const charge of ['CHARGE-unknown', declined, back])
      expect(await order(orderOf(charge, '100.00'))).toMatchObject({ status: 'FAILED', responseCode: '12' })
  })

  test('409 when a session comes with other contents; 400 when it cannot be read; 401 without a signature', async () => {
    const asked = orderOf(await charged(), '100.00')
    await order(asked)
    for (const more of [{ amount: '100.01' }, { chargeReference: 'other' }, { narration: 'x' }])
      expect((await send({ ...asked, ...more })).status).toBe(409)
    for (const more of [{ sessionId: '1' }, { amount: '0.00' }, { chargeReference: '' }, { merchantName: 7 }])
      expect((await send({ ...asked, ...more })).status).toBe(400)
    for (const path of [CARD_REFUND_PATHS.refunds, CARD_REFUND_PATHS.inquiries, CARD_REFUND_PATHS.bars])
      expect((await bank.call('POST', path, asked)).status).toBe(401)
  })

  test('a hundred times at once is one refund', async () => {
    const asked = orderOf(await charged(), '100.00')
    const answers = await Promise.all(Array.from({ length: 100 }, () => order(asked)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await bank.query('select kind, kobo from card_refund_money')).toEqual([{ kind: 'REFUNDED', kobo: '10000' }])
  })
})

describe('by the amount', () => {
  test('39NN.39 is FAILED with the code NN', async () => {
    const charge = await charged()
    expect(await order(orderOf(charge, '3957.39'))).toMatchObject({ status: 'FAILED', responseCode: '57' })
    expect(await order(orderOf(charge, '3911.39'))).toMatchObject(DONE)
  })

  test('3901.38 and 3902.38: no answer; an inquiry finds it refunded, or refused', async () => {
    const charge = await charged()
    for (const [amount, found, refunded] of [
      ['3901.38', DONE, '3901.38'],
      ['3902.38', { status: 'FAILED', responseCode: '91' }, '0.00'],
    ] as const) {
      const asked = orderOf(charge, amount)
      await expect(send(asked)).rejects.toThrow('fetch failed')
      expect(await inquire(asked.sessionId)).toMatchObject(found)
      expect(await booked(asked.sessionId)).toMatchObject({ refunded })
    }
  })

  test('3903.38: never received; a bar makes it FAILED for ever', async () => {
    const asked = orderOf(await charged(), '3903.38')
    await expect(send(asked)).rejects.toThrow('fetch failed')
    expect(await inquire(asked.sessionId)).toMatchObject({ status: 'UNKNOWN', responseCode: '25' })
    for (const answer of [await bar(asked.sessionId), await order(asked), await inquire(asked.sessionId)])
      expect(answer).toMatchObject({ status: 'FAILED', responseCode: '21' })
  })

  test.each([
    ['3905.38', 'SUCCESS', '3905.38'],
    ['3906.38', 'FAILED', '0.00'],
  ])('%s: PENDING for two hours, then %s with a notice, also after a restart', async (amount, end, refunded) => {
    const asked = orderOf(await charged(), amount)
    expect(await order(asked)).toMatchObject({ status: 'PENDING', responseCode: '09' })
    await bank.moveClock(2 * HOUR_SECONDS - 60)
    expect(await inquire(asked.sessionId)).toMatchObject({ status: 'PENDING' })
    await bank.restart()
    expect(await bank.moveClock(2 * HOUR_SECONDS + 1)).toEqual({ nextDueAt: null, ran: 1 })
    expect(notices()).toEqual([end])
    expect(Compile(cardRefundNotice.body).Check(bank.schemeNotices[0])).toBe(true)
    expect(await booked(asked.sessionId)).toMatchObject({ status: end, refunded })
  })

  test('3905.38 that is barred meanwhile is FAILED, and so says its notice', async () => {
    const asked = orderOf(await charged(), '3905.38')
    await order(asked)
    expect(await bar(asked.sessionId)).toMatchObject({ status: 'FAILED', responseCode: '21' })
    await bank.moveClock(2 * HOUR_SECONDS + 1)
    expect(notices()).toEqual(['FAILED'])
    expect(await booked(asked.sessionId)).toMatchObject({ refunded: '0.00' })
  })

  test('3907.38: SUCCESS, and its notice twice; 3908.38: reversed two days later, once', async () => {
    const charge = await charged()
    await order(orderOf(charge, '3907.38'))
    await expect.poll(notices).toEqual(['SUCCESS', 'SUCCESS'])
    const asked = orderOf(charge, '3908.38')
    expect(await order(asked)).toMatchObject(DONE)
    await bank.moveClock(48 * HOUR_SECONDS + 1)
    expect(notices()).toEqual(['SUCCESS', 'SUCCESS', 'REVERSED'])
    expect(await booked(asked.sessionId)).toMatchObject({ refunded: '3908.38', returned: '3908.38' })
  })
})
