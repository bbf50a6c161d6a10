// What others are told of paycodes.
import { paycodeMachine } from '@cowrie/contract/payouts/paycodes'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(paycodeMachine)],
} satisfies Declarations
