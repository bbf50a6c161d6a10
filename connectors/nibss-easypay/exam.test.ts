// The exam of adapters, held over this one and its fake, all of them processes that meet by HTTP.
import { expect, test } from 'vitest'
import { isPassed, runExam, tableOf } from '../../packages/connector-exam/src/index.ts'
import { useExamDatabase } from '../../packages/connector-exam/test/database.ts'
import { skippedOf } from '../../packages/connector-exam/test/skipped.ts'
import { openSubject } from './test/subject.ts'

const database = useExamDatabase()

/** A silent network is waited for a second, not eight, and what is looked for is there sooner than at a
 *  bank. */
const SHORT = {
  settings: { ANSWER_SECONDS: '1', CALL_SECONDS: '2' },
  limits: { answerMs: 5_000, learnMs: 20_000, noticeMs: 40_000, quietMs: 500 },
}
const WHOLE_MS = 400_000

test(
  'every group that it claims passes, and what is skipped the network does not have',
  async () => {
    const result = await runExam((setting) => openSubject(database(), setting, SHORT))
    process.stdout.write(`${tableOf(result)}\n`)
    expect(isPassed(result), tableOf(result)).toBe(true)
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
