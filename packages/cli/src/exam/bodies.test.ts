// What the exam sends: bodies of the contract, signed as the gateway signs.
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { signatureHeaders } from '../../../../apps/gateway/src/features/events/webhooks/signing.ts'
import { deliveryHeaders } from '../sign.ts'
import { createMaker } from './bodies.ts'
import type { Delivery, PlannedCase } from './case.ts'
import { CASES } from './cases/cases.ts'
import { isExpected, nairaWords } from './judge.ts'
import { probeUrl, readCredited } from './probe.ts'

const SECRET = 'a secret key with ẹ'
const make = createMaker('exam-1', SECRET)
const planned = CASES.filter((one): one is PlannedCase => 'plan' in one)
const deliveriesOf = (one: PlannedCase): Delivery[] => one.plan(make(one.name)).steps.flat()
type Body = { readonly eventType: string; readonly eventData: Record<string, unknown> }

describe.each(planned.map((one) => [one.name, one] as const))('%s', (name, one) => {
  test('fits the contract, but for what is meant to be unknown', () => {
    for (const { body } of deliveriesOf(one)) {
      const { eventType, eventData } = JSON.parse(body) as Body
      const spec = EVENTS.find(({ type }) => type === eventType)
      expect(spec === undefined, eventType).toBe(name === 'unknown-kind')
      if (!spec) continue
      expect([...Compile(spec.data).Errors(eventData)]).toEqual([])
      const { properties } = spec.data as unknown as { properties: Record<string, unknown> }
      expect(Object.keys(eventData).filter((field) => !(field in properties))).toEqual(
        name === 'unknown-field' ? ['addedLater'] : [],
      )
    }
  })

  test('names the reference that the probe is asked about', () => {
    const { steps, credits } = one.plan(make(name))
    const bodies = steps.flat().map(({ body }) => body)
    for (const { reference } of credits)
      expect(
        bodies.some(
          (body) =>
            body.includes(`"paymentReference": "${reference}"`) || body.includes(`"paymentReference":"${reference}"`),
        ),
      ).toBe(true)
    expect(bodies.join()).not.toMatch(/eference":\s*"(?:order-1029|payout-81|wages-77|CWRY[^"]*000812|CWPC-[^|"]*)"/)
  })
})

test('names are unique, and every case says why it matters and how to fix it', () => {
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length)
  for (const { name, sends, why, fix } of CASES)
    expect(
      [sends, why, fix].every((text) => text.length > 10),
      name,
    ).toBe(true)
})

const only = (name: string): Delivery => {
  const [first] = deliveriesOf(planned.find((one) => one.name === name) ?? expect.fail(name))
  return first ?? expect.fail(`${name} sends nothing`)
}
const headersOf = ({ event, body, forge }: Delivery) => {
  const right = deliveryHeaders(SECRET, event, body, { attempt: 1, seconds: 1 })
  return { right, sent: forge ? forge(right) : right }
}

test('the body of one megabyte has one', () => {
  const bytes = Buffer.byteLength(only('big-body').body)
  expect(bytes).toBeGreaterThan(1024 * 1024)
  expect(bytes).toBeLessThan(1.1 * 1024 * 1024)
})

test('the same JSON in other bytes is the same JSON, and serialising it again gives others', () => {
  const { body } = only('raw-body')
  const written = JSON.stringify(JSON.parse(body))
  expect(written).not.toBe(body)
  expect((JSON.parse(written) as Body).eventData).toMatchObject({ amountPaid: 33.33 })
  expect(body).toContain('33.330')
  expect(body).toContain('\\u20a6')
  expect(body).toContain('🎉')
})

test('during a rotation both keys sign, where the gateway puts them', () => {
  const delivery = only('two-keys')
  const { right, sent } = headersOf(delivery)
  const { eventId: id, number, objectVersion } = delivery.event
  const gateway = signatureHeaders([SECRET, 'the next one'], {
    id,
    body: delivery.body,
    number: BigInt(number),
    objectVersion,
    attempt: 1,
  })
  expect(Object.keys(sent).sort()).toEqual(Object.keys(gateway).sort())
  expect(sent['service-signature']).toBe(gateway['service-signature'])
  expect(sent['webhook-signature']?.split(' ')).toEqual([right['webhook-signature'], expect.stringMatching(/^v1,/)])
})

test.each(['forged-signature', 'no-signature', 'empty-signature', 'other-key', 'other-algorithm', 'changed-body'])(
  '%s has no right signature in any header',
  (name) => {
    const { right, sent } = headersOf(only(name))
    for (const header of ['service-signature', 'monnify-signature', 'webhook-signature'])
      expect(sent[header], header).not.toBe(right[header])
    expect(sent['webhook-id']).toBe(right['webhook-id'])
  },
)

test.each([
  ['taken', 200, true],
  ['taken', 201, false],
  ['taken', 401, false],
  ['taken', null, false],
  ['refused', 401, true],
  ['refused', 200, false],
  ['refused', 500, false],
  ['refused', null, false],
  ['taken or refused', 403, true],
  ['taken or refused', 500, false],
  ['taken or later', 503, true],
  ['taken or later', 500, false],
  ['lost', null, true],
] as const)('where %s is expected, %s is right: %s', (expects, status, right) => {
  expect(isExpected({ expects }, { status, error: null, ms: 1, body: '' })).toBe(right)
})

test.each([
  ['{"credited": 3000}', 300_000n],
  ['{"credited": "33.33"}', 3_333n],
  ['0', 0n],
  ['{"credited": -1}', null],
  ['{"credited": null}', null],
  ['{"amount": 3}', null],
  ['yes', null],
])('the probe says %s', (text, kobo) => {
  const said = readCredited(text)
  expect('kobo' in said ? said.kobo : null).toBe(kobo)
})

test('the reference goes where the address has a place for it, or behind it', () => {
  expect(probeUrl('http://shop.test/orders/{reference}/credited', 'a/b')?.href).toBe(
    'http://shop.test/orders/a%2Fb/credited',
  )
  expect(probeUrl('http://shop.test/credited?x=1', 'a b')?.search).toBe('?x=1&reference=a+b')
  expect(probeUrl('shop.test', 'a')).toBe(null)
})

test('amounts are shown in naira', () => {
  expect([0n, 3_333n, 300_000n, 123_456_789n].map(nairaWords)).toEqual([
    '₦0.00',
    '₦33.33',
    '₦3,000.00',
    '₦1,234,567.89',
  ])
})
