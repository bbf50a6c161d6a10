// The list of attacks, without a gateway: each can be named, says what it is about, and has a plant that fits
// the file that it is for; so that `npm run trial -- attacks --plants 1` can find all of them.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verdict } from '../chaos/attacks/attack.ts'
import { ATTACKS, PLANTS } from '../chaos/attacks/list.ts'
import { planted } from '../chaos/kit/plants.ts'

test('an attack has a name of its own, a finding, and at least one protection that can be switched off', () => {
  const names = ATTACKS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  for (const { name, finding, plants } of ATTACKS) {
    expect(name).toMatch(/^[a-z0-9-]+$/)
    expect(finding).toMatch(/^([HML]\d+(\([abc]\))?|t\d+)$/)
    expect(Object.keys(plants), name).not.toEqual([])
  }
  const all = ATTACKS.flatMap(({ plants }) => Object.keys(plants))
  expect([...PLANTS.keys()]).toEqual(all)
})

test('every file of a topic is in the list', async () => {
  const folder = join(import.meta.dirname, '../chaos/attacks/attacks')
  for (const file of readdirSync(folder)) {
    const lists = Object.values((await import(join(folder, file))) as Record<string, unknown>).filter(Array.isArray)
    expect(lists.flat().length, file).toBeGreaterThan(0)
    for (const attack of lists.flat()) expect(ATTACKS, file).toContain(attack)
  }
})

test.each([...PLANTS])('the plant %s fits its file', (_, { plant }) => {
  expect(planted(plant)).toContain(plant.to)
})

test('an attack held only if each of its steps was answered as it must be', () => {
  expect(
    verdict([
      ['a', '403 NO', '403 NO'],
      ['b', '401 X', /^401/],
    ]),
  ).toEqual({ held: true, saw: 'a: 403 NO; b: 401 X' })
  expect(
    verdict([
      ['a', '403 NO', '403 NO'],
      ['b', '200', /^401/],
    ]).held,
  ).toBe(false)
})
