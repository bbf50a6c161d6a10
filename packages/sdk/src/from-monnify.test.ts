// The table of "Move from Monnify" names a method for each call: it is the method that makes this call.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROUTES } from '../../contract/src/index.ts'

const GUIDE = new URL('../../../docs/guides/move/from-monnify.md', import.meta.url)
const rows = [...readFileSync(GUIDE, 'utf8').matchAll(/^\| `([A-Z]+) (\S+)` \| (?:`([\w.]+)`|none)/gm)]

test('there is a row for everything that a shop begins with', () => {
  expect(rows.length).toBeGreaterThanOrEqual(17)
})

test.each(rows.map(([, method, path, id = 'auth.login']) => [method, path, id] as const))(
  '%s %s is %s',
  (method, path, id) => {
    const route = ROUTES.find((one) => one.method === method && one.path.replace(/:(\w+)/g, '{$1}') === path)
    expect(route?.id).toBe(id)
  },
)
