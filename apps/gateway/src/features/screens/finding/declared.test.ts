// The look-ups are declared by many features and read as one statement: here it stands whole. A part that
// comes, goes or changes shows in declared.sql, which vitest writes with `-u`.
import { EVERYWHERE_KINDS } from '@cowrie/contract/screens/find-everywhere'
import { expect, test } from 'vitest'
import { FEATURES } from '../../../feature-list.ts'
import { gatherEverywhere } from './everywhere.sql.ts'
import { gatherLookups } from './finding.sql.ts'

test('the look-ups of all features together, as the database is asked', async () => {
  const { named, number } = gatherLookups(FEATURES)
  const { ours, theirs, number: ofAnybody } = gatherEverywhere(FEATURES)
  const whose = FEATURES.flatMap(({ name, findable = [] }) =>
    findable.map(({ kind, own = {}, everywhere = {} }) => {
      const [one, anybody] = [own, everywhere].map((ways) =>
        Object.entries(ways).map(([way, places]) => `${places.length} ${way}`),
      ) as [string[], string[]]
      return `-- ${kind}, by ${name}: one merchant's by ${one.join(', ') || 'none'}; anybody's by ${anybody.join(', ')}`
    }),
  )
  const statements = [named, number, ours, theirs, ofAnybody].map(({ name, text }) => `-- ${name}\n${text.trim()};`)
  await expect(`${[whose.join('\n'), ...statements].join('\n\n')}\n`).toMatchFileSnapshot('declared.sql')
})

test('whatever the contract says is found is declared, once; merchants are found by finding itself', () => {
  const kinds = FEATURES.flatMap(({ findable = [] }) => findable.map(({ kind }) => kind))
  expect([...kinds, 'MERCHANT'].toSorted()).toEqual(Object.keys(EVERYWHERE_KINDS).toSorted())
})
