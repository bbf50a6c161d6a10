// Every group finds the fault that is planted for it, and no other group does. What no plant needs is left out, because it takes long: only one plant dies.
import { expect, test } from 'vitest'
import { useExamDatabase } from '../test/database.ts'
import { PLANTS, type Plant } from '../test/plants.ts'
import { openTiny } from '../test/tiny.ts'
import { runExam } from './exam.ts'
import { tableOf } from './table.ts'

const database = useExamDatabase()

const KILLED = new Set<Plant>(['what was not answered is sent again at the start'])
const plants = Object.entries(PLANTS) as [Plant, number][]

test.each(plants)('%s: group %i', async (plant, group) => {
  const subject = openTiny(database(), plant, KILLED.has(plant))
  const result = await runExam(subject)
  const failed = result.groups.filter((one) => one.failed.length > 0).map(({ number }) => number)
  expect(failed, tableOf(result)).toEqual([group])
})

test('every group has a plant', async () => {
  const numbers = Array.from({ length: 13 }, (_, at) => at + 1)
  expect([...new Set(Object.values(PLANTS))].sort((one, two) => one - two)).toEqual(numbers)
})
