// Accepting transfers: under the lock of the wallet it is decided, one after the other, what the balance, the
// references and the limits allow; what is accepted has its money held in the same commit.
// Books: wallet → payout hold, amount and fee (PAYOUT_HOLD); of a customer's wallet the merchant may bear the
// fee. Requests that arrive together share the lock and the commit.
import {
  APPROVE_DISBURSEMENT,
  EXPIRE_DISBURSEMENT,
  INQUIRE_DISBURSEMENT,
  SEND_DISBURSEMENT,
} from '@cowrie/contract/kit/timers'
import { DUPLICATE_SECONDS, payoutFee } from '@cowrie/contract/payouts/disbursements'
import { calculatePrice, type Price } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { scheduleAll, type Timer } from '#core/agenda.ts'
import { cellById, engineTx } from '#core/cells/cells.ts'
import { type Coalesced, coalesce, perCell } from '#core/coalesce.ts'
import { type Announcement, announceAll } from '#core/events.ts'
import { type Claim, type Filing, fileEarly, lostClaims } from '#core/idempotency.ts'
import { accountId } from '#core/ledger/chart.ts'
import { type Entry, lockWallets, type Posting, post } from '#core/ledger/ledger.ts'
import { INQUIRE_AFTER_MS } from '#core/outgoing.ts'
import { routePayouts } from '#core/routing/routing.ts'
import { fileCodes } from '#features/wallets/authorisation/codes.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { askPerson, authoriseBy } from '#features/wallets/second-person/second-person.ts'
import { type Alone, type Going, NOBODY_COUNTS, readAlone } from '#features/wallets/wallets/alone.ts'
import { spend, spentToday } from '#features/wallets/wallets/day-limit.ts'
import { toHolder, type Wallet } from '#features/wallets/wallets/holders.ts'
import { toActivity, toLowBalance } from '#features/wallets/wallets/wallets.ts'
import { randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { type CellId, disbursementReference, FIRST_CONNECTOR_ID, idsFrom, payoutSessionId } from '#kit/ids.ts'
import { stampText } from '#kit/times.ts'
import * as sql from './accept.sql.ts'

/** NOW: the bank is asked by whoever accepts. LATER: a worker asks it. CODE: nobody does before the merchant
 *  authorises. APPROVAL: nobody does before the merchant's server approves. PERSON: nobody does before one of
 *  the merchant's people approves. */
export type Mode = 'NOW' | 'LATER' | 'CODE' | 'APPROVAL' | 'PERSON'

export type PayoutRequest = {
  readonly merchant: Merchant
  /** What it is paid from. */
  readonly wallet: Wallet
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
  /** Its line of the audit trail, where it has one. */
  readonly line?: ((t: Tx) => Promise<void>) | null
}

/** What is known of a request under the lock of its wallet. */
export type KnownRequest = {
  readonly used: boolean
  readonly likely_duplicate: boolean
  /** Another try of its Idempotency-Key does the work. */
  readonly lost?: boolean
}
type BalanceChange = {
  readonly before: bigint
  readonly after: bigint
  /** Of the wallet that bears the fee, where it is another. */
  readonly fee?: { readonly before: bigint; readonly after: bigint }
}

/** What a merchant reads that bears the fee for a customer. */
export const FEE_WORDS = 'Transfer fee'

/** What a transfer of an amount costs, decided when it is accepted. */
export const payoutPrice = (merchant: Merchant, kobo: bigint, at: Date): Price =>
  calculatePrice(merchant, 'PAYOUT', at, kobo, payoutFee)

const duplicateKey = (request: PayoutRequest): string =>
  `${request.merchant.id}/${request.bankCode}/${request.accountNumber}/${request.kobo}`

const goingOf = ({ merchant, kobo, bankCode, accountNumber }: PayoutRequest): Going => ({
  merchant,
  parts: [{ kobo, to: { bankCode, accountNumber } }],
})

/** One after the other, as if each had come alone: the money it takes, or why not. Pure, so that it can be
 *  held against a model. */
export function decide(
  requests: readonly PayoutRequest[],
  known: readonly KnownRequest[],
  balances: ReadonlyMap<bigint, bigint>,
  spentToday: ReadonlyMap<bigint, bigint>,
  now: Date,
  alone: Alone = NOBODY_COUNTS,
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
    const byOne = request.mode !== 'PERSON'
    if (byOne && !alone.fits(goingOf(request))) return new Failure('SECOND_PERSON_NEEDED', { field: 'amount' })
    const change = takeFromWallet(
      remaining,
      request.wallet,
      request.kobo,
      payoutPrice(request.merchant, request.kobo, now).kobo,
    )
    if (!change) return new Failure('INSUFFICIENT_FUNDS')
    if (byOne) alone.take(goingOf(request))
    spent.set(id, today)
    references.add(name)
    duplicates.add(duplicateKey(request))
    return change
  })
}

/** Takes an amount and its fee from what remains of the wallets, if both are there. */
export function takeFromWallet(
  remaining: Map<bigint, bigint>,
  { owner, feeOwner }: Wallet,
  kobo: bigint,
  fee: bigint,
): BalanceChange | null {
  const [wallet, bearer] = [accountId(owner, 'WALLET'), accountId(feeOwner, 'WALLET')]
  const held = (account: bigint) => remaining.get(account) ?? fail('INTERNAL', {}, `wallet ${account} not found`)
  const before = held(wallet)
  const after = before - kobo - (wallet === bearer ? fee : 0n)
  if (after < 0n) return null
  if (wallet === bearer) {
    remaining.set(wallet, after)
    return { before, after }
  }
  const feeBefore = held(bearer)
  if (feeBefore < fee) return null
  remaining.set(wallet, after)
  remaining.set(bearer, feeBefore - fee)
  return { before, after, fee: { before: feeBefore, after: feeBefore - fee } }
}

const STATUS = {
  NOW: 'PENDING',
  LATER: 'AWAITING_PROCESSING',
  CODE: 'PENDING_AUTHORIZATION',
  APPROVAL: 'PENDING',
  PERSON: 'PENDING_AUTHORIZATION',
} as const

function rowOf({ institution, cell, now }: Tx, request: PayoutRequest, id: bigint, connector: number): sql.NewRow {
  const asked = request.mode === 'NOW'
  const price = payoutPrice(request.merchant, request.kobo, now)
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
    fee_kobo: price.kobo,
    fee_schedule_id: price.scheduleId,
    held: true,
    narration: request.narration,
    source_account: request.wallet.accountNumber,
    wallet_id: request.wallet.id,
    fee_owner: separateFeeOwner(request.wallet),
    bank_code: request.bankCode,
    account_number: request.accountNumber,
    account_name: request.accountName,
    given_name: request.givenName,
    name_score: request.nameScore,
    two_fa: request.mode === 'CODE',
    sender_info: request.senderInfo,
    description:
      STATUS[request.mode] === 'PENDING_AUTHORIZATION'
        ? 'Waiting for authorization'
        : 'Transaction processing in progress',
    session_id: asked ? payoutSessionId(institution, cell, now, id) : null,
    connector,
    questions: 0,
    question_at: asked ? new Date(now.getTime() + INQUIRE_AFTER_MS) : null,
    created_at: now,
    completed_at: null,
    approval: request.mode === 'APPROVAL' ? 'ASKED' : request.mode === 'PERSON' ? 'PERSON' : null,
  }
}

const timerOf = (row: sql.NewRow, mode: Mode): Timer => ({
  merchantId: row.merchant_id,
  subject: row.id,
  ...TIMERS[mode](row),
})
const TIMERS: Readonly<Record<Mode, (row: sql.NewRow) => Pick<Timer, 'kind' | 'dueAt'>>> = {
  NOW: (row) => ({ kind: INQUIRE_DISBURSEMENT, dueAt: row.question_at as Date }),
  LATER: (row) => ({ kind: SEND_DISBURSEMENT, dueAt: row.created_at }),
  CODE: (row) => ({ kind: EXPIRE_DISBURSEMENT, dueAt: authoriseBy(row.created_at) }),
  PERSON: (row) => ({ kind: EXPIRE_DISBURSEMENT, dueAt: authoriseBy(row.created_at) }),
  APPROVAL: (row) => ({ kind: APPROVE_DISBURSEMENT, dueAt: row.created_at }),
}

/** As rows keep it: null where the wallet bears its own fees. */
export const separateFeeOwner = ({ owner, feeOwner }: Wallet): bigint | null => (feeOwner === owner ? null : feeOwner)

/** What an amount and its fee do to the wallets: one entry where one wallet bears both. */
export function walletEntries(
  { owner, feeOwner }: Pick<Wallet, 'owner' | 'feeOwner'>,
  kobo: bigint,
  fee: bigint,
): Entry[] {
  const account = accountId(owner, 'WALLET')
  if (owner === feeOwner) return [{ account, kobo: kobo + fee }]
  return [
    { account, kobo },
    { account: accountId(feeOwner, 'WALLET'), kobo: fee },
  ]
}

/** Money held, of a transfer or of a whole batch. */
export const holdPosting = (
  id: bigint,
  merchantId: bigint,
  wallet: Wallet,
  { object, objectId, kobo, fee }: { object: string; objectId: bigint; kobo: bigint; fee: bigint },
): Posting => ({
  id,
  merchantId,
  kind: 'PAYOUT_HOLD',
  object,
  objectId,
  entries: [
    ...walletEntries(wallet, -kobo, -fee),
    { account: accountId(wallet.owner, 'PAYOUT_HOLD'), kobo: kobo + fee },
  ],
})

/** What is locked for transfers: the merchant's wallet and receivable in any case, because they guard its
 *  limits and what it owes. */
export const accountsToLock = (merchantId: bigint, { owner, feeOwner }: Wallet): bigint[] => [
  ...walletAndReceivable(merchantId),
  ...[owner, feeOwner].filter((one) => one !== merchantId).map((one) => accountId(one, 'WALLET')),
]

export type Accept = (cell: CellId, request: PayoutRequest) => Promise<sql.NewRow>

export const createAccept = (ctx: Ctx): Accept =>
  perCell(
    ctx.cells.keys(),
    (cell): Coalesced<PayoutRequest, sql.NewRow> =>
      coalesce<PayoutRequest, sql.NewRow>({
        name: 'payouts',
        key: (request) => `${request.merchant.id}/${request.reference}`,
        run: (requests) => engineTx(ctx, cell, (t) => acceptAll(ctx, t, requests)),
      }),
  )

async function acceptAll(ctx: Ctx, t: Tx, requests: readonly PayoutRequest[]): Promise<(sql.NewRow | Failure)[]> {
  const merchantIds = [...new Set(requests.map((request) => request.merchant.id))]
  const balances = await lockWallets(t, [
    ...new Set(requests.flatMap(({ merchant, wallet }) => accountsToLock(merchant.id, wallet))),
  ])
  const questions = requests.map((request) => ({ ...request, merchantId: request.merchant.id }))
  const known = await sql.findKnown(t, questions, new Date(t.now.getTime() - DUPLICATE_SECONDS * 1000))
  const lost = await lostClaims(
    t,
    requests.map(({ claim }) => claim),
  )
  const asKnown = known.map((one, at) => ({ ...one, lost: lost.has(at) }))
  const byOne = requests.filter(({ mode }) => mode !== 'PERSON')
  const alone = await readAlone(t, byOne.map(goingOf))
  const verdicts = decide(requests, asKnown, balances, await spentToday(t, merchantIds), t.now, alone)
  const sentNow = requests.filter(({ mode }) => mode === 'NOW')
  const routed = await routePayouts(ctx, t, sentNow)
  const connectors = new Map(sentNow.map((request, at) => [request, routed[at]]))
  const next = idsFrom(await cellById(ctx, t.cell).takeIds(requests.length * 7))
  const accepted = requests.flatMap((request, at): Accepted[] => {
    const change = verdicts[at]
    if (!change || change instanceof Failure) return []
    const row = rowOf(t, request, next(), connectors.get(request) ?? FIRST_CONNECTOR_ID)
    return [
      {
        at,
        request,
        change,
        row,
        ids: { transfer: next(), activity: next(), alert: next(), fee: next(), approval: next(), mail: next() },
      },
    ]
  })
  const createdAt = accepted.length > 0 ? await write(t, accepted) : new Map<bigint, Date>()
  await alone.keep(t)
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
  readonly ids: Readonly<Record<'transfer' | 'activity' | 'alert' | 'fee' | 'approval' | 'mail', bigint>>
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
  for (const { row, request, ids } of accepted)
    if (request.mode === 'PERSON')
      await askPerson(t, request.merchant, ids, {
        kind: 'TRANSFER',
        reference: row.reference,
        kobo: row.kobo,
        to: `${row.account_name ?? ''}, ${row.account_number}, bank ${row.bank_code}`,
      })
  for (const { request } of accepted) await request.line?.(t)
  // Last, because it locks what every end of a payout of these merchants needs too.
  await post(
    t,
    accepted.map(({ row, ids, request: { wallet } }) => {
      const held = { object: 'disbursement', objectId: row.id, kobo: row.kobo, fee: row.fee_kobo }
      return holdPosting(ids.transfer, row.merchant_id, wallet, held)
    }),
  )
  return createdAt
}

const noticesOf = ({ row, request: { merchant, wallet }, change, ids }: Accepted, now: Date): Announcement[] => {
  const { id: objectId, reference, narration } = row
  return heldNotices(merchant, wallet, change, { ...ids, objectId, reference, narration }, now)
}

/** What the merchant is notified of: a wallet has changed, and its own may be low now. */
export function heldNotices(
  merchant: Merchant,
  wallet: Wallet,
  { before, after, fee }: BalanceChange,
  about: { activity: bigint; alert: bigint; fee: bigint; objectId: bigint; reference: string; narration: string },
  now: Date,
): Announcement[] {
  const { objectId, reference, narration } = about
  const words = { objectId, version: 1, reference, narration }
  const own = wallet.id === null ? { before, after } : fee
  return [
    toActivity(toHolder(merchant, wallet), { ...words, id: about.activity, before, after }, now),
    ...(fee ? [toActivity(merchant, { ...words, ...fee, id: about.fee, narration: FEE_WORDS }, now)] : []),
    ...(own ? toLowBalance(merchant, { objectId, ...own, id: about.alert }, now) : []),
  ]
}

function sumsOf(rows: readonly sql.NewRow[]): Map<bigint, bigint> {
  const sums = new Map<bigint, bigint>()
  for (const { merchant_id, kobo } of rows) sums.set(merchant_id, (sums.get(merchant_id) ?? 0n) + kobo)
  return sums
}
