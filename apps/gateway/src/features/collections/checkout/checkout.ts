// Checkout: the hosted page, what a payer sees of a transaction and may do to it.
//   open → an account number is issued, so that nothing has to be tapped → [bank's credit] … | card
//     (cards/on-checkout.ts) | cancel
// Books: nothing is posted here. Who waits: the payer, on a page that follows every change (live.ts). The
// token in the address is the capability; no session, no cookie.
import {
  type Charge,
  type CheckoutState,
  type CheckoutView,
  type FormError,
  type Language,
  type SandboxAction,
  type Screen,
  screenOf,
  type Way,
} from '@cowrie/checkout'
import { findBank, OPEN_BANKS } from '@cowrie/contract/bank/banks'
import { SANDBOX_CARDS } from '@cowrie/contract/collections/cards'
import { transactionMachine } from '@cowrie/contract/collections/transactions'
import { nairaText } from '@cowrie/contract/kit/money'
import { feeScheduleAt, payableKobo } from '#core/access/fees.ts'
import type { Merchants } from '#core/access/merchants.ts'
import { findCell, readAll, tx } from '#core/cells/cells.ts'
import type { Walk } from '#core/feature.ts'
import { mover } from '#core/ledger/move.ts'
import { cardQuote } from '#features/collections/cards/cards.ts'
import type { ChargeView, Taking } from '#features/collections/cards/on-checkout.ts'
import { findByTransaction as findInvoice, type InvoiceRow } from '#features/collections/invoices/invoices.ts'
import { isOpen } from '#features/collections/transactions/status.ts'
import {
  accountName,
  type createIssueAccount,
  findCheckout,
  returnAddress,
  ussdText,
} from '#features/collections/transactions/transactions.ts'
import type { Ctx } from '#kit/ctx.ts'
import { cellOfReference } from '#kit/ids.ts'
import { dayAndHourText, dayText, hourText, slashedText } from '#kit/times.ts'
import * as sql from './checkout.sql.ts'

type IssueAccount = ReturnType<typeof createIssueAccount>

// ---- find

export type FoundCheckout = NonNullable<Awaited<ReturnType<typeof findCheckout>>> & {
  readonly more: sql.MoreRow
  /** The invoice that the payment is for, if it is for one. */
  readonly invoice: InvoiceRow | null
  /** The path of the page. */
  readonly address: string
}

/** The payment behind an address; a wrong token finds nothing, exactly like a wrong reference. */
export async function find(
  ctx: Ctx,
  merchants: Merchants,
  reference: string,
  token: string,
): Promise<FoundCheckout | null> {
  const found = await findCheckout(ctx, merchants, reference, token)
  const cell = findCell(ctx, cellOfReference(reference))
  if (!found || !cell) return null
  // What is paid stays to be seen; what is not can no longer be paid.
  if (found.merchant.suspended && isOpen(found.row, ctx.clock.now())) return null
  const more = await readAll(ctx, cell.id, (r) => sql.findMore(r, found.merchant.id, found.row.id))
  if (!more) return null
  const invoice = found.row.product_type === 'INVOICE' ? await findInvoice(ctx, found.merchant, found.row.id) : null
  return {
    ...found,
    // The number of a reserved account leads to the account, not to the transaction: the invoice knows it.
    row: invoice ? { ...found.row, account_number: invoice.account_number, bank_code: invoice.bank_code } : found.row,
    more,
    invoice,
    address: `/checkout/${encodeURIComponent(reference)}/${token}`,
  }
}

/** Transfer first. What this page cannot do, and what the merchant did not name, is not offered. */
export function listWays(methods: readonly string[]): Way[] {
  const transfer = methods.includes('ACCOUNT_TRANSFER')
  return [
    ...(transfer ? (['transfer'] as const) : []),
    ...(methods.includes('CARD') ? (['card'] as const) : []),
    ...(methods.includes('USSD') ? (['ussd'] as const) : []),
  ]
}

/** Issues an account for a payment that has none yet; nothing happens when it may not have one. */
export async function issueFor(issue: IssueAccount, { row, merchant, more }: FoundCheckout): Promise<void> {
  const method = more.methods.includes('ACCOUNT_TRANSFER') ? 'ACCOUNT_TRANSFER' : 'USSD'
  if (row.status === 'PENDING' && row.account_number === null)
    await issue.forPayer(merchant, row.reference, method).catch(() => undefined)
}

// ---- show

/** What the payer chose on the page, from its address. */
export type CheckoutRequest = {
  readonly language: Language
  readonly languageChosen: boolean
  readonly way: Way | null
  readonly bank: string | null
  readonly saysSent: boolean
}

export type CheckoutContent = {
  readonly charge: ChargeView | null
  readonly errors: readonly FormError[]
  readonly expiry: string
  readonly notice: string | null
}

export type Place = { readonly simulatorUrl: string | null; readonly sandbox: boolean }

const USSD_BANKS = OPEN_BANKS.filter((bank) => bank.ussdTemplate !== null).map(({ code, name }) => ({ code, name }))

/** An invoice outlives its attempts with a card, but takes no further one after so many; other payments have
 *  failed by then. */
const mayTryCards = (charge: ChargeView | null): boolean => charge === null || charge.declinesLeft > 0

const chargeOf = (charge: ChargeView): Charge => ({
  state: charge.state,
  masked: charge.masked,
  message: charge.message,
  triesLeft: charge.triesLeft,
  wrongOtp: charge.wrongOtp,
  input: charge.input,
  acsUrl: charge.acsUrl,
  pageUrl: charge.pageUrl,
  challengeId: charge.challengeId,
  declinesLeft: charge.declinesLeft,
  waitsUntil: charge.waitsUntil && hourText(charge.waitsUntil),
})

function ussdOf({ row }: FoundCheckout, bank: string | null): CheckoutView['ussd'] {
  const chosen = USSD_BANKS.find(({ code }) => code === bank)
  const text = chosen && row.account_number ? ussdText(chosen.code, payableKobo(row), row.account_number) : null
  return { banks: USSD_BANKS, chosen: chosen && text !== null ? { ...chosen, text } : null }
}

/** The simulator's page, filled in for this payment: its phone, where a code is shown to dial. */
function simulatorPage(simulatorUrl: string | null, found: FoundCheckout, asked: CheckoutRequest): string | null {
  const { row } = found
  if (simulatorUrl === null || row.account_number === null) return null
  const dials = asked.way === 'ussd' ? ussdOf(found, asked.bank).chosen : null
  if (dials) return `${simulatorUrl}/dial?${new URLSearchParams({ code: dials.text }).toString()}`
  const query = new URLSearchParams({
    bankCode: row.bank_code ?? '',
    accountNumber: row.account_number,
    amount: nairaText(payableKobo(row)),
  })
  return `${simulatorUrl}/?${query.toString()}`
}

/** In the sandbox one test card has a number that no card has. */
const cardFormOf = ({ onPage, key, pin }: Taking, sandbox: boolean): CheckoutView['cardForm'] => ({
  onPage,
  key,
  pin,
  numberTaken: sandbox ? SANDBOX_CARDS.failing.number : null,
})

export function toCheckoutView(
  ctx: Ctx,
  place: Place,
  found: FoundCheckout,
  asked: CheckoutRequest,
  shown: CheckoutContent & { readonly taking: Taking },
): CheckoutView {
  const { row, merchant, more, invoice } = found
  const cardFees = invoice ? null : feeScheduleAt(merchant, 'CARD', ctx.clock.now())
  const view: CheckoutView = {
    language: asked.language,
    languageChosen: asked.languageChosen,
    address: found.address,
    mark: more.mark,
    brand: merchant.brand,
    amountText: nairaText(row.kobo),
    withFee: null,
    cardFees: cardFees && String(cardFees.id),
    description: row.description,
    paymentReference: invoice?.reference ?? row.payment_reference,
    isInvoice: invoice !== null,
    transactionReference: row.reference,
    state: row.status as CheckoutState,
    amountPaidText: nairaText(row.paid_kobo),
    ways: listWays(more.methods).filter(
      (way) => way !== 'card' || (shown.taking.isOffered && mayTryCards(shown.charge)),
    ),
    way: asked.way,
    account:
      row.account_number && row.bank_code
        ? {
            bankName: findBank(row.bank_code)?.name ?? row.bank_code,
            accountNumber: row.account_number,
            accountName: invoice?.account_name ?? accountName(merchant.name, row.description),
          }
        : null,
    ussd: ussdOf(found, asked.bank),
    saysSent: asked.saysSent,
    validUntil: invoice ? dayAndHourText(row.expires_at) : hourText(row.expires_at),
    nowMs: ctx.clock.now().getTime(),
    expiresMs: row.expires_at.getTime(),
    paidOn: row.paid_kobo > 0n && row.closed_at ? slashedText(row.closed_at) : null,
    arrivals: more.arrivals.map(({ kobo, reason, status, decide_by }) => ({
      amountText: nairaText(BigInt(kobo)),
      reason,
      state: status,
      decideBy: dayText(new Date(decide_by)),
    })),
    mayTopUp: row.status === 'PARTIALLY_PAID' && isOpen(row, ctx.clock.now()),
    charge: shown.charge && chargeOf(shown.charge),
    errors: shown.errors,
    typed: { expiry: shown.expiry },
    cardForm: cardFormOf(shown.taking, place.sandbox),
    redirectUrl: row.redirect_url ? returnAddress(row.redirect_url, row) : shopPage(more.page),
    frameOrigin: more.page && isFrameable(more.page.origin) ? more.page.origin : null,
    sandbox: place.sandbox
      ? { simulatorUrl: simulatorPage(place.simulatorUrl, found, asked), notice: shown.notice }
      : null,
  }
  return addFee(view, row.kobo, feeShown(ctx, found, screenOf(view), shown.charge))
}

/** A page without an origin of its own can be neither named in a policy nor gone back to. */
const isFrameable = (origin: string): boolean => origin !== 'null'
const shopPage = (page: FoundCheckout['more']['page']): string | null =>
  page && isFrameable(page.origin) ? `${page.origin}${page.path}` : null

/** The fee that the payer bears: of the charge that is under way, of a card where one is about to be typed,
 *  else of the account, or of what has paid. */
function feeShown(
  ctx: Ctx,
  { row, merchant }: FoundCheckout,
  screen: Screen,
  charge: ChargeView | null,
): bigint | null {
  if (screen === 'otp' || screen === 'input' || screen === 'threeDs' || screen === 'checking')
    return charge?.feeKobo ?? null
  if (screen === 'card' || screen === 'declined') return cardQuote(merchant, row, null, ctx.clock.now()).quoted_fee_kobo
  return row.quoted_fee_kobo
}

const addFee = (view: CheckoutView, kobo: bigint, fee: bigint | null): CheckoutView =>
  fee === null
    ? view
    : {
        ...view,
        amountText: nairaText(kobo + fee),
        withFee: { amountText: nairaText(kobo), feeText: nairaText(fee) },
      }

// ---- cancel

const cancelMoves = mover(transactionMachine, {
  name: 'transaction_cancel',
  set: { closed_at: 'timestamptz' },
})

/** The payer gives up. Not while an issuer has been asked and has not answered: the money may be on its way.
 *  An invoice is its merchant's to cancel, not its payer's. */
export const cancel = async (
  ctx: Ctx,
  { row, merchant, invoice }: FoundCheckout,
): Promise<'CANCELLED' | 'UNKNOWN_CHARGE' | 'CLOSED'> => {
  if (invoice) return 'CLOSED'
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const locked = await sql.lock(t, merchant.id, row.id)
    if (locked?.status !== 'PENDING') return 'CLOSED'
    if (locked.sent) return 'UNKNOWN_CHARGE'
    await cancelMoves(t, [
      { on: 'cancel', id: row.id, merchantId: merchant.id, from: 'PENDING', set: { closed_at: t.now } },
    ])
    return 'CANCELLED'
  })
}

// ---- sandbox

/** Plays the payer's bank, or moves the clock. Answers whether it was done. */
export async function playSandbox(ctx: Ctx, walk: Walk, found: FoundCheckout, action: SandboxAction): Promise<boolean> {
  const { row } = found
  const expiry = row.expires_at.getTime()
  const due = payableKobo(row)
  const walkTo = (ms: number) => walk((now) => new Date(Math.max(ms, now.getTime())))
  const pay = async (kobo: bigint, scenario = 'exact'): Promise<boolean> => {
    if (!row.account_number || !row.bank_code || !ctx.simulator) return false
    const transfer = { bankCode: row.bank_code, accountNumber: row.account_number, amount: nairaText(kobo), scenario }
    return (await ctx.simulator.pay(transfer)).status === 'ACCEPTED'
  }
  switch (action) {
    case 'exact':
      return pay(due)
    case 'less':
      return pay(due / 2n)
    case 'more':
      return pay(due + due / 2n)
    case 'twice':
      return (await pay(due)) && pay(due)
    case 'late':
      await walkTo(expiry + 1_000)
      return pay(due)
    case 'notified-twice':
      return pay(due, 'twice')
    case 'delayed':
    case 'lost':
    case 'reversed':
      return pay(due, action)
    case 'nearly':
      await walkTo(expiry - 60_000)
      return true
    case 'past':
      await walkTo(expiry + 1_000)
      return true
  }
}
