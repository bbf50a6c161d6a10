// Counting: money that the merchant's policy takes moves its transaction: row, posting, event and the bank's
// reference in one statement, for all notices of a batch together. What the first of them finds, the others
// of a transaction add to.

import { findBank } from '@cowrie/contract/bank/banks'
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { publicBankCode } from '@cowrie/contract/collections/payment-policy'
import { toProduct, transactionMachine } from '@cowrie/contract/collections/transactions'
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { calculatePartFee, type Kobo, kobo, nairaNumber, nairaText } from '@cowrie/contract/kit/money'
import type { CollectionMethod } from '@cowrie/contract/settlements/fees'
import { feeScheduleFor, NOT_QUOTED, payableKobo } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, commitHot, engineTx, isRefusal, readAll } from '#core/cells/cells.ts'
import { eventBody } from '#core/events.ts'
import type { Booked } from '#core/feature.ts'
import { bankAccount } from '#core/ledger/chart.ts'
import { mover } from '#core/ledger/move.ts'
import { connectorOfMoney, referenceOfMoney } from '#core/routing/names.ts'
import type { Counted } from '#features/collections/payment-policy/payment-policy.ts'
import { unsealBlocks } from '#features/collections/transactions/blocks.ts'
import type { NewTransaction } from '#features/collections/transactions/transactions.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, idsFrom } from '#kit/ids.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './credits.sql.ts'
import { collection } from './postings.ts'
import { presentSource } from './suspense.ts'

const PAID_COLUMNS = {
  paid_kobo: 'bigint',
  fee_kobo: 'bigint',
  payment_method: 'text',
  closed_at: 'timestamptz',
  on_page: 'boolean',
} as const
const CREDITED = {
  table: 'inbound_credits',
  columns: sql.CREDIT_COLUMNS,
  fixed: { merchant_id: 'merchant_id', transaction_id: 'id', transfer_id: 'transfer_id', outcome: `'COUNTED'` },
  name: { table: 'bank_sessions', columns: ['bank_reference', 'merchant_id', 'transfer_id'] },
} as const

/** The first transfer of a transaction: nearly all of them. */
const payMoves = mover(transactionMachine, { name: 'transaction_pay', set: PAID_COLUMNS, sideRow: CREDITED })
/** By a tolerance, or on top of others: what is posted depends on what was paid before, so the version must
 *  be the one that was seen; two top-ups leave the same state behind. */
const topUpMoves = mover(transactionMachine, {
  name: 'transaction_top_up',
  set: { ...PAID_COLUMNS, tolerance_kobo: 'bigint' },
  sideRow: CREDITED,
  versioned: true,
})

/** A notice, its session the name that our books have for it (core/routing/names.ts), and the trace that the
 *  bank named with it: notices are counted together. */
export type Noticed = CreditNotice & { readonly trace?: string }

export type Counting = {
  readonly row: sql.PayableRow
  readonly notice: Noticed
  readonly paid: Kobo
  readonly merchant: Merchant
  /** When it was paid, where only a statement shows it: its price and its dates are of then. */
  readonly paidAt: Date | undefined
  readonly verdict: Counted
}

const STATE_AFTER = {
  pay: 'PAID',
  payLess: 'PARTIALLY_PAID',
  payMore: 'OVERPAID',
  topUp: 'PARTIALLY_PAID',
  topUpAll: 'PAID',
  topUpMore: 'OVERPAID',
} as const

const isPlain = ({ row, verdict }: Counting): boolean => row.status === 'PENDING' && verdict.toleranceKobo === 0n

type Source = ReturnType<typeof presentSource>
const sourceOfRow = (row: sql.CountedRow): Source => ({
  bankCode: publicBankCode(row.sender_bank_code),
  amountPaid: nairaNumber(row.kobo),
  accountName: row.sender_name,
  sessionId: referenceOfMoney(row.bank_reference),
  accountNumber: row.sender_account_number,
})

const methodOf = ({ channel }: CreditNotice): CollectionMethod => (channel === 'USSD' ? channel : 'ACCOUNT_TRANSFER')

function payMove(item: Counting, before: readonly Source[], now: Date, transferId: bigint, eventId: bigint) {
  const { row, notice, paid, merchant, verdict, paidAt = now } = item
  const total = kobo(row.paid_kobo + paid)
  const schedule = feeScheduleFor(merchant, row, methodOf(notice), paidAt)
  const fee = kobo(row.fee_kobo + (schedule ? calculatePartFee(kobo(row.paid_kobo), paid, schedule) : 0n))
  const body = eventBody(successfulTransaction, {
    product: toProduct(row),
    transactionReference: row.reference,
    paymentReference: row.payment_reference,
    paidOn: spacedText(paidAt),
    paymentDescription: row.description,
    metaData: parseExact(row.meta_data) as Record<string, unknown>,
    paymentSourceInformation: [...before, presentSource(notice, paid)],
    destinationAccountInformation: {
      bankCode: notice.bankCode,
      bankName: findBank(notice.bankCode)?.name ?? notice.bankCode,
      accountNumber: notice.accountNumber,
    },
    amountPaid: nairaNumber(total),
    totalPayable: nairaNumber(payableKobo(row)),
    cardDetails: {},
    paymentMethod: methodOf(notice),
    currency: 'NGN',
    settlementAmount: nairaText(total - fee),
    paymentStatus: STATE_AFTER[verdict.on],
    customer: { name: row.customer_name, email: row.customer_email },
    ...(row.by_page ? { openedBy: 'PAGE' as const } : {}),
  })
  return {
    on: verdict.on,
    id: row.id,
    merchantId: row.merchant_id,
    from: row.status as 'PENDING' | 'PARTIALLY_PAID' | 'EXPIRED',
    version: row.version,
    set: {
      paid_kobo: total,
      fee_kobo: fee,
      payment_method: methodOf(notice),
      closed_at: verdict.closes ? paidAt : row.expires_at <= now ? now : null,
      on_page: row.on_page,
      tolerance_kobo: verdict.toleranceKobo,
    },
    sideRow: {
      bank_reference: notice.sessionId,
      kobo: paid,
      account_number: notice.accountNumber,
      bank_code: notice.bankCode,
      sender_name: notice.senderName,
      sender_account_number: notice.senderAccountNumber,
      sender_bank_code: notice.senderBankCode,
      received_at: paidAt,
    },
    post: collection({
      transferId,
      transaction: row,
      paid: total,
      fee,
      feeScheduleId: schedule?.id ?? null,
      from: bankAccount(connectorOfMoney(notice.sessionId)),
      before: { paid: row.paid_kobo, fee: row.fee_kobo },
    }),
    event: {
      id: eventId,
      type: successfulTransaction.type,
      object: row.reference,
      body,
      trace: notice.trace ?? null,
    },
  }
}

/** AGAIN: it moved between the look and the statement. */
type End = 'COUNTED' | 'AGAIN' | Error

/** Counts in one statement; answers with the transactions that moved. Those that moved otherwise meanwhile
 *  are missing. */
async function countAll(
  ctx: Ctx,
  cell: CellId,
  unsorted: readonly Counting[],
  moves: typeof topUpMoves,
): Promise<ReadonlySet<bigint>> {
  // In the order of their ids, or two processes with notices for the same accounts could wait for each other.
  const counting = unsorted.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))
  const next = idsFrom(await cellById(ctx, cell).takeIds(counting.length * 2))
  const partly = counting.filter(({ row }) => row.status !== 'PENDING').map(({ row }) => row.id)
  const before = partly.length > 0 ? await readAll(ctx, cell, (r) => sql.listCounted(r, partly)) : []
  const sources = Map.groupBy(before, (credit) => credit.transaction_id)
  const count = (t: Tx) =>
    moves(
      t,
      counting.map((item) => {
        const earlier = (sources.get(item.row.id) ?? []).map(sourceOfRow)
        return payMove(item, earlier, t.now, next(), next())
      }),
    )
  if (counting.every(({ row }) => row.status !== 'EXPIRED')) return commitHot(ctx, cell, count)
  return engineTx(ctx, cell, async (t) => {
    const moved = await count(t)
    await unsealBlocks(t, [...moved])
    return moved
  })
}

/** What became of each transaction of a group. When the group is refused, its items are done one by one here,
 *  not by coalesce(): another group of the same batch may be committed already. */
async function countGroup(
  ctx: Ctx,
  cell: CellId,
  group: readonly Counting[],
  moves: typeof topUpMoves,
): Promise<[bigint, End][]> {
  if (group.length === 0) return []
  try {
    const moved = await countAll(ctx, cell, group, moves)
    return group.map(({ row }) => [row.id, moved.has(row.id) ? 'COUNTED' : 'AGAIN'])
  } catch (error) {
    if (group.length === 1 || !isRefusal(error)) return group.map(({ row }) => [row.id, error as Error])
    const each: [bigint, End][] = []
    for (const item of group) each.push(...(await countGroup(ctx, cell, [item], moves)))
    return each
  }
}

/** What became of each transaction, by its id. */
export async function countTogether(
  ctx: Ctx,
  cell: CellId,
  counting: readonly Counting[],
): Promise<ReadonlyMap<bigint, End>> {
  const [plain, others] = [counting.filter(isPlain), counting.filter((item) => !isPlain(item))]
  return new Map([
    ...(await countGroup(ctx, cell, plain, payMoves)),
    ...(await countGroup(ctx, cell, others, topUpMoves)),
  ])
}

/** Counts credits that make transactions of their own, inside the caller's transaction: the whole of each is
 *  what was paid. */
export async function countNew(
  ctx: Ctx,
  t: Tx,
  items: readonly { made: NewTransaction; notice: Noticed & Booked; paid: Kobo; merchant: Merchant }[],
): Promise<void> {
  if (items.length === 0) return
  const next = idsFrom(await cellById(ctx, t.cell).takeIds(items.length * 2))
  const verdict: Counted = { on: 'pay', closes: true, toleranceKobo: 0n }
  const moves = items.map(({ made, notice, paid, merchant }) =>
    payMove(
      { row: freshRow(made, t.now), notice, paid, merchant, paidAt: notice.bookedAt, verdict },
      [],
      t.now,
      next(),
      next(),
    ),
  )
  const moved = await payMoves(t, moves)
  if (moved.size !== items.length) {
    const references = items.map(({ made }) => made.reference).join(', ')
    fail('INTERNAL', {}, `transactions ${references}: state of a new one changed before its commit`)
  }
}

/** A transaction that was made a moment ago, as the paths of money see it. */
export const freshRow = (made: NewTransaction, now: Date): sql.PayableRow => ({
  at: 0n,
  by_page: false, // a page's transaction waits for its payer
  id: made.id,
  merchant_id: made.merchantId,
  reference: made.reference,
  payment_reference: made.paymentReference,
  status: 'PENDING',
  version: 1,
  kobo: made.kobo,
  paid_kobo: 0n,
  fee_kobo: 0n,
  customer_name: made.customerName,
  customer_email: made.customerEmail,
  description: made.description,
  meta_data: made.metaData,
  expires_at: now,
  closed_at: null,
  split: made.split,
  product_type: made.product?.type ?? null,
  product_reference: made.product?.reference ?? null,
  flagged: false,
  opened_at: now,
  reissued: false,
  on_page: false,
  known: false,
  ...NOT_QUOTED,
})
