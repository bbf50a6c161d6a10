// The marks of the cards that are taken, small, in the field of the number. The script leaves the one that
// fits; the name of the brand is said in words too.
import type { Html } from '@cowrie/contract/kit/html'

const tile = (name: string, drawing: string): string =>
  `<svg data-scheme="${name}" viewBox="0 0 34 22">${drawing}</svg>`

const MARKS = [
  tile(
    'Verve',
    '<circle cx="8.5" cy="11" r="4.5" fill="#e2202c"/><path d="m6.7 9.2 1.8 3.8 1.8-3.8" fill="none" stroke="#fff" stroke-width="1.3"/><text x="14" y="13.3" font-size="7" textLength="17" lengthAdjust="spacingAndGlyphs" font-weight="700" fill="#00425f">Verve</text>',
  ),
  tile(
    'Mastercard',
    '<circle cx="13.5" cy="11" r="6.5" fill="#eb001b"/><circle cx="20.5" cy="11" r="6.5" fill="#f79e1b"/><path d="M17 5.5a6.5 6.5 0 0 1 0 11 6.5 6.5 0 0 1 0-11Z" fill="#ff5f00"/>',
  ),
  tile(
    'Visa',
    '<text x="17" y="14.8" text-anchor="middle" font-size="10.5" font-weight="700" font-style="italic" fill="#1a1f71">VISA</text>',
  ),
]

export const cardMarks = (): Html => ({ markup: `<span class="marks" aria-hidden="true">${MARKS.join('')}</span>` })
