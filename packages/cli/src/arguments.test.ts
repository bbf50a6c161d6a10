// What a person types is read as meant, or refused in a sentence that says how to write it.
import { expect, test } from 'vitest'
import { readKinds, readNumber, readRange, readTarget } from './arguments.ts'

test.each([
  ['3000', undefined, 'http://localhost:3000/', '127.0.0.1:3000 or [::1]:3000'],
  ['3000', '/hook', 'http://localhost:3000/hook', '127.0.0.1:3000 or [::1]:3000'],
  ['3000', 'hook?a=1', 'http://localhost:3000/hook?a=1', '127.0.0.1:3000 or [::1]:3000'],
  ['shop.test:81/in', undefined, 'http://shop.test:81/in', 'shop.test:81'],
  ['http://127.0.0.1:9/a', '/b', 'http://127.0.0.1:9/b', '127.0.0.1:9'],
  ['https://shop.test/a', undefined, 'https://shop.test/a', 'shop.test:443'],
])('%s with path %s leads to %s', (text, path, href, words) => {
  const target = readTarget(text, path)
  expect([target.url.href, target.words]).toEqual([href, words])
})

test.each(['0', '65536', 'a b', 'http://'])('"%s" is neither a port nor an address', (text) => {
  expect(() => readTarget(text)).toThrow(/port/)
})

test.each([
  ['7', { from: 7, to: 7 }],
  ['7..12', { from: 7, to: 12 }],
  ['1..10000', { from: 1, to: 10_000 }],
])('the range %s', (text, range) => {
  expect(readRange(text)).toEqual(range)
})

test.each([
  ['12..7', 'write 7..12'],
  ['0..7', '1 or more'],
  ['1..10001', 'At most 10,000'],
  ['7-12', 'such as 7..12'],
  ['7..', 'such as 7..12'],
])('the range %s is refused: %s', (text, words) => {
  expect(() => readRange(text)).toThrow(words)
})

test('an event number is 1 or more', () => {
  expect(readNumber('1')).toBe(1)
  for (const text of ['0', '-1', '1.5', 'x', '']) expect(() => readNumber(text)).toThrow('1 or more')
})

test('kinds of event: any case, with spaces; one that is not there is refused with those that are', () => {
  expect(readKinds('settlement, REJECTED_PAYMENT')).toEqual(new Set(['SETTLEMENT', 'REJECTED_PAYMENT']))
  expect(() => readKinds('SETTLEMENTS')).toThrow(/SETTLEMENTS is not an event type.*SUCCESSFUL_TRANSACTION/)
  expect(() => readKinds(',')).toThrow('is not an event type')
})
