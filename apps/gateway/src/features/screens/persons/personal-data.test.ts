// Every column that can hold text is judged, once. A new one stops here until somebody has decided.
import { expect, test } from 'vitest'
import type { Declarations } from '#core/declarations.ts'
import { judgedTables } from '#core/personal/core-tables.ts'
import { ADDRESS, erased, WORD } from '#core/personal/judging.ts'
import { useHarness } from '#test/kit/harness.ts'
import { OWNERS } from '../../../../../../tools/schema/tables.ts'
import { FEATURES } from '../../../feature-list.ts'

const harness = useHarness()

/** What is not judged, judged twice, or judged and not there. `columns`: `table.column`. */
function misjudged(columns: readonly string[], personal: readonly string[], others: readonly string[]): string[] {
  const judged = [...personal, ...others]
  const count = (name: string): number => judged.filter((one) => one === name).length
  return [
    ...columns.filter((name) => count(name) === 0).map((name) => `${name}: personal or not?`),
    ...[...new Set(judged)].filter((name) => count(name) > 1).map((name) => `${name}: judged twice`),
  ]
}

const names = (lists: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(lists).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
const judgedOf = (features: typeof FEATURES): [personal: string[], others: string[]] => {
  const { personal, notPersonal } = judgedTables(features)
  return [
    names(Object.fromEntries(Object.entries(personal).map(([table, { columns }]) => [table, Object.keys(columns)]))),
    names(Object.fromEntries(Object.entries(notPersonal).map(([table, text]) => [table, text.trim().split(/\s+/)]))),
  ]
}
const [personal, others] = judgedOf(FEATURES)

const COLUMNS = `
select c.relname || '.' || a.attname as name,
  format_type(a.atttypid, null) in ('text', 'text[]', 'bytea', 'bytea[]', 'json', 'jsonb', 'character varying', 'inet', 'xml') as holds_text
from pg_attribute a join pg_class c on c.oid = a.attrelid
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
order by 1`

test('every column of text is personal or not, and every judged column is there', async () => {
  const columns = await harness().sql<{ name: string; holds_text: boolean }>('01', COLUMNS)
  const texts = columns.filter((column) => column.holds_text).map(({ name }) => name)
  expect(texts.length).toBeGreaterThan(200)
  expect(misjudged(texts, personal, others)).toEqual([])
  const there = new Set(columns.map(({ name }) => name))
  expect([...personal, ...others].filter((name) => !there.has(name))).toEqual([])
})

test('a feature that judges none of its columns is found, by each of them; a table is judged by one', async () => {
  const columns = await harness().sql<{ name: string; holds_text: boolean }>('01', COLUMNS)
  const texts = columns.filter((column) => column.holds_text).map(({ name }) => name)
  const silent = FEATURES.map((feature) =>
    feature.name === 'paycodes' ? { ...feature, personal: {}, notPersonal: {} } : feature,
  )
  const found = misjudged(texts, ...judgedOf(silent))
  expect(found).toContain('paycodes.beneficiary_name: personal or not?')
  expect(found.filter((says) => !/^paycode(s|_guards)\.\w+: personal or not\?$/.test(says))).toEqual([])
  const twice = [...FEATURES, { name: 'again', personal: { paycodes: { columns: {} } } }]
  expect(() => judgedOf(twice)).toThrow('what is personal in "paycodes" is declared twice')
})

test('whoever judges a table owns it', () => {
  const judgedBy = (features: readonly Declarations[], who: string): string[] =>
    features
      .flatMap(({ personal = {}, notPersonal = {} }) => [...Object.keys(personal), ...Object.keys(notPersonal)])
      .filter((table) => OWNERS.get(table)?.split('/').at(-1) !== who)
      .map((table) => `${who} judges ${table}`)
  expect(FEATURES.flatMap((feature) => judgedBy([feature], feature.name))).toEqual([])
  const features = new Set(FEATURES.flatMap((one) => Object.keys({ ...one.personal, ...one.notPersonal })))
  const { personal: all, notPersonal: rest } = judgedTables(FEATURES)
  const core = Object.keys({ ...all, ...rest }).filter((table) => !features.has(table))
  expect(core.filter((table) => OWNERS.get(table) !== 'core')).toEqual([])
  expect(judgedBy([{ personal: { refunds: { columns: {} } } }], 'bills')).toEqual(['bills judges refunds'])
})

test('a column that nobody judged is found, and one that is judged twice', () => {
  expect(misjudged(['refunds.note', 'refunds.id'], ['refunds.id'], [])).toEqual(['refunds.note: personal or not?'])
  expect(misjudged(['refunds.id'], ['refunds.id'], ['refunds.id'])).toEqual(['refunds.id: judged twice'])
})

test('the database and the program put the same in place of a value', async () => {
  const values = ['', 'Ngozi Bello', 'ngozi@example.com', '{"phone":"0803"}', '{}', WORD, ADDRESS]
  const rows = await harness().sql(
    '01',
    'select erased(v) as value from unnest($1::text[]) with ordinality as x(v, n) order by n',
    [values],
  )
  expect(rows.map(({ value }) => value)).toEqual(values.map(erased))
})
