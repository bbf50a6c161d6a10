// How events reach a merchant: the headers of a notification and when it is tried again.

/** Lower-case hex of HMAC-SHA512 over the exact body, keyed with the merchant's secret key. */
export const SERVICE_SIGNATURE_HEADER = 'service-signature'
/** The headers of Standard Webhooks, which add protection against replay. */
export const WEBHOOK_ID_HEADER = 'webhook-id'
export const WEBHOOK_TIMESTAMP_HEADER = 'webhook-timestamp'
export const WEBHOOK_SIGNATURE_HEADER = 'webhook-signature'

export const DELIVERY_HEADERS: Readonly<Record<string, string>> = {
  [SERVICE_SIGNATURE_HEADER]:
    'Lower-case hex of HMAC-SHA512 over the exact bytes of the body, keyed with your secret key.',
  [WEBHOOK_ID_HEADER]: 'Names the event; the same on every attempt, so it can be used to count an event once.',
  [WEBHOOK_TIMESTAMP_HEADER]: 'Unix seconds of the attempt.',
  [WEBHOOK_SIGNATURE_HEADER]:
    '`v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, keyed with your secret key: protects against replay.',
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

/** `at once, 5 s, 5 min, …, 24 h` */
export const retryWords = (): string => RETRY_DELAYS_SECONDS.map(delayWords).join(', ')
