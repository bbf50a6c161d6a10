// A correction that was wrong is undone, once, by two people.
//   break RESOLVED by a correction → [approved] its mirror → OPEN, in one transaction
// Books: every entry of the correction with its sign turned (CORRECTION_UNDO). What had been given to a
// wallet is taken back, and what that does not hold is owed; what had been taken is given back. Who waits:
// the operator, for the break.
import type { Merchant } from '#core/access/merchants.ts'
import { keepApproval } from '#core/acts/approved.ts'
import { cellById } from '#core/cells/cells.ts'
import { accountOwner, isOfKind } from '#core/ledger/chart.ts'
import { type Entry, type Posting, post } from '#core/ledger/ledger.ts'
import { type BreakRow, findIn, reopen } from '#features/bank/breaks/breaks.ts'
import { takeBack } from '#features/wallets/receivables/receivables.ts'
import { ownWallet } from '#features/wallets/wallets/holders.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './corrections.sql.ts'
import { giveToWallet, type Holder } from './to-wallet.ts'

export type Undo = {
  readonly row: BreakRow
  readonly correctionId: bigint
  readonly merchantId: bigint
  readonly entries: readonly Entry[]
}

/** What undoing would post; refuses where there is nothing to undo. Writes nothing. */
export async function planUndo(read: Read, id: bigint): Promise<Undo> {
  const row = (await findIn(read, id)) ?? fail('BREAK_NOT_FOUND')
  if (row.status !== 'RESOLVED' || row.approval_id === null)
    return fail('WRONG_STATE', {}, `break ${id} was not ended by a correction`)
  const found =
    (await sql.findCorrection(read, row.approval_id)) ??
    fail('WRONG_STATE', {}, `what ended break ${id} went into suspense, or has left with its month`)
  const entries = found.accounts.map((account, at) => ({
    account: BigInt(account),
    kobo: -BigInt(found.amounts[at] ?? '0'),
  }))
  return { row, correctionId: found.id, merchantId: found.merchant_id, entries }
}

const NARRATION = 'A correction was undone'

/** Whose wallet an entry is about. */
async function holderOf(t: Tx, merchant: Merchant, account: bigint): Promise<Holder> {
  const owner = accountOwner(account)
  if (owner === merchant.id) return { merchant, wallet: ownWallet(merchant) }
  const { id, account_number, bank_code } =
    (await sql.findCustomerWallet(t, owner, merchant.id)) ?? fail('INTERNAL', {}, `wallet ${account} not found`)
  return { merchant, wallet: { id, owner: id, accountNumber: account_number, bankCode: bank_code } }
}

/** Once: the second of two finds the break open. `merchant` is the owner of the wallet, if one is touched. */
export async function undo(
  ctx: Ctx,
  t: Tx,
  { row, correctionId, merchantId, entries }: Undo,
  merchant: Merchant | null,
  approvalId: bigint,
): Promise<bigint> {
  if (!(await reopen(t, { id: row.id, merchantId: row.merchant_id })))
    fail('WRONG_STATE', {}, `the correction of break ${row.id} is undone already`)
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  await sql.insertUndone(t, {
    correction_id: correctionId,
    transfer_id: id,
    merchant_id: merchantId,
    break_id: row.id,
  })
  const posting: Posting = { id, merchantId, kind: 'CORRECTION_UNDO', object: 'recon_break', objectId: row.id, entries }
  const touched = entries.find(({ account }) => isOfKind(account, 'WALLET'))
  const words = { reference: row.session_id, narration: NARRATION }
  if (!touched) await post(t, [posting])
  else {
    const holder = await holderOf(
      t,
      merchant ?? fail('INTERNAL', {}, `merchant ${merchantId} not found`),
      touched.account,
    )
    const because = `What we had given to you by a correction (the bank's reference is ${row.session_id}) was not yours.`
    if (touched.kobo > 0n) await giveToWallet(ctx, t, holder, posting, words)
    else
      await takeBack(ctx, t, holder, {
        ...{ posting, ...words, reversalReference: null },
        correction: { breakId: row.id, because },
      })
  }
  await keepApproval(t, { transferId: id, merchantId, approvalId })
  return id
}
