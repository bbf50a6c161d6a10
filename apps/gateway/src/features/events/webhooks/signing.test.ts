// The signatures as a receiver checks them: made anew here with node:crypto, with the old key, the new one,
// or both.
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signatureHeaders } from './signing.ts'

const OLD = 'OLD0KEY0OLD0KEY0OLD0KEY0OLD0KEY0'
const NEW = 'NEW1KEY1NEW1KEY1NEW1KEY1NEW1KEY1'
const body = '{"eventData":{"amount":"1500.00","name":"Ọlá ₦"},"eventType":"SUCCESSFUL_TRANSACTION"}'
const event = { id: 'evt_01_42', body, number: 9_007_199_254_740_993n, objectVersion: 3, attempt: 2 }

type Headers = Record<string, string>
const sha512 = (key: string, bytes: string): string =>
  createHmac('sha512', key).update(Buffer.from(bytes)).digest('hex')
const standard = (key: string, headers: Headers, bytes: string): string =>
  `v1,${createHmac('sha256', key)
    .update(Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${bytes}`))
    .digest('base64')}`

/** Receivers of both kinds, which know the keys they are given and no other. */
const byServiceSignature = (known: readonly string[], headers: Headers, bytes = body): boolean =>
  ['service-signature', 'service-signature-next'].some((name) =>
    known.some((key) => headers[name] === sha512(key, bytes)),
  )
const byWebhookSignature = (known: readonly string[], headers: Headers, bytes = body): boolean =>
  (headers['webhook-signature'] ?? '')
    .split(' ')
    .some((given) => known.some((key) => given === standard(key, headers, bytes)))

describe('signatureHeaders', () => {
  test('with one key, every header is what a receiver computes, and there is no next signature', () => {
    const before = Math.floor(Date.now() / 1000)
    const headers = signatureHeaders([OLD], event)
    const timestamp = Number(headers['webhook-timestamp'])
    expect(timestamp).toBeGreaterThanOrEqual(before)
    expect(timestamp).toBeLessThanOrEqual(Date.now() / 1000)
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'Cowrie/1',
      'service-signature': sha512(OLD, body),
      'monnify-signature': sha512(OLD, body),
      'webhook-id': 'evt_01_42',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': standard(OLD, headers, body),
      'cowrie-event-number': '9007199254740993',
      'cowrie-object-version': '3',
      'cowrie-attempt': '2',
    })
  })

  test('with two keys, the old one signs where it always did and the new one beside it', () => {
    const headers = signatureHeaders([OLD, NEW], event)
    expect(headers['service-signature']).toBe(sha512(OLD, body))
    expect(headers['service-signature-next']).toBe(sha512(NEW, body))
    expect(headers['webhook-signature']).toBe(`${standard(OLD, headers, body)} ${standard(NEW, headers, body)}`)
    expect(Object.keys(headers)).toHaveLength(Object.keys(signatureHeaders([OLD], event)).length + 1)
  })

  test.each([
    ['the old key only', [OLD]],
    ['the new key only', [NEW]],
    ['both keys', [OLD, NEW]],
  ])('a receiver with %s accepts during the overlap, and refuses a changed body', (_, known) => {
    const headers = signatureHeaders([OLD, NEW], event)
    expect(byServiceSignature(known, headers)).toBe(true)
    expect(byWebhookSignature(known, headers)).toBe(true)
    expect(byServiceSignature(known, headers, `${body} `)).toBe(false)
    expect(byWebhookSignature(known, headers, `${body} `)).toBe(false)
  })

  test('a receiver with a key of somebody else refuses; after the overlap so does one with the old key', () => {
    for (const accepts of [byServiceSignature, byWebhookSignature]) {
      expect(accepts(['SOMEBODY'], signatureHeaders([OLD, NEW], event))).toBe(false)
      expect(accepts([OLD], signatureHeaders([NEW], event))).toBe(false)
      expect(accepts([NEW], signatureHeaders([NEW], event))).toBe(true)
    }
  })
})
