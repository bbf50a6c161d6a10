// Signatures of the bank connector protocol, both directions. The path that is signed is the whole request
// target, with its query, so that nobody can ask for another day's statement with a signature that was made
// for today's.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import { realSeconds } from './clock.ts'

export type Message = { readonly method: string; readonly path: string; readonly body: string }

const digest = (key: string, timestamp: string, message: Message): string =>
  createHmac('sha256', key)
    .update(signedText(timestamp, message.method, message.path, message.body))
    .digest('hex')

export function sign([key = '']: readonly string[], message: Message): Record<string, string> {
  const timestamp = String(realSeconds())
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${digest(key, timestamp, message)}` }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function isSigned(keys: readonly string[], message: Message, headers: Headers): boolean {
  const timestamp = headers[TIMESTAMP_HEADER]
  const signature = headers[SIGNATURE_HEADER]
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(realSeconds() - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS) return false
  const given = Buffer.from(signature)
  return keys.some((key) => {
    const expected = Buffer.from(`v1=${digest(key, timestamp, message)}`)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
