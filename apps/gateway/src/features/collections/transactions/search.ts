// Search: a merchant looks for its transactions, page by page, the newest first, with exact totals.
// No state moves and no money. Nobody waits; a page of a million takes as long as one of ten thousand,
// because old transactions are counted by blocks (blocks.ts) and only the young ones one by one.

import type { searchTransactions } from '@cowrie/contract/collections/search'
import { methodsIn, toChannel, transactionMachine } from '@cowrie/contract/collections/transactions'
import { parseExact } from '@cowrie/contract/kit/exact-json'
import { nairaNumber, parseNaira } from '@cowrie/contract/kit/money'
import { type PageAsked, pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { payableKobo } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { listText, momentOrNull } from '#kit/times.ts'
import { FINAL_STATES } from './blocks.ts'
import * as sql from './search.sql.ts'

type Query = QueryOf<typeof searchTransactions>
export type Filter = sql.Filter
type Item = ReplyOf<typeof searchTransactions>['content'][number]

// ---- what is asked

const koboOf = (field: string, text: string | undefined): bigint | undefined =>
  text === undefined ? undefined : (parseNaira(text) ?? fail('AMOUNT_INVALID', { field }))

const MOMENT = 'must be milliseconds since 1970, ISO 8601 or the string form of a JavaScript Date'

const most = (...limits: (bigint | undefined)[]): bigint | undefined =>
  limits.reduce((a, b) => (a === undefined || (b !== undefined && b > a) ? b : a), undefined)
const least = (...limits: (bigint | undefined)[]): bigint | undefined =>
  limits.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined)

/** What a search asks for; an export of it asks the same way. */
export function toFilter(query: Query): sql.Filter {
  const amount = koboOf('amount', query.amount)
  return {
    reference: query.transactionReference,
    paymentReference: query.paymentReference,
    email: query.customerEmail,
    name: query.customerName,
    status: query.paymentStatus,
    leastKobo: most(amount, koboOf('fromAmount', query.fromAmount)),
    mostKobo: least(amount, koboOf('toAmount', query.toAmount)),
    from: momentOrNull('from', query.from, MOMENT) ?? undefined,
    to: momentOrNull('to', query.to, MOMENT) ?? undefined,
  }
}

/** Whether any transaction could fit; limits that cross and states that do not exist are not worth a
 *  question. */
export const possible = ({ status, leastKobo, mostKobo, from, to }: sql.Filter): boolean =>
  (status === undefined || Object.hasOwn(transactionMachine.states, status)) &&
  (leastKobo === undefined || mostKobo === undefined || leastKobo <= mostKobo) &&
  (from === undefined || to === undefined || from <= to)

// ---- what is found

type Found = { readonly total: number; readonly rows: sql.ListRow[] }
const NOTHING: Found = { total: 0, rows: [] }

/** A reference, an e-mail address or a name: counted and read in its index, from the nearer end. */
async function findByIndex(read: Read, merchantId: bigint, filter: sql.Filter, page: PageAsked): Promise<Found> {
  const total = await sql.count(read, merchantId, filter)
  const take = Math.min(page.size, total - page.offset)
  if (take <= 0) return { total, rows: [] }
  const fromOldest = page.offset > total / 2
  const skip = fromOldest ? total - page.offset - take : page.offset
  return { total, rows: await sql.list(read, merchantId, filter, { fromOldest, skip, take }) }
}

/** The cuts of the segments that together are the page. */
export function cutSegments<S extends { readonly rows: number }>(
  segments: readonly S[],
  { offset, size }: Pick<PageAsked, 'offset' | 'size'>,
): (S & { skip: number; take: number })[] {
  const cuts: (S & { skip: number; take: number })[] = []
  let [before, left] = [0, size]
  for (const segment of segments) {
    const skip = Math.max(0, offset - before)
    const take = Math.min(segment.rows - skip, left)
    if (take > 0) {
      cuts.push({ ...segment, skip, take })
      left -= take
    }
    before += segment.rows
    if (left === 0) break
  }
  return cuts
}

/** Everything else: counted by blocks, and read where the page lies. */
async function findByBlocks(read: Read, merchantId: bigint, filter: sql.Filter, page: PageAsked): Promise<Found> {
  const segments = await sql.countSegments(read, merchantId, filter)
  const total = segments.reduce((sum, { rows }) => sum + rows, 0)
  const cuts = cutSegments(segments, page)
  // Without state and amount an index finds the place in a segment as fast as parts would.
  const byParts = sql.usesParts(filter) ? cuts.filter(({ whole }) => whole) : []
  const byRows = cuts.filter((cut) => !byParts.includes(cut))
  const rows = [
    ...(byRows.length > 0 ? await sql.listFromRows(read, merchantId, filter, byRows) : []),
    ...(byParts.length > 0 ? await sql.listFromParts(read, merchantId, filter, byParts) : []),
  ]
  return { total, rows: rows.toSorted((a, b) => b.number - a.number) }
}

/** Nothing but one e-mail address or one name, and perhaps a time: the values that blocks count. */
const isOneValue = (filter: sql.Filter): boolean =>
  (filter.reference ?? filter.paymentReference) === undefined &&
  (filter.email === undefined) !== (filter.name === undefined) &&
  !sql.usesParts(filter)

async function isByBlocks(read: Read, merchantId: bigint, filter: sql.Filter): Promise<boolean> {
  const { reference, paymentReference, email, name } = filter
  return (
    (reference ?? paymentReference ?? email ?? name) === undefined ||
    (isOneValue(filter) && (await sql.isFrequent(read, merchantId, filter)))
  )
}

const find = async (read: Read, merchantId: bigint, filter: sql.Filter, page: PageAsked): Promise<Found> =>
  (await isByBlocks(read, merchantId, filter))
    ? findByBlocks(read, merchantId, filter, page)
    : findByIndex(read, merchantId, filter, page)

/** How many transactions fit, and no rows. */
export async function countMatches(read: Read, merchantId: bigint, filter: sql.Filter): Promise<number> {
  if (!possible(filter)) return 0
  if (!(await isByBlocks(read, merchantId, filter))) return sql.count(read, merchantId, filter)
  const segments = await sql.countSegments(read, merchantId, filter)
  return segments.reduce((sum, { rows }) => sum + rows, 0)
}

export async function search(ctx: Ctx, merchant: Merchant, query: Query): Promise<ReplyOf<typeof searchTransactions>> {
  const filter = toFilter(query)
  const page = pageAsked(query)
  const { total, rows } = possible(filter)
    ? await readAs(ctx, merchant.cell, merchant.id, (read) => find(read, merchant.id, filter, page))
    : NOTHING
  return toPage(
    rows.map((row) => listView(merchant, row)),
    page,
    total,
  )
}

// ---- what one payer paid

export type Payer = {
  readonly sums: sql.PayerRow
  /** How they wrote themselves, the last time first. */
  readonly written: readonly { readonly email: string; readonly name: string }[]
}
/** All that an e-mail address paid or was asked for; the names come from the newest `namesOf`
 *  transactions. */
export const findPayer = async (read: Read, merchantId: bigint, email: string, namesOf: number): Promise<Payer> => ({
  sums: await sql.sumOfPayer(read, merchantId, email),
  written: await sql.newestOfPayer(read, merchantId, email, namesOf),
})
/** All that a search finds, in steps: for exports. */
export { FROM_THE_NEWEST, type Place, type Step, stepAfter } from './walk.sql.ts'

// ---- what is shown

export function listView(merchant: Merchant, row: sql.ListRow): Item {
  const method = row.payment_method ?? (row.has_account ? 'ACCOUNT_TRANSFER' : null)
  const completed = FINAL_STATES.includes(row.status)
  return {
    customerDTO: { email: row.customer_email, name: row.customer_name, merchantCode: row.contract_code },
    ...(method === null ? {} : { paymentMethod: method }),
    createdOn: listText(row.created_at),
    ...(completed && row.closed_at ? { completedOn: listText(row.closed_at) } : {}),
    amount: nairaNumber(row.kobo),
    flagged: row.flagged,
    ...(row.paid_kobo > 0n ? { fee: nairaNumber(row.fee_kobo) } : {}),
    currencyCode: 'NGN',
    paymentDescription: row.description,
    paymentStatus: row.status,
    transactionReference: row.reference,
    paymentReference: row.payment_reference,
    merchantCode: row.contract_code,
    merchantName: merchant.name,
    metaData: parseExact(row.meta_data) as Record<string, unknown>,
    payableAmount: nairaNumber(payableKobo(row)),
    completed,
    paymentMethodList: methodsIn(row.methods),
    collectionChannel: toChannel(row),
  }
}
