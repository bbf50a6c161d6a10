// Dashboard: the screens of merchants' people and of the operator's, as fixed files that
// `npm run build:dashboard` made. They are read once, when somebody first asks, and served from memory: files
// with a hash in their name for ever, and the page for every address below it, because the screens have
// addresses of their own. Without a build there is a page that says how to make one. No data, no states;
// nobody waits.
import { readdirSync, readFileSync } from 'node:fs'
import { html, type Page, renderDocument } from '@cowrie/contract/kit/html'
import type { Side } from '@cowrie/contract/kit/permissions'
import { FAVICON_URL } from '@cowrie/design/mark'
import { BASE } from '@cowrie/design/parts/base'
import { LANDING } from '@cowrie/design/parts/landing'
import { TOKENS } from '@cowrie/design/tokens'

const BUILD = new URL('../../../../../dashboard/dist/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Scripts, styles and calls from here and from nowhere else; nobody frames it, and no form leaves it. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export type Asset = { readonly type: string; readonly text: string }
export type Build = { readonly page: string; readonly assets: ReadonlyMap<string, Asset> }
/** What the page has to know before its first call. */
export type PageFacts = { readonly environment: string; readonly identityProvider: boolean }

const withFact = (page: string, name: string, value: string): string =>
  page.replace(new RegExp(`(<meta name="cowrie-${name}" content=")[^"]*`), `$1${value}`)

/** The files of a side; null where they were not built. */
export function readBuild(side: Side, facts: PageFacts, from: URL = BUILD): Build | null {
  const home = new URL(`${side}/`, from)
  try {
    const page = withFact(
      withFact(readFileSync(new URL('index.html', home), 'utf8'), 'environment', facts.environment),
      'identity-provider',
      facts.identityProvider ? 'on' : 'off',
    )
    const folder = new URL('assets/', home)
    const assets = readdirSync(folder).flatMap((name): [string, Asset][] => {
      const type = TYPES[name.split('.').at(-1) ?? '']
      return type === undefined ? [] : [[name, { type, text: readFileSync(new URL(name, folder), 'utf8') }]]
    })
    return { page, assets: new Map(assets) }
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}

export const notBuilt = (): Page =>
  renderDocument({
    title: 'Cowrie: the dashboard is not built',
    style: [TOKENS, BASE, LANDING].join('\n'),
    icon: FAVICON_URL,
    body: html`<main class="land"><h1>The dashboard is not built</h1>
<p>Its files are made by this command, in the folder of the gateway; it takes seconds:</p>
<p><code>npm run build:dashboard</code></p>
<p>Then load this page again. Everything else of the gateway runs without it.</p></main>`,
  })
