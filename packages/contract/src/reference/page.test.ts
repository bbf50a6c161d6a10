import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../errors/errors.ts'
import { EVENTS, MACHINES, ROUTES } from '../index.ts'
import { groupPages, type ReferenceOptions, referencePage } from './page.ts'

const SANDBOX = { apiUrl: 'http://127.0.0.1:4000', sandbox: true, simulatorUrl: 'http://127.0.0.1:4100' }
const LIVE = { apiUrl: 'https://api.example', sandbox: false }
const BYTES_MAX = 300_000

type Written = { readonly path: string; readonly html: string; readonly csp: string }
const pagesOf = (options: ReferenceOptions): readonly Written[] => [
  { path: '/docs', ...referencePage(options) },
  ...[...groupPages(options)].map(([name, write]) => ({ path: `/docs/${name}`, ...write() })),
]
const sandbox = pagesOf(SANDBOX)
const live = pagesOf(LIVE)
const home = sandbox[0]?.html ?? ''
const idsOf = (html: string): readonly string[] => [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1] ?? '')

describe('the pages of the reference', () => {
  test.each([
    ['sandbox', sandbox],
    ['live', live],
  ])('%s: the policy admits exactly the style, and nothing is loaded', (_name, pages) => {
    for (const page of pages) {
      const style = /<style>([\s\S]*?)<\/style>/.exec(page.html)?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(page.csp).toBe(
        `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      expect(page.html).not.toMatch(/<script|<img|<link|<iframe|\ssrc=|\sstyle=|url\(|@import/i)
    }
  })

  test.each([
    ['sandbox', sandbox],
    ['live', live],
  ])('%s: ids are unique and every link among the pages leads somewhere', (_name, pages) => {
    const ids = new Map(pages.map(({ path, html }) => [path, idsOf(html)]))
    const lost = pages.flatMap(({ path, html }) =>
      [...html.matchAll(/href="([#/][^"]*)"/g)].flatMap(([, link = '']) => {
        const [page = '', id] = link.split('#')
        const there = ids.get(page === '' ? path : page)
        return there && (id === undefined || there.includes(id)) ? [] : [`${path}: ${link}`]
      }),
    )
    expect(lost).toEqual([])
    for (const [path, own] of ids) expect([path, own.filter((id, at) => own.indexOf(id) !== at)]).toEqual([path, []])
  })

  test('every error, event and machine has its place on the first page, every operation on the page of its group', () => {
    const ids = idsOf(home)
    for (const code of Object.keys(ERRORS)) expect(ids).toContain(`error-${code}`)
    for (const event of EVENTS) expect(ids).toContain(`event-${event.type}`)
    for (const machine of MACHINES) expect(ids).toContain(`states-${machine.name}`)
    const all = sandbox.map(({ html }) => html).join('')
    for (const route of ROUTES) expect(all).toContain(`<span class="path">${route.path}</span>`)
  })

  test('a link to an operation from when there was one page leads to where it is now', () => {
    for (const { id } of ROUTES) expect(home).toContain(`<li id="${id.toLowerCase().replace(/[^a-z0-9]+/g, '-')}">`)
  })

  test(`no page has more than ${BYTES_MAX} bytes`, () => {
    expect(sandbox.filter(({ html }) => html.length > BYTES_MAX).map(({ path, html }) => [path, html.length])).toEqual(
      [],
    )
  })

  test('a field that says nothing of itself has the words that openapi.json has for it', () => {
    const cards = sandbox.find(({ path }) => path === '/docs/cards')?.html ?? ''
    expect(cards).toContain('<code>tokenId</code> of the call that confirms the charge')
    const EMPTY =
      /<th scope="row"><code>((?:[^<]|<wbr>)+)<\/code><\/th><td class="word">[^<]*<\/td><td class="word">[^<]*<\/td><td class="notes"><\/td>/g
    expect(sandbox.flatMap(({ html }) => [...html.matchAll(EMPTY)].map(([, name]) => name))).toEqual([])
  })

  test('live knows neither the calls of the sandbox nor the simulator', () => {
    for (const { html } of live) expect(html).not.toMatch(/\/sandbox\/|\/api\/transfers/)
    expect(live.map(({ path }) => path)).not.toContain('/docs/sandbox')
  })

  test('what it is given is escaped', () => {
    for (const page of pagesOf({ apiUrl: 'http://x/"><script>', sandbox: true, simulatorUrl: '"><script>' }))
      expect(page.html).not.toContain('<script')
  })
})
