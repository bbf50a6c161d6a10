// How breaks and corrections are said on the screen.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { CorrectionKind, listBreaksView, showBreakView } from '@cowrie/contract/settlements/breaks'
import type { BreakClass } from '@cowrie/contract/settlements/reconciliation'
import type { StateTone } from '../../../parts/figures.tsx'
import { wordOf } from '../kit/bits.tsx'

export type Break = ViewReplyOf<typeof listBreaksView>['content'][number]
export type BreakWhole = ViewReplyOf<typeof showBreakView>

const CLASSES: Readonly<Record<BreakClass, readonly [tone: StateTone, word: string, says: string]>> = {
  MISSING_HERE: ['care', 'Missing here', 'The bank has booked it; our books have not.'],
  MISSING_THERE: ['unknown', 'Missing there', 'Our books have it; the bank has not booked it.'],
  AMOUNT: ['care', 'Amount', 'Both have it, with different amounts.'],
  DUPLICATE: ['care', 'Duplicate', 'One of the two has it twice.'],
  TIMING: ['wait', 'Timing', 'Our books have it; the bank shows it on another day, or not yet.'],
  REVERSAL: ['bad', 'Reversal', 'The bank reversed money, and our books could not follow.'],
  UNKNOWN_OWNER: ['care', 'Unknown owner', 'The bank has booked it for an account that belongs to nobody.'],
  BALANCE: ['bad', 'Balance', 'The balance at the bank differs, and money in transit does not explain it.'],
  TRANSIT: [
    'care',
    'In transit',
    'Money between two banks of ours: one statement has it, and the other has not had it for days.',
  ],
}
export const CLASS_NAMES = Object.keys(CLASSES)
export const classOf = (name: string): readonly [StateTone, string, string] =>
  CLASSES[name as BreakClass] ?? ['care', wordOf(name), '']

export const CORRECTIONS: Readonly<Record<CorrectionKind, readonly [word: string, says: string]>> = {
  BANK_CHARGE: ['The bank charged us', 'Our own account of differences bears it.'],
  BANK_CREDIT: ['The bank credited us', 'Something of its own, such as interest: it is ours.'],
  TO_SUSPENSE: ['Into suspense', 'A credit that nobody owns: it is decided on there.'],
  TO_MERCHANT: ['To a merchant', 'The bank holds more than our books say, and it is a merchant’s: into its wallet.'],
  FROM_MERCHANT: [
    'From a merchant',
    'It was credited with money that the bank did not pay, or took back: out of its wallet; what that does not hold is owed.',
  ],
  TO_BILLERS: ['To billers', 'We paid billers what we owed them for bills.'],
  TO_AGENTS: ['To agents', 'We paid agents what we owed them for cash.'],
  FEES_OUT: ['Our own fees', 'We moved fees that we have earned to another account of ours.'],
  WRITE_OFF: ['Write it off', 'Nobody will make it good: our own account of differences bears it.'],
}
