// Credits: the bank tells that money has come to one of our numbers.
//   known session → REPEATED      counted by the merchant's policy → COUNTED (the transaction moves)
//     anything else → SUSPENDED
// A number that no payment was given may be a wallet's: then it is a top-up (top-ups.ts). counting.ts counts.
// Books: COUNTED moves bank → merchant pending, shares and fee income; SUSPENDED moves bank → suspense
// (suspense.ts). A session is counted once, whatever the bank repeats: its row and the move are one
// statement, and the row's key is the session.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import type { CreditNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { type Kobo, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { findSchedule, payableKobo } from '#core/access/fees.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { engineTx, findCell, readAll, readHot } from '#core/cells/cells.ts'
import { confirmSeen } from '#core/cells/standbys.ts'
import { coalesce, perCell } from '#core/coalesce.ts'
import {
  type Booked,
  type CreditOutcome,
  type CustomerAccounts,
  findCustomerAccounts,
  onePerProcess,
} from '#core/feature.ts'
import { connectorOfMoney, moneyName, referenceOfMoney } from '#core/routing/names.ts'
import { connectorNumber } from '#core/routing/routing.ts'
import { openBreak } from '#features/bank/breaks/breaks.ts'
import { judge, type Suspended } from '#features/collections/payment-policy/payment-policy.ts'
import { isOpen } from '#features/collections/transactions/status.ts'
import { accountName } from '#features/collections/transactions/transactions.ts'
import type { Ctx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { type CellId, FIRST_CONNECTOR_ID } from '#kit/ids.ts'
import { traceOfEvents } from '#kit/trace.ts'
import { asFormer, asPaid, isForFormer, paidWhen } from './booked.ts'
import { type Counting, countTogether, type Noticed } from './counting.ts'
import * as sql from './credits.sql.ts'
import { type Arrived, isSameSession, suspend, suspendUnknown } from './suspense.ts'
import { findReceiver, topUp } from './top-ups.ts'
import { asNotice, cellForMoney } from './v2/notices.ts'

/** AGAIN: it moved under us. UNKNOWN: the number belongs to no transaction and no reserved account. */
type Taken = CreditOutcome | 'AGAIN' | 'UNKNOWN'

/** Told by the bank, or shown by its statement: then it is `Booked`. */
type Arriving = Noticed & Booked

/** What credits are taken with in one process: notices of a cell that arrive together share its queue. */
export type Credits = {
  readonly ctx: Ctx
  readonly merchants: Merchants
  readonly reserved: CustomerAccounts
  readonly queue: (cell: CellId, notice: Arriving) => Promise<Taken>
}

export function createCredits(ctx: Ctx, merchants: Merchants, reserved: CustomerAccounts): Credits {
  const queue = perCell<Arriving, Taken>(ctx.cells.keys(), (cell) =>
    coalesce({
      name: 'credits',
      key: ({ accountNumber, bankCode }) => `${bankCode}/${accountNumber}`,
      run: (notices) => runBatch({ ctx, merchants, reserved }, cell, notices),
    }),
  )
  return { ctx, merchants, reserved, queue }
}

export const sharedCredits = onePerProcess((shared) =>
  createCredits(shared.ctx, shared.merchants, findCustomerAccounts(shared)),
)

// ---- rules: what the money was for when it was paid

const paidAmount = (notice: CreditNotice): Kobo => {
  const paid = parseNaira(notice.amount)
  return paid !== null && paid > 0n ? paid : fail('AMOUNT_INVALID', { field: 'amount' })
}
const payerOf = (notice: CreditNotice) => ({
  bankCode: notice.senderBankCode,
  accountNumber: notice.senderAccountNumber,
})

// ---- what the bank tells, and what its statement shows

/** Takes one notice, once and for all. */
export async function takeCredit(credits: Credits, arriving: Arriving): Promise<{ outcome: CreditOutcome }> {
  const { ctx } = credits
  const { bankCode, accountNumber } = arriving
  const cell = findCell(ctx, await ctx.ranges.cellOf(bankCode, accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
  return takeIn(credits, cell.id, arriving)
}

/** Takes a notice of the second version: of any connector, and also for a number that no cell has. */
export const takeCreditV2 = (
  credits: Credits,
  notice: CreditNoticeV2,
  from: string,
): Promise<{ outcome: CreditOutcome }> => takeFrom(credits, from, asNotice(notice))

/** Money that only the statement of a connector shows. */
export function takeBookedCredit(
  credits: Credits,
  from: string,
  arriving: Arriving,
): Promise<{ outcome: CreditOutcome }> {
  const [first] = credits.ctx.connectors.all
  return from === first.name && !first.issues() ? takeCredit(credits, arriving) : takeFrom(credits, from, arriving)
}

/** Money that a connector reports, by its notice or by its statement. */
async function takeFrom(credits: Credits, from: string, arriving: Arriving): Promise<{ outcome: CreditOutcome }> {
  const { ctx } = credits
  const nameIn = async (id: CellId): Promise<string | null> => {
    const connector = await connectorNumber(ctx, id, from)
    return connector === null ? null : moneyName(connector, arriving.sessionId)
  }
  const has = async (id: CellId): Promise<boolean> => {
    const name = await nameIn(id)
    return name !== null && readAll(ctx, id, (r) => sql.isKnown(r, name))
  }
  const cell = await cellForMoney(ctx, from, arriving, has)
  const name = await nameIn(cell)
  // A bank that has neither numbers nor payouts of a cell has no money of it; it repeats its notice until
  // it has.
  return name === null
    ? fail('UNAVAILABLE', {}, `${from} reports money, and has no account in cell ${cell} yet`)
    : takeIn(credits, cell, { ...arriving, sessionId: name })
}

/** As many as may pay one number at one moment: each statement takes one of them. */
const RACES_MAX = 50

async function takeIn(credits: Credits, cell: CellId, arriving: Arriving): Promise<{ outcome: CreditOutcome }> {
  const { ctx, queue } = credits
  const trace = traceOfEvents()
  const notice = trace === null ? arriving : { ...arriving, trace }
  const paid = paidAmount(notice)
  for (let race = 0; race < RACES_MAX; race += 1) {
    try {
      const taken = await queue(cell, notice)
      if (taken === 'AGAIN') continue // it moved between our look and our statement: look again
      const outcome = taken === 'UNKNOWN' ? await takeOther(credits, cell, notice, paid) : taken
      if (outcome === 'REPEATED') {
        // The bank sends it no more once it is told so.
        await engineTx(ctx, cell, confirmSeen)
        await compareRepeated(ctx, cell, notice.sessionId, paid)
      } else ctx.wake(cell)
      return { outcome }
    } catch (error) {
      // The same session arrived twice at once; the other one won.
      if (!isSameSession(error)) throw error
    }
  }
  return fail('UNAVAILABLE', {}, 'a credit met a race at every try')
}

/** A wallet's own number, or one that is nobody's. The bank has the money in either case. */
async function takeOther(
  { ctx, merchants }: Credits,
  cell: CellId,
  notice: CreditNotice,
  paid: Kobo,
): Promise<CreditOutcome> {
  const account = { ...notice, connector: connectorOfMoney(notice.sessionId) }
  const receiver = await findReceiver(ctx, merchants, cell, account)
  if (receiver && !receiver.merchant.suspended) return topUp(ctx, receiver, notice, paid)
  if (await readAll(ctx, cell, (r) => sql.isKnown(r, notice.sessionId))) return 'REPEATED'
  await suspendUnknown(ctx, cell, notice, paid, receiver ? 'MERCHANT_SUSPENDED' : 'ACCOUNT_UNKNOWN')
  return 'SUSPENDED'
}

/** A session stands for one amount. A repetition with another one changes nothing, and is a break for the
 *  operator. */
async function compareRepeated(ctx: Ctx, cell: CellId, name: string, paid: Kobo): Promise<void> {
  const taken = await readAll(ctx, cell, (r) => sql.findTaken(r, name))
  if (!taken || taken.kobo === paid) return
  const { merchant_id: merchantId, kobo } = taken
  const says = `The bank repeated the session with ${nairaText(paid)} naira; we have booked ${nairaText(kobo)}.`
  const whose = { connector: connectorOfMoney(name), sessionId: referenceOfMoney(name) }
  const found = { class: 'AMOUNT', merchantId, kind: 'CREDIT', ...whose, bankKobo: paid, ourKobo: kobo, says } as const
  const fresh = await engineTx(ctx, cell, (t) => openBreak(ctx, t, found))
  const about = { cell, merchantId, object: 'credit', sessionId: whose.sessionId, kind: 'CREDIT' }
  if (fresh) ctx.log.error('bank repeated a credit with a different amount', about)
}

// ---- notices of one cell that arrived together

/** What is to be done with one notice of a batch. elsewhere: no transaction has the number; again: look at it
 *  once more; nobody: nobody had the number when the bank booked the money. */
type Task =
  | { readonly kind: 'repeated' | 'again' | 'nobody' }
  | ({ readonly kind: 'count' } & Counting)
  | { readonly kind: 'suspend'; readonly arrived: Arrived; readonly verdict: Suspended }
  | { readonly kind: 'elsewhere'; readonly notice: Arriving }
type Placed = Task & { readonly at: number }
const selectKind = <K extends Task['kind']>(tasks: readonly Placed[], kind: K) =>
  tasks.filter((task): task is Extract<Placed, { kind: K }> => task.kind === kind)

type Takers = Omit<Credits, 'queue'>

async function runBatch(takers: Takers, cell: CellId, notices: readonly Arriving[]): Promise<(Taken | Error)[]> {
  const { ctx, reserved } = takers
  const rows = await listHolders(ctx, cell, notices)
  const [now, inHand] = [ctx.clock.now(), new Set<bigint>()]
  const tasks: Placed[] = []
  for (const [at, notice] of notices.entries())
    tasks.push({ at, ...(await classify(takers, cell, rows[at], notice, inHand, now)) })
  const results: (Taken | Error)[] = []
  for (const { at } of selectKind(tasks, 'repeated')) results[at] = 'REPEATED'
  for (const { at } of selectKind(tasks, 'again')) results[at] = 'AGAIN'
  for (const { at } of selectKind(tasks, 'nobody')) results[at] = new Failure('ACCOUNT_UNKNOWN')
  const counting = selectKind(tasks, 'count')
  const counted = await countTogether(ctx, cell, counting)
  for (const { at, row } of counting)
    results[at] =
      counted.get(row.id) ?? new Failure('INTERNAL', {}, `transaction ${row.id}: its credit was not counted`)
  for (const { at, arrived, verdict } of selectKind(tasks, 'suspend')) {
    results[at] = await suspend(ctx, cell, arrived, verdict).then(
      () => 'SUSPENDED' as const,
      (error: Error) => error,
    )
  }
  const elsewhere = selectKind(tasks, 'elsewhere')
  if (elsewhere.length === 0) return results
  const notTransactions = elsewhere.map(({ notice }) => notice)
  const taken = await reserved.take(cell, notTransactions)
  for (const [place, { at, notice }] of elsewhere.entries())
    results[at] = taken[place] ?? new Failure('INTERNAL', {}, `credit ${notice.sessionId} got no outcome`)
  return results
}

/** What each notice pays: the transaction that has the number, or the one that had it when the money was
 *  paid. */
async function listHolders(
  ctx: Ctx,
  cell: CellId,
  notices: readonly Arriving[],
): Promise<(sql.PayableRow | undefined)[]> {
  const rows = await readHot(ctx, cell, (r) => sql.listPayable(r, notices))
  const late = notices.flatMap((notice, at) =>
    rows[at] && isForFormer(rows[at], notice, ctx.clock.now()) ? [{ notice, at }] : [],
  )
  if (late.length === 0) return rows
  const lateNotices = late.map(({ notice }) => notice)
  const former = await readAll(ctx, cell, (r) => sql.listFormer(r, lateNotices))
  for (const [place, { at }] of late.entries()) {
    const row = former[place]
    rows[at] = row && asFormer(row) // without it, because its month has left, the money is nobody's that we know
  }
  return rows
}

/** What is to be done with a notice. `inHand`: transactions that a notice of the same batch moves. */
async function classify(
  { merchants }: Takers,
  cell: CellId,
  row: sql.PayableRow | undefined,
  notice: Arriving,
  inHand: Set<bigint>,
  now: Date,
): Promise<Task> {
  if (!row) return { kind: 'elsewhere', notice }
  if (row.known) return { kind: 'repeated' }
  // An account with several numbers leads to one transaction twice; a statement takes a transaction once.
  if (inHand.has(row.id)) return { kind: 'again' }
  inHand.add(row.id)
  const paidAt = paidWhen(row, notice, now)
  const seen = asPaid(row, paidAt)
  if (!seen) return { kind: 'nobody' }
  const merchant = await merchantOf(merchants, cell, row)
  const arrived = { row, notice, paid: paidAmount(notice), merchant, paidAt }
  const verdict = judge(seen, payerOf(notice), arrived.paid, merchant, paidAt ?? now)
  return 'on' in verdict ? { kind: 'count', ...arrived, verdict } : { kind: 'suspend', arrived, verdict }
}

/** The merchant that money is for. Another process may have quoted by a schedule that was made within the
 *  seconds in which this one does not know it yet: then it looks again. */
async function merchantOf(merchants: Merchants, cell: CellId, row: sql.PayableRow): Promise<Merchant> {
  const merchant = await merchants.must(cell, row.merchant_id)
  const { quoted_schedule_id: id } = row
  if (id === null || findSchedule(merchant, id)) return merchant
  merchants.forget(cell)
  return merchants.must(cell, row.merchant_id)
}

// ---- presenter

/** Whose account is this? The bank asks when a customer types the number. */
export async function findHolder(
  { ctx, merchants, reserved }: Credits,
  { bankCode, accountNumber }: { bankCode: string; accountNumber: string },
) {
  const cell = findCell(ctx, await ctx.ranges.cellOf(bankCode, accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
  const notice = { bankCode, accountNumber, sessionId: '' } as CreditNotice
  const customer = await reserved.enquire(cell.id, notice)
  if (customer) return customer
  const row = (await readAll(ctx, cell.id, (r) => sql.listPayable(r, [notice])))[0]
  if (!row) {
    const account = { bankCode, accountNumber, connector: FIRST_CONNECTOR_ID }
    const holder = (await findReceiver(ctx, merchants, cell.id, account)) ?? fail('ACCOUNT_UNKNOWN')
    return { accountName: holder.name, open: !holder.merchant.suspended, expiresAt: null }
  }
  const merchant = await merchants.must(cell.id, row.merchant_id)
  return {
    accountName: accountName(merchant.name, row.description, row.product_type),
    open: !merchant.suspended && isOpen(row, ctx.clock.now()),
    expiresAt: row.expires_at.toISOString(),
    amount: nairaText(payableKobo(row) > row.paid_kobo ? payableKobo(row) - row.paid_kobo : 0n),
  }
}
