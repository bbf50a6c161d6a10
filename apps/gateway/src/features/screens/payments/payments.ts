// Payments: a merchant's people look at one payment whole: its money, everything that happened to it, and
// what can be done now. No state moves and no money. Nobody waits. What the role of the caller may not read
// is not asked for, and is named instead; personal data is masked for roles that may not see it.

import { masked } from '@cowrie/contract/access/masking'
import { findBank } from '@cowrie/contract/bank/banks'
import { publicBankCode } from '@cowrie/contract/collections/payment-policy'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { nairaNumber } from '@cowrie/contract/kit/money'
import type { Permission } from '@cowrie/contract/kit/permissions'
import { type PaymentView, showPayment, type UNSEEN } from '@cowrie/contract/screens/payments'
import { payableKobo } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundView, bindView, needMerchant, type ViewCall } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import { accountOwner, HOUSE, isOfKind } from '#core/ledger/chart.ts'
import { idAt } from '#features/access/request-log/recorder.ts'
import { isOpen, recordsByIds } from '#features/collections/transactions/status.ts'
import { checkoutUrl } from '#features/collections/transactions/transactions.ts'
import { leftToRefund } from '#features/payouts/refunds/left.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, eventText } from '#kit/ids.ts'
import * as sql from './payments.sql.ts'
import { describeAccount, listParties, postingView, presentRows } from './presenter.ts'

type Kind = (typeof UNSEEN)[number]
const ASKS: Readonly<Record<Kind, Permission>> = {
  EVENTS: 'events.read',
  REQUESTS: 'requests.read',
  PEOPLE: 'trail.read',
  REFUNDS: 'refunds.read',
  SETTLEMENTS: 'settlements.read',
}
type Call = ViewCall<typeof showPayment>
const sees = ({ by }: Call, kind: Kind): boolean => by.may(ASKS[kind])

// ---- what happened

/** Ids that are taken together lie this close. */
const NEAR = 8
/** Forty blocks of ids further on. */
const FAR = 400_000

/** Every posting of a move, and of money that arrived, announces what it is about. */
async function eventsOf(read: Read, merchantId: bigint, posted: readonly sql.Posted[]): Promise<sql.EventRow[]> {
  const near = await sql.eventsNear(read, merchantId, posted, NEAR)
  const isNear = ({ posting }: sql.Posted) => near.some(({ id }) => id > posting && id <= posting + BigInt(NEAR))
  const far = await sql.eventsNear(
    read,
    merchantId,
    posted.filter((one) => !isNear(one)),
    FAR,
  )
  const all = new Map([...near, ...far].map((row) => [row.id, row]))
  return [...all.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

/** Rows that stand on their own, by the key of the payment. */
async function rowsOf(read: Read, merchantId: bigint, { id }: sql.PaymentRow, call: Call) {
  const credits = await sql.credits(read, merchantId, id)
  const reversals = await sql.reversals(read, merchantId, id)
  const charges = await sql.charges(read, merchantId, id)
  const held = await sql.held(read, merchantId, id)
  const refunds = sees(call, 'REFUNDS') ? await sql.refunds(read, merchantId, id) : []
  const objects = [id, ...refunds.map((row) => row.id), ...held.map((row) => row.id)]
  const states = await sql.states(read, merchantId, objects)
  const arrived = [...credits, ...reversals].map(({ transfer_id }) => ({ transfer_id, object_id: id }))
  const moved = states.filter(({ object }) => object !== 'suspense_item')
  const posted = new Map(
    [...moved, ...arrived].flatMap(({ transfer_id: posting, object_id: object }) =>
      posting === null ? [] : [[posting, { posting, object }]],
    ),
  )
  const ids = [...posted.keys(), ...states.flatMap(({ transfer_id }) => transfer_id ?? [])]
  const transfers = await sql.transfers(read, merchantId, ids)
  const events = sees(call, 'EVENTS') ? await eventsOf(read, merchantId, [...posted.values()]) : []
  return { credits, reversals, charges, held, refunds, states, transfers, events }
}
type Found = Awaited<ReturnType<typeof rowsOf>>

/** Who did what about it, and which requests were about it. */
async function logsOf(ctx: Ctx, read: Read, merchantId: bigint, row: sql.PaymentRow, found: Found, call: Call) {
  const { reference } = call.query
  const names = [reference, ...found.refunds.map(({ refund_reference }) => refund_reference)]
  const persons = sees(call, 'PEOPLE') ? await sql.persons(read, merchantId, row.created_at, names) : []
  const ids = persons.flatMap(({ request_id }) => request_id ?? [])
  const logged = sees(call, 'REQUESTS') && ctx.requestLogDays > 0
  const since = idAt(row.created_at.getTime())
  return { persons, requests: logged ? await sql.requests(read, merchantId, since, reference, ids) : [] }
}

// ---- the money

const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n)

/** What each account was posted by the payment itself; reversals are in it. */
function owedOf(transfers: readonly sql.TransferRow[]): Map<bigint, bigint> {
  const owed = new Map<bigint, bigint>()
  for (const { object, accounts, amounts } of transfers)
    if (object === 'transaction')
      accounts.forEach((account, at) => {
        owed.set(BigInt(account), (owed.get(BigInt(account)) ?? 0n) + BigInt(amounts[at] ?? 0))
      })
  return owed
}

function moneyOf(
  row: sql.PaymentRow,
  found: Found,
  parties: ReadonlyMap<bigint, string>,
  seesRefunds: boolean,
): PaymentView['money'] {
  const { transfers, reversals, refunds } = found
  const shares = [...owedOf(transfers)].filter(
    ([account]) => isOfKind(account, 'SHARE') && accountOwner(account) !== HOUSE,
  )
  const reversed = sum(reversals.map(({ kobo }) => kobo))
  const fee = row.fee_kobo - sum(reversals.map(({ fee_kobo }) => fee_kobo))
  const refundsIn = (status: string) =>
    nairaNumber(sum(refunds.flatMap((one) => (one.status === status ? one.kobo : []))))
  return {
    asked: nairaNumber(row.kobo),
    payable: nairaNumber(payableKobo(row)),
    paid: nairaNumber(row.paid_kobo),
    fee: nairaNumber(fee),
    payerBearsFee: (row.quoted_fee_kobo ?? 0n) > 0n,
    shares: shares.map(([account, kobo]) => ({
      subAccountCode: parties.get(accountOwner(account)) ?? '',
      amount: nairaNumber(kobo),
    })),
    reversed: nairaNumber(reversed),
    yours: nairaNumber(row.paid_kobo - reversed - fee - sum(shares.map(([, kobo]) => kobo))),
    refunded: seesRefunds ? refundsIn('COMPLETED') : null,
    refunding: seesRefunds ? refundsIn('PENDING') : null,
  }
}

// ---- what can be done

type Can = PaymentView['can'][number]
const cannot = (what: Can['what'], why: string): Can => ({ what, possible: false, why, most: null })

async function refundOf(read: Read, merchantId: bigint, { query, by }: Call): Promise<Can> {
  const left = await leftToRefund(read, merchantId, query.reference)
  if ('why' in left) return cannot('REFUND', left.why)
  if (!by.may('refunds.send')) return cannot('REFUND', 'Your role may not refund')
  return { what: 'REFUND', possible: true, why: '', most: nairaNumber(left.kobo) }
}

function resendOf({ events }: Found, call: Call): Can {
  if (!sees(call, 'EVENTS') || !call.by.may('events.resend'))
    return cannot('RESEND', 'Your role may not send events again')
  return events.length === 0
    ? cannot('RESEND', 'Nothing was announced about it yet')
    : { what: 'RESEND', possible: true, why: '', most: null }
}

/** No route cancels a transaction: the payer does, an invoice does, or it expires. */
function cancelOf(row: sql.PaymentRow, now: Date): Can {
  if (!isOpen(row, now)) return cannot('CANCEL', `It is ${row.status}`)
  return row.product_type === 'INVOICE'
    ? cannot('CANCEL', `Cancel its invoice instead: ${row.product_reference}`)
    : cannot('CANCEL', 'The payer cancels it on the checkout page, or it expires unpaid')
}

// ---- all of it

async function show(ctx: Ctx, merchant: Merchant, call: Call): Promise<PaymentView> {
  const { cell, id: merchantId } = merchant
  return readAs(ctx, cell, merchantId, async (read) => {
    const row = (await sql.find(read, merchantId, call.query.reference)) ?? fail('TRANSACTION_NOT_FOUND')
    const payment = (await recordsByIds(read, [row.id])).get(row.id) ?? fail('TRANSACTION_NOT_FOUND')
    const found = await rowsOf(read, merchantId, row, call)
    const logs = await logsOf(ctx, read, merchantId, row, found, call)
    const events = found.events.map((event) => event.id)
    const deliveries = await sql.deliveries(read, merchantId, events)
    const attempts = await sql.attempts(read, merchantId, events)
    const settled = sees(call, 'SETTLEMENTS') ? await sql.settled(read, merchantId, row.id) : []
    const owners = listParties(found.transfers, settled)
    const parties = new Map((await sql.subAccounts(read, merchantId, owners)).map(({ id, code }) => [id, code]))
    return {
      payment,
      createdAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      closedAt: row.closed_at?.toISOString() ?? null,
      flagged: row.flagged,
      checkoutUrl: isOpen(row, read.now) ? checkoutUrl(ctx, call.query.reference) : null,
      page: row.page,
      account: accountOf(row),
      money: moneyOf(row, found, parties, sees(call, 'REFUNDS')),
      settlements: settled.map((one) => ({
        party: describeAccount(one.account_id, merchantId, parties).party,
        amount: nairaNumber(one.kobo),
        settlementReference: one.reference,
        state: one.status,
        at: one.created_at?.toISOString() ?? null,
        completedAt: one.completed_at?.toISOString() ?? null,
      })),
      ...presentRows(cell, call.query.reference, { ...found, ...logs, attempts }),
      postings: {
        total: found.transfers.length,
        rows: found.transfers.map((transfer) => postingView(transfer, merchantId, parties)),
      },
      events: { total: found.events.length, rows: found.events.map((event) => eventView(cell, event)) },
      deliveries: deliveries.map((one) => ({
        eventId: eventText(cell, one.event_id),
        url: one.url,
        state: one.state,
        nextAttemptAt: one.state === 'PENDING' ? one.due_at.toISOString() : null,
      })),
      unseen: (Object.keys(ASKS) as Kind[]).filter((kind) => !sees(call, kind)),
      can: [await refundOf(read, merchantId, call), resendOf(found, call), cancelOf(row, read.now)],
    }
  })
}

const eventView = (cell: CellId, event: sql.EventRow): PaymentView['events']['rows'][number] => ({
  at: event.at.toISOString(),
  eventId: eventText(cell, event.id),
  number: event.number === null ? null : Number(event.number),
  eventType: event.type,
  object: event.object,
  body: event.body === '' ? null : parseExact(event.body),
  receiptSentAt: event.receipt_sent_at?.toISOString() ?? null,
})

const accountOf = ({ account_number, bank_code, opened_at }: sql.PaymentRow): PaymentView['account'] =>
  account_number === null || opened_at === null
    ? null
    : {
        accountNumber: account_number,
        bankName: findBank(publicBankCode(bank_code ?? ''))?.name ?? bank_code ?? '',
        at: opened_at.toISOString(),
      }

export const paymentViews: readonly BoundView[] = [
  bindView(showPayment, async (ctx, call) => {
    const shown = await show(ctx, needMerchant(call, 'a payment'), call)
    return call.by.may('personalData.read') ? shown : (masked(shown) as PaymentView)
  }),
]
