// What a browser is shown where a program would get the envelope: what happened, whether anything changed,
// where to go, and the request's id.
import { type Html, html, type Page, renderDocument } from '@cowrie/contract/kit/html'
import { FAVICON_URL, mark, wordmark } from '@cowrie/design/mark'
import { BASE } from '@cowrie/design/parts/base'
import { BUTTONS } from '@cowrie/design/parts/forms'
import { WRONG_TURN } from '@cowrie/design/parts/landing'
import { TOKENS } from '@cowrie/design/tokens'

export type WrongTurn = {
  readonly code: string
  readonly status: number
  /** The gateway's own sentences, for what has none here. */
  readonly message: string
  readonly hint: string
  readonly requestId: string
  /** Where to go from here; the first is the way home. */
  readonly ways: readonly (readonly [word: string, address: string])[]
}

const STYLE = [TOKENS, BASE, BUTTONS, WRONG_TURN].join('\n')

/** Said for people; the code's own sentence is for programs. */
const SAYINGS: Readonly<Record<string, readonly [title: string, text: string]>> = {
  ROUTE_UNKNOWN: ['There is nothing at this address', 'It may be mistyped, or out of date. Nothing was changed.'],
  METHOD_NOT_ALLOWED: [
    'This address is for programs',
    'A browser cannot open it. The API reference says how it is called.',
  ],
  RATE_LIMITED: [
    'Too many requests from your network',
    'Wait a moment, then load this page again. Nothing was changed.',
  ],
  UNAVAILABLE: [
    'The gateway cannot answer right now',
    'Load this page again in a moment. If you were paying: look at your payment before you pay again.',
  ],
  INTERNAL: [
    'This page has a fault',
    'It is recorded under the request below. Load it again; if it stays, report the request.',
  ],
}

const waysOf = ({ ways }: WrongTurn): Html =>
  html`<p class="ways">${ways.map(([word, address], nth) => html`<a class="btn${nth === 0 ? ' main' : ''}" href="${address}">${word}</a>`)}</p>`

/** Without scripts, and nothing of the address on it: addresses of checkouts are secrets, and screens are
 *  photographed. */
export function wrongTurnPage(turn: WrongTurn): Page {
  const [title, text] = SAYINGS[turn.code] ?? [turn.message, turn.hint]
  const body = html`<main class="turn">
<p class="logo">${mark('mark-turn')}${wordmark()}</p>
<h1>${title}</h1>
<p>${text}</p>
${waysOf(turn)}
<p class="id">${turn.status} ${turn.code}<br>Request ${turn.requestId}</p>
</main>`
  return renderDocument({ title: `${title} · Cowrie`, style: STYLE, icon: FAVICON_URL, body })
}
