// Suspense: unmatched money, from the day it is received to the day it is returned.
import { machine } from '../kit/spec.ts'
import { RETURN_SUSPENSE, SUSPENSE_OVERDUE } from '../kit/timers.ts'

/** How long held money waits for somebody to decide, and how long a return may take before somebody is
 *  notified. */
export const DECIDE_WITHIN_DAYS = 7

export const suspenseMachine = machine({
  name: 'suspense_item',
  table: 'suspense_items',
  start: 'HELD',
  states: {
    HELD: {
      says: 'Held until its owner decides or the holding period ends; then it is returned, or its owner is reminded if the bank has refused the return.',
      waits: 'merchant',
      minutesMax: DECIDE_WITHIN_DAYS * 24 * 60,
      timers: [SUSPENSE_OVERDUE],
    },
    RETURNING: {
      says: 'The bank was instructed to return it and has not confirmed yet.',
      waits: 'bank',
      timers: [RETURN_SUSPENSE, SUSPENSE_OVERDUE],
    },
    RETURNED: { says: 'Returned to the account it came from.' },
    REASSIGNED: { says: 'Given to a wallet, as two operators decided, or accepted by its merchant.' },
  },
  moves: [
    { on: 'sendBack', from: ['HELD'], to: 'RETURNING' },
    { on: 'returned', from: ['RETURNING'], to: 'RETURNED', books: true },
    { on: 'refused', from: ['RETURNING'], to: 'HELD' },
    // Its posting is made beside the move: money that was nobody's is posted in the name of the merchant that
    // gets it.
    { on: 'reassign', from: ['HELD'], to: 'REASSIGNED' },
    // The bank reversed it on its own, before we had it returned.
    { on: 'takenBack', from: ['HELD', 'RETURNING'], to: 'RETURNED', books: true },
  ],
})
