// Login: API key and secret key in, a token for an hour out.
// An unknown key costs the same work as a wrong secret, so that the time does not tell which keys exist; and the secret
// is always held against two, so that it does not tell who is changing theirs.
import { TOKEN_SECONDS } from '@cowrie/contract/auth'
import type { Merchant, Merchants } from '../../core/merchants.ts'
import type { Tokens } from '../../core/tokens.ts'
import { loginDigest, sameBytes } from '../../kit/crypto.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)$/i
const NOBODY = Buffer.alloc(32)

/** A merchant, and which of its secret keys it showed. */
export type Caller = { readonly merchant: Merchant; readonly credential: number }

/** The merchant whose key and secret the header holds. */
export async function identify(ctx: Ctx, merchants: Merchants, header: string | undefined): Promise<Caller> {
  if (header === undefined || header === '') fail('AUTHORIZATION_MISSING')
  const decoded = Buffer.from(BASIC.exec(header)?.[1] ?? fail('CREDENTIALS_INVALID'), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) fail('CREDENTIALS_INVALID')
  const merchant = await merchants.byApiKey(decoded.slice(0, colon))
  const digest = loginDigest(ctx.keys, decoded.slice(colon + 1))
  const isCurrent = sameBytes(digest, merchant?.secretDigest ?? NOBODY)
  const isNext = sameBytes(digest, merchant?.next?.secretDigest ?? NOBODY)
  if (!merchant || !(isCurrent || isNext)) fail('CREDENTIALS_INVALID')
  const credential = merchant.credential + Number(isNext)
  if (!merchant.opens(credential)) fail('CREDENTIALS_INVALID')
  return { merchant, credential }
}

export const issueToken = async (
  tokens: Tokens,
  { merchant, credential }: Caller,
): Promise<{ accessToken: string; expiresIn: number }> => ({
  accessToken: await tokens.issue(merchant, credential),
  expiresIn: TOKEN_SECONDS,
})
