// Notices of version 2 of the connector protocol become those of version 1, which everything behind them reads. What the bank does not
// say is empty: an empty or masked account is nobody's that a merchant barred or allowed, and no refund goes there.
import type { CreditNotice, ReversalNotice } from '@cowrie/contract/bank/connector'
import type { CreditNoticeV2, ReversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { findCell, firstCell } from '../../../core/cells/cells.ts'
import type { Ctx } from '../../../kit/ctx.ts'
import type { CellId } from '../../../kit/ids.ts'

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

/** The cell that takes money: the one whose range has the number, or the first for a number of no range, where it is held in suspense.
 *  Ranges and cells are added while notices may still be repeated, so a cell that has this money already keeps it: counted twice, in two
 *  cells, no key would show it. */
export async function cellForMoney(
  ctx: Ctx,
  account: { readonly bankCode: string; readonly accountNumber: string },
  has: (cell: CellId) => Promise<boolean>,
): Promise<CellId> {
  const first = firstCell(ctx)
  const ranged = findCell(ctx, await ctx.ranges.cellOf(account.bankCode, account.accountNumber))?.id ?? null
  if (ranged === first) return first
  // Only the first takes strays, so one more look is enough for a number that has a range now.
  const others = ranged === null ? [...ctx.cells.keys()] : [first]
  for (const id of others) if (await has(id)) return id
  return ranged ?? first
}
