// The exam of adapters, held over this one and its fake bank, all of them processes that meet by HTTP.
import { expect, test } from 'vitest'
import { isPassed, runExam, tableOf } from '../../packages/connector-exam/src/index.ts'
import { useExamDatabase } from '../../packages/connector-exam/test/database.ts'
import { skippedOf } from '../../packages/connector-exam/test/skipped.ts'
import { openSubject } from './test/subject.ts'

const database = useExamDatabase()

/** A silent bank is waited for a second, not eight, and what is looked for is there sooner than at a bank. */
const SHORT = {
  settings: { ANSWER_SECONDS: '1', CALL_SECONDS: '2' },
  limits: { answerMs: 5_000, learnMs: 20_000, noticeMs: 40_000, quietMs: 500 },
}
const WHOLE_MS = 400_000

test(
  'every group that it claims passes, and what is skipped the bank does not have',
  async () => {
    const result = await runExam((setting) => openSubject(database(), setting, SHORT))
    process.stdout.write(`${tableOf(result)}\n`)
    expect(isPassed(result), tableOf(result)).toBe(true)
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
