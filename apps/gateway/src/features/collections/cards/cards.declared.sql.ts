// What others are told of card charges.
import { cardChargeMachine } from '@cowrie/contract/collections/cards'
import { countWaiting, type Declarations } from '#core/declarations.ts'

export const declared = {
  unfinished: [countWaiting(cardChargeMachine)],
} satisfies Declarations
