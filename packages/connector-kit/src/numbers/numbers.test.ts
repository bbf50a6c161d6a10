import { NumbersAnswer } from '@cowrie/contract/bank/v2/connectors'
import { Compile } from 'typebox/compile'
import { beforeEach, describe, expect, test } from 'vitest'
import { useStore } from '../../test/store.ts'
import { createMeter } from '../kit/meter.ts'
import { createLog } from '../log/log.ts'
import { createNumbers, type Issued, type NumberParts, type Numbers } from './numbers.ts'

const { store, another, query } = useStore()
const lines: string[] = []
/** Numbers that the bank has made, and for whom. */
const made: { readonly accountNumber: string; readonly accountName: string }[] = []
const away: Issued = { kind: 'unknown', why: 'silence' }

const issue = async (accountName: string): Promise<Issued> => {
  const accountNumber = String(9_900_000_000 + made.length)
  made.push({ accountNumber, accountName })
  return { kind: 'known', accountNumber, bankCode: '101', validUntil: null }
}
const open = (more: Partial<NumberParts> = {}): Numbers => {
  const log = createLog({ name: 'test', clock: store().clock, write: (line) => void lines.push(line) })
  return createNumbers({ ...store(), mapping: { number: issue }, log, ...more })
}
const ask = async (numbers: Numbers, reference = 'N-1', count = 5, accountName = 'Adire Stores') => {
  const answered = await numbers.order({ reference, count, accountName })
  if (answered.kind === 'answer') expect(Compile(NumbersAnswer).Check(answered.answer)).toBe(true)
  return answered.kind === 'answer' ? answered.answer.numbers.map(({ accountNumber }) => accountNumber) : null
}
const rowsOf = () => query(`select * from ${store().schema}.numbers order by id`)

beforeEach(() => {
  made.length = 0
  lines.length = 0
})

describe('an order of numbers', () => {
  test('is answered once; the same again has the same numbers, another under its reference none', async () => {
    const numbers = open()
    const first = await ask(numbers)
    expect(first).toEqual(made.map(({ accountNumber }) => accountNumber))
    expect(first).toHaveLength(5)
    expect(await ask(numbers)).toEqual(first)
    expect(await ask(open())).toEqual(first)
    expect(await ask(numbers, 'N-1', 6)).toBeNull()
    expect(await ask(numbers, 'N-1', 5, 'Ankara Stores')).toBeNull()
    expect(made).toHaveLength(5)
    expect(new Set(made.map(({ accountName }) => accountName))).toEqual(new Set(['Adire Stores']))
  })

  test('keeps the name until the last number is made, and no longer', async () => {
    const named = () => query(`select account_name from ${store().schema}.number_orders`)
    await ask(open({ mapping: { number: async () => away } }))
    expect(await named()).toEqual([{ account_name: 'Adire Stores' }])
    await ask(open())
    expect(await named()).toEqual([{ account_name: null }])
    expect(await ask(open(), 'N-1', 5, 'Ankara Stores')).toBeNull()
  })

  test('a bank that stops half-way: fewer; repeated: the same, and the rest', async () => {
    const numbers = open({ mapping: { number: async (name) => (made.length < 3 ? issue(name) : away) } })
    const first = await ask(numbers)
    expect(first).toHaveLength(3)
    expect(await ask(numbers)).toEqual(first)
    const all = await ask(open())
    expect(all).toHaveLength(5)
    expect(all?.slice(0, 3)).toEqual(first)
    expect(await numbers.stock()).toEqual({ spare: 0, missing: 0 })
  })

  test('a bank that is slow: what there is; the rest is made meanwhile', async () => {
    const held: (() => void)[] = []
    const slow = async (name: string): Promise<Issued> => {
      if (made.length >= 2) await new Promise<void>((resolve) => held.push(resolve))
      return issue(name)
    }
    const numbers = open({ mapping: { number: slow }, answerWithinMs: 300 })
    expect(await ask(numbers)).toHaveLength(2)
    expect(await numbers.stock()).toEqual({ spare: 0, missing: 3 })
    for (let turn = 0; turn < 3; turn += 1) {
      await expect.poll(() => held.length).toBe(1)
      held.pop()?.()
    }
    await expect.poll(() => numbers.stock()).toEqual({ spare: 0, missing: 0 })
    expect(await ask(numbers)).toHaveLength(5)
  })

  test('an order that a dead process left is gone on with by another', async () => {
    await ask(open({ mapping: { number: async (name) => (made.length < 2 ? issue(name) : away) } }))
    const numbers = open()
    expect(await numbers.fill()).toBe(0)
    store().clock.move(31_000)
    expect(await numbers.fill()).toBe(3)
    expect(await ask(numbers)).toHaveLength(5)
    expect(made).toHaveLength(5)
  })
})

describe('no number twice', () => {
  test('100 at once from two processes: as many numbers as ordered, the same for all', async () => {
    const both = [open(), open(another())]
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, turn) => ask(both[turn % 2] ?? open(), 'N-1', 20)),
    )
    for (const answer of answers) expect(answer).toHaveLength(20)
    expect(new Set(answers.map((answer) => String(answer))).size).toBe(1)
    // Each process may have had one on its way when the other made the last.
    expect(made.length).toBeLessThanOrEqual(21)
    expect(await rowsOf()).toHaveLength(made.length)
  })

  test('many orders at once, with spare numbers: no number has two owners', async () => {
    const parts = { mapping: { number: issue, nameless: true }, spare: 30 }
    const both = [open(parts), open({ ...another(), ...parts })]
    await both[0]?.fill()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) => ask(both[turn % 2] ?? open(), `N-${turn}`, 4)),
    )
    const given = answers.flatMap((answer) => answer ?? [])
    expect(given).toHaveLength(80)
    expect(new Set(given).size).toBe(80)
  })

  test('a bank that gives a number again: it is not handed out again, and it is logged', async () => {
    await ask(open(), 'N-1', 2)
    const old = async (): Promise<Issued> => ({
      kind: 'known',
      accountNumber: '9900000000',
      bankCode: '101',
      validUntil: null,
    })
    expect(await ask(open({ mapping: { number: old } }), 'N-2', 1)).toEqual([])
    expect(lines.join('')).toContain('that it had given before')
    expect(await rowsOf()).toHaveLength(2)
    // Once or twice may be chance: the next one is a new one.
    let turn = 0
    const sometimes = (name: string) => (turn++ < 2 ? old() : issue(name))
    expect(await ask(open({ mapping: { number: sometimes } }), 'N-2', 1)).toEqual(['9900000002'])
  })

  test('a crash after the bank has answered wastes that number, and hands out none twice', async () => {
    const { pool } = store()
    let died = false
    const broken = new Proxy(pool, {
      get: (target, name) => {
        if (name !== 'connect' || died || made.length < 3) return Reflect.get(target, name, target)
        died = true
        return () => Promise.reject(new Error('the process has died'))
      },
    })
    expect(await ask(open({ pool: broken }))).toHaveLength(2)
    const all = await ask(open())
    expect(all).toHaveLength(5)
    expect(new Set(all).size).toBe(5)
    expect(made).toHaveLength(6)
    expect(all).not.toContain('9900000002')
  })

  test.each([
    ['nine digits', { accountNumber: '990000000' }],
    ['letters', { accountNumber: '99000000AB' }],
    ['no bank', { bankCode: '' }],
    ['an end that is not a date', { validUntil: 'soon' }],
  ])('%s: not a number', async (_name, change) => {
    const odd = async (): Promise<Issued> => ({
      ...{ kind: 'known', accountNumber: '9900000000', bankCode: '101', validUntil: null },
      ...change,
    })
    expect(await ask(open({ mapping: { number: odd } }))).toEqual([])
    expect(await rowsOf()).toEqual([])
  })

  test('a mapping that throws makes none, and its fault is logged without secrets', async () => {
    const number = async (): Promise<never> => {
      throw new Error('card 5531886652142950')
    }
    expect(await ask(open({ mapping: { number } }))).toEqual([])
    expect(lines.join('')).toContain('a number could not be made')
    expect(lines.join('')).not.toContain('5531886652142950')
  })
})

test('thirty orders under names that the bank never takes do not stand in the way of the others', async () => {
  const picky = async (name: string): Promise<Issued> => (name === 'Refused' ? away : issue(name))
  const numbers = open({ mapping: { number: picky } })
  for (let at = 0; at < 30; at += 1) await ask(numbers, `R-${at}`, 1, 'Refused')
  await ask(open({ mapping: { number: async () => away } }), 'N-1', 1)
  store().clock.move(31_000)
  await numbers.fill()
  await numbers.fill()
  expect(made.map(({ accountName }) => accountName)).toEqual(['Adire Stores'])
})

describe('spare numbers', () => {
  const nameless = { number: issue, nameless: true }

  test('are made beforehand, handed out first, and made again', async () => {
    const meter = createMeter()
    const numbers = open({ mapping: nameless, spare: 4, meter })
    expect(await numbers.fill()).toBe(4)
    expect(await numbers.fill()).toBe(0)
    expect(await numbers.stock()).toEqual({ spare: 4, missing: 0 })
    expect(await ask(numbers, 'N-1', 3)).toEqual(['9900000000', '9900000001', '9900000002'])
    expect(made).toHaveLength(4)
    expect(await ask(numbers, 'N-2', 3)).toEqual(['9900000003', '9900000004', '9900000005'])
    expect(await numbers.stock()).toEqual({ spare: 0, missing: 0 })
    expect(await numbers.fill()).toBe(4)
    expect([...meter.calls()]).toEqual([['call="number",outcome="known"', 10]])
  })

  test('automatically, after start', async () => {
    const numbers = open({ mapping: nameless, spare: 2 })
    numbers.start()
    await expect.poll(() => numbers.stock()).toEqual({ spare: 2, missing: 0 })
    await numbers.stop()
  })

  test('not where each number has a name, and not where numbers expire', async () => {
    expect(() => open({ spare: 1 })).toThrow('wants a name')
    const until = '2026-11-18T12:00:00.000Z'
    const brief = async (name: string): Promise<Issued> => ({ ...(await issue(name)), validUntil: until }) as Issued
    const numbers = open({ mapping: { number: brief, nameless: true }, spare: 3 })
    expect(await numbers.fill()).toBe(1)
    expect(await numbers.stock()).toEqual({ spare: 0, missing: 0 })
    const answered = await numbers.order({ reference: 'N-1', count: 1, accountName: 'Adire Stores' })
    expect(answered).toMatchObject({ answer: { numbers: [{ accountNumber: '9900000001', validUntil: until }] } })
  })
})
