// Passwords: scrypt with the parameters that OWASP recommends today, kept with each digest so that they can
// be raised. One takes 128 MB and a third of a second, so they are run few at a time: two per process, of
// which unknown devices get one, and so many wait, not for long, and no more. Whoever has come in from the
// device before is not kept waiting by a flood from elsewhere.
import { randomBytes, scrypt } from 'node:crypto'
import { PASSWORD_MIN } from '@cowrie/contract/access/people'
import { within } from '#kit/clock.ts'
import { sameBytes } from '#kit/crypto.ts'
import { fail } from '#kit/fail.ts'
import { isCommon } from './common.ts'

const BYTES = 32

type Parameters = { readonly N: number; readonly r: number; readonly p: number }
const derive = (password: string, salt: Buffer, { N, r, p }: Parameters): Promise<Buffer> =>
  new Promise((done, failed) => {
    scrypt(password.normalize('NFKC'), salt, BYTES, { N, r, p, maxmem: 256 * N * r }, (error, key) =>
      error ? failed(error) : done(key),
    )
  })

/** Unknown devices wait in a queue of their own; known devices, and whoever holds a one-time link or a
 *  session, in another. */
export type Lane = 'known' | 'unknown'
const AT_ONCE: Readonly<Record<Lane, number>> = { known: 2, unknown: 1 }
const WAITING_MAX = 8
/** Nobody waits longer for a turn: an answer that says when to come again is better than none. */
const WAIT_MS = 1_500
const RETRY_AFTER_SECONDS = '5'

export type Passwords = {
  /** Refuses when too many wait already, before anything is done. */
  refuseIfFull(lane: Lane): void
  digest(password: string, lane: Lane): Promise<string>
  /** The same work for nobody's password: how long it takes tells nothing. */
  matches(password: string, digest: string | null, lane: Lane): Promise<boolean>
  /** Who `find` finds, if it is their password. They are looked up when it is their turn: a try that is
   *  refused asks no database. */
  whose<P extends Owner>(password: string, find: () => Promise<P | null>, lane: Lane): Promise<P | null>
  figures(): PasswordFigures
}
type Owner = { readonly password_digest: string | null }

/** So far: how many were derived, how many ran and waited at once. */
export type PasswordFigures = {
  readonly derived: number
  readonly mostRunning: Readonly<Record<Lane, number>>
  readonly mostWaiting: Readonly<Record<Lane, number>>
}

async function isPasswordOf(password: string, digest: string | null, otherwise: Parameters): Promise<boolean> {
  const [kind, N, r, p, salt = '', key = ''] = (digest ?? '').split('$')
  if (kind !== 'scrypt') {
    await derive(password, Buffer.alloc(16), otherwise)
    return false
  }
  const parameters = { N: Number(N), r: Number(r), p: Number(p) }
  const given = await derive(password, Buffer.from(salt, 'base64url'), parameters)
  return sameBytes(given, Buffer.from(key, 'base64url'))
}

/** `cost`: the power of two of N; 17 is what OWASP recommends with r = 8 and p = 1. */
export function createPasswords(cost: number): Passwords {
  const parameters = { N: 2 ** cost, r: 8, p: 1 }
  const waiting: Record<Lane, (() => void)[]> = { known: [], unknown: [] }
  const running: Record<Lane, number> = { known: 0, unknown: 0 }
  const mostRunning: Record<Lane, number> = { known: 0, unknown: 0 }
  const mostWaiting: Record<Lane, number> = { known: 0, unknown: 0 }
  let derived = 0
  const total = () => running.known + running.unknown
  const mayRun = (lane: Lane): boolean => total() < AT_ONCE.known && running[lane] < AT_ONCE[lane]
  const refuse = (): never => fail('LOG_IN_LIMITED', { retryAfter: RETRY_AFTER_SECONDS })
  const refuseIfFull = (lane: Lane): void => {
    if (waiting[lane].length >= WAITING_MAX) refuse()
  }
  const start = (lane: Lane): void => {
    running[lane] += 1
    mostRunning[lane] = Math.max(mostRunning[lane], running[lane])
  }
  const goOn = (): void => {
    for (const lane of ['known', 'unknown'] as const) {
      if (!mayRun(lane)) continue
      const next = waiting[lane].shift()
      if (next) {
        start(lane)
        next()
      }
    }
  }
  const queue = async (lane: Lane): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting[lane].push(resolve)
    mostWaiting[lane] = Math.max(mostWaiting[lane], waiting[lane].length)
    await within(promise, WAIT_MS, undefined)
    const place = waiting[lane].indexOf(resolve)
    if (place === -1) return // its turn has come
    waiting[lane].splice(place, 1)
    refuse()
  }
  const inTurn = async <T>(lane: Lane, work: () => Promise<T>): Promise<T> => {
    refuseIfFull(lane)
    if (mayRun(lane)) start(lane)
    else await queue(lane)
    derived += 1
    try {
      return await work()
    } finally {
      running[lane] -= 1
      goOn()
    }
  }
  return {
    refuseIfFull,
    digest: (password, lane) =>
      inTurn(lane, async () => {
        const salt = randomBytes(16)
        const key = await derive(password, salt, parameters)
        const { N, r, p } = parameters
        return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
      }),
    matches: (password, digest, lane) => inTurn(lane, () => isPasswordOf(password, digest, parameters)),
    whose: (password, find, lane) =>
      inTurn(lane, async () => {
        const found = await find()
        return (await isPasswordOf(password, found?.password_digest ?? null, parameters)) ? found : null
      }),
    figures: () => ({ derived, mostRunning: { ...mostRunning }, mostWaiting: { ...mostWaiting } }),
  }
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
/** Long enough, not among the commonest, and not what everybody knows of the person. */
export function refuseWeak(
  password: string,
  { email, name }: { email: string; name: string },
  field = 'password',
): void {
  const given = plain(password)
  const known = [email, email.split('@')[0] ?? '', name].map(plain).filter((text) => text.length > 2)
  const repeated = new Set(password).size < 5
  if (
    password.length < PASSWORD_MIN ||
    repeated ||
    isCommon(password) ||
    known.some((text) => given === text || given === text + text)
  )
    fail('PASSWORD_WEAK', { field })
}
