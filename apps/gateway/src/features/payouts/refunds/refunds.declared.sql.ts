// What others are told of refunds.
import { refundMachine } from '@cowrie/contract/payouts/refunds'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(refundMachine)],
} satisfies Declarations
