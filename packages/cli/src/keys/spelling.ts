// What is said to wrong use: the nearest of the words that would have been right, and how the command is
// used.
import { distance } from '@cowrie/contract/errors/kit/distance'
import type { Command } from 'commander'

/** Null where nothing is near enough to be meant. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const word = typed.toLowerCase()
  const most = Math.max(1, Math.floor(word.length * 0.4))
  const [best] = known
    .map((one) => ({ one, away: distance(word, one.toLowerCase(), most) }))
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
