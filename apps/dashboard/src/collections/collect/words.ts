// What states are called on these screens; the contract says what each means.
import type { StateTone } from '../../parts/figures.tsx'

export type Word = readonly [tone: StateTone, word: string]
type Words = Readonly<Record<string, Word>>
/** A state that is newer than this screen is shown as it is called. */
export const wordOf = (words: Words, state: string): Word => words[state] ?? ['off', state]

export const INVOICE_WORDS: Words = {
  PENDING: ['wait', 'Awaiting payment'],
  PAID: ['good', 'Paid'],
  EXPIRED: ['off', 'Expired'],
  CANCELLED: ['off', 'Cancelled'],
}
export const LINK_WORDS: Words = {
  ACTIVE: ['good', 'Can be paid'],
  PENDING: ['wait', 'Being paid'],
  PAUSED: ['care', 'Paused'],
  EXPIRED: ['off', 'Expired'],
  USED: ['off', 'Used'],
}
export const MANDATE_WORDS: Words = {
  INITIATED: ['wait', 'Waits for the customer'],
  ACTIVE: ['good', 'Active'],
  FAILED: ['bad', 'Declined'],
  EXPIRED: ['off', 'Expired'],
  CANCELLED: ['off', 'Cancelled'],
}
export const PAYMENT_WORDS: Words = {
  PENDING: ['wait', 'Waiting'],
  PAID: ['good', 'Paid'],
  OVERPAID: ['good', 'Paid more'],
  PARTIALLY_PAID: ['care', 'Part paid'],
  EXPIRED: ['off', 'Expired'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['off', 'Cancelled'],
  ABANDONED: ['off', 'Abandoned'],
  REVERSED: ['bad', 'Reversed'],
}
