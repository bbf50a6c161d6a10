// A feature is added by one line: here is a little one, and what the two processes do with it.

import { MACHINES } from '@cowrie/contract'
import { ORDER_PURPOSES } from '@cowrie/contract/bank/bank-orders'
import { route } from '@cowrie/contract/kit/spec'
import { WORK_KINDS } from '@cowrie/contract/screens/work'
import { Type } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { gatherContractStatements } from '#core/access/limited-keys.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { bind } from '#core/bind.ts'
import { checkCell } from '#core/books/check.ts'
import { listWaitingStates } from '#core/books/sweeper.ts'
import { readAll } from '#core/cells/cells.ts'
import { planDeparture } from '#core/cells/departure.ts'
import { type Feature, mergeBooks, onePerProcess, type Shared, sharedDueHandlers } from '#core/feature.ts'
import { NO_KOBO } from '#core/findable.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { needEmpty } from '#features/access/merchants/life.ts'
import { join } from '#features/access/merchants/merchants.ts'
import { find } from '#features/screens/finding/finding.ts'
import { gatherWork } from '#features/screens/work/work.sql.ts'
import { monotonicMs } from '#kit/clock.ts'
import { actorOf } from '#test/features/access/acts.ts'
import { type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'
import { seedMerchant } from '../../../tools/sandbox/seed.ts'
import { createApi, startWorker } from './app.ts'
import { FEATURES } from './feature-list.ts'

const harness = useHarness()

const greet = route({
  id: 'greetings.send',
  method: 'POST',
  path: '/greetings',
  auth: 'bearer',
  permission: 'collections.write',
  group: 'Greetings',
  summary: 'Greets a merchant, a little later',
  reply: Type.Object({ greeted: Type.String() }),
  errors: [],
})
const TIMER = 'greetings.say'
const INVARIANT = 'no greeting waits for the next century'
const greeted: bigint[] = []
const joined: bigint[] = []
const greetings: Feature = {
  name: 'greetings',
  routes: (deps) =>
    bind(deps, greet, {
      command: async (t, { merchant }) => {
        await schedule(t, TIMER, merchant.id, merchant.id, t.now)
        return { greeted: merchant.name }
      },
      after: ({ cell }) => deps.ctx.wake(cell),
    }),
  due: () => ({ [TIMER]: async (_, __, rows) => void greeted.push(...rows.map((row) => row.subject)) }),
  onJoin: async (_, t, merchantId) => {
    joined.push(merchantId)
    await schedule(t, TIMER, merchantId, merchantId, new Date('2099-01-01'))
  },
  unfinished: [
    `select 'greeting' as object, count(*) as count from agenda where merchant_id = $1 and kind = '${TIMER}'`,
  ],
  findable: [
    {
      kind: 'PAYMENT',
      row: {
        merchant: 'm.id',
        reference: 'm.email',
        name: 'm.name',
        kobo: NO_KOBO,
        state: `'GREETED'`,
        at: 'm.created_at',
      },
      own: { named: [['merchants m', `'hello ' || m.name = $2`]] },
      everywhere: {},
    },
  ],
  books: [{ invariants: { [INVARIANT]: `select id from agenda where kind = '${TIMER}' and due_at > '2100-01-01'` } }],
}

const sharing = (features: readonly Feature[]): Shared => ({
  ctx: harness().gateway.ctx,
  merchants: harness().gateway.merchants,
  sandbox: null,
  features,
  listen: () => ({ close: async () => undefined }),
})

describe('a feature that app.ts lists', () => {
  const features = [...FEATURES, greetings]
  const closing: (() => Promise<unknown>)[] = []
  afterAll(async () => {
    for (const close of closing.toReversed()) await close()
  })

  test('serves its routes, with token and envelope; a worker does what its timers are for', async () => {
    const h = harness()
    const { main } = h.merchants
    const api = createApi(h.gateway, h.config, monotonicMs, features)
    closing.push(() => api.close())
    const worker = startWorker(h.gateway, h.config, features)
    closing.push(() => worker.stop())
    const call = (headers: Record<string, string>) => api.inject({ method: 'POST', url: '/greetings', headers })
    expect((await call({})).statusCode).toBe(401)
    const answer = await call({ authorization: `Bearer ${await h.token(main)}` })
    expect(answer.json()).toMatchObject({ requestSuccessful: true, responseBody: { greeted: main.name } })
    await h.until('the greeting', async () => greeted.includes(main.id))
  })

  test('has its invariants asked: in order while they hold, counted and shown when one is violated', async () => {
    const h = harness()
    const { invariants } = mergeBooks(features)
    const ask = async () => {
      const found = await checkCell(h.gateway.ctx, '01', invariants)
      return found
        .filter(({ violations }) => violations > 0n)
        .map(({ invariant, violations }) => [invariant, violations])
    }
    expect(await ask()).toEqual([])
    const [{ id }] = await h.sql(
      '01',
      `insert into agenda (kind, merchant_id, subject, due_at) values ($1, $2, 1, '2101-01-01') returning id`,
      [TIMER, HOUSE],
    )
    expect(await ask()).toEqual([[INVARIANT, 1n]])
    await h.sql('01', 'delete from agenda where id = $1', [id])
  })

  test('is found by what it declares, beside all others, by the merchant whose it is', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const look = async (whose: TestMerchant) => {
      const merchant = await h.gateway.merchants.byId(whose.cell, whose.id)
      return find(sharing(features), merchant as Merchant, actorOf('merchant', 'owner'), `hello ${main.name}`)
    }
    expect((await look(main)).found).toMatchObject([{ kind: 'PAYMENT', name: main.name, state: 'GREETED' }])
    expect((await look(other)).found).toEqual([])
  })

  test('gives each new merchant what it has for it, or there is no merchant; a merchant is not closed before it is over', async () => {
    const h = harness()
    const { ctx } = h.gateway
    const named = { cell: '01', label: 'joined', name: 'Joined', email: 'joined@test.example', transferOtp: false }
    const seeded = () => seedMerchant({ ...named, seed: unique('seed') })
    const id = await join({ ctx, features }, '01', seeded())
    expect(joined).toEqual([id])
    const shared = sharing(features)
    await expect(readAll(ctx, '01', (r) => needEmpty(shared, r, id))).rejects.toThrow(/greeting under way: 1/)
    const broken: Feature = { name: 'broken', onJoin: () => Promise.reject(new Error('no more room')) }
    await expect(join({ ctx, features: [...features, broken] }, '01', seeded())).rejects.toThrow('no more room')
    const [, unborn] = joined
    expect(await h.sql('01', 'select id from merchants where id = $1', [unborn])).toEqual([])
    expect(await h.sql('01', 'select subject from agenda where kind = $1', [TIMER])).toEqual([{ subject: String(id) }])
    await h.sql('01', 'delete from agenda where kind = $1', [TIMER])
  })
})

describe('the features together', () => {
  test('have one name each', () => {
    const names = FEATURES.map(({ name }) => name)
    expect([...new Set(names)]).toEqual(names)
  })

  test('do the work of every timer that a state machine names', () => {
    const kinds = MACHINES.flatMap((machine) => listWaitingStates(machine).map(({ kind }) => kind))
    expect(kinds.filter((kind) => !(kind in sharedDueHandlers(sharing(FEATURES))))).toEqual([])
    const lost = FEATURES.flatMap(({ lostTimers = {} }) => Object.keys(lostTimers))
    expect(lost.filter((kind) => !kinds.includes(kind))).toEqual([])
  })

  test('end a bank order of every purpose, each by one owner', () => {
    const owners = FEATURES.flatMap(({ orderEnds = {} }) => Object.keys(orderEnds))
    expect(owners.toSorted()).toEqual(ORDER_PURPOSES.toSorted())
  })

  test('may not claim one timer or one invariant twice: the start ends with its name', () => {
    const again = [...FEATURES, greetings, greetings]
    expect(() => sharedDueHandlers(sharing([...FEATURES, greetings, { ...greetings, books: [] }]))).toThrow(
      `the timer "${TIMER}" is declared twice`,
    )
    expect(() => mergeBooks(again)).toThrow(`the invariant "${INVARIANT}" is declared twice`)
  })

  test('say of every object that a request can name which contract it is of, or the start ends', () => {
    const without = FEATURES.filter(({ name }) => name !== 'payment-links')
    expect(() => gatherContractStatements(without)).toThrow('no feature declares the contract of "paymentLinkCode"')
    const again: Feature = { name: 'again', contractOf: gatherContractStatements(FEATURES) }
    expect(() => gatherContractStatements([...FEATURES, again])).toThrow('is declared twice')
  })

  test('say what leaves with a month: three machines, each question once, and a last place in each list', () => {
    const { staying, openQuestions } = planDeparture(FEATURES)
    const leaving = MACHINES.map(({ name }) => name).filter((name) => !staying.includes(name))
    expect(leaving).toEqual(['transaction', 'disbursement', 'bill'])
    expect(Object.keys(openQuestions)).toHaveLength(19)
    const without = FEATURES.filter(({ name }) => name !== 'invoices')
    expect(() => planDeparture(without)).toThrow('no feature declares the last place in "invoices"')
    const again: Feature = { name: 'again', leaving: { open: { 'a refund is not over': 'select 1' } } }
    expect(() => planDeparture([...FEATURES, again])).toThrow('"a refund is not over" is declared twice')
  })

  test('say what waits of every kind that people are shown, each by one owner', () => {
    expect(Object.keys(gatherWork(FEATURES).sources).toSorted()).toEqual(WORK_KINDS.toSorted())
    const again: Feature = { name: 'again', waiting: gatherWork(FEATURES).sources }
    expect(() => gatherWork([...FEATURES, again])).toThrow('is declared twice')
  })

  test('share what there is one of in a process, and two processes have one each', () => {
    const made: object[] = []
    const thingOf = onePerProcess(() => {
      made.push({})
      return made.at(-1)
    })
    const [api, worker] = [sharing(FEATURES), sharing(FEATURES)]
    expect(thingOf(api)).toBe(thingOf(api))
    expect(thingOf(worker)).not.toBe(thingOf(api))
    expect(made).toHaveLength(2)
  })
})
