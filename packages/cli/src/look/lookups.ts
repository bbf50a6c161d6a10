// What a reference can be, and who is asked for it. A reference of ours says its kind; a merchant's own may
// be anything, so everything is asked.
import { getDebit, getMandates } from '@cowrie/contract/collections/direct-debit'
import { getInvoice } from '@cowrie/contract/collections/invoices'
import { getPaymentLink } from '@cowrie/contract/collections/payment-links'
import { getReservedAccount } from '@cowrie/contract/collections/reserved-accounts'
import { queryTransaction } from '@cowrie/contract/collections/transactions'
import { listEndpoints } from '@cowrie/contract/events/endpoints'
import { getBatch } from '@cowrie/contract/payouts/batches'
import { requeryBill } from '@cowrie/contract/payouts/bills'
import { getTransfer, getWalletBalance } from '@cowrie/contract/payouts/disbursements'
import { getPaycode } from '@cowrie/contract/payouts/paycodes'
import { getRefund } from '@cowrie/contract/payouts/refunds'
import { getCustomer } from '@cowrie/contract/screens/customers'
import { getBalance } from '@cowrie/contract/wallets/wallets'
import { Failure } from '../failure.ts'
import type { Gateway } from '../gateway.ts'

export type Lookup = {
  readonly kind: string
  /** Only such a text can be one; without it any text can. */
  readonly form?: RegExp
  readonly ask: (gateway: Gateway, text: string) => Promise<object | null>
}
export type Found = { readonly kind: string; readonly record: object }

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ACCOUNT = /^\d{10}$/

const statement = async (gateway: Gateway, settlementReference: string): Promise<object> => {
  const { lines, ...rest } = await gateway.statement(settlementReference)
  return { ...rest, lines: `${lines.length}; all of them: cowrie settlements verify ${settlementReference} --json` }
}

const byNumber = async (gateway: Gateway, text: string): Promise<object | null> => {
  const { events } = await gateway.after(Number(text) - 1, { wait: false, limit: 1 })
  const [event] = events
  return event?.number === Number(text) ? gateway.event(event.eventId) : null
}

export const LOOKUPS: readonly Lookup[] = [
  { kind: 'event', form: /^evt_\d\d_\d+$/, ask: (gateway, text) => gateway.event(text) },
  { kind: 'event', form: /^[1-9]\d{0,8}$/, ask: byNumber },
  {
    kind: 'request',
    form: UUID,
    ask: async (gateway, requestId) => (await gateway.requests({ requestId })).content[0] ?? null,
  },
  {
    kind: 'endpoint',
    form: /^ep_\d\d_\d+$/,
    ask: async (gateway, text) =>
      (await gateway.ask(listEndpoints)).find(({ endpointId }) => endpointId === text) ?? null,
  },
  {
    kind: 'customer',
    form: /^[^\s@]+@[^\s@]+$/,
    ask: (gateway, email) => gateway.ask(getCustomer, { path: { email } }),
  },
  {
    kind: 'wallet',
    form: ACCOUNT,
    ask: async (gateway, accountNumber) => ({
      accountNumber,
      ...(await gateway.ask(getWalletBalance, { query: { accountNumber } })),
    }),
  },
  {
    kind: 'payment',
    form: /^CWRY\|/,
    ask: (gateway, transactionReference) => gateway.ask(queryTransaction, { query: { transactionReference } }),
  },
  {
    kind: 'payment',
    ask: (gateway, paymentReference) => gateway.ask(queryTransaction, { query: { paymentReference } }),
  },
  { kind: 'refund', ask: (gateway, refundReference) => gateway.ask(getRefund, { path: { refundReference } }) },
  { kind: 'payout', ask: (gateway, reference) => gateway.ask(getTransfer, { query: { reference } }) },
  { kind: 'batch of payouts', ask: (gateway, reference) => gateway.ask(getBatch, { query: { reference } }) },
  { kind: 'settlement', ask: statement },
  { kind: 'invoice', ask: (gateway, invoiceReference) => gateway.ask(getInvoice, { path: { invoiceReference } }) },
  {
    kind: 'payment link',
    ask: (gateway, paymentLinkCode) => gateway.ask(getPaymentLink, { path: { paymentLinkCode } }),
  },
  {
    kind: 'mandate',
    ask: async (gateway, mandateReferences) =>
      (await gateway.ask(getMandates, { query: { mandateReferences } }))[0] ?? null,
  },
  { kind: 'direct debit', ask: (gateway, paymentReference) => gateway.ask(getDebit, { query: { paymentReference } }) },
  {
    kind: 'reserved account',
    ask: (gateway, accountReference) => gateway.ask(getReservedAccount, { path: { accountReference } }),
  },
  { kind: 'paycode', ask: (gateway, paycodeReference) => gateway.ask(getPaycode, { path: { paycodeReference } }) },
  { kind: 'bill', ask: (gateway, reference) => gateway.ask(requeryBill, { query: { reference } }) },
  {
    kind: "customer's wallet",
    ask: (gateway, walletReference) => gateway.ask(getBalance, { query: { walletReference } }),
  },
]

/** A gateway that is away, or wrong keys, are said; that nothing is called so, or that the key may not see
 *  it, is null. */
async function quietly(call: Promise<object | null>): Promise<object | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof Failure && error.code !== null) return null
    throw error
  }
}

/** Everything of that name: one thing nearly always. */
export async function findAll(gateway: Gateway, text: string): Promise<readonly Found[]> {
  const formed = LOOKUPS.filter(({ form }) => form?.test(text))
  const found: Found[] = []
  for (const lookups of [formed, LOOKUPS.filter(({ form }) => form === undefined)]) {
    // One after the other: a key may have few calls a second, and the first answer is mostly it.
    for (const { kind, ask } of lookups) {
      const record = await quietly(ask(gateway, text))
      if (record !== null) found.push({ kind, record })
    }
    if (found.length > 0) return found
  }
  return found
}
