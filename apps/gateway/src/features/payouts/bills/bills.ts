// Bills: a merchant pays airtime, data, electricity and the like for its customers, out of its wallet.
//   check product, customer and price → accept (hold) → IN_PROGRESS → ask the biller → SUCCESS | FAILED
// Books: accepted: wallet → clearing, the price less the commission (BILL_HOLD); the rest is in biller.ts.
// Who waits: the biller for its own time; a caller waits three seconds for it, and requeries then.
import type { CatalogueProduct } from '@cowrie/contract/bank/biller-connector'
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { INQUIRE_BILL } from '@cowrie/contract/kit/timers'
import type { requeryBill, vendBill } from '@cowrie/contract/payouts/bills'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, engineTx, readAs, tx } from '#core/cells/cells.ts'
import { announceAll } from '#core/events.ts'
import { discardResponse, type StoreResponse } from '#core/idempotency.ts'
import { accountId } from '#core/ledger/chart.ts'
import { lockWallets, post } from '#core/ledger/ledger.ts'
import { CALLER_WAITS_MS, INQUIRE_AFTER_MS } from '#core/outgoing.ts'
import type { Call } from '#core/serving.ts'
import { owes, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { needsPerson } from '#features/wallets/second-person/second-person.ts'
import { countAlone } from '#features/wallets/wallets/alone.ts'
import { countDay } from '#features/wallets/wallets/day-limit.ts'
import { toActivity, toLowBalance } from '#features/wallets/wallets/wallets.ts'
import { within } from '#kit/clock.ts'
import { randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { billReference, FIRST_CONNECTOR_ID, payoutSessionId } from '#kit/ids.ts'
import { stampText } from '#kit/times.ts'
import { activityWords, type Biller, billPayable, type Companions } from './biller.ts'
import * as sql from './bills.sql.ts'
import { type BillCatalogue, checkCustomerId } from './catalogue.ts'

type Asked = BodyOf<typeof vendBill>
type Shown = ReplyOf<typeof requeryBill>

const IN_PROGRESS = 'Transaction processing in progress'

// ---- the rules

/** What the merchant keeps, rounded down to the kobo. */
const calculateCommission = (kobo: bigint, { commissionBasisPoints }: CatalogueProduct): bigint =>
  (kobo * BigInt(commissionBasisPoints)) / 10_000n

/** The price, if the product can be had for it. */
function priceOf(product: CatalogueProduct, amount: string): bigint {
  const kobo = parseNaira(amount)
  if (kobo === null || kobo === 0n) return fail('AMOUNT_INVALID', { field: 'amount' })
  const [price, least, most] = [product.price, product.minAmount, product.maxAmount].map((text) =>
    text === undefined ? null : parseNaira(text),
  )
  if (product.priceType === 'FIXED') {
    if (price !== kobo) fail('BILL_AMOUNT_NOT_PRICE', { field: 'amount', price: nairaText(price ?? 0n) })
  } else if (least == null || most == null || kobo < least || kobo > most)
    fail('BILL_AMOUNT_OUT_OF_BOUNDS', { field: 'amount', least: nairaText(least ?? 0n), most: nairaText(most ?? 0n) })
  return kobo
}

type BillRequest = {
  readonly merchant: Merchant
  readonly reference: string
  readonly customerId: string
  readonly product: CatalogueProduct & { readonly billerName: string }
  readonly kobo: bigint
  readonly commission: bigint
}

/** What can be said of a request before any money moves. */
function requestOf(merchant: Merchant, body: Asked, product: BillRequest['product']): BillRequest {
  const { customerId, reference } = body
  checkCustomerId(product, customerId)
  const kobo = priceOf(product, body.amount)
  if (product.requireValidationRef && !body.validationReference)
    fail('BILL_VALIDATION_MISSING', { field: 'validationReference' })
  if (kobo > merchant.transfers.perTransferKobo) fail('TRANSFER_LIMIT', { field: 'amount' })
  if (needsPerson(merchant, kobo)) fail('SECOND_PERSON_NEEDED', { field: 'amount' })
  return { merchant, reference, customerId, product, kobo, commission: calculateCommission(kobo, product) }
}

const companionsOf = ({ validationReference, emailAddress, phoneNumber }: Asked): Companions => ({
  ...(validationReference ? { validationReference } : {}),
  ...(emailAddress ? { emailAddress } : {}),
  ...(phoneNumber ? { phoneNumber } : {}),
})

// ---- commands

export async function vend(
  ctx: Ctx,
  { catalogue, biller }: { readonly catalogue: BillCatalogue; readonly biller: Biller },
  { merchant, body }: Call<typeof vendBill>,
  store: StoreResponse<Shown>,
): Promise<Shown> {
  const request = requestOf(merchant, body, await catalogue.product(body.productCode))
  // What is counted for a day is the engine's to write.
  const row = await engineTx(ctx, merchant.cell, async (t) => {
    const accepted = await accept(ctx, t, request)
    await store.early(t, recordOf(accepted))
    return accepted
  })
  const result = recordOf(await sendWithin(ctx, biller, merchant, row, companionsOf(body)))
  // The money is held or out by now, and an early answer is filed for the key: this one is given also if
  // it cannot be filed.
  if (store !== discardResponse)
    await tx(ctx, merchant.cell, merchant.id, (t) => store.late(t, result)).catch((error: unknown) =>
      ctx.log.warn('idempotent response of a bill was not stored', { cell: merchant.cell, error }),
    )
  ctx.wake(merchant.cell)
  return result
}

/** As it is after the biller's answer, or IN_PROGRESS when the biller takes its time: the answer is waited
 *  for all the same, and the timer asks if it never comes. An outcome that could not be written is not a
 *  refusal either: the order is out. */
function sendWithin(
  ctx: Ctx,
  biller: Biller,
  merchant: Merchant,
  row: sql.BillRow,
  companions: Companions,
): Promise<sql.BillRow> {
  const sent = biller.send(merchant, row, companions).catch((error: unknown) => {
    ctx.log.warn('outcome of a bill was not stored; the biller will be asked again', { cell: merchant.cell, error })
    return row
  })
  return within(sent, CALLER_WAITS_MS, row)
}

export const requery = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<Shown> =>
  recordOf(
    (await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, reference))) ??
      fail('BILL_NOT_FOUND', { field: 'reference', reference }),
  )

/** Holds the money, if the reference, the debts, the limits and the wallet allow it now. */
async function accept(ctx: Ctx, t: Tx, request: BillRequest): Promise<sql.BillRow> {
  const { merchant, reference, kobo, commission, product } = request
  const wallet = accountId(merchant.id, 'WALLET')
  const locked = await lockWallets(t, walletAndReceivable(merchant.id))
  const before = locked.get(wallet) ?? fail('INTERNAL', {}, `wallet ${wallet} not found`)
  if (await sql.isUsed(t, merchant.id, reference)) fail('BILL_REFERENCE_USED', { field: 'reference' })
  if (owes(locked, merchant.id)) fail('RECEIVABLE_OPEN')
  const payable = kobo - commission
  if (before < payable) fail('INSUFFICIENT_FUNDS')
  await countDay(t, merchant, payable, 'amount')
  await countAlone(t, { merchant, parts: [{ kobo: payable, to: null }] })
  const ids = await cellById(ctx, t.cell).takeIds(4)
  const [id, transferId, activityId, alertId] = ids as [bigint, bigint, bigint, bigint]
  const row: sql.BillRow = {
    id,
    merchant_id: merchant.id,
    reference,
    transaction_reference: billReference(t.cell, stampText(t.now), id, randomCharacters(6)),
    status: 'IN_PROGRESS',
    version: 1,
    kobo,
    commission_kobo: commission,
    product_code: product.code,
    product_name: product.name,
    biller_code: product.billerCode,
    biller_name: product.billerName,
    customer_id: request.customerId,
    token: null,
    description: IN_PROGRESS,
    session_id: payoutSessionId(t.institution, t.cell, t.now, id),
    connector: FIRST_CONNECTOR_ID,
    questions: 0,
    question_at: new Date(t.now.getTime() + INQUIRE_AFTER_MS),
    created_at: t.now,
    completed_at: null,
  }
  await sql.insert(t, row, INQUIRE_BILL)
  const movement = { objectId: id, before, after: before - payable }
  await announceAll(t, [
    toActivity(merchant, { ...movement, ...activityWords(row), id: activityId, version: 1 }, t.now),
    ...toLowBalance(merchant, { ...movement, id: alertId }, t.now),
  ])
  await post(t, [holdOf(row, transferId)])
  return row
}

const holdOf = (row: sql.BillRow, id: bigint) => ({
  id,
  merchantId: row.merchant_id,
  kind: 'BILL_HOLD',
  object: 'bill',
  objectId: row.id,
  entries: [
    { account: accountId(row.merchant_id, 'WALLET'), kobo: -billPayable(row) },
    { account: accountId(row.merchant_id, 'CLEARING'), kobo: billPayable(row) },
  ],
})

// ---- what is shown

const recordOf = (row: sql.BillRow): Shown => ({
  vendReference: row.reference,
  transactionReference: row.transaction_reference,
  vendStatus: row.status,
  description: row.description,
  vendAmount: nairaNumber(row.kobo),
  payableAmount: nairaNumber(billPayable(row)),
  commission: nairaNumber(row.commission_kobo),
  customerId: row.customer_id,
  productCode: row.product_code,
  productName: row.product_name,
  billerCode: row.biller_code,
  billerName: row.biller_name,
  ...(row.token === null ? {} : { token: row.token }),
})
