// The headers that `cowrie listen` sends are those of a real delivery: held against the gateway's own code.
import {
  DELIVERY_HEADERS,
  NEXT_SIGNATURE_HEADER,
  toEventBody,
  WEBHOOK_TIMESTAMP_HEADER,
} from '@cowrie/contract/events/delivery'
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { expect, test } from 'vitest'
import { signatureHeaders } from '../../../apps/gateway/src/features/events/webhooks/signing.ts'
import { deliveryHeaders } from './sign.ts'

const SECRET = 'a secret key with ẹ'
const EVENT = { eventId: 'evt_01_7', number: 12, objectVersion: 3 }

test.each(EVENTS.map((spec) => [spec.type, spec] as const))('%s is signed as the gateway signs it', (_, spec) => {
  for (const sample of spec.samples) {
    const body = JSON.stringify(toEventBody(spec, sample))
    const { eventId: id, number, objectVersion } = EVENT
    const theirs = signatureHeaders([SECRET], { id, body, number: BigInt(number), objectVersion, attempt: 2 })
    const seconds = Number(theirs[WEBHOOK_TIMESTAMP_HEADER])
    expect(deliveryHeaders(SECRET, EVENT, body, { attempt: 2, seconds })).toEqual(theirs)
  }
})

test('every header that the contract names for a delivery is there', () => {
  const ours = deliveryHeaders(SECRET, EVENT, '{}', { attempt: 2, seconds: 1 })
  const named = Object.keys(DELIVERY_HEADERS).filter((name) => name !== NEXT_SIGNATURE_HEADER)
  expect(Object.keys(ours)).toEqual(expect.arrayContaining([...named, 'content-type', 'user-agent']))
  expect(ours).toMatchObject({ 'cowrie-event-number': '12', 'cowrie-object-version': '3', 'cowrie-attempt': '2' })
})
