// Corrections: our books are brought to the bank's by one posting for one break, which two operators decide
// on.
//   break OPEN → [approved] posting CORRECTION (or an item in suspense) → RESOLVED, in one transaction
// Books: bank on one side by exactly the difference; a wallet, suspense or our account of differences on the
// other. What a wallet cannot give is owed by its merchant; a fee goes back with the money it was taken for.
// No posting is free-form: each kind of correction is written here, with the breaks it fits. Who waits:
// nobody.
import type { CorrectionKind } from '@cowrie/contract/settlements/breaks'
import type { Merchant } from '#core/access/merchants.ts'
import { keepApproval } from '#core/acts/approved.ts'
import { cellById } from '#core/cells/cells.ts'
import { type AccountKind, accountId, bankAccount, cardReceivable, HOUSE, houseAccount } from '#core/ledger/chart.ts'
import { balance, type Entry, type Posting, post } from '#core/ledger/ledger.ts'
import { lockChains } from '#core/ledger/settlement-chains.ts'
import { moneyName } from '#core/routing/names.ts'
import { findIn, resolveAll } from '#features/bank/breaks/breaks.ts'
import { holdUnowned } from '#features/collections/credits/decisions.ts'
import { findBalanceApart } from '#features/settlements/reconciliation/balance.ts'
import {
  type Difference,
  findDifference,
  isOfCards,
  type NoDifference,
} from '#features/settlements/reconciliation/difference.ts'
import { takeBack } from '#features/wallets/receivables/receivables.ts'
import { ownWallet } from '#features/wallets/wallets/holders.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { lockAccount } from './corrections.sql.ts'
import { type Credited, explainTaking, findCredited } from './credited.ts'
import { giveToWallet } from './to-wallet.ts'

// ---- which correction fits which break

/** A difference, what of it a merchant was credited with, and what our own accounts hold that we may pay
 *  from. */
export type Correctable = Difference & {
  readonly credited: Credited | null
  readonly holds: Readonly<Partial<Record<CorrectionKind, bigint>>>
}
export type Where = { readonly ctx: Ctx; readonly cell: CellId }

/** Of what we pay out of our own account at a bank: what the account owes, or is ours. */
const PAID_FROM = { TO_BILLERS: 'BILLERS', TO_AGENTS: 'AGENTS', FEES_OUT: 'FEE_INCOME' } as const
const isPaidFrom = (kind: CorrectionKind): kind is keyof typeof PAID_FROM => kind in PAID_FROM
const PAID_KINDS = Object.keys(PAID_FROM) as (keyof typeof PAID_FROM)[]

export async function findCorrectable(
  { ctx, cell }: Where,
  read: Read,
  id: bigint,
): Promise<Correctable | NoDifference | null> {
  const found = await findDifference(read, id)
  if (!found) return null
  if ('why' in found) return found.row.class === 'BALANCE' ? balanceDifference(ctx, read, cell, found) : found
  const holds: Partial<Record<CorrectionKind, bigint>> = {}
  if (isForeign(found) && found.kobo < 0n)
    for (const kind of PAID_KINDS) holds[kind] = await balance(read, houseAccount(PAID_FROM[kind]))
  return { ...found, credited: await findCredited(read, found), holds }
}

/** What no line and no other break explains of the balance at the bank, as it is now. */
async function balanceDifference(
  ctx: Ctx,
  read: Read,
  cell: CellId,
  none: NoDifference,
): Promise<Correctable | NoDifference> {
  if (none.row.status !== 'OPEN') return none
  const kobo = await findBalanceApart(ctx, read, cell, none.row.connector)
  if (kobo === null) return { ...none, why: 'the statement of yesterday is not compared yet', agreed: false }
  const nothing = { line: null, known: false, state: null, booked: false, credited: null, holds: {} }
  return kobo === 0n ? none : { row: none.row, kobo, ...nothing }
}

/** The bank's side is as it should be, or nobody knows which line it was. */
const isOfNoLine = ({ row }: Difference): boolean => row.class === 'BALANCE' || row.class === 'TRANSIT'
/** A credit that our books do not have: its session must be counted with it, or its notice would count it
 *  again. */
const isUnbookedCredit = ({ row, booked }: Difference): boolean =>
  row.kind === 'CREDIT' && !booked && (row.class === 'UNKNOWN_OWNER' || row.class === 'MISSING_HERE')
const canBeHeld = ({ kobo, line }: Difference): boolean => kobo > 0n && line?.account_number != null
const isForeign = ({ row, known, line }: Difference): boolean => row.class === 'MISSING_HERE' && !known && line !== null

const FITS: Readonly<Record<CorrectionKind, (found: Correctable) => boolean>> = {
  BANK_CHARGE: (found) => isForeign(found) && found.kobo < 0n,
  BANK_CREDIT: (found) => isForeign(found) && found.kobo > 0n,
  TO_SUSPENSE: (found) => isUnbookedCredit(found) && canBeHeld(found),
  TO_MERCHANT: (found) => found.kobo > 0n && !isUnbookedCredit(found) && !isOfNoLine(found),
  // Only what its merchant was credited with and should not have been: money leaves by its owner's will.
  FROM_MERCHANT: ({ credited }) => credited !== null,
  // A line that names no account of ours can be held for nobody.
  WRITE_OFF: (found) => !isForeign(found) && (!isUnbookedCredit(found) || !canBeHeld(found)),
  TO_BILLERS: (found) => canPay(found, 'TO_BILLERS'),
  TO_AGENTS: (found) => canPay(found, 'TO_AGENTS'),
  FEES_OUT: (found) => canPay(found, 'FEES_OUT'),
}
/** Never more than the account holds. */
const canPay = ({ holds, kobo }: Correctable, kind: CorrectionKind): boolean =>
  (holds[kind] ?? 0n) >= -kobo && kobo < 0n
export const correctionsFor = (found: Correctable): CorrectionKind[] =>
  (Object.keys(FITS) as CorrectionKind[]).filter((kind) => FITS[kind](found))

// ---- what would be posted

export type Correction = {
  readonly found: Correctable
  readonly kind: CorrectionKind
  /** Whose the posting is; HOUSE if nobody's. */
  readonly merchantId: bigint
  readonly entries: readonly Entry[]
}
export type CorrectionRequest = {
  readonly id: bigint
  readonly kind: CorrectionKind
  /** The difference without its sign, said again. */
  readonly kobo: bigint
  /** Given by the operator; needed where the break knows no merchant. */
  readonly merchant: Merchant | null
}

const absolute = (kobo: bigint): bigint => (kobo < 0n ? -kobo : kobo)
export const correctionSize = ({ found }: Correction): bigint => absolute(found.kobo)

function ownerOf({ row }: Difference, { kind, merchant }: CorrectionRequest): bigint {
  if (kind !== 'TO_MERCHANT' && kind !== 'FROM_MERCHANT') return HOUSE
  if (row.merchant_id === HOUSE)
    return merchant?.id ?? fail('CORRECTION_NOT_ALLOWED', { why: 'the break names no merchant, so one must be given' })
  if (merchant && merchant.id !== row.merchant_id)
    fail('CORRECTION_NOT_ALLOWED', { why: 'the break is about another merchant' })
  return row.merchant_id
}

const houseSide = (kind: CorrectionKind): AccountKind =>
  isPaidFrom(kind) ? PAID_FROM[kind] : kind === 'TO_SUSPENSE' ? 'SUSPENSE' : 'DIFFERENCES'

/** Holds, until the end of the transaction, the account that a correction may take no more from than it has;
 *  of what is taken back from a merchant its chain of settlements, as whoever hears of a reversal does: only
 *  one of the two takes it. */
export async function lockFor(t: Tx, { id, kind }: Pick<CorrectionRequest, 'id' | 'kind'>): Promise<void> {
  if (isPaidFrom(kind)) await lockAccount(t, houseAccount(PAID_FROM[kind]))
  const row = kind === 'FROM_MERCHANT' ? await findIn(t, id) : null
  if (row && row.merchant_id !== HOUSE) await lockChains(t, [row.merchant_id])
}

/** What the bank holds more is a debit of our account there. Of a sweep both banks are right: what never
 *  arrived is on its way for ever. What goes back to a card its acquirer keeps back from what it owes us. */
const sideOf = ({ row }: Difference): bigint =>
  row.class === 'TRANSIT'
    ? houseAccount('SWEEPS')
    : isOfCards(row)
      ? cardReceivable(row.connector)
      : bankAccount(row.connector)

/** What a correction would be now; refuses one that does not fit. Writes nothing. */
export async function planCorrection(
  where: Where,
  read: Read,
  asked: CorrectionRequest,
  size: (kobo: bigint) => string,
): Promise<Correction> {
  const found = (await findCorrectable(where, read, asked.id)) ?? fail('BREAK_NOT_FOUND')
  if ('why' in found) return fail('CORRECTION_NOT_ALLOWED', { why: found.why })
  if (!FITS[asked.kind](found))
    fail('CORRECTION_NOT_ALLOWED', { why: `it allows ${correctionsFor(found).join(', ') || 'none'}` })
  if (absolute(found.kobo) !== asked.kobo) fail('CORRECTION_AMOUNT', { difference: size(absolute(found.kobo)) })
  const merchantId = ownerOf(found, asked)
  const { credited, kobo } = found
  const feeBack = asked.kind === 'FROM_MERCHANT' ? (credited?.feeKobo ?? 0n) : 0n
  const other =
    merchantId !== HOUSE
      ? accountId((asked.kind === 'FROM_MERCHANT' && credited?.customer?.id) || merchantId, 'WALLET')
      : houseAccount(houseSide(asked.kind))
  const ours = sideOf(found)
  const entries = [
    { account: ours, kobo: -kobo },
    { account: other, kobo: kobo + feeBack },
    ...(feeBack > 0n ? [{ account: houseAccount('FEE_INCOME'), kobo: -feeBack }] : []),
  ]
  return { found, kind: asked.kind, merchantId, entries }
}

// ---- posting it

/** Ends the break and posts its correction, once: the second of two finds it resolved. `merchant` is the
 *  owner of the wallet, if one is touched. */
export async function correct(
  ctx: Ctx,
  t: Tx,
  correction: Correction,
  merchant: Merchant | null,
  decided: { readonly approvalId: bigint; readonly reason: string },
): Promise<bigint> {
  const { found, kind, merchantId } = correction
  const { row } = found
  const { approvalId, reason } = decided
  const ended = await resolveAll(t, [
    { id: row.id, merchantId: row.merchant_id, done: `${kind}: ${reason}`, approvalId },
  ])
  if (ended.size === 0) fail('WRONG_STATE', {}, `break ${row.id} is resolved already`)
  const [transferId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  // A reference with a space could be taken for another bank's (core/routing/names.ts).
  if (kind === 'TO_SUSPENSE' && row.session_id.includes(' '))
    fail('WRONG_STATE', {}, 'a reference with a space cannot be held')
  if (kind === 'TO_SUSPENSE') await holdUnowned(ctx, t, noticeOf(found), found.kobo, transferId)
  else if (kind === 'FROM_MERCHANT' && merchant) await takeFrom(ctx, t, correction, merchant, transferId)
  else if (merchant) {
    const words = { reference: row.session_id, narration: NARRATION }
    const holder = { merchant, wallet: ownWallet(merchant) }
    await giveToWallet(ctx, t, holder, postingOf(correction, transferId), words)
  } else await post(t, [postingOf(correction, transferId)])
  await keepApproval(t, { transferId, merchantId, approvalId })
  return transferId
}

const NARRATION = 'Corrected: a difference with the bank'
const postingOf = ({ merchantId, found, entries }: Correction, id: bigint): Posting => ({
  id,
  merchantId,
  kind: 'CORRECTION',
  object: 'recon_break',
  objectId: found.row.id,
  entries,
})

async function takeFrom(ctx: Ctx, t: Tx, correction: Correction, merchant: Merchant, id: bigint): Promise<void> {
  const { found } = correction
  const customer = found.credited?.customer
  const wallet = customer ? { ...customer, owner: customer.id } : ownWallet(merchant)
  await takeBack(
    ctx,
    t,
    { merchant, wallet },
    {
      posting: postingOf(correction, id),
      reference: found.row.session_id,
      narration: NARRATION,
      reversalReference: null,
      correction: { breakId: found.row.id, because: explainTaking(found) },
    },
  )
}

const noticeOf = ({ line, row }: Difference) => ({
  sessionId: moneyName(row.connector, row.session_id),
  bankCode: line?.bank_code ?? '',
  accountNumber: line?.account_number ?? '',
  amount: '',
  senderName: line?.sender_name ?? '',
  senderAccountNumber: line?.sender_account_number ?? '',
  senderBankCode: line?.sender_bank_code ?? '',
  paidAt: (line?.booked_at ?? new Date(0)).toISOString(),
})
