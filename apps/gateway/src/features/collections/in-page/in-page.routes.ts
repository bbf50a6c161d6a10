// The addresses of the in-page checkout: the merchant's settings, the door that pages come through, and what
// they are told. Any origin may ask at the door, and read why it was refused; the rules are the merchant's.
import { IN_PAGE_INTEGRITY, IN_PAGE_SCRIPT } from '@cowrie/checkout'
import {
  getPageSettings,
  type OpenBody,
  openFromPage,
  PAGE_PUZZLE,
  PAGE_RESULT,
  putPageSettings,
} from '@cowrie/contract/collections/in-page'
import { bind, bindRaw, type RouteDeps } from '#core/bind.ts'
import { Failure } from '#kit/fail.ts'
import { sendEmpty, sendJson, sendRefusal } from '#kit/http/answers.ts'
import { fixed } from '#kit/http/pages.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { createInPage, toOrigin } from './in-page.ts'
import { findRules, put } from './settings.ts'

const ANY_ORIGIN = ['access-control-allow-origin', '*'] as const
const PREFLIGHT = [
  ...ANY_ORIGIN,
  ...['access-control-allow-methods', 'POST'],
  ...['access-control-allow-headers', 'Content-Type'],
  // A page of the public network asks a machine of a private one, in development.
  ...['access-control-allow-private-network', 'true'],
  ...['access-control-max-age', '600'],
]

/** What a page of any origin may load. The first address is the one that published wrappers know. */
const SCRIPTS = ['/plugin/monnify.js', '/plugin/v1/cowrie.js']
const FOR_PAGES = [...ANY_ORIGIN, 'cross-origin-resource-policy', 'cross-origin']

function scriptRoutes({ app }: RouteDeps): void {
  const script = fixed('text/javascript; charset=utf-8', IN_PAGE_SCRIPT, FOR_PAGES)
  const about = fixed(
    'application/json; charset=utf-8',
    JSON.stringify({ script: SCRIPTS[1], integrity: IN_PAGE_INTEGRITY }),
    FOR_PAGES,
  )
  // From memory, packed once: whoever asks for them costs nothing.
  const free = { config: { knows: true } } as const
  for (const path of SCRIPTS) app.get(path, free, script)
  app.get('/plugin/v1/integrity.json', free, about)
}

export function inPageRoutes(deps: RouteDeps): void {
  const { ctx, app, http } = deps
  bind(deps, getPageSettings, { read: ({ merchant }) => findRules(ctx, merchant) })
  bind(deps, putPageSettings, { multiStep: (call, store) => put(ctx, call, store) })

  scriptRoutes(deps)

  const inPage = createInPage(ctx, deps.merchants)
  const readBody = bodyReader(openFromPage)
  bindRaw(deps, openFromPage, async (request, reply) => {
    reply.more.push(...ANY_ORIGIN)
    const body = readBody((request.body as string | undefined) ?? '') as OpenBody
    const page = { origin: toOrigin(request.headers.origin), address: http.anonymous.addressOf(request) }
    try {
      return await inPage.open(body, page)
    } catch (error) {
      const puzzle = error instanceof Failure ? error.params['puzzle'] : undefined
      if (puzzle !== undefined) reply.more.push(PAGE_PUZZLE, puzzle, 'access-control-expose-headers', PAGE_PUZZLE)
      throw error
    }
  })
  app.options(openFromPage.path, async (_request, reply) => {
    reply.more.push(...PREFLIGHT)
    return sendEmpty(reply, 204)
  })

  app.get(`/checkout/:reference/:token/${PAGE_RESULT}`, async (request, reply) => {
    const { reference, token } = request.params as { reference: string; token: string }
    const found = await inPage.result(reference, token)
    if (!found) return sendRefusal(reply, new Failure('TRANSACTION_NOT_FOUND'), http)
    reply.more.push('access-control-allow-origin', found.origin, 'vary', 'origin')
    return sendJson(reply, 200, JSON.stringify(found.result))
  })
}
