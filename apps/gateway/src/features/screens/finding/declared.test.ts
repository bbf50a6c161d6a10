// The look-ups are declared by fifteen features and read as one statement: here it stands whole. A part that
// comes, goes or changes shows in declared.sql, which vitest writes with `-u`.
import { EVERYWHERE_KINDS } from '@cowrie/contract/screens/find-everywhere'
import { expect, test } from 'vitest'
import { FEATURES } from '../../../feature-list.ts'
import { everywhereStatement } from './everywhere.sql.ts'
import { listLookups } from './finding.sql.ts'

test('the look-ups of all features together, as the database is asked', async () => {
  const { named, number } = listLookups(FEATURES)
  const { ours, theirs, number: ofAnybody } = everywhereStatement(FEATURES)
  const whose = FEATURES.flatMap(({ name, findable = [] }) =>
    findable.map(({ kind, own, everywhere }) => {
      const ways = Object.entries({ ...own, ...everywhere }).map(([way, places]) => `${places.length} ${way}`)
      return `-- ${kind}, by ${name}: ${ways.join(', ')}`
    }),
  )
  const statements = [named, number, ours, theirs, ofAnybody].map(({ name, text }) => `-- ${name}\n${text.trim()};`)
  await expect(`${[whose.join('\n'), ...statements].join('\n\n')}\n`).toMatchFileSnapshot('declared.sql')
})

test('whatever the contract says is found is declared, once; merchants are found by finding itself', () => {
  const kinds = FEATURES.flatMap(({ findable = [] }) => findable.map(({ kind }) => kind))
  expect([...kinds, 'MERCHANT'].toSorted()).toEqual(Object.keys(EVERYWHERE_KINDS).toSorted())
})
