// Before a settlement pays, what the merchant owes for reversed money is collected
// (features/wallets/receivables): a line below zero of the same settlement, so that its statement says why it
// pays less. What a sub account is paid less is bounded by what the merchant owes for that sub account. And
// an account that a run finds below zero is covered by the merchant.
import { accountId, isOfKind } from '#core/ledger/chart.ts'
import { balances, lockWallets } from '#core/ledger/ledger.ts'
import { type Change, carried, cover, findOpen, record, toOwing } from '#features/wallets/receivables/receivables.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { insertLines, type OwedRow } from './lines/lines.sql.ts'
import type { Payee } from './settlements.sql.ts'

const isShare = ({ account_id }: OwedRow): boolean => isOfKind(account_id, 'SHARE')

/** Whether anything of what is to be paid has changed by it. The caller holds the chains of the merchants. */
export async function collectOwed(
  ctx: Ctx,
  t: Tx,
  rows: readonly OwedRow[],
  payees: ReadonlyMap<bigint, Payee>,
): Promise<boolean> {
  const ids = [...new Set(rows.map((row) => row.merchant_id))]
  const open = ids.length > 0 ? await findOpen(t, ids) : new Set<bigint>()
  const short = new Set(rows.filter((row) => row.kobo < 0n).map((row) => row.merchant_id))
  const some = ids.filter((id) => open.has(id) || short.has(id))
  if (some.length === 0) return false
  // All that this transaction will touch, at once and in the order in which everybody locks.
  const kinds = ['WALLET', 'CLEARING', 'RECEIVABLE'] as const
  await lockWallets(
    t,
    ids.flatMap((id) => kinds.map((kind) => accountId(id, kind))),
  )
  for (const id of some) {
    const merchant = payees.get(id) ?? fail('INTERNAL', {}, `merchant ${id} not found`)
    const own = rows.filter((row) => row.merchant_id === id)
    const below = own.filter((row) => row.kobo < 0n).map((row) => row.account_id)
    if (below.length > 0) await cover(ctx, t, merchant, below, null)
    await collectFrom(ctx, t, merchant, own)
  }
  return true
}

/** The shares that the merchant answers for first, then its own money, then what its wallet holds. */
async function collectFrom(ctx: Ctx, t: Tx, merchant: Payee, rows: readonly OwedRow[]): Promise<void> {
  const wallet = accountId(merchant.id, 'WALLET')
  const owing = toOwing(await lockWallets(t, [wallet, accountId(merchant.id, 'RECEIVABLE')]), merchant.id)
  const accounts = rows.map((row) => row.account_id)
  const [held, answered] = [await balances(t, accounts), await carried(t, accounts)]
  const sources = [
    ...rows.filter(isShare).map((row) => ({ ...row, most: answered.get(row.account_id) ?? 0n })),
    ...rows.filter((row) => !isShare(row)).map((row) => ({ ...row, most: row.kobo })),
  ].map(({ account_id, kobo, most }) => ({ account: account_id, most: [kobo, most, held(account_id)] }))
  let left = owing.owed
  const changes: Change[] = []
  for (const { account, most } of [...sources, { account: wallet, most: [owing.wallet] }]) {
    const kobo = [left, ...most].reduce((a, b) => (a < b ? a : b))
    if (kobo <= 0n) continue
    left -= kobo
    changes.push({ account, kobo: -kobo, reversalReference: null })
  }
  const moves = await record(ctx, t, merchant, owing, changes)
  await insertLines(
    t,
    moves.filter((move) => move.account !== wallet).map((move) => move.id),
  )
}
