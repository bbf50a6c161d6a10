// Transactions: a merchant asks for money, the payer sends it.
//   init → PENDING → [bank's credit] PAID | PARTIALLY_PAID | OVERPAID      PENDING → [40 minutes] EXPIRED
// Books: the credit moves bank → merchant pending (less the fee) and fee income; unmatched money goes to
// suspense (collections/credits.ts). Who waits: the payer, until expires_at; then the timer
// transactions.expire.

import { findBank, isOpenBank } from '@cowrie/contract/bank/banks'
import {
  canBePaid,
  DEFAULT_METHODS,
  type initPayment,
  type initTransaction,
  MINIMUM_KOBO,
  methodLetter,
  type Product,
  transactionMachine,
  VALIDITY_SECONDS,
} from '@cowrie/contract/collections/transactions'
import { returnLink } from '@cowrie/contract/kit/html'
import { type Kobo, nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { payableKobo, payerScheduleAt } from '#core/access/fees.ts'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, commitHot, findCell, readAll } from '#core/cells/cells.ts'
import { ISSUE_TRIES } from '#core/cells/ranges.ts'
import { coalesce, perCell } from '#core/coalesce.ts'
import { mover } from '#core/ledger/move.ts'
import { giveBack, isIssued, offerNumbers } from '#core/routing/stock.ts'
import type { Call } from '#core/serving.ts'
import { resolveSplit, splitView } from '#features/collections/sub-accounts/splits.ts'
import { hmacBytes, sameText } from '#kit/crypto.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { cellOfReference, transactionReference } from '#kit/ids.ts'
import { plainText, stampText } from '#kit/times.ts'
import { checkDayLimit, checkPaymentLimit } from './limits.ts'
import { isOpen } from './status.ts'
import * as sql from './transactions.sql.ts'

// ---- initialise

/** What a transaction is made of; init-transaction and charge-card-token both ask for one. */
type Asked = Pick<
  BodyOf<typeof initTransaction>,
  | 'amount'
  | 'customerName'
  | 'customerEmail'
  | 'paymentReference'
  | 'paymentDescription'
  | 'currencyCode'
  | 'contractCode'
  | 'redirectUrl'
  | 'paymentMethods'
  | 'incomeSplitConfig'
  | 'metaData'
  | 'metadata'
>
/** Without a payment reference of the merchant's the transaction's own stands for it. */
export type InitBody = Omit<Asked, 'paymentReference'> & { readonly paymentReference?: string }
export type Init = {
  readonly merchant: Merchant
  readonly body: InitBody
  readonly kobo: Kobo
  readonly split: string | null
  /** What it is made for, where the merchant did not ask for it by init-transaction. */
  readonly product?: { readonly type: Product; readonly reference: string }
}

/** Where a payer goes back to: a page, or an application by its own scheme. A name before the host
 *  (`https://shop@evil.example/`) would show payers another place. */
export function checkRedirect({ environment }: Pick<Ctx, 'environment'>, address: string): void {
  const url = URL.parse(address)
  if (!url) fail('FIELD_INVALID', { field: 'redirectUrl', why: 'must be a valid address' })
  if (returnLink(address) === null)
    fail('FIELD_INVALID', { field: 'redirectUrl', why: 'must be a web address, or that of an application' })
  if (environment === 'live' && url.protocol === 'http:')
    fail('FIELD_INVALID', { field: 'redirectUrl', why: 'must be https' })
  if (url.username !== '' || url.password !== '')
    fail('FIELD_INVALID', { field: 'redirectUrl', why: 'must not contain a user name or a password' })
}

/** Refuses what no transaction may be. Only a split and the limit of a day have to ask the database. */
export async function checkInit(ctx: Ctx, merchant: Merchant, body: InitBody): Promise<Init> {
  const kobo = parseNaira(body.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
  if (kobo < MINIMUM_KOBO) fail('AMOUNT_TOO_SMALL', { field: 'amount' })
  checkPaymentLimit(merchant, kobo, 'amount')
  if (body.currencyCode !== 'NGN') fail('CURRENCY_UNKNOWN', { field: 'currencyCode' })
  if (!merchant.contracts.has(body.contractCode)) fail('CONTRACT_UNKNOWN', { field: 'contractCode' })
  if (body.redirectUrl !== undefined) checkRedirect(ctx, body.redirectUrl)
  if (!canBePaid(body.paymentMethods)) fail('METHODS_NOT_OFFERED', { field: 'paymentMethods' })
  await checkDayLimit(ctx, merchant, kobo)
  const config = body.incomeSplitConfig
  return { merchant, body, kobo, split: config?.length ? await resolveSplit(ctx, merchant, config, kobo) : null }
}

const methodsOf = ({ paymentMethods }: InitBody): readonly string[] =>
  paymentMethods?.length ? [...new Set(paymentMethods)] : DEFAULT_METHODS

function newRow({ merchant, body, kobo, split, product }: Init, id: bigint, stamp: string): sql.NewTransaction {
  const reference = transactionReference(merchant.cell, stamp, id)
  return {
    id,
    merchantId: merchant.id,
    reference,
    paymentReference: body.paymentReference ?? reference,
    contractCode: body.contractCode,
    kobo,
    customerName: body.customerName ?? '',
    customerEmail: body.customerEmail,
    description: body.paymentDescription ?? '',
    methods: product?.type === 'DIRECT_DEBIT' ? [product.type] : methodsOf(body),
    redirectUrl: body.redirectUrl ?? null,
    metaData: JSON.stringify(body.metaData ?? body.metadata ?? {}),
    split,
    ...(product ? { product } : {}),
  }
}

/** What the address of a hosted page has beside the reference, so that nobody guesses it. Derived, not
 *  stored: a wrong one is refused without a look into the database. */
export const checkoutToken = (ctx: Ctx, reference: string): string =>
  hmacBytes(ctx.keys.checkout, reference).toString('base64url', 0, 16)
export const checkoutUrl = (ctx: Ctx, reference: string): string =>
  `${ctx.publicUrl}/checkout/${encodeURIComponent(reference)}/${checkoutToken(ctx, reference)}`

/** Where the payer goes back to; the references tell the merchant what to look up, not what happened. */
export function returnAddress(
  redirectUrl: string,
  row: {
    payment_reference: string
    reference: string
    status: string
    product_type: string | null
    product_reference: string | null
  },
): string {
  const url = new URL(redirectUrl)
  url.searchParams.set('paymentReference', row.payment_reference)
  url.searchParams.set('transactionReference', row.reference)
  url.searchParams.set('paymentStatus', row.status)
  if (row.product_type === 'INVOICE') url.searchParams.set('invoiceReference', row.product_reference ?? '')
  return url.href
}

const initView = (ctx: Ctx, { merchant, body }: Init, row: sql.NewTransaction): ReplyOf<typeof initTransaction> => ({
  transactionReference: row.reference,
  paymentReference: row.paymentReference,
  merchantName: merchant.name,
  apiKey: merchant.apiKey,
  enabledPaymentMethod: [...row.methods],
  checkoutUrl: checkoutUrl(ctx, row.reference),
  redirectUrl: row.redirectUrl,
  incomeSplitConfig: splitView(body.incomeSplitConfig),
})

/** Inserts the transactions of one batch; a refusal per item whose payment reference is taken. */
async function insertInits(
  ctx: Ctx,
  t: Tx,
  inits: readonly Init[],
  late: boolean,
): Promise<(ReplyOf<typeof initTransaction> | Failure)[] | 'LATE'> {
  const ids = await cellById(ctx, t.cell).takeIds(inits.length)
  const stamp = stampText(t.now)
  const rows = inits.map((init, at) => newRow(init, ids[at] as bigint, stamp))
  const made = await sql.insert(t, rows, new Date(t.now.getTime() + VALIDITY_SECONDS * 1000), late)
  if (made === 'LATE') return made
  return rows.map((row, at) =>
    made.has(row.id)
      ? initView(ctx, inits[at] as Init, row)
      : new Failure('DUPLICATE_PAYMENT_REFERENCE', { field: 'paymentReference' }),
  )
}

/** First as nearly every insert goes, then as a late one does. */
async function orLate<T>(insert: (late: boolean) => Promise<T | 'LATE'>): Promise<T> {
  for (const late of [false, true]) {
    const result = await insert(late)
    if (result !== 'LATE') return result
  }
  return fail('INTERNAL', {}, 'late insert was refused as late')
}

export type NewTransaction = sql.NewTransaction
type Making = { readonly expiresAt?: Date; readonly timed?: boolean }

/** Transactions inside somebody's own transaction: a stored card is charged with one, an invoice, a debit or
 *  a credit to a reserved account makes one. Those that no timer of ours expires are `timed: false`. */
export async function makeTransactions(
  ctx: Ctx,
  t: Tx,
  inits: readonly Init[],
  { expiresAt = new Date(t.now.getTime() + VALIDITY_SECONDS * 1000), timed = true }: Making = {},
): Promise<NewTransaction[]> {
  const ids = await cellById(ctx, t.cell).takeIds(inits.length)
  const stamp = stampText(t.now)
  const rows = inits.map((init, at) => newRow(init, ids[at] as bigint, stamp))
  const made = await orLate((late) => sql.insert(t, rows, expiresAt, late, timed))
  return made.size === rows.length ? rows : fail('DUPLICATE_PAYMENT_REFERENCE', { field: 'paymentReference' })
}
export const makeTransaction = async (ctx: Ctx, t: Tx, init: Init, making?: Making): Promise<NewTransaction> =>
  (await makeTransactions(ctx, t, [init], making))[0] as NewTransaction

const orThrow = <T>(result: T): Exclude<T, Error | undefined> => {
  if (result instanceof Error || result === undefined) throw result ?? new Error('insert gave no result')
  return result as Exclude<T, Error | undefined>
}

export function createInit(ctx: Ctx) {
  const batch = perCell<Init, ReplyOf<typeof initTransaction>>(ctx.cells.keys(), (cell) =>
    coalesce<Init, ReplyOf<typeof initTransaction>>({
      name: 'transactions',
      key: ({ merchant, body }) => `${merchant.id}/${body.paymentReference}`,
      run: (inits) => orLate((late) => commitHot(ctx, cell, (t) => insertInits(ctx, t, inits, late))),
    }),
  )
  return {
    batched: async ({ merchant, body }: Call<typeof initTransaction>) =>
      batch(merchant.cell, await checkInit(ctx, merchant, body)),
    command: async (t: Tx, { merchant, body }: Call<typeof initTransaction>) => {
      const init = await checkInit(ctx, merchant, body)
      return orThrow((await orLate((late) => insertInits(ctx, t, [init], late)))[0])
    },
  }
}

// ---- issue an account number

/** An account serves the payer who transfers and the one who dials; by API it is asked for to transfer to. */
export type AccountMethod = 'ACCOUNT_TRANSFER' | 'USSD'
type AccountRequest = {
  readonly merchant: Merchant
  readonly reference: string
  readonly bankCode: string | undefined
  readonly method: AccountMethod
  /** The payer asked for it, on the hosted page. */
  readonly onPage: boolean
}

function checkAccountRequest({ merchant, body }: Call<typeof initPayment>): AccountRequest {
  const { transactionReference: reference, bankCode } = body
  if (bankCode !== undefined && !findBank(bankCode)) fail('BANK_UNKNOWN', { field: 'bankCode' })
  return { merchant, reference, bankCode, method: 'ACCOUNT_TRANSFER', onPage: false }
}

/** As many whole words as there is room for: a name that ends inside a word looks forged. */
function wholeWords(text: string, characters: number): string {
  const all = Array.from(text.replace(/\s+/g, ' ').trim())
  if (all.length <= characters) return all.join('')
  const cut = all.slice(0, characters + 1).lastIndexOf(' ')
  return all
    .slice(0, Math.max(cut, 0))
    .join('')
    .replace(/[\s,;:.&-]+$/, '')
}

/** As a name enquiry shows it: the merchant first, because the payer decides by it whether to trust the
 *  account, then a dash and what is paid for, whole words only. The name of an invoice has room for more of
 *  it. */
export function accountName(merchantName: string, description: string, product: string | null = null): string {
  const what = wholeWords(description, product === 'INVOICE' ? INVOICE_NAME_MAX : NAME_MAX)
  if (what === '') return merchantName
  return what.toLowerCase().startsWith(merchantName.toLowerCase()) ? what : `${merchantName}-${what}`
}
const NAME_MAX = 20
const INVOICE_NAME_MAX = 100

export function ussdText(bankCode: string | undefined, kobo: bigint, accountNumber: string): string | null {
  const template = bankCode !== undefined && isOpenBank(bankCode) ? (findBank(bankCode)?.ussdTemplate ?? null) : null
  return (
    template?.replace('AccountNumber', accountNumber).replace('Amount', nairaText(kobo).replace(/\.00$/, '')) ?? null
  )
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

function accountView(
  ctx: Ctx,
  request: AccountRequest,
  row: sql.AccountRow,
  now: Date,
): ReplyOf<typeof initPayment> | Failure | 'TAKEN' {
  if (!isOpen(row, now)) {
    return new Failure('TRANSACTION_CLOSED', { state: row.status === 'PENDING' ? 'EXPIRED' : row.status })
  }
  if (!row.methods.includes(methodLetter(request.method)))
    return new Failure('METHOD_NOT_ENABLED', { method: request.method })
  if (row.account_number === null || row.bank_code === null) return 'TAKEN'
  return {
    accountNumber: row.account_number,
    accountName: isIssued(ctx, row.connector)
      ? ctx.institution.accountName
      : accountName(request.merchant.name, row.description, row.product_type),
    bankName: findBank(row.bank_code)?.name ?? row.bank_code,
    bankCode: row.bank_code,
    // Of the two moments as they are shown, to the second.
    accountDurationSeconds: seconds(row.expires_at) - seconds(now),
    ussdPayment: ussdText(request.bankCode, payableKobo(row), row.account_number),
    requestTime: plainText(now),
    expiresOn: plainText(row.expires_at),
    transactionReference: request.reference,
    paymentReference: row.payment_reference,
    amount: nairaNumber(row.kobo),
    fee: nairaNumber(row.quoted_fee_kobo ?? 0n),
    totalPayable: nairaNumber(payableKobo(row) - row.paid_kobo),
    collectionChannel: 'API_NOTIFICATION',
    productInformation: null,
  }
}

async function issueOnce(
  ctx: Ctx,
  t: Tx,
  requests: readonly AccountRequest[],
): Promise<(ReplyOf<typeof initPayment> | Failure | 'TAKEN')[]> {
  const offered = await offerNumbers(ctx, t.cell, requests.length)
  const { connector, bankCode, numbers } = offered
  const asked = requests.map(({ merchant, reference, method, onPage }, at) => ({
    merchantId: merchant.id,
    reference,
    method,
    onPage,
    quotes: payerScheduleAt(merchant, method, t.now),
    offered: numbers[at] as string,
  }))
  const rows = await sql.issueAccounts(t, asked, { connector, bankCode })
  const results = requests.map((request, at) => {
    const row = rows[at]
    return row
      ? accountView(ctx, request, row, t.now)
      : new Failure('TRANSACTION_REFERENCE_INVALID', { field: 'transactionReference' })
  })
  // Whoever asks again for an account that a payment has takes no other number.
  const unused = numbers.filter((number, at) => results[at] !== 'TAKEN' && rows[at]?.account_number !== number)
  if (unused.length > 0) giveBack(ctx, t.cell, offered, unused)
  return results
}

export function createIssueAccount(ctx: Ctx) {
  const batch = perCell<AccountRequest, ReplyOf<typeof initPayment> | 'TAKEN'>(ctx.cells.keys(), (cell) =>
    coalesce<AccountRequest, ReplyOf<typeof initPayment> | 'TAKEN'>({
      name: 'accounts',
      key: ({ reference }) => reference,
      run: (requests) => commitHot(ctx, cell, (t) => issueOnce(ctx, t, requests)),
    }),
  )
  // TAKEN: the offered number is still held, or another request got one for the same transaction at the same
  // instant; the next try finds that one or offers another number.
  const untilIssued = async <T>(attempt: () => Promise<T | 'TAKEN'>): Promise<T> => {
    for (let tries = 0; tries < ISSUE_TRIES; tries += 1) {
      const result = await attempt()
      if (result !== 'TAKEN') return result
    }
    return fail('UNAVAILABLE', {}, 'no free account number')
  }
  return {
    batched: async (call: Call<typeof initPayment>) => {
      const request = checkAccountRequest(call)
      return untilIssued(() => batch(request.merchant.cell, request))
    },
    /** For the merchant who asks by API, to transfer to or to dial. */
    byApi: (merchant: Merchant, reference: string, method: AccountMethod) =>
      untilIssued(() => batch(merchant.cell, { merchant, reference, bankCode: undefined, method, onPage: false })),
    /** For the payer on the checkout page. */
    forPayer: (merchant: Merchant, reference: string, method: AccountMethod) =>
      untilIssued(() => batch(merchant.cell, { merchant, reference, bankCode: undefined, method, onPage: true })),
    command: async (t: Tx, call: Call<typeof initPayment>) => {
      const request = checkAccountRequest(call)
      return untilIssued(async () => orThrow((await issueOnce(ctx, t, [request]))[0]))
    },
    /** For a transaction that is made just now, in the same transaction of the database. */
    within: (t: Tx, merchant: Merchant, reference: string, method: AccountMethod) =>
      untilIssued(async () =>
        orThrow((await issueOnce(ctx, t, [{ merchant, reference, bankCode: undefined, method, onPage: false }]))[0]),
      ),
  }
}

// ---- expire

const expireMoves = mover(transactionMachine, {
  name: 'transaction_expire',
  set: { payment_method: 'text', closed_at: 'timestamptz' },
})

/** Expires those of the given transactions that are still waiting and whose time is over; closes those that
 *  got a part. */
export async function expire(t: Tx, ids: readonly bigint[]): Promise<void> {
  const rows = await sql.lockExpirable(t, ids, t.now)
  if (rows.length === 0) return
  await expireMoves(
    t,
    rows.map(({ id, merchant_id, status: from, has_account }) => ({
      on: from === 'PENDING' ? ('expire' as const) : ('close' as const),
      id,
      merchantId: merchant_id,
      from,
      set: { payment_method: has_account ? 'ACCOUNT_TRANSFER' : null, closed_at: t.now },
    })),
  )
}

// ---- the checkout's look at one

/** The transaction behind a checkout address. A wrong token finds nothing, exactly like a wrong reference. */
export async function findCheckout(ctx: Ctx, merchants: Merchants, reference: string, token: string) {
  const cell = findCell(ctx, cellOfReference(reference))
  if (!cell || !sameText(checkoutToken(ctx, reference), token)) return null
  const row = await readAll(ctx, cell.id, (r) => sql.findForCheckout(r, reference))
  if (!row) return null
  const merchant = await merchants.byId(cell.id, row.merchant_id)
  return merchant ? { row, merchant } : null
}
