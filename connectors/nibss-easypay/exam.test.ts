// The exam of adapters, held over this one and the fake of its bank.
import { expect, test } from 'vitest'
import { useExamDatabase } from '../../packages/connector-exam/test/database.ts'
import { examine, SHORT, WHOLE_MS } from '../../packages/connector-exam/test/examine.ts'
import { skippedOf } from '../../packages/connector-exam/test/skipped.ts'
import { openSubject } from './test/subject.ts'

const database = useExamDatabase()

test(
  'every group that it claims passes, and what is skipped the network does not have',
  async () => {
    const result = await examine((setting) => openSubject(database(), setting, SHORT))
    expect(skippedOf(result)).toEqual({
      '5 the bank does not report outcomes': 8,
      '5 the fake bank cannot play this: no status query says so': 1,
      '7 the adapter does not claim "credits"': 9,
      '7 the fake bank cannot report "outcome"': 2,
      '9 the bank does not pay 4503599627.37': 1,
      '9 the bank does not pay 987654321098.77': 1,
      '9 the adapter does not claim "credits"': 13,
      '10 the adapter does not claim "statement"': 1,
      '12 the adapter does not claim "numbers"': 1,
      '14 the adapter does not claim "card"': 1,
    })
  },
  WHOLE_MS,
)
