// A plant makes its own group fail and no other. Shown from the other side, because that is as good and takes
// a tenth of the time: every group passes with the plants of all the other groups in the adapter at once.
// EXAM_EVERY=1 takes every group, CI every third.
import { expect, test } from 'vitest'
import { sizeOf } from '../../../trials/chaos/kit/sizes.ts'
import { useExamDatabase } from '../test/database.ts'
import { PLANTS, type Plant } from '../test/plants.ts'
import { openTiny } from '../test/tiny.ts'
import { GROUPS, runExam } from './exam.ts'
import { tableOf } from './table.ts'

const database = useExamDatabase()
const EVERY = sizeOf('EXAM_EVERY', 3)

test.each(GROUPS.filter((_, at) => at % EVERY === 0))(
  'group $number, $name, with the faults of all others',
  async ({ number }) => {
    const others = Object.entries(PLANTS).flatMap(([plant, [group]]) => (group === number ? [] : [plant as Plant]))
    const result = await runExam(openTiny(database(), others), { groups: [number] })
    const [only] = result.groups
    expect(only?.failed, tableOf(result)).toEqual([])
    expect(only?.passed, tableOf(result)).not.toEqual([])
    expect(only?.skipped).toEqual([])
  },
)
