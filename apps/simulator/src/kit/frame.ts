// The frame of every page: style, banner, links and headers. No script anywhere; the pages say that they are not a real bank.
import { createHash } from 'node:crypto'
import { type Html, html } from '@cowrie/contract/kit/html'
import { nairaText } from '@cowrie/contract/kit/money'

const STYLE = `
*{box-sizing:border-box}
body{margin:0;background:#f3f5f4;color:#15211c;font:1rem/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}
.banner{background:#fde68a;color:#422006;text-align:center;padding:.5rem 1rem;font-weight:600}
nav{background:#fff;border-bottom:1px solid #d5ddd9}
nav ul{display:flex;gap:.5rem;max-width:30rem;margin:0 auto;padding:0 .5rem;list-style:none}
nav a{display:block;padding:.75rem .5rem;color:#0b5d45;font-weight:600}
nav a[aria-current]{color:#15211c;text-decoration:none;box-shadow:inset 0 -3px #0b5d45}
main{max-width:30rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .5rem}
p{margin:0 0 1rem}
.lead{color:#44544d}
.card{background:#fff;border:1px solid #d5ddd9;border-radius:12px;padding:1.25rem}
.card+.card{margin-top:1rem}
.field{margin:0 0 1rem}
label{display:block;font-weight:600;margin:0 0 .25rem}
.hint{font-weight:400;color:#4d5c55;font-size:.875rem;margin:.25rem 0 0}
input,select{width:100%;min-height:2.875rem;padding:.5rem .75rem;font:inherit;color:inherit;background:#fff;
border:1px solid #6b7b73;border-radius:8px}
.row{display:grid;gap:0 1rem}
@media(min-width:30rem){.row{grid-template-columns:1fr 1fr}.card{padding:1.75rem}main{padding-top:2.5rem}}
button,.button{display:block;width:100%;min-height:3rem;padding:.625rem 1rem;font:inherit;font-weight:600;text-align:center;
text-decoration:none;color:#fff;background:#0b5d45;border:1px solid #0b5d45;border-radius:8px;cursor:pointer}
button:hover,.button:hover{background:#08462f}
button.second{margin-top:.75rem;color:#7f1d1d;background:#fff;border-color:#7f1d1d}
button.second:hover{background:#fee2e2}
:focus-visible{outline:3px solid #1d4ed8;outline-offset:2px}
.message{border-radius:8px;padding:.75rem 1rem;margin:0 0 1rem;font-weight:600}
.good{background:#dcfce7;color:#14532d;border:1px solid #15803d}
.bad{background:#fee2e2;color:#7f1d1d;border:1px solid #b91c1c}
.plain{background:#e8eeeb;color:#15211c;border:1px solid #6b7b73}
dl{margin:0 0 1.25rem}
dl:last-child{margin:0}
dt{color:#4d5c55;font-size:.875rem}
dd{margin:0 0 .75rem;font-weight:600;overflow-wrap:anywhere}
.amount{font-size:1.75rem;font-variant-numeric:tabular-nums}
.sms{background:#fff;border:1px solid #d5ddd9;border-radius:4px 16px 16px 16px;padding:1rem 1.25rem;margin:0 0 1rem;
overflow-wrap:anywhere}
.sms p:last-child{margin:0}
.code{font-size:1.75rem;line-height:1.25;font-weight:600;letter-spacing:.1em;font-variant-numeric:tabular-nums}
.list{list-style:none;margin:0}
.list li{padding:.75rem 0;border-top:1px solid #d5ddd9;overflow-wrap:anywhere}
.list li:first-child{border:0;padding-top:0}
.list li:last-child{padding-bottom:0}
.list a{display:inline-block;padding:.25rem 0;color:#0b5d45;font-weight:600}
.list p{margin:0}
`

/** Nothing may be loaded, and only this style applies; the hash is of the bytes that are sent. */
export const headersWith = (formAction: string): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
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
] as const

/** `place` is the address in the list of links that the page belongs to; a page the payer was sent to shows no links. */
export function page(title: string, place: '/' | '/phone' | null, main: Html): string {
  const links = PLACES.map(
    ([address, name]) =>
      html`<li><a href="${address}"${address === place ? html` aria-current="page"` : null}>${name}</a></li>`,
  )
  const nav = place === null ? null : html`<nav aria-label="Sandbox bank"><ul>${links}</ul></nav>\n`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Sandbox bank</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<header class="banner">Sandbox bank. No real money.</header>
${nav}<main>
${main}
</main>
</body>
</html>
`.markup
}

export const missingPage = (what: string): string =>
  page(
    'Not found',
    '/phone',
    html`<h1>Not found</h1>
<p class="message bad" role="alert">${what}</p>`,
  )

/** `₦2,200.00` */
export const nairaWords = (kobo: bigint): string => `₦${nairaText(kobo).replace(/\B(?=(\d{3})+\.)/g, ',')}`

const LAGOS = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Africa/Lagos' })
/** `15 Nov 2026, 06:12`, in West Africa Time. */
export const momentWords = (moment: Date): string => LAGOS.format(moment)

export const line = (term: string, text: string | null | undefined): Html | null =>
  text === null || text === undefined ? null : html`<dt>${term}</dt><dd>${text}</dd>\n`
