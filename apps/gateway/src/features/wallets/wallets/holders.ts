// Whose wallet it is: a merchant's own, or that of one of its customers. A wallet owns its accounts in the
// ledger by its id, as a merchant does by its own, so whoever moves money needs the owner only. A merchant's
// own wallet is known without asking the database.
import { nairaText } from '@cowrie/contract/kit/money'
import type { Merchant } from '#core/access/merchants.ts'
import { readAs } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './holders.sql.ts'

export type Wallet = {
  /** Of a customer's wallet; null: the merchant's own. */
  readonly id: bigint | null
  /** Whose accounts in the ledger: the merchant's id, or that of the customer's wallet. */
  readonly owner: bigint
  /** Whose wallet bears the fees of its transfers. */
  readonly feeOwner: bigint
  readonly accountNumber: string
  readonly bankCode: string
}

export const ownWallet = ({ id, wallet }: Pick<Merchant, 'id' | 'wallet'>): Wallet => ({
  id: null,
  owner: id,
  feeOwner: id,
  accountNumber: wallet.accountNumber,
  bankCode: wallet.bankCode,
})
const walletOfRow = (row: sql.CustomerWallet): Wallet => ({
  id: row.id,
  owner: row.id,
  feeOwner: row.fee_owner ?? row.id,
  accountNumber: row.account_number,
  bankCode: row.bank_code,
})

/** The wallet of a merchant that has this number. Another merchant's answers like one that does not exist. */
export async function walletAt(ctx: Ctx, merchant: Merchant, accountNumber: string, field: string): Promise<Wallet> {
  if (accountNumber === merchant.wallet.accountNumber) return ownWallet(merchant)
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.find(r, merchant.id, accountNumber))
  return row ? walletOfRow(row) : fail('WALLET_NOT_YOURS', { field })
}

/** The wallet of a merchant that owns these accounts of the ledger. */
export async function walletOwnedBy(read: Read, merchant: Merchant, owner: bigint): Promise<Wallet> {
  if (owner === merchant.id) return ownWallet(merchant)
  const row = await sql.findById(read, merchant.id, owner)
  return row ? walletOfRow(row) : fail('INTERNAL', {}, `wallet ${owner} of merchant ${merchant.id} not found`)
}

export async function walletNamed(ctx: Ctx, merchant: Merchant, reference: string): Promise<Wallet> {
  const row = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.findByReference(r, merchant.id, reference))
  return row ? walletOfRow(row) : fail('WALLET_NOT_FOUND')
}

/** A number, and the connector that speaks of it: a bank has a say about its own numbers only. */
export type Numbered = { readonly accountNumber: string; readonly bankCode: string; readonly connector: number }

/** Whose wallet money for a number is for, in the name of which merchant. */
export async function receivingAt(
  read: Read,
  account: Numbered,
): Promise<{ readonly merchantId: bigint; readonly name: string; readonly customer: Wallet | null } | null> {
  const row = await sql.findReceiving(read, account)
  if (!row) return null
  const { id, merchant_id: merchantId, name } = row
  return { merchantId, name, customer: id === null ? null : walletOfRow({ ...row, id }) }
}

/** The banks of customers' wallets, by their ids. */
export const banksOfWallets = (read: Read, ids: readonly (bigint | null)[]): Promise<ReadonlyMap<bigint, string>> => {
  const known = [...new Set(ids.filter((id) => id !== null))]
  return known.length === 0 ? Promise.resolve(new Map()) : sql.findBanks(read, known)
}

/** In whose name a movement in a wallet is reported. The customer's name stays out of events. */
export const toHolder = (
  { id, name }: Pick<Merchant, 'id' | 'name'>,
  { accountNumber, bankCode }: Pick<Wallet, 'accountNumber' | 'bankCode'>,
) => ({ id, name, wallet: { accountNumber, bankCode } })

/** What can be paid out of a wallet, and what is in it with what is held for transfers under way. */
export async function readBalances(read: Read, { owner }: Wallet) {
  const available = await balance(read, accountId(owner, 'WALLET'))
  const held = await balance(read, accountId(owner, 'PAYOUT_HOLD'))
  return { availableBalance: nairaText(available), ledgerBalance: nairaText(available + held) }
}
