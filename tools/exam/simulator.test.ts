import { expect, test } from 'vitest'
import { isPassed, runExam, tableOf } from '../../packages/connector-exam/src/index.ts'
import { useExamDatabase } from '../../packages/connector-exam/test/database.ts'
import { openSimulator } from './simulator.ts'

const database = useExamDatabase()

test('the simulator passes in what it claims, and what is skipped has a reason', async () => {
  const result = await runExam((setting) => openSimulator(database(), setting))
  expect(isPassed(result), tableOf(result)).toBe(true)
  // A group of which nothing is left would pass whatever the simulator does.
  const empty = result.groups.filter(({ passed }) => passed.length === 0).map(({ name }) => name)
  expect(empty).toEqual(['number stock'])
})
