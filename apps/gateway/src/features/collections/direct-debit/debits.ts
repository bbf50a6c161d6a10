// Debits: a merchant takes money that a mandate allows. A debit is a transaction from its first moment.
//   [the mandate allows it] PENDING → [bank] PAID | FAILED
// Books: none here; outcome.ts posts what the bank has paid. What is under way counts as debited under the
// lock of the mandate, so debits that come at once can never be more together than it allows. Who waits:
// bank.ts, for the bank.

import type { debitMandate } from '@cowrie/contract/collections/direct-debit'
import { MINIMUM_KOBO } from '@cowrie/contract/collections/transactions'
import type { ErrorCode } from '@cowrie/contract/errors/errors'
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { SEND_DEBIT } from '@cowrie/contract/kit/timers'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs, tx } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { Call } from '#core/serving.ts'
import { checkPaymentLimit } from '#features/collections/transactions/limits.ts'
import { checkInit, makeTransaction } from '#features/collections/transactions/transactions.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { payoutSessionId } from '#kit/ids.ts'
import * as sql from './debits.sql.ts'
import * as mandates from './mandates.sql.ts'

export const ACCEPTED = 'Debit mandate request accepted for processing'

type Allowance = Pick<
  mandates.Row,
  'status' | 'starts_at' | 'ends_at' | 'cancel_asked_at' | 'debit_kobo' | 'debited_kobo' | 'kobo'
>
type Refusal = { readonly code: ErrorCode; readonly words: Record<string, string> }

/** Why a mandate does not allow a debit; null when it does. */
export function findRefusal(mandate: Allowance, kobo: bigint, now: Date): Refusal | null {
  const notActive = (state: string): Refusal => ({ code: 'MANDATE_NOT_ACTIVE', words: { state } })
  if (mandate.status !== 'ACTIVE') return notActive(mandate.status)
  if (mandate.cancel_asked_at !== null) return notActive('a cancellation was requested')
  if (now < mandate.starts_at) return { code: 'MANDATE_NOT_STARTED', words: {} }
  // Its timer is about to expire it, or to move its window on.
  if (now >= mandate.ends_at) return notActive('past its end date')
  if (mandate.debit_kobo !== null && kobo !== mandate.debit_kobo)
    return { code: 'DEBIT_AMOUNT_FIXED', words: { amount: nairaText(mandate.debit_kobo) } }
  if (mandate.kobo !== null && mandate.debited_kobo + kobo > mandate.kobo)
    return { code: 'MANDATE_AMOUNT_SPENT', words: { left: nairaText(mandate.kobo - mandate.debited_kobo) } }
  return null
}

type Reply = ReplyOf<typeof debitMandate>

function amountOf(text: string): bigint {
  const kobo = parseNaira(text) ?? fail('AMOUNT_INVALID', { field: 'debitAmount' })
  return kobo < MINIMUM_KOBO ? fail('AMOUNT_TOO_SMALL', { field: 'debitAmount' }) : kobo
}

/** What the transaction is made of, checked; its split is looked up here, because under the lock nothing is
 *  waited for. */
const initOf = async (ctx: Ctx, merchant: Merchant, mandate: mandates.Row, body: BodyOf<typeof debitMandate>) => ({
  ...(await checkInit(ctx, merchant, {
    amount: body.debitAmount,
    customerName: mandate.customer_name,
    customerEmail: body.customerEmail,
    paymentReference: body.paymentReference,
    paymentDescription: body.narration,
    currencyCode: 'NGN',
    contractCode: mandate.contract_code,
    ...(body.incomeSplitConfig ? { incomeSplitConfig: body.incomeSplitConfig } : {}),
  })),
  product: { type: 'DIRECT_DEBIT', reference: mandate.code } as const,
})

export const debitView = (row: sql.Row): Reply => ({
  transactionStatus: row.status,
  responseMessage: row.message,
  transactionReference: row.reference,
  paymentReference: row.payment_reference,
  debitAmount: nairaNumber(row.kobo),
  narration: row.narration,
  mandateCode: row.mandate_code,
})

export async function debit(
  ctx: Ctx,
  { merchant, body }: Call<typeof debitMandate>,
  store: StoreResponse<Reply>,
): Promise<Reply> {
  const kobo = amountOf(body.debitAmount)
  checkPaymentLimit(merchant, kobo, 'debitAmount')
  const inTx = <T>(work: Parameters<typeof tx<T>>[3]) => tx(ctx, merchant.cell, merchant.id, work)
  const known =
    (await readAs(ctx, merchant.cell, merchant.id, (r) => mandates.find(r, merchant.id, body.mandateCode))) ??
    fail('MANDATE_NOT_FOUND', { field: 'mandateCode' })
  const init = await initOf(ctx, merchant, known, body)
  const reply = await inTx(async (t) => {
    const mandate = (await mandates.lock(t, merchant.id, body.mandateCode)) ?? fail('MANDATE_NOT_FOUND')
    // Before the limits: a debit that comes again must not be refused as too much.
    if (await sql.isTaken(t, merchant.id, body.paymentReference))
      fail('DUPLICATE_PAYMENT_REFERENCE', { field: 'paymentReference' })
    const refusal = findRefusal(mandate, kobo, t.now)
    if (refusal) fail(refusal.code, refusal.words)
    // No payer may pay it another way: it is closed for them from the start.
    const made = await makeTransaction(ctx, t, init, { expiresAt: t.now, timed: false })
    await mandates.countDebit(t, merchant.id, mandate.id, kobo)
    const session_id = payoutSessionId(t.institution, t.cell, t.now, made.id)
    const { id: mandate_id, connector } = mandate
    const row = { id: made.id, merchant_id: merchant.id, mandate_id, connector, kobo, narration: body.narration }
    await sql.insert(t, { ...row, session_id, message: ACCEPTED }, SEND_DEBIT)
    const accepted: Reply = {
      transactionStatus: 'PENDING',
      responseMessage: ACCEPTED,
      transactionReference: made.reference,
      paymentReference: body.paymentReference,
      debitAmount: nairaNumber(kobo),
      narration: body.narration,
      mandateCode: mandate.code,
    }
    await store(t, accepted)
    return accepted
  })
  ctx.wake(merchant.cell)
  return reply
}

export async function findDebit(ctx: Ctx, merchant: Merchant, paymentReference: string): Promise<Reply> {
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, paymentReference))
  if (!row) return fail('DEBIT_NOT_FOUND', { field: 'paymentReference' })
  return debitView(row)
}
