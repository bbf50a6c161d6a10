// Credits: the bank tells that money has come to one of our numbers.
//   known session → REPEATED      counted by the merchant's policy → COUNTED (the transaction moves)      anything else → SUSPENDED
// A number that no payment was given may be a wallet's: then it is a top-up (features/collections/top-ups.ts).
// Books: COUNTED moves bank → merchant pending, shares and fee income; SUSPENDED moves bank → suspense (suspense.ts). A
// session is counted once, whatever the bank repeats: its row and the move are one statement, and the row's key is the
// session.
import { bankOf } from '@cowrie/contract/bank/banks'
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { shownBankCode } from '@cowrie/contract/collections/payment-policy'
import { productOf, transactionMachine } from '@cowrie/contract/collections/transactions'
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { feeOfPart, type Kobo, kobo, nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { feeScheduleAt, type Merchant, type Merchants } from '../../core/access/merchants.ts'
import { cellOf, commitHot, engineTx, findCell, isRefusal, readAll, readHot } from '../../core/cells.ts'
import { batcher, perCell } from '../../core/coalesce.ts'
import { eventBody } from '../../core/events.ts'
import { type CreditOutcome, type CustomerAccounts, customerAccountsOf, onePerProcess } from '../../core/feature.ts'
import { mover } from '../../core/ledger/move.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import { Failure, fail } from '../../kit/fail.ts'
import { type CellId, cellOfAccountNumber } from '../../kit/ids.ts'
import { spacedText } from '../../kit/times.ts'
import { type Counted, judge } from '../payment-policy/payment-policy.ts'
import { isOpen } from '../transactions/status.ts'
import { accountName, type NewTransaction } from '../transactions/transactions.ts'
import * as sql from './credits.sql.ts'
import { collection } from './postings.ts'
import { compareRepeated } from './repeated.ts'
import { sourceOf, suspend, suspendUnknown } from './suspense.ts'
import { findWalletHolder, topUp } from './top-ups.ts'

/** AGAIN: it moved under us. UNKNOWN: the number is no transaction's and no reserved account's. */
type Taken = CreditOutcome | 'AGAIN' | 'UNKNOWN'

const RACES_MAX = 10
/** What the database refuses a session by that was taken already; which of the two it meets first is its own affair. */
const ONE_SESSION: ReadonlySet<string> = new Set(['inbound_credits_pkey', 'suspense_items_bank_reference_key'])

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
} as const

/** The first transfer of a transaction: nearly all of them. */
const payMoves = mover(transactionMachine, { name: 'transaction_pay', set: PAID_COLUMNS, also: CREDITED })
/** By a tolerance, or on top of others: what is posted depends on what was paid before, so the version must be the one
 *  that was seen; two top-ups leave the same state behind. */
const topUpMoves = mover(transactionMachine, {
  name: 'transaction_top_up',
  set: { ...PAID_COLUMNS, tolerance_kobo: 'bigint' },
  also: CREDITED,
  versioned: true,
})

/** `bookedAt`: no notice came; a statement of the bank shows the money, and it is judged as of then. */
type Arriving = CreditNotice & { readonly bookedAt?: Date }

/** A transaction as it stood when the bank booked the money, if our clock alone has closed it since. Null: the number was
 *  somebody else's then. */
function asBooked(row: sql.PayableRow, bookedAt: Date | undefined): sql.PayableRow | null {
  if (!bookedAt) return row
  if (row.opened_at > bookedAt) return null
  if (bookedAt >= row.expires_at || row.flagged) return row
  if (row.status === 'EXPIRED') return { ...row, status: 'PENDING', closed_at: null }
  const ranOut = row.status === 'PARTIALLY_PAID' && row.closed_at !== null && row.closed_at >= row.expires_at
  return ranOut ? { ...row, closed_at: null } : row
}

type Counting = {
  readonly row: sql.PayableRow
  readonly notice: CreditNotice
  readonly paid: Kobo
  readonly merchant: Merchant
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

type Source = ReturnType<typeof sourceOf>
const sourceOfRow = (row: sql.CountedRow): Source => ({
  bankCode: shownBankCode(row.sender_bank_code),
  amountPaid: nairaNumber(row.kobo),
  accountName: row.sender_name,
  sessionId: row.bank_reference,
  accountNumber: row.sender_account_number,
})

function payMove(item: Counting, before: readonly Source[], now: Date, transferId: bigint, eventId: bigint) {
  const { row, notice, paid, merchant, verdict } = item
  const total = kobo(row.paid_kobo + paid)
  const schedule = feeScheduleAt(merchant, now)
  const fee = kobo(row.fee_kobo + (schedule ? feeOfPart(kobo(row.paid_kobo), paid, schedule) : 0n))
  const body = eventBody(successfulTransaction, {
    product: productOf(row),
    transactionReference: row.reference,
    paymentReference: row.payment_reference,
    paidOn: spacedText(now),
    paymentDescription: row.description,
    metaData: JSON.parse(row.meta_data) as Record<string, unknown>,
    paymentSourceInformation: [...before, sourceOf(notice, paid)],
    destinationAccountInformation: {
      bankCode: notice.bankCode,
      bankName: bankOf(notice.bankCode)?.name ?? notice.bankCode,
      accountNumber: notice.accountNumber,
    },
    amountPaid: nairaNumber(total),
    totalPayable: nairaNumber(row.kobo),
    cardDetails: {},
    paymentMethod: 'ACCOUNT_TRANSFER',
    currency: 'NGN',
    settlementAmount: nairaText(total - fee),
    paymentStatus: STATE_AFTER[verdict.on],
    customer: { name: row.customer_name, email: row.customer_email },
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
      payment_method: 'ACCOUNT_TRANSFER',
      closed_at: verdict.closes || row.expires_at <= now ? now : null,
      on_page: row.on_page,
      tolerance_kobo: verdict.toleranceKobo,
    },
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
      paid: total,
      fee,
      feeScheduleId: schedule?.id ?? null,
      from: 'BANK',
      before: { paid: row.paid_kobo, fee: row.fee_kobo },
    }),
    event: { id: eventId, type: successfulTransaction.type, object: row.reference, body },
  }
}

const paidAmount = (notice: CreditNotice): Kobo => {
  const paid = parseNaira(notice.amount)
  return paid !== null && paid > 0n ? paid : fail('AMOUNT_INVALID', { field: 'amount' })
}
const payerOf = (notice: CreditNotice) => ({
  bankCode: notice.senderBankCode,
  accountNumber: notice.senderAccountNumber,
})

/** Counts credits that make transactions of their own, inside the caller's transaction: the whole of each is what was paid. */
export async function countNew(
  ctx: Ctx,
  t: Tx,
  items: readonly { made: NewTransaction; notice: CreditNotice; paid: Kobo; merchant: Merchant }[],
): Promise<void> {
  if (items.length === 0) return
  const ids = await cellOf(ctx, t.cell).takeIds(items.length * 2)
  const verdict: Counted = { on: 'pay', closes: true, toleranceKobo: 0n }
  const moves = items.map(({ made, notice, paid, merchant }, at) =>
    payMove(
      { row: freshRow(made, t.now), notice, paid, merchant, verdict },
      [],
      t.now,
      ids[at * 2] as bigint,
      ids[at * 2 + 1] as bigint,
    ),
  )
  const moved = await payMoves(t, moves)
  if (moved.size !== items.length) fail('INTERNAL', {}, 'a transaction that was just made has moved')
}

/** A transaction that was made a moment ago, as the paths of money see it. */
export const freshRow = (made: NewTransaction, now: Date): sql.PayableRow => ({
  at: 0n,
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
  on_page: false,
  known: false,
})

export function createCredits(ctx: Ctx, merchants: Merchants, reserved: CustomerAccounts) {
  const merchantOf = async (cell: CellId, id: bigint): Promise<Merchant> =>
    merchants.known(cell, id) ?? (await merchants.byId(cell, id)) ?? fail('INTERNAL', {}, `no merchant ${id}`)

  /** Counts in one statement; answers with the transactions that moved. Those that moved otherwise meanwhile are missing. */
  const countAll = async (cell: CellId, unsorted: readonly Counting[], moves: typeof topUpMoves) => {
    // In the order of their ids, or two processes with notices for the same accounts could wait for each other.
    const counting = unsorted.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1))
    const ids = await cellOf(ctx, cell).takeIds(counting.length * 2)
    const partly = counting.filter(({ row }) => row.status !== 'PENDING').map(({ row }) => row.id)
    const before = partly.length > 0 ? await readAll(ctx, cell, (r) => sql.listCounted(r, partly)) : []
    const sources = Map.groupBy(before, (credit) => credit.transaction_id)
    const count = (t: Tx) =>
      moves(
        t,
        counting.map((item, at) => {
          const earlier = (sources.get(item.row.id) ?? []).map(sourceOfRow)
          return payMove(item, earlier, t.now, ids[at * 2] as bigint, ids[at * 2 + 1] as bigint)
        }),
      )
    if (counting.every(({ row }) => row.status !== 'EXPIRED')) return commitHot(ctx, cell, count)
    return engineTx(ctx, cell, async (t) => {
      const moved = await count(t)
      await sql.unseal(t, [...moved])
      return moved
    })
  }

  /** What became of each transaction of a group. When the group is refused, its items are done one by one here,
   *  not by the batcher: another group of the same batch may be committed already. */
  const countGroup = async (
    cell: CellId,
    group: readonly Counting[],
    moves: typeof topUpMoves,
  ): Promise<[bigint, CreditOutcome | 'AGAIN' | Error][]> => {
    if (group.length === 0) return []
    try {
      const moved = await countAll(cell, group, moves)
      return group.map(({ row }) => [row.id, moved.has(row.id) ? 'COUNTED' : 'AGAIN'])
    } catch (error) {
      if (group.length === 1 || !isRefusal(error)) return group.map(({ row }) => [row.id, error as Error])
      const each: [bigint, CreditOutcome | 'AGAIN' | Error][] = []
      for (const item of group) each.push(...(await countGroup(cell, [item], moves)))
      return each
    }
  }

  const runBatch = async (cell: CellId, notices: readonly Arriving[]): Promise<(Taken | Error)[]> => {
    const rows = await readHot(ctx, cell, (r) => sql.listPayable(r, notices))
    const now = ctx.clock.now()
    const results: (Taken | Error)[] = []
    const elsewhere: number[] = []
    const inHand = new Set<bigint>()
    const counting = new Map<number, Counting>()
    const suspending = new Map<number, () => Promise<void>>()
    for (const [at, row] of rows.entries()) {
      if (!row) elsewhere.push(at)
      else if (row.known) results[at] = 'REPEATED'
      // An account with several numbers leads to one transaction twice; a statement takes a transaction once.
      else if (inHand.has(row.id)) results[at] = 'AGAIN'
      else {
        inHand.add(row.id)
        const notice = notices[at] as Arriving
        const seen = asBooked(row, notice.bookedAt)
        if (!seen) {
          results[at] = new Failure('ACCOUNT_UNKNOWN')
          continue
        }
        const merchant = await merchantOf(cell, row.merchant_id)
        const arrived = { row, notice, paid: paidAmount(notice), merchant }
        const verdict = judge(seen, payerOf(notice), arrived.paid, merchant, notice.bookedAt ?? now)
        if ('on' in verdict) counting.set(at, { ...arrived, verdict })
        else suspending.set(at, () => suspend(ctx, cell, arrived, verdict))
      }
    }
    const plain = [...counting.values()].filter(isPlain)
    const others = [...counting.values()].filter((item) => !isPlain(item))
    const ends = new Map([
      ...(await countGroup(cell, plain, payMoves)),
      ...(await countGroup(cell, others, topUpMoves)),
    ])
    for (const [at, { row }] of counting) results[at] = ends.get(row.id) ?? new Failure('INTERNAL')
    for (const [at, work] of suspending) {
      results[at] = await work().then(
        () => 'SUSPENDED' as const,
        (error: Error) => error,
      )
    }
    if (elsewhere.length > 0) {
      const taken = await reserved.take(
        cell,
        elsewhere.map((at) => notices[at] as CreditNotice),
      )
      for (const [place, at] of elsewhere.entries()) results[at] = taken[place] ?? new Failure('INTERNAL')
    }
    return results
  }

  const batch = perCell<Arriving, Taken>(ctx.cells.keys(), (cell) =>
    batcher({
      key: ({ accountNumber, bankCode }) => `${bankCode}/${accountNumber}`,
      run: (notices) => runBatch(cell, notices),
    }),
  )

  /** A wallet's own number, or one that is nobody's. The bank has the money in either case. */
  const creditOther = async (cell: CellId, notice: CreditNotice, paid: Kobo): Promise<CreditOutcome> => {
    const merchant = await findWalletHolder(ctx, merchants, cell, notice)
    if (merchant) return topUp(ctx, merchant, notice, paid)
    if (await readAll(ctx, cell, (r) => sql.isKnown(r, notice.sessionId))) return 'REPEATED'
    await suspendUnknown(ctx, cell, notice, paid)
    return 'SUSPENDED'
  }

  /** Takes one notice, once and for all. */
  const credit = async (notice: Arriving): Promise<{ outcome: CreditOutcome }> => {
    const cell = findCell(ctx, cellOfAccountNumber(notice.accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
    const paid = paidAmount(notice)
    for (let race = 0; race < RACES_MAX; race += 1) {
      try {
        const taken = await batch(cell.id, notice)
        if (taken === 'AGAIN') continue // it moved between our look and our statement: look again
        const outcome = taken === 'UNKNOWN' ? await creditOther(cell.id, notice, paid) : taken
        if (outcome === 'REPEATED') await compareRepeated(ctx, cell.id, notice.sessionId, paid)
        else ctx.wake(cell.id)
        return { outcome }
      } catch (error) {
        // The same session arrived twice at once; the other one won.
        if (!ONE_SESSION.has((error as { constraint?: string }).constraint ?? '')) throw error
      }
    }
    return fail('UNAVAILABLE', {}, 'a credit met a race at every try')
  }

  /** Whose account is this? The bank asks when a customer types the number. */
  const enquire = async ({ bankCode, accountNumber }: { bankCode: string; accountNumber: string }) => {
    const cell = findCell(ctx, cellOfAccountNumber(accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
    const asked = { bankCode, accountNumber, sessionId: '' } as CreditNotice
    const account = await reserved.enquire(cell.id, asked)
    if (account) return account
    const row = (await readAll(ctx, cell.id, (r) => sql.listPayable(r, [asked])))[0]
    if (!row) {
      const holder = (await findWalletHolder(ctx, merchants, cell.id, asked)) ?? fail('ACCOUNT_UNKNOWN')
      return { accountName: holder.name, open: true, expiresAt: null }
    }
    const merchant = await merchantOf(cell.id, row.merchant_id)
    return {
      accountName: accountName(merchant.name, row.description, row.product_type),
      open: isOpen(row, ctx.clock.now()),
      expiresAt: row.expires_at.toISOString(),
    }
  }

  return { credit, enquire }
}
export type Credits = ReturnType<typeof createCredits>

export const creditsOf = onePerProcess((shared) =>
  createCredits(shared.ctx, shared.merchants, customerAccountsOf(shared)),
)
