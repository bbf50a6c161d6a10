// HTML pages: a template tag that escapes whatever is put into it, and the document around it with the
// Content-Security-Policy that fits. Escaping is the default, so forgetting it is not possible; markup is a
// type of its own, and only the tag makes it.
import { createHash } from 'node:crypto'

export type Html = { readonly markup: string }
export type Page = {
  readonly html: string
  readonly csp: string
  /** Whoever opened the window of the page may close it again. */
  readonly keepsOpener?: true
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

type Part = string | number | Html | readonly Html[] | null

function markupOf(part: Part): string {
  if (part === null) return ''
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'markup' in part ? part.markup : part.map((one) => one.markup).join('\n')
}

/** Text between the placeholders is markup; what stands in them is escaped, unless this tag made it. */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: literals.reduce((before, literal, index) => before + markupOf(parts[index - 1] ?? null) + literal),
})

/** `code` between back-ticks, as the sentences of the contract are written. */
export const prose = (text: string): Html => ({
  markup: text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? `<code>${escaped(piece)}</code>` : escaped(piece)))
    .join(''),
})

/** Only web addresses become links: anything else, `javascript:` above all, gives null. */
export const webAddress = (address: string | null): string | null =>
  address !== null && /^https?:\/\//i.test(address) ? address : null

/** What a browser runs or reads of its own, or speaks to another server with: never the place that a payer
 *  goes back to. */
const NOT_AN_APPLICATION = /^(?:javascript|vbscript|data|file|blob|about|filesystem|view-source|https?|wss?|ftp)$/i

/** Where a payer may be sent back to: the web, or an application by its own scheme (`myshop://paid`). */
export function returnLink(address: string | null): string | null {
  if (address === null || webAddress(address) !== null) return address
  const scheme = /^([a-z][a-z0-9+.-]*):[^\s]/i.exec(address)?.[1]
  return scheme === undefined || NOT_AN_APPLICATION.test(scheme) ? null : address
}

export type Document = {
  readonly title: string
  /** The language of the page; English by default. */
  readonly lang?: string
  /** The whole style sheet. The policy admits exactly these bytes, so `style` attributes have no effect. */
  readonly style: string
  /** A second, small sheet of what differs from page to page, such as a merchant's colours. */
  readonly moreStyle?: string | undefined
  /** The icon of the tab, as a `data:` address. */
  readonly icon?: string
  /** Where images may come from: sources of the policy. None by default. */
  readonly images?: readonly string[]
  readonly body: Html
  /** The whole script of the page, if it has one. The policy admits exactly these bytes, lets it call home,
   *  and demands Trusted Types with no policy at all: no text becomes markup in the browser. */
  readonly script?: string
  /** Where forms may be sent; nowhere by default. Other origins are allowed in addition to `'self'`. */
  readonly formAction?: string
  /** The one origin that may show the page in a frame; none by default. */
  readonly frameAncestor?: string | undefined
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
/** The hashes of a style sheet and a script do not change while the process lives. */
const hashes = new Map<string, string>()
const hashOf = (text: string): string => {
  const hash = hashes.get(text) ?? sha256(text)
  hashes.set(text, hash)
  return hash
}

export function renderDocument(document: Document): Page {
  const { script, moreStyle } = document
  const images = [...(document.icon === undefined ? [] : ['data:']), ...(document.images ?? [])]
  const icon = document.icon === undefined ? null : html`<link rel="icon" href="${document.icon}">\n`
  const more = moreStyle === undefined ? null : html`<style>${{ markup: moreStyle }}</style>\n`
  // The addresses of checkout pages are secrets: other sites must not see them as the referrer. `same-origin`
  // and not `no-referrer`, because the latter makes browsers send `Origin: null` with our own forms.
  const whole = html`<!doctype html>
<html lang="${document.lang ?? 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin">
<title>${document.title}</title>
${icon}<style>${{ markup: document.style }}</style>
${more}</head>
<body>
${document.body}
${script === undefined ? null : html`<script>${{ markup: script }}</script>\n`}</body>
</html>
`
  const csp = [
    "default-src 'none'",
    ...(images.length === 0 ? [] : [`img-src ${images.join(' ')}`]),
    // The second sheet differs from page to page, so its hash is not kept.
    ['style-src', hashOf(document.style), ...(moreStyle === undefined ? [] : [sha256(moreStyle)])].join(' '),
    ...(script === undefined
      ? []
      : [
          `script-src ${hashOf(script)}`,
          "connect-src 'self'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ]),
    "base-uri 'none'",
    `form-action ${document.formAction ?? "'none'"}`,
    `frame-ancestors ${document.frameAncestor ?? "'none'"}`,
  ].join('; ')
  return { html: whole.markup, csp, ...(document.frameAncestor === undefined ? {} : { keepsOpener: true }) }
}
