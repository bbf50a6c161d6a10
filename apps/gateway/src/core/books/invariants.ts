// The invariants of the books: each is a query that lists what violates it, and its name says what holds.
// They hold at every instant, so they may be asked of any snapshot: after every test, by `cowrie run books`,
// and every night. They know nothing of the code that writes. What a feature promises about its rows stands
// in its folder (`<feature>.books.ts`); here is what the engine promises.
import { EVENT_INVARIANTS } from './events.ts'
import { HISTORY_INVARIANTS } from './histories.ts'
import { LEDGER_INVARIANTS } from './ledger.ts'
import { by, type Slices } from './slices.ts'

export type Books = {
  /** name → the query of its violations. */
  readonly invariants: Readonly<Record<string, string>>
  /** name of an invariant → the table it goes through, by a key that has an index. */
  readonly slices?: Readonly<Record<string, Slices>>
}

const [TRANSFERS, ENTRIES] = [by('transfers', 'id'), by('entries', 'transfer_id')]
const HISTORY = by('state_changes', 'object_id', 'object')

export const ENGINE_BOOKS: readonly Books[] = [
  {
    invariants: LEDGER_INVARIANTS,
    slices: {
      'entries of a transfer sum to zero, and are two or more, each of something and of another account': TRANSFERS,
      'every entry has its account': ENTRIES,
      'a posting touches one merchant and the house only': TRANSFERS,
    },
  },
  {
    invariants: HISTORY_INVARIANTS,
    slices: {
      'history follows the edges of its machine': HISTORY,
      'history has no gaps and each step begins where the last ended': HISTORY,
      'a move that books has its transfer': HISTORY,
    },
  },
  {
    invariants: EVENT_INVARIANTS,
    slices: {
      'an event is numbered or waits in the outbox, never both': by('events', 'id'),
      'numbers of a merchant have no gaps': by('event_numbers', 'merchant_id'),
    },
  },
]
