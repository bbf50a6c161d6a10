// Group 14: a card is charged once, or not at all, and what the adapter says of it is true of the acquirer's
// books.
import type { Group } from '../group.ts'
import { CHARGES } from './charges.ts'
import { codes } from './codes.ts'
import { SILENCE } from './faults.ts'
import { inputs } from './inputs.ts'
import { NOTICES } from './notices.ts'
import { REVERSALS } from './reversals.ts'
import { TRACES } from './traces.ts'

export const cards: Group = {
  number: 14,
  name: 'cards',
  needs: 'card',
  checks: ({ playing }) => [
    ...CHARGES,
    ...SILENCE,
    ...REVERSALS,
    ...inputs(playing.cards ?? []),
    ...codes(playing.cardCodes ?? []),
    ...NOTICES,
    ...TRACES,
  ],
}
