// What is asked of a bank before an order can be sent, and what a bank says of an order beside its outcome.
import { expect, test } from 'vitest'
import { createMapping } from '../../test/mapping.ts'
import { newOrder } from '../../test/samples.ts'
import { type Json, useStore } from '../../test/store.ts'
import { useUpstream } from '../../test/upstream.ts'
import type { Forwarded, OrderMapping, Ready, Refused } from './mapping.ts'
import { createOrders, type OrderParts, type Orders } from './orders.ts'

const { store, another, query } = useStore()
const bank = useUpstream()
const plain = createMapping(bank.url)

type Prepare = NonNullable<OrderMapping['prepare']>
const ready: Prepare = async (order) => ({ kind: 'ready', forward: (limits) => plain.forward(order, limits) })
const refused =
  (code: string): Prepare =>
  async (): Promise<Ready | Refused> => ({ kind: 'refused', code })
const never: Prepare = () => new Promise(() => undefined)

const open = (prepare: Prepare, more: Partial<OrderParts> = {}): Orders =>
  createOrders({ ...store(), mapping: { ...plain, prepare }, ...more })
const rowOf = async (sessionId: string): Promise<Json> =>
  (await query(`select * from ${store().schema}.orders where session_id = '${sessionId}'`))[0] ?? {}
const answered = (status: string, responseCode: string, more: Json = {}) => ({
  kind: 'answer',
  answer: expect.objectContaining({ status, responseCode, ...more }),
})

test('it is asked before the order is marked, with the reference that the gateway sent; what it gives is called after', async () => {
  const order = newOrder()
  const seen: unknown[] = []
  const looking: Prepare = async (outgoing) => {
    seen.push((await rowOf(order.sessionId))['state'], outgoing.nameEnquiryReference)
    return {
      kind: 'ready',
      forward: async (limits) => {
        seen.push((await rowOf(order.sessionId))['state'])
        return plain.forward(outgoing, limits)
      },
    }
  }
  const how = { protocol: 2, nameEnquiryReference: 'NE-1' } as const
  expect(await open(looking).order(order, how)).toEqual(answered('SUCCESS', '00'))
  expect(seen).toEqual(['ACCEPTED', 'NE-1', 'FORWARDED'])
  expect(bank.times(order.sessionId)).toBe(1)
  expect(JSON.stringify(await rowOf(order.sessionId))).not.toContain('NE-1')
  // The reference is not part of the order.
  expect(await open(looking).order(order, { protocol: 2 })).toEqual(answered('SUCCESS', '00'))
})

test('what ends there has failed with its code, was never sent, and never will be', async () => {
  const order = newOrder()
  expect(await open(refused('07')).order(order)).toEqual(answered('FAILED', '07'))
  expect(await rowOf(order.sessionId)).toMatchObject({
    state: 'BARRED',
    code: '07',
    contents: null,
    forwarded_at: null,
  })
  const other = open(ready, another())
  expect(await other.order(order)).toEqual(answered('FAILED', '07'))
  const failed = { status: 'FAILED', responseCode: '07' }
  expect(await other.inquire(order.sessionId)).toMatchObject(failed)
  expect(await other.bar(order.sessionId)).toMatchObject(failed)
  store().clock.move(60_000)
  expect(await other.resume()).toBe(0)
  expect(bank.transfers).toEqual([])
})

test.each<[string, Prepare]>([
  ['throws', async () => Promise.reject(new Error('a fault'))],
  ['gives a code that the network does not have', refused('XX')],
  ['never comes back', never],
])('one that %s: nothing was sent, so it has failed with 21', async (_, prepare) => {
  expect(await open(prepare, { askMs: 50 }).order(newOrder())).toEqual(answered('FAILED', '21'))
  expect(bank.transfers).toEqual([])
})

test('one that takes long: PENDING with 96, and a notice when it has failed', async () => {
  const notices: Json[] = []
  const orders = open(never, {
    ...{ answerWithinMs: 20, askMs: 200 },
    notify: async (_, notice) => void notices.push(notice),
  })
  const order = newOrder()
  expect(await orders.order(order)).toEqual(answered('PENDING', '96'))
  await orders.idle()
  expect(notices).toMatchObject([{ sessionId: order.sessionId, status: 'FAILED', responseCode: '21' }])
})

test('a process that dies there leaves an order that another forwards, or that is barred', async () => {
  const [left, barred] = [newOrder(), newOrder()]
  const dying = open(never, { answerWithinMs: 20, askMs: 60_000 })
  for (const order of [left, barred]) expect(await dying.order(order)).toEqual(answered('PENDING', '96'))
  const next = open(ready, another())
  expect(await next.bar(barred.sessionId)).toMatchObject({ status: 'FAILED', responseCode: '21' })
  store().clock.move(6_000)
  expect(await next.resume()).toBe(1)
  expect(await next.inquire(left.sessionId)).toMatchObject({ status: 'SUCCESS' })
  expect([bank.times(left.sessionId), bank.times(barred.sessionId)]).toEqual([1, 0])
})

test('100 orders, each by two processes at once of which one may not send it: paid once, or failed and not paid', async () => {
  const [one, two] = [open(ready, another()), open(refused('07'), another())]
  const ends = await Promise.all(
    Array.from({ length: 100 }, async (_, turn) => {
      const order = newOrder()
      const both = [() => one.order(order), () => two.order(order)]
      await Promise.all((turn % 2 === 0 ? both : both.toReversed()).map((work) => work()))
      const { status } = await one.bar(order.sessionId)
      expect([status, bank.times(order.sessionId)]).toEqual(status === 'FAILED' ? ['FAILED', 0] : ['SUCCESS', 1])
      return status
    }),
  )
  expect(ends).toHaveLength(100)
})

const saying =
  (said: object): OrderMapping['forward'] =>
  async (order, limits): Promise<Forwarded> =>
    ({ ...(await plain.forward(order, limits)), ...said }) as Forwarded

test('what the network calls a payout and what it costs is answered and kept; the first word counts', async () => {
  const mapping = { ...plain, forward: saying({ networkReference: 'NIP/0001', feeKobo: 1075n }) }
  const orders = createOrders({ ...store(), mapping })
  const order = newOrder()
  const more = { networkReference: 'NIP/0001', fee: '10.75' }
  expect(await orders.order(order, { protocol: 2 })).toEqual(answered('SUCCESS', '00', more))
  const again = { kind: 'known', status: 'SUCCESS', code: '00', networkReference: 'NIP/0002', feeKobo: 0n } as const
  expect(await orders.learn(order.sessionId, again)).toBe('known already')
  expect(await orders.inquire(order.sessionId)).toMatchObject(more)
})

test.each([
  ['a name with a space', { networkReference: 'NIP 1' }],
  ['a name of 61 characters', { networkReference: 'N'.repeat(61) }],
  ['a fee below nothing', { feeKobo: -1n }],
])('%s is left out, and the outcome counts', async (_, said) => {
  const orders = createOrders({ ...store(), mapping: { ...plain, forward: saying(said) } })
  const result = await orders.order(newOrder(), { protocol: 2 })
  expect(result).toEqual(answered('SUCCESS', '00'))
  expect(Object.keys(result.kind === 'answer' ? result.answer : {}).sort()).toEqual([
    ...['message', 'responseCode', 'sessionId', 'status'],
  ])
})

test('a notice has it only for an order of version 2', async () => {
  const notices: Json[] = []
  bank.behaviour = 'wait'
  const orders = createOrders({ ...store(), mapping: plain, notify: async (_, notice) => void notices.push(notice) })
  const [old, young] = [newOrder(), newOrder()]
  await orders.order(old)
  await orders.order(young, { protocol: 2 })
  const said = { kind: 'known', status: 'SUCCESS', code: '00', networkReference: 'NIP-1', feeKobo: 5n } as const
  for (const { sessionId } of [old, young]) expect(await orders.learn(sessionId, said)).toBe('changed')
  expect(notices.map(({ networkReference, fee }) => [networkReference, fee])).toEqual([
    [undefined, undefined],
    ['NIP-1', '0.05'],
  ])
})
