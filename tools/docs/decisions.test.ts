import { expect, test } from 'vitest'
import { decisionsIndex } from './decisions.ts'

test('a decision without a theme, one that is not there, and a title without a subject are refused', () => {
  expect(() => decisionsIndex(new Map([['9999-x.md', '# 9999. A: b']]))).toThrow('no theme for decision 9999')
  expect(() => decisionsIndex(new Map([['0002-x.md', '# 0002. A: b']]))).toThrow(
    'names decision 0001, which is not there',
  )
  expect(() => decisionsIndex(new Map([['0001-x.md', '# 0001. Cells']]))).toThrow('the title must be')
})
