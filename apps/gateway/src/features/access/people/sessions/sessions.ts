// Sessions: a token of 256 random bits in a cookie (or behind `Authorization: Session`, for the command
// line), its SHA-256 in the database. Another token at every log-in, at every proof and at every change of
// factors, so that nobody fixes one beforehand. Idle and absolute limits by the clock. Who the person is and
// which role they have is read at every request: what was ended counts at once.
import { HOUR_MS, MINUTE_MS } from '@cowrie/contract/kit/durations'
import type { Side } from '@cowrie/contract/kit/permissions'
import { commitOne, readAll } from '#core/cells/cells.ts'
import { randomHex, sha256 } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import type { HttpReply, HttpRequest } from '#kit/http/answers.ts'
import { peopleCell } from '../known/persons.ts'
import * as sql from './sessions.sql.ts'

export type { SessionRow } from './sessions.sql.ts'
export { endSession, endSessions, endSessionsOfMembership, listSessions } from './sessions.sql.ts'

/** How long a session lives unused, and at the most. */
export const LIMITS: Readonly<Record<Side, { readonly idleMs: number; readonly wholeMs: number }>> = {
  merchant: { idleMs: 30 * MINUTE_MS, wholeMs: 12 * HOUR_MS },
  operator: { idleMs: 15 * MINUTE_MS, wholeMs: 8 * HOUR_MS },
}
/** Between the password and the code. */
const HALF_MS = 10 * MINUTE_MS
/** Used again within this time is not written down. */
const USE_EVERY_MS = MINUTE_MS

const COOKIES: Readonly<Record<Side, string>> = { merchant: '__Host-cowrie', operator: '__Host-cowrie-op' }
const DEVICE_COOKIE = '__Host-cowrie-device'
const SAME_SITE: Readonly<Record<Side, string>> = { merchant: 'Lax', operator: 'Strict' }
const DEVICE_SECONDS = 400 * 86_400

export const tokenDigest = (token: string): Buffer => sha256().update(token).digest()

// ---- cookies

export const readCookie = (request: HttpRequest, name: string): string | null => {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return null
}
export const setCookie = (reply: HttpReply, name: string, value: string, more: string): void => {
  reply.more.push('set-cookie', `${name}=${value}; Path=/; Secure; HttpOnly; ${more}`)
}
export const clearCookie = (reply: HttpReply, side: Side): void =>
  setCookie(reply, COOKIES[side], '', `SameSite=${SAME_SITE[side]}; Max-Age=0`)

const SESSION = /^Session ([0-9a-f]{64})$/
const TOKEN = /^[0-9a-f]{64}$/
/** The token that a request carries, and whether it is a browser's cookie. */
export function readToken(
  request: HttpRequest,
  side: Side,
): { readonly token: string; readonly byCookie: boolean } | null {
  const { authorization } = request.headers
  if (authorization !== undefined) {
    const token = SESSION.exec(authorization)?.[1]
    return token === undefined ? null : { token, byCookie: false }
  }
  const token = readCookie(request, COOKIES[side])
  return token !== null && TOKEN.test(token) ? { token, byCookie: true } : null
}

export const readDeviceToken = (request: HttpRequest): string | null => {
  const token = readCookie(request, DEVICE_COOKIE)
  return token !== null && TOKEN.test(token) ? token : null
}
export const isDeviceToken = (token: string): boolean => TOKEN.test(token)

export function giveCookies(reply: HttpReply, side: Side, token: string, deviceToken: string | null): void {
  setCookie(reply, COOKIES[side], token, `SameSite=${SAME_SITE[side]}`)
  if (deviceToken !== null) setCookie(reply, DEVICE_COOKIE, deviceToken, `SameSite=Lax; Max-Age=${DEVICE_SECONDS}`)
}

/** What a browser calls itself, in few words. */
export function deviceName(request: HttpRequest): string {
  const agent = String(request.headers['user-agent'] ?? '')
  const program = /(Edg|OPR|Firefox|Chrome|Safari|cowrie|curl|node)/i.exec(agent.replace(/^Mozilla\/\S+/, ''))?.[1]
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/i.exec(agent)?.[1]
  const words = [program ?? 'Unknown program', ...(system ? [`on ${system}`] : [])].join(' ')
  return words.replace('Edg ', 'Edge ').replace('OPR ', 'Opera ')
}

// ---- a session's life

/** What of a request is kept with a session. */
export type RequestFacts = { readonly device: string; readonly address: string }

export type Started = { readonly id: bigint; readonly token: string }
/** Begins a session in the transaction of what opened it. `id` is one of the database of identities. */
export async function startSession(
  t: Tx,
  session: {
    readonly id: bigint
    readonly personId: bigint
    readonly membershipId: bigint
    readonly side: Side
    /** A second factor was seen just now. */
    readonly proved: boolean
    /** Only the password was seen, and there is a second factor. */
    readonly half?: boolean
    /** It takes the place of one that began earlier, and lives no longer than that. */
    readonly endsAt?: Date
    readonly provedAt?: Date | null
    readonly facts: RequestFacts
  },
): Promise<Started> {
  const token = randomHex(32)
  const { id, personId, membershipId, side, half = false, facts } = session
  const wholeMs = half ? HALF_MS : LIMITS[side].wholeMs
  await sql.insertSession(t, {
    id,
    personId,
    membershipId,
    side,
    digest: tokenDigest(token),
    half,
    provedAt: session.proved ? t.now : (session.provedAt ?? null),
    endsAt: session.endsAt ?? new Date(t.now.getTime() + wholeMs),
    device: facts.device.slice(0, 200),
    address: facts.address.slice(0, 45),
  })
  return { id, token }
}

/** The same session under another token, once the person has proved something: whoever had the old one has
 *  nothing. */
export async function renewSession(
  t: Tx,
  id: bigint,
  old: sql.SessionRow,
  proved: boolean,
  facts: RequestFacts,
): Promise<Started> {
  if (!(await sql.endSession(t, old.id, old.person_id))) fail('SESSION_ENDED')
  const { person_id: personId, membership_id: membershipId, side, half, ends_at: endsAt, proved_at: provedAt } = old
  return startSession(t, { id, personId, membershipId, side, proved, provedAt, ...(half ? {} : { endsAt }), facts })
}

/** Whether it may still be used, by the clock. */
export function isOver(row: sql.SessionRow, now: Date): boolean {
  const idle = now.getTime() - row.used_at.getTime() >= LIMITS[row.side].idleMs
  return row.ended_at !== null || row.membership_ended_at !== null || now >= row.ends_at || idle
}

/** The session that a request carries; refuses every other request, and one from another site that would
 *  change something. */
export async function needSession(
  ctx: Ctx,
  request: HttpRequest,
  side: Side,
  origin: string,
  quietly = false,
): Promise<sql.SessionRow> {
  const given = readToken(request, side) ?? fail('SESSION_MISSING')
  if (given.byCookie) refuseCrossSite(request, origin)
  const home = peopleCell(ctx).id
  const row = await readAll(ctx, home, (r) => sql.findSession(r, tokenDigest(given.token)))
  const now = ctx.clock.now()
  // The cookie of one side is nothing on the other.
  if (!row || row.side !== side || isOver(row, now)) throw new Failure('SESSION_ENDED')
  if (!quietly && now.getTime() - row.used_at.getTime() >= USE_EVERY_MS)
    await commitOne(ctx, home, (t) => sql.useSession(t, row.id))
  return row
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const JSON_TYPE = /^application\/json(?:\s*;|$)/i
/** A browser sends cookies for whoever asks it to. What changes something comes from our own pages, and as
 *  JSON, which no form can send. */
export function refuseCrossSite(request: HttpRequest, origin: string): void {
  if (SAFE.has(request.method)) return
  const { 'sec-fetch-site': site, origin: from, 'content-type': type } = request.headers
  const own = site === undefined ? from === origin : site === 'same-origin'
  if (!own || !JSON_TYPE.test(type ?? '')) fail('CROSS_SITE')
}

const KEPT_MS = 90 * 24 * HOUR_MS
/** Sessions are listed for a while after their end, then forgotten. */
export const forgetOldSessions = (ctx: Ctx): Promise<unknown> =>
  commitOne(ctx, peopleCell(ctx).id, (t) => sql.forgetSessions(t, new Date(ctx.clock.now().getTime() - KEPT_MS)))

/** A device is known as long as its cookie lives, which every log-in from it prolongs. */
export const forgetOldDevices = (ctx: Ctx): Promise<unknown> =>
  commitOne(ctx, peopleCell(ctx).id, (t) => sql.forgetDevices(t, new Date(t.now.getTime() - DEVICE_SECONDS * 1000)))
