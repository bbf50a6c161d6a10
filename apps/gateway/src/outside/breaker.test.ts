import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBreaker } from './breaker.ts'

function withClock() {
  let ms = 1_000_000
  const breaker = createBreaker({ now: () => new Date(ms) })
  const pass = (seconds: number): void => {
    ms += seconds * 1000
  }
  return { breaker, pass }
}
const failing = (times: number) => {
  const made = withClock()
  for (let turn = 0; turn < times; turn += 1) made.breaker.failed('nibss')
  return made
}

test('four failures in a row are borne; after the fifth nothing is sent there for thirty seconds', () => {
  expect(failing(4).breaker.admits('nibss')).toBe(true)
  const { breaker, pass } = failing(5)
  expect(breaker.admits('nibss')).toBe(false)
  pass(29)
  expect(breaker.admits('nibss')).toBe(false)
  expect(breaker.admits('other')).toBe(true)
})

test('then one is let through, and the others wait for what becomes of it', () => {
  const { breaker, pass } = failing(5)
  pass(30)
  expect([breaker.admits('nibss'), breaker.admits('nibss')]).toEqual([true, false])
  breaker.failed('nibss')
  pass(29)
  expect(breaker.admits('nibss')).toBe(false)
  pass(1)
  expect(breaker.admits('nibss')).toBe(true)
  breaker.answered('nibss')
  expect([breaker.admits('nibss'), breaker.admits('nibss')]).toEqual([true, true])
})

test('one that was let through and never came back is not the last', () => {
  const { breaker, pass } = failing(5)
  pass(30)
  expect(breaker.admits('nibss')).toBe(true)
  pass(30)
  expect(breaker.admits('nibss')).toBe(true)
})

test('whatever happened before, an answer opens it, and a minute without anything lets one through', () => {
  const step = fc.oneof(fc.constant('failed' as const), fc.constant('answered' as const), fc.nat(60))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { breaker, pass } = withClock()
      for (const one of steps) {
        if (typeof one === 'number') pass(one)
        else breaker[one]('nibss')
        breaker.admits('nibss')
      }
      pass(60)
      expect(breaker.admits('nibss')).toBe(true)
      breaker.answered('nibss')
      expect(breaker.admits('nibss')).toBe(true)
    }),
  )
})

test('whether it is paused changes nothing, and ends without a try', () => {
  let ms = 0
  const breaker = createBreaker({ now: () => new Date(ms) })
  for (let turn = 0; turn < 5; turn += 1) breaker.failed('a')
  expect([breaker.isPaused('a'), breaker.isPaused('b')]).toEqual([true, false])
  ms = 30_000
  expect([breaker.isPaused('a'), breaker.isPaused('a'), breaker.admits('a'), breaker.isPaused('a')]).toEqual([
    ...[false, false, true, true],
  ])
})

test('where something can be asked, one is let through only after an answer; many who ask at once ask one question', async () => {
  let [ms, questions] = [0, 0]
  const settle: ((answers: boolean) => void)[] = []
  const probe = (): Promise<boolean> => {
    questions += 1
    return new Promise((resolve) => settle.push(resolve))
  }
  const breaker = createBreaker({ now: () => new Date(ms) }, probe)
  const end = async (answers: boolean): Promise<void> => {
    settle.shift()?.(answers)
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let turn = 0; turn < 5; turn += 1) breaker.failed('a')
  ms = 30_000
  expect(Array.from({ length: 20 }, () => breaker.admits('a')).some(Boolean)).toBe(false)
  expect(questions).toBe(1)
  await end(false)
  expect([breaker.isPaused('a'), breaker.admits('a'), questions]).toEqual([true, false, 1])
  ms = 60_000
  expect([breaker.admits('a'), questions]).toEqual([false, 2])
  await end(true)
  expect([breaker.admits('a'), breaker.admits('a'), breaker.isPaused('a')]).toEqual([true, false, true])
  breaker.failed('a') // the one that was let through: what answers questions does not pay
  ms = 90_000
  expect([breaker.admits('a'), questions]).toEqual([false, 3])
  await end(true)
  breaker.answered('a')
  expect([breaker.admits('a'), breaker.admits('a'), questions]).toEqual([true, true, 3])
})
