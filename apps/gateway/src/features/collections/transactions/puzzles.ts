// Puzzles: where many payments wait that strangers opened, a browser has to work for the next one, for a
// second or so. Whoever has no script waits a minute instead; so many may as are opened without a puzzle.
//   token (signed, for one link or merchant, ten minutes) → the browser finds a number → one payment
// Nothing is kept of a puzzle before it is answered.
import { hmacBytes, randomHex, sameText, sha256 } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'

export type Stranger = {
  readonly merchantId: bigint
  /** The payment link; null where the payment is opened in a shop's page. */
  readonly linkId: bigint | null
  /** The caller's address, as the proxies tell it. */
  readonly caller: string
}

/** How long an answer is taken. */
export const PUZZLE_MS = 10 * 60_000
/** How long whoever does not answer waits. */
export const PATIENCE_MS = 60_000
/** Of a cap: below it nobody is asked, and so many more may wait instead of working. */
export const UNASKED = 0.1

/** Leading zero bits: 16 take a cheap phone about a second, each further one twice as long. */
const bitsAt = (crowd: number): number => (crowd < 0.4 ? 16 : crowd < 0.7 ? 17 : 18)
export const isAsked = (crowd: number): boolean => crowd >= UNASKED

export type Puzzle = { readonly token: string; readonly bits: number }
export type Answered = { readonly digest: Buffer; readonly patient: boolean }

/** So short that token and number are one block of SHA-256. */
const FORM = /^([0-9a-z]{1,12})-(1[0-9])-([0-9a-f]{8})-([\w-]{22})$/
const NUMBER = /^\d{1,12}$/

const signatureOf = (ctx: Ctx, { merchantId, linkId }: Stranger, words: string): string =>
  hmacBytes(ctx.keys.checkout, `puzzle ${merchantId} ${linkId ?? ''} ${words}`).toString('base64url', 0, 16)
/** The same for everybody who has its token. */
const digestOf = (text: string): Buffer => sha256().update(text).digest()

export function makePuzzle(ctx: Ctx, stranger: Stranger, crowd: number): Puzzle {
  const bits = bitsAt(crowd)
  const until = ctx.clock.now().getTime() + PUZZLE_MS
  const words = `${until.toString(36)}-${bits}-${randomHex(4)}`
  return { token: `${words}-${signatureOf(ctx, stranger, words)}`, bits }
}

type Read = Puzzle & { readonly madeAt: number }
function readPuzzle(ctx: Ctx, stranger: Stranger, token: string): Read | null {
  const [, until = '', bits = '', random = '', signature = ''] = FORM.exec(token) ?? []
  const made = Number.parseInt(until, 36) - PUZZLE_MS
  const now = ctx.clock.now().getTime()
  if (!sameText(signatureOf(ctx, stranger, `${until}-${bits}-${random}`), signature)) return null
  return now < made + PUZZLE_MS ? { token, bits: Number(bits), madeAt: made } : null
}

const hasZeroBits = (digest: Buffer, bits: number): boolean => digest.readUInt32BE() >>> (32 - bits) === 0

/** What a form brings: the answer, or the patience. Null: neither. */
export function readAnswer(ctx: Ctx, stranger: Stranger, token: string, number: string): Answered | null {
  const puzzle = readPuzzle(ctx, stranger, token)
  if (puzzle === null) return null
  const digest = digestOf(token).subarray(0, 16)
  if (NUMBER.test(number) && hasZeroBits(digestOf(`${token}.${number}`), puzzle.bits)) return { digest, patient: false }
  return ctx.clock.now().getTime() >= puzzle.madeAt + PATIENCE_MS ? { digest, patient: true } : null
}

/** The one that somebody has been given already, so that nobody's minute begins anew; else another. */
export function puzzleFor(ctx: Ctx, stranger: Stranger, crowd: number, given: string): Puzzle {
  const known = given === '' ? null : readPuzzle(ctx, stranger, given)
  return known === null ? makePuzzle(ctx, stranger, crowd) : { token: known.token, bits: known.bits }
}
