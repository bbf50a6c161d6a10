// The exam over an adapter and the fake of its bank, all of them processes that meet by HTTP.
import { expect } from 'vitest'
import { isPassed, type Open, type Options, type Result, runExam, tableOf } from '../src/index.ts'
import type { Manner } from './subjects.ts'

/** A silent bank is waited for a second, not eight, and what is looked for is there sooner than at a bank. */
export const SHORT = {
  settings: { ANSWER_SECONDS: '1', CALL_SECONDS: '2' },
  limits: { answerMs: 5_000, learnMs: 20_000, noticeMs: 40_000, quietMs: 500 },
} as const satisfies Manner
export const WHOLE_MS = 400_000

/** Nothing is wrong. */
export async function examine(open: Open, options?: Options): Promise<Result> {
  const result = await runExam(open, options)
  process.stdout.write(`${tableOf(result)}\n`)
  expect(isPassed(result), tableOf(result)).toBe(true)
  return result
}
