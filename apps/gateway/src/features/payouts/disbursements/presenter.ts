// What a merchant is shown of the fees of its transfers: what was charged and kept. The fee itself is held,
// booked and returned with its amount (outcome.ts).
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { initiateBatch } from '@cowrie/contract/payouts/batches'
import { offsetText } from '#kit/times.ts'
import type { BatchSummary } from './batches.sql.ts'
import type { Row } from './disbursements.sql.ts'

type Priced = Pick<Row, 'status' | 'fee_kobo'>

/** Never paid, or paid back: the fee is in the wallet again with the amount. */
export const UNCHARGED = ['FAILED', 'EXPIRED', 'REVERSED'] as const
export const isUncharged = (status: string): boolean => (UNCHARGED as readonly string[]).includes(status)

/** Of one that still waits, what it will cost. */
export const feeCharged = ({ status, fee_kobo }: Priced): number => nairaNumber(isUncharged(status) ? 0n : fee_kobo)

/** Beside the fee of one that the bank reversed: it was charged first. */
export const feeReturned = ({ status, fee_kobo }: Priced): { feeReturned?: number } =>
  status === 'REVERSED' ? { feeReturned: nairaNumber(fee_kobo) } : {}

/** `feeKobo`: of the rows that were paid or still wait. */
export const presentBatch = (batch: BatchSummary, feeKobo: bigint): ReplyOf<typeof initiateBatch> => ({
  totalAmount: nairaNumber(batch.kobo),
  totalFee: nairaNumber(feeKobo),
  batchReference: batch.reference,
  transactionBatchReference: batch.transaction_reference,
  batchStatus: batch.status,
  totalTransactionsCount: batch.rows,
  dateCreated: offsetText(batch.created_at),
})
