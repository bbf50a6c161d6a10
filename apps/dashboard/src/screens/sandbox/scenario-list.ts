// What the bank of the sandbox can be made to do, one line each. tools/dashboard/scenarios.test.ts holds it
// against the simulator's own list.
import type { Tone } from '@cowrie/design/drawings'

/** What is played on a payment that is made for it. */
export type Played = {
  readonly action: string
  readonly word: string
  readonly says: string
}
export const PAYMENTS: readonly Played[] = [
  { action: 'exact', word: 'Pay exactly', says: 'One notice from the bank, at once: paid.' },
  {
    action: 'less',
    word: 'Pay half',
    says: 'Your payment policy decides: partly paid, topped up at the same account, or returned.',
  },
  { action: 'more', word: 'Pay 50% too much', says: 'Your payment policy decides: counted as overpaid, or returned.' },
  { action: 'twice', word: 'Pay twice', says: 'Two transfers. The second does not fit: held or returned.' },
  {
    action: 'notified-twice',
    word: 'Notice sent twice',
    says: 'One transfer, and the bank notifies of it twice. It counts once.',
  },
  {
    action: 'delayed',
    word: 'Notice ten minutes late',
    says: 'Paid now; the bank says so after ten minutes. Move the clock to see it.',
  },
  {
    action: 'lost',
    word: 'Notice lost',
    says: 'Paid now; the bank never says so. Reconciliation finds it in the statement, at 00:30 WAT of the next day.',
  },
  {
    action: 'reversed',
    word: 'Paid, then reversed',
    says: 'Paid now; an hour later the bank takes the money out again. Move the clock to see it.',
  },
  {
    action: 'late',
    word: 'Expire, then pay',
    says: 'Moves the clock past the expiry, then pays. The money does not fit. Your session ends by that clock: log in again.',
  },
]

/** By the last digits of the account that is paid to. */
export type Ending = {
  readonly ending: string
  readonly tone: Tone
  readonly outcome: string
  readonly says: string
}
export const PAYOUTS: readonly Ending[] = [
  { ending: '0001', tone: 'bad', outcome: 'Refused', says: 'The account is dormant; amount and fee are released.' },
  { ending: '0002', tone: 'wait', outcome: 'Pending', says: 'For two hours, then paid, with a notice.' },
  { ending: '0003', tone: 'care', outcome: 'Reversed', says: 'Paid, and reversed two days later, with a notice.' },
  { ending: '0004', tone: 'unknown', outcome: 'No answer', says: 'An inquiry finds it paid.' },
  { ending: '0005', tone: 'unknown', outcome: 'No answer', says: 'An inquiry finds it failed.' },
  { ending: '0006', tone: 'good', outcome: 'Paid', says: 'The notice of it is sent twice at the same moment.' },
  { ending: '404', tone: 'bad', outcome: 'Refused', says: 'The account does not exist.' },
]
/** Ten digits with this ending. */
export const accountWith = (ending: string): string => `0123456789`.slice(0, 10 - ending.length) + ending

export type Line = readonly [what: string, says: string]
export const CARDS: readonly Line[] = [
  ['4111111111111111', 'Approved at once.'],
  ['5060995994247093', 'Asks for a code: 123456.'],
  ['4000000000000002', 'Sends the payer to the issuer’s page.'],
  ['4111111111111110', 'Declined.'],
]
export const CARD_AMOUNTS: readonly Line[] = [
  ['39NN.39', 'The issuer answers the code NN: 3951.39 is declined with 51, not sufficient funds.'],
  ['3901.38', 'No answer; an inquiry finds it approved.'],
  ['3902.38', 'No answer; an inquiry finds it declined.'],
  ['3903.38', 'No answer; the issuer never received it.'],
  ['3904.38', 'Approved, after three seconds.'],
]
export const REFUND_AMOUNTS: readonly Line[] = [
  ['39NN.39', 'Refused with the code NN.'],
  ['3901.38', 'No answer; an inquiry finds it refunded.'],
  ['3902.38', 'No answer; an inquiry finds it refused.'],
  ['3903.38', 'No answer; the issuer never received it.'],
  ['3905.38', 'Pending for two hours, then refunded.'],
  ['3906.38', 'Pending for two hours, then refused.'],
  ['3907.38', 'Refunded; the notice of it is sent twice.'],
  ['3908.38', 'Refunded, and reversed two days later.'],
]
