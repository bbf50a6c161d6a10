// `cowrie trigger <event type>`: does what really makes the event, by the interface and the simulated bank.
// Nothing is made up: the event has an object, postings and a place in the log like every other.

import { createMandate } from '@cowrie/contract/collections/direct-debit'
import { EVENTS } from '@cowrie/contract/events/endpoints'
import { DAY_SECONDS, HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import { getClock } from '@cowrie/contract/screens/sandbox'
import { runSettlements } from '@cowrie/contract/settlements/settlements'
import { InvalidArgumentError } from 'commander'
import { nearest } from '../keys/spelling.ts'
import { printLine } from '../words.ts'
import { passTime } from './clock.ts'
import { paidOrder, times, transferTo } from './collect.ts'
import { type Driver, eventOf, newReference, until } from './driver.ts'
import { ENDINGS, refund, sendBatch, sendPayout } from './send.ts'

const AMOUNT = '2500'
/** The wallet is a virtual account like others. */
const WALLET_BANK = '50515'

const payout = (ending: (typeof ENDINGS)[keyof typeof ENDINGS]) => async (driver: Driver) => {
  await sendPayout(driver, AMOUNT, ending)
}

/** `2026-05-31 18:00:00` of West Africa, so many seconds after now by the sandbox's clock. */
async function moment(driver: Driver, seconds: number): Promise<string> {
  const { now } = await driver.gateway.ask(getClock)
  const at = new Date(new Date(now).getTime() + (seconds + HOUR_SECONDS) * 1_000)
  return at.toISOString().slice(0, 19).replace('T', ' ')
}

async function mandate(driver: Driver): Promise<void> {
  const { mandateCode } = await driver.gateway.ask(createMandate, {
    body: {
      contractCode: driver.merchant.contractCode,
      mandateReference: newReference('mandate'),
      customerName: 'Ngozi Bello',
      customerEmailAddress: 'ngozi@example.com',
      customerPhoneNumber: '08031234567',
      customerAddress: '14 Marina, Lagos',
      customerAccountNumber: '2001237788',
      customerAccountBankCode: '057',
      mandateDescription: 'School fees',
      mandateStartDate: await moment(driver, 60),
      mandateEndDate: await moment(driver, 60 * DAY_SECONDS),
      mandateAmount: '90000',
    },
  })
  driver.steps.say(`Mandate ${mandateCode} is asked for`)
  await driver.bank.mandate(mandateCode, 'authorize')
  driver.steps.say('The customer pays the token of ₦50.00, which authorises it')
  await passTime(driver, 120, '2 minutes, to its first day')
}

/** A payment is settled once every older transaction of the database has ended: asked again until then. */
async function settle(driver: Driver): Promise<void> {
  await paidOrder(driver, AMOUNT)
  const made = await until(driver, 'the settlement', async () => {
    const { settlements } = await driver.gateway.ask(runSettlements)
    return settlements[0] ?? null
  })
  driver.steps.say(`Settlement ${made.settlementReference} of ₦${made.amount} is made`)
}

type Maker = { readonly says: string; readonly make: (driver: Driver) => Promise<void> }

export const MAKERS: Readonly<Record<string, Maker>> = {
  SUCCESSFUL_TRANSACTION: {
    says: 'a customer pays by transfer',
    make: async (driver) => {
      await paidOrder(driver, AMOUNT)
    },
  },
  REJECTED_PAYMENT: {
    says: 'a customer pays a second time, for what is paid already',
    make: async (driver) => {
      const { account } = await paidOrder(driver, AMOUNT)
      await transferTo(driver, account, AMOUNT)
    },
  },
  REVERSED_TRANSACTION: {
    says: 'the bank takes a payment back; moves the clock by 61 minutes',
    make: async (driver) => {
      await paidOrder(driver, AMOUNT, { scenario: 'reversed' })
      await passTime(driver, 61 * 60, '61 minutes')
    },
  },
  SUCCESSFUL_DISBURSEMENT: { says: 'a payout is paid', make: payout(ENDINGS.paid) },
  FAILED_DISBURSEMENT: { says: 'a payout to a dormant account fails', make: payout(ENDINGS.dormant) },
  REVERSED_DISBURSEMENT: {
    says: 'a payout is paid and comes back; moves the clock by 49 hours',
    make: async (driver) => {
      await sendPayout(driver, AMOUNT, ENDINGS.reversed)
      await passTime(driver, 49 * HOUR_SECONDS, '49 hours')
    },
  },
  BATCH_PROGRESS: { says: 'a batch of two payouts is paid', make: sendBatch },
  SUCCESSFUL_REFUND: {
    says: 'half of a payment is refunded',
    make: async (driver) => {
      const { order } = await paidOrder(driver, AMOUNT)
      await refund(driver, order, times(AMOUNT, 50n))
    },
  },
  FAILED_REFUND: {
    says: 'a refund fails, because the account that paid is dormant',
    make: async (driver) => {
      const { order } = await paidOrder(driver, AMOUNT, { senderAccountNumber: `012345${ENDINGS.dormant}` })
      await refund(driver, order, times(AMOUNT, 50n))
    },
  },
  SETTLEMENT: { says: 'a payment is settled', make: settle },
  MANDATE_UPDATE: { says: 'a customer authorises a mandate; moves the clock by 2 minutes', make: mandate },
  ACCOUNT_ACTIVITY: {
    says: 'somebody transfers to the wallet',
    make: async (driver) => {
      const accountNumber = driver.merchant.walletAccountNumber
      await transferTo(driver, { bankCode: WALLET_BANK, accountNumber }, AMOUNT)
    },
  },
}

export const makerLines = (): string[] => {
  const width = Math.max(...Object.keys(MAKERS).map((type) => type.length))
  return Object.entries(MAKERS).map(([type, { says }]) => `  ${type.padEnd(width)}  ${says}`)
}

/** `successful-transaction` is as good as `SUCCESSFUL_TRANSACTION`. */
export function readEventType(text: string): string {
  const type = text.trim().toUpperCase().replaceAll(/[-. ]/g, '_')
  if (MAKERS[type]) return type
  const exists = EVENTS.some((event) => event.type === type)
  const near = nearest(type, Object.keys(MAKERS))
  const why = exists
    ? `${type} is an event, but no single step makes it.`
    : `${text} is not an event type.${near ? ` Did you mean ${near}?` : ''}`
  throw new InvalidArgumentError(`${why} These can be made:\n${makerLines().join('\n')}`)
}

export async function trigger(driver: Driver, type: string, json: boolean): Promise<void> {
  const maker = MAKERS[type]
  if (!maker) throw new Error(`no maker of ${type}`)
  const after = await driver.gateway.newest()
  await maker.make(driver)
  const event = await eventOf(driver, { type, after })
  driver.steps.say(`Event ${event.number}: ${type} about ${event.object}`)
  if (json) printLine(JSON.stringify({ event, steps: driver.steps.list }))
  else printLine(`\nSee it whole: cowrie events show ${event.number}`)
}
