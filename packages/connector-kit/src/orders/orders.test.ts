import { PayoutOrder } from '@cowrie/contract/bank/connector'
import { describe, expect, test } from 'vitest'
import { createMapping } from '../../test/mapping.ts'
import { newOrder, newSession } from '../../test/samples.ts'
import { type Json, useStore } from '../../test/store.ts'
import { useUpstream } from '../../test/upstream.ts'
import { migrate } from '../database/database.ts'
import { CONTENTS } from './contents.ts'
import type { OrderMapping } from './mapping.ts'
import { createOrders, type OrderEvent, type OrderParts, type Orders } from './orders.ts'

const { store, another, query } = useStore()
const bank = useUpstream()
const mapping = createMapping(bank.url)

const events: OrderEvent[] = []
const open = (more: Partial<OrderParts> = {}): Orders =>
  createOrders({ ...store(), mapping, onEvent: (event) => events.push(event), ...more })
const rowOf = async (sessionId: string): Promise<Json> =>
  (await query(`select * from ${store().schema}.orders where session_id = '${sessionId}'`))[0] ?? {}

const said = (status: string, responseCode: string) => ({ status, responseCode })
const PAID = said('SUCCESS', '00')
const PENDING = said('PENDING', '09')
/** To an order about which the bank has not said a word. */
const SILENT = said('PENDING', '96')
const BARRED = said('FAILED', '21')
const UNKNOWN = said('UNKNOWN', '25')
const answered = (answer: Json) => ({ kind: 'answer', answer: expect.objectContaining(answer) })
const hundred = <T>(work: (turn: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 100 }, (_, turn) => work(turn)))

describe('an order', () => {
  test('is forwarded with what was ordered, and answered with what the bank says', async () => {
    const order = newOrder()
    expect(await open().order(order)).toEqual(answered(PAID))
    expect(bank.transfers).toEqual([{ ...order, reference: order.sessionId }])
    expect(await rowOf(order.sessionId)).toMatchObject({ state: 'KNOWN', status: 'SUCCESS', code: '00' })
    expect(await open().sessionOf({ bankReference: `B-${order.sessionId.slice(-6)}` })).toBe(order.sessionId)
  })

  test('is marked as forwarded in a commit of its own before the bank is called', async () => {
    const order = newOrder()
    const seen: Json[] = []
    const looking: OrderMapping = {
      ...mapping,
      forward: async (outgoing, limits) => {
        seen.push(await rowOf(order.sessionId)) // on another connection: it sees what is committed
        return mapping.forward(outgoing, limits)
      },
    }
    await open({ mapping: looking }).order(order)
    expect(seen).toEqual([expect.objectContaining({ state: 'FORWARDED', status: null })])
  })

  test('again gets the same answer, and is forwarded no more', async () => {
    const order = newOrder()
    for (let turn = 0; turn < 3; turn += 1) expect(await open().order(order)).toEqual(answered(PAID))
    expect(bank.times(order.sessionId)).toBe(1)
  })

  test('100 at once, of five processes: one order at the bank', async () => {
    const processes = Array.from({ length: 5 }, () => open(another()))
    const order = newOrder()
    const answers = await hundred((turn) => (processes[turn % 5] as Orders).order(order))
    expect(bank.times(order.sessionId)).toBe(1)
    for (const answer of answers) expect([PAID, PENDING, SILENT].map(answered)).toContainEqual(answer)
    expect(answers.filter((one) => one.kind === 'answer' && one.answer.status === 'SUCCESS').length).toBeGreaterThan(0)
    expect(await open().order(order)).toEqual(answered(PAID))
  })

  test.each(CONTENTS.filter((name) => name !== 'sessionId'))(
    'another %s under the same session is refused, also when the first is over',
    async (name) => {
      const order = newOrder()
      await open().order(order)
      const changed = { ...order, [name]: name === 'amount' ? '12500.51' : order[name].replace(/.$/, '7') }
      expect(await open().order(changed)).toEqual({ kind: 'other order' })
      expect(bank.transfers).toHaveLength(1)
    },
  )

  test('every field of the protocol is compared and forwarded; a new one must be decided on', () => {
    expect([...CONTENTS].sort()).toEqual(Object.keys(PayoutOrder.properties).sort())
  })

  test('goes to the bank under a reference of the adapter where it gives one', async () => {
    const reference = (sessionId: string) => `CW${sessionId.slice(-12)}`
    const orders = open({ mapping: { ...mapping, reference } })
    const order = newOrder()
    await orders.order(order)
    expect(bank.transfers).toMatchObject([{ reference: reference(order.sessionId) }])
    expect(await orders.sessionOf({ reference: reference(order.sessionId) })).toBe(order.sessionId)
    expect(await orders.sessionOf({ reference: 'CW' })).toBeNull()
  })

  test('without a reference is not recorded, so that it can be barred', async () => {
    const broken = {
      ...mapping,
      reference: () => {
        throw new Error('no table')
      },
    }
    const order = newOrder()
    await expect(open({ mapping: broken }).order(order)).rejects.toThrow('no table')
    expect(await open().inquire(order.sessionId)).toMatchObject(UNKNOWN)
  })
})

describe('what the bank says', () => {
  test('refused is FAILED, and stays so', async () => {
    bank.behaviour = 'refuse'
    const order = newOrder()
    expect(await open().order(order)).toEqual(answered(said('FAILED', '07')))
    bank.behaviour = 'pay'
    expect(await open().order(order)).toEqual(answered(said('FAILED', '07')))
    expect(bank.transfers).toEqual([])
  })

  test.each(['mute', 'deaf', 'html', 'strange'] as const)('%s is PENDING, never FAILED', async (behaviour) => {
    bank.behaviour = behaviour
    const order = newOrder()
    expect(await open().order(order)).toEqual(answered(SILENT))
    bank.behaviour = 'pay'
    const after = await open().inquire(order.sessionId)
    expect(after).toMatchObject(bank.times(order.sessionId) === 1 ? PAID : PENDING)
    expect(await open().order(order)).toEqual(answered(after))
    expect(bank.times(order.sessionId)).toBeLessThanOrEqual(1)
  })

  test('nothing for too long is PENDING; the answer counts when it comes, and the gateway is notified of it', async () => {
    bank.behaviour = 'hold'
    const notices: Json[] = []
    const notify = async (_db: unknown, notice: Json) => notices.push(notice)
    const orders = open({ answerWithinMs: 50, notify })
    const order = newOrder()
    expect(await orders.order(order)).toEqual(answered(SILENT))
    expect(bank.held).toHaveLength(1)
    for (const letGo of bank.held) letGo()
    await orders.idle()
    expect(await rowOf(order.sessionId)).toMatchObject({ status: 'SUCCESS' })
    expect(notices).toMatchObject([{ sessionId: order.sessionId, ...PAID }])
  })

  test('nothing at all ends the call after its limit, and is PENDING', async () => {
    bank.behaviour = 'hold'
    const orders = open({ callMs: 50 })
    expect(await orders.order(newOrder())).toEqual(answered(SILENT))
  })

  test('a question that is not answered keeps the next one waiting no longer than its own limit', async () => {
    bank.behaviour = 'wait'
    let questions = 0
    const ask: OrderMapping['ask'] = (order, limits) => {
      questions += 1
      return questions === 1 ? new Promise(() => undefined) : mapping.ask(order, limits)
    }
    const orders = open({ mapping: { ...mapping, ask }, answerWithinMs: 0, askMs: 50 })
    const order = newOrder()
    const { sessionId } = order
    await open().order(order)
    expect(await orders.inquire(sessionId)).toMatchObject(PENDING)
    bank.statuses.set(sessionId, 'PAID')
    await expect.poll(() => orders.inquire(sessionId)).toMatchObject(PAID)
  })

  const strange: readonly (readonly [string, unknown])[] = [
    ['of a kind that does not exist', { kind: 'declined', code: '05' }],
    ['with a status that does not exist', { kind: 'known', status: 'CANCELLED', code: '05' }],
    ['with a code that the network does not have', { kind: 'known', status: 'FAILED', code: 'E7' }],
    ['FAILED with the code of success', { kind: 'known', status: 'FAILED', code: '00' }],
    ['FAILED because the record is not found', { kind: 'known', status: 'FAILED', code: '25' }],
    ['refused because of a timeout', { kind: 'refused', code: '97' }],
  ]
  test.each(strange)('a result %s is PENDING', async (_name, result) => {
    const forward = async () => result as Awaited<ReturnType<OrderMapping['forward']>>
    expect(await open({ mapping: { ...mapping, forward } }).order(newOrder())).toEqual(answered(SILENT))
  })

  test('a question that is refused fails nothing', async () => {
    bank.behaviour = 'wait'
    const order = newOrder()
    const ask = async () => ({ kind: 'refused', code: '07' }) as unknown as Awaited<ReturnType<OrderMapping['ask']>>
    const orders = open({ mapping: { ...mapping, ask } })
    expect(await orders.order(order)).toEqual(answered(PENDING))
    expect(await orders.inquire(order.sessionId)).toMatchObject(PENDING)
  })
})

describe('an inquiry', () => {
  test('of an unknown session is UNKNOWN, and asks nobody', async () => {
    expect(await open().inquire(newSession())).toMatchObject(UNKNOWN)
    expect(bank.asked).toBe(0)
  })

  test.each([
    ['PAID', PAID],
    ['REJECTED', said('FAILED', '07')],
    ['RETURNED', said('REVERSED', '05')],
    ['QUEUED', PENDING],
    ['T99', PENDING],
  ] as const)('of a pending order gets what the bank says then: %s', async (status, answer) => {
    bank.behaviour = 'wait'
    const order = newOrder()
    await open().order(order)
    bank.statuses.set(order.sessionId, status)
    expect(await open().inquire(order.sessionId)).toMatchObject(answer)
  })

  test('of what may have been sent and is unknown at the bank stays PENDING', async () => {
    bank.behaviour = 'deaf'
    const order = newOrder()
    await open().order(order)
    for (let turn = 0; turn < 3; turn += 1) expect(await open().inquire(order.sessionId)).toMatchObject(PENDING)
    expect(await open().bar(order.sessionId)).toMatchObject(PENDING)
  })
})

describe('a bar', () => {
  test('before the order: FAILED, and the order that comes later is never forwarded', async () => {
    const order = newOrder()
    expect(await open().bar(order.sessionId)).toMatchObject(BARRED)
    expect(await open().order(order)).toEqual(answered(BARRED))
    expect(await open().inquire(order.sessionId)).toMatchObject(BARRED)
    store().clock.move(3_600_000)
    expect(await open().resume()).toBe(0)
    expect(bank.transfers).toEqual([])
  })

  test('of an accepted order that nobody forwarded: FAILED, and its contents are erased', async () => {
    const order = await accepted()
    expect(await open().bar(order.sessionId)).toMatchObject(BARRED)
    expect(await rowOf(order.sessionId)).toMatchObject({ state: 'BARRED', contents: null })
    expect(await open().order(order)).toEqual(answered(BARRED))
    expect(await open().order({ ...order, amount: '1.00' })).toEqual({ kind: 'other order' })
    store().clock.move(3_600_000)
    expect(await open().resume()).toBe(0)
    expect(bank.transfers).toEqual([])
  })

  test.each([
    ['PAID', PAID],
    ['QUEUED', PENDING],
    ['REJECTED', said('FAILED', '07')],
  ] as const)('after the order says what the bank says: %s', async (status, answer) => {
    bank.behaviour = 'mute'
    const order = newOrder()
    await open().order(order)
    bank.statuses.set(order.sessionId, status)
    expect(await open().bar(order.sessionId)).toMatchObject(answer)
  })

  test('racing with the order: paid, or barred and never paid', async () => {
    const processes = Array.from({ length: 4 }, () => open(another()))
    const ends = await hundred(async (turn) => {
      const order = newOrder()
      const [one, two] = [processes[turn % 4], processes[(turn + 1) % 4]] as [Orders, Orders]
      const both = [() => one.order(order), () => two.bar(order.sessionId)] as const
      await Promise.all(turn % 2 === 0 ? both.map((work) => work()) : both.toReversed().map((work) => work()))
      const { status } = await two.bar(order.sessionId)
      expect([status, bank.times(order.sessionId)]).toEqual(status === 'FAILED' ? ['FAILED', 0] : ['SUCCESS', 1])
      return status
    })
    expect(ends).toHaveLength(100)
  })

  test('the database itself refuses to forward what is barred', async () => {
    const { sessionId } = newOrder()
    await open().bar(sessionId)
    const forced = `update ${store().schema}.orders set state = 'FORWARDED', forwarded_at = $1 where session_id = $2`
    await expect(store().pool.query(forced, [store().clock.now(), sessionId])).rejects.toThrow('check constraint')
  })
})

/** An order of a process that died right after it was recorded. */
async function accepted() {
  const order = newOrder()
  const dying = open({
    mapping: { ...mapping, forward: () => new Promise(() => undefined) },
    answerWithinMs: 0,
    callMs: 3_600_000,
  })
  await dying.order(order)
  // It is answered at once: its mark, which is undone here, may come a moment later.
  await expect.poll(() => rowOf(order.sessionId)).toMatchObject({ state: 'FORWARDED' })
  await query(
    `update ${store().schema}.orders set state = 'ACCEPTED', forwarded_at = null where session_id = '${order.sessionId}'`,
  )
  return order
}

describe('what a process left behind', () => {
  test('is PENDING, and forwarded by the next one, once', async () => {
    const order = await accepted()
    expect(await open().inquire(order.sessionId)).toMatchObject(PENDING)
    expect(await open().resume()).toBe(0) // the process that accepted it may be about to
    store().clock.move(5_001)
    await hundred(() => open().resume())
    expect(bank.times(order.sessionId)).toBe(1)
    expect(await open().inquire(order.sessionId)).toMatchObject(PAID)
  })

  test('is forwarded no more once the bank has an outcome for it', async () => {
    const { sessionId } = await accepted()
    expect(await open().learn(sessionId, { kind: 'known', status: 'SUCCESS', code: '00' })).toBe('changed')
    store().clock.move(3_600_000)
    expect(await open().resume()).toBe(0)
    expect(await open().bar(sessionId)).toMatchObject(PAID)
    expect(bank.transfers).toEqual([])
  })

  test('is forwarded when the gateway orders it again', async () => {
    const order = await accepted()
    expect(await open().order(order)).toEqual(answered(PAID))
    expect(bank.times(order.sessionId)).toBe(1)
  })
})

describe('what the bank reports', () => {
  const known = (status: 'SUCCESS' | 'FAILED' | 'REVERSED', code: string) => ({ kind: 'known', status, code }) as const

  async function pending() {
    bank.behaviour = 'wait'
    const notices: Json[] = []
    const orders = open({ notify: async (_db, notice) => notices.push(notice) })
    const order = newOrder()
    await orders.order(order)
    return { orders, sessionId: order.sessionId, notices }
  }

  test('counts once, and the gateway is notified once', async () => {
    const { orders, sessionId, notices } = await pending()
    const learned = await hundred(() => orders.learn(sessionId, known('SUCCESS', '00')))
    expect(learned.filter((one) => one === 'changed')).toHaveLength(1)
    expect(notices).toEqual([{ sessionId, ...PAID, message: expect.any(String), at: expect.any(String) }])
  })

  test('REVERSED follows SUCCESS; a SUCCESS that comes after it changes nothing', async () => {
    const { orders, sessionId, notices } = await pending()
    for (const [status, code] of [
      ['SUCCESS', '00'],
      ['REVERSED', '05'],
      ['SUCCESS', '00'],
      ['REVERSED', '05'],
    ] as const)
      await orders.learn(sessionId, known(status, code))
    expect(notices.map(({ status }) => status)).toEqual(['SUCCESS', 'REVERSED'])
    expect(await orders.inquire(sessionId)).toMatchObject(said('REVERSED', '05'))
  })

  test('a contradiction changes nothing, is kept, and is reported', async () => {
    const { orders, sessionId, notices } = await pending()
    await orders.learn(sessionId, known('FAILED', '07'))
    expect(await orders.learn(sessionId, known('SUCCESS', '00'))).toBe('contradiction')
    expect(await orders.inquire(sessionId)).toMatchObject(said('FAILED', '07'))
    expect(await rowOf(sessionId)).toMatchObject({ contradicted_by: 'SUCCESS' })
    expect(events).toContainEqual({ kind: 'contradiction', sessionId, kept: 'FAILED', said: 'SUCCESS' })
    expect(notices).toHaveLength(1)
  })

  test('of a barred or an unknown session pays nothing', async () => {
    const orders = open()
    const { sessionId } = newOrder()
    expect(await orders.learn(sessionId, known('SUCCESS', '00'))).toBe('unknown session')
    await orders.bar(sessionId)
    expect(await orders.learn(sessionId, known('SUCCESS', '00'))).toBe('contradiction')
    expect(await orders.inquire(sessionId)).toMatchObject(BARRED)
  })

  test('a person settles what the bank says nothing about, by name', async () => {
    bank.behaviour = 'deaf'
    const order = newOrder()
    await open().order(order)
    expect(() => open().settle(order.sessionId, known('FAILED', '21'), ' ')).toThrow('must be named')
    expect(await open().settle(order.sessionId, known('FAILED', '21'), 'ada@example.com')).toBe('changed')
    expect(await open().inquire(order.sessionId)).toMatchObject(BARRED)
    expect(await rowOf(order.sessionId)).toMatchObject({ settled_by: 'ada@example.com', state: 'KNOWN' })
  })
})

describe('at rest', () => {
  const canary = { pin: 'pin-canary', cvv: 'cvv-canary', senderBvn: 'bvn-canary', card: { number: '4084084084084081' } }

  test('nothing but the fields of an order; no card number in its texts; nothing of a person once it is final', async () => {
    bank.behaviour = 'wait'
    const order = { ...newOrder({ narration: 'card 5531 8866 5214 2950 of Ada' }), ...canary }
    await open().order(order)
    const all = async () => JSON.stringify(await query(`select * from ${store().schema}.orders`))
    const kept = await all()
    for (const secret of ['canary', '4084084084084081', '5531886652142950', '5531 8866'])
      expect(kept).not.toContain(secret)
    expect(kept).toContain('0123456789')
    expect(bank.transfers).toMatchObject([{ narration: 'card [card number] of Ada' }])
    bank.statuses.set(order.sessionId, 'PAID')
    expect(await open().inquire(order.sessionId)).toMatchObject(PAID)
    const after = await all()
    for (const personal of ['0123456789', '0112345678', 'Ada', 'Adire', 'card number'])
      expect(after).not.toContain(personal)
  })
})

describe('the schema', () => {
  test('is made once by many processes at once; the name is checked', async () => {
    const schema = `${store().schema}_more`
    await hundred(() => migrate({ ...store(), schema }))
    expect(await query(`select count(*)::int as n from ${schema}.orders`)).toEqual([{ n: 0 }])
    await expect(migrate({ ...store(), schema: 'x; drop schema public' })).rejects.toThrow('short name')
  })

  test('of a newer kit is refused', async () => {
    await query(`insert into ${store().schema}.migrations values (99, 'x', '2026-11-18')`)
    await expect(migrate(store())).rejects.toThrow('newer version')
  })

  test('a mark is durable, whatever the login is set to', async () => {
    const order = newOrder()
    const lax = another()
    lax.pool.on('connect', (client) => void client.query('set synchronous_commit = off'))
    const seen: unknown[] = []
    await query(`create function ${store().schema}.seen() returns trigger language plpgsql as $$
      begin perform set_config('kit.seen', current_setting('synchronous_commit'), false); return new; end $$;
      create trigger seen after update on ${store().schema}.orders for each row when (new.state = 'FORWARDED')
      execute function ${store().schema}.seen()`)
    const client = await lax.pool.connect()
    client.release()
    const forward: OrderMapping['forward'] = async (outgoing, limits) => {
      seen.push(
        ...(
          await lax.pool.query(
            `select current_setting('kit.seen', true) as mark, current_setting('synchronous_commit') as now`,
          )
        ).rows,
      )
      return mapping.forward(outgoing, limits)
    }
    await open({ ...lax, mapping: { ...mapping, forward } }).order(order)
    expect(seen).toEqual([{ mark: 'on', now: 'off' }])
  })

  test('a bar and a refusal are durable too: what was answered FAILED must never be paid', async () => {
    const { schema } = store()
    const lax = another()
    lax.pool.on('connect', (client) => void client.query('set synchronous_commit = off'))
    await query(`create table ${schema}.seen (mode text);
      create function ${schema}.seen() returns trigger language plpgsql as $$
      begin insert into ${schema}.seen values (current_setting('synchronous_commit')); return new; end $$;
      create trigger seen after insert or update on ${schema}.orders for each row when (new.state = 'BARRED')
      execute function ${schema}.seen()`)
    const refusing = { ...mapping, prepare: async () => ({ kind: 'refused', code: '21' }) as const }
    const orders = open({ ...lax, mapping: refusing })
    expect(await orders.bar(newSession())).toMatchObject(BARRED)
    expect(await orders.order(newOrder())).toEqual(answered(BARRED))
    expect(await query(`select mode from ${schema}.seen`)).toEqual([{ mode: 'on' }, { mode: 'on' }])
  })
})
