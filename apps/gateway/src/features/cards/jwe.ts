// Sealing for whoever has a private key: JWE in compact form, RSA-OAEP-256 and A256GCM (RFC 7516, RFC 7518). Only sealing: nothing here
// could open what it seals.
import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'

/** A public JSON Web Key, as a connector gives it. */
export type PublicJwk = {
  readonly kid: string
  readonly kty: 'RSA'
  readonly alg: 'RSA-OAEP-256'
  readonly n: string
  readonly e: string
}

const text = (bytes: Buffer): string => bytes.toString('base64url')

export function seal(plain: string, { kid, kty, alg, n, e }: PublicJwk): string {
  const header = text(Buffer.from(JSON.stringify({ alg, enc: 'A256GCM', kid })))
  const [contentKey, iv] = [randomBytes(32), randomBytes(12)]
  const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' })
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, contentKey)
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [header, text(wrapped), text(iv), text(sealed), text(cipher.getAuthTag())].join('.')
}
