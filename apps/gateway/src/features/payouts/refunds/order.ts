// The order to a bank that pays a refund, or to the issuer of the card that paid, placed in the transaction
// that holds the money.
import { placeOrders } from '#features/bank/bank-orders/bank-orders.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import * as sql from './refunds.sql.ts'

/** What goes back to a card goes by the connector that its charge went through. */
async function destinationOf(t: Tx, row: sql.RefundRow) {
  const { charge_reference: chargeReference, bank_code, account_number, account_name } = row
  if (chargeReference === null)
    return { bankCode: bank_code ?? '', accountNumber: account_number ?? '', accountName: account_name ?? '' }
  const connector = await sql.findConnector(t, row.merchant_id, chargeReference)
  return { chargeReference, connector: connector ?? FIRST_CONNECTOR_ID }
}

export async function orderRefund(ctx: Ctx, t: Tx, row: sql.RefundRow): Promise<void> {
  const { merchant_id: merchantId, id: subject, kobo, customer_note: narration } = row
  const to = await destinationOf(t, row)
  await placeOrders(ctx, t, [{ merchantId, purpose: 'REFUND', subject, kobo, to, narration }])
}
