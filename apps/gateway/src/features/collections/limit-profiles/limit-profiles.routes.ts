import { changeLimitProfile, createLimitProfile, listLimitProfiles } from '@cowrie/contract/collections/limit-profiles'
import { bind, type RouteDeps } from '#core/bind.ts'
import { change, create, list } from './limit-profiles.ts'

export function limitProfileRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, createLimitProfile, { command: (t, call) => create(ctx, t, call) })
  bind(deps, listLimitProfiles, { read: ({ merchant, query }) => list(ctx, merchant, query) })
  bind(deps, changeLimitProfile, { command: change })
}
