// Cards that were sealed in a browser, opened; and everything that is not one, refused alike.
import {
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
  webcrypto,
} from 'node:crypto'
import { CardSettings } from '@cowrie/contract/bank/v2/cards'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { openSealed, readSealKey } from './seal.ts'

const pemOf = (modulusLength: number): string =>
  generateKeyPairSync('rsa', { modulusLength }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const ours = readSealKey(pemOf(2048))
const before = readSealKey(pemOf(2048))

const HEADER = { alg: 'RSA-OAEP-256', enc: 'A256GCM' }
type How = { readonly key?: typeof ours; readonly header?: object; readonly hash?: string; readonly bytes?: number }
function seal(text: string, { key = ours, header = HEADER, hash = 'sha256', bytes = 32 }: How = {}): string {
  const [secret, iv] = [randomBytes(bytes), randomBytes(12)]
  const first = Buffer.from(JSON.stringify(header)).toString('base64url')
  const cipher = createCipheriv(bytes === 32 ? 'aes-256-gcm' : 'aes-128-gcm', secret, iv)
  cipher.setAAD(Buffer.from(first, 'ascii'))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' })
  const wrapped = publicEncrypt({ key: publicKey, oaepHash: hash }, secret)
  return [first, ...[wrapped, iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}

test('what was sealed with the key that is shown is opened; with the one before it too', () => {
  expect(openSealed(seal('{"number":"4084"}'), [ours, before])).toBe('{"number":"4084"}')
  expect(openSealed(seal('x', { key: before }), [ours, before])).toBe('x')
  expect(openSealed(seal('x', { header: { ...HEADER, kid: ours.jwk.kid, typ: 'JOSE' } }), [ours])).toBe('x')
})

test("what the browser's own cryptography seals is opened", async () => {
  const { subtle } = webcrypto
  const rsa = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const key = await subtle.importKey('jwk', { ...ours.jwk, ext: true }, rsa, false, ['encrypt'])
  const secret = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const iv = webcrypto.getRandomValues(new Uint8Array(12))
  const first = Buffer.from(JSON.stringify({ ...HEADER, kid: ours.jwk.kid })).toString('base64url')
  const params = { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(first), tagLength: 128 }
  const whole = Buffer.from(await subtle.encrypt(params, secret, new TextEncoder().encode('₦ 4084')))
  const wrapped = Buffer.from(await subtle.encrypt(rsa, key, await subtle.exportKey('raw', secret)))
  const parts = [wrapped, Buffer.from(iv), whole.subarray(0, -16), whole.subarray(-16)]
  expect(openSealed([first, ...parts.map((part) => part.toString('base64url'))].join('.'), [ours])).toBe('₦ 4084')
})

test('everything else is refused', () => {
  const whole = seal('4084')
  const changed = (at: number): string =>
    whole
      .split('.')
      .map((part, place) => (place === at ? `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}` : part))
      .join('.')
  const wrong = [
    ...[0, 1, 2, 3, 4].map(changed),
    ...['', '....', 'a.b.c.d.e', whole.replaceAll('.', ''), `${whole}.x`],
    ...[
      { alg: 'RSA1_5', enc: 'A256GCM' },
      { alg: 'dir', enc: 'A256GCM' },
      { alg: 'RSA-OAEP-256', enc: 'A128GCM' },
    ].map((header) => seal('4084', { header })),
    ...[{ zip: 'DEF' }, { crit: ['x'] }, { kid: 'another' }].map((more) =>
      seal('x', { header: { ...HEADER, ...more } }),
    ),
    seal('4084', { key: before }),
    seal('4084', { hash: 'sha1' }),
    seal('4084', { bytes: 16 }),
  ]
  for (const sealed of wrong) expect([sealed, openSealed(sealed, [ours])]).toEqual([sealed, null])
  expect(openSealed(whole, [])).toBeNull()
})

test('the key is shown as the protocol has it, and none of its secret; a short one is refused', () => {
  expect(Compile(CardSettings).Check({ version: 2, pin: 'ASKED', key: ours.jwk })).toBe(true)
  expect(Object.keys(ours.jwk).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n'])
  expect(() => readSealKey(pemOf(1024))).toThrow('at least 2048 bits')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
  expect(() => readSealKey(ec.toString())).toThrow('RSA key')
})
