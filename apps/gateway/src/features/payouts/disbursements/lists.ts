// Looking at transfers, batches and the wallet. Nothing here changes anything.
import { findBank } from '@cowrie/contract/bank/banks'
import { nairaNumber, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { getBatch, listBatches, listBatchRows } from '@cowrie/contract/payouts/batches'
import type {
  getTransfer,
  getWalletBalance,
  listTransfers,
  searchTransfers,
} from '@cowrie/contract/payouts/disbursements'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import { isGone } from '#core/cells/departed.ts'
import { owedBy } from '#features/wallets/receivables/gate.ts'
import { readBalances, walletAt } from '#features/wallets/wallets/holders.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { MOMENT_FORMS, momentOrNull, offsetText, wholeOffsetText } from '#kit/times.ts'
import * as batchRows from './batches.sql.ts'
import { findTransfer, presentNameMatch } from './disbursements.ts'
import * as sql from './lists.sql.ts'
import { feeCharged, feeReturned, isUncharged, presentBatch, UNCHARGED } from './presenter.ts'

type Listed = ReplyOf<typeof getTransfer>

export const presentListed = (row: sql.ListedRow): Listed => ({
  amount: nairaNumber(row.kobo),
  reference: row.reference,
  narration: row.narration,
  currency: 'NGN',
  fee: feeCharged(row),
  ...feeReturned(row),
  twoFaEnabled: row.two_fa,
  status: row.status,
  transactionDescription: row.description,
  transactionReference: row.transaction_reference,
  createdOn: wholeOffsetText(row.created_at),
  sourceAccountNumber: row.source_account,
  destinationAccountNumber: row.account_number,
  ...(row.account_name === null ? {} : { destinationAccountName: row.account_name }),
  destinationBankCode: row.bank_code,
  ...(row.account_name === null ? {} : { destinationBankName: findBank(row.bank_code)?.name ?? row.bank_code }),
  ...(row.session_id === null ? {} : { sessionId: row.session_id }),
  ...presentNameMatch(row),
  ...(row.status === 'PENDING' && row.question_at
    ? { inquiry: { questions: row.questions, nextQuestionAt: row.question_at.toISOString() } }
    : {}),
})

const cutOf = (query: { pageNo?: string; pageSize?: string }) =>
  pageAsked({
    ...(query.pageNo === undefined ? {} : { page: query.pageNo }),
    ...(query.pageSize === undefined ? {} : { size: query.pageSize }),
  })

/** A batch whose rows have left with their month is none any more. */
async function batchOf(read: Read, merchantId: bigint, reference: string): Promise<batchRows.BatchRow> {
  const batch = (await batchRows.findBatch(read, merchantId, reference)) ?? fail('BATCH_NOT_FOUND')
  return (await isGone(read, batch.id)) ? fail('BATCH_NOT_FOUND') : batch
}

export const findSummary = async (ctx: Ctx, merchant: Merchant, reference: string): Promise<Listed> =>
  presentListed(await findTransfer(ctx, merchant, reference))

export async function listSingles(ctx: Ctx, merchant: Merchant, query: QueryOf<typeof listTransfers>) {
  const cut = cutOf(query)
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.listSingles(r, merchant.id, cut))
  return toPage(rows.map(presentListed), cut, total)
}

export async function searchSent(ctx: Ctx, merchant: Merchant, query: QueryOf<typeof searchTransfers>) {
  const wallet = await walletAt(ctx, merchant, query.sourceAccountNumber, 'sourceAccountNumber')
  const cut = cutOf(query)
  const filter = {
    from: momentOrNull('startDate', query.startDate, MOMENT_FORMS),
    to: momentOrNull('endDate', query.endDate, MOMENT_FORMS),
    least: query.amountFrom === undefined ? null : parseNaira(query.amountFrom),
    most: query.amountTo === undefined ? null : parseNaira(query.amountTo),
  }
  const { rows, total } = await readAs(ctx, merchant.cell, merchant.id, (r) =>
    wallet.id === null
      ? sql.search(r, merchant.id, filter, cut)
      : sql.searchWallet(r, merchant.id, wallet.id, filter, cut),
  )
  return toPage(rows.map(presentListed), cut, total)
}

export async function findBalance(
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof getWalletBalance>,
): Promise<ReplyOf<typeof getWalletBalance>> {
  const wallet = await walletAt(ctx, merchant, query.accountNumber, 'accountNumber')
  return readAs(ctx, merchant.cell, merchant.id, async (r) => ({
    ...(await readBalances(r, wallet)),
    receivable: nairaText(await owedBy(r, merchant.id)),
  }))
}

export const findBatch = (ctx: Ctx, merchant: Merchant, reference: string): Promise<ReplyOf<typeof getBatch>> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const batch = await batchOf(r, merchant.id, reference)
    const sums = await batchRows.sumByStatus(r, merchant.id, batch.id)
    const sumUp = (...statuses: string[]) => {
      const those = sums.filter(({ status }) => statuses.includes(status))
      return {
        count: those.reduce((total, one) => total + one.rows, 0),
        amount: nairaNumber(those.reduce((total, one) => total + one.kobo, 0n)),
      }
    }
    const [success, failed] = [sumUp('SUCCESS'), sumUp(...UNCHARGED)]
    const pending = sumUp('AWAITING_PROCESSING', 'PENDING', 'PENDING_BATCH_AUTHORIZATION')
    const fees = sums.reduce((total, one) => (isUncharged(one.status) ? total : total + one.fee_kobo), 0n)
    const { transactionBatchReference: _, ...totals } = presentBatch(batch, fees)
    return {
      title: batch.title,
      ...totals,
      failedCount: failed.count,
      successfulCount: success.count,
      pendingCount: pending.count,
      pendingAmount: pending.amount,
      failedAmount: failed.amount,
      successfulAmount: success.amount,
      dateCreated: offsetText(batch.created_at),
    }
  })

export async function searchBatches(
  ctx: Ctx,
  merchant: Merchant,
  query: QueryOf<typeof listBatches> & { sourceAccountNumber?: string },
) {
  const number = query.sourceAccountNumber
  const wallet = number === undefined ? null : await walletAt(ctx, merchant, number, 'sourceAccountNumber')
  const cut = cutOf(query)
  return readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const { rows, total } = await (wallet === null || wallet.id === null
      ? sql.listBatches(r, merchant.id, cut)
      : sql.listWalletBatches(r, merchant.id, wallet.accountNumber, cut))
    const ids = rows.map(({ id }) => id)
    const fees = await sql.sumFees(r, merchant.id, ids, UNCHARGED)
    return toPage(
      rows.map((row) => presentBatch(row, fees.get(row.id) ?? 0n)),
      cut,
      total,
    )
  })
}

export const listRows = (ctx: Ctx, merchant: Merchant, reference: string, query: QueryOf<typeof listBatchRows>) =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const batch = await batchOf(r, merchant.id, reference)
    const cut = cutOf(query)
    const rows = await sql.listRows(r, merchant.id, batch.id, cut)
    return toPage(rows.map(presentListed), cut, batch.rows)
  })
