// Who signed a call: the connector whose key it is, if the call is fresh. Fresh by our clock, or by the
// database's: a process whose clock is off is not ready (readiness.ts), and what a bank tells it meanwhile,
// because it was not taken away yet or is the only one, is money all the same.
import {
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import type { Route } from '@cowrie/contract/kit/spec'
import { wallSeconds } from '#kit/clock.ts'
import { hmacHex, sameBytes } from '#kit/crypto.ts'
import type { Connector, Ctx } from '#kit/ctx.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import { seldom } from '#kit/log.ts'
import { databaseSkewMs } from './readiness.ts'

type Signed = { readonly connector: Connector; readonly at: number }

/** The connector whose key it is signed with: the leaked key of one says nothing about what another was
 *  given. */
export function signedBy(ctx: Ctx, request: HttpRequest, route: Route, body: string): Signed | null {
  const timestamp = request.headers[TIMESTAMP_HEADER]
  const given = request.headers[SIGNATURE_HEADER]
  if (typeof timestamp !== 'string' || typeof given !== 'string' || !/^\d{1,12}$/.test(timestamp)) return null
  const text = signedText(timestamp, route.method, route.path, body)
  const ours = (key: string) => sameBytes(Buffer.from(given), Buffer.from(`v1=${hmacHex('sha256', key, text)}`))
  const connector = ctx.connectors.all.find(({ keys }) => keys().some(ours))
  return connector === undefined ? null : { connector, at: Number(timestamp) }
}

const isNear = (at: number, now: number): boolean => Math.abs(now - at) <= SIGNATURE_TOLERANCE_SECONDS

/** Only after the signature was right, so that nobody without a key makes us ask. */
async function isFreshThere(ctx: Ctx, at: number): Promise<boolean> {
  const ms = await databaseSkewMs(ctx)
  const isTaken = isNear(at, wallSeconds() - ms / 1000)
  if (isTaken) seldom(ctx.log, "a signed call was taken by the database's clock, because ours is off", { ms })
  return isTaken
}

/** True or false at once where our own clock says so: this is on the way of every credit. */
export const isFresh = (ctx: Ctx, { at }: Signed): true | Promise<boolean> =>
  isNear(at, wallSeconds()) || isFreshThere(ctx, at)
