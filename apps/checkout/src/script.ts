// The page's one script, as it is inlined: the text of browser.js without its comments and indentation;
// before it, where a card is sealed, what seals, and where a shop's page opened the payment, what speaks with
// that page. A payment link has none, or what answers its puzzle.
import { readFileSync } from 'node:fs'

const inlined = (file: URL): string =>
  readFileSync(file, 'utf8')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s+/gm, '')
    .trim()

const CHECKOUT = inlined(new URL('./browser.js', import.meta.url))
const SEALING = inlined(new URL('./screens/sealing.js', import.meta.url))
const FRAMED = inlined(new URL('./screens/framed.js', import.meta.url))
const SOLVING = inlined(new URL('./screens/solving.js', import.meta.url))
const PUZZLE = inlined(new URL('./screens/puzzle.js', import.meta.url))

const join = (...parts: readonly string[]): string => parts.join('\n')
export const PUZZLE_SCRIPT = join(SOLVING, PUZZLE)
const SCRIPTS = {
  plain: CHECKOUT,
  sealing: join(SEALING, CHECKOUT),
  framed: join(FRAMED, CHECKOUT),
  framedSealing: join(SEALING, FRAMED, CHECKOUT),
} as const
export const checkoutScript = ({ seals, framed }: { readonly seals: boolean; readonly framed: boolean }): string =>
  SCRIPTS[framed ? (seals ? 'framedSealing' : 'framed') : seals ? 'sealing' : 'plain']
