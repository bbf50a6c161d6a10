// Faults for the invariants of invoices, and invoices in every state for them to be planted in.
import { bodyOf, cancel, invoice } from '../../features/collections/invoices.ts'
import { reserveInvoice } from '../../features/collections/reserved-accounts.ts'
import type { Harness } from '../../kit/harness.ts'

/** Ids of invoices, each in the state of its name. */
export type InvoiceScene = {
  invoiceOpen: bigint
  invoicePaid: bigint
  invoiceCancelled: bigint
  /** Two that had one reserved account, one after the other. */
  invoiceEarlier: bigint
  invoiceLater: bigint
}

export async function invoiceScene(h: Harness): Promise<InvoiceScene> {
  const { main } = h.merchants
  const idOf = async ({ invoiceReference }: any): Promise<bigint> =>
    BigInt((await h.sql('01', 'select id from invoices where reference = $1', [invoiceReference]))[0].id)
  const paid = await invoice(h, main)
  await h.pay(paid.accountNumber, 2500)
  const cancelled = await invoice(h, main)
  bodyOf(await cancel(h, main, cancelled.invoiceReference))
  const { accountReference, accountNumber } = await reserveInvoice(h, main)
  const earlier = await invoice(h, main, { accountReference })
  await h.pay(accountNumber, 2500)
  return {
    invoiceOpen: await idOf(
      await invoice(h, main, {
        lineItems: [{ description: 'Adire', quantity: 2, unitAmount: 1000 }],
        vatAmount: 500,
      }),
    ),
    invoicePaid: await idOf(paid),
    invoiceCancelled: await idOf(cancelled),
    invoiceEarlier: await idOf(earlier),
    invoiceLater: await idOf(await invoice(h, main, { accountReference })),
  }
}

type Plant = readonly [what: string, sql: (scene: InvoiceScene & { readonly other: bigint }) => string]
const set = (table: string, what: string, id: bigint): string => `update ${table} set ${what} where id = ${id}`

export const INVOICE_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'an invoice and its transaction name each other and one merchant': [
    ['another merchant', (s) => set('invoices', `merchant_id = ${s.other}, place = 77`, s.invoiceOpen)],
    ['another reference', (s) => set('transactions', `product_reference = 'x'`, s.invoiceOpen)],
    ['a transaction without an invoice', (s) => `delete from invoices where id = ${s.invoiceOpen}`],
    [
      'an invoice without a transaction',
      (s) => set('transactions', 'product_type = null, product_reference = null', s.invoiceOpen),
    ],
  ],
  'an invoice is cancelled exactly when its transaction is, or was closed with a part at that moment': [
    ['it does not say so', (s) => set('invoices', 'cancelled_at = null', s.invoiceCancelled)],
    ['it waits', (s) => set('invoices', 'cancelled_at = created_at', s.invoiceOpen)],
    ['it is paid', (s) => set('invoices', 'cancelled_at = created_at', s.invoicePaid)],
    ['at another moment', (s) => set('invoices', `cancelled_at = cancelled_at + interval '1 s'`, s.invoiceCancelled)],
  ],
  'no invoice has failed': [['one has', (s) => set('transactions', `status = 'FAILED'`, s.invoiceOpen)]],
  'the lines of an invoice and its VAT add up to its amount': [
    ['no VAT any more', (s) => set('invoices', 'vat_kobo = null', s.invoiceOpen)],
    ['a line of more', (s) => set('invoices', `lines = replace(lines, '200000', '200001')`, s.invoiceOpen)],
  ],
  'invoices have places without gaps, as many as the counter says': [
    ['a gap', (s) => set('invoices', 'place = place + 100', s.invoiceLater)],
    ['one more is counted', () => 'update invoice_counters set invoices = invoices + 1'],
    ['nobody counts', () => 'delete from invoice_counters'],
    ['counted without invoices', (s) => `insert into invoice_counters values (${s.other}, 1)`],
  ],
  'the number of an open invoice leads to it': [
    ['nowhere', (s) => `delete from virtual_accounts where transaction_id = ${s.invoiceOpen}`],
    ['to another', (s) => `update virtual_accounts set transaction_id = 1 where transaction_id = ${s.invoiceOpen}`],
    [
      'only for an hour',
      (s) =>
        `update virtual_accounts set expires_at = opened_at + interval '1 h' where transaction_id = ${s.invoiceOpen}`,
    ],
    [
      'to another account',
      (s) =>
        `update virtual_accounts v set reserved_id = 1 from invoices i where i.id = ${s.invoiceLater} and v.reserved_id = i.reserved_id`,
    ],
  ],
  'an account is attached to the last of its invoices, and its merchant has both': [
    [
      'to the earlier one',
      (s) => `update reserved_accounts set invoice_id = ${s.invoiceEarlier} where invoice_id = ${s.invoiceLater}`,
    ],
    ['to none', (s) => `update reserved_accounts set invoice_id = null where invoice_id = ${s.invoiceLater}`],
    [
      'to one that is not its',
      (s) =>
        `update reserved_accounts set invoice_id = ${s.invoiceOpen} where type = 'INVOICE' and (invoice_id is null` +
        ` or invoice_id = ${s.invoiceLater})`,
    ],
  ],
  'no account has two invoices open at once': [
    ['the earlier one is open still', (s) => set('transactions', 'closed_at = null', s.invoiceEarlier)],
    [
      'the earlier one closed later',
      (s) => set('transactions', `closed_at = closed_at + interval '1 h'`, s.invoiceEarlier),
    ],
  ],
}
