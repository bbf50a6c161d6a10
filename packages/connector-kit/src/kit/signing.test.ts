import { createHmac } from 'node:crypto'
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '@cowrie/contract/bank/connector'
import { describe, expect, test } from 'vitest'
import type { Clock } from './clock.ts'
import { checkKeys, isSigned, type Message, sign } from './signing.ts'

const KEY = 'not-a-real-key-0123456789abcdef'
const OTHER = 'another-key-of-the-rotation-0123'
const AT = new Date('2026-05-02T14:15:31Z')
const clock: Clock = { now: () => AT }
const message: Message = {
  method: 'POST',
  path: '/connector/v1/enquiries',
  body: '{"bankCode":"035","accountNumber":"0123456789"}',
}
const headers = sign(KEY, message, clock)
const after = (seconds: number): Clock => ({ now: () => new Date(AT.getTime() + seconds * 1000) })

describe('signing', () => {
  test('gives the headers that the reference of the protocol shows', () => {
    expect(headers).toEqual({
      [TIMESTAMP_HEADER]: '1777731331',
      [SIGNATURE_HEADER]: 'v1=f5463a24d3112982a33ac8318e1f01ffbddfdc951d36bd1ff66596ffc7030485',
    })
  })

  test('is accepted with any of the keys, and with no other', () => {
    expect(isSigned([KEY], message, headers, clock)).toBe(true)
    expect(isSigned([OTHER, KEY], message, headers, clock)).toBe(true)
    expect(isSigned([KEY, OTHER], message, headers, clock)).toBe(true)
    expect(isSigned([OTHER], message, headers, clock)).toBe(false)
  })

  test.each([
    ['the method', { method: 'PUT' }],
    ['the path', { path: '/connector/v1/credits' }],
    ['the query', { path: `${message.path}?date=2026-05-02` }],
    ['a byte of the body', { body: `${String(message.body)} ` }],
    ['the body', { body: '' }],
  ])('is refused when %s is another', (_name, change) => {
    expect(isSigned([KEY], { ...message, ...change }, headers, clock)).toBe(false)
  })

  test('is over bytes: two bodies that decode to the same text have two signatures', () => {
    const [one, two] = [Buffer.from([0x22, 0xff, 0x22]), Buffer.from([0x22, 0xfe, 0x22])]
    expect(one.toString()).toBe(two.toString())
    const signed = sign(KEY, { ...message, body: one }, clock)
    expect(isSigned([KEY], { ...message, body: one }, signed, clock)).toBe(true)
    expect(isSigned([KEY], { ...message, body: two }, signed, clock)).toBe(false)
  })

  test.each([
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
    [86_400, false],
  ])('with a clock that is %i seconds off: %s', (off, accepted) => {
    expect(isSigned([KEY], message, headers, after(off))).toBe(accepted)
  })

  const signature = headers[SIGNATURE_HEADER] ?? ''
  test.each([
    ['no headers', {}],
    ['no signature', { [TIMESTAMP_HEADER]: '1777731331' }],
    ['no timestamp', { [SIGNATURE_HEADER]: signature }],
    ['two signatures', { ...headers, [SIGNATURE_HEADER]: [signature, signature] }],
    ['another timestamp', { ...headers, [TIMESTAMP_HEADER]: '1777731332' }],
    ['a timestamp with a sign', { ...headers, [TIMESTAMP_HEADER]: '+1777731331' }],
    ['a timestamp that is not a number', { ...headers, [TIMESTAMP_HEADER]: 'NaN' }],
    ['another version', { ...headers, [SIGNATURE_HEADER]: signature.replace('v1', 'v2') }],
    ['capitals', { ...headers, [SIGNATURE_HEADER]: signature.toUpperCase() }],
    ['half of it', { ...headers, [SIGNATURE_HEADER]: signature.slice(0, 35) }],
  ])('is refused with %s', (_name, given) => {
    expect(isSigned([KEY], message, given, clock)).toBe(false)
  })

  test('an empty key is never one, whoever signed with it', () => {
    const text = `1777731331.POST ${message.path}.${String(message.body)}`
    const forged = { ...headers, [SIGNATURE_HEADER]: `v1=${createHmac('sha256', '').update(text).digest('hex')}` }
    expect(() => isSigned([KEY, ''], message, forged, clock)).toThrow('at least 16')
    expect(() => checkKeys([])).toThrow('at least 16')
  })
})
