// What others are told of bills.
import { billMachine } from '@cowrie/contract/payouts/bills'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(billMachine)],
} satisfies Declarations
