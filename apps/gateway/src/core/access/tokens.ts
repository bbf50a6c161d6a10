// Access tokens: JWTs, HS256 and nothing else, for one environment, bound to the credential they were issued
// for. A token is verified once (88 µs) and then known by its text (0.8 µs), in a bounded map. Expiry is held
// against business time at every request, because the sandbox's clock moves.

import { randomUUID } from 'node:crypto'
import { TOKEN_SECONDS } from '@cowrie/contract/access/auth'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { CELL, type CellId } from '#kit/ids.ts'
import type { Merchant } from './merchants.ts'

export type Claims = {
  readonly cell: CellId
  readonly merchantId: bigint
  readonly credential: number
  /** The number of the limited key it was issued for; 0: the merchant's own pair. */
  readonly key: number
  readonly expiresMs: number
}

const KNOWN_MAX = 20_000

export type Tokens = {
  issue(merchant: Merchant, credential: number): Promise<string>
  /** The claims of a token that was verified before and is still good. */
  known(token: string): Claims | null
  /** The claims of a good token; refuses every other. */
  verify(token: string): Promise<Claims>
}

export function createTokens(ctx: Ctx): Tokens {
  const known = new Map<string, Claims>()
  let verifiedWith = ctx.keys
  const audience = `cowrie-${ctx.environment}`
  /** While a master key is rotated, tokens of the version before are good too. */
  const verifyWithOne = async (token: string, [key, ...others]: readonly Buffer[] = ctx.keys.tokens) => {
    const wanted = { algorithms: ['HS256'], audience, currentDate: ctx.clock.now() }
    try {
      return await jwtVerify(token, key as Buffer, wanted)
    } catch (error) {
      if (others.length === 0 || !(error instanceof errors.JWSSignatureVerificationFailed)) throw error
      return verifyWithOne(token, others)
    }
  }
  const verifyNew = async (token: string): Promise<Claims> => {
    // Base64url has several texts for some bytes (`=` behind it, spare bits at its end): only the one that we
    // wrote is a token.
    const signature = token.slice(token.lastIndexOf('.') + 1)
    if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) fail('TOKEN_INVALID')
    try {
      const { payload } = await verifyWithOne(token)
      const cell = payload['cell']
      const { sub, exp } = payload
      if (typeof cell !== 'string' || !CELL.test(cell) || !sub || !/^\d+$/.test(sub) || !exp) fail('TOKEN_INVALID')
      const key = payload['key'] ?? 0
      if (typeof key !== 'number') fail('TOKEN_INVALID')
      return { cell, merchantId: BigInt(sub), credential: Number(payload['credential']), key, expiresMs: exp * 1000 }
    } catch (error) {
      if (error instanceof errors.JWTExpired) fail('TOKEN_EXPIRED')
      return fail('TOKEN_INVALID')
    }
  }
  const stillGood = (token: string): Claims | null => {
    // A version that is gone takes its tokens with it.
    if (verifiedWith !== ctx.keys) known.clear()
    verifiedWith = ctx.keys
    const claims = known.get(token)
    return claims && claims.expiresMs > ctx.clock.now().getTime() ? claims : null
  }
  return {
    known: stillGood,
    issue: (merchant, credential) => {
      const issued = Math.floor(ctx.clock.now().getTime() / 1000)
      return new SignJWT({
        client_id: merchant.key?.apiKey ?? merchant.apiKey,
        scope: ['profile'],
        cell: merchant.cell,
        credential,
        ...(merchant.key ? { key: merchant.key.number } : {}),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(String(merchant.id))
        .setAudience(audience)
        .setIssuedAt(issued)
        .setExpirationTime(issued + TOKEN_SECONDS)
        .setJti(randomUUID())
        .sign(ctx.keys.tokens[0])
    },
    verify: async (token) => {
      const good = stillGood(token)
      if (good) return good
      known.delete(token)
      const claims = await verifyNew(token)
      if (known.size >= KNOWN_MAX) known.clear()
      known.set(token, claims)
      return claims
    },
  }
}
