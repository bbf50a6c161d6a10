// `search_docs`: the operations, errors, events and states of the contract, found by words. The same data
// that the reference is made from.
import { EVENTS, MACHINES, ROUTES } from '@cowrie/contract'
import { ERRORS } from '@cowrie/contract/errors/errors'
import { STORIES } from '../drive/stories.ts'

type Entry = { readonly kind: string; readonly title: string; readonly says: string }
const SHOWN_MAX = 8

const entries = (): Entry[] => [
  ...ROUTES.filter(({ auth }) => auth === 'bearer' || auth === 'basic').map(
    ({ id, method, path, summary, description = '' }) => ({
      kind: 'operation',
      title: `${id}: ${method} ${path}`,
      says: `${summary}. ${description}`,
    }),
  ),
  ...Object.entries(ERRORS).map(([code, { status, message, hint }]) => ({
    kind: 'error',
    title: `${code} (${status})`,
    says: `${message}. ${hint}`,
  })),
  ...EVENTS.map(({ type, summary }) => ({ kind: 'event', title: type, says: summary })),
  ...MACHINES.flatMap(({ name, states }) =>
    Object.entries(states).map(([state, { says }]) => ({ kind: 'state', title: `${name} ${state}`, says })),
  ),
  ...Object.entries(STORIES).map(([name, { says, should }]) => ({
    kind: 'scenario',
    title: name,
    says: `${says}. ${should}`,
  })),
]

/** `initTransaction` and `init-transaction` are the same two words. */
const wordsOf = (said: string): string[] =>
  said
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1)

function scoreOf({ title, says }: Entry, words: readonly string[]): number {
  const [inName, inText] = [wordsOf(title), wordsOf(says)]
  const near = (list: readonly string[], word: string): boolean => list.some((one) => one.startsWith(word))
  return words.reduce((sum, word) => sum + (near(inName, word) ? 3 : 0) + (near(inText, word) ? 1 : 0), 0)
}

export function searchDocs(query: string): readonly Entry[] {
  const words = wordsOf(query)
  return entries()
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, SHOWN_MAX)
    .map(({ entry }) => entry)
}
