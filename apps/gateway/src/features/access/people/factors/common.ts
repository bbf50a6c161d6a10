// Passwords that are tried first: those of a list of the commonest (@zxcvbn-ts/language-common, MIT), also
// with digits and signs around them, and walks over the keyboard. No network is asked.
import { dictionary } from '@zxcvbn-ts/language-common'

const COMMON: ReadonlySet<string> = new Set(dictionary['passwords-common'])
/** A word that is so short is in the list by chance. */
const WORD_MIN = 4
/** With more around it than this, it is no longer the word that is guessed. */
const AROUND_MAX = 8

const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']
const isStep = (a: string, b: string): boolean =>
  a === b || ROWS.some((row) => row.includes(a + b) || row.includes(b + a))
/** Of every six characters one may begin a new walk. */
const isWalk = (text: string): boolean => {
  let turns = 0
  for (let at = 1; at < text.length; at += 1) if (!isStep(text[at - 1] as string, text[at] as string)) turns += 1
  return turns <= text.length / 6
}

export function isCommon(password: string): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  const word = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const around = text.length - word.length
  const half = text.slice(0, text.length / 2)
  return (
    COMMON.has(text) ||
    (half + half === text && COMMON.has(half)) ||
    (word.length >= WORD_MIN && around <= AROUND_MAX && COMMON.has(word)) ||
    isWalk(text)
  )
}
