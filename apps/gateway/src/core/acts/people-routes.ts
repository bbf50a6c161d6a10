// A merchant's people at the public routes: who entered, whether the role may, and whether they have shown
// lately who they are. From there on it is the merchant's own request, with the person in it: what is done
// carries their name, and nobody approves what they asked for themselves.
import { needsProof } from '@cowrie/contract/kit/people-routes'
import { EVERY_KEY, type Route } from '@cowrie/contract/kit/spec'
import type { Ctx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import type { HttpOptions, HttpRequest } from '#kit/http/answers.ts'
import { isProved, need } from '../access/actor.ts'
import type { Merchant } from '../access/merchants.ts'
import type { Door, Entered } from './door.ts'

/** The digest of what is asked is not known before the body is read, so here only a recent proof counts. */
function needProof(ctx: Ctx, { provedAt }: Entered): void {
  if (!isProved(ctx, provedAt)) fail('PROOF_NEEDED')
}

export const personComing =
  ({ ctx, http }: { readonly ctx: Ctx; readonly http: HttpOptions }, door: Door, route: Route) =>
  async (request: HttpRequest): Promise<Merchant> => {
    try {
      const entered = await door.enter(request, 'merchant')
      const { merchant, actor } = entered
      if (merchant === null) return fail('SESSION_MISSING')
      request.by = { cell: merchant.cell, merchantId: merchant.id, name: actor.name, agent: null }
      if (route.permission !== undefined && route.permission !== EVERY_KEY) need(actor, route.permission)
      if (merchant.suspended) fail('MERCHANT_SUSPENDED')
      if (needsProof(route)) needProof(ctx, entered)
      return { ...merchant, person: actor }
    } catch (error) {
      if (error instanceof Failure) http.anonymous.admit(request)
      throw error
    }
  }
