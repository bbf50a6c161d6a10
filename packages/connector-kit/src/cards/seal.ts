// Cards that were sealed in the payer's browser: JWE in compact form, RSA-OAEP-256 and A256GCM, and nothing
// else. Whoever could choose another algorithm could choose a weak one.
import {
  constants,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'
import type { CardSettings } from '@cowrie/contract/bank/v2/cards'

export type SealKey = { readonly jwk: NonNullable<CardSettings['key']>; readonly key: KeyObject }
/** The one that is shown first; two while they are rotated. */
export type SealKeys = readonly SealKey[]

const BITS_MIN = 2048
const HEADER_MAX = 1_000

/** From the text of a file: a private key in PEM. Its name is the key's own thumbprint (RFC 7638). */
export function readSealKey(pem: string): SealKey {
  const key = createPrivateKey(pem)
  const { n = '', e = '' } = createPublicKey(key).export({ format: 'jwk' })
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < BITS_MIN)
    throw new Error(`A key that cards are sealed with is an RSA key of at least ${BITS_MIN} bits`)
  const kid = createHash('sha256')
    .update(JSON.stringify({ e, kty: 'RSA', n }))
    .digest('base64url')
  return { key, jwk: { kid, kty: 'RSA', alg: 'RSA-OAEP-256', n, e } }
}

function headerOf(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
    return typeof header === 'object' && header !== null ? { ...header } : null
  } catch {
    return null
  }
}

function openWith({ key }: SealKey, [header, wrapped, iv, text, tag]: readonly Buffer[], aad: Buffer): string | null {
  try {
    if (header === undefined || wrapped === undefined || iv?.length !== 12 || tag?.length !== 16) return null
    const secret = privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, wrapped)
    if (secret.length !== 32) return null
    const decipher = createDecipheriv('aes-256-gcm', secret, iv, { authTagLength: 16 }).setAAD(aad).setAuthTag(tag)
    return Buffer.concat([decipher.update(text ?? Buffer.alloc(0)), decipher.final()]).toString('utf8')
  } catch {
    // Why it could not be opened is nobody's business: an answer that tells is an oracle.
    return null
  }
}

/** Null: it was not sealed with one of these keys, or was changed since. */
export function openSealed(sealed: string, keys: SealKeys): string | null {
  const pieces = sealed.split('.')
  const [first = ''] = pieces
  if (pieces.length !== 5 || first.length > HEADER_MAX) return null
  const header = headerOf(first)
  const rest = Object.keys(header ?? {}).filter((name) => !['alg', 'enc', 'kid', 'typ', 'cty'].includes(name))
  if (header === null || header['alg'] !== 'RSA-OAEP-256' || header['enc'] !== 'A256GCM' || rest.length > 0) return null
  const named = keys.filter(({ jwk }) => header['kid'] === undefined || header['kid'] === jwk.kid)
  const parts = pieces.map((piece) => Buffer.from(piece, 'base64url'))
  for (const key of named) {
    const opened = openWith(key, parts, Buffer.from(first, 'ascii'))
    if (opened !== null) return opened
  }
  return null
}
