// What the bank says of a debit, applied: paid, or not paid.
//   PENDING → PAID: bank → merchant pending, shares and fee income (COLLECTION)      PENDING → FAILED: its
//     amount is the mandate's again
// Each once: the move compares the state.

import { toProduct, transactionMachine } from '@cowrie/contract/collections/transactions'
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { calculateFee, kobo, nairaNumber, nairaText } from '@cowrie/contract/kit/money'
import { feeScheduleAt, NOT_QUOTED } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById } from '#core/cells/cells.ts'
import { eventBody } from '#core/events.ts'
import { bankAccount } from '#core/ledger/chart.ts'
import { mover } from '#core/ledger/move.ts'
import { PAID } from '#core/outgoing.ts'
import { collection } from '#features/collections/credits/postings.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './debits.sql.ts'
import { countDebit } from './mandates.sql.ts'

const METHOD = 'DIRECT_DEBIT'

const payMoves = mover(transactionMachine, {
  name: 'transaction_pay_by_debit',
  set: { paid_kobo: 'bigint', fee_kobo: 'bigint', payment_method: 'text', closed_at: 'timestamptz' },
})
const failMoves = mover(transactionMachine, {
  name: 'transaction_fail_debit',
  set: { payment_method: 'text', closed_at: 'timestamptz' },
})

/** The body of the event: the payer is the account of the mandate. */
const bodyOf = (row: sql.Row, fee: bigint, now: Date): string =>
  eventBody(successfulTransaction, {
    product: toProduct(row),
    transactionReference: row.reference,
    paymentReference: row.payment_reference,
    paidOn: spacedText(now),
    paymentDescription: row.narration,
    metaData: parseExact(row.meta_data) as Record<string, unknown>,
    paymentSourceInformation: [
      {
        bankCode: row.bank_code,
        amountPaid: nairaNumber(row.kobo),
        accountName: row.account_name,
        sessionId: row.session_id,
        accountNumber: row.account_number,
      },
    ],
    destinationAccountInformation: {},
    amountPaid: nairaNumber(row.kobo),
    totalPayable: nairaNumber(row.kobo),
    cardDetails: {},
    paymentMethod: METHOD,
    currency: 'NGN',
    settlementAmount: nairaText(row.kobo - fee),
    paymentStatus: 'PAID',
    customer: { name: row.customer_name, email: row.customer_email },
  })

const move = (row: sql.Row) => ({
  id: row.id,
  merchantId: row.merchant_id,
  from: 'PENDING' as const,
})

/** False when it had come to its end already. */
export async function pay(ctx: Ctx, t: Tx, merchant: Merchant, row: sql.Row): Promise<boolean> {
  const [transferId, eventId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  const schedule = feeScheduleAt(merchant, METHOD, t.now)
  const fee = schedule ? calculateFee(kobo(row.kobo), schedule) : kobo(0n)
  const moved = await payMoves(t, [
    {
      ...move(row),
      on: 'pay',
      set: { paid_kobo: row.kobo, fee_kobo: fee, payment_method: METHOD, closed_at: t.now },
      post: collection({
        transferId,
        transaction: { ...row, ...NOT_QUOTED },
        paid: row.kobo,
        fee,
        feeScheduleId: schedule?.id ?? null,
        from: bankAccount(row.connector),
      }),
      event: { id: eventId, type: successfulTransaction.type, object: row.reference, body: bodyOf(row, fee, t.now) },
    },
  ])
  if (moved.size === 0) return false
  await sql.setEnded(t, row, PAID)
  return true
}

/** False when it had come to its end already. */
export async function refuse(t: Tx, row: sql.Row, message: string): Promise<boolean> {
  const moved = await failMoves(t, [{ ...move(row), on: 'fail', set: { payment_method: METHOD, closed_at: t.now } }])
  if (moved.size === 0) return false
  await sql.setEnded(t, row, message)
  await countDebit(t, row.merchant_id, row.mandate_id, -row.kobo)
  return true
}
