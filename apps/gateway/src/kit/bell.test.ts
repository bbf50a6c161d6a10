import { describe, expect, test } from 'vitest'
import { createBell } from './bell.ts'

const LONG = 60_000
/** In a fresh turn: a timer counts from the beginning of the turn that set it, however long that has
 *  lasted. */
const took = async (work: () => Promise<void>): Promise<number> => {
  await new Promise((done) => setImmediate(done))
  const start = performance.now()
  await work()
  return performance.now() - start
}

describe('createBell', () => {
  test('a ring ends the rest', async () => {
    const bell = createBell()
    setTimeout(() => bell.ring(), 5)
    expect(await took(() => bell.rest(LONG))).toBeLessThan(LONG / 2)
  })

  test('a ring while nobody waits is remembered for the next rest, once', async () => {
    const bell = createBell()
    bell.ring()
    bell.ring()
    expect(await took(() => bell.rest(LONG))).toBeLessThan(LONG / 2)
    expect(await took(() => bell.rest(30))).toBeGreaterThanOrEqual(25)
  })

  test('without a ring the rest ends with its time', async () => {
    expect(await took(() => createBell().rest(30))).toBeGreaterThanOrEqual(25)
  })

  test('a ring in the very turn in which the rest ended is not lost', async () => {
    const bell = createBell()
    for (let round = 0; round < 50; round += 1) {
      const rest = bell.rest(LONG)
      bell.ring()
      await rest
      bell.ring()
      expect(await took(() => bell.rest(LONG))).toBeLessThan(LONG / 2)
    }
  })

  test('a rest that ended by time is not ended again by a later ring: the ring is for the next', async () => {
    const bell = createBell()
    await bell.rest(1)
    bell.ring()
    expect(await took(() => bell.rest(LONG))).toBeLessThan(LONG / 2)
  })
})
