// How pages are made: code cut out of files, prose that is no code by accident, tabs, boxes, links.

import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROUTES } from '../../packages/contract/src/index.ts'
import { GROUPS_WITH_GUIDES, listGuides } from '../../packages/contract/src/reference/tags.ts'
import { cut, fenceOf, filled } from './fences.ts'
import { mdxOf } from './mdx.ts'
import { firstPage, picturesIn, SOURCES } from './pages.ts'
import { polished } from './polish.ts'
import { callFor } from './reference.ts'
import { isTried, withTries } from './try.ts'

const SOURCE = `import x from 'x'
// #region outer
  const a = 1
  // #region inner
  const b = 2
  // #endregion
  const c = 3
// #endregion
`

test('every guide is a page of the site', () => {
  const guides = globSync('docs/guides/*/*.md')
  expect(guides.length).toBeGreaterThan(15)
  const shown = new Set(SOURCES.map(({ file }) => file))
  expect(guides.filter((file) => !shown.has(file))).toEqual([])
})

describe('code of a file', () => {
  test('a region without its marks, moved to the margin; regions may lie in regions', () => {
    expect(cut(SOURCE, 'inner', 'a.ts')).toBe('const b = 2\n')
    expect(cut(SOURCE, 'outer', 'a.ts')).toBe('const a = 1\nconst b = 2\nconst c = 3\n')
    expect(cut(SOURCE, null, 'a.ts')).not.toContain('region')
  })
  test('a region that is not there, or does not end, stops the generation', () => {
    expect(() => cut(SOURCE, 'none', 'a.ts')).toThrow('a.ts has no region none')
    expect(() => cut('# #region x\nfoo\n', 'x', 'a.sh')).toThrow('does not end')
  })
  test('is written into the page, and again without a change', () => {
    const page = 'Text\n\n```ts file=a.ts#inner tab=One\nold\n```\n\n```sh\nnpm ci\n```\n'
    const once = filled(page, () => SOURCE)
    expect(once).toBe('Text\n\n```ts file=a.ts#inner tab=One\nconst b = 2\n```\n\n```sh\nnpm ci\n```\n')
    expect(filled(once, () => SOURCE)).toBe(once)
    expect(fenceOf('ts file=a.ts#inner tab=Plain_PHP', '')).toMatchObject({
      file: 'a.ts',
      region: 'inner',
      tab: 'Plain PHP',
    })
  })
})

describe('pages', () => {
  const of = (body: string) => mdxOf({ title: 'T', description: 'D', body })
  test('braces and angles in prose are signs; in code they stay', () => {
    expect(of('a {b} <c> `{d} <e>`\n\n```ts\nconst f = {}\n```\n')).toContain(
      'a \\{b\\} \\<c> `{d} <e>`\n\n```ts\nconst f = {}\n```',
    )
  })
  test('blocks with a tab that follow each other are tabs; others are not', () => {
    const text = of('```ts tab=One\na\n```\n\n```sh tab=Two\nb\n```\n\nText\n\n```ts file=x.ts\nc\n```\n')
    expect(text.match(/<TabItem label="(One|Two)">/g)).toHaveLength(2)
    expect(text).toContain('Text\n\n```ts\nc\n```')
  })
  test('a table has a box with a name, a block can be focused', () => {
    const html = polished('<h2 id="x">Refusals</h2><table><tr></tr></table><pre data-language="ts">')
    expect(html).toContain('role="region" aria-label="Refusals, table"><table><tr></tr></table></div>')
    expect(html).toContain('<pre tabindex="0" data-language="ts">')
  })
})

describe('the first page', () => {
  const README =
    '# C\n\n> **Status:** not {yet}.\n\n## Get it\n\nSee [names](docs/names.md).\n\n![A](docs/deployment.svg)\n\n## Next\n'
  test('says what README says, with links and drawings of the site', () => {
    const page = firstPage('{/* README */}\n{/* README: Get it */}', README)
    expect(page).toContain('**Status:** not \\{yet}.'.replace('}', '\\}'))
    expect(page).toContain('See [names](/choose/names/).\n\n![A](/pictures/deployment.svg)')
    expect(picturesIn(page)).toEqual(['deployment.svg'])
  })
  test('stops the build where README has no such section', () => {
    expect(() => firstPage('{/* README: Got it */}', README)).toThrow('README has no section Got it')
  })
  test('every place of the real one is filled', () => {
    const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
    expect(firstPage(read('apps/docs/home.mdx'), read('README.md'))).not.toContain('README')
  })
})

describe('the guides of a group', () => {
  test('are there, under the title that the reference gives them; the group has operations', () => {
    for (const group of GROUPS_WITH_GUIDES) {
      expect(
        ROUTES.some((route) => route.group === group),
        group,
      ).toBe(true)
      for (const { title, path } of listGuides(group)) {
        const text = readFileSync(new URL(`../../docs/guides/${path}.md`, import.meta.url), 'utf8')
        expect(text.startsWith(`# ${title}\n`), `${path}: ${title}`).toBe(true)
      }
    }
  })
})

describe('what "Try it" sends', () => {
  test('references that can be used once are new each time, values of the recorded merchant are the reader’s', () => {
    expect(callFor('transactions.init')).toMatchObject({ key: true, fresh: ['order-1029'] })
    expect(callFor('transactions.init').mine.map(([setting]) => setting)).toEqual(['contractCode'])
    expect(callFor('transactions.query').fresh).toEqual([])
    expect(callFor('transactions.init').later).toEqual([['incomeSplitConfig', 'subAccountCode']])
    expect(callFor('reservedAccounts.reserveLimited').later).toEqual([])
    expect(callFor('batches.initiate').fresh).toContain('wages-05-1')
    expect(callFor('refunds.initiate').fresh).toEqual(['refund-88'])
    expect(callFor('wallet.balance').mine.map(([setting]) => setting)).toEqual(['wallet'])
  })
  test('is written where the page has its place, as text; a page without one is as it was', () => {
    const place = '<head></head><div data-try="customers.get"></div>'
    const page = withTries(place, callFor, '/_astro/try.x.js')
    expect(page).toContain('<script src="/_astro/try.x.js" defer></script></head>')
    const [, text = ''] = /data-try="([^"]+)"/.exec(page) ?? []
    expect(JSON.parse(text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'))).toEqual(
      callFor('customers.get'),
    )
    expect(withTries('<head></head>', callFor, '/x.js')).toBe('<head></head>')
  })
  test('goes to the API only: not to the sandbox’s own calls, nor the bank’s', () => {
    expect(ROUTES.filter(isTried).every(({ path }) => path.startsWith('/api/'))).toBe(true)
    expect(ROUTES.filter((route) => !isTried(route)).map(({ group }) => group)).toEqual(
      expect.arrayContaining(['Sandbox', 'Bank connector']),
    )
  })
})
