// The ends of a paycode: redeemed, cancelled or expired, exactly one of them, because each is a move out of
// PENDING.
// Books: redeemed: payout hold → agents and fee income (PAYCODE). Cancelled or expired: payout hold → wallet
// (PAYCODE_RELEASE). Locks: the wallet, if money returns to it, then the paycode, then what is held; so
// whoever comes second finds the state of the first.
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { type cancelPaycode, paycodeMachine } from '@cowrie/contract/payouts/paycodes'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { announceAll, eventBody } from '#core/events.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { accountId, houseAccount } from '#core/ledger/chart.ts'
import { lockWallets } from '#core/ledger/ledger.ts'
import { mover } from '#core/ledger/move.ts'
import type { Call } from '#core/serving.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { unpaddedText } from '#kit/times.ts'
import * as sql from './paycodes.sql.ts'
import { activityWords, masked, presentPaycode } from './paycodes.ts'

const movePaycodes = mover(paycodeMachine, {
  name: 'paycode',
  set: {
    code_sealed: 'text',
    ended_at: 'timestamptz',
    modified_by: 'text',
    session_id: 'text',
    agent_id: 'text',
  },
})

const wholeOf = (row: sql.PaycodeRow): bigint => row.kobo + row.fee_kobo
const aboutOf = (row: sql.PaycodeRow) => ({ merchantId: row.merchant_id, object: 'paycode', objectId: row.id })
const holdOf = (row: sql.PaycodeRow): bigint => accountId(row.merchant_id, 'PAYOUT_HOLD')

// ---- redeemed

/** The event of a payment at an agent. Nothing of it is settled to the merchant: the money has left. */
const bodyOf = (row: sql.PaycodeRow, now: Date): string =>
  eventBody(successfulTransaction, {
    product: { reference: row.paycode_reference, type: 'OFFLINE_PAYMENT_AGENT' },
    transactionReference: row.reference,
    paymentReference: row.paycode_reference,
    invoiceReference: row.paycode_reference,
    paidOn: unpaddedText(now),
    paymentDescription: `Paycode for ${row.beneficiary_name}`,
    metaData: {},
    paymentSourceInformation: [],
    destinationAccountInformation: {},
    amountPaid: nairaNumber(row.kobo),
    totalPayable: nairaNumber(row.kobo),
    cardDetails: {},
    offlineProductInformation: { amount: nairaNumber(row.kobo), code: masked(row), type: 'DYNAMIC' },
    paymentMethod: 'CASH',
    currency: 'NGN',
    settlementAmount: '0.00',
    paymentStatus: 'PAID',
    customer: { name: row.beneficiary_name, email: '' },
  })

/** An agent pays it out; under the lock of its row. */
export async function redeem(
  ctx: Ctx,
  t: Tx,
  row: sql.PaycodeRow,
  by: { readonly sessionId: string; readonly agentId: string },
): Promise<sql.PaycodeRow> {
  const [transferId, eventId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  const set = {
    code_sealed: null,
    ended_at: t.now,
    modified_by: 'AGENT',
    session_id: by.sessionId,
    agent_id: by.agentId,
  }
  const entries = [
    { account: holdOf(row), kobo: -wholeOf(row) },
    { account: houseAccount('AGENTS'), kobo: row.kobo },
    { account: houseAccount('FEE_INCOME'), kobo: row.fee_kobo },
  ]
  const moved = await movePaycodes(t, [
    {
      on: 'redeem',
      id: row.id,
      merchantId: row.merchant_id,
      from: 'PENDING',
      set,
      post: { ...aboutOf(row), id: transferId, kind: 'PAYCODE', feeScheduleId: row.fee_schedule_id, entries },
      event: {
        id: eventId,
        type: successfulTransaction.type,
        object: row.paycode_reference,
        body: bodyOf(row, t.now),
      },
    },
  ])
  if (moved.size !== 1) fail('INTERNAL', {}, `paycode ${row.id}: state changed despite row lock`)
  return { ...row, ...set, status: 'COMPLETED', version: row.version + 1 }
}

// ---- cancelled or expired

/** Amount and fee return to the wallet, which is locked already, as is the paycode. */
async function release(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  row: sql.PaycodeRow,
  on: 'cancel' | 'expire',
  before: bigint,
): Promise<sql.PaycodeRow> {
  const [transferId, activityId] = (await cellById(ctx, t.cell).takeIds(2)) as [bigint, bigint]
  const set = {
    code_sealed: null,
    ended_at: t.now,
    modified_by: on === 'cancel' ? (merchant.key?.apiKey ?? merchant.apiKey) : 'SYSTEM',
    session_id: null,
    agent_id: null,
  }
  const entries = [
    { account: holdOf(row), kobo: -wholeOf(row) },
    { account: accountId(row.merchant_id, 'WALLET'), kobo: wholeOf(row) },
  ]
  const moved = await movePaycodes(t, [
    {
      on,
      id: row.id,
      merchantId: row.merchant_id,
      from: 'PENDING',
      set,
      post: { ...aboutOf(row), id: transferId, kind: 'PAYCODE_RELEASE', entries },
    },
  ])
  if (moved.size !== 1) fail('INTERNAL', {}, `paycode ${row.id}: state changed despite row lock`)
  const version = row.version + 1
  const movement = { id: activityId, objectId: row.id, version, before, after: before + wholeOf(row) }
  await announceAll(t, [toActivity(merchant, { ...movement, ...activityWords(row) }, t.now)])
  return { ...row, ...set, status: on === 'cancel' ? 'CANCELLED' : 'EXPIRED', version }
}

/** A paycode of a merchant, held together with its wallet. */
async function held(
  t: Tx,
  merchantId: bigint,
  reference: string,
): Promise<{ row: sql.PaycodeRow; before: bigint } | null> {
  const wallet = accountId(merchantId, 'WALLET')
  const locked = await lockWallets(t, [wallet])
  const row = await sql.lock(t, merchantId, reference)
  return row && { row, before: locked.get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`) }
}

export const createCancel =
  (ctx: Ctx) =>
  async (
    { merchant, params }: Call<typeof cancelPaycode>,
    store: StoreResponse<ReplyOf<typeof cancelPaycode>>,
  ): Promise<ReplyOf<typeof cancelPaycode>> => {
    const record = await engineTx(ctx, merchant.cell, async (t) => {
      const found = (await held(t, merchant.id, params['paycodeReference'] ?? '')) ?? fail('PAYCODE_NOT_FOUND')
      const { row, before } = found
      const state = stateAt(row, t.now)
      if (state !== 'PENDING') fail('PAYCODE_NOT_PENDING', { state })
      const cancelled = presentPaycode(await release(ctx, t, merchant, row, 'cancel', before))
      await store(t, cancelled)
      return cancelled
    })
    ctx.wake(merchant.cell)
    return record
  }

/** What its state means at a moment: the clock ends it, however late its timer is. */
export const stateAt = ({ status, expires_at }: sql.PaycodeRow, now: Date): sql.PaycodeRow['status'] =>
  status === 'PENDING' && expires_at <= now ? 'EXPIRED' : status

/** What nobody redeemed in time. */
export async function expirePaycodes(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  ids: readonly bigint[],
): Promise<void> {
  for (const { merchant_id, paycode_reference } of await readAll(ctx, cell, (r) => sql.byIds(r, ids))) {
    const merchant = await merchants.must(cell, merchant_id)
    await engineTx(ctx, cell, async (t) => {
      const found = await held(t, merchant_id, paycode_reference)
      if (found?.row.status === 'PENDING' && stateAt(found.row, t.now) === 'EXPIRED')
        await release(ctx, t, merchant, found.row, 'expire', found.before)
    })
  }
  ctx.wake(cell)
}
