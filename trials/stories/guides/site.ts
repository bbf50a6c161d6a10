// The built site, as files and as a server.
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DIST } from '../../../tools/site/build.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/** The file that an address leads to, or null. */
export function fileAt(path: string): string | null {
  const file = join(DIST, decodeURI(path))
  if (!existsSync(file)) return null
  if (!statSync(file).isDirectory()) return file
  return existsSync(join(file, 'index.html')) ? join(file, 'index.html') : null
}

export async function serveSite(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const file = fileAt(new URL(request.url ?? '/', 'http://localhost').pathname)
    if (file === null) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    return response.end(readFileSync(file))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

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
