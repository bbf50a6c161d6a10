import { expect, test } from 'vitest'
import { useExamDatabase } from '../test/database.ts'
import { openTiny } from '../test/tiny.ts'
import { isPassed, runExam } from './exam.ts'
import { tableOf } from './table.ts'

const database = useExamDatabase()

/** Fourteen groups, one after the other, on a machine that does other things. */
const WHOLE_MS = 400_000

test(
  'an adapter made with the kit passes, and nothing is skipped',
  async () => {
    const result = await runExam(openTiny(database()))
    expect(isPassed(result), tableOf(result)).toBe(true)
    expect(result.groups.flatMap(({ skipped }) => skipped)).toEqual([])
  },
  WHOLE_MS,
)

test('what does not exist is not passed', async () => {
  await expect(runExam(openTiny(database()), { groups: [15] })).rejects.toThrow(
    'No group has the number 15; they are 1 to 14',
  )
  await expect(runExam(openTiny(database()), { checks: ['a bar'] })).rejects.toThrow('No check is called "a bar"')
})
