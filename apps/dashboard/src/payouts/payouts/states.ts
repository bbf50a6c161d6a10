// States of payouts and batches, as words, and what of the money each means.

import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { getTransfer } from '@cowrie/contract/payouts/disbursements'
import type { StateTone } from '../../parts/figures.tsx'

export type Payout = ReplyOf<typeof getTransfer>
type Word = readonly [tone: StateTone, word: string]

const PAYOUTS: Readonly<Record<string, Word>> = {
  AWAITING_PROCESSING: ['wait', 'About to be sent'],
  PENDING_AUTHORIZATION: ['care', 'Waits for you'],
  PENDING_BATCH_AUTHORIZATION: ['care', 'Waits with its batch'],
  OTP_EMAIL_DISPATCH_FAILED: ['care', 'Code was not mailed'],
  PENDING: ['wait', 'At the bank'],
  SUCCESS: ['good', 'Paid'],
  FAILED: ['bad', 'Not paid'],
  REVERSED: ['bad', 'Reversed'],
  EXPIRED: ['off', 'Expired'],
}
/** Asked for and not answered is not yellow: nobody knows. */
export const stateOf = ({ status, inquiry }: Pick<Payout, 'status' | 'inquiry'>): Word =>
  inquiry ? ['unknown', 'Not known yet'] : (PAYOUTS[status] ?? ['off', status])

const BATCHES: Readonly<Record<string, Word>> = {
  PENDING_AUTHORIZATION: ['care', 'Waits for you'],
  OTP_EMAIL_DISPATCH_FAILED: ['care', 'Code was not mailed'],
  AWAITING_PROCESSING: ['wait', 'Being paid'],
  COMPLETED: ['good', 'Done'],
  EXPIRED: ['off', 'Expired'],
}
export const batchStateOf = (status: string): Word => BATCHES[status] ?? ['off', status]

const OVER: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED', 'COMPLETED'])
export const isOver = (status: string): boolean => OVER.has(status)
const AUTHORISED_BY_CODE: ReadonlySet<string> = new Set(['PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED'])
export const waitsForSomebody = (status: string): boolean => AUTHORISED_BY_CODE.has(status)
