import { cancelRotation, finishRotation, login, rotateSecretKey } from '@cowrie/contract/auth'
import type { BodyOf } from '@cowrie/contract/kit'
import { admit, bindRaw, type Desk } from '../../core/bind.ts'
import type { FastifyReply, FastifyRequest } from '../../kit/http.ts'
import { bodyReader } from '../../kit/validate.ts'
import { type Caller, identify, issueToken } from './auth.ts'
import { cancel, finish, rotate } from './rotation.ts'

export function authRoutes(desk: Desk): void {
  const { ctx, merchants } = desk
  const callerOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    const caller = await identify(ctx, merchants, request.headers.authorization)
    admit(desk, caller.merchant, request, reply)
    return caller
  }
  const readRotation = bodyReader(rotateSecretKey)
  bindRaw(desk, login, async (request, reply) => issueToken(desk.tokens, await callerOf(request, reply)))
  bindRaw(desk, rotateSecretKey, async (request, reply) => {
    const caller = await callerOf(request, reply)
    const body = readRotation((request.body as string | undefined) ?? '') as BodyOf<typeof rotateSecretKey>
    return rotate(ctx, merchants, caller, body.overlapHours)
  })
  bindRaw(desk, cancelRotation, async (request, reply) => cancel(ctx, merchants, await callerOf(request, reply)))
  bindRaw(desk, finishRotation, async (request, reply) => finish(ctx, merchants, await callerOf(request, reply)))
}
