// An account with what it has taken, and its transactions, page by page, the newest first.
import { masked } from '@cowrie/contract/access/masking'
import type { getReservedAccount, listReservedTransactions } from '@cowrie/contract/collections/reserved-accounts'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { FROM_NEWEST, LISTED, listReservedAccounts } from '@cowrie/contract/screens/collecting'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import { profileById } from '#features/collections/limit-profiles/limit-profiles.ts'
import { listView } from '#features/collections/transactions/search.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { accountView, findRow } from './account.ts'
import * as sql from './lists.sql.ts'
import { findKept } from './reserved-accounts.sql.ts'

export const detail = (ctx: Ctx, merchant: Merchant, reference: string): Promise<ReplyOf<typeof getReservedAccount>> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const row = (await findRow(r, merchant.id, reference)) ?? fail('RESERVED_ACCOUNT_NOT_FOUND')
    const { limit_profile_id: limited } = row
    const profile = limited === null ? null : await profileById(r, merchant.id, limited)
    const taken = await sql.sum(r, merchant.id, row)
    return {
      ...accountView(row, r.now),
      contract: {
        name: row.contract_name,
        code: row.contract_code,
        description: '',
        supportsAdvancedSettlementAccountSelection: false,
      },
      transactionCount: taken.transactions,
      totalAmount: nairaNumber(taken.kobo),
      ...(profile ? { limitProfileConfig: profile.config } : {}),
    }
  })

type Listed = ReplyOf<typeof listReservedTransactions>['content'][number]

/** What the bank takes for a transfer is agreed with it and not reported with each: none is known here. */
const itemOf = (merchant: Merchant, row: sql.ListedRow, bank: string): Listed => ({
  ...listView(merchant, row),
  amountPaid: nairaNumber(row.paid_kobo),
  providerAmount: 0,
  providerCode: row.provider_code ?? bank,
  settleInstantly: false,
})

export const transactions = (
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof listReservedTransactions>,
): Promise<ReplyOf<typeof listReservedTransactions>> => {
  const page = pageAsked(query)
  return readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const account = (await findKept(r, merchant.id, query.accountReference)) ?? fail('RESERVED_ACCOUNT_UNKNOWN')
    const total = await sql.count(r, merchant.id, account)
    const rows = page.offset < total ? await sql.list(r, merchant.id, account, page) : []
    return toPage(
      rows.map((row) => itemOf(merchant, row, ctx.institution.issuingBanks[0])),
      page,
      total,
    )
  })
}

/** The accounts themselves, for the merchant's people. */
export const reservedAccountViews: readonly BoundView[] = [
  bindView(listReservedAccounts, async (ctx, { merchant, query, by }) => {
    const { id, cell } = needMerchant({ merchant }, 'reserved accounts')
    return readAs(ctx, cell, id, async (r) => {
      const rows = await sql.accounts(r, id, query.before ?? FROM_NEWEST, LISTED + 1, ctx.institution.issuingBanks)
      const shown = rows.slice(0, LISTED)
      const content = shown.map((row) => accountView(row, r.now))
      return {
        content: by.may('personalData.read') ? content : (masked(content) as typeof content),
        next: rows.length > LISTED ? String(shown.at(-1)?.id) : null,
      }
    })
  }),
]
