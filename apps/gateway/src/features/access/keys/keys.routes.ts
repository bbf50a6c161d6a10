import { createKey, endKey, listKeys } from '@cowrie/contract/access/keys'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { bindRaw, type RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import { authenticateCaller } from '#features/access/auth/auth.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { createKeys, list } from './keys.ts'

export function keyRoutes(deps: RouteDeps, shared: Shared): void {
  const { ctx } = deps
  const keys = createKeys(shared)
  const readNew = bodyReader(createKey)
  bindRaw(deps, createKey, async (request, reply) => {
    const caller = await authenticateCaller(deps, createKey, request, reply)
    return keys.make(caller, readNew((request.body as string | undefined) ?? '') as BodyOf<typeof createKey>)
  })
  bindRaw(deps, listKeys, async (request, reply) =>
    list(ctx, (await authenticateCaller(deps, listKeys, request, reply)).merchant),
  )
  bindRaw(deps, endKey, async (request, reply) => {
    const caller = await authenticateCaller(deps, endKey, request, reply)
    return keys.end(caller, (request.params as Record<string, string>)['apiKey']?.replaceAll('\u0000', '\ufffd') ?? '')
  })
}
