// Auth: a merchant logs in with API key and secret key, and gets a token for an hour.
// An unknown key costs the same work as a wrong secret, so that the time does not tell which keys exist; and
// the secret is always held against two, so that it does not tell who is changing theirs. The address is
// looked at before the secret, so that the answer to a foreign address does not tell whether the secret was
// right. Forty wrong tries, and the address waits.
import { TOKEN_SECONDS } from '@cowrie/contract/access/auth'
import type { Route } from '@cowrie/contract/kit/spec'
import { needPermission } from '#core/access/limited-keys.ts'
import type { Merchant } from '#core/access/merchants.ts'
import type { Tokens } from '#core/access/tokens.ts'
import { noPair, wrongPair } from '#core/access/wrong-header.ts'
import { WRONG_MAX } from '#core/access/wrong-logins.ts'
import { recordRoute } from '#core/acts/route-lines.ts'
import { admit, type RouteDeps, toRequestBy } from '#core/bind.ts'
import { loginDigest, sameBytes } from '#kit/crypto.ts'
import type { Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import * as sql from './auth.sql.ts'

const BASIC = /^Basic +([A-Za-z0-9+/=_-]+)$/i
const NOBODY = Buffer.alloc(32)

/** A merchant, and which of its secret keys it showed. */
export type Caller = {
  readonly merchant: Merchant
  readonly credential: number
  /** Writes the line of the audit trail into the transaction of the change. */
  readonly keep: (t: Tx, route: Route, body?: object) => Promise<void>
}

function readBasic(header: string | undefined): { apiKey: string; secret: string } {
  if (header === undefined || header === '') fail('AUTHORIZATION_MISSING')
  const refuse = (): never => fail('CREDENTIALS_INVALID', {}, undefined, noPair(header))
  const decoded = Buffer.from(BASIC.exec(header)?.[1] ?? refuse(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) refuse()
  return { apiKey: decoded.slice(0, colon), secret: decoded.slice(colon + 1) }
}

/** The merchant whose key and secret the request holds, from an address of its list, within its rate; a
 *  limited key only where its scope has the permission of the route. */
export async function authenticateCaller(
  deps: RouteDeps,
  route: Route,
  request: HttpRequest,
  reply: HttpReply,
): Promise<Caller> {
  const { ctx, merchants, wrongLogins } = deps
  const { anonymous } = deps.http
  const { apiKey, secret } = readBasic(request.headers.authorization)
  const address = anonymous.addressOf(request)
  const mayTry = (): void => {
    const seconds = wrongLogins.waitSeconds(address, apiKey)
    if (seconds > 0) fail('RATE_LIMITED', { retryAfter: String(seconds) })
  }
  mayTry() // before the database is asked
  const merchant = await merchants.byApiKey(apiKey).catch((error: unknown) => {
    anonymous.putBack(request) // its cell is away: when it is back, all of its merchants log in
    throw error
  })
  mayTry() // others came meanwhile; from here to the count nothing is awaited
  if (merchant && !merchant.allows(address)) fail('ADDRESS_NOT_ALLOWED')
  const digest = loginDigest(ctx.keys, secret)
  const isCurrent = sameBytes(digest, merchant?.secretDigest ?? NOBODY)
  const isNext = sameBytes(digest, merchant?.next?.secretDigest ?? NOBODY)
  const credential = (merchant?.credential ?? 0) + Number(isNext)
  if (merchant && (isCurrent || isNext) && merchant.opens(credential)) {
    anonymous.putBack(request)
    request.by = toRequestBy(merchant)
    admit(deps, merchant, request, reply)
    if (merchant.key !== null) needPermission(merchant.key, route)
    const by = { merchant, address, requestId: request.id }
    return { merchant, credential, keep: (t, route, body) => recordRoute(t, by, route, body) }
  }
  if (wrongLogins.count(address, apiKey) === WRONG_MAX)
    ctx.log.warn('too many failed logins from one address for one API key', {
      caller: address,
      count: WRONG_MAX,
      ...(merchant ? { merchantId: merchant.id, cell: merchant.cell } : {}),
    })
  if (merchant) await merchants.asIfUnknown(apiKey)
  return fail('CREDENTIALS_INVALID', {}, undefined, wrongPair(ctx, apiKey, secret))
}

export const issueToken = async (
  tokens: Tokens,
  { merchant, credential }: Caller,
): Promise<{ accessToken: string; expiresIn: number }> => ({
  accessToken: await tokens.issue(merchant, credential),
  expiresIn: TOKEN_SECONDS,
})

/** For what asks for the secret key again: it must be in force in the transaction that does it, too. What is
 *  remembered of a merchant may be seconds old, and a bank may have been asked meanwhile. */
export async function confirmCredential(t: Tx, merchantId: bigint, credential: number): Promise<void> {
  if (!(await sql.lockCredential(t, merchantId, credential))) fail('CREDENTIALS_INVALID')
}
