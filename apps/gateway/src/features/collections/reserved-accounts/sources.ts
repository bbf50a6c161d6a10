// Who may pay into a restricted account: by bank verification number, by bank account, by name. One of them
// is enough. Names are the same when their words are: whoever sends chooses the name, so a similar name would
// let unknown payers in.

import { payerKey } from '@cowrie/contract/collections/payment-policy'
import type { Rows } from '#core/rows.ts'
import { hmacBytes, type Keys, sameBytes } from '#kit/crypto.ts'

/** As a row keeps them. */
export type Sources = Readonly<Pick<Rows['reserved_accounts'], 'restricted' | 'allowed_names'>> & {
  /** Digests by `identityDigest`. */
  readonly allowed_bvns: Rows['reserved_accounts']['allowed_bvns']
  /** JSON: `[{bankCode, accountNumber}]`. */
  readonly allowed_accounts: Rows['reserved_accounts']['allowed_accounts']
}
export type Payer = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly name: string
  /** Where the bank says whose account it is. */
  readonly bvnDigest?: Buffer
}
export type SourceAccount = { readonly bankCode: string; readonly accountNumber: string }

/** Finds the same person again without the number: keyed, because eleven digits are soon tried. Numbers of
 *  both registers have the same form, so `kind` is part of it. */
export const identityDigest = (keys: Keys, number: string, kind: 'BVN' | 'NIN' = 'BVN'): Buffer =>
  hmacBytes(keys.identities, `${kind}/${number}`)

/** The words of a name in one order. Case, accents, apostrophes, punctuation and spaces say nothing; a
 *  missing word, one more, or one that is spelt otherwise does. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ`]/gu, '')
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ')

export function allows(row: Sources, payer: Payer): boolean {
  if (!row.restricted) return true
  const { bvnDigest } = payer
  if (bvnDigest && row.allowed_bvns.some((digest) => sameBytes(digest, bvnDigest))) return true
  const from = payerKey(payer)
  if ((JSON.parse(row.allowed_accounts) as SourceAccount[]).some((account) => payerKey(account) === from)) return true
  const named = nameKey(payer.name)
  return named !== '' && row.allowed_names.some((name) => nameKey(name) === named)
}
