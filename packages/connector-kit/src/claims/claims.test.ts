import { DAY_MS, MINUTE_MS } from '@cowrie/contract/kit/durations'
import { beforeEach, describe, expect, test } from 'vitest'
import { KEY, useGateway } from '../../test/gateway.ts'
import { useStore } from '../../test/store.ts'
import { createLog } from '../log/log.ts'
import { createOutbox } from '../outbox/outbox.ts'
import { type ClaimParts, type Claims, createClaims, type Verified } from './claims.ts'

const { store, another, query } = useStore()
const gateway = useGateway()
const lines: string[] = []
/** What the bank has booked, and how often it was asked. */
const books = new Map<string, Verified>()
let asked = 0

const realTime = { now: () => new Date() }
const log = createLog({ name: 'test', clock: realTime, write: (line) => void lines.push(line) })
const bookedAs = (reference: string, amount = '1015.50'): Verified => ({
  kind: 'known',
  notice: {
    kind: 'creditV2',
    notice: { reference, bankCode: '101', accountNumber: '9900000000', amount, paidAt: '2026-11-18T02:00:00Z' },
  },
})
const outboxOf = (parts = store()) =>
  createOutbox({ ...parts, gatewayUrl: gateway.url(), keys: () => [KEY], log, signingClock: realTime })
const open = (more: Partial<ClaimParts> = {}): Claims =>
  createClaims({
    ...store(),
    outbox: outboxOf(),
    log,
    verify: async (id) => {
      asked += 1
      return books.get(id) ?? { kind: 'absent' }
    },
    ...more,
  })
const states = () => query(`select id, state from ${store().schema}.claims order by id`)
const notices = async () => (await query(`select key from ${store().schema}.notices`)).map(({ key }) => key)

beforeEach(() => {
  books.clear()
  asked = 0
  lines.length = 0
})

describe('a claim', () => {
  test('that the bank confirms is counted once, with what the bank says', async () => {
    books.set('S-1', bookedAs('S-1'))
    const claims = open()
    expect(await claims.take('S-1')).toBe('counted')
    expect(await claims.take('S-1')).toBe('repeated')
    expect(asked).toBe(1)
    await outboxOf().sendDue()
    expect(gateway.accepted()).toMatchObject([{ reference: 'S-1', amount: '1015.50' }])
    expect(await claims.waiting()).toEqual({ count: 0, oldest: null })
  })

  test('100 at once from two processes: one notice', async () => {
    books.set('S-1', bookedAs('S-1'))
    const [one, two] = [open(), open(another())]
    const said = await Promise.all(Array.from({ length: 100 }, (_, turn) => (turn % 2 ? one : two).take('S-1')))
    expect(said.filter((one) => one === 'counted')).toHaveLength(1)
    expect(asked).toBe(1)
    expect(await notices()).toEqual(['credit S-1'])
  })

  test('that the bank does not know counts nothing; when it does, it is counted', async () => {
    const claims = open()
    expect(await claims.take('S-1')).toBe('open')
    expect(await notices()).toEqual([])
    expect(await claims.verifyDue()).toBe(0)
    books.set('S-1', bookedAs('S-1'))
    store().clock.move(6_000)
    expect(await claims.verifyDue()).toBe(1)
    expect(await notices()).toEqual(['credit S-1'])
  })

  test('that is claimed again is asked about at once', async () => {
    const claims = open()
    await claims.take('S-1')
    books.set('S-1', bookedAs('S-1'))
    expect(await claims.take('S-1')).toBe('counted')
  })

  test('by two names of one transfer is one notice', async () => {
    books.set('S-1', bookedAs('S-1'))
    books.set('T-1', bookedAs('S-1'))
    const claims = open()
    await claims.take('S-1')
    await claims.take('T-1')
    expect(await notices()).toEqual(['credit S-1'])
    expect((await states()).map(({ state }) => state)).toEqual(['CONFIRMED', 'CONFIRMED'])
  })

  test('whose notice cannot be made stays open: nothing is settled without it', async () => {
    const odd = bookedAs('two words')
    books.set('S-1', odd)
    const claims = open()
    expect(await claims.take('S-1')).toBe('open')
    expect(await states()).toEqual([{ id: 'S-1', state: 'WAITING' }])
    expect(lines.join('')).toContain('a claim could not be settled')
    books.set('S-1', bookedAs('S-1'))
    store().clock.move(61_000)
    expect(await claims.verifyDue()).toBe(1)
  })

  test('of many is known after one question each: confirmed, unknown to the bank, or not answered', async () => {
    for (const id of ['S-1', 'S-2']) books.set(id, bookedAs(id))
    const silent = { kind: 'unknown', why: 'silence' } as const
    const verify: ClaimParts['verify'] = async (id) => {
      asked += 1
      return id.startsWith('Q') ? silent : (books.get(id) ?? { kind: 'absent' })
    }
    const claims = open({ verify })
    const ids = ['S-1', 'S-2', ...Array.from({ length: 30 }, (_, at) => `A-${at}`), 'Q-1']
    const said = await claims.standingOf(ids)
    expect([said.get('S-1'), said.get('S-2'), said.get('A-29'), said.get('Q-1')]).toEqual([
      ...['confirmed', 'confirmed', 'absent', 'open'],
    ])
    expect(asked).toBe(33)
    expect(await claims.standingOf(ids)).toEqual(said)
    expect(asked).toBe(33) // it asks again when their time has come
    expect(await notices()).toEqual(['credit S-1', 'credit S-2'])
    await expect(claims.standingOf(['two words'])).rejects.toThrow('1 to 80')
  })

  test('by no name, or a long one, is a fault of the caller', async () => {
    for (const id of ['', 'two words', 'x'.repeat(81)]) await expect(open().take(id)).rejects.toThrow('1 to 80')
  })
})

describe('asked again', () => {
  test('less and less often, for three days; then given up, unless it is claimed anew', async () => {
    const claims = open()
    await claims.take('S-1')
    for (let minute = 0; minute < 3 * 24 * 60 + 120; minute += 1) {
      store().clock.move(MINUTE_MS)
      if (minute % 10 === 0) await claims.verifyDue()
    }
    expect(await states()).toEqual([{ id: 'S-1', state: 'GIVEN_UP' }])
    expect(asked).toBeGreaterThan(60)
    expect(asked).toBeLessThan(120)
    const before = asked
    store().clock.move(DAY_MS)
    await claims.verifyDue()
    expect(asked).toBe(before)
    books.set('S-1', bookedAs('S-1'))
    expect(await claims.take('S-1')).toBe('counted')
  })

  test('a bank that is silent is never a reason to give up', async () => {
    const claims = open({ verify: async () => ({ kind: 'unknown', why: 'silence' }) })
    await claims.take('S-1')
    for (let day = 0; day < 10; day += 1) {
      store().clock.move(DAY_MS)
      await claims.verifyDue()
    }
    expect(await states()).toEqual([{ id: 'S-1', state: 'WAITING' }])
    books.set('S-1', bookedAs('S-1'))
    store().clock.move(DAY_MS)
    expect(await open().verifyDue()).toBe(1)
  })

  test('a bank that throws, and one that is slow: the caller is answered in time, and nothing is lost', async () => {
    const throwing = open({ verify: () => Promise.reject(new Error('card 5531886652142950')) })
    expect(await throwing.take('S-1')).toBe('open')
    expect(lines.join('')).not.toContain('5531886652142950')
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const slow = open({ verify: () => held.then(() => bookedAs('S-2')), answerWithinMs: 50 })
    expect(await slow.take('S-2')).toBe('open')
    letGo()
    await slow.stop()
    expect(await notices()).toEqual(['credit S-2'])
  })

  test('one whose process died is taken over when its lease is over', async () => {
    books.set('S-1', bookedAs('S-1'))
    const dead = open({ verify: () => new Promise(() => undefined), answerWithinMs: 0 })
    expect(await dead.take('S-1')).toBe('open')
    const claims = open(another())
    expect(await claims.take('S-1')).toBe('open')
    expect(await claims.verifyDue()).toBe(0)
    store().clock.move(61_000)
    expect(await claims.verifyDue()).toBe(1)
    expect(await notices()).toEqual(['credit S-1'])
  })
})
