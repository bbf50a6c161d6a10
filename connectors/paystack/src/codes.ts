// Paystack's words, and what they say of the money. A charge is declined only where its status is `failed`;
// the text that comes with it says why, and chooses the code. A status that is in no table is unknown.

import type { AskedKind } from '@cowrie/connector-kit'
import { RESPONSE_CODES } from '@cowrie/contract/collections/response-codes'

export type Meaning = 'approved' | 'declined' | 'pending' | 'idle' | 'reversing' | 'reversed' | 'challenge' | AskedKind

/** Of a charge and of a transaction. `abandoned` and `timeout` are not the end: a payer who returns may still
 *  pay. */
export const STATUSES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['success', 'approved'],
  ['failed', 'declined'],
  ['pending', 'pending'],
  ['ongoing', 'pending'],
  ['processing', 'pending'],
  ['queued', 'pending'],
  ['abandoned', 'idle'],
  ['timeout', 'idle'],
  ['reversal-pending', 'reversing'],
  ['reversed', 'reversed'],
  ['send_pin', 'PIN'],
  ['send_otp', 'OTP'],
  ['send_phone', 'PHONE'],
  ['send_birthday', 'BIRTHDAY'],
  ['send_address', 'ADDRESS'],
  ['open_url', 'challenge'],
])
export const meaningOf = (status: string): Meaning | undefined =>
  STATUSES.get(status.trim().toLowerCase().replace(' ', '-'))

export const DO_NOT_HONOUR = '05'
/** Codes that say that the card was charged, or that nothing is decided: a declined charge has none of them,
 *  whatever its text is. */
const NO_DECLINES = new Set(['00', '09', '10', '11'])

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z ]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** The texts of ISO 8583, which Paystack passes on from banks, and those of its own that are published. */
const TEXTS = new Map<string, string>([
  ...Object.entries(RESPONSE_CODES).flatMap(([code, { says }]) =>
    NO_DECLINES.has(code) ? [] : [[plain(says), code] as const],
  ),
  ...[
    ['Declined', '05'],
    ['Do not honor', '05'],
    ['Not sufficient funds', '51'],
    ['Incorrect card PIN', '55'],
    ['Invalid PIN', '55'],
    ['PIN tries exceeded', '75'],
    ['PIN tries limit exceeded', '75'],
    ['Invalid card', '14'],
    ['Card expired', '54'],
    ['Lost card pick up', '41'],
    ['Stolen card pick up', '43'],
    ['Transaction not permitted to card holder', '57'],
    ['Transaction not permitted to customer', '57'],
    ['Transaction not permitted to terminal', '58'],
    ['Exceeds withdrawal amount limit', '61'],
    ['Exceeds withdrawal frequency limit', '65'],
    ['Token Not Generated. Customer Not Registered on Token Platform', '57'],
    ['Transaction Error', '06'],
    ['Timeout error', '68'],
    ['Cancelled by customer', '17'],
  ].map(([text = '', code = '']) => [plain(text), code] as const),
])

/** A text that is in no table is a bank that gives no reason. The text itself is not passed on: nobody knows
 *  what is in it. */
export const declineOf = (text: string): string => TEXTS.get(plain(text)) ?? DO_NOT_HONOUR

export type RefundMeaning = 'under way' | 'refunded' | 'failed'
/** `needs-attention`: a person gives the payer's account in Paystack's dashboard; until then it may still
 *  become either. */
export const REFUND_STATUSES: ReadonlyMap<string, RefundMeaning> = new Map<string, RefundMeaning>([
  ['pending', 'under way'],
  ['processing', 'under way'],
  ['needs-attention', 'under way'],
  ['processed', 'refunded'],
  ['failed', 'failed'],
])
