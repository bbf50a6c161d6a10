// What an exam has left out, so that a test can say it: an adapter that no longer does something must not
// pass because of that.
import type { Result } from '../src/exam.ts'

/** How many checks were skipped, by their group and reason:
 *  `{ '10 the adapter does not claim "statement"': 1 }`. */
export function skippedOf({ groups }: Result): Readonly<Record<string, number>> {
  const reasons = groups.flatMap(({ number, skipped }) => skipped.map(({ reason }) => `${number} ${reason}`))
  return Object.fromEntries([...Map.groupBy(reasons, (one) => one)].map(([reason, all]) => [reason, all.length]))
}
