// What others are told of bank orders.
import { bankOrderMachine } from '@cowrie/contract/bank/bank-orders'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(bankOrderMachine)],
} satisfies Declarations
