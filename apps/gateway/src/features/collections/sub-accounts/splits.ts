// Income splits: whose a part of the money is, settled when the transaction is made and kept as text in its
// row. What a sub account's default percentage was then is what counts; a sub account deleted later still
// gets its part.
import {
  type IncomeSplit,
  type IncomeSplitShown,
  parsePercent,
  percentNumber,
  type SharedOut,
  type SplitItem,
  shareOut,
  splitFault,
} from '@cowrie/contract/collections/splits'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import type { Static } from 'typebox'
import type { Quoted } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { findByCodes, toDefaultSplit } from './sub-accounts.ts'

export type SplitConfig = readonly IncomeSplit[]

/** A part as the row keeps it: `percent` and `fee` in millionths of a hundred percent, with two decimals
 *  where they need them, `fixed` in kobo. */
type KeptPart = { id: string; code: string; percent?: string; fixed?: string; fee: string }

/** `333333` and `333333.33`, of a percentage of four and of six decimals. */
const keptPercent = (parts: bigint): string =>
  parts % 100n === 0n ? String(parts / 100n) : `${parts / 100n}.${String(parts % 100n).padStart(2, '0')}`
function readKept(text: string): bigint {
  const [millionths = '', hundredths = '0'] = text.split('.')
  return BigInt(millionths) * 100n + BigInt(hundredths)
}

const percentOf = (text: string, field: string): bigint => parsePercent(text) ?? fail('PERCENTAGE_INVALID', { field })
const koboOf = (text: string, field: string): bigint => parseNaira(text) ?? fail('AMOUNT_INVALID', { field })

function partOf(item: IncomeSplit, at: number, defaultSplit: bigint): Omit<SplitItem, 'key'> {
  const field = `incomeSplitConfig.${at}`
  const { splitPercentage, splitAmount, feeBearer, feePercentage } = item
  // Typed clients send 0 for what is not set: it counts as not given.
  const percent = splitPercentage === undefined ? 0n : percentOf(splitPercentage, field)
  const fixed = splitAmount === undefined ? 0n : koboOf(splitAmount, field)
  if (percent > 0n && fixed > 0n) fail('SPLIT_INVALID', { why: 'give splitPercentage or splitAmount, not both', field })
  const of = fixed > 0n ? { fixed } : { percent: percent > 0n ? percent : defaultSplit }
  if (feeBearer !== true) return { of, fee: 'NONE' }
  return { of, fee: feePercentage === undefined ? 'PROPORTION' : percentOf(feePercentage, field) }
}

/** The text a transaction keeps of its split; null where there is none. Refuses what cannot be shared out. */
export async function resolveSplit(
  ctx: Ctx,
  merchant: Merchant,
  config: SplitConfig | undefined,
  kobo: bigint,
): Promise<string | null> {
  if (!config || config.length === 0) return null
  const subAccounts = await findByCodes(
    ctx,
    merchant,
    config.map((item) => item.subAccountCode),
  )
  const items = subAccounts.map((row, at) => ({
    key: row.code,
    ...partOf(config[at] as IncomeSplit, at, toDefaultSplit(row)),
  }))
  const why = splitFault(kobo, items)
  if (why !== null) fail('SPLIT_INVALID', { why, field: 'incomeSplitConfig' })
  const kept = items.map(
    ({ key, of, fee }, at): KeptPart => ({
      id: String(subAccounts[at]?.id),
      code: key,
      ...('percent' in of ? { percent: keptPercent(of.percent) } : { fixed: String(of.fixed) }),
      fee: typeof fee === 'bigint' ? keptPercent(fee) : fee,
    }),
  )
  return JSON.stringify(kept)
}

/** The parts of a kept split, and the sub account each belongs to. */
export function readSplit(text: string): (SplitItem & { readonly subAccountId: bigint })[] {
  return (JSON.parse(text) as KeptPart[]).map(({ id, code, percent, fixed, fee }) => ({
    subAccountId: BigInt(id),
    key: code,
    of: percent === undefined ? { fixed: BigInt(fixed ?? 0) } : { percent: readKept(percent) },
    fee: fee === 'NONE' || fee === 'PROPORTION' ? fee : readKept(fee),
  }))
}

/** What each party gets of a payment. A fee that the payer bears is not part of what is shared, and none of
 *  the parties bears any of it. */
export const calculateShares = (
  { quoted_fee_kobo }: Pick<Quoted, 'quoted_fee_kobo'>,
  paid: bigint,
  fee: bigint,
  parts: readonly SplitItem[],
): SharedOut => (quoted_fee_kobo === null ? shareOut(paid, fee, parts) : shareOut(paid - fee, 0n, parts))

/** A split as it was asked for, shown again. */
export const splitView = (config: SplitConfig | undefined): Static<typeof IncomeSplitShown>[] =>
  (config ?? []).map((item, at) => {
    const field = `incomeSplitConfig.${at}`
    const percent = (text: string | undefined) => (text === undefined ? null : percentNumber(percentOf(text, field)))
    return {
      subAccountCode: item.subAccountCode,
      feeBearer: item.feeBearer ?? false,
      feePercentage: percent(item.feePercentage),
      splitPercentage: percent(item.splitPercentage),
      splitAmount: item.splitAmount === undefined ? null : nairaNumber(koboOf(item.splitAmount, field)),
    }
  })
