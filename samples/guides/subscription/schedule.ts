import { OutcomeUnknown, Refused } from '@cowrie/sdk'
import { moveClock } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

// #region table
type Subscription = {
  readonly id: string
  readonly cardToken: string
  readonly customerName: string
  readonly customerEmail: string // the one of the first payment: the token belongs to it
  readonly amount: string
  /** When the next charge is due, and how often it was tried. */
  dueAt: Date
  tries: number
  state: 'active' | 'past due' | 'ended'
}
// #endregion

// #region charge
/** One name for one month: a job that runs twice charges once. */
const referenceOf = ({ id, dueAt }: Subscription): string => `${id}-${dueAt.toISOString().slice(0, 7)}`

type Charged = 'paid' | 'declined' | 'declined for good' | 'not known'

async function charge(one: Subscription): Promise<Charged> {
  const paymentReference = `${referenceOf(one)}-${one.tries}`
  try {
    const { paymentStatus, declineCode } = await cowrie.cards.chargeToken(
      {
        ...{ cardToken: one.cardToken, customerName: one.customerName, customerEmail: one.customerEmail },
        ...{ amount: one.amount, paymentReference, paymentDescription: 'Adire of the month' },
        ...{ currencyCode: 'NGN', contractCode, apiKey: process.env.COWRIE_API_KEY ?? '' },
      },
      { idempotencyKey: paymentReference },
    )
    if (paymentStatus === 'PAID') return 'paid'
    return FOR_GOOD.has(declineCode ?? '') ? 'declined for good' : 'declined'
  } catch (error) {
    if (error instanceof OutcomeUnknown) return 'not known' // nothing changes: the next run asks under the same key
    if (error instanceof Refused && error.code.startsWith('CARD_TOKEN_')) return 'declined for good'
    throw error
  }
}
const FOR_GOOD = new Set(['CARD_EXPIRED', 'CARD_UNKNOWN', 'CARD_LOST_OR_STOLEN', 'CARD_BLOCKED', 'NO_SUCH_ACCOUNT'])
// #endregion

// #region run
/** After a decline: again a day later, three days later, five days later. Then a person asks the customer. */
const PAUSES_DAYS = [1, 3, 5]

const later = (from: Date, change: { months?: number; days?: number }): Date => {
  const date = new Date(from)
  date.setUTCMonth(date.getUTCMonth() + (change.months ?? 0))
  date.setUTCDate(date.getUTCDate() + (change.days ?? 0))
  return date
}

/** Call it every hour, from cron or a timer. */
export async function run(subscriptions: Subscription[], now: Date): Promise<void> {
  for (const one of subscriptions.filter(({ state, dueAt }) => state !== 'ended' && dueAt <= now)) {
    const charged = await charge(one)
    console.log(one.id, now.toISOString().slice(0, 10), charged)
    const isLastTry = one.tries >= PAUSES_DAYS.length
    if (charged === 'paid') Object.assign(one, { dueAt: later(one.dueAt, { months: 1 }), tries: 0, state: 'active' })
    else if (charged === 'declined for good' || (charged === 'declined' && isLastTry)) one.state = 'ended'
    else if (charged === 'declined')
      Object.assign(one, {
        dueAt: later(one.dueAt, { days: PAUSES_DAYS[one.tries] ?? 0 }),
        tries: one.tries + 1,
        state: 'past due',
      })
  }
}
// #endregion

// #region first
/** The first payment, on the checkout page or by card, with the holder's consent to store the card. */
async function subscribe(id: string, transactionReference: string, amount: string): Promise<Subscription> {
  const { cardDetails, customer } = await cowrie.transactions.get({ transactionReference })
  if (!cardDetails?.cardToken) throw new Error('the card was not stored')
  const dueAt = later(new Date((await cowrie.sandbox.clock()).now), { months: 1 }) // live: new Date()
  const who = { cardToken: cardDetails.cardToken, customerName: customer.name, customerEmail: customer.email }
  return { id, ...who, amount, dueAt, tries: 0, state: 'active' }
}
// #endregion

// Two customers: the card of one pays each month, that of the other is short of money (39NN.39 chooses the
// answer).
async function paidByCard(): Promise<string> {
  const { transactionReference } = await cowrie.transactions.init({
    ...{ amount: '2000.00', customerName: 'Ngozi Bello', customerEmail: 'ngozi@example.com' },
    ...{ paymentReference: `first-${crypto.randomUUID()}`, currencyCode: 'NGN', contractCode },
  })
  const card = { number: '4111111111111111', expiryMonth: '10', expiryYear: '2030', cvv: '123' }
  await cowrie.cards.charge({ transactionReference, collectionChannel: 'API_NOTIFICATION', card, saveCard: true })
  return transactionReference
}
const name = process.argv[2] ?? 'sub'
const all = [
  await subscribe(`${name}-good`, await paidByCard(), '2000.00'),
  await subscribe(`${name}-short`, await paidByCard(), '3951.39'),
]
for (const days of [31, 1, 3, 5, 31]) {
  await moveClock(days * 86_400)
  await run(all, new Date((await cowrie.sandbox.clock()).now))
}
console.log(all.map(({ state }) => state).join(', ')) // active, ended
