// What one process shares of people coming in: where requests come from, how often they may try, and the few
// passwords under way at once.
import { MINUTE_MS } from '@cowrie/contract/kit/durations'
import type { Side } from '@cowrie/contract/kit/permissions'
import type { Merchants } from '#core/access/merchants.ts'
import type { RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import { monotonicMs } from '#kit/clock.ts'
import { hmacBytes, randomHex, sameText } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { toNetwork } from '#kit/http/addresses.ts'
import type { HttpRequest } from '#kit/http/answers.ts'
import { createPasswords, type Passwords } from '../factors/passwords.ts'
import { deviceName, type RequestFacts } from './sessions.ts'
import { createTries, type Tries } from './throttle.ts'

/** Wrong tries. An office behind one address has some people who mistype; nobody mistypes ten times in a
 *  quarter of an hour. */
const PER_ADDRESS = 30
const PER_ACCOUNT = 10
const ACCOUNT_MS = 15 * MINUTE_MS

export type Entrance = {
  readonly ctx: Ctx
  readonly merchants: Merchants
  readonly passwords: Passwords
  /** Wrong tries by network, account, known device, and of codes. */
  readonly tries: Readonly<Record<'address' | 'account' | 'device' | 'code', Tries>>
  /** A listener that people come in by was opened. */
  open(side: Side, deps: RouteDeps): void
  /** Where pages of a side are. */
  urlOf(side: Side): string
  originOf(side: Side): string
  addressOf(request: HttpRequest): string
  factsOf(request: HttpRequest): RequestFacts
  /** What a device is recognised by: 128 random bits and our mark on them, so that made-up ones cost no
   *  question to the database. */
  newDeviceToken(): string
  isDeviceToken(token: string): boolean
}

const entrances = new WeakMap<Ctx, Entrance>()
/** One per process, whatever listeners it has: what passwords cost is bounded for all of them together. */
export function sharedEntrance({ ctx, merchants }: Pick<Shared, 'ctx' | 'merchants'>): Entrance {
  const entrance = entrances.get(ctx) ?? createEntrance(ctx, merchants)
  entrances.set(ctx, entrance)
  return entrance
}

function createEntrance(ctx: Ctx, merchants: Merchants): Entrance {
  const urls: Record<Side, string> = { merchant: ctx.publicUrl, operator: ctx.publicUrl }
  let addressOf = (request: HttpRequest): string => request.socket.remoteAddress ?? ''
  const markOf = (random: string): string =>
    hmacBytes(ctx.keys.devices, `device ${random}`).toString('hex').slice(0, 32)
  return {
    ctx,
    merchants,
    passwords: createPasswords(ctx.passwordCost),
    tries: {
      address: createTries(PER_ADDRESS, MINUTE_MS, monotonicMs),
      account: createTries(PER_ACCOUNT, ACCOUNT_MS, monotonicMs),
      device: createTries(PER_ACCOUNT, ACCOUNT_MS, monotonicMs),
      code: createTries(PER_ACCOUNT, ACCOUNT_MS, monotonicMs),
    },
    open: (side, { http }) => {
      urls[side] = http.publicUrl
      addressOf = (request) => http.anonymous.addressOf(request)
    },
    urlOf: (side) => urls[side],
    originOf: (side) => new URL(urls[side]).origin,
    addressOf: (request) => addressOf(request),
    factsOf: (request) => ({ device: deviceName(request), address: addressOf(request) }),
    newDeviceToken: () => {
      const random = randomHex(16)
      return random + markOf(random)
    },
    isDeviceToken: (token) => token.length === 64 && sameText(token.slice(32), markOf(token.slice(0, 32))),
  }
}

export const networkName = (entrance: Entrance, request: HttpRequest): string => toNetwork(entrance.addressOf(request))

/** Counts a try, or refuses it. */
export function admitTry(tries: Tries, name: string): void {
  const seconds = tries.take(name)
  if (seconds > 0) fail('LOG_IN_LIMITED', { retryAfter: String(seconds) })
}
