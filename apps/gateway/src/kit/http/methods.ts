// Which methods a path knows: a request by another one gets 405, not 404. And which path was meant by one
// that nobody serves.
import { distance } from '@cowrie/contract/errors/kit/distance'
import type { FastifyInstance } from 'fastify'

type Known = { readonly form: RegExp; readonly parts: readonly string[]; readonly methods: Set<string> }

export type KnownPaths = {
  /** None where nothing is at the path. */
  readonly methodsOf: (path: string) => string[]
  /** `POST /api/v1/auth/login`, where exactly one path is nearest. */
  readonly meant: (method: string, path: string) => string | null
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const formOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escaped(part)))
      .join('/')}/?$`,
  )

/** Paths that stand in the reference: only these are suggested. */
const DOCUMENTED = /^\/(?:api|sandbox)\//
/** A misspelt word or two; a path that differs in more is another one. */
const LETTERS_MAX = 3

const isWildcard = (part: string): boolean => part.startsWith(':')
/** In how many letters a path differs from one that is served; null: in too many. */
function apart(given: readonly string[], known: readonly string[]): number | null {
  if (given.length !== known.length) return null
  let letters = 0
  for (const [at, part] of known.entries()) {
    const word = given[at] as string
    if (word === part || (isWildcard(part) && word !== '')) continue
    const most = Math.min(LETTERS_MAX - letters, Math.max(1, Math.floor(part.length / 4)))
    const far = distance(word.toLowerCase(), part.toLowerCase(), most)
    if (far > most) return null
    letters += far
    if (letters > LETTERS_MAX) return null
  }
  return letters
}

const written = (url: string): string => url.replace(/:(\w+)/g, '{$1}')
const methodFor = (wanted: string, methods: ReadonlySet<string>): string =>
  methods.has(wanted) ? wanted : [...methods].filter((one) => one !== 'HEAD').join(' or ')

/** Listens to the routes of a server. It is asked only where no route was found, so it may look at all of
 *  them. */
export function watchMethods(app: FastifyInstance): KnownPaths {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.takesTheRest) return
    const at = known.get(url) ?? { form: formOf(url), parts: url.split('/'), methods: new Set() }
    known.set(url, at)
    for (const one of [method].flat()) at.methods.add(one)
  })
  return {
    methodsOf: (path) => {
      const methods = [...known.values()].filter(({ form }) => form.test(path)).flatMap((one) => [...one.methods])
      return [...new Set(methods)].toSorted()
    },
    meant: (method, path) => {
      const parts = path.replace(/\/$/, '').split('/')
      let [found, least] = [null as string | null, LETTERS_MAX + 1]
      for (const [url, one] of known) {
        const far = DOCUMENTED.test(url) ? apart(parts, one.parts) : null
        if (far === null || far > least) continue
        found = far === least ? null : `${methodFor(method, one.methods)} ${written(url)}`
        least = far
      }
      return found
    },
  }
}
