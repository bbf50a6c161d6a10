import { cancelRotation, finishRotation, login, rotateSecretKey } from '@cowrie/contract/access/auth'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { bindRaw, type Desk } from '../../core/bind.ts'
import { bodyReader } from '../../kit/validation/validate.ts'
import { callerOf, issueToken } from './auth.ts'
import { cancel, finish, rotate } from './rotation.ts'

export function authRoutes(desk: Desk): void {
  const { ctx, merchants } = desk
  const readRotation = bodyReader(rotateSecretKey)
  bindRaw(desk, login, async (request, reply) => issueToken(desk.tokens, await callerOf(desk, request, reply)))
  bindRaw(desk, rotateSecretKey, async (request, reply) => {
    const caller = await callerOf(desk, request, reply)
    const body = readRotation((request.body as string | undefined) ?? '') as BodyOf<typeof rotateSecretKey>
    return rotate(ctx, merchants, caller, body.overlapHours)
  })
  bindRaw(desk, cancelRotation, async (request, reply) => cancel(ctx, merchants, await callerOf(desk, request, reply)))
  bindRaw(desk, finishRotation, async (request, reply) => finish(ctx, merchants, await callerOf(desk, request, reply)))
}
