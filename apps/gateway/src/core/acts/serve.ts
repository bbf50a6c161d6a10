// Acts and views over HTTP: POST /dashboard/v1/acts/<id> and GET /dashboard/v1/views/<id> for a merchant's
// people, the same below /operator/v1 for the operator's, on a server of their own. Who comes is known before
// a byte of the body is read.
import { PREFIX } from '@cowrie/contract/acts'
import { ActBody } from '@cowrie/contract/kit/act'
import type { Side } from '@cowrie/contract/kit/permissions'
import Type from 'typebox'
import { Failure, fail } from '#kit/fail.ts'
import {
  type HttpReply,
  type HttpRequest,
  refuseUnread,
  sendJson,
  sendRefusal,
  successBody,
} from '#kit/http/answers.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import type { RouteDeps } from '../bind.ts'
import type { Shared } from '../feature.ts'
import type { BoundAct } from './acts.ts'
import type { Entered } from './door.ts'
import { sharedDoor, sharedRegistry } from './registry.ts'
import { type ActRequest, runAct, showView } from './run.ts'

const readers = new WeakMap<BoundAct, (text: string) => unknown>()
/** The whole body is read with the schema of the act's input in it: amounts keep their source text. */
function bodyOf(bound: BoundAct, text: string): ActRequest {
  const read =
    readers.get(bound) ??
    bodyReader({
      id: bound.spec.id,
      method: 'POST',
      path: '',
      auth: 'none',
      group: '',
      summary: '',
      reply: bound.spec.reply,
      errors: [],
      body: Type.Object({ ...ActBody.properties, input: Type.Optional(bound.spec.input) }),
    })
  readers.set(bound, read)
  return read(text) as ActRequest
}

const needJson = ({ headers }: HttpRequest): void => {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) fail('MALFORMED_BODY', {}, 'not JSON')
}

/** Puts the acts and views of one side on a server. Nothing where no feature knows people. */
export function serveActs(deps: RouteDeps, shared: Shared, side: Side): void {
  const door = sharedDoor(shared)
  if (!door) return
  const registry = sharedRegistry(shared)
  const people = new WeakMap<HttpRequest, Entered>()
  const enter = async (request: HttpRequest): Promise<void> => {
    try {
      const entered = await door.enter(request, side)
      const { merchant, actor } = entered
      request.by = { cell: merchant?.cell ?? null, merchantId: merchant?.id ?? 0n, name: actor.name, agent: null }
      people.set(request, entered)
    } catch (error) {
      if (error instanceof Failure) deps.http.anonymous.admit(request)
      throw error
    }
  }
  const onRequest = (request: HttpRequest, reply: HttpReply, done: () => void): void => {
    // With `then`, as everywhere: the framework goes on once, and never after a refusal that is answered
    // here.
    const goOn = (): void => done()
    enter(request).then(goOn, (error: unknown) => void refuseUnread(reply, error, deps.http))
  }
  const answering =
    (serve: (request: HttpRequest, id: string, entered: Entered) => Promise<unknown>) =>
    async <Reply extends HttpReply>(request: HttpRequest, reply: Reply): Promise<Reply> => {
      try {
        const { id } = request.params as { id: string }
        const entered = people.get(request) ?? fail('INTERNAL', {}, `${id}: nobody entered`)
        return sendJson(reply, 200, successBody(await serve(request, id, entered)))
      } catch (error) {
        return sendRefusal(reply, error, deps.http)
      }
    }
  const configOf = (kind: 'acts' | 'views') => ({
    knows: true as const,
    logged: { id: `${side}.${kind}`, path: `${PREFIX[side]}/${kind}/{id}` },
  })
  deps.app.route({
    method: 'POST',
    url: `${PREFIX[side]}/acts/:id`,
    config: configOf('acts'),
    onRequest,
    handler: answering(async (request, id, entered) => {
      const bound = registry.act(side, id) ?? fail('ACT_UNKNOWN', { act: id })
      needJson(request)
      return runAct(shared, bound, bodyOf(bound, (request.body as string | undefined) ?? ''), entered, door)
    }),
  })
  deps.app.route({
    method: 'GET',
    url: `${PREFIX[side]}/views/:id`,
    config: configOf('views'),
    onRequest,
    handler: answering(async (request, id, entered) => {
      const bound = registry.view(side, id) ?? fail('ACT_UNKNOWN', { act: id })
      return showView(shared, bound, readAddressee(request.query as Record<string, unknown>), entered)
    }),
  })
}

const one = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
export const readAddressee = (query: Readonly<Record<string, unknown>>) => ({
  merchant: one(query['merchant']),
  cell: one(query['cell']),
  query,
})
