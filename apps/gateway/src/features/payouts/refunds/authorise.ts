// A refund that waits for its code, for one of the merchant's people, or for its server: authorised, mailed
// another code, approved, or ended by its timer.
//   CODE_SENT → [right code] ordered at the bank        CODE_SENT → [24 hours] FAILED
//   APPROVAL → [somebody approves] ordered at the bank  APPROVAL → [rejected, or 24 hours] FAILED
//   with an approval address: [right code, somebody approved, or none needed] → asked → [approved] ordered at
//     the bank | [anything else] FAILED
// Locks: the wallet, then the refund, as whoever accepts; so a code, a person and the timer come one after
// the other.

import { APPROVE_REFUND } from '@cowrie/contract/kit/timers'
import type { authoriseRefund, resendRefundCode } from '@cowrie/contract/payouts/refunds'
import { releaseRefund } from '@cowrie/contract/wallets/second-person'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import type { ActHandler } from '#core/acts/acts.ts'
import { needMerchant } from '#core/acts/acts.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { accountId } from '#core/ledger/chart.ts'
import { lockWallets } from '#core/ledger/ledger.ts'
import type { Call } from '#core/serving.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { askEach, askToApprove, NOT_APPROVED } from '#features/wallets/approval-call/approval-call.ts'
import { issueCode, RESENT, replaceCode, type Subject, tryCode } from '#features/wallets/authorisation/codes.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { onlyQueued } from '#features/wallets/second-person/second-person.ts'
import { confirmGoals } from '#features/wallets/wallets/alone.ts'
import { limitToday } from '#features/wallets/wallets/day-limit.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { orderRefund } from './order.ts'
import { failUnordered, moveRefunds, NOT_APPROVED_IN_TIME, NOT_AUTHORISED } from './outcome.ts'
import { presentRefund, type RefundRecord } from './presenter.ts'
import * as sql from './refunds.sql.ts'
import { asksFirst, IN_PROGRESS, mailRefundCode, ownersMail, toCodeSubject } from './refunds.ts'

const subjectOfRow = (row: sql.RefundRow): Subject => toCodeSubject({ ...row, refundReference: row.refund_reference })

/** One that waits for its code, held together with its wallet. */
async function waiting(t: Tx, merchant: Merchant, reference: string): Promise<sql.RefundRow> {
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const row = (await sql.lock(t, merchant.id, reference)) ?? fail('REFUND_NOT_FOUND')
  if (row.authorize_by === null) fail('TRANSFER_NOT_WAITING', { state: row.status })
  if (row.approval === 'PERSON') fail('APPROVAL_WAITING')
  return owes(locked, merchant.id) ? fail('RECEIVABLE_OPEN') : row
}

/** The code was right, or somebody approved: from here on it is a refund like any other. */
async function authorised(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  row: sql.RefundRow,
  on: 'authorise' | 'release',
): Promise<sql.RefundRow> {
  const asks = asksFirst(merchant, row.elsewhere)
  const approval: sql.RefundRow['approval'] = asks ? 'ASKED' : null
  const set = { comment: IN_PROGRESS, completed_at: null, authorize_by: null, approval }
  const { id, merchant_id: merchantId, version } = row
  const moved = await moveRefunds(t, [{ on, id, merchantId, from: 'PENDING', version, set }])
  if (moved.size !== 1) fail('INTERNAL', {}, `refund ${id}: state changed despite row lock`)
  if (asks) await schedule(t, APPROVE_REFUND, merchantId, id, t.now)
  else await orderRefund(ctx, t, row)
  return { ...row, ...set, version: version + 1 }
}

export async function authorise(
  ctx: Ctx,
  { merchant, params, body }: Call<typeof authoriseRefund>,
  store: StoreResponse<RefundRecord>,
): Promise<RefundRecord> {
  const verdict = await engineTx(ctx, merchant.cell, async (t) => {
    const row = await waiting(t, merchant, params['refundReference'] ?? '')
    const count = await limitToday(t, merchant, row.created_at, row.kobo)
    const wrong = await tryCode(ctx, t, merchant, row.id, subjectOfRow(row), body.authorizationCode)
    if (wrong) return wrong
    await count()
    const record = presentRefund(await authorised(ctx, t, merchant, row, 'authorise'))
    await store(t, record)
    return record
  })
  ctx.wake(merchant.cell)
  if (verdict instanceof Error) throw verdict
  return verdict
}

export async function resendCode(
  ctx: Ctx,
  { merchant, params }: Call<typeof resendRefundCode>,
  store: StoreResponse<typeof RESENT>,
): Promise<typeof RESENT> {
  const { row, issued } = await engineTx(ctx, merchant.cell, async (t) => {
    const found = await waiting(t, merchant, params['refundReference'] ?? '')
    const another = issueCode(ctx, merchant, subjectOfRow(found))
    await replaceCode(t, merchant.id, found.id, another)
    await store(t, RESENT)
    return { row: found, issued: another }
  })
  await mailRefundCode(ctx, merchant, row.refund_reference, issued)
  return RESENT
}

/** One of the merchant's people approved it, or rejected it. Limits and debts are judged again, as with a
 *  code. */
export const createRefundRelease = (ctx: Ctx): ActHandler<typeof releaseRefund> => ({
  prepare: onlyQueued(releaseRefund),
  run: async (t, { merchant: known, input: { reference } }) => {
    const merchant = needMerchant({ merchant: known }, `refund ${reference}`)
    const locked = await lockWallets(t, walletAndReceivable(merchant.id))
    const row = (await sql.lock(t, merchant.id, reference)) ?? fail('REFUND_NOT_FOUND')
    if (!awaitsPerson(row)) fail('TRANSFER_NOT_WAITING', { state: row.status })
    if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
    if (row.elsewhere) await (await limitToday(t, merchant, row.created_at, row.kobo))()
    const { elsewhere, bank_code: bankCode, account_number: accountNumber } = row
    if (elsewhere && bankCode !== null && accountNumber !== null)
      await confirmGoals(t, merchant, [{ bankCode, accountNumber }])
    const { status } = await authorised(ctx, t, merchant, row, 'release')
    return { reply: { reference, status }, before: { authorization: 'APPROVAL' }, after: { reference, status } }
  },
  refused: async (t, { merchant: known, input: { reference } }) => {
    const merchant = needMerchant({ merchant: known }, `refund ${reference}`)
    await lockWallets(t, walletAndReceivable(merchant.id))
    const row = await sql.lock(t, merchant.id, reference)
    if (row && awaitsPerson(row)) await failUnordered(ctx, t, merchant, row, NOT_APPROVED)
  },
  after: (_, { cell }) => ctx.wake(cell),
})
const awaitsPerson = ({ approval, authorize_by }: sql.RefundRow): boolean =>
  approval === 'PERSON' && authorize_by !== null

/** What was not authorised, or approved, in time. */
export async function expireRefunds(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  ids: readonly bigint[],
): Promise<void> {
  for (const { merchant_id, refund_reference } of await readAll(ctx, cell, (r) => sql.byIds(r, ids))) {
    const merchant = await merchants.must(cell, merchant_id)
    await engineTx(ctx, cell, async (t) => {
      await lockWallets(t, [accountId(merchant_id, 'WALLET')])
      const row = await sql.lock(t, merchant_id, refund_reference)
      if (row && row.authorize_by !== null)
        await failUnordered(ctx, t, merchant, row, row.approval === 'PERSON' ? NOT_APPROVED_IN_TIME : NOT_AUTHORISED)
    })
  }
  ctx.wake(cell)
}

/** Asks the merchant's server about each, outside any transaction, and puts what it says into effect once:
 *  whoever comes later finds that it was decided. */
export async function approveRefunds(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  ids: readonly bigint[],
): Promise<void> {
  const rows = (await readAll(ctx, cell, (r) => sql.byIds(r, ids))).filter(({ approval }) => approval === 'ASKED')
  const late = await askEach(rows, async (row) => {
    const merchant = await merchants.must(cell, row.merchant_id)
    const { bank_code, account_number, reference, refund_reference, kobo, customer_note } = row
    const approves = await askToApprove(ctx, merchant, {
      id: reference,
      reference: refund_reference,
      kobo,
      accountNumber: account_number ?? '',
      bankCode: bank_code ?? '',
      narration: customer_note,
    })
    await engineTx(ctx, cell, (t) => decideRefund(ctx, t, merchant, refund_reference, approves))
  })
  await engineTx(ctx, cell, async (t) => {
    for (const { id, merchant_id } of late) await schedule(t, APPROVE_REFUND, merchant_id, id, t.now)
  })
  ctx.wake(cell)
}

async function decideRefund(ctx: Ctx, t: Tx, merchant: Merchant, reference: string, approves: boolean): Promise<void> {
  await lockWallets(t, [accountId(merchant.id, 'WALLET')])
  const row = await sql.lock(t, merchant.id, reference)
  if (row?.approval !== 'ASKED') return
  if (!approves) return failUnordered(ctx, t, merchant, { ...row, approval: 'REFUSED' }, NOT_APPROVED)
  const { id, merchant_id: merchantId, version, comment } = row
  const set = { comment, completed_at: null, authorize_by: null, approval: 'GIVEN' }
  const moved = await moveRefunds(t, [{ on: 'approve', id, merchantId, from: 'PENDING', version, set }])
  if (moved.size !== 1) fail('INTERNAL', {}, `refund ${id}: state changed despite row lock`)
  const [mailId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await orderRefund(ctx, t, row)
  await queueMail(t, mailId, merchant, ownersMail(row))
}
