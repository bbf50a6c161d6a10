// What two people give to a wallet: under its lock, reported to its merchant, and what the merchant owes is
// collected from it.
import type { Merchant } from '#core/access/merchants.ts'
import { cellById } from '#core/cells/cells.ts'
import { announce } from '#core/events.ts'
import { accountId } from '#core/ledger/chart.ts'
import { lockWallets, type Posting, post } from '#core/ledger/ledger.ts'
import { owedAmount, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { collectFromWallet } from '#features/wallets/receivables/receivables.ts'
import { toHolder, type Wallet } from '#features/wallets/wallets/holders.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

export type Holder = {
  readonly merchant: Merchant
  readonly wallet: Pick<Wallet, 'id' | 'owner' | 'accountNumber' | 'bankCode'>
}

export async function giveToWallet(
  ctx: Ctx,
  t: Tx,
  { merchant, wallet }: Holder,
  posting: Posting,
  words: { readonly reference: string; readonly narration: string },
): Promise<void> {
  const [eventId] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const account = accountId(wallet.owner, 'WALLET')
  const locked = await lockWallets(t, [...new Set([...walletAndReceivable(merchant.id), account])])
  const before = locked.get(account) ?? fail('INTERNAL', {}, `wallet ${account} not found`)
  await post(t, [posting])
  const after = posting.entries.reduce((sum, entry) => (entry.account === account ? sum + entry.kobo : sum), before)
  const movement = { id: eventId, objectId: posting.id, version: 1, before, after }
  await announce(t, toActivity(toHolder(merchant, wallet), { ...movement, ...words }, t.now))
  // A merchant's debt is collected from its own wallet, never from a customer's.
  if (wallet.id === null)
    await collectFromWallet(ctx, t, merchant, { wallet: after, owed: owedAmount(locked, merchant.id) })
}
