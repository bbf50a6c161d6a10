// The frame of every page: style, banner, links and headers. No script anywhere; the pages say that they are
// not a real bank.
import { createHash } from 'node:crypto'
import { type Html, html } from '@cowrie/contract/kit/html'
import { nairaText } from '@cowrie/contract/kit/money'
import { FAVICON_URL } from '@cowrie/design/mark'
import { BASE, MONEY, SANDBOX_BAR } from '@cowrie/design/parts/base'
import { BUTTONS, FIELDS } from '@cowrie/design/parts/forms'
import { sheet } from '@cowrie/design/sheet'
import { icon, sign } from '@cowrie/design/signs'
import { TOKENS } from '@cowrie/design/tokens'

/** A bank's app in our own look, on the roles of the design; the yellow bar says whose money moves:
 *  nobody's. */
const BANK = sheet(`
body { font-size: var(--t-lg); overflow-wrap: anywhere; }
.sandbox-bar { justify-content: center; min-height: 2.75rem; text-align: center; font-weight: var(--w-strong); }
.masthead { background: #0b2a22; color: #eef5f1; }
.masthead > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 var(--s-4); max-width: 34rem; margin: 0 auto; padding: 0 var(--s-4); min-height: 3.5rem; }
.masthead p { display: flex; align-items: center; gap: var(--s-2); font-weight: var(--w-strong); }
.masthead .i { width: 1.25rem; height: 1.25rem; }
.masthead ul { display: flex; gap: var(--s-1); margin: 0 calc(var(--s-3) * -1); }
.masthead a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; padding: 0 var(--s-3); color: inherit; text-decoration: none; font-size: .9375rem; border-radius: var(--r-md); }
.masthead a:hover { text-decoration: underline; } .masthead a[aria-current] { background: #16473a; font-weight: var(--w-strong); } .masthead :focus-visible { outline-color: #fff; }
main { max-width: 34rem; margin: 0 auto; padding: var(--s-6) var(--s-4) var(--s-12); }
h1 { font-size: 1.5rem; letter-spacing: -.018em; margin-bottom: var(--s-2); }
main > p, main > .box, .box > p { margin-bottom: var(--s-4); } .box > :last-child { margin-bottom: 0; }
.lead { color: var(--soft); }
.box { border: 1px solid var(--line); border-radius: var(--r-lg); padding: var(--s-4); background: var(--surface); } .box + .box { margin-top: var(--s-4); }
.form > .row { display: grid; gap: var(--s-5) var(--s-4); align-items: start; } .form .btn + .btn { margin-top: calc(var(--s-3) * -1); }
.field > label { font-size: .9375rem; } .hint { font-size: var(--t-sm); }
.in-t, .field select { min-height: 3rem; font-size: 1.0625rem; }
.btn { width: 100%; min-height: 3.25rem; padding: var(--s-1) var(--s-4); font-size: 1.0625rem; border-radius: var(--r-lg); white-space: normal; text-align: center; }
.box .btn + .btn { margin-top: var(--s-3); } .form.box .btn + .btn { margin-top: 0; }
.message { display: flex; gap: var(--s-3); align-items: center; border-radius: var(--r-md); padding: var(--s-3) var(--s-4); background: var(--calm-tint); font-weight: var(--w-strong); }
.message.good { background: var(--good-tint); color: var(--good); } .message.bad { background: var(--bad-tint); color: var(--bad); }
.sign { flex: none; width: 1.5rem; height: 1.5rem; } .sign path { fill: currentColor; } .sign path + path { fill: none; stroke: var(--surface); stroke-width: 2.2; stroke-linecap: round; stroke-linejoin: round; }
dl { margin-bottom: var(--s-4); } dl:last-child { margin: 0; }
dt { color: var(--soft); font-size: var(--t-sm); } dd { margin-bottom: var(--s-3); font-weight: var(--w-strong); } dl dd:last-child { margin-bottom: 0; }
.amount { font-size: var(--t-2xl); letter-spacing: -.02em; line-height: 1.2; }
.sms { background: var(--surface); border: 1px solid var(--line); border-radius: var(--r-sm) var(--r-xl) var(--r-xl) var(--r-xl); padding: var(--s-4) var(--s-5); margin-bottom: var(--s-4); }
.code { background: none; border: 0; font: var(--w-strong) var(--t-2xl)/1.35 var(--sans); letter-spacing: .1em; }
.list li { padding: var(--s-3) 0; border-top: 1px solid var(--line); } .list li:first-child { border: 0; padding-top: 0; } .list li:last-child { padding-bottom: 0; }
.list a { display: inline-block; padding: .25rem 0; font-weight: var(--w-strong); }
@media (min-width: 30rem) { .form > .row { grid-template-columns: 1fr 1fr; } .box { padding: var(--s-6); } main { padding-top: var(--s-10); } }
`)
const STYLE = [TOKENS, BASE, SANDBOX_BAR, MONEY, BUTTONS, FIELDS, BANK].join('\n')

/** Nothing may be loaded, and only this style applies; the hash is of the bytes that are sent. */
export const headersWith = (formAction: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    'img-src data:',
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
})
export const PAGE_HEADERS = headersWith("'self'")

const PLACES = [
  ['/', 'Send money'],
  ['/phone', 'Phone'],
  ['/dial', 'Dial'],
  ['/agent', 'Agent'],
] as const
type Place = (typeof PLACES)[number][0]

/** `place` is the address in the list of links that the page belongs to; a page the payer was sent to shows
 *  no links. */
export function page(title: string, place: Place | null, main: Html): string {
  const links = PLACES.map(
    ([address, name]) =>
      html`<li><a href="${address}"${address === place ? html` aria-current="page"` : null}>${name}</a></li>`,
  )
  const nav = place === null ? null : html`<nav aria-label="Sandbox bank"><ul>${links}</ul></nav>`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Sandbox bank</title>
<link rel="icon" href="${FAVICON_URL}">
<style>${{ markup: STYLE }}</style>
</head>
<body>
<p class="sandbox-bar">Sandbox bank. No real money.</p>
<header class="masthead"><div><p>${icon('bank')}Sandbox bank</p>${nav}</div></header>
<main>
${main}
</main>
</body>
</html>
`.markup
}

type Said = { readonly tone: 'good' | 'bad' | 'plain'; readonly words: string }

/** What became of it: shape and word, colour only helps. */
export const message = ({ tone, words }: Said, role: 'status' | 'alert', more: Html | null = null): Html =>
  html`<p class="message ${tone}" role="${role}"${more}>${tone === 'plain' ? null : sign(tone)}<span>${words}</span></p>`

export const missingPage = (what: string): string =>
  page(
    'Not found',
    '/phone',
    html`<h1>Not found</h1>
${message({ tone: 'bad', words: what }, 'alert')}`,
  )

/** `₦2,200.00` */
export const nairaWords = (kobo: bigint): string => `₦${nairaText(kobo).replace(/\B(?=(\d{3})+\.)/g, ',')}`

const LAGOS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Lagos' })
/** `15 Nov 2026, 06:12`, in West Africa Time. */
export const momentWords = (moment: Date): string => LAGOS.format(moment)

export const line = (term: string, text: string | null | undefined): Html | null =>
  text === null || text === undefined ? null : html`<dt>${term}</dt><dd>${text}</dd>\n`
