import { toEventBody } from '@cowrie/contract/events/delivery'
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { signatureHeaders } from '../../../apps/gateway/src/features/events/webhooks/signing.ts'
import service from '../vectors/service-signature.json' with { type: 'json' }
import webhook from '../vectors/webhook-signature.json' with { type: 'json' }
import { NotVerified } from './errors.ts'
import { type CowrieEvent, webhooks } from './webhooks.ts'

const [KEY, NEXT] = ['the current ẹ key', 'the next key']
const sent = (type: string, keys: readonly [string, ...string[]] = [KEY], sample = 0) => {
  const spec = EVENTS.find((event) => event.type === type)!
  const body = JSON.stringify(toEventBody(spec, spec.samples[sample]!))
  return { body, headers: signatureHeaders(keys, { id: 'evt_01_7', body, number: 12n, objectVersion: 3, attempt: 2 }) }
}
const reason = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    () => 'verified',
    (error: unknown) => error,
  )

describe('vectors', () => {
  const all = [
    ...webhook.vectors.map((vector) => ({ ...vector, scheme: 'webhook' as const })),
    ...service.vectors.map((vector) => ({ ...vector, scheme: 'service' as const })),
  ]
  test.each(all)('$scheme, $name: valid is $valid ($why)', async ({ body, headers, keys, code, ...options }) => {
    for (const given of [body, new TextEncoder().encode(body), Buffer.from(body)]) {
      const error = await reason(webhooks.verify(given, headers as Record<string, string>, keys, options))
      expect(error === 'verified' ? null : error.code).toBe(code)
      expect(error instanceof NotVerified).toBe(code !== null)
    }
  })
})

describe('what the gateway signs', () => {
  test.each(EVENTS.map(({ type }) => type))('%s is verified and read, with every amount as text', async (type) => {
    const { body, headers } = sent(type)
    const event = await webhooks.verify(body, headers, KEY)
    expect(event).toMatchObject({ eventType: type, id: 'evt_01_7', number: 12, objectVersion: 3, attempt: 2 })
    const { eventData } = JSON.parse(body)
    const amounts = Object.entries(event.eventData as Record<string, unknown>).filter(
      ([name]) => /amount|fee|balance/i.test(name) && typeof eventData[name] === 'number',
    )
    for (const [, value] of amounts) expect(value).toMatch(/^-?\d+\.\d\d$/)
  })

  test('while two keys overlap, a receiver with the old, the new or both takes it', async () => {
    const { body, headers } = sent('SETTLEMENT', [KEY, NEXT])
    for (const keys of [KEY, NEXT, [KEY], [NEXT, KEY], ['another', NEXT]])
      for (const scheme of ['webhook', 'service'] as const)
        expect(await webhooks.verify(body, headers, keys, { scheme })).toMatchObject({ eventType: 'SETTLEMENT' })
  })

  test('headers in any case, as Headers, as arrays; bodies as text, Buffer, part of a buffer and ArrayBuffer', async () => {
    const { body, headers } = sent('SUCCESSFUL_REFUND')
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))
    for (const given of [headers, upper, new Headers(headers)])
      expect(await reason(webhooks.verify(body, given, KEY))).toBe('verified')
    const padded = Buffer.from(`xx${body}yy`)
    const part = padded.subarray(2, padded.length - 2)
    const buffer = new Uint8Array(Buffer.from(body)).buffer
    for (const given of [Buffer.from(body), part, buffer])
      expect(await reason(webhooks.verify(given, headers, KEY))).toBe('verified')
  })
})

describe('mistakes are explained', () => {
  const { body, headers } = sent('SUCCESSFUL_TRANSACTION')
  test.each([
    ['a parsed body', JSON.parse(body), 'BODY_PARSED', /parsed already.*express\.raw/],
    ['a parsed body made to text', String(JSON.parse(body)), 'BODY_PARSED', /\[object Object\]/],
    ['a list', [1], 'BODY_PARSED', /an array/],
    ['no body', undefined, 'BODY_MISSING', /read the stream already/],
    ['an empty one', '', 'BODY_MISSING', /is empty/],
  ])('%s', async (_, given, code, says) => {
    const error = await reason(webhooks.verify(given as never, headers, KEY))
    expect(error).toMatchObject({ name: 'NotVerified', code })
    expect(error.message).toMatch(says)
  })

  test('no key, no headers, a key with a newline', async () => {
    expect(await reason(webhooks.verify(body, headers, []))).toMatchObject({ code: 'KEY_MISSING' })
    expect(await reason(webhooks.verify(body, headers, undefined as never))).toMatchObject({ code: 'KEY_MISSING' })
    expect(await reason(webhooks.verify(body, undefined as never, KEY))).toMatchObject({ code: 'HEADERS_MISSING' })
    expect((await reason(webhooks.verify(body, headers, `${KEY}\n`))).message).toMatch(/a newline around it/)
  })

  test('messages have neither a key nor a right signature in them', async () => {
    const error = await reason(webhooks.verify(`${body} `, headers, KEY))
    expect(error.message).not.toContain(KEY)
    for (const value of Object.values(headers).filter(({ length }) => length > 20))
      expect(error.message).not.toContain(value)
  })

  test('signed, but not an event', async () => {
    for (const text of ['not JSON', '[]', '{"eventType":5}', 'null']) {
      const signed = signatureHeaders([KEY], { id: 'e', body: text, number: 1n, objectVersion: 1, attempt: 1 })
      expect(await reason(webhooks.verify(text, signed, KEY)), text).toMatchObject({ code: 'BODY_UNREADABLE' })
    }
  })
})

describe('events', () => {
  test('an unknown kind is an arm of its own, and so is a name that every object has', async () => {
    for (const type of ['SOMETHING_NEW', 'constructor', 'UNKNOWN']) {
      const text = JSON.stringify({ eventData: { amount: 5 }, eventType: type })
      const signed = signatureHeaders([KEY], { id: 'e', body: text, number: 1n, objectVersion: 1, attempt: 1 })
      const event = await webhooks.verify(text, signed, KEY)
      expect(event).toMatchObject({ eventType: 'UNKNOWN', sentType: type, eventData: { amount: 5 } })
    }
  })

  test('the type narrows by eventType', () => {
    const read = (event: CowrieEvent): string => {
      if (event.eventType === 'SUCCESSFUL_TRANSACTION') {
        expectTypeOf(event.eventData.amountPaid).toEqualTypeOf<string>()
        return event.eventData.paymentReference
      }
      if (event.eventType === 'FAILED_DISBURSEMENT') {
        expectTypeOf(event.eventData.status).toEqualTypeOf<'FAILED'>()
        return event.eventData.reference
      }
      if (event.eventType !== 'UNKNOWN') return event.id
      expectTypeOf(event.eventData).toEqualTypeOf<unknown>()
      return event.sentType
    }
    expect(
      read({ eventType: 'UNKNOWN', sentType: 'X', eventData: 1, id: 'e', number: 1, objectVersion: 1, attempt: 1 }),
    ).toBe('X')
  })

  test('an item of the log is the event it was, and stays as it is', () => {
    const body = JSON.parse(sent('SUCCESSFUL_REFUND').body)
    const item = { eventId: 'evt_01_9', number: 9, objectVersion: 2, body }
    expect(webhooks.fromLog(item)).toMatchObject({
      id: 'evt_01_9',
      number: 9,
      eventType: 'SUCCESSFUL_REFUND',
      eventData: { refundAmount: '1500.00' },
    })
    expect(body.eventData.refundAmount).toBe(1500)
  })
})
