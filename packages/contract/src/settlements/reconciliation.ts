// Reconciliation: where a bank's statement and our books do not agree, from the day it is found to the day it is settled.
import { machine } from '../kit/spec.ts'

export const BREAK_CLASSES = {
  MISSING_HERE: 'The bank has booked it and we have not.',
  MISSING_THERE: 'We have booked it and the bank has not.',
  AMOUNT: 'Both have it, with different amounts.',
  DUPLICATE: 'One of the two has it twice.',
  TIMING: 'We have it; the bank shows it on another day, or not yet.',
  REVERSAL: 'The bank took money back, and our books could not follow.',
  UNKNOWN_OWNER: 'The bank has booked it for an account that belongs to nobody.',
  BALANCE: 'The balance at the bank is not the one in our books, and what is under way does not explain it.',
} as const
export type BreakClass = keyof typeof BREAK_CLASSES

export const reconBreakMachine = machine({
  name: 'recon_break',
  table: 'recon_breaks',
  start: 'OPEN',
  states: {
    OPEN: { says: 'Not settled. It gets older every day until it is.', waits: 'operator' },
    RESOLVED: { says: 'Settled: by what the bank said later, by a posting of ours, or by a person, as it says.' },
  },
  moves: [{ on: 'resolve', from: ['OPEN'], to: 'RESOLVED' }],
})
