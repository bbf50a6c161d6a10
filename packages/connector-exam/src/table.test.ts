import { expect, test } from 'vitest'
import { tableOf } from './table.ts'

test('the table has a line for each group, the reasons of what was skipped, and a sentence for what is wrong', () => {
  const skipped = [
    { check: 'a', reason: 'there is none' },
    { check: 'b', reason: 'there is none' },
  ]
  const failed = [{ check: 'c', sentence: 'It was 1. Expected 2.' }]
  const groups = [
    { number: 1, name: 'signatures', passed: ['x', 'y'], skipped: [], failed: [] },
    { number: 12, name: 'stock', passed: [], skipped, failed },
  ]
  expect(tableOf({ subject: 'my adapter', groups })).toBe(`Exam of my adapter

    group       checks  passed  skipped  failed
 1  signatures       2       2        0       0
12  stock            3       0        2       1
    all              5       2        2       1

Skipped
  12  there is none
     a; b

Wrong
  12  c
     It was 1. Expected 2.

Not passed.
`)
})

test('an adapter without a fault has passed', () => {
  const groups = [{ number: 1, name: 'signatures', passed: ['x'], skipped: [], failed: [] }]
  expect(tableOf({ subject: 'my adapter', groups })).toContain('\nPassed.\n')
})

test('what was skipped is not passed, and the last line says so', () => {
  const skipped = [{ check: 'y', reason: 'there is none' }]
  const groups = [{ number: 1, name: 'signatures', passed: ['x'], skipped, failed: [] }]
  expect(tableOf({ subject: 'my adapter', groups })).toContain(
    '\nPassed: 1 of 2 checks. 1 was skipped, for the reasons above.\n',
  )
})
