import { cancelRotation, finishRotation, login, rotateSecretKey } from '@cowrie/contract/access/auth'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { bindRaw, type RouteDeps } from '#core/bind.ts'
import { bodyReader } from '#kit/validation/validate.ts'
import { authenticateCaller, issueToken } from './auth.ts'
import { cancel, finish, rotate } from './rotation.ts'

export function authRoutes(deps: RouteDeps): void {
  const { ctx, merchants } = deps
  const readRotation = bodyReader(rotateSecretKey)
  bindRaw(deps, login, async (request, reply) =>
    issueToken(deps.tokens, await authenticateCaller(deps, login, request, reply)),
  )
  bindRaw(deps, rotateSecretKey, async (request, reply) => {
    const caller = await authenticateCaller(deps, rotateSecretKey, request, reply)
    const body = readRotation((request.body as string | undefined) ?? '') as BodyOf<typeof rotateSecretKey>
    return rotate(ctx, merchants, caller, body.overlapHours)
  })
  bindRaw(deps, cancelRotation, async (request, reply) =>
    cancel(ctx, merchants, await authenticateCaller(deps, cancelRotation, request, reply)),
  )
  bindRaw(deps, finishRotation, async (request, reply) =>
    finish(ctx, merchants, await authenticateCaller(deps, finishRotation, request, reply)),
  )
}
