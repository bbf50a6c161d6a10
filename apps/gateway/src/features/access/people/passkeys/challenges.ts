// Challenges carry what they are for under our own mark (an HMAC), so asking for one stores nothing, however
// often somebody asks. Only one that was used is written down, until it expires: none is taken twice. That of
// an act begins with the act's digest; the rest differs each time, so that an old signature does not serve
// when somebody wants the same again.
import { randomBytes } from 'node:crypto'
import { CHALLENGE_MINUTES, type PasskeyPurpose } from '@cowrie/contract/access/passkeys'
import type { Side } from '@cowrie/contract/kit/permissions'
import { hmacBytes, matchesDigest, sameBytes, sha256 } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'

const LIFE_MS = CHALLENGE_MINUTES * 60_000
export const DIGEST_BYTES = 32
const NONCE_BYTES = 16
const TIME_BYTES = 6
const MARK_BYTES = 32

/** What a challenge is for. It serves nothing else, and nobody else. */
export type For = {
  readonly purpose: PasskeyPurpose
  readonly side: Side
  /** Null of a log-in: nobody knows yet who it will be. */
  readonly personId: bigint | null
  /** Of the act that is signed. */
  readonly act?: Buffer
}
export type Challenge = { readonly digest: Buffer; readonly expiresAt: Date }

const markedText = ({ purpose, side, personId }: For, body: Buffer): string =>
  `${purpose} ${side} ${personId ?? '-'} ${body.toString('base64url')}`

export function makeChallenge(ctx: Ctx, wanted: For): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(ctx.clock.now().getTime() + LIFE_MS, 0, TIME_BYTES)
  const body = Buffer.concat([wanted.act ?? Buffer.alloc(0), randomBytes(NONCE_BYTES), time])
  return Buffer.concat([body, hmacBytes(ctx.keys.challenges[0], markedText(wanted, body))]).toString('base64url')
}

/** The challenge, if we made it for this and it has not expired; null otherwise. */
export function readChallenge(ctx: Ctx, text: string, wanted: For): Challenge | null {
  const bytes = Buffer.from(text, 'base64url')
  const prefix = wanted.act ?? Buffer.alloc(0)
  if (bytes.length !== prefix.length + NONCE_BYTES + TIME_BYTES + MARK_BYTES) return null
  if (wanted.act && wanted.act.length !== DIGEST_BYTES) return null
  const body = bytes.subarray(0, -MARK_BYTES)
  if (!matchesDigest(ctx.keys.challenges, markedText(wanted, body), bytes.subarray(-MARK_BYTES))) return null
  if (!sameBytes(body.subarray(0, prefix.length), prefix)) return null
  const expiresAt = new Date(body.readUIntBE(prefix.length + NONCE_BYTES, TIME_BYTES))
  if (expiresAt <= ctx.clock.now()) return null
  return { digest: sha256().update(bytes).digest(), expiresAt }
}
