// The page's one script, as it is inlined: the text of browser.js without its comments and indentation.
import { readFileSync } from 'node:fs'

export const CHECKOUT_SCRIPT = readFileSync(new URL('./browser.js', import.meta.url), 'utf8')
  .replace(/^\s*\/\/.*\n/gm, '')
  .replace(/^\s+/gm, '')
  .trim()
