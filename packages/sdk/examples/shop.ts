// A shop: checkout, webhook, refund, payout, and a stored card that is charged again. Keep `orders` and
// `seen` in your database.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type CowrieEvent,
  type CowrieOptions,
  createCowrie,
  kobo,
  NotVerified,
  naira,
  OutcomeUnknown,
  webhooks,
} from '@cowrie/sdk'

type Order = {
  readonly transaction: string
  readonly email: string
  readonly paid: bigint
  /** Whether the goods may leave. */
  readonly sold: boolean
  readonly version: number
}
type Customer = { readonly customerName: string; readonly customerEmail: string }
type Keys = CowrieOptions & { readonly contractCode: string; readonly wallet: string }

export function openShop({ contractCode, wallet, ...options }: Keys) {
  const cowrie = createCowrie(options)
  const orders = new Map<string, Order>()
  const seen = new Set<string>()
  const common = { currencyCode: 'NGN', contractCode, paymentDescription: 'Two yards of adire' }

  /** The address where the customer pays. Coming back from there proves nothing: the webhook does. */
  const checkout = async (order: string, amount: string, customer: Customer): Promise<string> =>
    (await cowrie.transactions.init({ ...common, ...customer, amount, paymentReference: order })).checkoutUrl

  /** Amounts are those of the whole payment, and an older event can come late. */
  const take = (event: CowrieEvent): void => {
    if (event.eventType !== 'SUCCESSFUL_TRANSACTION' && event.eventType !== 'REVERSED_TRANSACTION') return
    const { product, paymentReference, transactionReference, paymentStatus, customer } = event.eventData
    if (product.type === 'OFFLINE_PAYMENT_AGENT') return // a paycode, paid out in cash: money that left
    const version = event.objectVersion ?? 0
    if (version < (orders.get(paymentReference)?.version ?? 0)) return
    const reversed = event.eventType === 'REVERSED_TRANSACTION'
    const paid = kobo(reversed ? event.eventData.amountLeft : event.eventData.amountPaid)
    const sold = !reversed && ['PAID', 'OVERPAID'].includes(paymentStatus) // too much is paid too: refund the rest
    orders.set(paymentReference, { transaction: transactionReference, email: customer.email, paid, sold, version })
  }

  const webhook = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const raw = Buffer.concat(await request.toArray())
      const event = await webhooks.verify(raw, request.headers, options.secretKey)
      if (!seen.has(event.id)) take(event)
      seen.add(event.id)
      response.writeHead(200).end()
    } catch (error) {
      response.writeHead(error instanceof NotVerified ? 401 : 500).end()
    }
  }
  const server = createServer((request, response) => void webhook(request, response))

  /** Half of it, calculated in kobo. */
  const refundHalf = (refundReference: string, { transaction: transactionReference, paid }: Order) => {
    const texts = { refundReason: 'One yard too short', customerNote: 'Adire, refund' }
    return cowrie.refunds.initiate({ transactionReference, refundReference, refundAmount: naira(paid / 2n), ...texts })
  }

  const payOut = async (reference: string, amount: string, bankCode: string, accountNumber: string) => {
    const { accountName } = await cowrie.transfers.validateAccount({ bankCode, accountNumber })
    const to = { destinationBankCode: bankCode, destinationAccountNumber: accountNumber }
    const from = { sourceAccountNumber: wallet, narration: 'Supplier', amount, reference }
    return cowrie.transfers
      .initiate({ ...from, ...to, destinationAccountName: accountName })
      .catch((error: unknown) => {
        if (error instanceof OutcomeUnknown) return error.repeat() // under the same key: it is sent once
        throw error
      })
  }

  const chargeAgain = async (old: Order, paymentReference: string, amount: string) => {
    const { cardDetails, customer } = await cowrie.transactions.get({ transactionReference: old.transaction })
    const who = { cardToken: cardDetails?.cardToken ?? '', customerName: customer.name, customerEmail: old.email }
    return cowrie.cards.chargeToken({ ...common, ...who, amount, paymentReference, apiKey: options.apiKey })
  }
  return { cowrie, orders, checkout, server, refundHalf, payOut, chargeAgain }
}
