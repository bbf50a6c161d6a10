// Accepting transfers: under the lock of the wallet it is decided, one after the other, what the balance, the references and
// the limits allow; what is accepted has its money held in the same commit.
// Books: wallet → payout hold, amount and fee (PAYOUT_HOLD). Requests that arrive together share the lock and the commit.
import { EXPIRE_DISBURSEMENT, INQUIRE_DISBURSEMENT, SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import { AUTHORISE_WITHIN_HOURS, DUPLICATE_SECONDS, payoutFee } from '@cowrie/contract/payouts/disbursements'
import type { Merchant } from '../../../core/access/merchants.ts'
import { scheduleAll, type Timer } from '../../../core/agenda.ts'
import { cellOf, engineTx } from '../../../core/cells/cells.ts'
import { type Coalesced, coalesce, perCell } from '../../../core/coalesce.ts'
import { announceAll } from '../../../core/events.ts'
import { type Claim, type Filing, fileEarly, lostClaims } from '../../../core/idempotency.ts'
import { accountId } from '../../../core/ledger/chart.ts'
import { lockWallets, type Posting, post } from '../../../core/ledger/ledger.ts'
import { INQUIRE_AFTER_MS } from '../../../core/outgoing.ts'
import { randomCharacters } from '../../../kit/crypto.ts'
import type { Ctx, Tx } from '../../../kit/ctx.ts'
import { Failure, fail } from '../../../kit/fail.ts'
import { type CellId, disbursementReference, idsFrom, payoutSessionId } from '../../../kit/ids.ts'
import { stampText } from '../../../kit/times.ts'
import { fileCodes } from '../../authorisation/codes.ts'
import { owes, walletAndReceivable } from '../../receivables/gate.ts'
import { spend, spentToday } from '../../wallets/day-limit.ts'
import { activityOf, lowBalanceOf } from '../../wallets/wallets.ts'
import * as sql from './accept.sql.ts'

/** NOW: the bank is asked by whoever accepts. LATER: a worker asks it. CODE: nobody does before the merchant authorises. */
export type Mode = 'NOW' | 'LATER' | 'CODE'

export type PayoutRequest = {
  readonly merchant: Merchant
  readonly mode: Mode
  readonly reference: string
  readonly kobo: bigint
  readonly narration: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly accountName: string
  readonly givenName: string
  readonly nameScore: number
  readonly senderInfo: string | null
  /** Of the code that was issued for it; with CODE only. */
  readonly codeDigest: ((id: bigint) => Buffer) | null
  readonly codeExpires: Date | null
  /** Of the Idempotency-Key it came with: the claim, and the answer that is filed with acceptance. */
  readonly claim: Claim | null
  readonly filing: (row: sql.NewRow) => Filing | null
}

/** What is known of a request under the lock of its wallet. */
export type Known = {
  readonly used: boolean
  readonly likely_duplicate: boolean
  /** Another try of its Idempotency-Key does the work. */
  readonly lost?: boolean
}
type BalanceChange = { readonly before: bigint; readonly after: bigint }

const duplicateKey = (request: PayoutRequest): string =>
  `${request.merchant.id}/${request.bankCode}/${request.accountNumber}/${request.kobo}`

/** One after the other, as if each had come alone: the money it takes, or why not. Pure, so that it can be held against a
 *  model. */
export function decide(
  requests: readonly PayoutRequest[],
  known: readonly Known[],
  balances: ReadonlyMap<bigint, bigint>,
  spentToday: ReadonlyMap<bigint, bigint>,
): (BalanceChange | Failure)[] {
  const remaining = new Map(balances)
  const spent = new Map(spentToday)
  const references = new Set<string>()
  const duplicates = new Set<string>()
  return requests.map((request, at) => {
    const { id, transfers } = request.merchant
    const name = `${id}/${request.reference}`
    if (known[at]?.lost) return new Failure('IDEMPOTENCY_IN_FLIGHT')
    if (known[at]?.used || references.has(name)) return new Failure('TRANSFER_REFERENCE_USED', { field: 'reference' })
    if (owes(balances, id)) return new Failure('RECEIVABLE_OPEN')
    if (known[at]?.likely_duplicate || duplicates.has(duplicateKey(request))) return new Failure('TRANSFER_DUPLICATE')
    const today = (spent.get(id) ?? 0n) + request.kobo
    if (today > transfers.perDayKobo) return new Failure('DAILY_LIMIT', { field: 'amount' })
    const wallet = accountId(id, 'WALLET')
    const before = remaining.get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`)
    const after = before - request.kobo - payoutFee(request.kobo)
    if (after < 0n) return new Failure('INSUFFICIENT_FUNDS')
    remaining.set(wallet, after)
    spent.set(id, today)
    references.add(name)
    duplicates.add(duplicateKey(request))
    return { before, after }
  })
}

const STATUS = { NOW: 'PENDING', LATER: 'AWAITING_PROCESSING', CODE: 'PENDING_AUTHORIZATION' } as const

function rowOf(cell: CellId, request: PayoutRequest, id: bigint, now: Date): sql.NewRow {
  const asked = request.mode === 'NOW'
  return {
    id,
    merchant_id: request.merchant.id,
    reference: request.reference,
    transaction_reference: disbursementReference(cell, stampText(now), id, randomCharacters(6)),
    batch_id: null,
    batch_row: null,
    status: STATUS[request.mode],
    version: 1,
    kobo: request.kobo,
    fee_kobo: payoutFee(request.kobo),
    held: true,
    narration: request.narration,
    source_account: request.merchant.wallet.accountNumber,
    bank_code: request.bankCode,
    account_number: request.accountNumber,
    account_name: request.accountName,
    given_name: request.givenName,
    name_score: request.nameScore,
    two_fa: request.mode === 'CODE',
    sender_info: request.senderInfo,
    description: request.mode === 'CODE' ? 'Waiting for authorization' : 'Transaction processing in progress',
    session_id: asked ? payoutSessionId(cell, now, id) : null,
    questions: 0,
    question_at: asked ? new Date(now.getTime() + INQUIRE_AFTER_MS) : null,
    created_at: now,
    completed_at: null,
  }
}

const timerOf = (row: sql.NewRow, mode: Mode): Timer => ({
  merchantId: row.merchant_id,
  subject: row.id,
  ...(mode === 'NOW'
    ? { kind: INQUIRE_DISBURSEMENT, dueAt: row.question_at as Date }
    : mode === 'LATER'
      ? { kind: SEND_DISBURSEMENT, dueAt: row.created_at }
      : { kind: EXPIRE_DISBURSEMENT, dueAt: new Date(row.created_at.getTime() + AUTHORISE_WITHIN_HOURS * 3_600_000) }),
})

/** Money held, of a transfer or of a whole batch. */
export const holdPosting = (
  id: bigint,
  merchantId: bigint,
  object: string,
  objectId: bigint,
  kobo: bigint,
): Posting => ({
  id,
  merchantId,
  kind: 'PAYOUT_HOLD',
  object,
  objectId,
  entries: [
    { account: accountId(merchantId, 'WALLET'), kobo: -kobo },
    { account: accountId(merchantId, 'PAYOUT_HOLD'), kobo },
  ],
})

export type Accept = (cell: CellId, request: PayoutRequest) => Promise<sql.NewRow>

export const createAccept = (ctx: Ctx): Accept =>
  perCell(
    ctx.cells.keys(),
    (cell): Coalesced<PayoutRequest, sql.NewRow> =>
      coalesce<PayoutRequest, sql.NewRow>({
        key: (request) => `${request.merchant.id}/${request.reference}`,
        run: (requests) => engineTx(ctx, cell, (t) => acceptAll(ctx, t, requests)),
      }),
  )

async function acceptAll(ctx: Ctx, t: Tx, requests: readonly PayoutRequest[]): Promise<(sql.NewRow | Failure)[]> {
  const merchantIds = [...new Set(requests.map((request) => request.merchant.id))]
  const balances = await lockWallets(t, merchantIds.flatMap(walletAndReceivable))
  const questions = requests.map((request) => ({ ...request, merchantId: request.merchant.id }))
  const known = await sql.known(t, questions, new Date(t.now.getTime() - DUPLICATE_SECONDS * 1000))
  const lost = await lostClaims(
    t,
    requests.map(({ claim }) => claim),
  )
  const asKnown = known.map((one, at) => ({ ...one, lost: lost.has(at) }))
  const verdicts = decide(requests, asKnown, balances, await spentToday(t, merchantIds))
  const next = idsFrom(await cellOf(ctx, t.cell).takeIds(requests.length * 4))
  const accepted = requests.flatMap((request, at): Accepted[] => {
    const change = verdicts[at]
    if (!change || change instanceof Failure) return []
    const row = rowOf(t.cell, request, next(), t.now)
    return [{ at, request, change, row, ids: { transfer: next(), activity: next(), alert: next() } }]
  })
  const createdAt = accepted.length > 0 ? await write(t, accepted) : new Map<bigint, Date>()
  const rows = new Map(accepted.map(({ at, row }) => [at, { ...row, created_at: createdAt.get(row.id) ?? t.now }]))
  await fileEarly(
    t,
    accepted.map(({ at, request, row }) => request.filing(rows.get(at) ?? row)),
  )
  return verdicts.map((verdict, at) => rows.get(at) ?? (verdict as Failure))
}

type Accepted = {
  readonly at: number
  readonly request: PayoutRequest
  readonly change: BalanceChange
  readonly row: sql.NewRow
  readonly ids: { readonly transfer: bigint; readonly activity: bigint; readonly alert: bigint }
}

/** All that is accepted, in one go; answers when each counts as created. */
async function write(t: Tx, accepted: readonly Accepted[]): Promise<ReadonlyMap<bigint, Date>> {
  const rows = accepted.map(({ row }) => row)
  const createdAt = await sql.insert(t, rows)
  await spend(t, sumsOf(rows))
  await scheduleAll(
    t,
    accepted.map(({ row, request }) => timerOf(row, request.mode)),
  )
  await fileCodes(
    t,
    accepted.flatMap(({ row, request: { codeDigest, codeExpires } }) =>
      codeDigest && codeExpires
        ? [{ subject: row.id, merchantId: row.merchant_id, digest: codeDigest(row.id), expiresAt: codeExpires }]
        : [],
    ),
  )
  await announceAll(
    t,
    accepted.flatMap((one) => noticesOf(one, t.now)),
  )
  // Last, because it locks what every end of a payout of these merchants needs too.
  await post(
    t,
    accepted.map(({ row, ids }) =>
      holdPosting(ids.transfer, row.merchant_id, 'disbursement', row.id, row.kobo + row.fee_kobo),
    ),
  )
  return createdAt
}

/** What the merchant is notified of: its wallet has changed, and may be low now. */
const noticesOf = ({ row, request: { merchant }, change, ids }: Accepted, now: Date) => {
  const { reference, narration } = row
  const about = { ...change, objectId: row.id }
  return [
    activityOf(merchant, { ...about, id: ids.activity, version: 1, reference, narration }, now),
    ...lowBalanceOf(merchant, { ...about, id: ids.alert }, now),
  ]
}

function sumsOf(rows: readonly sql.NewRow[]): Map<bigint, bigint> {
  const sums = new Map<bigint, bigint>()
  for (const { merchant_id, kobo } of rows) sums.set(merchant_id, (sums.get(merchant_id) ?? 0n) + kobo)
  return sums
}
