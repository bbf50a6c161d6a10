// The posting of money that a transaction takes, whatever it was paid with: what came in, less the fee, is the merchant's.
import { accountId, HOUSE } from '../../core/chart.ts'
import type { Posting } from '../../core/ledger.ts'

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
    { account: accountId(transaction.merchant_id, 'PENDING'), kobo: paid - fee },
    { account: accountId(HOUSE, 'FEE_INCOME'), kobo: fee },
  ],
})
