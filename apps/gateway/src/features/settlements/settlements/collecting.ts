// Before a settlement pays, what the merchant owes is collected (features/wallets/receivables): a line below
// zero of the same settlement, so that its statement says why it pays less. Shares of payments that were
// split while it owed are collected whole, or a split would lead money past what is owed; from older ones
// only what the merchant had to carry for that sub account. And an account that a run finds below zero is
// covered by the merchant.
import { accountId, isOfKind } from '#core/ledger/chart.ts'
import { balances, lockWallets } from '#core/ledger/ledger.ts'
import { type Change, carried, cover, findOpen, record, toOwing } from '#features/wallets/receivables/receivables.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { insertLines, laterShares, type OwedRow } from './lines/lines.sql.ts'
import type { Payee } from './settlements.sql.ts'

const isShare = ({ account_id }: OwedRow): boolean => isOfKind(account_id, 'SHARE')

/** Whether anything of what is to be paid has changed by it. The caller holds the chains of the merchants. */
export async function collectOwed(
  ctx: Ctx,
  t: Tx,
  rows: readonly OwedRow[],
  payees: ReadonlyMap<bigint, Payee>,
  due: readonly { readonly merchantId: bigint; readonly cutoff: Date }[],
): Promise<boolean> {
  const ids = [...new Set(rows.map((row) => row.merchant_id))]
  const open = ids.length > 0 ? await findOpen(t, ids) : new Map<bigint, Date>()
  const short = new Set(rows.filter((row) => row.kobo < 0n).map((row) => row.merchant_id))
  const some = ids.filter((id) => open.has(id) || short.has(id))
  if (some.length === 0) return false
  // All that this transaction will touch, at once and in the order in which everybody locks.
  const kinds = ['WALLET', 'CLEARING', 'RECEIVABLE'] as const
  await lockWallets(
    t,
    ids.flatMap((id) => kinds.map((kind) => accountId(id, kind))),
  )
  const later = await laterShares(
    t,
    due.flatMap(({ merchantId, cutoff }) => {
      const since = open.get(merchantId)
      return since ? [{ merchantId, cutoff, since }] : []
    }),
  )
  for (const id of some) {
    const merchant = payees.get(id) ?? fail('INTERNAL', {}, `merchant ${id} not found`)
    const own = rows.filter((row) => row.merchant_id === id)
    const below = own.filter((row) => row.kobo < 0n).map((row) => row.account_id)
    if (below.length > 0) await cover(ctx, t, merchant, below, null)
    await collectFrom(ctx, t, merchant, own, later)
  }
  return true
}

/** Shares first, of later payments and then what the merchant answers for; then its own money, and what its
 *  wallet holds. */
async function collectFrom(
  ctx: Ctx,
  t: Tx,
  merchant: Payee,
  rows: readonly OwedRow[],
  later: ReadonlyMap<bigint, bigint>,
): Promise<void> {
  const wallet = accountId(merchant.id, 'WALLET')
  const owing = toOwing(await lockWallets(t, [wallet, accountId(merchant.id, 'RECEIVABLE')]), merchant.id)
  const accounts = rows.map((row) => row.account_id)
  const [held, answered] = [await balances(t, accounts), await carried(t, accounts)]
  const [shares, others] = [rows.filter(isShare), rows.filter((row) => !isShare(row))]
  const sources = [
    ...shares.map(({ account_id: account }) => ({ account, most: later.get(account) ?? 0n, laterShare: true })),
    ...shares.map(({ account_id: account }) => ({ account, most: answered.get(account) ?? 0n })),
    ...others.map(({ account_id: account, kobo }) => ({ account, most: kobo })),
    { account: wallet, most: owing.wallet },
  ]
  // What each has left: what is due of it and in it.
  const has = new Map(rows.map(({ account_id: id, kobo }) => [id, least(kobo, held(id))]))
  let left = owing.owed
  const changes: Change[] = []
  for (const { account, most, ...which } of sources) {
    const kobo = least(left, most, has.get(account) ?? most)
    if (kobo <= 0n) continue
    left -= kobo
    has.set(account, (has.get(account) ?? most) - kobo)
    changes.push({ account, kobo: -kobo, reversalReference: null, ...which })
  }
  const moves = await record(ctx, t, merchant, owing, changes)
  await insertLines(
    t,
    moves.filter((move) => move.account !== wallet).map((move) => move.id),
  )
}

const least = (...all: readonly bigint[]): bigint => all.reduce((a, b) => (a < b ? a : b))
