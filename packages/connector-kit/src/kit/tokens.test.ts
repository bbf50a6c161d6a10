import { expect, test } from 'vitest'
import { movingClock } from '../../test/store.ts'
import { createTokens } from './tokens.ts'

function bank(lifeMs = 600_000) {
  const clock = movingClock()
  const state = { fetched: 0, fails: false }
  const fetch = async () => {
    state.fetched += 1
    if (state.fails) throw new Error('the bank is away')
    return { value: `token ${state.fetched}`, expiresAt: new Date(clock.now().getTime() + lifeMs) }
  }
  return { clock, state, tokens: createTokens({ clock, fetch }) }
}

test('a hundred that need one share one call, and the same token afterwards', async () => {
  const { state, tokens } = bank()
  const got = await Promise.all(Array.from({ length: 100 }, () => tokens.get()))
  expect([new Set(got), state.fetched]).toEqual([new Set(['token 1']), 1])
  expect(await tokens.get()).toBe('token 1')
  expect(state.fetched).toBe(1)
})

test('it is renewed a minute before it expires, and nobody waits for that', async () => {
  const { clock, state, tokens } = bank()
  await tokens.get()
  clock.move(539_000)
  expect([await tokens.get(), state.fetched]).toEqual(['token 1', 1])
  clock.move(1_500)
  expect(await tokens.get()).toBe('token 1')
  await expect.poll(() => tokens.get()).toBe('token 2')
  expect(state.fetched).toBe(2)
})

test('a renewal that fails is tried again after a pause; the old one is used until its last seconds, never after', async () => {
  const { clock, state, tokens } = bank()
  await tokens.get()
  clock.move(550_000)
  state.fails = true
  for (let turn = 0; turn < 50; turn += 1) expect(await tokens.get()).toBe('token 1')
  expect(state.fetched).toBe(2)
  clock.move(5_001)
  expect(await tokens.get()).toBe('token 1')
  expect(state.fetched).toBe(3)
  clock.move(40_000)
  await expect(tokens.get()).rejects.toThrow('away')
  state.fails = false
  expect(await tokens.get()).toMatch(/^token/)
})

test('one that the bank refuses is dropped; a late refusal of an older one drops nothing', async () => {
  const { state, tokens } = bank()
  const first = await tokens.get()
  tokens.drop(first)
  expect(await tokens.get()).toBe('token 2')
  tokens.drop(first)
  expect([await tokens.get(), state.fetched]).toEqual(['token 2', 2])
})
