// What the bank says of a transfer, applied: paid, not paid, or reversed.
//   PENDING → SUCCESS → REVERSED        PENDING → FAILED        waiting for a code → EXPIRED
// Books: paid: hold → bank and fee income (PAYOUT). Not paid: hold → wallet (PAYOUT_RELEASE). Reversed: bank
// and fee income → wallet (PAYOUT_REVERSAL). Each once: the move compares the state it saw.
import { findBank } from '@cowrie/contract/bank/banks'
import { failedDisbursement, reversedDisbursement, successfulDisbursement } from '@cowrie/contract/events/payouts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { disbursementMachine } from '@cowrie/contract/payouts/disbursements'
import type { Merchant } from '#core/access/merchants.ts'
import { commitOne, engineTx, readAs } from '#core/cells/cells.ts'
import { withIds } from '#core/cells/with-ids.ts'
import { type Coalesced, coalesce, perCell } from '#core/coalesce.ts'
import { type Announcement, announceAll, eventBody } from '#core/events.ts'
import { accountId, bankAccount, houseAccount } from '#core/ledger/chart.ts'
import { type Entry, lockWallets, type Posting } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { banksOfWallets, toHolder } from '#features/wallets/wallets/holders.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { unpaddedText } from '#kit/times.ts'
import { FEE_WORDS, walletEntries } from './acceptance/accept.ts'
import * as sql from './disbursements.sql.ts'
import { feeCharged, feeReturned } from './presenter.ts'
import { closeRows } from './progress.ts'

type Row = sql.Row

export const moveDisbursements = mover(disbursementMachine, {
  name: 'disbursement',
  set: {
    description: 'text',
    session_id: 'text',
    connector: 'smallint',
    question_at: 'timestamptz',
    completed_at: 'timestamptz',
  },
})

export type End = 'succeed' | 'fail' | 'reverse' | 'expire'
export type Ending = {
  readonly row: Row
  readonly merchant: Merchant
  readonly on: End
  readonly description: string
  /** Of the request that it ends for; ends are applied together with those of other requests. */
  readonly trace?: string | null
}

const FROM = { succeed: 'PENDING', fail: 'PENDING', reverse: 'SUCCESS' } as const

/** Whose wallet it was paid from, and whose bore its fee. */
function ownersOf(row: Row): { readonly owner: bigint; readonly feeOwner: bigint } {
  const owner = row.wallet_id ?? row.merchant_id
  return { owner, feeOwner: row.fee_owner ?? owner }
}
export const walletsToLock = (row: Row): bigint[] => {
  const { owner, feeOwner } = ownersOf(row)
  return [...new Set([owner, feeOwner])].map((one) => accountId(one, 'WALLET'))
}

function entriesOf({ row, on }: Ending): Entry[] {
  const owners = ownersOf(row)
  const hold = accountId(owners.owner, 'PAYOUT_HOLD')
  const [bank, fees] = [bankAccount(row.connector), houseAccount('FEE_INCOME')]
  const whole = row.kobo + row.fee_kobo
  if (on === 'succeed')
    return [
      { account: hold, kobo: -whole },
      { account: bank, kobo: row.kobo },
      { account: fees, kobo: row.fee_kobo },
    ]
  if (on === 'reverse')
    return [
      { account: bank, kobo: -row.kobo },
      { account: fees, kobo: -row.fee_kobo },
      ...walletEntries(owners, row.kobo, row.fee_kobo),
    ]
  return [{ account: hold, kobo: -whole }, ...walletEntries(owners, row.kobo, row.fee_kobo)]
}

const KINDS = {
  succeed: 'PAYOUT',
  fail: 'PAYOUT_RELEASE',
  expire: 'PAYOUT_RELEASE',
  reverse: 'PAYOUT_REVERSAL',
} as const

const postingOf = (ending: Ending, id: bigint): Posting => ({
  id,
  merchantId: ending.row.merchant_id,
  kind: KINDS[ending.on],
  object: 'disbursement',
  objectId: ending.row.id,
  feeScheduleId: ending.row.fee_schedule_id,
  entries: entriesOf(ending),
})

const ENDED = { succeed: 'SUCCESS', fail: 'FAILED', expire: 'EXPIRED', reverse: 'REVERSED' } as const

/** The body of the event of the outcome. */
function bodyOf({ row, on, description }: Ending, now: Date): { type: string; body: string } {
  const ended = { ...row, status: ENDED[on] }
  const shared = {
    amount: nairaNumber(row.kobo),
    transactionReference: row.transaction_reference,
    fee: feeCharged(ended),
    destinationAccountNumber: row.account_number,
    sessionId: on === 'fail' ? '' : (row.session_id ?? ''),
    createdOn: unpaddedText(row.created_at),
    destinationAccountName: row.account_name ?? '',
    reference: row.reference,
    destinationBankCode: row.bank_code,
    completedOn: unpaddedText(now),
    narration: row.narration,
    currency: 'NGN',
  }
  const more = {
    transactionDescription: description,
    destinationBankName: findBank(row.bank_code)?.name ?? row.bank_code,
  }
  if (on === 'reverse')
    return {
      type: reversedDisbursement.type,
      body: eventBody(reversedDisbursement, { ...shared, ...feeReturned(ended), status: 'REVERSED' }),
    }
  return on === 'fail'
    ? { type: failedDisbursement.type, body: eventBody(failedDisbursement, { ...shared, ...more, status: 'FAILED' }) }
    : {
        type: successfulDisbursement.type,
        body: eventBody(successfulDisbursement, { ...shared, ...more, status: 'SUCCESS' }),
      }
}

function moveOf(ending: Ending, ids: { readonly posting: bigint; readonly event: bigint }, now: Date) {
  const { row, on, description, trace = null } = ending
  const move = {
    id: row.id,
    merchantId: row.merchant_id,
    set: { description, session_id: row.session_id, connector: row.connector, question_at: null, completed_at: now },
    post: postingOf(ending, ids.posting),
  }
  if (on === 'expire') return { ...move, on, from: row.status }
  return { ...move, on, from: FROM[on], event: { id: ids.event, object: row.reference, trace, ...bodyOf(ending, now) } }
}

/** Several ends in one transaction; answers the ids that came to theirs now. Those in another state are left
 *  alone. */
export async function endAll(ctx: Ctx, t: Tx, endings: readonly Ending[]): Promise<ReadonlySet<bigint>> {
  const numbered = await withIds(ctx, t.cell, endings, 'posting', 'event', 'activity', 'fee')
  const back = endings.filter(({ on }) => on !== 'succeed')
  // Wallets first, in the order of their ids: what is returned is reported with the balance before and after.
  const balances = await lockWallets(t, [...new Set(back.flatMap(({ row }) => walletsToLock(row)))])
  const moved = await moveDisbursements(
    t,
    numbered.map(([ending, ids]) => moveOf(ending, ids, t.now)),
  )
  const banks = await banksOfWallets(
    t,
    back.map(({ row }) => row.wallet_id),
  )
  const announcements = numbered.flatMap(([ending, ids]) =>
    ending.on === 'succeed' || !moved.has(ending.row.id) ? [] : backNotices(ending, ids, { balances, banks }, t),
  )
  await announceAll(t, announcements)
  await closeRows(
    ctx,
    t,
    endings
      .filter(({ row, on }) => row.batch_id !== null && on !== 'reverse' && moved.has(row.id))
      .map(({ row }) => row),
  )
  return moved
}

/** What is reported to the merchant of money that is back; `balances` are those before it, and then those
 *  after it; `banks` are those of customers' wallets. */
function backNotices(
  { row, merchant }: Ending,
  ids: { readonly activity: bigint; readonly fee: bigint },
  { balances, banks }: { readonly balances: Map<bigint, bigint>; readonly banks: ReadonlyMap<bigint, string> },
  { now }: Tx,
): Announcement[] {
  const owners = ownersOf(row)
  const bankCode = row.wallet_id === null ? merchant.wallet.bankCode : banks.get(row.wallet_id)
  if (bankCode === undefined) return fail('INTERNAL', {}, `wallet ${row.wallet_id} not found`)
  const source = toHolder(merchant, { accountNumber: row.source_account, bankCode })
  return walletEntries(owners, row.kobo, row.fee_kobo).map(({ account, kobo }) => {
    const before = balances.get(account) ?? fail('INTERNAL', {}, `wallet ${account} not found`)
    const movement = { objectId: row.id, version: row.version + 1, before, after: before + kobo }
    balances.set(account, movement.after)
    const { reference, narration } = row
    return account === accountId(owners.owner, 'WALLET')
      ? toActivity(source, { ...movement, id: ids.activity, reference, narration }, now)
      : toActivity(merchant, { ...movement, id: ids.fee, reference, narration: FEE_WORDS }, now)
  })
}

/** Paid and reversed, reported at once: in one transaction, because nobody would remember the second half.
 *  Where the first was applied by somebody else meanwhile, the second follows it; false when it was in
 *  another state. The wallet comes first, as with whoever accepts: the payment locks the hold. */
export async function reverseAtOnce(ctx: Ctx, t: Tx, paid: Ending, reversed: Ending): Promise<boolean> {
  await lockWallets(t, walletsToLock(paid.row))
  const first = await endAll(ctx, t, [paid])
  const row: Row = { ...paid.row, status: 'SUCCESS', version: paid.row.version + 1 }
  const second = await endAll(ctx, t, [{ ...reversed, row }])
  if (first.size > second.size) fail('INTERNAL', {}, `transfer ${row.id}: state changed despite row lock`)
  return second.size === 1
}

export type ApplyOutcome = (cell: CellId, ending: Ending) => Promise<boolean>

/** Puts an end into effect, together with others that come at the same time; false when it was in another
 *  state. */
export const createApplyOutcome = (ctx: Ctx): ApplyOutcome =>
  perCell(
    ctx.cells.keys(),
    (cell): Coalesced<Ending, boolean> =>
      coalesce({
        name: 'payout-outcomes',
        key: ({ row }) => String(row.id),
        run: async (endings) => {
          const simple = endings.every(({ row, on }) => on === 'succeed' && row.batch_id === null)
          const moved = simple
            ? await payAll(ctx, cell, endings)
            : await engineTx(ctx, cell, (t) => endAll(ctx, t, endings))
          return endings.map(({ row }) => moved.has(row.id))
        },
      }),
  )

/** What nearly every transfer comes to: one statement, which is its own transaction. */
async function payAll(ctx: Ctx, cell: CellId, endings: readonly Ending[]): Promise<ReadonlySet<bigint>> {
  const numbered = await withIds(ctx, cell, endings, 'posting', 'event')
  return commitOne(ctx, cell, (t) =>
    moveDisbursements(
      t,
      numbered.map(([ending, ids]) => moveOf(ending, ids, t.now)),
    ),
  )
}

// ---- an outcome that a silent bank has confirmed in writing: applied as its notice would have been

/** A merchant's transfer that the bank was sent and has not ended; null when there is none under the
 *  reference. */
export async function findSent(ctx: Ctx, merchant: Merchant, reference: string): Promise<Row | null> {
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference))
  return row?.status === 'PENDING' && row.session_id !== null ? row : null
}

/** In the caller's transaction; refuses when the bank's own word came first. */
export async function endSent(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  reference: string,
  end: { readonly on: 'succeed' | 'fail'; readonly description: string },
): Promise<bigint> {
  const row = await sql.lock(t, merchant.id, reference)
  if (row?.status !== 'PENDING' || row.session_id === null)
    return fail('WRONG_STATE', {}, `transfer ${reference} is not under way`)
  const moved = await endAll(ctx, t, [{ row, merchant, ...end }])
  return moved.has(row.id) ? row.id : fail('WRONG_STATE', {}, `transfer ${reference} has ended meanwhile`)
}
