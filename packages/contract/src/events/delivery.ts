// How events reach a merchant: the body and the headers of a notification and when it is tried again.
import type { EventSample, EventSpec } from '../kit/spec.ts'

/** The body of a notification, in the order of its fields. */
export const toEventBody = (spec: Pick<EventSpec, 'type'>, { eventData, metaData }: EventSample): object => ({
  eventData,
  eventType: spec.type,
  ...(metaData ? { metaData } : {}),
})

/** Lower-case hex of HMAC-SHA512 over the exact body, keyed with the merchant's secret key. */
export const SERVICE_SIGNATURE_HEADER = 'service-signature'
/** The same digest again: where the webhook middleware that merchants have already looks for it. */
export const SIGNATURE_ALIAS_HEADER = 'monnify-signature'
/** The headers of Standard Webhooks, which add protection against replay. */
export const WEBHOOK_ID_HEADER = 'webhook-id'
export const WEBHOOK_TIMESTAMP_HEADER = 'webhook-timestamp'
export const WEBHOOK_SIGNATURE_HEADER = 'webhook-signature'

/** With the new secret key, while two overlap. */
export const NEXT_SIGNATURE_HEADER = 'service-signature-next'
/** Where the event stands: in the merchant's log, and in the life of its object. */
export const EVENT_NUMBER_HEADER = 'cowrie-event-number'
export const OBJECT_VERSION_HEADER = 'cowrie-object-version'
export const ATTEMPT_HEADER = 'cowrie-attempt'

export const DELIVERY_HEADERS: Readonly<Record<string, string>> = {
  [SERVICE_SIGNATURE_HEADER]:
    'Lower-case hex of HMAC-SHA512 over the exact bytes of the body, keyed with your secret key.',
  [SIGNATURE_ALIAS_HEADER]: 'The same as `service-signature`, for webhook middleware that reads this name.',
  [WEBHOOK_ID_HEADER]: 'Identifies the event; the same on every attempt, so use it to process an event once.',
  [WEBHOOK_TIMESTAMP_HEADER]: 'Unix seconds of the attempt.',
  [WEBHOOK_SIGNATURE_HEADER]:
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with your secret key; protects against replay. During a secret key rotation there are two, separated by a space.',
  [EVENT_NUMBER_HEADER]:
    'The number of the event in your log: 1, 2, 3 … without gaps. `GET /api/v1/events?after=n` reads on from there.',
  [OBJECT_VERSION_HEADER]:
    'Increases with every change of the object; ignore an event with a lower version than you have already seen.',
  [ATTEMPT_HEADER]: '1 for the first attempt to deliver this event to this address.',
}

const MINUTE = 60
const HOUR = 60 * MINUTE
/** The wait before each attempt, counted from the attempt before: about 75 hours in all. */
export const RETRY_DELAYS_SECONDS: readonly number[] = [
  0,
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

function delayWords(seconds: number): string {
  if (seconds === 0) return 'at once'
  if (seconds >= HOUR) return `${seconds / HOUR} h`
  return seconds >= MINUTE ? `${seconds / MINUTE} min` : `${seconds} s`
}

/** What a receiver may take of our time. */
export const CONNECT_SECONDS_MAX = 5
export const ANSWER_SECONDS_MAX = 15

/** `at once, 5 s, 5 min, …, 24 h` */
export const retryWords = (): string => RETRY_DELAYS_SECONDS.map(delayWords).join(', ')
