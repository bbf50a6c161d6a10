// `search_docs` answers a question with the guide that is about it, and a code with its row of the reference.
import { expect, test } from 'vitest'
import { searchDocs } from './docs.ts'
import { guideSections, sectionsOf } from './guides.ts'

test.each([
  ['how do I verify a webhook in Laravel', 'guide', /^guides\/integrate\/webhooks\.md/],
  ['send a payout with a code by mail', 'guide', /^guides\/payouts\/payouts\.md/],
  ['move from Monnify', 'guide', /^guides\/move\/from-monnify\.md/],
  ['late payment', 'guide', /^guides\/.*money-that-does-not-fit|^guides\/start\/testing-failures/],
  ['REFUND_TOO_LARGE', 'error', /^REFUND_TOO_LARGE/],
  ['REVERSED_TRANSACTION', 'event', /^REVERSED_TRANSACTION/],
  ['transfers.initiate', 'operation', /^transfers\.initiate/],
])('"%s": first comes a %s', (query, kind, title) => {
  const [first] = searchDocs(query)
  expect(first).toMatchObject({ kind, title: expect.stringMatching(title) })
})

test('all that is found for a question is short enough to be read whole', () => {
  expect(guideSections().length).toBeGreaterThan(80)
  expect(JSON.stringify(searchDocs('how do I verify a webhook in Laravel')).length).toBeLessThan(8_000)
})

test('words that say nothing find nothing', () => {
  expect(searchDocs('how do I')).toEqual([])
})

test('a section is found by its code, and shown by its prose', () => {
  const page = '# Page\n\nLead.\n\n## Two\n\nSee [there](x.md).\n\n```js\nconst x = 1\n```\n'
  expect(sectionsOf('a/b.md', page).map(({ title, says }) => [title, says])).toEqual([
    ['guides/a/b.md: Page', 'Lead.'],
    ['guides/a/b.md: Page, Two', 'See there.'],
  ])
  expect(sectionsOf('a/b.md', page)[1]?.text).toContain('const x')
})
