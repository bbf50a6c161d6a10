import { expect, test } from 'vitest'
import { createTries } from './throttle.ts'

test('so many tries within the window and no more; one that was right is not counted; the window moves on', () => {
  let at = 0
  const tries = createTries(3, 60_000, () => at)
  expect([tries.take('ada'), tries.take('ada'), tries.take('ada')]).toEqual([0, 0, 0])
  at = 20_000
  expect([tries.take('ada'), tries.take('musa')]).toEqual([40, 0])
  tries.release('ada')
  expect([tries.take('ada'), tries.take('ada')]).toEqual([0, 40])
  at = 60_000
  expect([tries.take('ada'), tries.take('ada'), tries.take('ada')]).toEqual([0, 0, 20])
})

test('names are forgotten beyond twenty thousand, the one that was tried longest ago first; a refused try is not one', () => {
  const tries = createTries(1, 60_000, () => 0)
  tries.take('old')
  for (let index = 0; index < 19_999; index += 1) tries.take(`name ${index}`)
  expect([tries.take('old'), tries.take('name 0')]).toEqual([60, 60])
  tries.take('one more')
  expect([tries.take('old'), tries.take('name 1')]).toEqual([0, 60])
})
