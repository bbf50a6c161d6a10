// How far two words are apart, for guesses of what was meant.

/** How many letters have to be put in, left out, replaced or swapped with their neighbour, if at most `most`;
 *  else more than that. */
export function distance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const replaced = (last[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1)
      const swapped =
        one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1] ? (before[to - 2] ?? 0) + 1 : most + 1
      row[to] = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, replaced, swapped)
    }
    if (Math.min(...row) > most) return most + 1
    ;[before, last] = [last, row]
  }
  return last[other.length] ?? most + 1
}
