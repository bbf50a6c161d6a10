// Which methods a path knows: a request by another one gets 405, not 404.
import type { FastifyInstance } from 'fastify'

type Known = { readonly form: RegExp; readonly methods: Set<string> }

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const formOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escaped(part)))
      .join('/')}/?$`,
  )

/** Listens to the routes of a server; answers with the methods of a path, none where nothing is at it. It is asked only where
 *  no route was found, so it may look at all of them. */
export function watchMethods(app: FastifyInstance): (path: string) => string[] {
  const known = new Map<string, Known>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.takesTheRest) return
    const at = known.get(url) ?? { form: formOf(url), methods: new Set() }
    known.set(url, at)
    for (const one of [method].flat()) at.methods.add(one)
  })
  return (path) => {
    const methods = [...known.values()].filter(({ form }) => form.test(path)).flatMap((one) => [...one.methods])
    return [...new Set(methods)].toSorted()
  }
}
