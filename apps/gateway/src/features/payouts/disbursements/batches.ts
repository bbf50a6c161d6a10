// Batches: up to 5,000 transfers accepted together, then each paid for itself.
//   AWAITING_PROCESSING → COMPLETED       with a code: PENDING_AUTHORIZATION → AWAITING_PROCESSING | EXPIRED
// Books: one hold for all valid rows (PAYOUT_HOLD of the batch); each row settles or releases its own part
// (outcome.ts).
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { EXPIRE_BATCH, SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import type { authoriseBatch, initiateBatch, resendBatchCode } from '@cowrie/contract/payouts/batches'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import type { Price } from '#core/access/fees.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { scheduleAll } from '#core/agenda.ts'
import { cellById, engineTx, readAll, readAs, tx } from '#core/cells/cells.ts'
import { announceAll } from '#core/events.ts'
import { onePerProcess } from '#core/feature.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { lockWallets, post } from '#core/ledger/ledger.ts'
import type { Call } from '#core/serving.ts'
import {
  fileCode,
  type IssuedCode,
  issueCode,
  mailCode,
  RESENT,
  replaceCode,
  type Subject,
  tryCode,
  type Waiting,
  waiting,
  waits,
} from '#features/wallets/authorisation/codes.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { askPerson, authoriseBy, needsPerson } from '#features/wallets/second-person/second-person.ts'
import { askingWhereNeeded, confirmGoals, countAlone, counts } from '#features/wallets/wallets/alone.ts'
import { countDay, limitToday } from '#features/wallets/wallets/day-limit.ts'
import type { Wallet } from '#features/wallets/wallets/holders.ts'
import { randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { batchReference, type CellId, disbursementReference, FIRST_CONNECTOR_ID, idsFrom } from '#kit/ids.ts'
import { createPermits, type Permits } from '#kit/permits.ts'
import { stampText } from '#kit/times.ts'
import * as accepting from './acceptance/accept.sql.ts'
import {
  accountsToLock,
  heldNotices,
  holdPosting,
  payoutPrice,
  separateFeeOwner,
  takeFromWallet,
} from './acceptance/accept.ts'
import { type AskedBatch, type Judged, judgeRows, refusedRow } from './acceptance/batch-rows.ts'
import * as sql from './batches.sql.ts'
import { needSender } from './disbursements.ts'
import { endAll, moveDisbursements } from './outcome.ts'
import { presentBatch } from './presenter.ts'
import { completeAtOnce } from './progress.ts'

type Result = ReplyOf<typeof initiateBatch>

/** Batches that one process accepts at the same time. Those of one wallet wait for each other in the
 *  database, and each that waits there has a connection. */
const ACCEPTED_AT_ONCE = 2

/** What batches are accepted with in one process. */
export type Batches = {
  readonly ctx: Ctx
  readonly merchants: Merchants
  /** So many at a time. */
  readonly permits: Permits
}
export const sharedBatches = onePerProcess(
  ({ ctx, merchants }): Batches => ({ ctx, merchants, permits: createPermits(ACCEPTED_AT_ONCE) }),
)

const subjectOf = (reference: string, kobo: bigint, rows: number): Subject => ({
  reference,
  kobo,
  to: `${rows} rows`,
  says: `A batch of ${rows} transfers`,
})

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

const WAITS_FOR_CODE = { status: 'PENDING_BATCH_AUTHORIZATION', description: 'Waiting for authorization' } as const
const WAITS_FOR_WORKER = { status: 'AWAITING_PROCESSING', description: 'Transaction processing in progress' } as const

// ---- commands

export async function initiate(
  { ctx, permits }: Batches,
  { merchant, body }: Call<typeof initiateBatch>,
  store: StoreResponse<Result>,
): Promise<Result> {
  const asked = await requestOf(ctx, merchant, body)
  const { batch, fees, issued } = await askingWhereNeeded(asked.person, (person) => {
    const request = person ? { ...asked, person, issued: null } : asked
    return permits(() =>
      engineTx(ctx, merchant.cell, async (t) => {
        const made = await accept(t, request)
        await (request.issued ? store.early : store)(t, presentBatch(made.batch, made.fees))
        return { ...made, issued: request.issued }
      }),
    )
  })
  ctx.wake(merchant.cell)
  if (!issued) return presentBatch(batch, fees)
  const result = presentBatch(await mailed(ctx, merchant, batch, issued), fees)
  await tx(ctx, merchant.cell, merchant.id, (t) => store.late(t, result))
  return result
}

export async function authorise(
  { ctx }: Batches,
  { merchant, body }: Call<typeof authoriseBatch>,
  store: StoreResponse<Result>,
): Promise<Result> {
  const verdict = await engineTx(ctx, merchant.cell, async (t) => {
    const locked = await lockWallets(t, walletAndReceivable(merchant.id))
    const batch = waiting(await sql.lockBatch(t, merchant.id, body.reference), 'BATCH_UNKNOWN')
    if (batch.needs_person) fail('APPROVAL_WAITING')
    if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
    const sums = await sql.sumByStatus(t, merchant.id, batch.id)
    const held = sums.find(({ status }) => status === WAITS_FOR_CODE.status)
    const count = await limitToday(t, merchant, batch.created_at, held?.kobo ?? 0n)
    const subject = subjectOf(batch.reference, batch.kobo, batch.rows)
    const wrong = await tryCode(ctx, t, merchant, batch.id, subject, body.authorizationCode)
    if (wrong) return wrong
    await count()
    const result = presentBatch(await authorised(t, merchant, batch), held?.fee_kobo ?? 0n)
    await store(t, result)
    return result
  })
  if (verdict instanceof Error) throw verdict
  ctx.wake(merchant.cell)
  return verdict
}

export async function resendCode(
  { ctx }: Batches,
  { merchant, body }: Call<typeof resendBatchCode>,
  store: StoreResponse<ReplyOf<typeof resendBatchCode>>,
): Promise<ReplyOf<typeof resendBatchCode>> {
  const reference = body.batchReference ?? body.reference ?? fail('FIELD_MISSING', { field: 'batchReference' })
  const { batch, issued } = await tx(ctx, merchant.cell, merchant.id, async (t) => {
    const found = waiting(await sql.lockBatch(t, merchant.id, reference), 'BATCH_UNKNOWN')
    if (found.needs_person) fail('APPROVAL_WAITING')
    const another = issueCode(ctx, merchant, subjectOf(found.reference, found.kobo, found.rows))
    await replaceCode(t, merchant.id, found.id, another)
    await store.early(t, RESENT)
    return { batch: found, issued: another }
  })
  await mailed(ctx, merchant, batch, issued)
  await tx(ctx, merchant.cell, merchant.id, (t) => store.late(t, RESENT))
  return RESENT
}

// ---- accepted

/** All that a batch is accepted with. The ids are taken beforehand: who holds a wallet never waits for a
 *  connection. */
type BatchRequest = {
  readonly merchant: Merchant
  readonly wallet: Wallet
  readonly body: AskedBatch
  readonly judged: readonly Judged[]
  readonly issued: IssuedCode | null
  /** It is above what the merchant chose, and waits for one of its people instead of a code. */
  readonly person: boolean
  readonly ids: readonly bigint[]
}
const IDS_BESIDE_ROWS = 7

async function requestOf(ctx: Ctx, merchant: Merchant, body: AskedBatch): Promise<BatchRequest> {
  const wallet = await needSender(ctx, merchant, body.sourceAccountNumber)
  const judged = await judgeRows(ctx, merchant, body)
  const subject = subjectOf(body.batchReference, sum(judged.map((row) => row.kobo)), judged.length)
  // A batch without a row that can be paid has nothing to authorise.
  const payable = judged.filter(({ wrong }) => wrong === null)
  const person = needsPerson(merchant, sum(payable.map(({ kobo }) => kobo)))
  const coded = merchant.transfers.otp && !person && payable.length > 0
  const ids = await cellById(ctx, merchant.cell).takeIds(IDS_BESIDE_ROWS + 2 * judged.length)
  return { merchant, wallet, body, judged, person, ids, issued: coded ? issueCode(ctx, merchant, subject) : null }
}

/** Of the valid rows: how many, their amounts and their fees; and the wallet before and after. */
type BatchTotals = {
  readonly amount: bigint
  readonly fees: bigint
  readonly change: NonNullable<ReturnType<typeof takeFromWallet>>
  readonly valid: number
}

const partOf = ({
  kobo,
  wrong,
  asked: { destinationBankCode: bankCode, destinationAccountNumber: accountNumber },
}: Judged) => (wrong === null ? [{ kobo, to: { bankCode, accountNumber } }] : [])

/** What the references, the limits and the balance allow, under the lock of the wallet. */
async function decide(t: Tx, { merchant, wallet, body, judged, person }: BatchRequest): Promise<BatchTotals> {
  const locked = await lockWallets(t, accountsToLock(merchant.id, wallet))
  if (await sql.findBatch(t, merchant.id, body.batchReference))
    fail('TRANSFER_REFERENCE_USED', { field: 'batchReference' })
  const questions = judged.map(({ asked, kobo }) => ({
    merchantId: merchant.id,
    reference: asked.reference,
    bankCode: asked.destinationBankCode,
    accountNumber: asked.destinationAccountNumber,
    kobo,
  }))
  const used = (await accepting.findKnown(t, questions, t.now)).findIndex((one) => one.used)
  if (used >= 0) fail('TRANSFER_REFERENCE_USED', { field: `transactionList.${used}.reference` })
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  const amounts = judged.flatMap(({ kobo, wrong }) => (wrong === null ? [kobo] : []))
  const amount = sum(amounts)
  if (amount > 0n) await countDay(t, merchant, amount)
  if (!person) await countAlone(t, { merchant, parts: judged.flatMap(partOf) })
  const fees = sum(amounts.map((kobo) => payoutPrice(merchant, kobo, t.now).kobo))
  const change = takeFromWallet(new Map(locked), wallet, amount, fees) ?? fail('INSUFFICIENT_FUNDS')
  return { amount, fees, change, valid: amounts.length }
}

/** The whole batch in one transaction: nothing of it is there, or all. */
async function accept(t: Tx, request: BatchRequest): Promise<{ batch: sql.BatchRow; fees: bigint }> {
  const { merchant, wallet, body, judged, issued, person, ids } = request
  const totals = await decide(t, request)
  const next = idsFrom(ids)
  const [id, transferId, eventId, alertId, feeId] = [next(), next(), next(), next(), next()]
  const asking = { approval: next(), mail: next() }
  const batch: sql.NewBatch = {
    id,
    merchant_id: merchant.id,
    reference: body.batchReference,
    transaction_reference: batchReference(t.cell, stampText(t.now), id, randomCharacters(6)),
    title: body.title,
    narration: body.narration,
    sourceAccount: body.sourceAccountNumber,
    status: issued || person ? 'PENDING_AUTHORIZATION' : 'AWAITING_PROCESSING',
    twoFa: merchant.transfers.otp && !person,
    needs_person: person,
    rows: judged.length,
    open_rows: totals.valid,
    kobo: sum(judged.map((row) => row.kobo)),
    fee_kobo: sum(judged.map((row) => payoutPrice(merchant, row.kobo, t.now).kobo)),
    notify_percent: body.notificationInterval ?? null,
  }
  await sql.insertBatch(t, batch)
  const rows = judged.map((row, at) =>
    newRow(t, batch, { ...row, wallet, price: payoutPrice(merchant, row.kobo, t.now) }, at, next()),
  )
  await accepting.insert(t, rows)
  await announceAll(
    t,
    rows.flatMap((row) => (row.held ? [] : [refusedRow(row, next())])),
  )
  const made: sql.BatchRow = { ...batch, version: 1, notified_percent: 0, created_at: t.now }
  if (totals.valid === 0) return { batch: await completeAtOnce(t, made, eventId), fees: 0n }
  const held = { object: 'batch', objectId: id, kobo: totals.amount, fee: totals.fees }
  await post(t, [holdPosting(transferId, merchant.id, wallet, held)])
  const { reference, narration } = batch
  const about = { activity: eventId, alert: alertId, fee: feeId, objectId: id, reference, narration }
  await announceAll(t, heldNotices(merchant, wallet, totals.change, about, t.now))
  if (issued || person) {
    if (issued) await fileCode(t, merchant.id, id, issued)
    else
      await askPerson(t, merchant, asking, {
        kind: 'BATCH',
        reference,
        kobo: totals.amount,
        to: `${totals.valid} rows`,
      })
    await scheduleAll(t, [{ kind: EXPIRE_BATCH, merchantId: merchant.id, subject: id, dueAt: authoriseBy(t.now) }])
  } else {
    const held = rows.filter((row) => row.held)
    await scheduleSending(t, merchant, held)
  }
  return { batch: made, fees: totals.fees }
}

function newRow(
  t: Tx,
  batch: sql.NewBatch,
  { asked, kobo, accountName, wrong, wallet, price }: Judged & { readonly wallet: Wallet; readonly price: Price },
  at: number,
  id: bigint,
): accepting.NewRow {
  const given = asked.destinationAccountName?.trim() ? asked.destinationAccountName : null
  return {
    ...(wrong !== null
      ? { status: 'FAILED' as const, description: wrong }
      : batch.status === 'PENDING_AUTHORIZATION'
        ? WAITS_FOR_CODE
        : WAITS_FOR_WORKER),
    id,
    merchant_id: batch.merchant_id,
    reference: asked.reference,
    transaction_reference: disbursementReference(t.cell, stampText(t.now), id, randomCharacters(6)),
    batch_id: batch.id,
    batch_row: at,
    version: 1,
    kobo,
    fee_kobo: price.kobo,
    fee_schedule_id: price.scheduleId,
    held: wrong === null,
    narration: asked.narration ?? batch.narration,
    source_account: batch.sourceAccount,
    wallet_id: wallet.id,
    fee_owner: separateFeeOwner(wallet),
    bank_code: asked.destinationBankCode,
    account_number: asked.destinationAccountNumber,
    account_name: accountName,
    given_name: given,
    name_score: given && accountName ? matchNames(given, accountName).score : null,
    two_fa: batch.twoFa,
    sender_info: null,
    session_id: null,
    connector: FIRST_CONNECTOR_ID,
    questions: 0,
    question_at: null,
    created_at: t.now,
    completed_at: wrong === null ? null : t.now,
    approval: null,
  }
}

// ---- authorised, released or expired

/** The code was right: every row is about to be sent. */
async function authorised(
  t: Tx,
  merchant: Merchant,
  batch: sql.BatchRow & { readonly status: Waiting },
): Promise<sql.BatchRow> {
  const move = { merchantId: merchant.id }
  await sql.moveBatches(t, [{ ...move, on: 'authorise', id: batch.id, from: batch.status }])
  const rows = await sql.lockWaitingRows(t, merchant.id, batch.id)
  const { description } = WAITS_FOR_WORKER
  const set = { description, session_id: null, connector: FIRST_CONNECTOR_ID, question_at: null, completed_at: null }
  const from = 'PENDING_BATCH_AUTHORIZATION' as const
  await moveDisbursements(
    t,
    rows.map(({ id }) => ({ ...move, on: 'authoriseBatch' as const, id, from, set })),
  )
  await scheduleSending(t, merchant, rows)
  return { ...batch, status: 'AWAITING_PROCESSING' }
}

/** One of the merchant's people has approved it. */
export async function releaseBatch(t: Tx, merchant: Merchant, reference: string): Promise<sql.BatchRow> {
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const batch = waiting(await sql.lockBatch(t, merchant.id, reference), 'BATCH_UNKNOWN')
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  const sums = await sql.sumByStatus(t, merchant.id, batch.id)
  const held = sums.find(({ status }) => status === WAITS_FOR_CODE.status)?.kobo ?? 0n
  await (await limitToday(t, merchant, batch.created_at, held))()
  const rows = counts(merchant) ? await sql.lockWaitingRows(t, merchant.id, batch.id) : []
  await confirmGoals(
    t,
    merchant,
    rows.map((row) => ({ bankCode: row.bank_code, accountNumber: row.account_number })),
  )
  return authorised(t, merchant, batch)
}

/** Nobody authorised it in time, or one of the merchant's people rejected it: the money of every row is free
 *  again. */
export async function expire(ctx: Ctx, t: Tx, merchant: Merchant, reference: string): Promise<void> {
  const batch = await sql.lockBatch(t, merchant.id, reference)
  if (!batch || !waits(batch.status)) return
  const move = { on: 'expire' as const, id: batch.id, merchantId: merchant.id, from: batch.status }
  await sql.moveBatches(t, [move])
  const rows = await sql.lockWaitingRows(t, merchant.id, batch.id)
  const description = 'Transaction has expired'
  await endAll(
    ctx,
    t,
    rows.map((row) => ({ row, merchant, on: 'expire', description })),
  )
}

/** Those that nobody authorised in time. */
export async function expireBatches({ ctx, merchants }: Batches, cell: CellId, ids: readonly bigint[]): Promise<void> {
  for (const batch of await readAll(ctx, cell, (r) => sql.batchesByIds(r, ids))) {
    const merchant = await merchants.byId(cell, batch.merchant_id)
    if (merchant) await engineTx(ctx, cell, (t) => expire(ctx, t, merchant, batch.reference))
  }
}

const scheduleSending = (t: Tx, merchant: Merchant, rows: readonly { readonly id: bigint }[]): Promise<void> =>
  scheduleAll(
    t,
    rows.map(({ id }) => ({ kind: SEND_DISBURSEMENT, merchantId: merchant.id, subject: id, dueAt: t.now })),
  )

const mailed = (ctx: Ctx, merchant: Merchant, batch: sql.BatchRow, issued: IssuedCode): Promise<sql.BatchRow> =>
  mailCode(batch, issued, {
    move: async (mailing) => {
      const move = { ...mailing, id: batch.id, merchantId: merchant.id }
      return (await tx(ctx, merchant.cell, merchant.id, (t) => sql.moveBatches(t, [move]))).size === 1
    },
    // Another mail about it was quicker, or the code of one.
    reread: async () =>
      (await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findBatch(r, merchant.id, batch.reference))) ?? batch,
  })
