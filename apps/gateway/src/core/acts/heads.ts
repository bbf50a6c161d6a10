// The heads of the audit trail as they are signed: which line each chain ends with at a moment. The signature
// is over a statement of one line (how many heads, and the digest of all), which fits into a log and a mail;
// the heads themselves go into the file. Each statement names the digest of the one before.
import { createPublicKey, verify } from 'node:crypto'
import { digestFor } from '#kit/custody.ts'
import { canonical, canonicalDigest } from './digest.ts'
import type { Head } from './trail.ts'

export type SignedHead = { readonly merchantId: string; readonly number: string; readonly hash: string }
export type Unsigned = {
  readonly cowrie: 'heads of the audit trail'
  readonly cell: string
  readonly number: string
  readonly at: string
  /** Digest of the statement before, hex; empty for the first. */
  readonly previous: string
  readonly count: number
  /** Digest of the heads, hex. */
  readonly digest: string
}
export type Signed = Unsigned & {
  readonly keyId: string
  /** Ed25519, or ECDSA with SHA-256 where a token has no other, over the canonical JSON of the statement;
   *  base64. */
  readonly signature: string
}
export type Document = Signed & { readonly heads?: readonly SignedHead[] }

export const signedHeads = (heads: readonly Head[]): SignedHead[] =>
  heads.flatMap(({ merchant_id, number, hash }) =>
    number === null || hash === null
      ? []
      : [{ merchantId: String(merchant_id), number: String(number), hash: hash.toString('hex') }],
  )
export const digestOfHeads = (heads: readonly SignedHead[]): string => canonicalDigest(heads).toString('hex')

const withoutSignature = ({ cowrie, cell, number, at, previous, count, digest }: Document): Unsigned => ({
  ...{ cowrie, cell, number, at, previous, count, digest },
})
export const toText = (document: Document): string => canonical(withoutSignature(document))
export const digestOfSigned = (document: Document): string =>
  canonicalDigest(withoutSignature(document)).toString('hex')
/** What a log and a mail hold. */
export function withoutHeads(document: Document): Signed {
  const { heads: _, ...signed } = document
  return signed
}

/** Whether one of these keys has signed it; each in PEM. */
export const isSigned = (document: Document, publicKeys: readonly string[]): boolean =>
  publicKeys.some((pem) => {
    const key = createPublicKey(pem)
    const text = Buffer.from(toText(document), 'utf8')
    return verify(digestFor(key), text, key, Buffer.from(document.signature, 'base64'))
  })
