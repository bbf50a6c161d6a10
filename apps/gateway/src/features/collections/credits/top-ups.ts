// Top-ups: somebody transfers to the number of a wallet, a merchant's own or a customer's, and what is in it
// can be paid out at once.
// Books: bank → wallet (TOP_UP), the bank that has the number, once per session of the bank: the session is
// the key of the credit's row, in the same commit.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { cellById, engineTx, readAll } from '#core/cells/cells.ts'
import { announce } from '#core/events.ts'
import { accountId, bankAccount } from '#core/ledger/chart.ts'
import { lockWallets, type Posting, post } from '#core/ledger/ledger.ts'
import { connectorOfMoney, referenceOfMoney } from '#core/routing/names.ts'
import { owedAmount, walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { collectFromWallet, takeBack } from '#features/wallets/receivables/receivables.ts'
import { type Numbered, ownWallet, receivingAt, toHolder, type Wallet } from '#features/wallets/wallets/holders.ts'
import { toActivity } from '#features/wallets/wallets/wallets.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './top-ups.sql.ts'

/** A wallet that money comes to, its merchant, and the name that a payer is shown. */
export type Receiver = { readonly merchant: Merchant; readonly wallet: Wallet; readonly name: string }

/** The wallet that has a number, if one has. */
export const findReceiver = (
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  account: Numbered,
): Promise<Receiver | null> => readAll(ctx, cell, (r) => receiverIn(r, merchants, cell, account))

export async function receiverIn(
  read: Read,
  merchants: Merchants,
  cell: CellId,
  account: Numbered,
): Promise<Receiver | null> {
  const found = await receivingAt(read, account)
  if (!found) return null
  const merchant = await merchants.must(cell, found.merchantId)
  return { merchant, wallet: found.customer ?? ownWallet(merchant), name: found.name }
}

const heldIn = (locked: ReadonlyMap<bigint, bigint>, account: bigint): bigint =>
  locked.get(account) ?? fail('INTERNAL', {}, `wallet ${account} not found`)

/** Takes one notice for a wallet, once and for all. */
export async function topUp(
  ctx: Ctx,
  { merchant, wallet }: Receiver,
  notice: CreditNotice,
  kobo: bigint,
): Promise<'COUNTED' | 'REPEATED'> {
  const [account, own] = [accountId(wallet.owner, 'WALLET'), wallet.id === null]
  const [transferId, eventId] = (await cellById(ctx, merchant.cell).takeIds(2)) as [bigint, bigint]
  const fresh = await engineTx(ctx, merchant.cell, async (t) => {
    if (!(await sql.insert(t, merchant.id, transferId, notice, kobo))) return false
    // A merchant's debt is collected from its own wallet, never from a customer's.
    const locked = await lockWallets(t, own ? walletAndReceivable(merchant.id) : [account])
    const before = heldIn(locked, account)
    await post(t, [topUpPosting(merchant.id, account, transferId, { kobo, name: notice.sessionId })])
    const movement = {
      id: eventId,
      objectId: transferId,
      version: 1,
      reference: referenceOfMoney(notice.sessionId),
      narration: notice.narration ?? 'Top-up',
      before,
      after: before + kobo,
    }
    const source = {
      accountName: notice.senderName,
      accountNumber: notice.senderAccountNumber,
      bankCode: notice.senderBankCode,
    }
    await announce(t, toActivity(toHolder(merchant, wallet), movement, t.now, source))
    if (own) await collectFromWallet(ctx, t, merchant, { wallet: before + kobo, owed: owedAmount(locked, merchant.id) })
    return true
  })
  return fresh ? 'COUNTED' : 'REPEATED'
}

/** The bank has reversed a top-up. */
export function reverseTopUp(
  ctx: Ctx,
  t: Tx,
  { merchant, wallet }: Receiver,
  taken: { readonly transferId: bigint; readonly kobo: bigint; readonly reference: string; readonly reason: string },
): Promise<void> {
  const { transferId, kobo, reference } = taken
  const money = { kobo: -kobo, name: reference }
  const posting = topUpPosting(merchant.id, accountId(wallet.owner, 'WALLET'), transferId, money)
  return takeBack(
    ctx,
    t,
    { merchant, wallet },
    {
      posting: { ...posting, kind: 'TOP_UP_REVERSAL' },
      reference: referenceOfMoney(reference),
      narration: `Reversed: ${taken.reason}`,
      reversalReference: reference,
    },
  )
}

/** The credit has no number of its own but the bank's reference: its posting names it. `name`: of the money,
 *  which says at which bank it is. */
const topUpPosting = (
  merchantId: bigint,
  account: bigint,
  transferId: bigint,
  { kobo, name }: { readonly kobo: bigint; readonly name: string },
): Posting => ({
  id: transferId,
  merchantId,
  kind: 'TOP_UP',
  object: 'wallet_credit',
  objectId: transferId,
  entries: [
    { account: bankAccount(connectorOfMoney(name)), kobo: -kobo },
    { account, kobo },
  ],
})
