// What can be looked at: the list of settlements, their statements, and how a transaction was settled.
// Nothing moves here.
import { findBank } from '@cowrie/contract/bank/banks'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { getSettlementDetail, listSettlements } from '@cowrie/contract/settlements/settlements'
import { type StatementOf, statementCsv } from '@cowrie/contract/settlements/statement'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { calculateShares, readSplit } from '#features/collections/sub-accounts/splits.ts'
import { keptSplit, recordsByIds } from '#features/collections/transactions/status.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { MOMENT_FORMS, momentOrNull, slashedText } from '#kit/times.ts'
import { allLines, transactionIds } from './lines/lines.sql.ts'
import { lineView } from './lines/lines.ts'
import * as sql from './settlements.sql.ts'
import { profileCode } from './settlements.ts'

type PageQuery = { readonly page?: string; readonly size?: string }

const beneficiaryOf = (merchant: Merchant, row: sql.Row) =>
  row.sub_account_code === null
    ? { beneficiaryType: 'MERCHANT' as const, beneficiaryCode: profileCode(merchant.cell, merchant.id) }
    : { beneficiaryType: 'SUB_ACCOUNT' as const, beneficiaryCode: row.sub_account_code }

const destinationOf = (row: sql.Row) => ({
  type: row.destination,
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  accountName: row.account_name,
})

type ListQuery = QueryOf<typeof listSettlements>
const koboOrNull = (field: string, naira: string | undefined): bigint | null =>
  naira === undefined ? null : (parseNaira(naira) ?? fail('AMOUNT_INVALID', { field }))

const filterOf = (query: ListQuery): sql.Filter => ({
  leastKobo: koboOrNull('fromAmount', query.fromAmount),
  mostKobo: koboOrNull('toAmount', query.toAmount),
  from: momentOrNull('from', query.from, MOMENT_FORMS),
  to: momentOrNull('to', query.to, MOMENT_FORMS),
})

export async function list(ctx: Ctx, merchant: Merchant, query: ListQuery): Promise<ReplyOf<typeof listSettlements>> {
  const [asked, filter] = [pageAsked(query), filterOf(query)]
  const isFiltered = Object.values(filter).some((limit) => limit !== null)
  return readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const { rows, total } = isFiltered
      ? await sql.search(r, merchant.id, filter, asked)
      : await sql.list(r, merchant.id, asked)
    const content = rows.map((row) => ({
      settlementReference: row.reference,
      number: Number(row.number),
      status: row.status,
      ...beneficiaryOf(merchant, row),
      amount: nairaText(row.kobo),
      transactionsCount: row.transactions,
      destination: destinationOf(row),
      createdOn: row.created_at.toISOString(),
      completedOn: row.completed_at?.toISOString() ?? null,
      hash: row.hash,
    }))
    return toPage(content, asked, total)
  })
}

/** A settlement with its lines: without all of them a statement would prove nothing. */
async function find(read: Read, merchant: Merchant, reference: string): Promise<sql.Row> {
  const row = (await sql.byReference(read, merchant.id, reference)) ?? fail('SETTLEMENT_NOT_FOUND')
  return (await sql.withoutLines(read, [row.id])).length > 0 ? fail('SETTLEMENT_NOT_FOUND') : row
}

export const statement = (ctx: Ctx, merchant: Merchant, reference: string): Promise<StatementOf> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const row = await find(r, merchant, reference)
    const lines = (await allLines(r, merchant.id, row.id)).map(lineView)
    return {
      settlementReference: row.reference,
      number: Number(row.number),
      status: row.status,
      ...beneficiaryOf(merchant, row),
      destination: destinationOf(row),
      currency: 'NGN',
      from: row.from_at.toISOString(),
      to: row.to_at.toISOString(),
      createdOn: row.created_at.toISOString(),
      lines,
      totals: {
        lines: row.lines,
        transactions: row.transactions,
        amount: nairaText(row.amount_kobo),
        fee: nairaText(row.fee_kobo),
        shares: nairaText(row.shares_kobo),
        net: nairaText(row.kobo),
      },
      previousHash: row.previous_hash,
      hash: row.hash,
      signature: row.signature,
      keyId: row.key_id,
    }
  })

export const statementTable = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<string> =>
  statementCsv(await statement(ctx, merchant, reference))

/** The transactions that a settlement pays, some at a time. */
export const listSettledTransactions = (
  ctx: Ctx,
  merchant: Merchant,
  query: PageQuery & { readonly reference: string },
) =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const row = await find(r, merchant, query.reference)
    const asked = pageAsked(query)
    const ids = await transactionIds(r, merchant.id, row.id, asked.size, asked.offset)
    const records = await recordsByIds(r, ids)
    const content = ids.flatMap((id) => records.get(id) ?? [])
    return toPage(content, asked, row.transactions)
  })

type Detail = ReplyOf<typeof getSettlementDetail>

/** Incomes are those of the split that was kept; what was settled is what the ledger's lines say. */
export const detail = (ctx: Ctx, merchant: Merchant, reference: string): Promise<Detail> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const kept = await keptSplit(r, merchant.id, reference)
    const { id, split, paid_kobo: paid, fee_kobo: fee } = kept
    const settled = await sql.ofTransaction(r, merchant.id, id)
    const ids = settled.flatMap((one) => one.settlement_id ?? [])
    const settlements = new Map((await sql.byIds(r, ids)).map((row) => [row.id, row]))
    const transaction = (await recordsByIds(r, [id])).get(id)
    if (settlements.size === 0 || !transaction) return fail('SETTLEMENT_NOT_FOUND')

    const parts = split === null ? [] : readSplit(split)
    const { shares, merchantNet } = calculateShares(kept, paid, fee, parts)
    const borne = kept.quoted_fee_kobo === null ? fee - shares.reduce((sum, share) => sum + share.fee, 0n) : 0n
    const shown = (account: bigint, type: 'MERCHANT' | 'SUB_ACCOUNT', code: string, income: bigint, cost: bigint) => {
      const last = settled.findLast((one) => one.account_id === account && one.settlement_id !== null)
      const row = last && settlements.get(last.settlement_id ?? 0n)
      return {
        beneficiaryType: type,
        beneficiaryCode: code,
        beneficiaryIncome: nairaText(income),
        incurredFee: nairaText(cost),
        settlementStatus: row?.status ?? ('PENDING' as const),
        settlementInformation: row ? informationOf(row, last.kobo) : null,
      }
    }
    const own = accountId(merchant.id, 'PENDING')
    const beneficiaries = [
      shown(own, 'MERCHANT', profileCode(merchant.cell, merchant.id), merchantNet + borne, borne),
      ...parts.map((part, at) => {
        const share = shares[at] ?? fail('INTERNAL', {}, `sub account ${part.key}: a split without a share account`)
        return shown(accountId(part.subAccountId, 'SHARE'), 'SUB_ACCOUNT', part.key, share.gross, share.fee)
      }),
    ]
    const first = beneficiaries.find((one) => one.settlementInformation !== null)?.settlementInformation
    if (!first) return fail('SETTLEMENT_NOT_FOUND')
    return {
      transactionReference: reference,
      settlementReference: first.settlementReference,
      settlementDate: first.settledDate,
      settlementAmount: nairaText(paid - fee),
      currency: 'NGN',
      transaction,
      beneficiaries,
    }
  })

const informationOf = (row: sql.Row, kobo: bigint) => ({
  settledDate: slashedText(row.completed_at ?? row.created_at),
  settlementReference: row.reference,
  settlementAmount: nairaText(kobo),
  settlementFee: '0.00', // paying a settlement costs nothing
  destinationAccountNumber: row.account_number,
  destinationAccountName: row.account_name,
  destinationBankName: findBank(row.bank_code)?.name ?? row.bank_code,
  destinationBankCode: row.bank_code,
})
