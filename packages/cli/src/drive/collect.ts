// A payment as everybody makes it: the merchant asks for money by the public interface, the customer pays at
// the simulated bank.
import { authorise3ds, authoriseOtp, chargeCard } from '@cowrie/contract/collections/cards'
import { initPayment, initTransaction, queryTransaction } from '@cowrie/contract/collections/transactions'
import { initUssd } from '@cowrie/contract/collections/ussd'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { nairaWords } from '../exam/judge.ts'
import { Failure } from '../failure.ts'
import type { Transfer } from './bank.ts'
import { type Driver, newReference, until } from './driver.ts'

export const METHODS = ['transfer', 'card', 'ussd'] as const
export type PayBy = (typeof METHODS)[number]
export const CARDS = ['plain', 'otp', 'threeDs', 'failing'] as const
export type CardName = (typeof CARDS)[number]

export type Status = ReplyOf<typeof queryTransaction>
export type Order = ReplyOf<typeof initTransaction>
export type Account = ReplyOf<typeof initPayment>

const CUSTOMER = { customerName: 'Ngozi Bello', customerEmail: 'ngozi@example.com' }
const OPEN = 'PENDING'

export const inWords = (amount: string): string => nairaWords(parseNaira(amount) ?? 0n)
/** So many percent of it, to the kobo. */
export const times = (amount: string, percent: bigint): string =>
  nairaText(((parseNaira(amount) ?? 0n) * percent) / 100n)

export async function askFor(driver: Driver, amount: string, reference = newReference('order')): Promise<Order> {
  const order = await driver.gateway.ask(initTransaction, {
    body: {
      amount,
      ...CUSTOMER,
      paymentReference: reference,
      paymentDescription: 'Two yards of adire',
      currencyCode: 'NGN',
      contractCode: driver.merchant.contractCode,
    },
  })
  driver.steps.say(`${driver.merchant.name} asks for ${inWords(amount)}: ${order.transactionReference}`)
  return order
}

export const accountFor = async (driver: Driver, { transactionReference }: Order): Promise<Account> => {
  const account = await driver.gateway.ask(initPayment, { body: { transactionReference } })
  driver.steps.say(`Account ${account.accountNumber} at ${account.bankName} is issued for it`)
  return account
}

/** The customer transfers; a bank that refuses ends the command. */
export async function transferTo(
  driver: Driver,
  account: Pick<Transfer, 'bankCode' | 'accountNumber'>,
  amount: string,
  how: Pick<Transfer, 'scenario' | 'senderAccountNumber'> = {},
): Promise<string> {
  const { bankCode, accountNumber } = account
  const { sessionId, status, reason } = await driver.bank.transfer({ bankCode, accountNumber, amount, ...how })
  if (status !== 'ACCEPTED') throw new Failure(`The bank refused the transfer: ${reason ?? 'it gave no reason'}.`)
  const way = how.scenario === undefined || how.scenario === 'exact' ? '' : ` (scenario ${how.scenario})`
  driver.steps.say(`The customer transfers ${inWords(amount)}${way}; session ${sessionId}`)
  return sessionId
}

async function byCard(driver: Driver, { transactionReference }: Order, name: CardName): Promise<void> {
  const known = driver.handle.cards[name]
  if (!known) throw new Failure(`The sandbox has no test card "${name}".`, { exitCode: 2 })
  const { otp, ...card } = known
  const common = { transactionReference, collectionChannel: 'API_NOTIFICATION' } as const
  const charged =
    name === 'threeDs'
      ? await driver.gateway.ask(authorise3ds, { body: { ...common, card, apiKey: driver.merchant.apiKey } })
      : await driver.gateway.ask(chargeCard, { body: { ...common, card } })
  driver.steps.say(`The card ending in ${card.number.slice(-4)} is charged: ${charged.status}`)
  if (charged.otpData) {
    const body = { ...common, tokenId: charged.otpData.id, token: otp ?? '' }
    const { status } = await driver.gateway.ask(authoriseOtp, { body })
    driver.steps.say(`The customer types the code from the phone: ${status}`)
  }
  if (charged.secure3dData) {
    await driver.bank.decide(charged.secure3dData.redirectUrl, 'approve')
    driver.steps.say('The customer approves on the page of the issuer')
  }
}

async function byUssd(driver: Driver, { transactionReference }: Order): Promise<void> {
  const { paymentCode } = await driver.gateway.ask(initUssd, { body: { transactionReference, bankUssdCode: '737' } })
  driver.steps.say(`The code to dial is ${paymentCode}`)
  const { status, reason, sessionId } = await driver.bank.dial(paymentCode)
  if (status !== 'ACCEPTED') throw new Failure(`The bank refused: ${reason ?? 'it gave no reason'}.`)
  driver.steps.say(`The customer dials it and confirms; session ${sessionId}`)
}

/** The customer pays what is asked. */
export async function payOrder(
  driver: Driver,
  order: Order,
  amount: string,
  by: { readonly method: PayBy; readonly card?: CardName; readonly scenario?: Transfer['scenario'] },
): Promise<void> {
  if (by.method === 'card') return byCard(driver, order, by.card ?? 'plain')
  if (by.method === 'ussd') return byUssd(driver, order)
  const account = await accountFor(driver, order)
  await transferTo(driver, account, amount, by.scenario === undefined ? {} : { scenario: by.scenario })
}

export const statusOf = (driver: Pick<Driver, 'gateway'>, transactionReference: string): Promise<Status> =>
  driver.gateway.ask(queryTransaction, { query: { transactionReference } })

/** Until it waits for the payer no longer. */
export async function untilClosed(driver: Driver, { transactionReference }: Order): Promise<Status> {
  const status = await until(driver, 'the payment to be counted', async () => {
    const now = await statusOf(driver, transactionReference)
    return now.paymentStatus === OPEN ? null : now
  })
  driver.steps.say(`The transaction is ${status.paymentStatus}`)
  return status
}

/** A whole payment of that amount by transfer: what most stories begin with. */
export async function paidOrder(
  driver: Driver,
  amount: string,
  how: Pick<Transfer, 'scenario' | 'senderAccountNumber'> = {},
): Promise<{ readonly order: Order; readonly account: Account }> {
  const order = await askFor(driver, amount)
  const account = await accountFor(driver, order)
  await transferTo(driver, account, amount, how)
  await untilClosed(driver, order)
  return { order, account }
}
