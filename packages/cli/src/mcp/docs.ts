// `search_docs`: the guides, and the operations, errors, events and states of the contract, found by words.
// The same data that the documentation is made from.
import { EVENTS, MACHINES, ROUTES } from '@cowrie/contract'
import { ERRORS } from '@cowrie/contract/errors/errors'
import { STORIES } from '../drive/stories.ts'
import { guideSections } from './guides.ts'

type Entry = { readonly kind: string; readonly title: string; readonly says: string }
type Indexed = { readonly entry: Entry; readonly name: readonly string[]; readonly text: readonly string[] }
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

/** Words of a question that say nothing about its subject. */
const EMPTY = new Set(
  'a an and are can do does for from get have how i in is it make my need of on or should the there to use what when where which why with you'.split(
    ' ',
  ),
)

/** `initTransaction` and `init-transaction` are the same two words. */
const wordsOf = (said: string): string[] =>
  said
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !EMPTY.has(word))

let index: readonly Indexed[] | null = null
function indexed(): readonly Indexed[] {
  const guides = guideSections().map(({ title, says, text }) => ({ entry: { kind: 'guide', title, says }, text }))
  const others = entries().map((entry) => ({ entry, text: entry.says }))
  index ??= [...guides, ...others].map(({ entry, text }) => ({
    entry,
    name: wordsOf(entry.title),
    text: wordsOf(text),
  }))
  return index
}

/** `refund` finds `refunds`, and `webhooks` `webhook`. */
const isNear = (one: string, word: string): boolean =>
  one === word ||
  (word.length > 3 && one.startsWith(word)) ||
  (one.length > 3 && word.startsWith(one) && word.length - one.length < 3)

/** A word that few entries have says more than one that is everywhere; the tenth time it says little. */
function scoreOf({ name, text }: Indexed, words: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const [word, weight] of words) {
    const times = text.filter((one) => isNear(one, word)).length
    sum += weight * ((name.some((one) => isNear(one, word)) ? 3 : 0) + (2 * times) / (times + 2))
  }
  return sum
}

export function searchDocs(query: string): readonly Entry[] {
  const all = indexed()
  const weightOf = (word: string): number => {
    const count = all.filter(({ name, text }) => [...name, ...text].some((one) => isNear(one, word))).length
    return Math.log(1 + all.length / (1 + count))
  }
  const words = new Map(wordsOf(query).map((word) => [word, weightOf(word)]))
  return all
    .map((one) => ({ entry: one.entry, score: scoreOf(one, words) }))
    .filter(({ score }) => score > 0)
    .sort((left, right) => right.score - left.score)
    .slice(0, SHOWN_MAX)
    .map(({ entry }) => entry)
}
