// Notifications in PHP and Python: every vector of the SDK, everything that the gateway signs, and mistakes
// that are explained.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../../apps/gateway/src/features/events/webhooks/signing.ts'
import { toEventBody } from '../../../packages/contract/src/events/delivery.ts'
import { EVENTS } from '../../../packages/contract/src/index.ts'
import service from '../../../packages/sdk/vectors/service-signature.json' with { type: 'json' }
import webhook from '../../../packages/sdk/vectors/webhook-signature.json' with { type: 'json' }
import { KINDS } from '../../../tools/sdk/clients/operations.ts'
import { type Driver, startDriver } from './driver.ts'
import { isSkipped, LANGUAGES } from './languages.ts'

const VECTORS = [
  ...webhook.vectors.map((vector) => ({ ...vector, scheme: 'webhook' })),
  ...service.vectors.map((vector) => ({ ...vector, scheme: 'service' })),
]
const [KEY, NEXT] = ['the current ẹ key', 'the next key']
const signed = (body: string, keys: readonly [string, ...string[]] = [KEY]) => ({
  body,
  headers: signatureHeaders(keys, { id: 'evt_01_7', body, number: 12n, objectVersion: 3, attempt: 2 }),
})
const sent = (type: string, keys?: readonly [string, ...string[]]) => {
  const spec = EVENTS.find((event) => event.type === type)!
  return signed(JSON.stringify(toEventBody(spec, spec.samples[0])), keys)
}

for (const language of LANGUAGES)
  describe.skipIf(isSkipped(language))(`notifications in ${language.name}`, () => {
    let driver: Driver
    beforeAll(() => {
      driver = startDriver(language)
    })
    afterAll(() => driver?.stop())
    const verify = (what: object) => driver.tell('verify', { keys: KEY, ...what })

    test(`all vectors of signatures: ${VECTORS.length}`, async () => {
      for (const { name, scheme, body, headers, keys, code, nowSeconds, toleranceSeconds } of VECTORS)
        for (const bytes of [false, true]) {
          const options = { scheme, nowSeconds, toleranceSeconds }
          const told = await verify({ body, headers, keys, options, bytes })
          expect(told.error?.code ?? null, `${scheme}, ${name}`).toBe(code)
          expect(told.error?.class ?? null).toBe(code === null ? null : 'NotVerified')
        }
      console.log(`${language.name}: ${VECTORS.length} vectors of signatures`)
    })

    test.each(KINDS)('$type is verified and read as $name, with every amount as text', async ({ type, name }) => {
      const { body, headers } = sent(type)
      const event = await driver.get('verify', { body, headers, keys: KEY })
      expect(event).toMatchObject({ kind: name, eventType: type, id: 'evt_01_7', number: 12 })
      const { eventData } = JSON.parse(body)
      const amounts = Object.entries(event.eventData).filter(
        ([field]) => /amount|fee|balance/i.test(field) && typeof eventData[field] === 'number',
      )
      for (const [field, value] of amounts) expect(value, field).toMatch(/^-?\d+\.\d\d$/)
    })

    test('every kind of event is a class that a shop can import', async () => {
      const names = KINDS.map(({ name }) => name)
      expect(await driver.get('kinds', { names })).toEqual(names)
    })

    test('while two keys overlap, a receiver with the old, the new or both takes it', async () => {
      const { body, headers } = sent('SETTLEMENT', [KEY, NEXT])
      for (const keys of [KEY, NEXT, [KEY], [NEXT, KEY], ['another', NEXT]])
        for (const scheme of ['webhook', 'service'])
          expect((await verify({ body, headers, keys, options: { scheme } })).ok).toMatchObject({ kind: 'Settlement' })
    })

    test('headers in any case, as lists, and as an environment of CGI', async () => {
      const { body, headers } = sent('SUCCESSFUL_REFUND')
      const written = (change: (name: string, value: string) => [string, unknown]) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => change(name, value)))
      for (const given of [
        written((name, value) => [name.toUpperCase(), [value]]),
        written((name, value) => [`HTTP_${name.toUpperCase().replaceAll('-', '_')}`, value]),
      ])
        expect((await verify({ body, headers: { ...given, version: [1, 0], time: 5 } })).ok).toMatchObject({
          ...{ id: 'evt_01_7', number: 12 },
        })
    })

    test.each([
      ['a parsed body', { eventType: 'X' }, 'BODY_PARSED', /parsed already.*exact bytes.*Take it before/s],
      ['a list', [1], 'BODY_PARSED', /parsed already/],
      [
        'a parsed body made to text',
        { PHP: 'Array', Python: "{'eventType': 'X'}" }[language.name],
        'BODY_PARSED',
        /made to text/,
      ],
      ['no body', null, 'BODY_MISSING', /read the stream already/],
      ['an empty one', '', 'BODY_MISSING', /is empty/],
    ])('%s is explained', async (_, body, code, says) => {
      const { headers } = sent('SUCCESSFUL_TRANSACTION')
      const { error } = await verify({ body, headers })
      expect(error).toMatchObject({ class: 'NotVerified', code })
      expect(error?.message).toMatch(says)
    })

    test('no key, no headers, a key with a newline; messages have neither a key nor a signature in them', async () => {
      const { body, headers } = sent('SUCCESSFUL_TRANSACTION')
      expect((await verify({ body, headers, keys: [] })).error?.code).toBe('KEY_MISSING')
      expect((await verify({ body, headers: null })).error?.code).toBe('HEADERS_MISSING')
      expect((await verify({ body, headers, keys: `${KEY}\n` })).error?.message).toMatch(/a newline around it/)
      const { error } = await verify({ body: `${body} `, headers })
      for (const secret of [KEY, ...Object.values(headers).filter(({ length }) => length > 20)])
        expect(error?.message).not.toContain(secret)
    })

    test('signed, but not an event', async () => {
      for (const text of ['not JSON', '[]', '{"eventType":5}', 'null', '"text"'])
        expect((await verify(signed(text))).error?.code, text).toBe('BODY_UNREADABLE')
    })

    test('an unknown kind is an arm of its own', async () => {
      for (const type of ['SOMETHING_NEW', 'constructor', 'UNKNOWN']) {
        const { ok } = await verify(signed(JSON.stringify({ eventData: { amount: 5 }, eventType: type })))
        expect(ok).toMatchObject({ kind: 'UNKNOWN', eventType: type, eventData: { amount: 5 } })
      }
    })

    test('an item of the log is the event it was', async () => {
      const item = {
        eventId: 'evt_01_9',
        number: 9,
        objectVersion: 2,
        body: JSON.parse(sent('SUCCESSFUL_REFUND').body),
      }
      expect(await driver.get('log', { item })).toMatchObject({
        ...{ id: 'evt_01_9', number: 9, kind: 'SuccessfulRefund', eventData: { refundAmount: '1500.00' } },
      })
    })
  })
