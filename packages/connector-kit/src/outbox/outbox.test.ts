import type { CreditNotice, ReversalNotice } from '@cowrie/contract/bank/connector'
import { creditNotice, payoutNotice, reversalNotice } from '@cowrie/contract/bank/connector'
import { disputeNotice } from '@cowrie/contract/bank/v2/disputes'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { numberNotice } from '@cowrie/contract/bank/v2/numbers'
import { payoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { describe, expect, test } from 'vitest'
import { KEY, NEXT_KEY, useGateway } from '../../test/gateway.ts'
import { createMapping } from '../../test/mapping.ts'
import { newOrder, newSession } from '../../test/samples.ts'
import { useStore } from '../../test/store.ts'
import { useUpstream } from '../../test/upstream.ts'
import { inTransaction } from '../database/database.ts'
import { createLog } from '../log/log.ts'
import { createOrders } from '../orders/orders.ts'
import type { Notice } from './notices.ts'
import { createOutbox, type Outbox, type OutboxParts, pauseAfter } from './outbox.ts'

const { store, another, query } = useStore()
const gateway = useGateway()
const bank = useUpstream()
const lines: string[] = []
const realTime = { now: () => new Date() }

const open = (more: Partial<OutboxParts> = {}): Outbox => {
  const log = createLog({ name: 'test', clock: realTime, write: (line) => void lines.push(line) })
  return createOutbox({
    ...store(),
    gatewayUrl: gateway.url(),
    keys: () => [KEY],
    log,
    signingClock: realTime,
    ...more,
  })
}
type Credit = Extract<Notice, { kind: 'credit' }>
const creditOf = (more: Partial<CreditNotice> = {}): Credit => ({
  kind: 'credit',
  notice: {
    ...{ sessionId: newSession(), bankCode: '999', accountNumber: '0112345678', amount: '1000.50' },
    ...{ senderName: 'Ada Obi', senderAccountNumber: '0123456789', senderBankCode: '058', narration: 'Rent' },
    paidAt: '2026-11-18T02:00:00Z',
    ...more,
  },
})
const reversalOf = ({ notice }: Credit, more: Partial<ReversalNotice> = {}): Notice => ({
  kind: 'reversal',
  notice: {
    ...{ sessionId: notice.sessionId, reversalSessionId: newSession(), bankCode: '999', accountNumber: '0112345678' },
    ...{ amount: '1000.50', reason: 'Sent twice', at: '2026-11-18T03:00:00Z' },
    ...more,
  },
})
const payoutOf = (sessionId: string, status: 'SUCCESS' | 'FAILED' | 'REVERSED'): Notice => ({
  kind: 'payout',
  notice: {
    sessionId,
    status,
    responseCode: status === 'SUCCESS' ? '00' : '05',
    message: 'x',
    at: '2026-11-18T02:00:00Z',
  },
})
const rowsOf = () => query(`select * from ${store().schema}.notices order by id`)

describe('a notice', () => {
  test('is sent signed, to its own path, as it was given', async () => {
    const outbox = open()
    const credit = creditOf()
    const notices = [credit, reversalOf(credit), payoutOf(newSession(), 'SUCCESS')]
    for (const notice of notices) expect(await outbox.add(notice)).toBe('added')
    expect(await outbox.sendDue()).toBe(3)
    expect(gateway.received.map(({ path }) => path).sort()).toEqual(
      [creditNotice.path, payoutNotice.path, reversalNotice.path].sort(),
    )
    for (const { notice } of notices) expect(gateway.accepted()).toContainEqual(notice)
    expect(await outbox.sendDue()).toBe(0)
    expect(await outbox.waiting()).toEqual({ count: 0, oldest: null })
  })

  test('of a payout is of version 2 where it says more than version 1 has a place for; of a dispute there is one for each change', async () => {
    const outbox = open()
    const { pool } = store()
    const outcome = { status: 'SUCCESS', responseCode: '00', message: 'x', at: '2026-11-18T02:00:00Z' } as const
    const plain = { sessionId: newSession(), ...outcome }
    const more = { sessionId: newSession(), ...outcome, networkReference: 'NIP-1', fee: '10.75' }
    for (const notice of [plain, more]) expect(await outbox.notify(pool, notice)).toBe('added')
    const dispute = { chargeReference: 'C1', disputeReference: 'D1', amount: '5.00', at: '2026-11-18T02:00:00Z' }
    for (const state of ['OPENED', 'OPENED', 'LOST'] as const) await outbox.notifyDispute(pool, { ...dispute, state })
    expect(await outbox.sendDue()).toBe(4)
    const sent = (path: string) => gateway.received.filter((one) => one.path === path).map(({ message }) => message)
    expect(sent(payoutNotice.path)).toEqual([plain])
    expect(sent(payoutNoticeV2.path)).toEqual([more])
    expect(sent(disputeNotice.path)).toEqual([
      { ...dispute, state: 'OPENED' },
      { ...dispute, state: 'LOST' },
    ])
  })

  test('of a number that the bank has withdrawn is sent once, however often it is reported', async () => {
    const outbox = open()
    const gone = {
      accountNumber: '9900000001',
      bankCode: '101',
      state: 'WITHDRAWN',
      at: '2026-11-18T02:00:00Z',
    } as const
    const later = { ...gone, at: '2026-11-19T02:00:00Z' }
    const added = await Promise.all([gone, later, gone].map((notice) => outbox.notifyNumber(store().pool, notice)))
    expect(added.toSorted()).toEqual(['added', 'repeated', 'repeated'])
    expect(await outbox.sendDue()).toBe(1)
    expect(gateway.received.map(({ path }) => path)).toEqual([numberNotice.path])
  })

  test('is one, however often the bank reports it; another under its name is refused and logged', async () => {
    const outbox = open()
    const credit = creditOf()
    const added = await Promise.all(Array.from({ length: 50 }, () => outbox.add(credit)))
    expect(added.filter((one) => one === 'added')).toHaveLength(1)
    expect(added.filter((one) => one === 'repeated')).toHaveLength(49)
    await outbox.sendDue()
    expect(await outbox.add(credit)).toBe('repeated')
    expect(await outbox.add(creditOf({ ...credit.notice, amount: '9000.00' } as CreditNotice))).toBe('other')
    await outbox.sendDue()
    expect(gateway.received).toHaveLength(1)
    expect(lines.join('')).toContain('something else')
  })

  test('that the gateway would refuse for ever is refused at once', async () => {
    const outbox = open()
    await expect(outbox.add(creditOf({ senderAccountNumber: '123*****90' }))).rejects.toThrow('not as the protocol')
    await expect(outbox.add(creditOf({ amount: '10.005' }))).rejects.toThrow('not as the protocol')
    expect(await rowsOf()).toEqual([])
  })

  test('holds no identity number and no card number; once accepted nothing of a person', async () => {
    const outbox = open()
    const canary = { senderBvn: '22345678901', pin: 'pin-canary', narration: 'card 4084 0840 8408 4081' }
    await outbox.add(creditOf(canary as Partial<CreditNotice>))
    const kept = JSON.stringify(await rowsOf())
    for (const secret of ['22345678901', 'canary', '4084 0840']) expect(kept).not.toContain(secret)
    expect(kept).toContain('Ada Obi')
    await outbox.sendDue()
    const after = JSON.stringify(await rowsOf())
    for (const personal of ['Ada Obi', '0123456789', '0112345678']) expect(after).not.toContain(personal)
  })

  test('is made with its cause or not at all', async () => {
    const outbox = open()
    const failing = inTransaction(store().pool, async (client) => {
      await outbox.add(creditOf(), client)
      throw new Error('the cause failed')
    })
    await expect(failing).rejects.toThrow('the cause failed')
    expect(await rowsOf()).toEqual([])
  })
})

describe('a gateway that does not accept', () => {
  test.each([400, 404, 500, 503, 201, 302, null])(
    '%s: it is sent again after a pause that grows, until it does',
    async (status) => {
      const outbox = open()
      const { clock } = store()
      await outbox.add(creditOf())
      gateway.answer = () => status
      for (let attempt = 0; attempt < 9; attempt += 1) {
        expect(await outbox.sendDue()).toBe(0)
        expect(gateway.received).toHaveLength(attempt + 1)
        clock.move(pauseAfter(attempt) - 500)
        expect(await outbox.sendDue()).toBe(0)
        expect(gateway.received).toHaveLength(attempt + 1)
        clock.move(600)
      }
      expect((await outbox.waiting()).count).toBe(1)
      gateway.answer = () => 200
      expect(await outbox.sendDue()).toBe(1)
      expect(gateway.accepted()).toHaveLength(1)
    },
  )

  test('pauses grow to a quarter of an hour', () => {
    const pauses = Array.from({ length: 20 }, (_, attempts) => pauseAfter(attempts))
    expect(pauses).toEqual(pauses.toSorted((one, two) => one - two))
    expect([pauses[0], pauses.at(-1)]).toEqual([1_000, 900_000])
  })

  test('the other key is tried where the first is not accepted', async () => {
    const outbox = open({ keys: () => [NEXT_KEY, KEY] })
    await outbox.add(creditOf())
    expect(await outbox.sendDue()).toBe(1)
    gateway.keys = [NEXT_KEY]
    await outbox.add(creditOf())
    expect(await outbox.sendDue()).toBe(1)
    gateway.keys = ['a key that nobody here knows']
    await outbox.add(creditOf())
    expect(await outbox.sendDue()).toBe(0)
    expect((await outbox.waiting()).count).toBe(1)
  })

  test('one that waits holds up nothing but its own reference', async () => {
    const outbox = open()
    const credit = creditOf()
    await outbox.add(credit)
    await outbox.add(reversalOf(credit))
    gateway.answer = (message) => (message['sessionId'] === credit.notice.sessionId ? 404 : 200)
    const others = Array.from({ length: 40 }, () => creditOf())
    for (const notice of others) await outbox.add(notice)
    expect(await outbox.sendDue()).toBe(40)
    expect(gateway.received.map(({ path }) => path)).not.toContain(reversalNotice.path)
    gateway.answer = () => 200
    store().clock.move(2_000)
    expect(await outbox.sendDue()).toBe(2)
    expect(gateway.received.slice(-2).map(({ path }) => path)).toEqual([creditNotice.path, reversalNotice.path])
  })
})

describe('version 2', () => {
  const creditV2 = { reference: 'S-202611180001', bankCode: '101', accountNumber: '9900000000', amount: '1000.50' }
  const paidAt = '2026-11-18T02:00:00Z'
  const reversalV2 = { ...creditV2, reversalReference: 'R-1', reason: 'Sent twice', at: '2026-11-18T03:00:00Z' }

  test('as it came, once per reference, the reversal after its credit', async () => {
    const outbox = open()
    const notice = { ...creditV2, senderAccountNumber: '012****789', paidAt }
    expect(await outbox.add({ kind: 'creditV2', notice })).toBe('added')
    expect(await outbox.add({ kind: 'reversalV2', notice: reversalV2 })).toBe('added')
    expect(await outbox.add({ kind: 'creditV2', notice })).toBe('repeated')
    expect(await outbox.add({ kind: 'creditV2', notice: { ...notice, amount: '9000.50' } })).toBe('other')
    gateway.answer = () => 503
    expect(await outbox.sendDue()).toBe(0)
    expect(gateway.received.map(({ path }) => path)).toEqual([creditNoticeV2.path])
    gateway.answer = () => 200
    store().clock.move(2_000)
    expect(await outbox.sendDue()).toBe(2)
    const [credit, reversal] = gateway.received.filter(({ accepted }) => accepted)
    expect(credit).toMatchObject({ path: creditNoticeV2.path, message: notice })
    expect(reversal).toMatchObject({ path: reversalNoticeV2.path, message: reversalV2 })
  })

  test('what one version reported, the other does not report again; a reversal waits for a credit of either', async () => {
    const outbox = open()
    const credit = creditOf()
    await outbox.add(credit)
    const { sessionId: reference, ...same } = credit.notice
    expect(await outbox.add({ kind: 'creditV2', notice: { ...same, reference } })).not.toBe('added')
    await outbox.add({ kind: 'reversalV2', notice: { ...reversalV2, reference } })
    gateway.answer = (_message, path) => (path === creditNotice.path ? 503 : 200)
    expect(await outbox.sendDue()).toBe(0)
    expect(gateway.received).toHaveLength(1)
  })

  test('without the identity number; what the gateway would refuse for ever is refused at once', async () => {
    const outbox = open()
    const notice = { ...creditV2, paidAt, senderBvn: '22212345678', narration: 'card 5531886652142950' }
    await outbox.add({ kind: 'creditV2', notice })
    const stored = JSON.stringify(await rowsOf())
    for (const secret of ['22212345678', '5531886652142950']) expect(stored).not.toContain(secret)
    const odd = { ...creditV2, paidAt, reference: 'two words' }
    await expect(outbox.add({ kind: 'creditV2', notice: odd })).rejects.toThrow('not as the protocol')
  })
})

describe('many processes', () => {
  test('send each once while none dies, and those of one reference in their order', async () => {
    const boxes = Array.from({ length: 4 }, () => open(another()))
    const credits = Array.from({ length: 60 }, () => creditOf())
    for (const credit of credits) {
      await open().add(credit)
      await open().add(reversalOf(credit))
    }
    await Promise.all(boxes.map((outbox) => outbox.sendDue()))
    await open().sendDue()
    expect(gateway.received).toHaveLength(120)
    for (const { notice } of credits) {
      const mine = gateway.received.filter(({ message }) => message['sessionId'] === notice.sessionId)
      expect(mine.map(({ path }) => path)).toEqual([creditNotice.path, reversalNotice.path])
    }
  })

  test('a lease that nobody ended is over after a while', async () => {
    const { schema, clock } = store()
    await open().add(creditOf())
    const until = new Date(clock.now().getTime() + 30_000)
    await store().pool.query(`update ${schema}.notices set leased_until = $1`, [until])
    expect(await open().sendDue()).toBe(0)
    clock.move(30_001)
    expect(await open().sendDue()).toBe(1)
  })

  test('the loop sends what is added, and stops', async () => {
    const outbox = open()
    outbox.start()
    await outbox.add(creditOf())
    await expect.poll(() => gateway.received.length).toBe(1)
    await outbox.stop()
    await outbox.add(creditOf())
    expect((await outbox.waiting()).count).toBe(1)
  })
})

test('outcomes that the bank reports later reach the gateway, by webhook and by inquiry, twice and in any order', async () => {
  const outbox = open()
  const orders = createOrders({ ...store(), mapping: createMapping(bank.url), notify: outbox.notify })
  bank.behaviour = 'wait'
  const order = newOrder()
  const { sessionId } = order
  await orders.order(order)
  bank.statuses.set(sessionId, 'PAID')
  const success = { kind: 'known', status: 'SUCCESS', code: '00' } as const
  await Promise.all([
    orders.learn(sessionId, success),
    orders.inquire(sessionId),
    orders.learn(sessionId, success),
    orders.learn(sessionId, { kind: 'known', status: 'REVERSED', code: '05' }),
    orders.learn(sessionId, success),
  ])
  await outbox.sendDue()
  expect(await orders.inquire(sessionId)).toMatchObject({ status: 'REVERSED' })
  const said = gateway.accepted().map(({ status }) => status)
  expect(said.at(-1)).toBe('REVERSED')
  expect(new Set(said).size).toBe(said.length)
})
