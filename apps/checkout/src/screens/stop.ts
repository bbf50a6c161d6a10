// The page behind the stop link of a mail about an account that is to receive a merchant's money. Opening it
// shows a button only, because scanners of mail open links. Whole without a script.
import { html, type Page, renderDocument } from '@cowrie/contract/kit/html'
import { FAVICON_URL, mark } from '@cowrie/design/mark'
import { BASE } from '@cowrie/design/parts/base'
import { BUTTONS } from '@cowrie/design/parts/forms'
import { sheet } from '@cowrie/design/sheet'
import { TOKENS } from '@cowrie/design/tokens'

export type StopPage = {
  readonly kind: 'READY' | 'STOPPED' | 'UNKNOWN'
  /** Bank and last four digits. */
  readonly account: string
}

const STYLE = [
  TOKENS,
  BASE,
  BUTTONS,
  sheet(`
body { background: var(--paper); }
.stop { max-width: 40rem; margin: 0 auto; padding: var(--s-12) var(--s-6); display: grid; gap: var(--s-4); overflow-wrap: anywhere; }
.stop > .mark { width: 2.5rem; height: 2.5rem; color: var(--accent); }
.stop h1 { font-size: var(--t-xl); }
.stop p { color: var(--soft); }
`),
].join('\n')

const TEXTS: Readonly<Record<StopPage['kind'], (account: string) => readonly [title: string, ...string[]]>> = {
  READY: (account) => [
    'Stop this account',
    `The account ${account} was added as one that receives your money. Press the button if that should not be: it then never receives any.`,
  ],
  STOPPED: (account) => [
    'It is stopped',
    `The account ${account} receives nothing. Money goes where it went before, or waits.`,
    'Find out who added it: the mail says so. End their access or replace your keys, and tell the operator of the gateway.',
  ],
  UNKNOWN: () => ['There is nothing here', 'Check that you opened the whole address from the newest mail.'],
}

export function stopPage({ kind, account }: StopPage): Page {
  const [title, ...sentences] = TEXTS[kind](account)
  const button = html`<form method="post"><button class="btn main big" type="submit">Stop it</button></form>`
  return renderDocument({
    title: `${title} · Cowrie`,
    style: STYLE,
    icon: FAVICON_URL,
    formAction: kind === 'READY' ? "'self'" : "'none'",
    body: html`<main class="stop">
${mark('mark-stop')}
<h1>${title}</h1>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${kind === 'READY' ? button : null}
</main>`,
  })
}
