// Every group finds the fault that is planted for it.
import { expect, test } from 'vitest'
import { useExamDatabase } from '../test/database.ts'
import { PLANTS, type Plant } from '../test/plants.ts'
import { openTiny } from '../test/tiny.ts'
import { GROUPS, runExam } from './exam.ts'
import { tableOf } from './table.ts'

const database = useExamDatabase()
const plants = Object.entries(PLANTS).map(([plant, [group, check]]) => ({ plant: plant as Plant, group, check }))

/** What does not come is not waited for as long as an exam would. */
const SHORT = { learnMs: 4_000, noticeMs: 4_000 }

test.each(plants)('$plant: group $group finds it', async ({ plant, group, check }) => {
  const result = await runExam(openTiny(database(), [plant], SHORT), { groups: [group], checks: [check] })
  const failed = result.groups.flatMap((one) => one.failed.map((each) => each.check))
  expect(failed, tableOf(result)).toEqual([check])
})

test('every group has a plant', () => {
  const planted = new Set<number>(plants.map(({ group }) => group))
  expect(GROUPS.filter(({ number }) => !planted.has(number))).toEqual([])
})
