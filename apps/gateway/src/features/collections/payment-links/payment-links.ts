// Payment links: a merchant hands out an address, and whoever opens it pays an ordinary transaction.
//   create → [payer: name, e-mail, amount] a transaction (features/collections/transactions), again and
//     again, or once; pause, resume, expiry
// Books: the transaction's. Who waits: for a link of single use the next payer, until the one before has
// given up or is out of time. Whoever starts a payment holds the row of the link, so two payers at once
// cannot both start the only one.
import { masked } from '@cowrie/contract/access/masking'
import {
  type changePaymentLink,
  type createPaymentLink,
  LINK_GRACE_MINUTES,
  type LinkStatus,
  type listPaymentLinks,
  toLinkStatus,
} from '@cowrie/contract/collections/payment-links'
import {
  canBePaid,
  DEFAULT_METHODS,
  MINIMUM_KOBO,
  methodLetters,
  methodsIn,
  type PaymentMethod,
} from '@cowrie/contract/collections/transactions'
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { DEFAULT_SIZE } from '@cowrie/contract/kit/paging'
import type { BodyOf, QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { FROM_NEWEST, LISTED, listLinkPayments } from '@cowrie/contract/screens/collecting'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { cellById, findCell, readAll, readAs, tx } from '#core/cells/cells.ts'
import type { Call } from '#core/serving.ts'
import { checkPaymentLimit } from '#features/collections/transactions/limits.ts'
import type { Answered, Stranger } from '#features/collections/transactions/puzzles.ts'
import { openForStranger } from '#features/collections/transactions/strangers.ts'
import {
  checkInit,
  checkRedirect,
  type Init,
  makeTransaction,
} from '#features/collections/transactions/transactions.ts'
import { randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { cellOfPaymentLink, paymentLinkCode } from '#kit/ids.ts'
import { readSecond, secondText } from '#kit/times.ts'
import * as sql from './payment-links.sql.ts'

export type LinkRow = sql.LinkRow
type Body = BodyOf<typeof createPaymentLink>
type Reply = ReplyOf<typeof createPaymentLink>

const CODE_LENGTH = 12
const graceStart = (now: Date): Date => new Date(now.getTime() - LINK_GRACE_MINUTES * 60_000)

// ---- create

const AMOUNTS = ['amount', 'minimumAmount', 'maximumAmount'] as const

/** Amounts that no payer could pay are refused here already; they are held against the limits again when
 *  somebody pays. */
function amountsOf(merchant: Merchant, body: Body): Pick<sql.NewLink, 'kobo' | 'minKobo' | 'maxKobo'> {
  const [kobo = null, least = null, maxKobo = null] = AMOUNTS.map((field) => {
    const text = body[field]
    if (text === undefined) return null
    const given = parseNaira(text) ?? fail('AMOUNT_INVALID', { field })
    if (given < MINIMUM_KOBO) fail('AMOUNT_TOO_SMALL', { field })
    checkPaymentLimit(merchant, given, field)
    return given
  })
  const conflict = (why: string, field: string) => fail('PAYMENT_LINK_AMOUNTS_INVALID', { why, field })
  if (kobo !== null && (least !== null || maxKobo !== null))
    conflict('amount is fixed, so minimumAmount and maximumAmount have no meaning', 'amount')
  if (kobo !== null) return { kobo, minKobo: null, maxKobo: null }
  const minKobo = least ?? MINIMUM_KOBO
  if (maxKobo !== null && maxKobo < minKobo) conflict('maximumAmount is below minimumAmount', 'maximumAmount')
  return { kobo: null, minKobo, maxKobo }
}

function expiryOf(text: string, now: Date): Date {
  const at = readSecond(text)
  return at && at > now ? at : fail('PAYMENT_LINK_EXPIRY_INVALID', { field: 'expiryDate' })
}

export async function create(ctx: Ctx, t: Tx, { merchant, body }: Call<typeof createPaymentLink>): Promise<Reply> {
  const amounts = amountsOf(merchant, body)
  if (body.currencyCode !== 'NGN') fail('CURRENCY_UNKNOWN', { field: 'currencyCode' })
  if (!merchant.contracts.has(body.contractCode)) fail('CONTRACT_UNKNOWN', { field: 'contractCode' })
  if (body.redirectUrl !== undefined) checkRedirect(ctx, body.redirectUrl)
  if (!canBePaid(body.paymentMethods)) fail('METHODS_NOT_OFFERED', { field: 'paymentMethods' })
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const row = await sql.insert(t, {
    id,
    merchantId: merchant.id,
    code: paymentLinkCode(merchant.cell, randomCharacters(CODE_LENGTH)),
    contractCode: body.contractCode,
    title: body.title,
    description: body.description ?? '',
    ...amounts,
    singleUse: body.singleUse ?? false,
    methods: methodLetters([...new Set(body.paymentMethods)]),
    redirectUrl: body.redirectUrl ?? null,
    expiresAt: body.expiryDate === undefined ? null : expiryOf(body.expiryDate, t.now),
    createdBy: merchant.key?.apiKey ?? merchant.apiKey,
  })
  return view(ctx, row ?? fail('INTERNAL', {}, `merchant ${merchant.id}: payment link not inserted`), t.now)
}

// ---- change

export async function change(
  ctx: Ctx,
  t: Tx,
  { merchant, body, params }: Call<typeof changePaymentLink>,
): Promise<Reply> {
  const code = params['paymentLinkCode'] ?? ''
  const row = (await sql.lock(t, merchant.id, code, graceStart(t.now))) ?? fail('PAYMENT_LINK_NOT_FOUND')
  const pausedAt = body.paused === undefined ? row.paused_at : body.paused ? (row.paused_at ?? t.now) : null
  const expiresAt =
    body.expiryDate === undefined ? row.expires_at : body.expiryDate === null ? null : expiryOf(body.expiryDate, t.now)
  const changed = { ...row, title: body.title ?? row.title, paused_at: pausedAt, expires_at: expiresAt }
  await sql.change(t, merchant.id, changed)
  return view(ctx, { ...changed, changed_at: t.now }, t.now)
}

// ---- pay

/** What a payer opens. */
export type FoundLink = { readonly link: sql.LinkRow; readonly merchant: Merchant }

/** The link behind an address. That of a merchant who may not collect is not shown. */
export async function findLink(ctx: Ctx, merchants: Merchants, code: string): Promise<FoundLink | null> {
  const cell = findCell(ctx, cellOfPaymentLink(code))
  if (!cell) return null
  const link = await readAll(ctx, cell.id, (r) => sql.findForPayer(r, code, graceStart(r.now)))
  const merchant = link && (await merchants.byId(cell.id, link.merchant_id))
  return link && merchant && !merchant.suspended ? { link, merchant } : null
}

export type Payer = { readonly name: string; readonly email: string; readonly kobo: bigint }
/** Refused, because the link cannot be paid now. */
export type NotPayable = Exclude<LinkStatus, 'ACTIVE'>
export type Started =
  | { readonly reference: string; readonly refused?: never }
  | { readonly reference?: never; readonly refused: NotPayable }

/** The transaction of one payer, as init-transaction makes it: limits, contract and split are checked by the
 *  same command. A payer who comes again to a link of single use goes on with the transaction they have
 *  started. */
export async function start(
  ctx: Ctx,
  { link, merchant }: FoundLink,
  payer: Payer,
  stranger: Stranger,
  answered: Answered | null = null,
): Promise<Started> {
  const init = await checkInit(ctx, merchant, {
    amount: nairaText(payer.kobo),
    customerName: payer.name,
    customerEmail: payer.email,
    paymentDescription: link.title,
    currencyCode: 'NGN',
    contractCode: link.contract_code,
    ...(link.redirect_url === null ? {} : { redirectUrl: link.redirect_url }),
    ...(link.methods === '' ? {} : { paymentMethods: methodsIn(link.methods) as PaymentMethod[] }),
    metaData: { paymentLink: link.code },
  })
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const held = (await sql.lock(t, merchant.id, link.code, graceStart(t.now))) ?? fail('PAYMENT_LINK_NOT_FOUND')
    const status = toLinkStatus(held, t.now)
    if (status !== 'ACTIVE') {
      const reference = held.single_use ? await sql.findOpen(t, held, payer.email) : null
      return reference === null ? { refused: status } : { reference }
    }
    const number = held.transactions + 1n
    const made = await openForStranger(ctx, t, stranger, () => makeNumbered(ctx, t, init, held.code, number), answered)
    await sql.use(t, held, number, made.id)
    return { reference: made.reference }
  })
}

/** The merchant may have used this very reference for a payment of its own: then another one, so that its
 *  link goes on. */
async function makeNumbered(ctx: Ctx, t: Tx, init: Init, code: string, number: bigint) {
  const named = (paymentReference: string) =>
    makeTransaction(ctx, t, { ...init, body: { ...init.body, paymentReference } })
  try {
    return await named(`${code}-${number}`)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'DUPLICATE_PAYMENT_REFERENCE') throw error
    return named(`${code}-${number}-${randomCharacters(4)}`)
  }
}

/** The transaction that somebody has started at a link of single use, by their e-mail address. */
export const findStarted = (ctx: Ctx, { link, merchant }: FoundLink, email: string): Promise<string | null> =>
  link.single_use ? readAs(ctx, merchant.cell, merchant.id, (r) => sql.findOpen(r, link, email)) : Promise.resolve(null)

export const statusNow = (ctx: Ctx, link: sql.LinkRow): LinkStatus => toLinkStatus(link, ctx.clock.now())

// ---- show

const amountOf = (kobo: bigint | null): number | null => (kobo === null ? null : nairaNumber(kobo))

export const linkPath = (code: string): string => `/pay/${code}`

function view(ctx: Ctx, row: sql.LinkRow, now: Date): Reply {
  return {
    paymentLinkCode: row.code,
    paymentLinkUrl: `${ctx.publicUrl}${linkPath(row.code)}`,
    status: toLinkStatus(row, now),
    title: row.title,
    description: row.description,
    amount: amountOf(row.kobo),
    minimumAmount: amountOf(row.min_kobo),
    maximumAmount: amountOf(row.max_kobo),
    currencyCode: 'NGN',
    contractCode: row.contract_code,
    singleUse: row.single_use,
    paymentMethods: row.methods === '' ? [...DEFAULT_METHODS] : methodsIn(row.methods),
    redirectUrl: row.redirect_url,
    expiryDate: row.expires_at && secondText(row.expires_at),
    transactionCount: Number(row.transactions),
    createdBy: row.created_by,
    createdOn: secondText(row.created_at),
    changedOn: secondText(row.changed_at),
  }
}

export const get = (ctx: Ctx, merchant: Merchant, code: string): Promise<Reply> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const row = await sql.find(r, merchant.id, code, graceStart(r.now))
    return view(ctx, row ?? fail('PAYMENT_LINK_NOT_FOUND'), r.now)
  })

/** Before every link: none is younger. */
const NEWEST = { created_at: 'infinity', id: 0n } as const

export const list = (
  ctx: Ctx,
  merchant: Merchant,
  { before, size = String(DEFAULT_SIZE) }: QueryOf<typeof listPaymentLinks>,
): Promise<ReplyOf<typeof listPaymentLinks>> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const since = graceStart(r.now)
    const from = before === undefined ? NEWEST : await sql.find(r, merchant.id, before, since)
    const rows = await sql.list(r, merchant.id, since, from ?? fail('PAYMENT_LINK_NOT_FOUND'), Number(size) + 1)
    const shown = rows.slice(0, Number(size))
    return {
      content: shown.map((row) => view(ctx, row, r.now)),
      next: rows.length > shown.length ? (shown.at(-1)?.code ?? null) : null,
    }
  })

// ---- for the merchant's people: who paid

export const paymentLinkViews: readonly BoundView[] = [
  bindView(listLinkPayments, async (ctx, { merchant, query, by }) => {
    const { id, cell } = needMerchant({ merchant }, `payment link ${query.paymentLinkCode}`)
    return readAs(ctx, cell, id, async (r) => {
      const link =
        (await sql.find(r, id, query.paymentLinkCode, graceStart(r.now))) ??
        fail('PAYMENT_LINK_NOT_FOUND', { field: 'paymentLinkCode' })
      const rows = await sql.uses(r, link, query.before ?? FROM_NEWEST, LISTED + 1)
      const shown = rows.slice(0, LISTED)
      const content = shown.map((row) => ({
        transactionReference: row.reference,
        paymentReference: row.payment_reference,
        paymentStatus: row.status,
        amount: nairaNumber(row.kobo),
        amountPaid: nairaNumber(row.paid_kobo),
        customerName: row.customer_name,
        createdAt: row.created_at.toISOString(),
      }))
      return {
        content: by.may('personalData.read') ? content : (masked(content) as typeof content),
        next: rows.length > LISTED ? String(shown.at(-1)?.number) : null,
      }
    })
  }),
]
