// The posting of money that a transaction takes, whatever it was paid with: what was received, less the fee,
// is the merchant's and its sub accounts'. Money that comes in several transfers is posted so that the sums
// are those of one payment.
import type { Quoted } from '#core/access/fees.ts'
import { accountId, HOUSE } from '#core/ledger/chart.ts'
import type { Entry, Posting } from '#core/ledger/ledger.ts'
import { calculateShares, readSplit } from '#features/collections/sub-accounts/splits.ts'

export type Collected = {
  readonly transferId: bigint
  readonly transaction: {
    readonly id: bigint
    readonly merchant_id: bigint
    readonly split: string | null
  } & Pick<Quoted, 'quoted_fee_kobo'>
  readonly paid: bigint
  readonly fee: bigint
  readonly feeScheduleId: bigint | null
  /** The account of whoever owes us the money now. */
  readonly from: bigint
  /** What was posted of the transaction before; `paid` and `fee` are those of the whole. */
  readonly before?: { readonly paid: bigint; readonly fee: bigint }
}

const NOTHING = { paid: 0n, fee: 0n }

export const collection = ({
  transferId,
  transaction,
  paid,
  fee,
  feeScheduleId,
  from,
  before = NOTHING,
}: Collected): Posting => ({
  id: transferId,
  merchantId: transaction.merchant_id,
  kind: 'COLLECTION',
  object: 'transaction',
  objectId: transaction.id,
  feeScheduleId,
  entries: [
    { account: from, kobo: before.paid - paid },
    ...(before.paid === 0n ? owed(transaction, paid, fee) : owedMore(transaction, paid, fee, before)),
    { account: accountId(HOUSE, 'FEE_INCOME'), kobo: fee - before.fee },
  ],
})

export type CollectionReversal = {
  readonly transferId: bigint
  readonly transaction: Collected['transaction']
  /** What is posted of the transaction now, and what is left of it afterwards. */
  readonly before: { readonly paid: bigint; readonly fee: bigint }
  readonly after: { readonly paid: bigint; readonly fee: bigint }
  readonly feeScheduleId: bigint | null
  /** Our account at the bank that had the money. */
  readonly bank: bigint
}

/** The posting of money that the bank has reversed: what the whole posts with it, less what it posts without
 *  it. */
export const collectionReversal = ({
  transferId,
  transaction,
  before,
  after,
  feeScheduleId,
  bank,
}: CollectionReversal): Posting => ({
  id: transferId,
  merchantId: transaction.merchant_id,
  kind: 'COLLECTION_REVERSAL',
  object: 'transaction',
  objectId: transaction.id,
  feeScheduleId,
  entries: [
    { account: bank, kobo: before.paid - after.paid },
    ...owedMore(transaction, after.paid, after.fee, before),
    { account: accountId(HOUSE, 'FEE_INCOME'), kobo: after.fee - before.fee },
  ],
})

/** Whose the money is when so much was paid and so much of it is the fee. */
function owed(transaction: Collected['transaction'], paid: bigint, fee: bigint): Entry[] {
  const { merchant_id, split } = transaction
  const pending = accountId(merchant_id, 'PENDING')
  if (split === null) return [{ account: pending, kobo: paid - fee }]
  const parts = readSplit(split)
  const { shares, merchantNet } = calculateShares(transaction, paid, fee, parts)
  return [
    { account: pending, kobo: merchantNet },
    ...parts.map((part, at) => ({ account: accountId(part.subAccountId, 'SHARE'), kobo: shares[at]?.net ?? 0n })),
  ]
}

/** What is owed now less what was owed before. A part can be below zero: when the whole fee has grown and the
 *  share of a bearer has not, for instance. */
function owedMore(
  transaction: Collected['transaction'],
  paid: bigint,
  fee: bigint,
  before: NonNullable<Collected['before']>,
): Entry[] {
  const now = paid === 0n ? [] : owed(transaction, paid, fee) // of nothing there is nothing to share
  return owed(transaction, before.paid, before.fee).map(({ account, kobo }, at) => ({
    account,
    kobo: (now[at]?.kobo ?? 0n) - kobo,
  }))
}
