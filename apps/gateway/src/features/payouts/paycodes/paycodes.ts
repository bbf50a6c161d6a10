// Paycodes: a beneficiary takes cash at an agent with a code, out of the merchant's wallet.
//   accept (hold) → PENDING → COMPLETED, redeemed at an agent (redemption.ts) | CANCELLED by the merchant |
//     EXPIRED by its timer
// Books: accepted: wallet → payout hold, amount and fee (PAYCODE_HOLD); the rest is in outcome.ts. Who waits:
// the beneficiary. The gates are those of a transfer. The code is stored encrypted while it is valid, and
// found by a keyed digest; `…/authorize` alone shows it.

import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { EXPIRE_PAYCODE } from '@cowrie/contract/kit/timers'
import { payoutFee } from '@cowrie/contract/payouts/disbursements'
import {
  type createPaycode,
  type getPaycode,
  type listPaycodes,
  PAYCODE_DAYS_MAX,
  PAYCODE_HOURS,
  PAYCODE_MINIMUM_KOBO,
} from '@cowrie/contract/payouts/paycodes'
import { calculatePrice, type Price } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { schedule } from '#core/agenda.ts'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import { announceAll } from '#core/events.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import type { SealedTable } from '#core/keys/reseal.ts'
import { accountId } from '#core/ledger/chart.ts'
import { lockWallets, post } from '#core/ledger/ledger.ts'
import type { Call } from '#core/serving.ts'
import { naira } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { needsPerson } from '#features/wallets/second-person/second-person.ts'
import { countAlone } from '#features/wallets/wallets/alone.ts'
import { countDay } from '#features/wallets/wallets/day-limit.ts'
import { toActivity, toLowBalance } from '#features/wallets/wallets/wallets.ts'
import { hmacBytes, open, randomDigits, randomHex, sameText, seal } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { paycodeReference, toPaycode } from '#kit/ids.ts'
import { offsetText, readSecond, secondText } from '#kit/times.ts'
import * as sql from './paycodes.sql.ts'

type Asked = BodyOf<typeof createPaycode>
type Shown = ReplyOf<typeof getPaycode>

// ---- what is asked

/** When it ends: as asked, or a day from now. */
function expiryOf(asked: string | undefined, now: Date): Date {
  if (asked === undefined) return new Date(now.getTime() + PAYCODE_HOURS * HOUR_MS)
  const at = readSecond(asked)
  if (!at || at <= now) return fail('PAYCODE_EXPIRY_INVALID', { field: 'expiryDate' })
  const latest = now.getTime() + PAYCODE_DAYS_MAX * 24 * HOUR_MS
  return at.getTime() > latest ? fail('PAYCODE_EXPIRY_TOO_LATE', { field: 'expiryDate' }) : at
}

/** What can be judged before the wallet is locked. */
function amountOf(merchant: Merchant, { amount, clientId }: Asked): bigint {
  const { apiKey, transfers } = merchant
  if (!sameText(clientId, apiKey)) fail('PAYCODE_CLIENT_UNKNOWN', { field: 'clientId', clientId })
  const kobo = parseNaira(amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
  if (kobo < PAYCODE_MINIMUM_KOBO) fail('PAYCODE_AMOUNT_TOO_SMALL', { field: 'amount' })
  if (!transfers.approved) fail('TRANSFERS_NOT_APPROVED')
  if (kobo > transfers.perTransferKobo) fail('TRANSFER_LIMIT', { field: 'amount' })
  return needsPerson(merchant, kobo) ? fail('SECOND_PERSON_NEEDED', { field: 'amount' }) : kobo
}

// ---- the code

/** What a code is looked up by. */
export const codeDigest = (ctx: Ctx, code: string): Buffer => hmacBytes(ctx.keys.paycodes, code)
/** Whose code it is: sealed for another paycode it does not open. */
const contextOf = ({ merchant_id, reference }: Pick<sql.PaycodeRow, 'merchant_id' | 'reference'>): string =>
  `paycode/${merchant_id}/${reference}`

export const sealedCodes: SealedTable = {
  table: 'paycodes',
  key: { id: 'bigint' },
  needs: ['merchant_id', 'reference'],
  columns: { code_sealed: (row) => contextOf(row as Pick<sql.PaycodeRow, 'merchant_id' | 'reference'>) },
}

const TRIES = 10
/** A code that nobody has been given before. */
async function newCode(ctx: Ctx, t: Tx): Promise<{ code: string; digest: Buffer }> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const code = toPaycode(t.cell, randomDigits(8))
    const digest = codeDigest(ctx, code)
    if (!(await sql.isTaken(t, digest))) return { code, digest }
  }
  return fail('INTERNAL', {}, `cell ${t.cell}: no paycode is free`)
}

// ---- commands

export async function create(
  ctx: Ctx,
  { merchant, body }: Call<typeof createPaycode>,
  store: StoreResponse<Shown>,
): Promise<Shown> {
  const kobo = amountOf(merchant, body)
  // What is counted for a day is the engine's to write.
  const record = await engineTx(ctx, merchant.cell, async (t) => {
    const accepted = presentPaycode(await accept(ctx, t, merchant, body, kobo))
    await store(t, accepted)
    return accepted
  })
  ctx.wake(merchant.cell)
  return record
}

/** Holds the money and gives out the code, if the reference, the limits and the wallet allow it now. */
async function accept(ctx: Ctx, t: Tx, merchant: Merchant, body: Asked, kobo: bigint): Promise<sql.PaycodeRow> {
  const expiresAt = expiryOf(body.expiryDate, t.now)
  const wallet = accountId(merchant.id, 'WALLET')
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const before = locked.get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`)
  if (await sql.find(t, merchant.id, body.paycodeReference))
    fail('PAYCODE_REFERENCE_USED', { field: 'paycodeReference' })
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  const price = calculatePrice(merchant, 'PAYOUT', t.now, kobo, payoutFee)
  const whole = kobo + price.kobo
  if (before < whole) fail('INSUFFICIENT_FUNDS')
  await countDay(t, merchant, kobo, 'amount')
  await countAlone(t, { merchant, parts: [{ kobo, to: 'CASH' }] })
  const ids = await cellById(ctx, t.cell).takeIds(5)
  const [id, transferId, activityId, alertId, mailId] = ids as [bigint, bigint, bigint, bigint, bigint]
  const row = await rowOf(ctx, t, { id, merchant, body, kobo, price, expiresAt })
  await sql.insert(t, row)
  await schedule(t, EXPIRE_PAYCODE, merchant.id, id, expiresAt)
  await queueMail(t, mailId, merchant, ownersMail(row))
  const movement = { objectId: id, before, after: before - whole }
  await announceAll(t, [
    toActivity(merchant, { ...movement, ...activityWords(row), id: activityId, version: 1 }, t.now),
    ...toLowBalance(merchant, { ...movement, id: alertId }, t.now),
  ])
  const entries = [
    { account: wallet, kobo: -whole },
    { account: accountId(merchant.id, 'PAYOUT_HOLD'), kobo: whole },
  ]
  const about = { merchantId: merchant.id, object: 'paycode', objectId: id }
  await post(t, [{ ...about, id: transferId, kind: 'PAYCODE_HOLD', entries }])
  return row
}

async function rowOf(
  ctx: Ctx,
  t: Tx,
  {
    id,
    merchant,
    body,
    kobo,
    price,
    expiresAt,
  }: { id: bigint; merchant: Merchant; body: Asked; kobo: bigint; price: Price; expiresAt: Date },
): Promise<sql.PaycodeRow> {
  const { code, digest } = await newCode(ctx, t)
  const named = { merchant_id: merchant.id, reference: paycodeReference(t.cell, randomHex(15)) }
  return {
    id,
    ...named,
    paycode_reference: body.paycodeReference,
    status: 'PENDING',
    version: 1,
    kobo,
    fee_kobo: price.kobo,
    fee_schedule_id: price.scheduleId,
    beneficiary_name: body.beneficiaryName,
    code_sealed: seal(ctx.keys, code, contextOf(named)),
    code_digest: digest,
    code_tail: code.slice(-2),
    expires_at: expiresAt,
    created_by: merchant.key?.apiKey ?? merchant.apiKey,
    modified_by: merchant.key?.apiKey ?? merchant.apiKey,
    created_at: t.now,
    ended_at: null,
    session_id: null,
    agent_id: null,
  }
}

/** The owner is notified of every paycode: nobody else authorises it. Without the code: a mailbox is not
 *  where it belongs. */
const ownersMail = (row: sql.PaycodeRow) => ({
  subject: `Paycode ${row.paycode_reference}`,
  text: [
    `A paycode of ${naira(row.kobo)}, reference ${row.paycode_reference}, was created for ${row.beneficiary_name}.`,
    `Whoever has its code can take the cash at an agent until ${secondText(row.expires_at)} (West Africa Time).`,
    'If you did not request this, cancel it, replace your secret key at once and contact support.',
  ].join('\n\n'),
})

/** How a movement in the wallet names its paycode. */
export const activityWords = (row: sql.PaycodeRow) => ({
  reference: row.paycode_reference,
  narration: `Paycode for ${row.beneficiary_name}`,
})

// ---- what is shown

export const masked = ({ code_tail }: Pick<sql.PaycodeRow, 'code_tail'>): string => `******${code_tail}`

export const presentPaycode = (row: sql.PaycodeRow, code: string = masked(row)): Shown => ({
  paycode: code,
  transactionReference: row.reference,
  paycodeReference: row.paycode_reference,
  beneficiaryName: row.beneficiary_name,
  amount: nairaNumber(row.kobo),
  fee: nairaNumber(row.fee_kobo),
  transactionStatus: row.status,
  expiryDate: secondText(row.expires_at),
  createdOn: offsetText(row.created_at),
  createdBy: row.created_by,
  modifiedBy: row.modified_by,
  ...(row.status === 'CANCELLED' && row.ended_at ? { cancelDate: offsetText(row.ended_at) } : {}),
  ...(row.status === 'COMPLETED' && row.ended_at ? { redeemedOn: offsetText(row.ended_at) } : {}),
})

const rowNamed = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<sql.PaycodeRow> =>
  (await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference))) ??
  fail('PAYCODE_NOT_FOUND')

export const findPaycode = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<Shown> =>
  presentPaycode(await rowNamed(ctx, merchant, reference))

/** With the code in clear, as long as it is worth something. */
export async function revealPaycode(ctx: Ctx, merchant: Merchant, reference: string): Promise<Shown> {
  const row = await rowNamed(ctx, merchant, reference)
  return row.code_sealed === null
    ? presentPaycode(row)
    : presentPaycode(row, open(ctx.keys, row.code_sealed, contextOf(row)))
}

const momentOf = (seconds: string | undefined): Date | null =>
  seconds === undefined ? null : new Date(Number(seconds) * 1000)
/** Clients know both words. */
const stateOf = (status: QueryOf<typeof listPaycodes>['transactionStatus']): string | null =>
  status === 'SUCCESS' ? 'COMPLETED' : (status ?? null)

export async function listPaycodeRecords(
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof listPaycodes>,
): Promise<ReplyOf<typeof listPaycodes>> {
  const cut = pageAsked(query)
  const filter = {
    reference: query.transactionReference ?? null,
    beneficiaryName: query.beneficiaryName ?? null,
    status: stateOf(query.transactionStatus),
    from: momentOf(query.from),
    to: momentOf(query.to),
  }
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id, filter, cut))
  return toPage(
    rows.map((row) => presentPaycode(row)),
    cut,
    total,
  )
}
