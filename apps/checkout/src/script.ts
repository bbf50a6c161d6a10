// The page's one script, as it is inlined: the text of browser.js without its comments and indentation;
// before it, where a card is sealed, what seals.
import { readFileSync } from 'node:fs'

const inlined = (file: URL): string =>
  readFileSync(file, 'utf8')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s+/gm, '')
    .trim()

export const CHECKOUT_SCRIPT = inlined(new URL('./browser.js', import.meta.url))
export const SEALING_SCRIPT = `${inlined(new URL('./screens/sealing.js', import.meta.url))}\n${CHECKOUT_SCRIPT}`
