// A customer's wallet is made: its row with its two numbers, and its accounts in the ledger.
import type { SealedTable } from '#core/keys/reseal.ts'
import { accountId, CUSTOMER_KINDS } from '#core/ledger/chart.ts'
import { openAccounts } from '#core/ledger/ledger.ts'
import type { Tx } from '#kit/ctx.ts'
import * as sql from './customers.sql.ts'

export type { CustomerWalletRow } from './customers.sql.ts'

/** False when the reference is taken: then nothing is written. `connector`: whose bank has its numbers. */
export async function openCustomerWallet(
  t: Tx,
  row: sql.CustomerWalletRow,
  bvn: sql.KeptBvn,
  connector: number,
): Promise<boolean> {
  if (!(await sql.insert(t, row, bvn, connector))) return false
  await openAccounts(
    t,
    CUSTOMER_KINDS.map((kind) => ({ id: accountId(row.id, kind), merchantId: row.merchant_id, kind })),
  )
  return true
}

/** Where the identities of customers are kept; whoever seals them says with what. */
export const sealedIdentities = (bvn: SealedTable['columns'][string]): SealedTable => ({
  table: 'customer_wallets',
  key: { id: 'bigint' },
  needs: ['merchant_id', 'reference'],
  columns: { bvn_sealed: bvn },
})
