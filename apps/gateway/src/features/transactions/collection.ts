// The posting of money that a transaction takes, whatever it was paid with: what came in, less the fee, is the merchant's
// and its sub accounts'. Money that comes in several transfers is posted so that the sums are those of one payment.
import { shareOut } from '@cowrie/contract/splits'
import { accountId, HOUSE } from '../../core/chart.ts'
import type { Entry, Posting } from '../../core/ledger.ts'
import { readSplit } from './splits.ts'

export type Collected = {
  readonly transferId: bigint
  readonly transaction: { readonly id: bigint; readonly merchant_id: bigint; readonly split: string | null }
  readonly paid: bigint
  readonly fee: bigint
  readonly feeScheduleId: bigint | null
  /** Who owes us the money now. */
  readonly from: 'BANK' | 'CARD_RECEIVABLE'
}

export const collection = ({ transferId, transaction, paid, fee, feeScheduleId, from }: Collected): Posting => ({
  id: transferId,
  merchantId: transaction.merchant_id,
  kind: 'COLLECTION',
  object: 'transaction',
  objectId: transaction.id,
  feeScheduleId,
  entries: [
    { account: accountId(HOUSE, from), kobo: -paid },
    ...owed(transaction, paid, fee),
    { account: accountId(HOUSE, 'FEE_INCOME'), kobo: fee },
  ],
})

/** Whose the money is when so much was paid and so much of it is the fee. */
function owed({ merchant_id, split }: Collected['transaction'], paid: bigint, fee: bigint): Entry[] {
  const pending = accountId(merchant_id, 'PENDING')
  if (split === null) return [{ account: pending, kobo: paid - fee }]
  const parts = readSplit(split)
  const { shares, merchantNet } = shareOut(paid, fee, parts)
  return [
    { account: pending, kobo: merchantNet },
    ...parts.map((part, at) => ({ account: accountId(part.subAccountId, 'SHARE'), kobo: shares[at]?.net ?? 0n })),
  ]
}
