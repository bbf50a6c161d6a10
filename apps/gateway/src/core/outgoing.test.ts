// The table at the top of outgoing.ts, row by row. How the instructions of each feature pass through it is in
// their own tests, with the bank.
import { describe, expect, test } from 'vitest'
import type { Outcome } from '#kit/ctx.ts'
import { type Answer, type Inquiry, inquire, nextQuestion, toEnds } from './outgoing.ts'

const says = (status: Answer['status']): Outcome<Answer> => ({
  kind: 'yes',
  value: { status, message: `is ${status}` },
})
const SILENCE: Outcome<Answer> = { kind: 'unknown', why: 'no answer' }
const REFUSAL: Outcome<Answer> = { kind: 'no', status: 400, why: 'not signed' }

type Row = { readonly pending: boolean }

/** What is done, in its order, when the bank says one thing to a question and another to a bar. */
async function steps(asked: Outcome<Answer>, barred: Outcome<Answer> | null = SILENCE, pending = true) {
  const done: string[] = []
  const inquiry: Inquiry<Row, Answer> = {
    isPending: (row) => row.pending,
    ask: async () => {
      done.push('ask')
      return asked
    },
    isUnheardOf: (outcome) => outcome.kind === 'yes' && outcome.value.status === 'UNKNOWN',
    bar: async () => {
      done.push('bar')
      return barred
    },
    conclude: async (_cell, _row, outcome) => {
      const ends = toEnds(outcome).map(({ on }) => on)
      done.push(...ends)
      return ends.length > 0
    },
    askAgain: async () => {
      done.push('ask again')
    },
  }
  await inquire(inquiry, '01', { pending })
  return done
}

describe('a question about an instruction', () => {
  test.each([
    ['SUCCESS', ['ask', 'succeed']],
    ['FAILED', ['ask', 'fail']],
    ['REVERSED', ['ask', 'succeed', 'reverse']],
  ] as const)('%s: applied, and nothing is asked again', async (status, expected) => {
    expect(await steps(says(status))).toEqual(expected)
  })

  test('under way: asked again, and never barred', async () => {
    expect(await steps(says('PENDING'))).toEqual(['ask', 'ask again'])
  })

  test.each([
    ['silence', SILENCE],
    ['a refusal of the message', REFUSAL],
  ])('%s: no word about the money; asked again, and never barred', async (_, outcome) => {
    expect(await steps(outcome)).toEqual(['ask', 'ask again'])
  })

  test('never received: barred before anything is applied, and what the bar says is the outcome', async () => {
    expect(await steps(says('UNKNOWN'), says('FAILED'))).toEqual(['ask', 'bar', 'fail'])
    expect(await steps(says('UNKNOWN'), says('SUCCESS'))).toEqual(['ask', 'bar', 'succeed'])
  })

  test('a bar without an answer frees nothing: asked again', async () => {
    expect(await steps(says('UNKNOWN'), SILENCE)).toEqual(['ask', 'bar', 'ask again'])
    expect(await steps(says('UNKNOWN'), REFUSAL)).toEqual(['ask', 'bar', 'ask again'])
  })

  test('a bar with a timer of its own leaves nothing to ask', async () => {
    expect(await steps(says('UNKNOWN'), null)).toEqual(['ask', 'bar'])
  })

  test('the outcome is known: the bank is not asked', async () => {
    expect(await steps(says('SUCCESS'), SILENCE, false)).toEqual([])
  })
})

describe('the pauses between questions', () => {
  const now = new Date('2026-01-05T08:00:00Z')
  const pauses = (outcome: Outcome<Answer>) =>
    [0, 1, 2, 3, 4, 5, 50].map((questions) => (nextQuestion(now, questions, outcome).getTime() - now.getTime()) / 1000)

  test('a silent bank is asked soon, up to every 45 seconds', () => {
    expect(pauses(SILENCE)).toEqual([5, 10, 20, 30, 45, 45, 45])
    expect(pauses(REFUSAL)).toEqual([5, 10, 20, 30, 45, 45, 45])
  })

  test('one that has it reports on its own: asked up to every 15 minutes', () => {
    expect(pauses(says('PENDING'))).toEqual([30, 60, 300, 900, 900, 900, 900])
  })
})

test('an answer carries its words: of a refusal the bank’s, of a payment ours', () => {
  expect(toEnds(says('SUCCESS'))).toEqual([{ on: 'succeed', description: 'Transaction successful' }])
  expect(toEnds(says('FAILED'))).toEqual([{ on: 'fail', description: 'is FAILED' }])
  expect(toEnds(says('REVERSED')).at(-1)).toEqual({ on: 'reverse', description: 'is REVERSED' })
})
