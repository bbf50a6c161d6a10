// Top-ups: somebody transfers to the number of a merchant's own wallet, and what is in it can be paid out at once.
// Books: bank → wallet (TOP_UP), once per session of the bank: the session is the key of the credit's row, in the same commit.
import type { CreditNotice } from '@cowrie/contract/bank/connector'
import type { Merchant, Merchants } from '../../core/access/merchants.ts'
import { cellOf, engineTx, readAll } from '../../core/cells/cells.ts'
import { announce } from '../../core/events.ts'
import { accountId, HOUSE } from '../../core/ledger/chart.ts'
import { lockWallets, type Posting, post } from '../../core/ledger/ledger.ts'
import type { Ctx, Tx } from '../../kit/ctx.ts'
import type { CellId } from '../../kit/ids.ts'
import { walletAndReceivable } from '../receivables/gate.ts'
import { collectFromWallet, owingOf, record } from '../receivables/receivables.ts'
import { activityOf } from '../wallets/wallets.ts'
import * as sql from './top-ups.sql.ts'

/** The merchant whose wallet has a number, if one has. */
export async function findWalletHolder(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  { accountNumber, bankCode }: { accountNumber: string; bankCode: string },
): Promise<Merchant | null> {
  const id = await readAll(ctx, cell, (r) => sql.findWallet(r, accountNumber, bankCode))
  return id === null ? null : await merchants.must(cell, id)
}

/** Takes one notice for a wallet, once and for all. */
export async function topUp(
  ctx: Ctx,
  merchant: Merchant,
  notice: CreditNotice,
  kobo: bigint,
): Promise<'COUNTED' | 'REPEATED'> {
  const [transferId, eventId] = (await cellOf(ctx, merchant.cell).takeIds(2)) as [bigint, bigint]
  const fresh = await engineTx(ctx, merchant.cell, async (t) => {
    if (!(await sql.insert(t, merchant.id, transferId, notice, kobo))) return false
    const { wallet: before, owed } = owingOf(await lockWallets(t, walletAndReceivable(merchant.id)), merchant.id)
    await post(t, [topUpPosting(merchant.id, transferId, kobo)])
    const movement = {
      id: eventId,
      objectId: transferId,
      version: 1,
      reference: notice.sessionId,
      narration: notice.narration ?? 'Top-up',
      before,
      after: before + kobo,
    }
    const source = {
      accountName: notice.senderName,
      accountNumber: notice.senderAccountNumber,
      bankCode: notice.senderBankCode,
    }
    await announce(t, activityOf(merchant, movement, t.now, source))
    await collectFromWallet(ctx, t, merchant, { wallet: before + kobo, owed })
    return true
  })
  return fresh ? 'COUNTED' : 'REPEATED'
}

/** The bank has reversed a top-up. What the wallet does not hold is owed; the caller holds the merchant's chain of settlements. */
export async function reverseTopUp(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  taken: { readonly transferId: bigint; readonly kobo: bigint; readonly reference: string; readonly reason: string },
): Promise<void> {
  const [eventId] = (await cellOf(ctx, merchant.cell).takeIds(1)) as [bigint]
  const wallet = accountId(merchant.id, 'WALLET')
  const owing = owingOf(await lockWallets(t, walletAndReceivable(merchant.id)), merchant.id)
  const { transferId, kobo, reference } = taken
  const before = owing.wallet
  const short = kobo - before
  if (short > 0n)
    await record(ctx, t, merchant, owing, [{ account: wallet, kobo: short, reversalReference: reference }])
  await post(t, [{ ...topUpPosting(merchant.id, transferId, -kobo), kind: 'TOP_UP_REVERSAL' }])
  if (before === 0n) return
  const after = short > 0n ? 0n : before - kobo
  const movement = { id: eventId, objectId: transferId, version: 1, before, after }
  await announce(t, activityOf(merchant, { ...movement, reference, narration: `Reversed: ${taken.reason}` }, t.now))
}

/** The credit has no number of its own but the bank's thirty digits: its posting names it. */
const topUpPosting = (merchantId: bigint, transferId: bigint, kobo: bigint): Posting => ({
  id: transferId,
  merchantId,
  kind: 'TOP_UP',
  object: 'wallet_credit',
  objectId: transferId,
  entries: [
    { account: accountId(HOUSE, 'BANK'), kobo: -kobo },
    { account: accountId(merchantId, 'WALLET'), kobo },
  ],
})
