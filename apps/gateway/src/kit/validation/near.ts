// What was meant by a name that nobody knows: the one known name that is near it, or nothing. A wrong guess
// sends a developer astray, so two that are equally near are none. It runs on refused requests, and in the
// sandbox.
import { distance } from '@cowrie/contract/errors/kit/distance'

/** Further than this is another word, however long. */
const FAR = 3
const GUESSED_MAX = 64

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** 0 for the same letters; null for another word. `email` is near `customerEmail`, and `transactionRef` near
 *  `transactionReference`. */
function apart(given: string, known: string): number | null {
  const most = Math.min(FAR, Math.floor(Math.max(given.length, known.length) / 4))
  const letters = distance(given, known, most)
  if (letters <= most) return letters
  const [short, long] = given.length < known.length ? [given, known] : [known, given]
  return short.length >= 4 && (long.startsWith(short) || long.endsWith(short)) ? FAR + 1 : null
}

/** The known name that was meant, if exactly one is nearest. */
export function nearest(given: string, known: Iterable<string>): string | null {
  const word = plain(given.slice(0, GUESSED_MAX + 1))
  if (word.length < 2 || given.length > GUESSED_MAX) return null
  let [found, least] = [null as string | null, FAR + 2]
  for (const name of known) {
    const far = apart(word, plain(name))
    if (far === null || far > least) continue
    found = far === least ? null : name
    least = far
  }
  return found
}

/** Names that an answer may repeat: a number of a card or an account that was sent as a name is not one. */
export const mayBeShown = (name: string): boolean => /^[A-Za-z][\w.-]{0,63}$/.test(name) && !/\d{4}/.test(name)
