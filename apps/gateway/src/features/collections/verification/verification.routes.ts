import { getNinDetails, matchBvnAccount, matchBvnDetails } from '@cowrie/contract/collections/verification'
import { bind, type RouteDeps } from '#core/bind.ts'
import { bvnAccount, bvnDetails, ninDetails } from './verification.ts'

export function verificationRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, matchBvnDetails, { multiStep: (call, store) => bvnDetails(ctx, call, store) })
  bind(deps, matchBvnAccount, { multiStep: (call, store) => bvnAccount(ctx, call, store) })
  bind(deps, getNinDetails, { multiStep: (call, store) => ninDetails(ctx, call, store) })
}
