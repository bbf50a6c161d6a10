// How pages are made: code cut out of files, prose that is no code by accident, tabs, boxes, links.
import { describe, expect, test } from 'vitest'
import { cut, fenceOf, filled } from './fences.ts'
import { mdxOf } from './mdx.ts'
import { polished } from './polish.ts'

const SOURCE = `import x from 'x'
// #region outer
  const a = 1
  // #region inner
  const b = 2
  // #endregion
  const c = 3
// #endregion
`

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
