// Signatures of the bank connector protocol, in both directions. What is signed is the bytes as they
// travelled: a body is never decoded and encoded again before it is checked.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  signedAnswer,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import type { Clock } from './clock.ts'

export type Message = {
  readonly method: string
  /** The whole request target, with its query. */
  readonly path: string
  readonly body: string | Buffer
}
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The keys that both sides share, the one that is signed with first; two while they are rotated. Read for
 *  every message. */
export type Keys = () => readonly string[]

export const KEY_MIN = 16
/** A key that is empty or short could be guessed by anybody. */
export function checkKeys(keys: readonly string[]): readonly string[] {
  if (keys.length === 0 || keys.some((key) => key.length < KEY_MIN))
    throw new Error(`A key that is shared with the gateway has at least ${KEY_MIN} characters`)
  return keys
}

const seconds = (clock: Clock): number => Math.floor(clock.now().getTime() / 1000)

/** The body follows as bytes; the text before it is the contract's, with an empty body. */
const digestOf = (key: string, timestamp: string, { method, path, body }: Message): string =>
  createHmac('sha256', key)
    .update(signedText(timestamp, method, path, ''))
    .update(body)
    .digest('hex')

export function sign(key: string, message: Message, clock: Clock): Record<string, string> {
  const timestamp = String(seconds(clock))
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${digestOf(key, timestamp, message)}` }
}

/** Of an answer, to the caller whose request had these headers. */
export const signAnswer = (key: string, headers: Headers, status: number, text: string): Record<string, string> => {
  const signed = signedAnswer(String(headers[SIGNATURE_HEADER]), status, text)
  return { [SIGNATURE_HEADER]: `v1=${createHmac('sha256', key).update(signed).digest('hex')}` }
}

export function isSigned(keys: readonly string[], message: Message, headers: Headers, clock: Clock): boolean {
  const timestamp = headers[TIMESTAMP_HEADER]
  const signature = headers[SIGNATURE_HEADER]
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(seconds(clock) - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) return false
  const given = Buffer.from(signature)
  // Every key is tried, so that the time does not tell which one it was.
  const right = checkKeys(keys).map((key) => {
    const expected = Buffer.from(`v1=${digestOf(key, timestamp, message)}`)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return right.includes(true)
}
