// `cowrie pay <amount>`: one payment from the order to the webhook, by the public interface and the simulated
// bank.
import { printLine } from '../words.ts'
import type { Way } from './bank.ts'
import { askFor, type CardName, inWords, type PayBy, payOrder, type Status, statusOf, untilClosed } from './collect.ts'
import { type Driver, eventOf, until } from './driver.ts'

export type Pay = {
  readonly amount: string
  readonly method: PayBy
  readonly card?: CardName
  readonly scenario?: Way
  readonly reference?: string
}
export type Paid = {
  readonly status: Status
  readonly checkoutUrl: string
  readonly event: { readonly number: number; readonly eventId: string } | null
  readonly deliveries: readonly Delivered[]
}
type Delivered = { readonly url: string; readonly state: string; readonly status: number | null }

/** Scenarios whose money comes at another time of the clock. */
const LATER: ReadonlySet<string | undefined> = new Set(['late', 'delayed', 'lost'])
/** A first attempt is made at once, and a handler that is slow has this long to be seen. */
const DELIVERY_MS = 5_000

/** The first answer of each address, or what is known of it after a few seconds. */
async function deliveriesOf(driver: Driver, eventId: string): Promise<readonly Delivered[]> {
  let seen: readonly Delivered[] = []
  const look = async () => {
    const { deliveries } = await driver.gateway.event(eventId)
    seen = deliveries.map(({ url, state, attempts }) => ({ url, state, status: attempts[0]?.status ?? null }))
    return deliveries.every(({ attempts }) => attempts.length > 0) ? seen : null
  }
  return until(driver, 'the answer of your handler', look, DELIVERY_MS).catch((error: unknown) => {
    driver.signal.throwIfAborted()
    if (seen.length === 0) throw error
    return seen
  })
}

function sayDelivered({ steps }: Driver, number: number, type: string, deliveries: readonly Delivered[]): void {
  steps.say(`Event ${number}: ${type}`)
  for (const { url, status } of deliveries)
    steps.say(`Webhook to ${url}: ${status === null ? 'no answer' : `answered ${status}`}`)
  if (deliveries.length === 0) steps.say('No webhook address is set; see it with: cowrie listen 3000 --path /hook')
}

async function playPayment(driver: Driver, how: Pay): Promise<Paid> {
  const before = await driver.gateway.newest()
  const order = await askFor(driver, how.amount, how.reference)
  await payOrder(driver, order, how.amount, how)
  const { checkoutUrl, transactionReference } = order
  if (LATER.has(how.scenario)) {
    driver.steps.say('The bank has not notified the gateway yet; move the clock with cowrie advance to see it')
    return { status: await statusOf(driver, transactionReference), checkoutUrl, event: null, deliveries: [] }
  }
  const status = await untilClosed(driver, order)
  if (status.amountPaid === '0.00') return { status, checkoutUrl, event: null, deliveries: [] }
  const wanted = { type: 'SUCCESSFUL_TRANSACTION', about: transactionReference, after: before }
  const { number, eventId, eventType } = await eventOf(driver, wanted)
  const deliveries = await deliveriesOf(driver, eventId)
  sayDelivered(driver, number, eventType, deliveries)
  return { status, checkoutUrl, event: { number, eventId }, deliveries }
}

export async function pay(driver: Driver, how: Pay, json: boolean): Promise<void> {
  const { status, checkoutUrl, event, deliveries } = await playPayment(driver, how)
  const { transactionReference, paymentReference, paymentStatus, amountPaid } = status
  if (paymentStatus === 'FAILED') process.exitCode = 1
  if (json) {
    const record = { transactionReference, paymentReference, paymentStatus, amountPaid, checkoutUrl }
    printLine(JSON.stringify({ ...record, event, deliveries, steps: driver.steps.list }))
    return
  }
  printLine('')
  printLine(`${paymentStatus}  ${inWords(amountPaid)} of ${inWords(status.totalPayable)}  ${transactionReference}`)
  printLine(`Look closer: cowrie explain '${transactionReference}'`)
}
