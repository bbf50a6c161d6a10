// Each call that was made with an agent's key has a line in the audit trail: which key, which route, on what,
// and how it ended. The line is written before the answer is sent, in a transaction of its own, so that
// whatever an agent was answered is on record, also if the process dies a moment later; a call whose line
// cannot be written is refused. What an agent proposes has, beside it, the line of the queue, which commits
// with the money that is held. Nobody else's call costs more than a look at `by`.
import { holdsCardNumber } from '@cowrie/contract/kit/card-data'
import { AGENT_SCOPE } from '@cowrie/contract/kit/permissions'
import type { Route } from '@cowrie/contract/kit/spec'
import type { Ctx } from '#kit/ctx.ts'
import { type HttpOptions, type HttpRequest, toFailure } from '#kit/http/answers.ts'
import { tx } from '../cells/cells.ts'
import { masked } from './route-lines.ts'
import { record } from './trail.ts'

type Deps = { readonly ctx: Ctx; readonly http: HttpOptions }

/** Turned away before anything was looked at: in the request log only, or whoever has a key could fill the
 *  trail. */
const AT_THE_DOOR: ReadonlySet<string> = new Set([
  'RATE_LIMITED',
  'ADDRESS_NOT_ALLOWED',
  'TRANSFER_FROM_FOREIGN_ADDRESS',
  'MERCHANT_SUSPENDED',
])

/** A line stays for good, so it is small, whatever was sent along. */
const FIELDS_MAX = 20
const LONGEST = 200
/** A reference may be any text, so a card number may stand in it. */
function shortOf(value: unknown): unknown {
  const text = JSON.stringify(value ?? null)
  if (text.length > LONGEST) return `(${text.length} characters)`
  return holdsCardNumber(text) ? '(hidden)' : value
}

/** What it was about, as the trail may keep it. */
function subjectOf({ params, asked }: HttpRequest, { secretFields }: Route): object {
  const fields = {
    ...(params as object),
    ...(asked?.body as object | undefined),
    ...(asked?.query as object | undefined),
  }
  const some = Object.entries(fields).slice(0, FIELDS_MAX)
  return Object.fromEntries(
    some.map(([name, value]) => [name.slice(0, LONGEST), shortOf(masked(value, secretFields, name))]),
  )
}

/** `code`: why it was refused; null when it was done. */
export async function keepCall(
  { ctx, http }: Deps,
  request: HttpRequest,
  route: Route,
  code: string | null,
): Promise<void> {
  const { by } = request
  if (by === null || by.agent === null || by.cell === null || (code !== null && AT_THE_DOOR.has(code))) return
  const { merchantId, name, agent } = by
  const address = http.anonymous.addressOf(request)
  const actor = { kind: 'key', side: 'merchant', personId: null, name, role: AGENT_SCOPE } as const
  await tx(ctx, by.cell, merchantId, (t) =>
    record(t, {
      merchantId,
      by: { ...actor, address, requestId: request.id },
      what: route.id,
      reason: '',
      after: { key: agent, on: subjectOf(request, route), outcome: code ?? 'DONE' },
    }),
  )
}

/** The refusal, once it has its line; if it gets none, why not. */
export const keptRefusal = (deps: Deps, request: HttpRequest, route: Route, error: unknown): Promise<unknown> =>
  keepCall(deps, request, route, toFailure(error).code).then(
    () => error,
    (unkept: unknown) => unkept,
  )
