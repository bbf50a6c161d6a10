import { expect, test } from 'vitest'
import { decisionsIndex, decisionsPage } from './decisions.ts'

test('a decision without a theme, one that is not there, and a title without a subject are refused', () => {
  expect(() => decisionsIndex(new Map([['9999-x.md', '# 9999. A: b']]))).toThrow('no theme for decision 9999')
  expect(() => decisionsIndex(new Map([['0002-x.md', '# 0002. A: b']]))).toThrow(
    'names decision 0001, which is not there',
  )
  expect(() => decisionsIndex(new Map([['0001-x.md', '# 0001. Cells']]))).toThrow('the title must be')
})

test('a number that two pages have is refused, and the index names the numbers that a page took in', () => {
  const [first, second] = ['# 0001. A: b\n\nStatus: accepted. Takes in 0002, 9998.\n', '# 0002. C: d\n']
  expect(() =>
    decisionsIndex(
      new Map([
        ['0001-x.md', first],
        ['0002-y.md', second],
      ]),
    ),
  ).toThrow('0002 is in two pages')
  expect(decisionsPage()).toContain(' (with 0')
})
