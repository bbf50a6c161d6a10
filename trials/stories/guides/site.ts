// The pages of the built site, their links and their weight.
import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DIST, fileAt } from '../../../tools/site/serve.ts'

/** `/guides/start/accept-a-payment/`, of every page that has a menu. */
export const pagesOfSite = (): readonly string[] =>
  readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('index.html'))
    .map((name) => `/${name.slice(0, -'index.html'.length)}`)

const linksIn = (html: string): readonly string[] =>
  [...html.matchAll(/<(?:a|link|script|img)\b[^>]*?\s(?:href|src)="([^"]+)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  )

const anchorsIn = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id))

/** Links of a page that lead nowhere on this site; to others they are not followed. */
export function brokenLinks(page: string, texts: Map<string, string>): readonly string[] {
  const textOf = (file: string): string => {
    const known = texts.get(file) ?? readFileSync(file, 'utf8')
    texts.set(file, known)
    return known
  }
  const own = fileAt(page)
  if (own === null) return [`${page} is not there`]
  return linksIn(textOf(own)).flatMap((link) => {
    if (/^(?:https?:|mailto:|data:)/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? own : fileAt(posix.resolve(page, path) + (path.endsWith('/') ? '/' : ''))
    if (file === null) return [`${page}: ${link}`]
    if (!anchor || anchor === '_top' || !file.endsWith('.html')) return []
    return anchorsIn(textOf(file)).has(decodeURIComponent(anchor)) ? [] : [`${page}: ${link}, no such place`]
  })
}

/** What a reader's browser fetches for a page, compressed: the page, its styles and its scripts. */
export function weightOf(page: string): number {
  const html = readFileSync(fileAt(page) as string, 'utf8')
  const parts = linksIn(html).filter((link) => /^\/_astro\/[^"]+\.(?:css|js)$/.test(link))
  const sizes = [...new Set(parts)].map((link) => gzipSync(readFileSync(fileAt(link) as string)).length)
  return sizes.reduce((sum, one) => sum + one, gzipSync(html).length)
}
