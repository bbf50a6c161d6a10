// Signatures of the bank connector protocol, as the exam makes and checks them.
import { createHmac } from 'node:crypto'
import {
  SIGNATURE_HEADER,
  SIGNATURE_TOLERANCE_SECONDS,
  signedText,
  TIMESTAMP_HEADER,
} from '@cowrie/contract/bank/connector'
import { seconds } from './clock.ts'

export type Message = { readonly method: string; readonly path: string; readonly body: string }

const digestOf = (key: string, timestamp: string, { method, path, body }: Message): string =>
  createHmac('sha256', key)
    .update(signedText(timestamp, method, path, body))
    .digest('hex')

/** `secondsOff`: as a clock that is ahead by so much signs. */
export function sign(key: string, message: Message, secondsOff = 0): Record<string, string> {
  const timestamp = String(seconds() + secondsOff)
  return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: `v1=${digestOf(key, timestamp, message)}` }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What is wrong with a signature, in a sentence; or the key that made it. */
export type Signed = { readonly key: string } | { readonly wrong: string }

export function signedBy(keys: readonly string[], message: Message, headers: Headers): Signed {
  const timestamp = headers[TIMESTAMP_HEADER]
  const signature = headers[SIGNATURE_HEADER]
  if (typeof timestamp !== 'string' || typeof signature !== 'string')
    return { wrong: `it lacks the header ${TIMESTAMP_HEADER} or ${SIGNATURE_HEADER}` }
  if (!/^\d{1,12}$/.test(timestamp)) return { wrong: `${TIMESTAMP_HEADER} is not Unix seconds` }
  const off = Number(timestamp) - seconds()
  if (Math.abs(off) > SIGNATURE_TOLERANCE_SECONDS)
    return { wrong: `its time is ${Math.abs(off)} seconds ${off > 0 ? 'ahead of' : 'behind'} real time` }
  const key = keys.find((one) => signature === `v1=${digestOf(one, timestamp, message)}`)
  return key === undefined
    ? { wrong: 'its signature is not that of its method, path and body with a shared key' }
    : { key }
}
