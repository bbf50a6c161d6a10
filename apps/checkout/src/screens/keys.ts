// The page behind a one-time link for a secret key. Opening it shows a button only, because scanners of mail
// open links; the button shows the keys, once. Whole without a script.
import { type Html, html, type Page, renderDocument } from '@cowrie/contract/kit/html'
import { FAVICON_URL, mark } from '@cowrie/design/mark'
import { BASE } from '@cowrie/design/parts/base'
import { BUTTONS } from '@cowrie/design/parts/forms'
import { sheet } from '@cowrie/design/sheet'
import { TOKENS } from '@cowrie/design/tokens'

export type KeyPage =
  | { readonly kind: 'READY' | 'USED' | 'OVER' | 'UNKNOWN' }
  | { readonly kind: 'SHOWN'; readonly name: string; readonly apiKey: string; readonly secretKey: string }

const STYLE = [
  TOKENS,
  BASE,
  BUTTONS,
  sheet(`
body { background: var(--paper); }
.keys { max-width: 40rem; margin: 0 auto; padding: var(--s-12) var(--s-6); display: grid; gap: var(--s-4); overflow-wrap: anywhere; }
.keys > .mark { width: 2.5rem; height: 2.5rem; color: var(--accent); }
.keys h1 { font-size: var(--t-xl); }
.keys p { color: var(--soft); }
.keys dl { display: grid; gap: var(--s-2); padding: var(--s-4); background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; }
.keys dt { color: var(--soft); }
.keys dd { margin: 0; font-family: ui-monospace, monospace; user-select: all; }
`),
].join('\n')

const TEXTS: Readonly<Record<Exclude<KeyPage['kind'], 'SHOWN'>, readonly [title: string, ...sentences: string[]]>> = {
  READY: [
    'Your secret key',
    'Press the button to make the secret key and see it, once. From that moment every older secret key of this merchant has ended.',
    'Have a safe place for it ready: it cannot be shown again.',
  ],
  USED: [
    'This link was used already',
    'It showed the keys once, and does not show them again. If that was not you, ask the operator of the gateway for another link at once.',
  ],
  OVER: [
    'This link has ended',
    'Its time has passed, or another one has taken its place. Ask the operator of the gateway for a new one.',
  ],
  UNKNOWN: ['There is nothing here', 'Check that you opened the whole address from the newest mail.'],
}

function contentOf(page: KeyPage): { readonly title: string; readonly body: Html } {
  if (page.kind === 'SHOWN') {
    const title = `The keys of ${page.name}`
    const body = html`<p>Keep them now: the secret key is not shown again, and nobody else has it.</p>
<dl><dt>API key</dt><dd>${page.apiKey}</dd><dt>Secret key</dt><dd>${page.secretKey}</dd></dl>
<p>Close this page when you have them.</p>`
    return { title, body }
  }
  const [title, ...sentences] = TEXTS[page.kind]
  const button = html`<form method="post"><button class="btn main big" type="submit">Show the keys</button></form>`
  return {
    title,
    body: html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${page.kind === 'READY' ? button : null}`,
  }
}

export function keyPage(page: KeyPage): Page {
  const { title, body } = contentOf(page)
  return renderDocument({
    title: `${title} · Cowrie`,
    style: STYLE,
    icon: FAVICON_URL,
    formAction: page.kind === 'READY' ? "'self'" : "'none'",
    body: html`<main class="keys">
${mark('mark-keys')}
<h1>${title}</h1>
${body}
</main>`,
  })
}
