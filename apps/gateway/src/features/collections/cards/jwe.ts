// Sealing for whoever has a private key: JWE in compact form, RSA-OAEP-256 and A256GCM (RFC 7516, RFC 7518).
// Only sealing: nothing here could open what it seals.
import { constants, createCipheriv, createPublicKey, publicEncrypt, randomBytes } from 'node:crypto'
import { CardAuthorisationV2, type SealingKey } from '@cowrie/contract/bank/v2/cards'
import Type from 'typebox'
import { Compile } from 'typebox/compile'

const text = (bytes: Buffer): string => bytes.toString('base64url')

export function seal(plain: string, { kid, kty, alg, n, e }: SealingKey): string {
  const header = text(Buffer.from(JSON.stringify({ alg, enc: 'A256GCM', kid })))
  const [contentKey, iv] = [randomBytes(32), randomBytes(12)]
  const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' })
  const wrapped = publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, contentKey)
  const cipher = createCipheriv('aes-256-gcm', contentKey, iv).setAAD(Buffer.from(header))
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return [header, text(wrapped), text(iv), text(sealed), text(cipher.getAuthTag())].join('.')
}

const forms = Compile(CardAuthorisationV2.properties.sealedCard)
const headers = Compile(
  Type.Object(
    { alg: Type.Literal('RSA-OAEP-256'), enc: Type.Literal('A256GCM'), kid: Type.String() },
    { additionalProperties: false },
  ),
)

/** The name of the key that a browser has sealed something with; null unless it is of the one form that
 *  connectors take. */
export function sealedWith(jwe: string): string | null {
  if (!forms.Check(jwe)) return null
  try {
    const header: unknown = JSON.parse(Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString())
    return headers.Check(header) ? header.kid : null
  } catch {
    return null
  }
}
