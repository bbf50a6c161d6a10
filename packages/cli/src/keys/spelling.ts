// What is said to wrong use: the nearest of the words that would have been right, and how the command is used.
import type { Command } from 'commander'

/** Letters to put in, take out, change or swap to come from one word to the other. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, at) => [at])
  for (let column = 0; column <= b.length; column++) (rows[0] as number[])[column] = column
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.MAX_SAFE_INTEGER
  for (let row = 1; row <= a.length; row++)
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      ;(rows[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
        swapped ? at(row - 2, column - 2) + 1 : Number.MAX_SAFE_INTEGER,
      )
    }
  return at(a.length, b.length)
}

/** Null where nothing is near enough to be meant. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const word = typed.toLowerCase()
  const most = Math.max(1, Math.floor(word.length * 0.4))
  const [best] = known
    .map((one) => ({ one, away: distance(word, one.toLowerCase()) }))
    .filter(({ one, away }) => away <= most || (word.length > 2 && one.toLowerCase().includes(word)))
    .sort((left, right) => left.away - right.away)
  return best?.one ?? null
}

const wayTo = (command: Command): string =>
  command.parent === null ? command.name() : `${wayTo(command.parent)} ${command.name()}`

/** After an error: the right use of that very command, instead of a page of help. */
export function sayRightUse(command: Command): void {
  const way = wayTo(command)
  command.showHelpAfterError(`Right use: ${way} ${command.usage()}\nMore: ${way} --help`)
  for (const below of command.commands) sayRightUse(below)
}
