// Mandates: a customer allows a merchant, once, to take money from an account.
//   create → INITIATED → [the customer pays the token] ACTIVE      INITIATED → [declines] FAILED, [30 days]
//     EXPIRED
//   ACTIVE → [end date] EXPIRED, or its window moves on      a request to cancel → [the scheme has ended it]
//     CANCELLED
// Its scheme is chosen when it is created, and stays: whoever asked the customer is the only one that may
// debit the account.
// Books: none; debits.ts takes the money. Who waits: the customer until authorize_by; the scheme, asked again
// until it answers.

import { findBank } from '@cowrie/contract/bank/banks'
import type { MandateAnswer, MandateNotice, MandateOrder } from '@cowrie/contract/bank/mandate-connector'
import {
  AUTHORISE_WITHIN_DAYS,
  type cancelMandate,
  type createMandate,
  RENEWED_WINDOW_HOURS_MIN,
} from '@cowrie/contract/collections/direct-debit'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { webAddress } from '@cowrie/contract/kit/html'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { CLOSE_MANDATE, END_MANDATE, MANDATE_UNAUTHORISED, REGISTER_MANDATE } from '@cowrie/contract/kit/timers'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { schedule, scheduleAll } from '#core/agenda.ts'
import { cellById, engineTx, findCell, readAll, tx } from '#core/cells/cells.ts'
import type { StoreResponse } from '#core/idempotency.ts'
import { CALLER_WAITS_MS } from '#core/outgoing.ts'
import { firstFor } from '#core/routing/order.ts'
import { bankFor, connectorNumber } from '#core/routing/routing.ts'
import { enrolled } from '#core/routing/statement-days.ts'
import type { Call } from '#core/serving.ts'
import { naira, plainSheet } from '#features/events/mails/mail-look.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { within } from '#kit/clock.ts'
import { random16 } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, cellOfMandate, FIRST_CONNECTOR_ID, mandateCode } from '#kit/ids.ts'
import { needMoment } from '#kit/times.ts'
import { askToCancel, change } from './changes.ts'
import * as sql from './mandates.sql.ts'

/** The maker of a mandate registers it before it answers; the timer is for what was not answered. */
const REGISTER_AFTER_MS = 15_000
const AGAIN_MS = 30_000

type Asked = BodyOf<typeof createMandate>
type Answer = ReplyOf<typeof createMandate>

// ---- create

const CREATED = 'The customer was asked to authorise the mandate'
const CANCEL_REQUESTED = 'Mandate has been requested to be cancelled.'
const answerOf = (row: sql.Row, responseMessage: string): Answer => ({
  responseMessage,
  mandateReference: row.reference,
  mandateCode: row.code,
  mandateStatus: row.status,
})

const MOMENT = 'must be a date and time such as 2026-05-02 08:00:00'

function amountOf(text: string | undefined, field: string): bigint | null {
  if (text === undefined) return null
  return parseNaira(text) || fail('AMOUNT_INVALID', { field })
}

function windowOf(body: Asked, now: Date): { starts_at: Date; ends_at: Date } {
  const starts_at = needMoment('mandateStartDate', body.mandateStartDate, MOMENT)
  const ends_at = needMoment('mandateEndDate', body.mandateEndDate, MOMENT)
  if (starts_at < now) fail('MANDATE_START_PAST', { field: 'mandateStartDate' })
  const least = body.autoRenew ? RENEWED_WINDOW_HOURS_MIN * HOUR_MS : 1
  if (ends_at.getTime() - starts_at.getTime() < least) fail('MANDATE_END_EARLY', { field: 'mandateEndDate' })
  return { starts_at, ends_at }
}

/** The name the bank holds for the customer's account. */
async function enquire(ctx: Ctx, bankCode: string, accountNumber: string): Promise<string> {
  if (!findBank(bankCode)) fail('MANDATE_BANK_UNKNOWN', { field: 'customerAccountBankCode' })
  const invalid = () => fail('MANDATE_ACCOUNT_INVALID', { field: 'customerAccountNumber' })
  if (!/^\d{10}$/.test(accountNumber)) return invalid()
  const outcome = await ctx.bank.nameEnquiry({ bankCode, accountNumber })
  if (outcome.kind === 'no') return invalid()
  return outcome.kind === 'yes' ? outcome.value.accountName : fail('UNAVAILABLE', {}, `name enquiry: ${outcome.why}`)
}

/** The connector of the scheme that a new mandate is registered with. What it collects arrives at that bank,
 *  so its statements are read from now on. */
async function schemeFor(ctx: Ctx, cell: CellId): Promise<number> {
  if (ctx.connectors.all.length === 1) return FIRST_CONNECTOR_ID
  return enrolled(ctx, cell, await firstFor(ctx, cell, 'mandate'))
}

/** What can be said of a request before anything is written. */
async function requestOf(ctx: Ctx, merchant: Merchant, body: Asked) {
  if (!merchant.contracts.has(body.contractCode)) fail('CONTRACT_UNKNOWN', { field: 'contractCode' })
  const [kobo, debit_kobo] = [amountOf(body.mandateAmount, 'mandateAmount'), amountOf(body.debitAmount, 'debitAmount')]
  if (kobo !== null && debit_kobo !== null && debit_kobo > kobo)
    fail('FIELD_INVALID', { field: 'debitAmount', why: 'must not exceed mandateAmount' })
  const window = windowOf(body, ctx.clock.now())
  const account_name = await enquire(ctx, body.customerAccountBankCode, body.customerAccountNumber)
  const given = body.customerAccountName
  if (given !== undefined && matchNames(given, account_name).verdict !== 'MATCH')
    fail('MANDATE_NAME_MISMATCH', { field: 'customerAccountName', given, held: account_name })
  return {
    ...window,
    connector: await schemeFor(ctx, merchant.cell),
    merchant_id: merchant.id,
    reference: body.mandateReference,
    contract_code: body.contractCode,
    customer_name: body.customerName,
    customer_email: body.customerEmailAddress,
    customer_phone: body.customerPhoneNumber,
    customer_address: body.customerAddress,
    account_number: body.customerAccountNumber,
    bank_code: body.customerAccountBankCode,
    account_name,
    description: body.mandateDescription,
    kobo,
    debit_kobo,
    auto_renew: body.autoRenew ?? false,
    customer_cancels: body.customerCancellation ?? false,
  }
}

async function insert(ctx: Ctx, t: Tx, request: Awaited<ReturnType<typeof requestOf>>): Promise<sql.Row> {
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const authorize_by = new Date(Math.min(t.now.getTime() + AUTHORISE_WITHIN_DAYS * DAY_MS, request.ends_at.getTime()))
  const row = await sql.insert(t, { ...request, id, code: mandateCode(t.cell, t.now, random16()), authorize_by })
  if (!row) return fail('MANDATE_REFERENCE_USED', { field: 'mandateReference' })
  const timer = { merchantId: row.merchant_id, subject: row.id }
  await scheduleAll(t, [
    { ...timer, kind: REGISTER_MANDATE, dueAt: new Date(t.now.getTime() + REGISTER_AFTER_MS) },
    { ...timer, kind: MANDATE_UNAUTHORISED, dueAt: authorize_by },
    { ...timer, kind: END_MANDATE, dueAt: row.ends_at },
  ])
  return row
}

// ---- the scheme

const orderOf = (merchant: Merchant, row: sql.Row): MandateOrder => ({
  mandateCode: row.code,
  merchantName: merchant.name,
  customerName: row.customer_name,
  customerBankCode: row.bank_code,
  customerAccountNumber: row.account_number,
  customerAccountName: row.account_name,
  description: row.description,
  startDate: row.starts_at.toISOString(),
  endDate: row.ends_at.toISOString(),
  autoRenew: row.auto_renew,
  ...(row.kobo === null ? {} : { amount: nairaText(row.kobo) }),
  ...(row.debit_kobo === null ? {} : { debitAmount: nairaText(row.debit_kobo) }),
  customerCancellation: row.customer_cancels,
  authorizeBy: row.authorize_by.toISOString(),
})

function mailOf(merchant: Merchant, row: sql.Row, said: MandateAnswer) {
  const subject = `${merchant.name} asks you to authorise a direct debit`
  const asks = [
    `Dear ${row.customer_name},`,
    '',
    `${merchant.name} asks for your permission to debit your account ${row.account_number} (${findBank(row.bank_code)?.name ?? row.bank_code}) for: ${row.description}.`,
    ...(row.debit_kobo === null ? [] : [`Each debit: ${naira(row.debit_kobo)}.`]),
    ...(row.kobo === null ? [] : [`Total of all debits: at most ${naira(row.kobo)}.`]),
    '',
    said.authorizationMessage,
    '',
  ]
  const last = ['If you do nothing, your account will not be debited.', '']
  const link = webAddress(said.authorizationLink)
  return {
    subject,
    text: [...asks, said.authorizationLink, '', ...last].join('\n'),
    sheet: {
      ...plainSheet(subject, [...asks, ...last].join('\n'), { by: 'merchant', kind: 'Direct debit' }),
      ...(link === null ? {} : { links: [['Authorise the direct debit', link] as const] }),
    },
  }
}

// ---- commands

export async function create(
  ctx: Ctx,
  { merchant, body }: Call<typeof createMandate>,
  store: StoreResponse<Answer>,
): Promise<Answer> {
  const request = await requestOf(ctx, merchant, body)
  const row = await tx(ctx, merchant.cell, merchant.id, async (t) => {
    const made = await insert(ctx, t, request)
    await store(t, answerOf(made, CREATED))
    return made
  })
  // By now it is there, whatever becomes of this; the timer goes on with what was not answered.
  const registering = register(ctx, merchant, row).catch((error: unknown) =>
    ctx.log.warn('mandate registration failed; it will be retried', { cell: merchant.cell, error }),
  )
  await within(registering, CALLER_WAITS_MS, undefined)
  return answerOf(row, CREATED)
}

export async function cancel(t: Tx, { merchant, params }: Call<typeof cancelMandate>): Promise<Answer> {
  const row = (await sql.lock(t, merchant.id, params['mandateCode'] ?? '')) ?? fail('MANDATE_NOT_FOUND')
  if (!isOpen(row)) fail('MANDATE_ENDED', { state: row.status })
  if (row.cancel_asked_at === null) {
    await askToCancel(t, row)
    await schedule(t, CLOSE_MANDATE, merchant.id, row.id, t.now)
  }
  return answerOf(row, CANCEL_REQUESTED)
}

/** The scheme tells what was decided; another than the one of the mandate has no say. */
export async function takeMandateNotice(
  ctx: Ctx,
  { mandateCode: code, status }: MandateNotice,
  connector: string,
): Promise<void> {
  const cell = findCell(ctx, cellOfMandate(code)) ?? fail('MANDATE_UNKNOWN')
  const from = await connectorNumber(ctx, cell.id, connector)
  await changeLocked(ctx, cell.id, code, (t, row) =>
    row.connector === from ? conclude(ctx, t, row, status) : fail('MANDATE_UNKNOWN'),
  )
}

// ---- when their timers fall due

type Ids = readonly bigint[]
const listRows = (ctx: Ctx, cell: CellId, ids: Ids): Promise<sql.Row[]> => readAll(ctx, cell, (r) => sql.byIds(r, ids))

/** Registers those again whose instruction has not come. */
export async function registerAll(ctx: Ctx, merchants: Merchants, cell: CellId, ids: Ids): Promise<void> {
  await Promise.all((await listRows(ctx, cell, ids)).map((row) => registerAgain(ctx, merchants, cell, row)))
}
/** Ends those at the scheme that are to be cancelled, or are over here. */
export async function closeAll(ctx: Ctx, cell: CellId, ids: Ids): Promise<void> {
  await Promise.all((await listRows(ctx, cell, ids)).map((row) => close(ctx, cell, row)))
}
/** Those that nobody authorised in time. */
export async function giveUpAll(ctx: Ctx, cell: CellId, ids: Ids): Promise<void> {
  for (const { code } of await listRows(ctx, cell, ids))
    await changeLocked(ctx, cell, code, (t, row) => giveUp(ctx, t, row))
}
/** Those whose end date has come: over, or renewed. */
export async function endAll(ctx: Ctx, cell: CellId, ids: Ids): Promise<void> {
  for (const { code } of await listRows(ctx, cell, ids))
    await changeLocked(ctx, cell, code, (t, row) => end(ctx, t, row))
}

// ---- registered

/** The customer is written to when it is known what to pay to whom: that is the scheme's to say. */
async function register(ctx: Ctx, merchant: Merchant, { code, ...row }: sql.Row): Promise<void> {
  const scheme = await bankFor(ctx, merchant.cell, row.connector)
  const outcome = await scheme.registerMandate(orderOf(merchant, { code, ...row }))
  if (outcome.kind !== 'yes') return
  const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
  await changeLocked(ctx, merchant.cell, code, async (t, now) => {
    if (now.authorization_link === null) {
      await sql.setInstruction(t, now, outcome.value)
      if (now.status === 'INITIATED' && now.cancel_asked_at === null)
        await queueMail(t, mailId, { id: merchant.id, email: now.customer_email }, mailOf(merchant, now, outcome.value))
    }
    await conclude(ctx, t, now, outcome.value.status)
  })
}

async function registerAgain(ctx: Ctx, merchants: Merchants, cell: CellId, row: sql.Row): Promise<void> {
  const isWanted = (one: sql.Row) =>
    one.status === 'INITIATED' && one.authorization_link === null && one.cancel_asked_at === null
  if (!isWanted(row)) return
  await register(ctx, await merchants.must(cell, row.merchant_id), row)
  await changeLocked(ctx, cell, row.code, async (t, now) => {
    if (isWanted(now))
      await schedule(t, REGISTER_MANDATE, now.merchant_id, now.id, new Date(t.now.getTime() + AGAIN_MS))
  })
}

// ---- decided, cancelled, over

const isOpen = ({ status }: sql.Row): boolean => status === 'INITIATED' || status === 'ACTIVE'

/** What the scheme knows of a mandate, applied. What does not fit the state came twice, or was
 *  overtaken. */
async function conclude(ctx: Ctx, t: Tx, row: sql.Row, status: MandateAnswer['status']): Promise<void> {
  if (status === 'ACTIVE' && row.status === 'INITIATED') await change(ctx, t, row, 'authorise')
  else if (status === 'DECLINED' && row.status === 'INITIATED') await change(ctx, t, row, 'decline')
  else if (status === 'CANCELLED' && isOpen(row)) await change(ctx, t, row, 'cancel')
}

/** Ends it at the scheme: because the merchant wants it, or because it is over here. */
async function close(ctx: Ctx, cell: CellId, row: sql.Row): Promise<void> {
  const scheme = await bankFor(ctx, cell, row.connector)
  const outcome = await scheme.endMandate({ mandateCode: row.code })
  await changeLocked(ctx, cell, row.code, async (t, now) => {
    if (outcome.kind === 'yes') await conclude(ctx, t, now, outcome.value.status)
    else await schedule(t, CLOSE_MANDATE, now.merchant_id, now.id, new Date(t.now.getTime() + AGAIN_MS))
  })
}

async function giveUp(ctx: Ctx, t: Tx, row: sql.Row): Promise<void> {
  if (row.status === 'INITIATED' && row.authorize_by <= t.now) await expire(ctx, t, row)
}

async function end(ctx: Ctx, t: Tx, row: sql.Row): Promise<void> {
  if (!isOpen(row) || row.ends_at > t.now) return
  const goesOn = row.status === 'ACTIVE' && row.auto_renew && row.cancel_asked_at === null
  await (goesOn ? renew(ctx, t, row) : expire(ctx, t, row))
}

async function renew(ctx: Ctx, t: Tx, row: sql.Row): Promise<void> {
  const length = row.ends_at.getTime() - row.starts_at.getTime()
  const ends_at = new Date(row.ends_at.getTime() + length)
  await change(ctx, t, row, 'renew', { starts_at: row.ends_at, ends_at })
  await schedule(t, END_MANDATE, row.merchant_id, row.id, ends_at)
}

async function expire(ctx: Ctx, t: Tx, row: sql.Row): Promise<void> {
  await change(ctx, t, row, 'expire')
  await schedule(t, CLOSE_MANDATE, row.merchant_id, row.id, t.now)
}

/** Under its lock, in a transaction of its own. */
async function changeLocked(
  ctx: Ctx,
  cell: CellId,
  code: string,
  work: (t: Tx, row: sql.Row) => Promise<unknown>,
): Promise<void> {
  await engineTx(ctx, cell, async (t) => work(t, (await sql.lockByCode(t, code)) ?? fail('MANDATE_UNKNOWN')))
  ctx.wake(cell)
}
