// The exam of adapters, held over this one and the fake of its bank.
import { expect, test } from 'vitest'
import { useExamDatabase } from '../../packages/connector-exam/test/database.ts'
import { examine, SHORT, WHOLE_MS } from '../../packages/connector-exam/test/examine.ts'
import { skippedOf } from '../../packages/connector-exam/test/skipped.ts'
import { openSubject } from './test/subject.ts'

const database = useExamDatabase()

test(
  'every group that it claims passes, and what is skipped the bank does not have',
  async () => {
    const result = await examine((setting) => openSubject(database(), setting, SHORT))
    expect(skippedOf(result)).toEqual({
      '5 the bank does not report outcomes': 8,
      '5 the fake bank cannot play this: no code is published for REVERSED': 1,
      '7 the fake bank cannot report "outcome"': 2,
      '10 the adapter does not claim "statement"': 1,
      '14 the adapter does not claim "card"': 1,
    })
  },
  WHOLE_MS,
)
