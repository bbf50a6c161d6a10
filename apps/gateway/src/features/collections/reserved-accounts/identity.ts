// Who an account is for: a bank verification number or a national identity number, looked up in the register
// by the bank before anything is written. It is stored sealed, with a keyed digest and the four digits that
// are shown; no log and no error has it.
import type { IdentityKind } from '@cowrie/contract/bank/connector'
import { isBankCode } from '@cowrie/contract/collections/payment-policy'
import type { AllowedSources } from '@cowrie/contract/collections/reserved-accounts'
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import { findRegister } from '#core/routing/order.ts'
import { type Keys, seal } from '#kit/crypto.ts'
import type { BankPort, Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import type { KeptIdentity, KeptSources } from './reserved-accounts.sql.ts'
import { identityDigest, nameKey } from './sources.ts'

export const ELEVEN_DIGITS = /^\d{11}$/

export type Person = { readonly bvn?: string; readonly nin?: string }

/** Refuses what cannot be a number of the register. A malformed bvn has words of its own on some routes. */
export function checkPerson({ bvn, nin }: Person, malformed: ErrorCode = 'BVN_MALFORMED'): void {
  if (bvn === undefined && nin === undefined) fail('IDENTITY_MISSING')
  if (bvn !== undefined && !ELEVEN_DIGITS.test(bvn)) fail(malformed, { field: 'bvn' })
  if (nin !== undefined && !ELEVEN_DIGITS.test(nin)) fail('NIN_INVALID', { field: 'nin' })
}

async function lookUp(register: BankPort, kind: IdentityKind, number: string | undefined): Promise<void> {
  if (number === undefined) return
  const field = kind === 'BVN' ? 'bvn' : 'nin'
  const outcome = await register.lookUpIdentity({ kind, number })
  // What the bank said stays unsaid: its words may quote the number.
  if (outcome.kind !== 'yes') return fail('UNAVAILABLE', {}, `the register did not answer (${outcome.kind})`)
  if (!outcome.value.exists) fail(kind === 'BVN' ? 'BVN_INVALID' : 'NIN_INVALID', { field })
  if (outcome.value.barred) fail('IDENTITY_BARRED', { field })
}

/** Asks the register for every number that was given. */
export const lookUpPerson = async (ctx: Ctx, cell: CellId, { bvn, nin }: Person): Promise<void> => {
  const register = await findRegister(ctx, cell)
  await Promise.all([lookUp(register, 'BVN', bvn), lookUp(register, 'NIN', nin)])
}

/** Names an account for ever: a reference is not used again. */
export type Owner = { readonly merchantId: bigint; readonly reference: string }
/** What is sealed for one account does not open for another. */
const context = ({ merchantId, reference }: Owner, what: string): string =>
  `reserved/${merchantId}/${what}/${reference}`

/** The same of a row, for whoever seals it again. `of`: what its reference is called among all owners. */
export const sealedFor =
  (what: IdentityKind | 'sources', of = (reference: string): string => reference) =>
  (row: Readonly<Record<string, unknown>>): string =>
    context({ merchantId: row['merchant_id'] as bigint, reference: of(row['reference'] as string) }, what)

export const keepIdentity = (keys: Keys, owner: Owner, kind: IdentityKind, number: string): KeptIdentity => ({
  sealed: seal(keys, number, context(owner, kind)),
  digest: identityDigest(keys, number, kind),
  tail: number.slice(-4),
})

/** Who may pay in, as stored. Refuses a restriction that nobody could pass. */
export function keepSources(
  keys: Keys,
  owner: Owner,
  restricted: boolean,
  { bvns = [], bankAccounts = [], accountNames = [] }: AllowedSources,
): KeptSources {
  for (const { bankCode } of bankAccounts) if (!isBankCode(bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  const names = accountNames.filter((name) => nameKey(name) !== '')
  if (restricted && bvns.length + bankAccounts.length + names.length === 0)
    fail('SOURCES_MISSING', { field: 'allowedPaymentSources' })
  return {
    restricted,
    bvnsSealed: bvns.length === 0 ? null : seal(keys, JSON.stringify(bvns), context(owner, 'sources')),
    bvns: bvns.map((bvn) => identityDigest(keys, bvn)),
    accounts: JSON.stringify(bankAccounts.map(({ accountNumber, bankCode }) => ({ accountNumber, bankCode }))),
    names: accountNames,
  }
}
