// A card as the gateway seals it for a connector with a key: JWE, RSA-OAEP-256 and A256GCM, compact form.
import { createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'
import type { SealingKey } from '@cowrie/contract/bank/v2/cards'

export function seal(text: string, { kid, n, e }: SealingKey): string {
  const key = createPublicKey({ key: { kty: 'RSA', n, e }, format: 'jwk' })
  const [secret, iv] = [randomBytes(32), randomBytes(12)]
  const header = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid })).toString('base64url')
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(header, 'ascii'))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const wrapped = publicEncrypt({ key, oaepHash: 'sha256' }, secret)
  return [header, ...[wrapped, iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.')
}
