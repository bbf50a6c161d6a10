// The page of the bank connector protocol has all of it: whoever implements the page has implemented what the
// gateway calls and takes.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROUTES } from '@cowrie/contract'
import { expect, test } from 'vitest'
import { bankConnectorPage } from './reference.ts'

const FOLDER = join(import.meta.dirname, '../../packages/contract/src/bank')
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)
/** What the gateway calls: each file of the protocol names its paths in one object. */
async function called(): Promise<string[]> {
  const modules = await Promise.all(files.map((name) => import(join(FOLDER, name)) as Promise<Record<string, object>>))
  return modules.flatMap((one) =>
    Object.entries(one).flatMap(([name, paths]) => (/PATHS(_V\d)?$/.test(name) ? Object.values(paths as object) : [])),
  )
}
/** Each has a section of its own. */
const sectionsOf = (page: string): ReadonlySet<string> =>
  new Set([...page.matchAll(/^### (?:GET|POST) ([^?\s]+)/gm)].map(([, path = '']) => path))

test('every call of the gateway, and every route for banks, is on the page of the protocol', async () => {
  const paths = (await called()).filter((path) => path.startsWith('/bank/')) // the others are the simulator's own
  expect(paths.length).toBeGreaterThan(30)
  const notices = ROUTES.filter(({ auth }) => auth === 'bank').map(({ path }) => path)
  expect(notices.length).toBeGreaterThan(10)
  const sections = sectionsOf(bankConnectorPage())
  expect([...paths, ...notices].filter((path) => !sections.has(path))).toEqual([])
})
