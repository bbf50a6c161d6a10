// Credits: the bank tells that money has come to one of our numbers.
//   known session → REPEATED      waiting and in time → COUNTED (the transaction moves)      anything else → SUSPENDED
// Books: COUNTED moves bank → merchant pending and fee income; SUSPENDED moves bank → suspense, with an owner, a reason
// and a day by which somebody decides. A session is counted once, whatever the bank repeats: its row and the move are
// one statement, and the row's key is the session.
import type { CreditNotice } from '@cowrie/contract/bank-connector'
import { bankOf } from '@cowrie/contract/banks'
import { feeOf, type Kobo, kobo, nairaNumber, nairaText, parseNaira } from '@cowrie/contract/money'
import {
  type RejectionReason,
  rejectedPayment,
  successfulTransaction,
  transactionMachine,
} from '@cowrie/contract/transactions'
import { batcher, perCell } from '../../core/batch.ts'
import { cellOf, commitOne, engineTx, findCell, readAll } from '../../core/cells.ts'
import { accountId, HOUSE } from '../../core/chart.ts'
import { announce, eventBody } from '../../core/events.ts'
import { post } from '../../core/ledger.ts'
import { feeScheduleAt, type Merchant, type Merchants } from '../../core/merchants.ts'
import { mover } from '../../core/move.ts'
import type { Ctx } from '../../kit/ctx.ts'
import { Failure, fail } from '../../kit/fail.ts'
import { type CellId, cellOfAccountNumber } from '../../kit/ids.ts'
import { spacedText } from '../../kit/times.ts'
import { queueMail } from '../mails/mails.ts'
import { collection } from './collection.ts'
import * as sql from './credits.sql.ts'
import { accountName } from './transactions.ts'

export type CreditOutcome = 'COUNTED' | 'SUSPENDED' | 'REPEATED'

const DECIDE_WITHIN_DAYS = 7
const RACES_MAX = 5
const COMPLETED: ReadonlySet<string> = new Set(['PAID', 'PARTIALLY_PAID', 'OVERPAID'])

const payMoves = mover(transactionMachine, {
  name: 'transaction_pay',
  set: { paid_kobo: 'bigint', fee_kobo: 'bigint', payment_method: 'text', closed_at: 'timestamptz' },
  also: {
    table: 'inbound_credits',
    columns: sql.CREDIT_COLUMNS,
    fixed: { merchant_id: 'merchant_id', transaction_id: 'id', transfer_id: 'transfer_id', outcome: `'COUNTED'` },
  },
})

type Counting = {
  readonly row: sql.PayableRow
  readonly notice: CreditNotice
  readonly paid: Kobo
  readonly merchant: Merchant
}

const action = (paid: bigint, asked: bigint) =>
  (paid === asked ? 'pay' : paid < asked ? 'payLess' : 'payMore') as 'pay' | 'payLess' | 'payMore'
const STATE_AFTER = { pay: 'PAID', payLess: 'PARTIALLY_PAID', payMore: 'OVERPAID' } as const

const source = (notice: CreditNotice, paid: bigint) => ({
  bankCode: notice.senderBankCode,
  amountPaid: nairaNumber(paid),
  accountName: notice.senderName,
  sessionId: notice.sessionId,
  accountNumber: notice.senderAccountNumber,
})

function payMove({ row, notice, paid, merchant }: Counting, now: Date, transferId: bigint, eventId: bigint) {
  const schedule = feeScheduleAt(merchant, now)
  const fee = schedule ? feeOf(paid, schedule) : kobo(0n)
  const on = action(paid, row.kobo)
  const body = eventBody(successfulTransaction, {
    product: { reference: row.payment_reference, type: 'API_NOTIFICATION' },
    transactionReference: row.reference,
    paymentReference: row.payment_reference,
    paidOn: spacedText(now),
    paymentDescription: row.description,
    metaData: JSON.parse(row.meta_data) as Record<string, unknown>,
    paymentSourceInformation: [source(notice, paid)],
    destinationAccountInformation: {
      bankCode: notice.bankCode,
      bankName: bankOf(notice.bankCode)?.name ?? notice.bankCode,
      accountNumber: notice.accountNumber,
    },
    amountPaid: nairaNumber(paid),
    totalPayable: nairaNumber(row.kobo),
    cardDetails: {},
    paymentMethod: 'ACCOUNT_TRANSFER',
    currency: 'NGN',
    settlementAmount: nairaText(paid - fee),
    paymentStatus: STATE_AFTER[on],
    customer: { name: row.customer_name, email: row.customer_email },
  })
  return {
    on,
    id: row.id,
    merchantId: row.merchant_id,
    from: 'PENDING' as const,
    set: { paid_kobo: paid, fee_kobo: fee, payment_method: 'ACCOUNT_TRANSFER', closed_at: now },
    also: {
      bank_reference: notice.sessionId,
      kobo: paid,
      account_number: notice.accountNumber,
      bank_code: notice.bankCode,
      sender_name: notice.senderName,
      sender_account_number: notice.senderAccountNumber,
      sender_bank_code: notice.senderBankCode,
      received_at: now,
    },
    post: collection({
      transferId,
      transaction: row,
      paid,
      fee,
      feeScheduleId: schedule?.id ?? null,
      from: 'BANK',
    }),
    event: { id: eventId, type: successfulTransaction.type, object: row.reference, body },
  }
}

const isWaiting = (row: sql.PayableRow, now: Date): boolean => row.status === 'PENDING' && row.expires_at > now

const paidAmount = (notice: CreditNotice): Kobo => {
  const paid = parseNaira(notice.amount)
  return paid !== null && paid > 0n ? paid : fail('AMOUNT_INVALID', { field: 'amount' })
}

export function createCredits(ctx: Ctx, merchants: Merchants) {
  const merchantOf = async (cell: CellId, id: bigint): Promise<Merchant> =>
    merchants.known(cell, id) ?? (await merchants.byId(cell, id)) ?? fail('INTERNAL', {}, `no merchant ${id}`)

  /** Counts what can be counted in one statement; `null` for those whose transaction moved meanwhile. */
  const countAll = async (cell: CellId, counting: readonly Counting[]): Promise<ReadonlySet<bigint>> => {
    const ids = await cellOf(ctx, cell).takeIds(counting.length * 2)
    return commitOne(ctx, cell, (t) =>
      payMoves(
        t,
        counting.map((item, at) => payMove(item, t.now, ids[at * 2] as bigint, ids[at * 2 + 1] as bigint)),
      ),
    )
  }

  /** Money that fits nothing: booked, explained, told, and given a day by which somebody decides. */
  const suspend = async (cell: CellId, row: sql.PayableRow, notice: CreditNotice): Promise<CreditOutcome> => {
    const merchant = await merchantOf(cell, row.merchant_id)
    const [itemId, transferId, eventId, mailId] = (await cellOf(ctx, cell).takeIds(4)) as [
      bigint,
      bigint,
      bigint,
      bigint,
    ]
    const paid: bigint = paidAmount(notice)
    await engineTx(ctx, cell, async (t) => {
      const reason: RejectionReason = COMPLETED.has(row.status) ? 'TRANSACTION_COMPLETED' : 'TRANSACTION_EXPIRED'
      const decideBy = new Date(t.now.getTime() + DECIDE_WITHIN_DAYS * 86_400_000)
      await sql.insertSuspended(t, row, notice, {
        id: itemId,
        transferId,
        kobo: paid,
        reason,
        owner: 'operations',
        decideBy,
      })
      await post(t, [
        {
          id: transferId,
          merchantId: row.merchant_id,
          kind: 'SUSPENSE',
          object: 'suspense_item',
          objectId: itemId,
          feeScheduleId: null,
          entries: [
            { account: accountId(HOUSE, 'BANK'), kobo: -paid },
            { account: accountId(HOUSE, 'SUSPENSE'), kobo: paid },
          ],
        },
      ])
      const body = eventBody(rejectedPayment, rejection(row, notice, paid, reason, t.now))
      await announce(t, {
        id: eventId,
        merchantId: row.merchant_id,
        type: rejectedPayment.type,
        object: row.reference,
        objectId: row.id,
        objectVersion: row.version,
        body,
      })
      await queueMail(t, mailId, merchant, suspenseMail(row, paid, reason))
    })
    return 'SUSPENDED'
  }

  const runBatch = async (
    cell: CellId,
    notices: readonly CreditNotice[],
  ): Promise<(CreditOutcome | 'AGAIN' | Error)[]> => {
    const rows = await readAll(ctx, cell, (r) => sql.listPayable(r, notices))
    const now = ctx.clock.now()
    const counting = new Map<number, Counting>()
    for (const [at, row] of rows.entries()) {
      if (!row || row.known || !isWaiting(row, now)) continue
      const notice = notices[at] as CreditNotice
      counting.set(at, { row, notice, paid: paidAmount(notice), merchant: await merchantOf(cell, row.merchant_id) })
    }
    const moved = counting.size > 0 ? await countAll(cell, [...counting.values()]) : new Set<bigint>()
    const results: (CreditOutcome | 'AGAIN' | Error)[] = []
    for (const [at, row] of rows.entries()) {
      if (!row) results.push(new Failure('ACCOUNT_UNKNOWN'))
      else if (row.known) results.push('REPEATED')
      else if (counting.has(at)) results.push(moved.has(row.id) ? 'COUNTED' : 'AGAIN')
      else results.push(await suspend(cell, row, notices[at] as CreditNotice).catch((error: Error) => error))
    }
    return results
  }

  const batch = perCell<CreditNotice, CreditOutcome | 'AGAIN'>(ctx.cells.keys(), (cell) =>
    batcher({
      key: ({ accountNumber, bankCode }) => `${bankCode}/${accountNumber}`,
      run: (notices) => runBatch(cell, notices),
    }),
  )

  /** Takes one notice, once and for all. */
  const credit = async (notice: CreditNotice): Promise<{ outcome: CreditOutcome }> => {
    const cell = findCell(ctx, cellOfAccountNumber(notice.accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
    paidAmount(notice)
    for (let race = 0; race < RACES_MAX; race += 1) {
      try {
        const outcome = await batch(cell.id, notice)
        if (outcome === 'AGAIN') continue // expired or paid between our look and our statement: look again
        if (outcome !== 'REPEATED') ctx.wake(cell.id)
        return { outcome }
      } catch (error) {
        // The same session arrived twice at once; the other one won.
        if ((error as { constraint?: string }).constraint !== 'inbound_credits_pkey') throw error
      }
    }
    return fail('UNAVAILABLE', {}, 'a credit met a race at every try')
  }

  /** Whose account is this? The bank asks when a customer types the number. */
  const enquire = async ({ bankCode, accountNumber }: { bankCode: string; accountNumber: string }) => {
    const cell = findCell(ctx, cellOfAccountNumber(accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
    const asked = { bankCode, accountNumber, sessionId: '' } as CreditNotice
    const row = (await readAll(ctx, cell.id, (r) => sql.listPayable(r, [asked])))[0] ?? fail('ACCOUNT_UNKNOWN')
    const merchant = await merchantOf(cell.id, row.merchant_id)
    return {
      accountName: accountName(merchant.name, row.description),
      open: isWaiting(row, ctx.clock.now()),
      expiresAt: row.expires_at.toISOString(),
    }
  }

  return { credit, enquire }
}

const rejection = (row: sql.PayableRow, notice: CreditNotice, paid: bigint, reason: RejectionReason, now: Date) => ({
  metaData: JSON.parse(row.meta_data) as Record<string, unknown>,
  product: { reference: row.payment_reference, type: 'API_NOTIFICATION' },
  amount: nairaNumber(paid),
  paymentSourceInformation: source(notice, paid),
  transactionReference: row.reference,
  created_on: spacedText(now),
  paymentReference: row.payment_reference,
  paymentRejectionInformation: {
    bankCode: notice.bankCode,
    destinationAccountNumber: notice.accountNumber,
    bankName: bankOf(notice.bankCode)?.name ?? notice.bankCode,
    rejectionReason: reason,
    expectedAmount: nairaNumber(row.kobo),
  },
  paymentDescription: row.description,
  customer: { name: row.customer_name, email: row.customer_email },
})

const suspenseMail = (row: sql.PayableRow, paid: bigint, reason: RejectionReason) => ({
  subject: `NGN ${nairaText(paid)} arrived for ${row.reference} and could not be counted`,
  text: [
    `NGN ${nairaText(paid)} arrived for the transaction ${row.reference} (your reference ${row.payment_reference}).`,
    reason === 'TRANSACTION_EXPIRED'
      ? 'The transaction had expired, so the money was not counted.'
      : 'The transaction was complete already, so the money was not counted.',
    `It is held in suspense. Somebody will decide within ${DECIDE_WITHIN_DAYS} days whether it is returned.`,
  ].join('\n\n'),
})
