// The statements that find wallets by their numbers.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

export type CustomerWallet = Pick<
  Rows['customer_wallets'],
  'id' | 'merchant_id' | 'account_number' | 'bank_code' | 'name'
> & {
  /** Whose wallet bears its fees; null: itself. */
  fee_owner: Rows['customer_wallets']['fee_owner']
}
const COLUMNS = 'id, merchant_id, account_number, bank_code, name, fee_owner'

const FIND: Statement = {
  name: 'wallets_find',
  text: `select ${COLUMNS} from customer_wallets where merchant_id = $1 and account_number = $2`,
}
export const find = async (read: Read, merchantId: bigint, accountNumber: string): Promise<CustomerWallet | null> =>
  (await read.query<CustomerWallet>(FIND, [merchantId, accountNumber]))[0] ?? null

const BY_REFERENCE: Statement = {
  name: 'wallets_by_reference',
  text: `select ${COLUMNS} from customer_wallets where merchant_id = $1 and reference = $2`,
}
export const findByReference = async (
  read: Read,
  merchantId: bigint,
  reference: string,
): Promise<CustomerWallet | null> =>
  (await read.query<CustomerWallet>(BY_REFERENCE, [merchantId, reference]))[0] ?? null

const BY_ID: Statement = {
  name: 'wallets_by_id',
  text: `select ${COLUMNS} from customer_wallets where merchant_id = $1 and id = $2`,
}
export const findById = async (read: Read, merchantId: bigint, id: bigint): Promise<CustomerWallet | null> =>
  (await read.query<CustomerWallet>(BY_ID, [merchantId, id]))[0] ?? null

const RECEIVING: Statement = {
  name: 'wallets_receiving',
  text: `
-- all merchants: a notice of the bank names an account, not a merchant
select w.* from virtual_accounts v cross join lateral (
  select null::bigint as id, id as merchant_id, wallet_number as account_number, wallet_bank_code as bank_code, name, null::bigint as fee_owner
  from merchants where wallet_number = $1 and wallet_bank_code = $2
  union all
  select ${COLUMNS} from customer_wallets where (account_number = $1 or top_up_number = $1) and bank_code = $2
) w
where v.account_number = $1 and v.bank_code = $2 and v.connector = $3::smallint`,
}
/** The wallet that money for a number is for, where the bank of that connector has the number; without an id:
 *  a merchant's own. */
export const findReceiving = async (
  read: Read,
  { accountNumber, bankCode, connector }: { accountNumber: string; bankCode: string; connector: number },
): Promise<(Omit<CustomerWallet, 'id'> & { id: bigint | null }) | null> =>
  (
    await read.query<Omit<CustomerWallet, 'id'> & { id: bigint | null }>(RECEIVING, [
      accountNumber,
      bankCode,
      connector,
    ])
  )[0] ?? null

const BANKS: Statement = {
  name: 'wallets_banks',
  text: `
-- all merchants: of transfers that come to their ends together
select id, bank_code from customer_wallets where id = any($1::bigint[])`,
}
/** The bank of each of these customers' wallets. */
export const findBanks = async (read: Read, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> => {
  const rows = await read.query<Pick<Rows['customer_wallets'], 'id' | 'bank_code'>>(BANKS, [ids])
  return new Map(rows.map((row) => [row.id, row.bank_code]))
}
