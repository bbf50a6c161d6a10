// In-page checkout: a page in a payer's browser opens a transaction without a token, and its origin alone may
// show the checkout in a frame.
//   POST /plugin/transactions → a transaction as by init-transaction, or that of the merchant's server
//     → [page-result] what the page is told, a hint and never proof
// Books: the transaction's. Who waits: the payer. Whoever calls is a stranger: the API key and the contract
// are public, the origin is what a browser says (a program may say any), so nothing is given that a payer
// may not have, what they leave unpaid is capped (transactions/strangers.ts), and what a page may decide is
// in settings.ts.
import type { OpenBody, Opened, PageResult } from '@cowrie/contract/collections/in-page'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import { payableKobo } from '#core/access/fees.ts'
import { createLimits } from '#core/access/limits.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { readAs, tx } from '#core/cells/cells.ts'
import { FINAL_STATES } from '#features/collections/transactions/blocks.ts'
import {
  type Answered,
  isAsked,
  puzzleFor,
  readAnswer,
  type Stranger,
} from '#features/collections/transactions/puzzles.ts'
import { isOpen } from '#features/collections/transactions/status.ts'
import { crowding, openForStranger } from '#features/collections/transactions/strangers.ts'
import {
  checkInit,
  checkoutUrl,
  findCheckout,
  type InitBody,
  makeTransaction,
  returnAddress,
} from '#features/collections/transactions/transactions.ts'
import type { Ctx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { listText } from '#kit/times.ts'
import * as sql from './in-page.sql.ts'
import { admitOrigin, findRules, type PageRules } from './settings.ts'

/** Who opens: the origin as the browser tells it, and the caller's address. */
export type Page = { readonly origin: string | null; readonly address: string }

/** For one merchant from one address: many payers share one of a mobile network. */
const OPENINGS = { atOnce: 60, perSecond: 5 }

export type InPage = ReturnType<typeof createInPage>

export function createInPage(ctx: Ctx, merchants: Merchants) {
  const limits = createLimits()
  const admit = (merchant: Merchant, { address }: Page): void => {
    if (!limits.takeFrom(`${merchant.apiKey} ${address}`, OPENINGS.atOnce, OPENINGS.perSecond).allowed)
      fail('RATE_LIMITED')
  }
  return {
    open: async (body: OpenBody, page: Page): Promise<Opened> => {
      if (body.checkoutUrl !== undefined) return show(ctx, merchants, admit, body, page)
      const merchant = await merchantOf(merchants, body.apiKey ?? fail('FIELD_MISSING', { field: 'apiKey' }))
      admit(merchant, page)
      return make(ctx, merchant, body, page)
    },
    result: (reference: string, token: string) => resultOf(ctx, merchants, reference, token),
  }
}

/** By its own API key. Nobody learns here who is suspended; and a limited key is no name of a merchant. */
async function merchantOf(merchants: Merchants, apiKey: string): Promise<Merchant> {
  const merchant = await merchants.byApiKey(apiKey)
  return merchant && merchant.key === null && !merchant.suspended ? merchant : fail('PAGE_API_KEY_UNKNOWN')
}

// ---- open

const NAMELESS = 'null'
/** What a browser writes as an origin, and nothing else: it goes into a policy. A page without an origin (a
 *  sandboxed frame, an application's own view) has none, and may not frame anything. */
export function toOrigin(header: string | undefined): string | null {
  if (header === undefined || !/^https?:\/\/[a-z0-9.:[\]-]{1,190}$/.test(header)) return null
  return URL.parse(header)?.origin === header ? header : null
}

const openingOf = (page: Page, path: string | undefined, byPage: boolean): sql.Opening => ({
  origin: page.origin ?? NAMELESS,
  path: path?.split(/[?#]/)[0] ?? '/',
  by_page: byPage,
})

const missing = (field: string): never => fail('FIELD_MISSING', { field })

/** The options of a page as init-transaction knows them. */
function initOf(body: OpenBody): InitBody {
  const { redirectUrl, paymentMethods, incomeSplitConfig, paymentDescription } = body
  const reference = referenceOf(body)
  const name = body.customerFullName ?? body.customerName
  const metaData = body.metadata ?? body.metaData
  return {
    amount: body.amount ?? missing('amount'),
    customerEmail: body.customerEmail ?? missing('customerEmail'),
    contractCode: body.contractCode ?? missing('contractCode'),
    currencyCode: body.currency ?? body.currencyCode ?? 'NGN',
    ...(reference === undefined ? {} : { paymentReference: reference }),
    ...(name === undefined ? {} : { customerName: name }),
    ...(paymentDescription === undefined ? {} : { paymentDescription }),
    ...(redirectUrl === undefined ? {} : { redirectUrl }),
    ...(paymentMethods === undefined ? {} : { paymentMethods }),
    ...(incomeSplitConfig === undefined ? {} : { incomeSplitConfig }),
    ...(metaData === undefined ? {} : { metaData }),
  }
}
const referenceOf = ({ reference, paymentReference }: OpenBody): string | undefined => reference ?? paymentReference

/** What a page may not decide in live: who gets a share, and where the payer is led. */
function checkDecided({ environment }: Ctx, rules: PageRules, { incomeSplitConfig, redirectUrl }: OpenBody): void {
  if (environment !== 'live') return
  if (incomeSplitConfig?.length && !rules.pageSplits) fail('PAGE_SPLIT_REFUSED', { field: 'incomeSplitConfig' })
  const target = redirectUrl === undefined ? null : URL.parse(redirectUrl)
  if (target !== null && !rules.origins.includes(target.origin)) fail('PAGE_REDIRECT_REFUSED', { field: 'redirectUrl' })
}

async function make(ctx: Ctx, merchant: Merchant, body: OpenBody, page: Page): Promise<Opened> {
  const rules = await findRules(ctx, merchant)
  admitOrigin(ctx, rules, page.origin)
  checkDecided(ctx, rules, body)
  const reference = referenceOf(body)
  const before = reference === undefined ? null : await again(ctx, merchant, reference, body, page)
  if (before) return before
  const init = await checkInit(ctx, merchant, initOf(body))
  const stranger = { merchantId: merchant.id, linkId: null, caller: page.address }
  const answered = await answerOf(ctx, merchant, stranger, body)
  try {
    const made = await tx(ctx, merchant.cell, merchant.id, async (t) => {
      const row = await openForStranger(ctx, t, stranger, () => makeTransaction(ctx, t, init), answered)
      await sql.open(t, merchant.id, row.id, openingOf(page, body.page, true))
      return row
    })
    return view(ctx, merchant, made.reference, made.paymentReference)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'DUPLICATE_PAYMENT_REFERENCE' || reference === undefined)
      throw error
    // The same button was pressed twice, and the other press was first.
    return (await again(ctx, merchant, reference, body, page)) ?? fail(error.code, { field: 'reference' })
  }
}

/** Where many wait that strangers opened, the page works for the next one (transactions/puzzles.ts). */
async function answerOf(ctx: Ctx, merchant: Merchant, stranger: Stranger, body: OpenBody): Promise<Answered | null> {
  const crowd = await crowding(ctx, merchant.cell, stranger)
  if (!isAsked(crowd)) return null
  const { puzzle = '', answer = '' } = body
  const answered = readAnswer(ctx, stranger, puzzle, answer)
  if (answered === null && crowd < 1)
    fail('PAGE_PUZZLE_ASKED', { puzzle: puzzleFor(ctx, stranger, crowd, puzzle).token, retryAfter: '60' })
  return answered
}

const view = (ctx: Ctx, merchant: Merchant, transactionReference: string, paymentReference: string): Opened => ({
  transactionReference,
  paymentReference,
  checkoutUrl: checkoutUrl(ctx, transactionReference),
  merchantName: merchant.name,
})

/** The same page asks again for the same amount, after a reload: the transaction that it has. Any other use
 *  of a reference that is taken is refused, as by init-transaction. */
async function again(
  ctx: Ctx,
  merchant: Merchant,
  reference: string,
  body: OpenBody,
  page: Page,
): Promise<Opened | null> {
  const used = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findUsed(r, merchant.id, reference))
  if (used === null) return null
  const isSame =
    used.by_page && used.origin === (page.origin ?? NAMELESS) && used.kobo === parseNaira(body.amount ?? '')
  return isSame
    ? view(ctx, merchant, used.reference, reference)
    : fail('DUPLICATE_PAYMENT_REFERENCE', { field: 'reference' })
}

// ---- show what the merchant's server has initialised

/** What is no text after all names nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
const ADDRESS = /^\/checkout\/([^/?#]+)\/([A-Za-z0-9_-]+)$/

async function show(
  ctx: Ctx,
  merchants: Merchants,
  admit: (merchant: Merchant, page: Page) => void,
  body: OpenBody,
  page: Page,
): Promise<Opened> {
  const address = URL.parse(body.checkoutUrl ?? '')
  const [, encoded = '', token = ''] = ADDRESS.exec(address?.pathname ?? '') ?? []
  const reference = decoded(encoded)
  const found =
    address?.origin === new URL(ctx.publicUrl).origin && reference !== ''
      ? await findCheckout(ctx, merchants, reference, token)
      : null
  if (!found || found.merchant.suspended) fail('PAGE_CHECKOUT_UNKNOWN', { field: 'checkoutUrl' })
  const { merchant, row } = found
  admit(merchant, page)
  admitOrigin(ctx, await findRules(ctx, merchant), page.origin)
  const opening = await tx(ctx, merchant.cell, merchant.id, async (t) => {
    await sql.open(t, merchant.id, row.id, openingOf(page, body.page, false))
    return sql.findOpening(t, merchant.id, row.id)
  })
  if (opening?.origin !== (page.origin ?? NAMELESS)) fail('PAGE_ORIGIN_REFUSED', { origin: page.origin ?? NAMELESS })
  return view(ctx, merchant, row.reference, row.payment_reference)
}

// ---- tell the page

const SUCCESS: readonly string[] = ['PAID', 'OVERPAID']

/** What the page is told, and which origin may read it; null where no page has opened it, or the token is
 *  wrong. */
async function resultOf(
  ctx: Ctx,
  merchants: Merchants,
  reference: string,
  token: string,
): Promise<{ readonly origin: string; readonly result: PageResult } | null> {
  const found = await findCheckout(ctx, merchants, reference, token)
  if (!found) return null
  const { merchant, row } = found
  const opening = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findOpening(r, merchant.id, row.id))
  if (!opening || opening.origin === NAMELESS) return null
  const completed = FINAL_STATES.includes(row.status) && !isOpen(row, ctx.clock.now())
  return {
    origin: opening.origin,
    result: {
      amount: nairaNumber(row.kobo),
      amountPaid: nairaNumber(row.paid_kobo),
      completed,
      completedOn: completed && row.closed_at ? listText(row.closed_at) : null,
      createdOn: listText(row.created_at),
      currencyCode: 'NGN',
      customerEmail: row.customer_email,
      customerName: row.customer_name,
      fee: nairaNumber(row.fee_kobo),
      metaData: parseExact(row.meta_data) as Record<string, unknown>,
      payableAmount: nairaNumber(payableKobo(row)),
      paymentMethod: row.payment_method ?? (row.account_number === null ? null : 'ACCOUNT_TRANSFER'),
      paymentReference: row.payment_reference,
      paymentStatus: row.status,
      transactionReference: row.reference,
      status: SUCCESS.includes(row.status) ? 'SUCCESS' : completed ? 'FAILED' : 'PENDING',
      redirectUrl: row.redirect_url === null ? null : returnAddress(row.redirect_url, row),
    },
  }
}
