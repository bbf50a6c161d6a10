// The stories of `cowrie scenario run`: what goes wrong with payments and payouts, played with a real
// payment, and what the merchant's handler should make of it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEndpoint, removeEndpoint } from '@cowrie/contract/events/endpoints'
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { passTime } from './clock.ts'
import { accountFor, askFor, paidOrder, statusOf, times, transferTo, untilClosed } from './collect.ts'
import { type Driver, eventOf, until } from './driver.ts'
import { ENDINGS, sendPayout, untilDecided } from './send.ts'

const AMOUNT = '5000'
const MINUTE = 60

export type Story = {
  readonly says: string
  readonly play: (driver: Driver) => Promise<void>
  /** What a handler that has seen all events of it should have done. */
  readonly should: string
}

async function sayEvent(driver: Driver, type: string, after: number, about?: string): Promise<void> {
  const { number, body } = await eventOf(driver, { type, after, ...(about === undefined ? {} : { about }) })
  const { eventData } = body as { eventData?: Readonly<Record<string, unknown>> }
  const status = eventData?.['paymentStatus']
  const rejected = eventData?.['paymentRejectionInformation'] as { rejectionReason?: string } | undefined
  const detail = rejected?.rejectionReason ?? (typeof status === 'string' ? status : null)
  driver.steps.say(`Event ${number}: ${type}${detail === null ? '' : ` (${detail})`}`)
}

async function late(driver: Driver): Promise<void> {
  const after = await driver.gateway.newest()
  const order = await askFor(driver, AMOUNT)
  await transferTo(driver, await accountFor(driver, order), AMOUNT, { scenario: 'late' })
  await passTime(driver, 45 * MINUTE, '45 minutes')
  const { paymentStatus } = await statusOf(driver, order.transactionReference)
  driver.steps.say(`The transaction is ${paymentStatus}`)
  await sayEvent(driver, 'REJECTED_PAYMENT', after)
}

const amountOff = (percent: bigint) => async (driver: Driver) => {
  const after = await driver.gateway.newest()
  const order = await askFor(driver, AMOUNT)
  await transferTo(driver, await accountFor(driver, order), times(AMOUNT, percent))
  await untilClosed(driver, order)
  await sayEvent(driver, 'SUCCESSFUL_TRANSACTION', after, order.transactionReference)
}

async function double(driver: Driver): Promise<void> {
  const after = await driver.gateway.newest()
  const { order, account } = await paidOrder(driver, AMOUNT)
  await sayEvent(driver, 'SUCCESSFUL_TRANSACTION', after, order.transactionReference)
  await transferTo(driver, account, AMOUNT)
  await sayEvent(driver, 'REJECTED_PAYMENT', after)
}

async function reversal(driver: Driver): Promise<void> {
  const after = await driver.gateway.newest()
  const { order } = await paidOrder(driver, AMOUNT, { scenario: 'reversed' })
  await sayEvent(driver, 'SUCCESSFUL_TRANSACTION', after, order.transactionReference)
  await passTime(driver, 61 * MINUTE, '61 minutes')
  await sayEvent(driver, 'REVERSED_TRANSACTION', after, order.transactionReference)
}

async function abandoned(driver: Driver): Promise<void> {
  const order = await askFor(driver, AMOUNT)
  await passTime(driver, 41 * MINUTE, '41 minutes')
  const { paymentStatus } = await statusOf(driver, order.transactionReference)
  driver.steps.say(`The transaction is ${paymentStatus}; no event is sent, because no money came`)
}

const payoutLater =
  (ending: (typeof ENDINGS)[keyof typeof ENDINGS], seconds: number, words: string) => async (driver: Driver) => {
    const after = await driver.gateway.newest()
    const { reference } = await sendPayout(driver, '1500', ending)
    await passTime(driver, seconds, words)
    await untilDecided(driver, reference)
    await sayEvent(driver, 'SUCCESSFUL_DISBURSEMENT', after)
  }

async function payoutBack(driver: Driver): Promise<void> {
  const after = await driver.gateway.newest()
  const { reference } = await sendPayout(driver, '1500', ENDINGS.reversed)
  await untilDecided(driver, reference)
  await sayEvent(driver, 'SUCCESSFUL_DISBURSEMENT', after)
  await passTime(driver, 49 * HOUR_SECONDS, '49 hours')
  await sayEvent(driver, 'REVERSED_DISBURSEMENT', after)
}

/** A handler of our own that fails first: the gateway tries again, after five seconds by its clock. */
async function bounced(driver: Driver): Promise<void> {
  let asked = 0
  const server = createServer((request, response) => {
    request.resume()
    asked++
    response.writeHead(asked === 1 ? 500 : 200).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const body = { url, eventTypes: ['SUCCESSFUL_TRANSACTION'], description: 'cowrie scenario run' }
  const { endpointId } = await driver.gateway.ask(createEndpoint, { body })
  try {
    driver.steps.say(`A handler at ${url} will fail once, then work`)
    const after = await driver.gateway.newest()
    const { order } = await paidOrder(driver, AMOUNT)
    const wanted = { type: 'SUCCESSFUL_TRANSACTION', about: order.transactionReference, after }
    const { eventId, number } = await eventOf(driver, wanted)
    await until(driver, 'the first attempt', async () => (asked > 0 ? asked : null))
    driver.steps.say(`Event ${number}: the first attempt is answered 500`)
    await passTime(driver, MINUTE, 'a minute')
    await until(driver, 'the second attempt', async () => {
      const { deliveries } = await driver.gateway.event(eventId)
      return deliveries.find((one) => one.endpointId === endpointId && one.state === 'DELIVERED') ?? null
    })
    driver.steps.say('The second attempt is answered 200: delivered')
  } finally {
    server.closeAllConnections()
    server.close()
    await driver.gateway.ask(removeEndpoint, { path: { endpointId } })
  }
}

export const STORIES: Readonly<Record<string, Story>> = {
  'short-payment': {
    says: 'the customer transfers less than was asked for',
    play: amountOff(80n),
    should:
      'Compare paymentStatus: PARTIALLY_PAID is not PAID. Credit amountPaid at most, and do not hand over the goods.',
  },
  'over-payment': {
    says: 'the customer transfers more than was asked for',
    play: amountOff(150n),
    should: 'Hand over the goods, and credit or refund what is too much: amountPaid is more than totalPayable.',
  },
  'double-payment': {
    says: 'the customer transfers twice',
    play: double,
    should: 'Credit the order once. The second transfer is REJECTED_PAYMENT, and the gateway returns it.',
  },
  'late-payment': {
    says: 'the transfer arrives after the account has expired; moves the clock by 45 minutes',
    play: late,
    should: 'Credit nothing. The money is returned; ask the customer to pay again, with a new transaction.',
  },
  'abandoned-payment': {
    says: 'nobody pays; moves the clock by 41 minutes',
    play: abandoned,
    should: 'Free the stock by your own deadline, or ask for the status: an EXPIRED transaction sends no event.',
  },
  reversal: {
    says: 'the bank takes a payment back an hour later; moves the clock by 61 minutes',
    play: reversal,
    should:
      'Take the credit back: amountLeft is what the payment is worth now. An endpoint gets this event only if it chose it.',
  },
  'payout-pending': {
    says: 'the bank needs two hours for a payout; moves the clock by 121 minutes',
    play: payoutLater(ENDINGS.slow, 121 * MINUTE, '121 minutes'),
    should:
      'Wait. A payout that is PENDING is neither paid nor failed: sending it again under another reference pays twice.',
  },
  'payout-unknown': {
    says: 'the bank does not answer, and has paid; moves the clock by 30 minutes',
    play: payoutLater(ENDINGS.silent, 30 * MINUTE, '30 minutes'),
    should: 'Wait for the event. No answer is not a failure: the gateway asks the bank until it knows.',
  },
  'payout-reversed': {
    says: 'a payout is paid, and comes back two days later; moves the clock by 49 hours',
    play: payoutBack,
    should: 'Mark the payout unpaid again on REVERSED_DISBURSEMENT; the money is back in your wallet.',
  },
  'bounced-webhook': {
    says: 'a handler fails at first; moves the clock by a minute',
    play: bounced,
    should: 'Answer 200 only when the event is stored, and expect the same webhook-id more than once.',
  },
}
