// What goes with a notification: the signatures over its exact bytes, and where the event stands. While two
// secret keys overlap both sign, each where a receiver that knows only one of them looks for it: nobody has
// to change at the same instant as we do.
import {
  ATTEMPT_HEADER,
  EVENT_NUMBER_HEADER,
  NEXT_SIGNATURE_HEADER,
  OBJECT_VERSION_HEADER,
  SERVICE_SIGNATURE_HEADER,
  SIGNATURE_ALIAS_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@cowrie/contract/events/delivery'
import { wallSeconds } from '#kit/clock.ts'
import { hmacBase64, hmacHex } from '#kit/crypto.ts'

export type SignedEvent = {
  readonly id: string
  readonly body: string
  readonly number: bigint
  readonly objectVersion: number
  readonly attempt: number
}

/** What goes with anything that is posted to a merchant. `keys`: the current secret key, then the next one
 *  while two overlap. */
export function signedHeaders(keys: readonly [string, ...string[]], id: string, body: string): Record<string, string> {
  const [current, next] = keys
  // Receivers hold it against their own clock, which the sandbox's does not move.
  const timestamp = String(wallSeconds())
  const signed = `${id}.${timestamp}.${body}`
  const signature = hmacHex('sha512', current, body)
  return {
    'content-type': 'application/json',
    'user-agent': 'Cowrie/1',
    [SERVICE_SIGNATURE_HEADER]: signature,
    [SIGNATURE_ALIAS_HEADER]: signature,
    ...(next === undefined ? {} : { [NEXT_SIGNATURE_HEADER]: hmacHex('sha512', next, body) }),
    [WEBHOOK_ID_HEADER]: id,
    [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
    [WEBHOOK_SIGNATURE_HEADER]: keys.map((key) => `v1,${hmacBase64(key, signed)}`).join(' '),
  }
}

export const signatureHeaders = (
  keys: readonly [string, ...string[]],
  { id, body, number, objectVersion, attempt }: SignedEvent,
): Record<string, string> => ({
  ...signedHeaders(keys, id, body),
  [EVENT_NUMBER_HEADER]: String(number),
  [OBJECT_VERSION_HEADER]: String(objectVersion),
  [ATTEMPT_HEADER]: String(attempt),
})
