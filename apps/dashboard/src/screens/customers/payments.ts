// What the screens of customers say of a payment.
import type { searchTransactions } from '@cowrie/contract/collections/search'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { StateTone } from '../../parts/figures.tsx'

export type Payment = ReplyOf<typeof searchTransactions>['content'][number]

const STATES: Readonly<Record<string, readonly [tone: StateTone, word: string]>> = {
  PENDING: ['wait', 'Waiting'],
  PAID: ['good', 'Paid'],
  PARTIALLY_PAID: ['care', 'Paid in part'],
  OVERPAID: ['care', 'Paid too much'],
  EXPIRED: ['off', 'Expired'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['off', 'Cancelled'],
}
export const stateOf = (state: string): readonly [tone: StateTone, word: string] => STATES[state] ?? ['unknown', state]

/** The route writes an offset without a colon, which not every browser reads. */
export const momentOf = (text: string): string => text.replace(/\+0000$/, 'Z')

/** A role that may not see personal data gets addresses in part: such a one leads nowhere. */
export const isWhole = (email: string): boolean => !email.includes('…') && email.includes('@')
