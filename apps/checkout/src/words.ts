// What the checkout says in each state: what arrived, what happens next. Plain sentences in one place, so that other
// languages can stand beside them.
import { nairaText, parseNaira } from '@cowrie/contract/money'

export type CheckoutState = 'PENDING' | 'PAID' | 'PARTIALLY_PAID' | 'OVERPAID' | 'EXPIRED' | 'FAILED' | 'CANCELLED'

export type OutcomeFacts = {
  readonly merchantName: string
  readonly amountText: string
  readonly amountPaidText: string
  readonly validUntil: string
}

export type Outcome = {
  readonly heading: string
  readonly tone: 'good' | 'care' | 'bad'
  readonly arrived: string
  readonly next: string
}

/** `1500.00` → `₦1,500.00`. Text that is no amount is shown as it came: a page must not fail on a word. */
export function nairaWords(text: string): string {
  if (parseNaira(text) === null) return text
  const [naira = '', kobo = '00'] = text.split('.')
  return `₦${naira.replace(/\B(?=(\d{3})+$)/g, ',')}.${kobo}`
}

const difference = (more: string, less: string): string =>
  nairaWords(nairaText((parseNaira(more) ?? 0n) - (parseNaira(less) ?? 0n)))

const arrivedWords = (facts: OutcomeFacts): string =>
  (parseNaira(facts.amountPaidText) ?? 0n) === 0n
    ? 'No money has arrived for this payment.'
    : `${nairaWords(facts.amountPaidText)} has arrived.`

const ifSent = (merchantName: string): string =>
  `If money has left your bank account, it is not lost: tell ${merchantName} and quote the reference below.`

export const OUTCOMES: Readonly<Record<Exclude<CheckoutState, 'PENDING'>, (facts: OutcomeFacts) => Outcome>> = {
  PAID: (facts) => ({
    heading: 'Paid',
    tone: 'good',
    arrived: `${nairaWords(facts.amountPaidText)} has arrived, exactly as asked.`,
    next: `${facts.merchantName} has been told. There is nothing more to do.`,
  }),
  PARTIALLY_PAID: (facts) => ({
    heading: 'Less than asked has arrived',
    tone: 'care',
    arrived: `${nairaWords(facts.amountPaidText)} of ${nairaWords(facts.amountText)} has arrived; ${difference(facts.amountText, facts.amountPaidText)} is missing.`,
    next: `Please do not send the rest to the same account: it is closed. ${facts.merchantName} has been told what arrived. Ask them how to settle the difference and quote the reference below.`,
  }),
  OVERPAID: (facts) => ({
    heading: 'Paid, with more than asked',
    tone: 'care',
    arrived: `${nairaWords(facts.amountPaidText)} has arrived; that is ${difference(facts.amountPaidText, facts.amountText)} more than asked.`,
    next: `${facts.merchantName} has been told what arrived. Ask them about the difference and quote the reference below.`,
  }),
  EXPIRED: (facts) => ({
    heading: 'The time to pay is over',
    tone: 'bad',
    arrived: `${arrivedWords(facts)} This payment was valid until ${facts.validUntil}.`,
    next: `Please do not transfer to its account any more. To pay, start again at ${facts.merchantName}. ${ifSent(facts.merchantName)}`,
  }),
  FAILED: (facts) => ({
    heading: 'The payment was refused',
    tone: 'bad',
    arrived: arrivedWords(facts),
    next: `To try again, start a new payment at ${facts.merchantName}. ${ifSent(facts.merchantName)}`,
  }),
  CANCELLED: (facts) => ({
    heading: 'The payment was cancelled',
    tone: 'bad',
    arrived: arrivedWords(facts),
    next: `Please do not transfer to its account any more. To pay after all, start again at ${facts.merchantName}. ${ifSent(facts.merchantName)}`,
  }),
}
