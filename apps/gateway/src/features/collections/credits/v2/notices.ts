// Notices of version 2 of the connector protocol become those of version 1, which everything behind them
// reads. What the bank does not say is empty: an empty or masked account is nobody's that a merchant barred
// or allowed, and no refund goes there.
import type { CreditNotice, ReversalNotice } from '@cowrie/contract/bank/connector'
import type { CreditNoticeV2, ReversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { findCell, firstCell } from '#core/cells/cells.ts'
import { cellsOfNumbers } from '#core/routing/stock.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'

export const asNotice = ({ reference, ...said }: CreditNoticeV2): CreditNotice => ({
  ...said,
  sessionId: reference,
  senderName: said.senderName ?? '',
  senderAccountNumber: (said.senderAccountNumber ?? '').replaceAll(/x/gi, '*'),
  senderBankCode: said.senderBankCode ?? '',
})

export const asReversal = ({ reference, reversalReference, ...said }: ReversalNoticeV2): ReversalNotice => ({
  ...said,
  sessionId: reference,
  reversalSessionId: reversalReference,
})

/** The cell that takes money: the one that was given the number, by its range or from the stock of a bank, or
 *  the first for a number of no range, where it is held in suspense. Ranges and cells are added while notices
 *  may still be repeated, so a cell that has this money already keeps it: counted twice, in two cells, no key
 *  would show it. */
export async function cellForMoney(
  ctx: Ctx,
  /** The name of the connector that speaks. */
  from: string,
  account: { readonly bankCode: string; readonly accountNumber: string },
  has: (cell: CellId) => Promise<boolean>,
): Promise<CellId> {
  const first = firstCell(ctx)
  const given = await cellGiven(ctx, from, account)
  if (given === first) return first
  // Only the first takes strays, so one more look is enough for a number that was given out since.
  const others = given === null ? [...ctx.cells.keys()] : [first]
  for (const id of others) if (await has(id)) return id
  return given ?? first
}

/** Ranges are of the first connector's numbers: a number that another bank issues may look like one of
 *  them. */
async function cellGiven(
  ctx: Ctx,
  from: string,
  account: { readonly bankCode: string; readonly accountNumber: string },
): Promise<CellId | null> {
  const [first] = ctx.connectors.all
  if (from === first.name && !first.issues())
    return findCell(ctx, await ctx.ranges.cellOf(account.bankCode, account.accountNumber))?.id ?? null
  return (await cellsOfNumbers(ctx, [account]))[0] ?? null
}
