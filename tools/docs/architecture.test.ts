import { expect, test } from 'vitest'
import { featuresTables, withParts } from './features.ts'
import { layerGraph, layersPicture } from './layers.ts'

const feature = (path: string, text: string) => ({ path: `apps/gateway/src/features/${path}`, text })

test('a room has a heading; a row has the first sentence of the story, the files and the features it calls', () => {
  const table = featuresTables([
    feature('bank/bank-orders/bank-orders.ts', '// Bank orders: one payment\n// to one account. Books: none.\n'),
    feature('bank/bank-orders/ends.ts', "import { openBreak } from '#features/bank/breaks/breaks.ts'\n"),
    feature('bank/bank-orders/bank-orders.sql.ts', ''),
    feature('bank/bank-orders/ends.test.ts', "import { refund } from '#features/payouts/refunds/refunds.ts'\n"),
    feature('bank/breaks/breaks.ts', '// What differs: shown to the operator.\n'),
  ])
  expect(table.split('\n')[0]).toMatch(/^### bank: /)
  expect(table.split('\n').slice(4)).toEqual([
    '| [bank-orders](apps/gateway/src/features/bank/bank-orders) | One payment to one account | bank-orders, ends | breaks |',
    '| [breaks](apps/gateway/src/features/bank/breaks) | What differs: shown to the operator | breaks |  |',
    '',
  ])
})

test('a feature without a story stops the generation', () => {
  expect(() => featuresTables([feature('payouts/refunds/refunds.ts', 'export const x = 1\n')])).toThrow(
    'features/payouts/refunds: no file begins with a comment',
  )
})

test('layers follow from imports, without arrows that follow from others and without tests', () => {
  const file = (path: string, ...targets: string[]) => ({
    path,
    text: targets.map((target) => `import '${'../'.repeat(path.split('/').length - 1)}${target}'\n`).join(''),
  })
  const graph = layerGraph([
    file('apps/gateway/src/core/a.ts', 'apps/gateway/src/kit/b.ts', 'packages/contract/src/c.ts'),
    file('apps/gateway/src/kit/b.ts', 'packages/contract/src/c.ts'),
    file('apps/gateway/src/kit/b.test.ts', 'tools/d.ts'),
    file('apps/gateway/test/e.ts', 'tools/d.ts'),
  ])
  const arrows = layersPicture(graph)
    .split('\n')
    .filter((line) => line.includes('-->'))
  expect(arrows).toEqual(['  core --> kit', '  kit --> contract'])
})

test('a part stands between its marks, however often it is put there; a page without the marks is refused', () => {
  const page = 'a\n<!-- x -->\nold\n<!-- /x -->\nb\n'
  const once = withParts(page, { x: 'new\n' })
  expect(once).toBe('a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n')
  expect(withParts(once, { x: 'new\n' })).toBe(once)
  expect(() => withParts('a', { x: 'new' })).toThrow('no place for x')
})
