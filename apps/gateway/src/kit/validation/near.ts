// What was meant by a name that nobody knows: the one known name that is near it, or nothing. A wrong guess sends a developer astray,
// so two that are equally near are none. It runs on refused requests, and in the sandbox.

/** Further than this is another word, however long. */
const FAR = 3
const GUESSED_MAX = 64

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** How many letters have to be put in, left out, replaced or swapped with their neighbour, if at most `most`; else more than that. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (last[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      const swapped =
        one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1] ? (before[to - 2] ?? 0) + 1 : FAR + 1
      row[to] = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, replaced, swapped)
    }
    if (Math.min(...row) > most) return most + 1
    ;[before, last] = [last, row]
  }
  return last[other.length] ?? most + 1
}

/** 0 for the same letters; null for another word. `email` is near `customerEmail`, and `transactionRef` near `transactionReference`. */
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
