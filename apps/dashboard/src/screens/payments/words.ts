// How states and methods of payments are called on the screens.
import type { StateTone } from '../../parts/figures.tsx'

export const STATES: Readonly<Record<string, readonly [tone: StateTone, word: string]>> = {
  PENDING: ['wait', 'Waiting'],
  PAID: ['good', 'Paid'],
  PARTIALLY_PAID: ['care', 'Part paid'],
  OVERPAID: ['care', 'Paid more'],
  EXPIRED: ['off', 'Expired'],
  FAILED: ['bad', 'Failed'],
  CANCELLED: ['off', 'Cancelled'],
}
/** The state as it is shown; what a bank reversed is not simply paid. */
export const stateOf = (status: string, flagged: boolean): readonly [tone: StateTone, word: string] =>
  flagged ? ['bad', 'Reversed'] : (STATES[status] ?? ['off', status])

const METHODS: Readonly<Record<string, string>> = {
  ACCOUNT_TRANSFER: 'Transfer',
  CARD: 'Card',
  USSD: 'USSD',
  PHONE_NUMBER: 'Phone number',
  DIRECT_DEBIT: 'Direct debit',
}
export const methodOf = (method: string | null | undefined): string =>
  method ? (METHODS[method] ?? method) : 'Not chosen yet'

/** `1,284`. */
export const counted = (count: number): string => count.toLocaleString('en-GB')
export const payments = (count: number): string => `${counted(count)} ${count === 1 ? 'payment' : 'payments'}`
