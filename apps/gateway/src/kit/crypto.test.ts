import { createHmac, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deriveKeys, hmacBase64, hmacHex, loginDigest, open, randomToken, sameBytes, sameText, seal } from './crypto.ts'

const keysOf = (fill: number) => deriveKeys([{ version: 1, key: Buffer.alloc(32, fill) }])
const keys = keysOf(7)
const others = keysOf(8)

describe('seal and open', () => {
  test('what was sealed opens to the same text, in its context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (plain, context) => {
        expect(open(keys, seal(keys, plain, context), context)).toBe(plain)
      }),
    )
  })

  test('two seals of one text differ in their key and in their text', () => {
    const [a, b] = [seal(keys, 'secret', 'M1').split('.'), seal(keys, 'secret', 'M1').split('.')]
    expect(a.slice(0, 2)).toEqual(b.slice(0, 2))
    expect(a[2]).not.toBe(b[2])
    expect(a[3]).not.toBe(b[3])
  })

  test('the record does not hold the text', () => {
    const record = seal(keys, 'a very secret key', 'M1')
    const bytes = Buffer.concat(record.split('.').map((part) => Buffer.from(part, 'base64url')))
    expect(bytes.includes('secret')).toBe(false)
  })

  test('another context does not open it: a record copied to another merchant is worthless', () => {
    expect(() => open(keys, seal(keys, 'secret', 'M1'), 'M2')).toThrow(Error)
    expect(() => open(keys, seal(keys, 'secret', 'M1'), '')).toThrow(Error)
  })

  test('another master key does not open it, not even under the name of the right one', () => {
    const record = seal(keys, 'secret', 'M1')
    expect(() => open(others, record, 'M1')).toThrow('encrypted with a different key')
    const [other] = others.versions
    expect(() => open({ ...others, versions: [{ ...other, id: keys.present.id }] }, record, 'M1')).toThrow(Error)
  })

  test('any flipped bit of the wrapped key or of the sealed text is refused', () => {
    const record = seal(keys, 'secret', 'M1')
    const parts = record.split('.') as [string, string, string, string]
    for (const part of [2, 3] as const) {
      const bytes = Buffer.from(parts[part], 'base64url')
      for (let at = 0; at < bytes.length; at += 1) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] as number) ^ (1 << (at % 8))
        const forged = parts.with(part, changed.toString('base64url')).join('.')
        expect(() => open(keys, forged, 'M1'), `part ${part}, byte ${at}`).toThrow(Error)
      }
    }
  })

  test('parts of two records do not make a third', () => {
    const [a, b] = [seal(keys, 'one', 'M1').split('.'), seal(keys, 'two', 'M1').split('.')]
    expect(() => open(keys, [...a.slice(0, 3), b[3]].join('.'), 'M1')).toThrow(Error)
  })

  test.each(['', 'v1', 'v1..', 'v2.x.y.z', 'secret'])('%j is not a record', (text) => {
    expect(() => open(keys, text, 'M1')).toThrow(Error)
  })

  test('a shortened record is refused at every length', () => {
    const record = seal(keys, 'secret', 'M1')
    for (let length = 0; length < record.length - 1; length += 1)
      expect(() => open(keys, record.slice(0, length), 'M1')).toThrow(Error)
  })
})

describe('deriveKeys', () => {
  test('gives the same keys again, and another for every purpose and every master key', () => {
    expect(keysOf(7)).toEqual(keys)
    const all = [keys, others].flatMap(({ present, login, tokens, requests, attempts }) => [
      ...[present.sealing, present.statements, login, tokens[0], requests, attempts],
    ])
    expect(new Set(all.map((key) => key.toString('hex'))).size).toBe(12)
    expect(keys.present.id).not.toBe(others.present.id)
  })
})

describe('digests', () => {
  test('loginDigest is the same for the same secret and key, and differs for another of either', () => {
    const digest = loginDigest(keys, 'secret')
    expect(digest).toEqual(loginDigest(keys, 'secret'))
    expect(digest).not.toEqual(loginDigest(keys, 'Secret'))
    expect(digest).not.toEqual(loginDigest(others, 'secret'))
    expect(digest).toHaveLength(32)
  })

  test('sameBytes and sameText compare contents, of any length', () => {
    expect(sameBytes(Buffer.from('ab'), Buffer.from('ab'))).toBe(true)
    expect(sameBytes(Buffer.from('ab'), Buffer.from('ac'))).toBe(false)
    expect(sameBytes(Buffer.from('ab'), Buffer.from('abc'))).toBe(false)
    expect(sameText('', '')).toBe(true)
    expect(sameText('token', 'token')).toBe(true)
    expect(sameText('token', 'token ')).toBe(false)
  })

  test('hmacHex and hmacBase64 are HMACs over the bytes of the text', () => {
    const key = randomBytes(16)
    expect(hmacHex('sha512', key, 'é')).toBe(createHmac('sha512', key).update(Buffer.from('é')).digest('hex'))
    expect(hmacBase64(key, 'é')).toBe(createHmac('sha256', key).update(Buffer.from('é')).digest('base64'))
    // RFC 4231, test case 2
    expect(hmacHex('sha256', 'Jefe', 'what do ya want for nothing?')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    )
  })

  test('randomToken is 22 characters that may stand in an address, and never the same', () => {
    const tokens = Array.from({ length: 1000 }, randomToken)
    expect(new Set(tokens).size).toBe(1000)
    for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/)
  })
})
