// What a merchant sees of its mandates: by its references, and in pages. Nothing moves here.
import { masked } from '@cowrie/contract/access/masking'
import { type getMandates, LIST_DAYS_MAX, type listMandates, SCHEME } from '@cowrie/contract/collections/direct-debit'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { pageAsked } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { FROM_NEWEST, LISTED, listDebits } from '@cowrie/contract/screens/collecting'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { listText, momentOrNull } from '#kit/times.ts'
import * as debits from './debits.sql.ts'
import { debitView } from './debits.ts'
import * as sql from './mandates.sql.ts'

type View = ReplyOf<typeof getMandates>[number]
type Page = ReplyOf<typeof listMandates>

const WORDS: Readonly<Record<sql.Status, string>> = {
  INITIATED: 'Mandate waits for the customer',
  ACTIVE: 'Active Mandate',
  FAILED: 'Declined Mandate',
  EXPIRED: 'Expired Mandate',
  CANCELLED: 'Cancelled Mandate',
}

function view(row: sql.Row): View {
  const waits = row.status === 'INITIATED'
  const ending = row.cancel_asked_at !== null && (waits || row.status === 'ACTIVE')
  return {
    mandateCode: row.code,
    externalMandateReference: row.reference,
    mandateReference: row.reference,
    startDate: listText(row.starts_at),
    endDate: listText(row.ends_at),
    mandateStatus: row.status,
    mandateAmount: nairaNumber(row.kobo ?? 0n),
    contractCode: row.contract_code,
    autoRenew: row.auto_renew,
    customerPhoneNumber: row.customer_phone,
    customerEmailAddress: row.customer_email,
    customerAddress: row.customer_address,
    customerName: row.customer_name,
    customerAccountName: row.account_name,
    customerAccountNumber: row.account_number,
    customerAccountBankCode: row.bank_code,
    mandateDescription: row.description,
    debitAmount: row.debit_kobo === null ? null : nairaNumber(row.debit_kobo),
    authorizationMessage: waits ? row.authorization_message : null,
    authorizationLink: waits ? row.authorization_link : null,
    responseMessage: ending ? 'Mandate has been requested to be cancelled.' : WORDS[row.status],
    schemeCode: SCHEME,
  }
}

function filterOf(query: QueryOf<typeof listMandates>, now: Date): sql.Filter {
  const from = momentOrNull('startDate', query.startDate, 'must be a date')
  const until = momentOrNull('endDate', query.endDate, 'must be a date')
  if (from && (until ?? now).getTime() - from.getTime() > LIST_DAYS_MAX * DAY_MS)
    fail('FIELD_INVALID', { field: 'startDate', why: `must be at most ${LIST_DAYS_MAX} days before endDate` })
  const asked = query.mandateStatus === 'PENDING' ? 'INITIATED' : query.mandateStatus
  return { from, until, email: query.customerEmail ?? null, status: (asked as sql.Status | undefined) ?? null }
}

export async function findMandates(ctx: Ctx, merchant: Merchant, asked: string): Promise<View[]> {
  // A reference may itself have a comma in it.
  const references = [...new Set([asked, ...asked.split(',').map((one) => one.trim())])]
  const rows = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.byReferences(r, merchant.id, references))
  return rows.map(view)
}

export async function searchMandates(ctx: Ctx, merchant: Merchant, query: QueryOf<typeof listMandates>): Promise<Page> {
  const [filter, page] = [filterOf(query, ctx.clock.now()), pageAsked(query)]
  const known = query.schemeCode === undefined || query.schemeCode === SCHEME
  const { rows, total } = known
    ? await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id, filter, page))
    : { rows: [], total: 0 }
  const totalPages = Math.ceil(total / page.size)
  return {
    content: rows.map(view),
    totalElements: total,
    totalPages,
    pageNumber: page.number,
    pageSize: page.size,
    first: page.number === 0,
    last: page.number >= totalPages - 1,
    numberOfElements: rows.length,
    empty: rows.length === 0,
  }
}

/** What was collected under a mandate, for the merchant's people. */
export const debitViews: readonly BoundView[] = [
  bindView(listDebits, async (ctx, { merchant, query, by }) => {
    const { id, cell } = needMerchant({ merchant }, `debits of ${query.mandateCode}`)
    return readAs(ctx, cell, id, async (r) => {
      const mandate = (await sql.find(r, id, query.mandateCode)) ?? fail('MANDATE_NOT_FOUND', { field: 'mandateCode' })
      const rows = await debits.ofMandate(r, id, mandate.id, query.before ?? FROM_NEWEST, LISTED + 1)
      const shown = rows.slice(0, LISTED)
      const content = shown.map((row) => ({ ...debitView(row), createdAt: row.created_at.toISOString() }))
      return {
        content: by.may('personalData.read') ? content : (masked(content) as typeof content),
        next: rows.length > LISTED ? String(shown.at(-1)?.id) : null,
        debited: nairaNumber(mandate.debited_kobo),
      }
    })
  }),
]
