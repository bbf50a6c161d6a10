import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAPABILITIES } from '@cowrie/contract/bank/v2/connectors'
import { expect, test } from 'vitest'
import { FEATURES } from '../../apps/gateway/src/feature-list.ts'
import { ADAPTERS, disagreements, languages, statusPage } from './status.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const declared = FEATURES.map(({ name }) => name)

test('every declared feature is in one table of the page, or is an inner one; the page is fresh', () => {
  expect(disagreements(declared)).toEqual([])
  expect(read('docs/status.md')).toBe(statusPage())
})

test('a feature that is declared and not in a table is found, and one that is not declared any more', () => {
  expect(disagreements([...declared, 'teleports'])).toEqual(['teleports is declared, and in no table of status.ts'])
  expect(disagreements(declared.filter((name) => name !== 'bills'))).toEqual([
    'bills is in status.ts, and not declared',
  ])
})

test('the adapters are those of connectors/; what each covers is in the table of its README', () => {
  expect(Object.keys(ADAPTERS).sort()).toEqual(readdirSync(join(ROOT, 'connectors')).sort())
  for (const [folder, { covers }] of Object.entries(ADAPTERS)) {
    const rows = read(`connectors/${folder}/README.md`).split('\n')
    const named = CAPABILITIES.filter((one) =>
      rows.some(
        (row) =>
          row.startsWith(one === 'card' ? '| charge a card |' : `| ${one} |`) || row.startsWith(`| \`${one}\` |`),
      ),
    )
    expect(named.sort(), folder).toEqual([...covers].sort())
  }
})

test('an adapter that was tried at its bank makes the page wrong, and this test says so', () => {
  const tried = Object.keys(ADAPTERS).filter(
    (folder) => !/never been connected|never against/.test(read(`connectors/${folder}/README.md`)),
  )
  expect(tried).toEqual([])
})

test('languages are those of the checkout, and each that nobody reviewed is named', () => {
  const { all, unread } = languages()
  expect(all).toContain('English')
  expect(all).toHaveLength(readdirSync(join(ROOT, 'apps/checkout/src/words')).length)
  for (const name of unread) expect(read('docs/status.md')).toContain(name)
})
