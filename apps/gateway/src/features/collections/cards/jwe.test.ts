import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { CardAuthorisationV2 } from '@cowrie/contract/bank/v2/cards'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { seal } from './jwe.ts'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
const jwk = { kid: 'k1', kty: 'RSA', alg: 'RSA-OAEP-256', n, e } as const

/** As RFC 7516 says, step by step, and with nothing of what seals. */
function open(jwe: string): string {
  const parts = jwe.split('.')
  const [header = '', ...rest] = parts
  const [wrapped, iv, sealed, tag] = rest.map((part) => Buffer.from(part, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({
    alg: 'RSA-OAEP-256',
    enc: 'A256GCM',
    kid: 'k1',
  })
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const key = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrapped)
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString()
}

test('whoever has the private key opens it; it is of the form of the protocol, and never the same twice', () => {
  const plain = JSON.stringify({ number: '4111111111111111', name: 'Ọlá' })
  const [one, two] = [seal(plain, jwk), seal(plain, jwk)]
  expect([open(one), open(two)]).toEqual([plain, plain])
  expect(one).not.toBe(two)
  expect(one.split('.').map((part) => two.split('.').includes(part))).toEqual([true, false, false, false, false])
  const form = Compile(CardAuthorisationV2.properties.sealedCard)
  expect(form.Check(one)).toBe(true)
})

test('a changed byte, or a changed header, does not open', () => {
  const [header = '', ...rest] = seal('a card', jwk).split('.')
  const flipped = [header, ...rest.slice(0, 2), Buffer.from('a carx').toString('base64url'), rest[3]].join('.')
  expect(() => open(flipped)).toThrow('unable to authenticate')
  // It says the same, in other bytes.
  const said = JSON.parse(Buffer.from(header, 'base64url').toString()) as object
  const other = Buffer.from(JSON.stringify(said, null, 1)).toString('base64url')
  expect(() => open([other, ...rest].join('.'))).toThrow('unable to authenticate')
})
