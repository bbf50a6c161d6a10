// Money that leaves, as a merchant sends it: payouts, batches and refunds, with the code from the mail where
// one is asked for.
import { authoriseBatch, initiateBatch } from '@cowrie/contract/payouts/batches'
import {
  authoriseTransfer,
  getTransfer,
  initiateTransfer,
  validateAccount,
} from '@cowrie/contract/payouts/disbursements'
import { getRefund, initiateRefund } from '@cowrie/contract/payouts/refunds'
import { inWords, type Order } from './collect.ts'
import { type Driver, mailedCode, newReference, until } from './driver.ts'

const BANK = '058'
/** Any other end of an account number is paid at once; docs/sandbox-bank.md has the list. */
export const ENDINGS = { paid: '1177', dormant: '0001', slow: '0002', reversed: '0003', silent: '0004' } as const
export type Ending = (typeof ENDINGS)[keyof typeof ENDINGS]

const WAITS: ReadonlySet<string> = new Set(['PENDING', 'PENDING_AUTHORIZATION', 'AWAITING_PROCESSING', 'IN_PROGRESS'])

/** Another account each time: the gateway asks back when the same account gets the same amount twice. */
const accountEnding = (ending: Ending): string =>
  `${((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % 900_000) + 100_000}${ending}`

async function destination(driver: Driver, ending: Ending) {
  const accountNumber = accountEnding(ending)
  const { accountName } = await driver.gateway.ask(validateAccount, { query: { accountNumber, bankCode: BANK } })
  return {
    destinationBankCode: BANK,
    destinationAccountNumber: accountNumber,
    destinationAccountName: accountName,
  }
}

export type Sent = { readonly reference: string; readonly status: string }

/** Asks for a payout, and gives the mailed code where it is asked for. */
export async function sendPayout(driver: Driver, amount: string, ending: Ending): Promise<Sent> {
  const to = await destination(driver, ending)
  const reference = newReference('payout')
  const body = {
    ...to,
    amount,
    reference,
    narration: 'Cloth',
    sourceAccountNumber: driver.merchant.walletAccountNumber,
  }
  const asked = await driver.gateway.ask(initiateTransfer, { body })
  driver.steps.say(`Payout ${reference} of ${inWords(amount)} to ${to.destinationAccountNumber}: ${asked.status}`)
  if (asked.status !== 'PENDING_AUTHORIZATION') return { reference, status: asked.status }
  const authorizationCode = await mailedCode(driver, reference)
  const { status } = await driver.gateway.ask(authoriseTransfer, { body: { reference, authorizationCode } })
  driver.steps.say(`The code from the owner's mail authorises it: ${status}`)
  return { reference, status }
}

export const payoutStatus = async ({ gateway }: Pick<Driver, 'gateway'>, reference: string): Promise<string> =>
  (await gateway.ask(getTransfer, { query: { reference } })).status

/** Until the bank has said what became of it. */
export async function untilDecided(driver: Driver, reference: string): Promise<string> {
  const status = await until(driver, `the outcome of payout ${reference}`, async () => {
    const now = await payoutStatus(driver, reference)
    return WAITS.has(now) ? null : now
  })
  driver.steps.say(`The payout is ${status}`)
  return status
}

export async function sendBatch(driver: Driver): Promise<void> {
  const batchReference = newReference('wages')
  const rows = await Promise.all(
    ['400', '650'].map(async (amount, at) => ({
      ...(await destination(driver, ENDINGS.paid)),
      amount,
      reference: `${batchReference}-${at + 1}`,
      narration: 'Wages',
    })),
  )
  const { batchStatus } = await driver.gateway.ask(initiateBatch, {
    body: {
      title: 'Wages',
      batchReference,
      narration: 'Wages',
      sourceAccountNumber: driver.merchant.walletAccountNumber,
      notificationInterval: 50,
      transactionList: rows,
    },
  })
  driver.steps.say(`Batch ${batchReference} of ${rows.length} payouts: ${batchStatus}`)
  if (batchStatus !== 'PENDING_AUTHORIZATION') return
  const authorizationCode = await mailedCode(driver, batchReference)
  await driver.gateway.ask(authoriseBatch, { body: { reference: batchReference, authorizationCode } })
  driver.steps.say("The code from the owner's mail authorises it")
}

/** Back to the account that paid; answers when it is decided. */
export async function refund(driver: Driver, { transactionReference }: Order, amount: string): Promise<string> {
  const refundReference = newReference('refund')
  const texts = { refundReason: 'Out of stock', customerNote: 'Sorry' }
  const asked = await driver.gateway.ask(initiateRefund, {
    body: { transactionReference, refundReference, refundAmount: amount, ...texts },
  })
  driver.steps.say(`Refund ${refundReference} of ${inWords(amount)}: ${asked.refundStatus}`)
  const status = await until(driver, `the outcome of refund ${refundReference}`, async () => {
    const { refundStatus } = await driver.gateway.ask(getRefund, { path: { refundReference } })
    return refundStatus === 'COMPLETED' || refundStatus === 'FAILED' ? refundStatus : null
  })
  driver.steps.say(`The refund is ${status}`)
  return status
}
