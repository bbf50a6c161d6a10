// Reversals: the bank reverses money that it had credited.
//   the second booking of a credit that the bank had booked twice → its break ends (duplicates.ts)
//   counted → the transaction keeps its state, is flagged and takes no more      in suspense → closed, it is
//     back
//   in a wallet → out of the wallet, however it came there: a top-up, or held money that was given to it
//   gone already → owed by the merchant (features/wallets/receivables)      anything else → a break for a
//     person
// Books: COLLECTION_REVERSAL mirrors what that money had posted: bank, merchant pending, shares and fee.
// Once: the bank's reference of the reversal is the key of its row, and so is the credit. Who waits: nobody;
// the merchant is notified by mail and by an event.

import type { ReversalNotice } from '@cowrie/contract/bank/connector'
import type { ReversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { toProduct, transactionMachine } from '@cowrie/contract/collections/transactions'
import { reversedTransaction } from '@cowrie/contract/events/collections'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { calculatePartFee, kobo, nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, engineTx, findCell, readAll } from '#core/cells/cells.ts'
import { confirmSeen } from '#core/cells/standbys.ts'
import { eventBody } from '#core/events.ts'
import { bankAccount, HOUSE, isOurs } from '#core/ledger/chart.ts'
import type { Posting } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import { lockChains } from '#core/ledger/settlement-chains.ts'
import { connectorOfMoney, moneyName, referenceOfMoney } from '#core/routing/names.ts'
import { connectorNumber } from '#core/routing/routing.ts'
import { openBreak, takenBack } from '#features/bank/breaks/breaks.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { cover } from '#features/wallets/receivables/receivables.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { spacedText } from '#kit/times.ts'
import { reverseReassigned } from './decisions.ts'
import { endDuplicate } from './duplicates.ts'
import { collectionReversal } from './postings.ts'
import * as sql from './reversals.sql.ts'
import { lockByCredit } from './suspense.sql.ts'
import { markReversed } from './suspense.ts'
import { receiverIn, reverseTopUp } from './top-ups.ts'
import { asReversal, cellForMoney } from './v2/notices.ts'

export type ReversalOutcome = 'REVERSED' | 'REPEATED' | 'NOTED'

// ---- money that a transaction had counted

export type Reversal = {
  readonly transactionId: bigint
  /** The bank's reference of the money: the session of a credit, or of a debit of a mandate. */
  readonly bankReference: string
  /** The bank's reference of the reversal. */
  readonly reversalReference: string
  /** The whole amount of that money. */
  readonly kobo: bigint
  /** The bank's words. */
  readonly reason: string
  /** When it happened at the bank. */
  readonly at: Date
}

/** The version must be the one that was seen: what is posted depends on what was paid, and a transaction that
 *  takes parts may take another one at the same moment. */
const reverseMoves = mover(transactionMachine, {
  name: 'transaction_reverse',
  set: { flagged: 'boolean', closed_at: 'timestamptz' },
  sideRow: {
    table: 'credit_reversals',
    columns: sql.REVERSAL_COLUMNS,
    fixed: { merchant_id: 'merchant_id', transaction_id: 'id', transfer_id: 'transfer_id', outcome: `'COUNTED'` },
  },
  versioned: true,
})

/** Reverses, in the caller's transaction, money that a paid transaction had counted: the whole of it, or one
 *  of several credits. Repeating it is harmless. */
export async function reverseCollection(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  asked: Reversal,
): Promise<'REVERSED' | 'REPEATED'> {
  const row = await sql.lockPaid(t, merchant.id, asked.transactionId)
  if (!row) return fail('WRONG_STATE', {}, `transaction ${asked.transactionId} has no money that could be reversed`)
  const taken = await sql.takenSoFar(t, row, asked.bankReference)
  if (taken.known) return 'REPEATED'
  const before = { paid: row.paid_kobo - taken.kobo, fee: row.fee_kobo - taken.fee_kobo }
  const left = before.paid - asked.kobo
  if (left < 0n) fail('INTERNAL', {}, `transaction ${row.id}: reversals exceed what was paid`)
  const parts = await sql.listParts(t, row)
  const isGone = (part: sql.PartRow): boolean => part.bank_reference === asked.bankReference
  const fees = feeOfParts(
    parts.filter((part) => !isGone(part)),
    row.quoted_fee_kobo,
  )
  // Never more than is posted: without an earlier part a later one may bear more, where a cap had spared it.
  // And never is more of the fee returned than there was money: a first part may have been all flat fee, and
  // the others round down without it.
  const after = { paid: left, fee: least(before.fee, most(fees, before.fee - asked.kobo)) }
  const feeScheduleId = parts.find(isGone)?.schedule_id ?? null
  const [transferId, eventId, mailId] = (await cellById(ctx, t.cell).takeIds(3)) as [bigint, bigint, bigint]
  const fee = before.fee - after.fee
  const post = collectionReversal({
    ...{ transferId, transaction: row, before, after, feeScheduleId },
    bank: bankAccount(connectorOfMoney(asked.bankReference)),
  })
  const moved = await reverseMoves(t, [
    {
      on: 'reverse',
      id: row.id,
      merchantId: row.merchant_id,
      from: row.status,
      version: row.version,
      set: { flagged: true, closed_at: row.closed_at ?? t.now },
      sideRow: {
        reversal_reference: asked.reversalReference,
        bank_reference: asked.bankReference,
        kobo: asked.kobo,
        fee_kobo: fee,
        reason: asked.reason,
        taken_at: asked.at,
        heard_at: t.now,
      },
      post,
      event: {
        id: eventId,
        type: reversedTransaction.type,
        object: row.reference,
        body: eventBody(reversedTransaction, reversalData(row, asked, fee, left)),
      },
    },
  ])
  if (moved.size === 0) fail('INTERNAL', {}, `transaction ${row.id}: state changed despite row lock`)
  await queueMail(t, mailId, merchant, reversalMail(row, asked, fee))
  // A settlement may have paid it already, or be about to: from here on none is made beside us.
  await lockChains(t, [merchant.id])
  await cover(ctx, t, merchant, fallen(post), asked.reversalReference)
  return 'REVERSED'
}

/** What merchant and sub accounts are owed less of. */
const fallen = (posting: Posting): bigint[] =>
  posting.entries.filter(({ account, kobo }) => !isOurs(account) && kobo < 0n).map(({ account }) => account)

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b)

/** The fee of credits as if they alone had come, each by the schedule of its moment; never more than was
 *  quoted to the payer. */
function feeOfParts(parts: readonly sql.PartRow[], quoted: bigint | null): bigint {
  let [paid, fee] = [0n, 0n]
  for (const { kobo: part, basis_points: basisPoints, flat_kobo: flatKobo, cap_kobo: capKobo } of parts) {
    if (basisPoints !== null && flatKobo !== null && capKobo !== null)
      fee += calculatePartFee(kobo(paid), kobo(part), { basisPoints, flatKobo, capKobo: quoted ?? capKobo })
    paid += part
  }
  return fee
}

const reversalData = (row: sql.ReversibleRow, asked: Reversal, fee: bigint, left: bigint) => ({
  product: toProduct(row),
  transactionReference: row.reference,
  paymentReference: row.payment_reference,
  paymentStatus: row.status,
  amountReversed: nairaNumber(asked.kobo),
  feeReversed: nairaNumber(fee),
  amountLeft: nairaNumber(left),
  sessionId: referenceOfMoney(asked.bankReference),
  reversalSessionId: referenceOfMoney(asked.reversalReference),
  reason: asked.reason,
  reversedOn: spacedText(asked.at),
  currency: 'NGN',
  metaData: parseExact(row.meta_data) as Record<string, unknown>,
  customer: { name: row.customer_name, email: row.customer_email },
})

const reversalMail = (row: sql.ReversibleRow, asked: Reversal, fee: bigint) => ({
  subject: `The bank reversed ${naira(asked.kobo)} of ${row.reference}`,
  text: [
    `The bank has reversed ${naira(asked.kobo)} paid for transaction ${row.reference} (your reference ${row.payment_reference}).`,
    `The bank's reason: ${asked.reason}`,
    `The transaction stays ${row.status} and is flagged. What was credited to you for it has been reversed${fee > 0n ? `, and its fee of ${naira(fee)} has been refunded to you` : ''}. Please check what you have already delivered.`,
  ].join('\n\n'),
})

// ---- what the bank tells

type Noted = { readonly class: 'AMOUNT' | 'DUPLICATE' | 'REVERSAL'; readonly says: string }
const OTHER_AMOUNT = 'The bank reversed another amount than it had credited. Nothing is posted.'
const TWICE = 'The bank reversed the same credit twice, or two credits under one reference. The second is not posted.'
const RETURNED = 'The bank reversed a credit that we had already returned to its sender. Nothing is posted.'
const TAKEN = 'The bank reversed a credit that a correction had taken back from its merchant. Nothing is posted.'
const WALLET_UNKNOWN =
  'The bank reversed a credit that was given to a wallet, and which one is not known. Nothing is posted.'

/** Takes one notice, once and for all. */
export async function takeReversal(
  ctx: Ctx,
  merchants: Merchants,
  notice: ReversalNotice,
): Promise<{ outcome: ReversalOutcome }> {
  const { bankCode, accountNumber } = notice
  const cell = findCell(ctx, await ctx.ranges.cellOf(bankCode, accountNumber)) ?? fail('ACCOUNT_UNKNOWN')
  return applyIn(ctx, merchants, cell.id, notice)
}

/** Takes a notice of the second version: of any connector, and also for a number that no cell has. */
export async function takeReversalV2(
  ctx: Ctx,
  merchants: Merchants,
  noticeV2: ReversalNoticeV2,
  from: string,
): Promise<{ outcome: ReversalOutcome }> {
  const notice = asReversal(noticeV2)
  const named = async (id: CellId): Promise<ReversalNotice | null> => {
    const connector = await connectorNumber(ctx, id, from)
    if (connector === null) return null
    const { sessionId, reversalSessionId } = notice
    const names = [moneyName(connector, sessionId), moneyName(connector, reversalSessionId)] as const
    return { ...notice, sessionId: names[0], reversalSessionId: names[1] }
  }
  const has = async (id: CellId): Promise<boolean> => {
    const asked = await named(id)
    return asked !== null && (await readAll(ctx, id, (r) => sql.findCredit(r, asked))) !== null
  }
  const cell = await cellForMoney(ctx, from, notice, has)
  return applyIn(ctx, merchants, cell, (await named(cell)) ?? fail('CREDIT_UNKNOWN'))
}

async function applyIn(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  notice: ReversalNotice,
): Promise<{ outcome: ReversalOutcome }> {
  for (let race = 0; race < RACES_MAX; race += 1) {
    try {
      const outcome = await applyOnce(ctx, merchants, cell, notice)
      if (outcome !== 'REPEATED') ctx.wake(cell)
      return { outcome }
    } catch (error) {
      // The same notice came twice at once; the other one won, and the next look finds it.
      if (!isDuplicateKey(error)) throw error
    }
  }
  return fail('UNAVAILABLE', {}, 'a reversal met a race at every try')
}

/** A duplicate that won has committed, and the second look finds it; five is more than enough. */
const RACES_MAX = 5
const DUPLICATE_KEYS: ReadonlySet<string> = new Set(['credit_reversals_pkey', 'credit_reversals_credit_key'])
const isDuplicateKey = (error: unknown): boolean =>
  DUPLICATE_KEYS.has((error as { constraint?: string }).constraint ?? '')

async function applyOnce(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  notice: ReversalNotice,
): Promise<ReversalOutcome> {
  const paid = parseNaira(notice.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
  const at = new Date(notice.at)
  if (Number.isNaN(at.getTime())) fail('FIELD_INVALID', { field: 'at', why: 'is not a valid timestamp' })
  const credit = (await readAll(ctx, cell, (r) => sql.findCredit(r, notice))) ?? fail('CREDIT_UNKNOWN')
  return engineTx(ctx, cell, async (t) => {
    const known = await sql.listKnown(t, notice.sessionId, notice.reversalSessionId)
    const same = known.find((one) => one.reversal_reference === notice.reversalSessionId)
    if (same && same.bank_reference === notice.sessionId) {
      await confirmSeen(t)
      return 'REPEATED'
    }
    const asked: Reversal = {
      transactionId: credit.transaction_id ?? 0n,
      bankReference: notice.sessionId,
      reversalReference: notice.reversalSessionId,
      kobo: paid,
      reason: notice.reason,
      at,
    }
    const ended = await endDuplicate(ctx, t, asked)
    if (ended) return ended
    const twice = { class: 'DUPLICATE', says: TWICE } as const
    const noted =
      known.length > 0 ? twice : ((await takenByPeople(t, credit)) ?? (await apply(ctx, merchants, t, credit, asked)))
    if (typeof noted === 'string') return noted
    const fresh = await openBreak(ctx, t, {
      ...noted,
      merchantId: credit.merchant_id,
      kind: 'REVERSAL',
      connector: connectorOfMoney(notice.sessionId),
      sessionId: referenceOfMoney(notice.reversalSessionId),
      bankKobo: paid,
      ourKobo: credit.kobo,
    })
    return fresh ? 'NOTED' : 'REPEATED'
  })
}

/** Two people may have taken it back before, because no statement bore it out (a correction FROM_MERCHANT):
 *  not again. They take the same lock first, so whoever comes second sees what the first has done. */
async function takenByPeople(t: Tx, { merchant_id: merchantId, bank_reference: name }: sql.CreditRow) {
  if (merchantId === HOUSE) return null
  await lockChains(t, [merchantId])
  const credit = { merchantId, sessionId: referenceOfMoney(name), connector: connectorOfMoney(name) }
  return (await takenBack(t, credit)) > 0n ? ({ class: 'REVERSAL', says: TAKEN } as const) : null
}

/** What follows from a reversal. */
async function apply(
  ctx: Ctx,
  merchants: Merchants,
  t: Tx,
  credit: sql.CreditRow,
  asked: Reversal,
): Promise<Noted | 'REVERSED' | 'REPEATED'> {
  if (asked.kobo !== credit.kobo) return { class: 'AMOUNT', says: OTHER_AMOUNT }
  const { reversalReference, reason, at } = asked
  // What is in suspense may be nobody's: a number that was never given out. So the merchant is asked for
  // where it is needed.
  if (credit.outcome === 'COUNTED')
    return reverseCollection(ctx, t, await merchants.must(t.cell, credit.merchant_id), asked)
  if (credit.outcome === 'SUSPENDED') return reverseSuspended(ctx, merchants, t, credit, asked)
  const [transferId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const connector = connectorOfMoney(credit.bank_reference)
  const account = { accountNumber: credit.account_number, bankCode: credit.bank_code, connector }
  const receiver =
    (await receiverIn(t, merchants, t.cell, account)) ??
    fail('INTERNAL', {}, `top-up ${credit.bank_reference} was for no wallet`)
  const topUp = { transferId, kobo: credit.kobo, reference: reversalReference, reason }
  await lockChains(t, [receiver.merchant.id])
  await reverseTopUp(ctx, t, receiver, topUp)
  await sql.insert(t, credit, { reversalReference, transferId, reason, at })
  return 'REVERSED'
}

/** Of money that was not counted: out of suspense, or out of the wallet that was given it meanwhile. Whoever
 *  decides about the item takes the same lock, so whoever comes second sees what the first has done. */
async function reverseSuspended(
  ctx: Ctx,
  merchants: Merchants,
  t: Tx,
  credit: sql.CreditRow,
  { reversalReference, reason, at }: Reversal,
): Promise<Noted | 'REVERSED' | 'REPEATED'> {
  const name = credit.bank_reference
  const item = (await lockByCredit(t, name)) ?? fail('INTERNAL', {}, `credit ${name} has no item in suspense`)
  // It may have been reversed while we waited for the item.
  if ((await sql.listKnown(t, name, reversalReference)).length > 0) return 'REPEATED'
  const [transferId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const taken = { reversalReference, transferId, reason, at }
  if (await markReversed(t, item, transferId, reversalReference)) {
    await sql.insert(t, credit, taken)
    return 'REVERSED'
  }
  const given = await reverseReassigned(ctx, merchants, t, item, taken)
  if (!given) return { class: 'REVERSAL', says: item.status === 'REASSIGNED' ? WALLET_UNKNOWN : RETURNED }
  const { merchantId, feeKobo } = given
  await sql.insert(t, { ...credit, merchant_id: merchantId, outcome: 'REASSIGNED' }, { ...taken, feeKobo })
  return 'REVERSED'
}
