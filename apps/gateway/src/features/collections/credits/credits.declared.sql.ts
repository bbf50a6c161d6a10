// What others are told of money that came in.
import { suspenseMachine } from '@cowrie/contract/collections/suspense'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(suspenseMachine)],
} satisfies Declarations
