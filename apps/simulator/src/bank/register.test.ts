import { expect, test } from 'vitest'
import { lookUp } from './register.ts'

test.each([
  ['22222222222', true, false],
  ['22222222226', true, false],
  ['21212121212', true, false],
  ['10000000000', true, true],
  ['22222220000', true, true],
  ['22222200010', true, false],
  ['22222222221', false, false],
  ['00000000009', false, false],
])('the register: %s exists %s, barred %s, of either kind', (number, exists, barred) => {
  for (const kind of ['BVN', 'NIN'] as const) expect(lookUp({ kind, number })).toEqual({ kind, exists, barred })
})
