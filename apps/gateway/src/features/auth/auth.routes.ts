import { login } from '@cowrie/contract/auth'
import { admit, bindRaw, type Desk } from '../../core/bind.ts'
import { identify, issueToken } from './auth.ts'

export function authRoutes(desk: Desk): void {
  bindRaw(desk, login, async (request, reply) => {
    const merchant = await identify(desk.ctx, desk.merchants, request.headers.authorization)
    admit(desk, merchant, request, reply)
    return issueToken(desk.tokens, merchant)
  })
}
