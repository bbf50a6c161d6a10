// Numbers that stay with somebody, a customer or a merchant: at which banks they can be had, and one at a
// bank that issues its own.
//   asked for, under the holder's name → [bank] → kept as taken for good → the account or the wallet that is
//     made with it
// Nothing is ordered in advance: the bank shows the name to whoever pays. An order is called by what it is
// for, so one that is repeated after an answer was lost gets the same number, and costs none. Who waits:
// whoever reserves the account, or makes the wallet or the merchant.
import { createHash } from 'node:crypto'
import type { Merchant } from '#core/access/merchants.ts'
import { engineTx } from '#core/cells/cells.ts'
import type { Offer, WalletNumber } from '#core/feature.ts'
import { enrolled } from '#core/routing/statement-days.ts'
import type { Connector, Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import * as sql from './bank-numbers.sql.ts'

type Issuer = { readonly bankCode: string; readonly connector: Connector }
export type Chosen = {
  /** Banks whose numbers are of our ranges, and those of them that are wanted. */
  readonly ranges: readonly string[]
  readonly ranged: readonly string[]
  readonly issuers: readonly Issuer[]
  /** Whether one that is away now may be left out. */
  readonly isAny: boolean
}

/** The banks of ISSUING_BANKS, whose numbers are of our ranges, and those of connectors that issue their
 *  own. */
async function offered(ctx: Ctx): Promise<{ readonly ranges: readonly string[]; readonly issuers: readonly Issuer[] }> {
  const { all } = ctx.connectors
  await Promise.all(all.map((one) => one.learn()))
  const issuers = all.flatMap((connector) => {
    const bankCode = connector.issues() ? connector.bankCode() : null
    return bankCode === null ? [] : [{ bankCode, connector }]
  })
  const [first] = all
  // A bank that issues its own, or reports no credits, knows nothing of numbers of ours.
  const isRanged = !first.issues() && first.can('credits')
  const ofOthers = (code: string): boolean => issuers.some(({ bankCode }) => bankCode === code)
  return { ranges: isRanged ? ctx.institution.issuingBanks.filter((code) => !ofOthers(code)) : [], issuers }
}

export type Wanted =
  | { readonly all?: boolean | undefined; readonly preferred?: readonly string[] | undefined }
  /** `orNone`: it may go without where no bank issues any. */
  | { readonly first: true; readonly orNone?: boolean }

const UNSAID = 'a connector has not said yet whose numbers it issues'
const isUnsaid = (one: Connector): boolean => !one.hasAnswered()

/** The banks that are asked for, in their own order. */
export async function chooseBanks(ctx: Ctx, wanted: Wanted): Promise<Chosen> {
  const { ranges, issuers } = await offered(ctx)
  const codes = [...ranges, ...issuers.map(({ bankCode }) => bankCode)]
  const chosen = (of: readonly string[], isAny: boolean): Chosen => ({
    ranges,
    ranged: ranges.filter((code) => of.includes(code)),
    issuers: issuers.filter(({ bankCode }) => of.includes(bankCode)),
    isAny,
  })
  const isFirst = 'first' in wanted
  // It may be one that issues its own: then a number of our ranges would be nobody's at it, for good.
  if (isFirst && isUnsaid(ctx.connectors.all[0])) return fail('UNAVAILABLE', {}, UNSAID)
  if (codes.length === 0 && !(isFirst && wanted.orNone))
    return fail('UNAVAILABLE', {}, 'no bank issues account numbers')
  if (isFirst) return chosen(codes.slice(0, 1), false)
  const { all = false, preferred = [] } = wanted
  if (all) return chosen(codes, true)
  if (preferred.length === 0) return fail('PREFERRED_BANKS_MISSING', { field: 'preferredBanks' })
  const code = preferred.find((bank) => !codes.includes(bank))
  // One that was away since this process started may be it.
  if (code !== undefined && ctx.connectors.all.some(isUnsaid)) return fail('UNAVAILABLE', {}, UNSAID)
  if (code !== undefined) {
    const hint = `The banks that issue account numbers here are ${codes.join(', ')}.`
    return fail('ISSUING_BANK_UNKNOWN', { code, field: 'preferredBanks' }, undefined, { hint })
  }
  return chosen(preferred, false)
}

export type For = {
  readonly merchant: Pick<Merchant, 'id' | 'cell'>
  readonly reference: string
  readonly accountName: string
  /** What it is for, unless it is a reserved account: a wallet of the same reference has numbers of its
   *  own. */
  readonly purpose?: string
}

const orderReference = ({ merchant, reference, accountName, purpose }: For, bankCode: string): string => {
  const of = [String(merchant.id), reference, bankCode, accountName, ...(purpose === undefined ? [] : [purpose])]
  return `${merchant.cell}-R-${createHash('sha256').update(JSON.stringify(of)).digest('hex').slice(0, 40)}`
}

/** Null where the bank does not answer, has none, or has none for good. */
async function issueOne(ctx: Ctx, { bankCode, connector: one }: Issuer, whom: For): Promise<Offer | null> {
  const { cell } = whom.merchant
  const why = (detail: string): null => {
    ctx.log.error('a bank issued no number that stays with somebody', { cell, detail: `${one.name}: ${detail}` })
    return null
  }
  const connector = await enrolled(ctx, cell, one)
  const reference = orderReference(whom, bankCode)
  const answer = await one.bank.numbers({ reference, count: 1, accountName: whom.accountName })
  if (answer.kind !== 'yes') return why(answer.why)
  const [number] = answer.value.numbers
  if (number === undefined) return why('it has none now')
  if (number.validUntil !== null || number.bankCode !== bankCode) return why('it issues none for good')
  const kept = await engineTx(ctx, cell, (t) => sql.keepForGood(t, connector, number))
  return kept ? { ...number, connector } : why('it gave a number that it had given to somebody else')
}

/** One at each of these banks. */
export async function issueFor(ctx: Ctx, { ranged, issuers, isAny }: Chosen, whom: For): Promise<readonly Offer[]> {
  const asked = isAny ? issuers.filter(({ connector }) => connector.answers()) : issuers
  const issued = await Promise.all(asked.map((issuer) => issueOne(ctx, issuer, whom)))
  const found = issued.filter((one) => one !== null)
  const isEnough = found.length === issuers.length || (isAny && ranged.length + found.length > 0)
  return isEnough ? found : fail('UNAVAILABLE', {}, 'a bank issued no account number')
}

/** Where the wallet of a merchant that goes live has its number. Who only pays out may have no bank that is
 *  paid to. */
export const walletNumber: WalletNumber = async (ctx, cell, { id, name }) => {
  const banks = await chooseBanks(ctx, { first: true, orNone: true })
  const whom = { merchant: { id, cell }, reference: '', accountName: name, purpose: "merchant's wallet" }
  const [issued] = await issueFor(ctx, banks, whom)
  return issued ?? { bankCode: banks.ranged[0] ?? ctx.institution.issuingBanks[0] }
}

export const ofRange = (bankCode: string, accountNumber: string): Offer => ({
  bankCode,
  accountNumber,
  connector: FIRST_CONNECTOR_ID,
})
