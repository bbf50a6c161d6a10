// What others are told of payouts and their batches.
import { batchMachine } from '@cowrie/contract/payouts/batches'
import { disbursementMachine } from '@cowrie/contract/payouts/disbursements'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(disbursementMachine), countWaiting(batchMachine)],
} satisfies Declarations
