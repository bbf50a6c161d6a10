// Reconciliation: where a bank's statement and our books do not agree, from the day it is found to the day it
// is settled.
import { machine } from '../kit/spec.ts'

export const BREAK_CLASSES = {
  MISSING_HERE: 'The bank has booked it; our books have not.',
  MISSING_THERE: 'Our books have it; the bank has not booked it.',
  AMOUNT: 'Both have it, with different amounts.',
  DUPLICATE: 'One of the two has it twice.',
  TIMING: 'Our books have it; the bank shows it on another day, or not yet.',
  REVERSAL: 'The bank reversed money, and our books could not follow.',
  UNKNOWN_OWNER: 'The bank has booked it for an account that belongs to nobody.',
  BALANCE: 'The balance at the bank differs from our books, and money in transit does not explain it.',
  TRANSIT: 'Money between two banks of ours: one statement has it, and the other has not had it for days.',
} as const
export type BreakClass = keyof typeof BREAK_CLASSES

export const reconBreakMachine = machine({
  name: 'recon_break',
  table: 'recon_breaks',
  start: 'OPEN',
  states: {
    OPEN: { says: 'Unresolved.', waits: 'operator' },
    RESOLVED: { says: 'Resolved, as recorded with it: by a later message of the bank, by a posting, or by a person.' },
  },
  moves: [
    { on: 'resolve', from: ['OPEN'], to: 'RESOLVED' },
    // Its correction was undone.
    { on: 'reopen', from: ['RESOLVED'], to: 'OPEN' },
  ],
})
