// The statement of a wallet: every movement, with the balance before and after it. The lines are written with
// the postings (core/ledger/ledger.ts); here they are shown. What has left with its month is not in it any
// more.
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { pageAsked, toPage } from '@cowrie/contract/kit/paging'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { getWalletStatement, listMovements } from '@cowrie/contract/wallets/wallets'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import type { Ctx } from '#kit/ctx.ts'
import { type CellId, walletTransactionReference } from '#kit/ids.ts'
import { localDay, MOMENT_FORMS, momentOrNull } from '#kit/times.ts'
import { walletAt } from './holders.ts'
import * as sql from './statements.sql.ts'

type Page = ReplyOf<typeof listMovements>
type Shown = Page['content'][number]

/** What a movement is called, by the kind of its posting. */
const MESSAGES: Readonly<Record<string, string>> = {
  FUNDING: 'Opening balance',
  TOP_UP: 'Top-up',
  TOP_UP_REVERSAL: 'Top-up reversed by the bank',
  PAYOUT_HOLD: 'Transfer',
  PAYOUT_RELEASE: 'Transfer not paid, money returned',
  PAYOUT_REVERSAL: 'Transfer reversed by the bank',
  REFUND_HOLD: 'Refund',
  REFUND_RELEASE: 'Refund not paid, money returned',
  REFUND_REVERSAL: 'Refund reversed by the bank',
  SETTLEMENT: 'Settlement',
  CORRECTION: 'Corrected: a difference with the bank',
  CORRECTION_UNDO: 'A correction was undone',
  SUSPENSE_REASSIGN: 'Received, and assigned to this wallet',
  SUSPENSE_REASSIGN_REVERSAL: 'Assigned to this wallet before, reversed by the bank',
  RECEIVABLE: 'Not in the wallet when money was taken back: owed',
  RECEIVABLE_COLLECTION: 'Collected: what you owe',
}
const messageOf = (kind: string | null): string =>
  kind === null
    ? 'Movement of an earlier month'
    : (MESSAGES[kind] ?? kind.charAt(0) + kind.slice(1).toLowerCase().replaceAll('_', ' '))

function shown(cell: CellId, line: sql.Line): Shown {
  const transactionType = line.kobo < 0n ? 'DEBIT' : 'CREDIT'
  const own = walletTransactionReference(cell, line.transfer_id)
  const message = messageOf(line.kind)
  return {
    walletTransactionReference: own,
    monnifyTransactionReference: `${line.reference ?? own}_${transactionType}_0`,
    availableBalanceBefore: nairaNumber(line.balance_kobo - line.kobo),
    availableBalanceAfter: nairaNumber(line.balance_kobo),
    amount: nairaNumber(line.kobo < 0n ? -line.kobo : line.kobo),
    transactionDate: line.at.toISOString(),
    transactionType,
    message,
    narration: line.narration ?? message,
    status: 'COMPLETED',
  }
}

type Time = { readonly from: Date | null; readonly to: Date | null }
const ALWAYS: Time = { from: null, to: null }
const dayStart = (at: Date): Date => new Date(`${localDay(at)}T00:00:00+01:00`)

/** Both ends belong to it: two moments, or two whole days. */
function timeOf({ startDate, endDate, enableTimeFilter }: QueryOf<typeof getWalletStatement>): Time {
  const [from, to] = [
    momentOrNull('startDate', startDate, MOMENT_FORMS),
    momentOrNull('endDate', endDate, MOMENT_FORMS),
  ]
  if (enableTimeFilter === 'true') return { from, to }
  return { from: from && dayStart(from), to: to && new Date(dayStart(to).getTime() + DAY_MS - 1) }
}

type Cut = { pageNo?: string; pageSize?: string }

async function page(ctx: Ctx, merchant: Merchant, accountNumber: string, time: Time, query: Cut): Promise<Page> {
  const wallet = await walletAt(ctx, merchant, accountNumber, 'accountNumber')
  const cut = pageAsked({
    ...(query.pageNo === undefined ? {} : { page: query.pageNo }),
    ...(query.pageSize === undefined ? {} : { size: query.pageSize }),
  })
  return readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const account = accountId(wallet.owner, 'WALLET')
    const { first, last } = await sql.findRange(r, merchant.id, account, time)
    const total = last < first ? 0 : Number(last - first) + 1
    if (cut.offset >= total) return toPage([], cut, total)
    const newest = last - BigInt(cut.offset)
    const oldest = newest - BigInt(cut.size) + 1n
    const lines = await sql.listLines(r, merchant.id, account, { first: oldest > first ? oldest : first, last: newest })
    return toPage(
      lines.map((line) => shown(merchant.cell, line)),
      cut,
      total,
    )
  })
}

export const movements = (ctx: Ctx, merchant: Merchant, query: QueryOf<typeof listMovements>): Promise<Page> =>
  page(ctx, merchant, query.accountNumber, ALWAYS, query)

export const statement = (
  ctx: Ctx,
  merchant: Merchant,
  accountNumber: string,
  query: QueryOf<typeof getWalletStatement>,
): Promise<Page> => page(ctx, merchant, accountNumber, timeOf(query), query)
