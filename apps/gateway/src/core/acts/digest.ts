// Canonical JSON, and what an act is known by: the digest that a passkey signs, and that an approval keeps.
import type { Side } from '@cowrie/contract/kit/permissions'
import { sha256 } from '#kit/crypto.ts'
import type { CellId } from '#kit/ids.ts'

/** The same text for the same value, whatever the order of its keys. What JSON or PostgreSQL's text cannot
 *  hold is replaced. */
export function canonical(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'bigint') return JSON.stringify(value.toString())
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed().replaceAll('\u0000', '\ufffd'))
  if (value instanceof Date) return JSON.stringify(value.toISOString())
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString('base64url'))
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${canonical(key)}:${canonical(inner)}`)
      .join(',')}}`
  return JSON.stringify(value) ?? 'null'
}

export const canonicalDigest = (value: unknown): Buffer => sha256().update(canonical(value), 'utf8').digest()

/** Of an act: everything that decides what it does. `merchant` is the API key. */
export const actDigest = (what: {
  readonly side: Side
  readonly act: string
  readonly merchant: string | null
  readonly cell: CellId
  readonly input: object
  readonly reason: string
}): Buffer => canonicalDigest({ cowrie: 'act', ...what })

/** Of a decision about what waits: it names the act that it lets happen. */
export const decisionDigest = (decision: 'approve' | 'reject', reference: string, act: Buffer): Buffer =>
  canonicalDigest({ cowrie: decision, reference, digest: act.toString('base64url') })
