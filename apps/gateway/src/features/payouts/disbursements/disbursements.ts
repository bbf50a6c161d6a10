// Disbursements: a merchant sends money from its wallet, or a customer's, to a bank account.
//   enquire the name → hold the money → [code by mail →] [approval →] ask the bank → SUCCESS | FAILED |
//     PENDING until the bank says
// Books: acceptance/accept.ts and outcome.ts. Who waits: the merchant for its code (a day), the bank for its
// own time.
import { findBank } from '@cowrie/contract/bank/banks'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { APPROVE_DISBURSEMENT, INQUIRE_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import type {
  authoriseTransfer,
  initiateTransfer,
  resendTransferCode,
  validateAccount,
} from '@cowrie/contract/payouts/disbursements'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { engineTx, readAs, tx } from '#core/cells/cells.ts'
import { discardResponse, type StoreResponse } from '#core/idempotency.ts'
import { lockWallets } from '#core/ledger/ledger.ts'
import { CALLER_WAITS_MS, INQUIRE_AFTER_MS } from '#core/outgoing.ts'
import { routePayouts } from '#core/routing/routing.ts'
import type { Call } from '#core/serving.ts'
import {
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
import { needDecider, needsPerson } from '#features/wallets/second-person/second-person.ts'
import { askingWhereNeeded } from '#features/wallets/wallets/alone.ts'
import { limitToday } from '#features/wallets/wallets/day-limit.ts'
import { type Wallet, walletAt } from '#features/wallets/wallets/holders.ts'
import { within } from '#kit/clock.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { payoutSessionId } from '#kit/ids.ts'
import { offsetText } from '#kit/times.ts'
import { type Accept, createAccept } from './acceptance/accept.ts'
import { type Payouts, sendPayout } from './bank.ts'
import * as sql from './disbursements.sql.ts'
import { moveDisbursements } from './outcome.ts'
import { feeCharged, feeReturned } from './presenter.ts'

type Asked = BodyOf<typeof initiateTransfer>
type Result = ReplyOf<typeof initiateTransfer>

/** What transfers are accepted and sent with in one process: requests of a cell that come together share the
 *  queue to accept them. */
export type Disbursements = { readonly ctx: Ctx; readonly accept: Accept; readonly payouts: Payouts }
export const createDisbursements = (payouts: Payouts): Disbursements => ({
  ctx: payouts.ctx,
  accept: createAccept(payouts.ctx),
  payouts,
})

// ---- rules, and the name that the bank holds

/** The wallet that a request names, if its merchant may send. */
export async function needSender(ctx: Ctx, merchant: Merchant, sourceAccountNumber: string): Promise<Wallet> {
  const wallet = await walletAt(ctx, merchant, sourceAccountNumber, 'sourceAccountNumber')
  if (!merchant.transfers.approved) fail('TRANSFERS_NOT_APPROVED')
  return wallet
}

function checkAmount(merchant: Merchant, text: string): bigint {
  const kobo = parseNaira(text)
  if (kobo === null || kobo === 0n) return fail('AMOUNT_INVALID', { field: 'amount' })
  if (kobo > merchant.transfers.perTransferKobo) fail('TRANSFER_LIMIT', { field: 'amount' })
  return kobo
}

/** The name the bank holds for an account. */
async function enquire(ctx: Ctx, bankCode: string, accountNumber: string, field: string): Promise<string> {
  if (!findBank(bankCode))
    fail('BANK_UNKNOWN', { field: field === 'accountNumber' ? 'bankCode' : 'destinationBankCode' })
  if (!/^\d{10}$/.test(accountNumber)) fail('DESTINATION_INVALID', { field })
  const outcome = await ctx.bank.nameEnquiry({ bankCode, accountNumber })
  if (outcome.kind === 'no') fail('DESTINATION_INVALID', { field })
  if (outcome.kind !== 'yes') return fail('UNAVAILABLE', {}, `name enquiry: ${outcome.why}`)
  return outcome.value.accountName
}

export const validate = async (ctx: Ctx, query: QueryOf<typeof validateAccount>) => ({
  accountNumber: query.accountNumber,
  accountName: await enquire(ctx, query.bankCode, query.accountNumber, 'accountNumber'),
  bankCode: query.bankCode,
})

async function requestOf(ctx: Ctx, merchant: Merchant, body: Asked) {
  const wallet = await needSender(ctx, merchant, body.sourceAccountNumber)
  const kobo = checkAmount(merchant, body.amount)
  if ((body.currency ?? body.currencyCode ?? 'NGN') !== 'NGN') fail('CURRENCY_UNKNOWN', { field: 'currency' })
  const [bankCode, accountNumber] = [body.destinationBankCode, body.destinationAccountNumber]
  const accountName = await enquire(ctx, bankCode, accountNumber, 'destinationAccountNumber')
  const { score, verdict } = matchNames(body.destinationAccountName, accountName)
  if (verdict !== 'MATCH') fail('NAME_MISMATCH', { field: 'destinationAccountName' })
  return {
    merchant,
    wallet,
    reference: body.reference,
    kobo,
    narration: body.narration,
    bankCode,
    accountNumber,
    accountName,
    givenName: body.destinationAccountName,
    nameScore: score,
    senderInfo: body.senderInfo ? JSON.stringify(body.senderInfo) : null,
  }
}

// ---- commands

export async function initiate(
  { ctx, accept, payouts }: Disbursements,
  { merchant, body }: Call<typeof initiateTransfer>,
  store: StoreResponse<Result>,
): Promise<Result> {
  await needDecider(ctx, merchant)
  const { claim, line } = store
  const filed = { claim, line, filing: (row: sql.Row) => store.filing(presentTransfer(row)) }
  const request = { ...(await requestOf(ctx, merchant, body)), ...filed }
  return askingWhereNeeded(needsPerson(merchant, request.kobo), async (person) => {
    if (merchant.transfers.otp && !person) {
      const issued = issueCode(ctx, merchant, subjectOf(request, request.accountName))
      const code = { codeDigest: issued.digest, codeExpires: issued.expiresAt }
      const row = await accept(merchant.cell, { ...request, mode: 'CODE', ...code })
      return storeAndReturn(ctx, merchant, store, await mailed(ctx, merchant, row, issued))
    }
    const unasked = merchant.transfers.approvalUrl !== null ? 'APPROVAL' : body.async ? 'LATER' : 'NOW'
    const mode = person ? 'PERSON' : unasked
    const row = await accept(merchant.cell, { ...request, mode, codeDigest: null, codeExpires: null })
    return storeAndReturn(ctx, merchant, store, mode === 'NOW' ? await sendWithin(payouts, merchant, row) : row)
  })
}

export async function authorise(
  { ctx, payouts }: Disbursements,
  { merchant, body }: Call<typeof authoriseTransfer>,
  store: StoreResponse<Result>,
): Promise<Result> {
  const verdict = await engineTx(ctx, merchant.cell, async (t) => {
    const locked = await lockWallets(t, walletAndReceivable(merchant.id))
    const row = waiting(await sql.lock(t, merchant.id, body.reference), 'TRANSFER_UNKNOWN')
    if (row.approval === 'PERSON') fail('APPROVAL_WAITING')
    if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
    const count = await limitToday(t, merchant, row.created_at, row.kobo)
    const wrong = await tryCode(ctx, t, merchant, row.id, subjectOfRow(row), body.authorizationCode)
    if (wrong) return wrong
    await count()
    const after = await authorised(ctx, t, merchant, row)
    await store.early(t, presentTransfer(after))
    return after
  })
  if (verdict instanceof Error) throw verdict
  const asked = verdict.approval === 'ASKED'
  return storeAndReturn(ctx, merchant, store, asked ? verdict : await sendWithin(payouts, merchant, verdict))
}

export async function resendCode(
  ctx: Ctx,
  { merchant, body }: Call<typeof resendTransferCode>,
  store: StoreResponse<ReplyOf<typeof resendTransferCode>>,
): Promise<ReplyOf<typeof resendTransferCode>> {
  const { row, issued } = await tx(ctx, merchant.cell, merchant.id, async (t) => {
    const found = waiting(await sql.lock(t, merchant.id, body.reference), 'TRANSFER_UNKNOWN')
    if (found.approval === 'PERSON') fail('APPROVAL_WAITING')
    const another = issueCode(ctx, merchant, subjectOfRow(found))
    await replaceCode(t, merchant.id, found.id, another)
    await store.early(t, RESENT)
    return { row: found, issued: another }
  })
  await mailed(ctx, merchant, row, issued)
  await tx(ctx, merchant.cell, merchant.id, (t) => store.late(t, RESENT))
  return RESENT
}

// ---- authorised, sent, mailed

/** The code was right: from here on it is a transfer about to be sent, or one that the merchant's server is
 *  asked about. */
async function authorised(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  row: sql.Row & { readonly status: Waiting },
): Promise<sql.Row> {
  const asks = merchant.transfers.approvalUrl !== null
  const question_at = asks ? null : new Date(t.now.getTime() + INQUIRE_AFTER_MS)
  const [connector = row.connector] = asks
    ? []
    : await routePayouts(ctx, t, [{ bankCode: row.bank_code, kobo: row.kobo }])
  const set = {
    description: 'Transaction processing in progress',
    connector,
    session_id: asks ? null : payoutSessionId(t.institution, t.cell, t.now, row.id),
    question_at,
    completed_at: null,
  }
  if (asks) await sql.askApproval(t, [row.id])
  const moved = await moveDisbursements(t, [
    { on: 'authorise', id: row.id, merchantId: merchant.id, from: row.status, set },
  ])
  if (moved.size !== 1) fail('INTERNAL', {}, `transfer ${row.id}: state changed despite row lock`)
  await schedule(t, asks ? APPROVE_DISBURSEMENT : INQUIRE_DISBURSEMENT, merchant.id, row.id, question_at ?? t.now)
  return { ...row, ...set, approval: asks ? 'ASKED' : null, status: 'PENDING', version: row.version + 1 }
}

/** As it is after the bank's answer, or PENDING when the bank takes its time: the answer is waited for all
 *  the same, and the timer asks if it never comes. An outcome that could not be written is not a refusal
 *  either: the order is out. */
function sendWithin(payouts: Payouts, merchant: Merchant, row: sql.Row): Promise<sql.Row> {
  const sent = sendPayout(payouts, merchant, row).catch((error: unknown) => {
    payouts.ctx.log.warn('outcome of a transfer was not stored; the bank will be asked again', {
      cell: merchant.cell,
      error,
    })
    return row
  })
  return within(sent, CALLER_WAITS_MS, row)
}

const mailed = (ctx: Ctx, merchant: Merchant, row: sql.Row, issued: IssuedCode): Promise<sql.Row> =>
  mailCode(row, issued, {
    move: async (mailing) => {
      const set = {
        description: row.description,
        session_id: null,
        connector: row.connector,
        question_at: null,
        completed_at: null,
      }
      const move = { ...mailing, id: row.id, merchantId: merchant.id, set }
      return (await tx(ctx, merchant.cell, merchant.id, (t) => moveDisbursements(t, [move]))).size === 1
    },
    reread: () => findTransfer(ctx, merchant, row.reference),
  })

const subjectOf = (
  row: { reference: string; kobo: bigint; bankCode: string; accountNumber: string },
  name: string,
): Subject => ({
  reference: row.reference,
  kobo: row.kobo,
  to: `${row.bankCode}/${row.accountNumber}`,
  says: `A transfer to ${name}, ${row.accountNumber}`,
})
const subjectOfRow = (row: sql.Row): Subject =>
  subjectOf({ ...row, bankCode: row.bank_code, accountNumber: row.account_number }, row.account_name ?? '')

/** What became of a transfer. */
export const findTransfer = (ctx: Ctx, merchant: Merchant, reference: string): Promise<sql.Row> =>
  readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference)).then(
    (row) => row ?? fail('TRANSFER_NOT_FOUND'),
  )

// ---- presenter

/** The answer as it is now. By now the money is held or out, and an early answer is filed for the key: if
 *  this one cannot be filed it is given all the same. */
async function storeAndReturn(
  ctx: Ctx,
  merchant: Merchant,
  store: StoreResponse<Result>,
  row: sql.Row,
): Promise<Result> {
  const result = presentTransfer(row)
  if (store !== discardResponse)
    await tx(ctx, merchant.cell, merchant.id, (t) => store.late(t, result)).catch((error: unknown) =>
      ctx.log.warn('idempotent response of a transfer was not stored', { cell: merchant.cell, error }),
    )
  ctx.wake(merchant.cell)
  return result
}

export const presentNameMatch = (row: Pick<sql.Row, 'given_name' | 'account_name' | 'name_score'>) =>
  row.given_name !== null && row.account_name !== null && row.name_score !== null
    ? { nameMatch: { given: row.given_name, held: row.account_name, score: row.name_score } }
    : {}

export function presentTransfer(row: sql.Row): Result {
  const unsent = waits(row.status)
  return {
    amount: nairaNumber(row.kobo),
    reference: row.reference,
    status: row.status,
    dateCreated: offsetText(row.created_at),
    totalFee: feeCharged(row),
    ...feeReturned(row),
    destinationAccountName: row.account_name ?? '',
    destinationBankName: findBank(row.bank_code)?.name ?? row.bank_code,
    destinationAccountNumber: row.account_number,
    destinationBankCode: row.bank_code,
    ...(unsent ? {} : { comment: row.description }),
    ...(row.sender_info && !unsent ? { senderInfo: JSON.parse(row.sender_info) as Result['senderInfo'] & object } : {}),
    ...(row.session_id ? { sessionId: row.session_id } : {}),
    transactionReference: row.transaction_reference,
    ...presentNameMatch(row),
  }
}
