// What others are told of settlements.
import { settlementMachine } from '@cowrie/contract/settlements/settlements'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(settlementMachine)],
} satisfies Declarations
