// The headers of a delivery, as the gateway makes them. A test holds them against the gateway's own.
import { createHmac } from 'node:crypto'
import {
  ATTEMPT_HEADER,
  EVENT_NUMBER_HEADER,
  OBJECT_VERSION_HEADER,
  SERVICE_SIGNATURE_HEADER,
  SIGNATURE_ALIAS_HEADER,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@cowrie/contract/events/delivery'

export type Signable = { readonly eventId: string; readonly number: number; readonly objectVersion: number }
export type Headers = Readonly<Record<string, string>>

export const serviceSignature = (secretKey: string, body: string): string =>
  createHmac('sha512', secretKey).update(body).digest('hex')

export const webhookSignature = (key: string | Buffer, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`

export function deliveryHeaders(
  secretKey: string,
  event: Signable,
  body: string,
  how: { readonly attempt: number; readonly seconds: number },
): Headers {
  const timestamp = String(how.seconds)
  const signature = serviceSignature(secretKey, body)
  return {
    'content-type': 'application/json',
    'user-agent': 'Cowrie/1',
    [SERVICE_SIGNATURE_HEADER]: signature,
    [SIGNATURE_ALIAS_HEADER]: signature,
    [WEBHOOK_ID_HEADER]: event.eventId,
    [WEBHOOK_TIMESTAMP_HEADER]: timestamp,
    [WEBHOOK_SIGNATURE_HEADER]: webhookSignature(secretKey, event.eventId, timestamp, body),
    [EVENT_NUMBER_HEADER]: String(event.number),
    [OBJECT_VERSION_HEADER]: String(event.objectVersion),
    [ATTEMPT_HEADER]: String(how.attempt),
  }
}
