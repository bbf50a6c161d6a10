// What an operator decides about money in suspense: returned, given to a wallet, or kept for longer. Each
// compares the state it found, so that of two decisions at once exactly one happens. Books: given to a
// wallet: suspense → wallet (SUSPENSE_REASSIGN), in the name of the merchant that gets it, and fee income
// where its merchant accepts it; if the bank reverses it afterwards, the mirror (SUSPENSE_REASSIGN_REVERSAL).
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { kobo as koboOf, nairaText } from '@cowrie/contract/kit/money'
import { SUSPENSE_OVERDUE } from '@cowrie/contract/kit/timers'
import { keepSuspense, listSuspense, reassignSuspense, returnSuspense } from '@cowrie/contract/screens/suspense'
import type { Price } from '#core/access/fees.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { type ActCall, type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import { approvedBy, keepApproval, numberIn } from '#core/acts/approved.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, readAll } from '#core/cells/cells.ts'
import { announce } from '#core/events.ts'
import type { Shared } from '#core/feature.ts'
import { accountId, bankAccount, HOUSE, houseAccount } from '#core/ledger/chart.ts'
import { lockWallets, post } from '#core/ledger/ledger.ts'
import { connectorOfMoney, referenceOfMoney } from '#core/routing/names.ts'
import { owedAmount, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { collectFromWallet, takeBack } from '#features/wallets/receivables/receivables.ts'
import { ownWallet, toHolder, type Wallet, walletAt, walletOwnedBy } from '#features/wallets/wallets/holders.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './suspense.sql.ts'
import { isSameSession, itemMoves, sendBack, take } from './suspense.ts'

async function held(t: Tx, id: bigint): Promise<sql.ItemRow> {
  const item = (await sql.lock(t, id)) ?? fail('SUSPENSE_NOT_FOUND')
  return item.status === 'HELD' ? item : fail('WRONG_STATE', {}, `item ${id} in suspense is ${item.status}`)
}

/** Starts its way back; the bank is asked by the timer, as for any other. */
export async function returnHeld(t: Tx, id: bigint): Promise<sql.ItemRow> {
  const item = await held(t, id)
  if (!(await sendBack(t, item))) fail('WRONG_STATE', {}, `item ${id} in suspense is not held any more`)
  return item
}

/** It is returned so many days later than now. */
async function keepHeld(t: Tx, id: bigint, days: number): Promise<{ item: sql.ItemRow; decideBy: Date }> {
  const item = await held(t, id)
  const decideBy = new Date(t.now.getTime() + days * DAY_MS)
  await sql.setDay(t, item, decideBy)
  await schedule(t, SUSPENSE_OVERDUE, item.merchant_id, item.id, decideBy)
  return { item, decideBy }
}

const FREE: Price = { kobo: 0n, scheduleId: null }
export type Target = { readonly merchant: Merchant; readonly wallet: Wallet }

/** Held money may go to a wallet of its merchant; what is nobody's, to any. */
function mayTake(item: Pick<sql.ItemRow, 'merchant_id'>, { merchant }: Target): void {
  if (item.merchant_id !== HOUSE && item.merchant_id !== merchant.id) fail('SUSPENSE_OF_ANOTHER')
}

export async function reassignHeld(
  ctx: Ctx,
  t: Tx,
  id: bigint,
  target: Target,
  /** Null: its merchant accepts it, and asks for no second person. */
  approvalId: bigint | null,
  /** What it costs its merchant to accept it. */
  fee: Price = FREE,
): Promise<sql.ItemRow> {
  const item = await held(t, id)
  mayTake(item, target)
  const [transferId, eventId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  const closed = { ...item, return_session_id: null, closed_at: t.now }
  const { owner, decide_by, refusal, return_session_id, closed_at } = closed
  const set = { owner, decide_by, refusal, return_session_id, closed_at }
  const moved = await itemMoves(t, [{ on: 'reassign', id, merchantId: item.merchant_id, from: 'HELD', set }])
  if (moved.size === 0) fail('WRONG_STATE', {}, `item ${id} in suspense is not held any more`)
  await sql.setReassigned(t, item, transferId)
  await intoWallet(ctx, t, item, target, { transferId, eventId, fee })
  if (approvalId !== null) await keepApproval(t, { transferId, merchantId: target.merchant.id, approvalId })
  return item
}

async function intoWallet(
  ctx: Ctx,
  t: Tx,
  item: sql.ItemRow,
  { merchant, wallet }: Target,
  { transferId, eventId, fee }: { readonly transferId: bigint; readonly eventId: bigint; readonly fee: Price },
): Promise<void> {
  const account = accountId(wallet.owner, 'WALLET')
  const own = wallet.id === null
  // A merchant's debt is collected from its own wallet, never from a customer's.
  const locked = await lockWallets(t, own ? walletAndReceivable(merchant.id) : [account])
  const before = locked.get(account) ?? fail('INTERNAL', {}, `wallet ${account} not found`)
  const net = item.kobo - fee.kobo
  await post(t, [
    {
      id: transferId,
      merchantId: merchant.id,
      kind: 'SUSPENSE_REASSIGN',
      object: 'suspense_item',
      objectId: item.id,
      feeScheduleId: fee.scheduleId,
      entries: [
        { account: houseAccount('SUSPENSE'), kobo: -item.kobo },
        { account, kobo: net },
        ...(fee.kobo > 0n ? [{ account: houseAccount('FEE_INCOME'), kobo: fee.kobo }] : []),
      ],
    },
  ])
  const movement = { id: eventId, objectId: transferId, version: 1, before, after: before + net }
  const words = { reference: referenceOfMoney(item.bank_reference), narration: 'Received, and assigned to this wallet' }
  await announce(t, toActivity(toHolder(merchant, wallet), { ...movement, ...words }, t.now))
  if (own) await collectFromWallet(ctx, t, merchant, { wallet: before + net, owed: owedAmount(locked, merchant.id) })
}

/** The bank has reversed an item that a wallet was given: it is taken out of that wallet, and what the wallet
 *  does not hold is owed; its fee goes back. The caller has the item's lock. Answers whose it was and the
 *  fee; null if no wallet has it. */
export async function reverseReassigned(
  ctx: Ctx,
  merchants: Merchants,
  t: Tx,
  item: sql.ItemRow,
  taken: { readonly transferId: bigint; readonly reversalReference: string; readonly reason: string },
): Promise<{ readonly merchantId: bigint; readonly feeKobo: bigint } | null> {
  const given = item.status === 'REASSIGNED' ? await sql.findReassigned(t, item.id) : null
  if (!given) return null
  const { transferId, reversalReference: reference, reason } = taken
  const merchant = await merchants.must(t.cell, given.merchant_id)
  const wallet = await walletOwnedBy(t, merchant, given.owner)
  const feeKobo = item.kobo - given.kobo
  const posting = {
    id: transferId,
    merchantId: merchant.id,
    kind: 'SUSPENSE_REASSIGN_REVERSAL',
    object: 'suspense_item',
    objectId: item.id,
    feeScheduleId: given.fee_schedule_id,
    entries: [
      { account: accountId(wallet.owner, 'WALLET'), kobo: -given.kobo },
      { account: bankAccount(connectorOfMoney(item.bank_reference)), kobo: item.kobo },
      ...(feeKobo > 0n ? [{ account: houseAccount('FEE_INCOME'), kobo: -feeKobo }] : []),
    ],
  }
  const words = { reference: referenceOfMoney(reference), narration: `Reversed: ${reason}` }
  await takeBack(ctx, t, { merchant, wallet }, { posting, ...words, reversalReference: reference })
  return { merchantId: merchant.id, feeKobo }
}

/** A credit that only the bank's statement has, and nobody owns: into suspense, for the operator to decide
 *  on. */
export async function holdUnowned(
  ctx: Ctx,
  t: Tx,
  notice: CreditNotice,
  kobo: bigint,
  transferId: bigint,
): Promise<void> {
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const nobody = { merchantId: HOUSE, transactionId: null }
  const verdict = { reason: 'ACCOUNT_UNKNOWN', next: 'HOLD' } as const
  await take(t, id, transferId, nobody, { notice, paid: koboOf(kobo) }, verdict).catch((error: unknown) => {
    // The bank's notice of the same credit was a moment faster: our books have it, and nothing is left to
    // correct.
    if (isSameSession(error))
      fail('WRONG_STATE', {}, `the notice of ${referenceOfMoney(notice.sessionId)} arrived meanwhile`)
    throw error
  })
}

export type { ListedRow } from './suspense.sql.ts'

const LISTED_MAX = 1000
const listSuspended = (read: Read): Promise<sql.ListedRow[]> => sql.listOpen(read, LISTED_MAX)

// ---- as acts

const idOf = (text: string): bigint => numberIn(text) ?? fail('SUSPENSE_NOT_FOUND')

/** Whose wallet gets it; of the cell of the item. */
async function targetOf({ ctx }: Shared, call: ActCall<typeof reassignSuspense>): Promise<Target> {
  const { wallet: number } = call.input
  const merchant = call.merchant ?? fail('MERCHANT_UNKNOWN')
  const wallet = number === undefined ? ownWallet(merchant) : await walletAt(ctx, merchant, number, 'wallet')
  return { merchant, wallet }
}

const found = async ({ ctx }: Shared, call: { cell: string; input: { id: string } }) => {
  const [item] = await readAll(ctx, call.cell, (r) => sql.listByIds(r, [idOf(call.input.id)]))
  if (!item) return fail('SUSPENSE_NOT_FOUND')
  return item.status === 'HELD' ? item : fail('WRONG_STATE', {}, `item ${item.id} in suspense is ${item.status}`)
}

const shown = (id: string, kobo: bigint, { merchant, wallet }: Target) => ({
  id,
  state: 'REASSIGNED',
  merchant: merchant.apiKey,
  amount: nairaText(kobo),
  wallet: wallet.accountNumber,
})

export const suspenseActs = (shared: Shared): BoundAct[] => [
  bindAct(returnSuspense, {
    prepare: (_, call) => found(shared, call),
    run: async (t, { input }) => {
      const item = await returnHeld(t, idOf(input.id))
      return {
        reply: { id: input.id, state: 'RETURNING' },
        before: { state: item.status },
        after: { state: 'RETURNING' },
      }
    },
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
  bindAct(reassignSuspense, {
    prepare: async (_, call): Promise<Target> => {
      const target = await targetOf(shared, call)
      mayTake(await found(shared, call), target)
      return target
    },
    run: async (t, call, target: Target) => {
      const item = await reassignHeld(shared.ctx, t, idOf(call.input.id), target, approvedBy(call))
      const reply = shown(call.input.id, item.kobo, target)
      return { reply, before: { state: item.status, amount: reply.amount }, after: reply }
    },
    preview: async (_, call) => {
      const [target, item] = [await targetOf(shared, call), await found(shared, call)]
      mayTake(item, target)
      const reply = shown(call.input.id, item.kobo, target)
      const { amount, wallet } = reply
      const entries = [
        { account: 'suspense', amount: `-${amount}` },
        { account: `wallet ${wallet}`, amount },
      ]
      return { ...reply, posting: 'SUSPENSE_REASSIGN', entries }
    },
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
  bindAct(keepSuspense, {
    run: async (t, { input }) => {
      const { item, decideBy } = await keepHeld(t, idOf(input.id), input.days)
      const reply = { id: input.id, decideBy: decideBy.toISOString() }
      return { reply, before: { decideBy: item.decide_by.toISOString() }, after: { decideBy: reply.decideBy } }
    },
  }),
]

export const suspenseViews: BoundView[] = [
  bindView(listSuspense, async (ctx, { cell }) => {
    const rows = await readAll(ctx, cell, listSuspended)
    const now = ctx.clock.now().getTime()
    const content = rows.map((row) => ({
      id: String(row.id),
      merchant: row.api_key,
      transaction: row.reference,
      sessionId: referenceOfMoney(row.bank_reference),
      amount: nairaText(row.kobo),
      state: row.status,
      reason: row.reason,
      owner: row.owner,
      refusal: row.refusal,
      since: row.created_at.toISOString(),
      ageDays: Math.floor((now - row.created_at.getTime()) / DAY_MS),
      decideBy: row.decide_by.toISOString(),
    }))
    return { content }
  }),
]
