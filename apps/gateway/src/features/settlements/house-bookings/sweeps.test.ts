// Which sides of sweeps belong together.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { expect, test } from 'vitest'
import { pairSides } from './sweeps.ts'

type Made = Parameters<typeof pairSides>[0][number]
/** `name` is the id of its posting; hours are those since the first day began. */
const side = (name: number, kind: 'OUT' | 'IN', kobo: bigint, hour: number, over: Partial<Made> = {}): Made => ({
  transfer_id: BigInt(name),
  kind: `SWEEP_${kind}`,
  session_id: `S-${name}`,
  kobo,
  booked_at: new Date(Date.parse('2026-03-02T00:00:00Z') + hour * HOUR_MS),
  connector: kind === 'OUT' ? 1 : 2,
  ...over,
})
const pairs = (...sides: Made[]): string[] =>
  pairSides(sides)
    .map(({ out, into }) => `${out.transfer_id} ${into.transfer_id}`)
    .sort()

test('the same amount, out of one bank and into another; the order of the statements does not matter', () => {
  expect(pairs(side(1, 'OUT', 500n, 9), side(2, 'IN', 500n, 33))).toEqual(['1 2'])
  expect(pairs(side(2, 'IN', 500n, 33), side(1, 'OUT', 500n, 9))).toEqual(['1 2'])
  expect(pairs(side(1, 'OUT', 500n, 9), side(2, 'IN', 501n, 33))).toEqual([])
  expect(pairs(side(1, 'OUT', 500n, 9), side(2, 'IN', 500n, 33, { connector: 1 }))).toEqual([])
  expect(pairs(side(1, 'OUT', 500n, 9), side(2, 'OUT', 500n, 9, { connector: 2 }))).toEqual([])
})

test('the same amount every day: one that was lost stays alone, however many follow', () => {
  const days = [2, 3, 4].flatMap((day) => [
    side(day, 'OUT', 500n, day * 24 + 18),
    side(day + 10, 'IN', 500n, day * 24 + 33),
  ])
  expect(pairs(side(1, 'OUT', 500n, 18), ...days)).toEqual(['2 12', '3 13', '4 14'])
})

test('over a weekend all of them find each other', () => {
  expect(
    pairs(side(1, 'OUT', 500n, 18), side(2, 'OUT', 500n, 42), side(3, 'IN', 500n, 80), side(4, 'IN', 500n, 81)),
  ).toEqual([...['1 4', '2 3']])
})

test('a reference that both banks show is certain', () => {
  const named = { session_id: 'SAME' }
  const sides = [
    side(1, 'OUT', 500n, 9, named),
    side(2, 'OUT', 500n, 20),
    side(3, 'IN', 500n, 30),
    side(4, 'IN', 500n, 31, named),
  ]
  expect(pairs(...sides)).toEqual(['1 4', '2 3'])
})

test('a bank that says midnight: an arrival may seem to be before its departure, by a day at most', () => {
  expect(pairs(side(1, 'OUT', 500n, 14), side(2, 'IN', 500n, 0))).toEqual(['1 2'])
  expect(pairs(side(1, 'OUT', 500n, 25), side(2, 'IN', 500n, 0))).toEqual([])
})
