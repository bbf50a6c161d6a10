import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

const NEW_SUB_ACCOUNT_WAIT_HOURS = 24

export type NewMerchantRow = {
  readonly id: bigint
  readonly name: string
  readonly email: string
  readonly apiKey: string
  readonly secretSealed: string
  readonly secretDigest: Buffer
  readonly allowedAddresses: readonly string[]
  readonly requestsPerSecond: number
  readonly walletNumber: string
  readonly walletBankCode: string
  /** Whose bank has the number of the wallet; the first connector's if not given. */
  readonly walletConnector?: number
  readonly transferOtp: boolean
  /** What a new sub account earned is settled to it not before; 24 if not given. */
  readonly newSubAccountWaitHours?: number
  readonly contractCode: string
  readonly feeScheduleId: bigint
  readonly feeBasisPoints: bigint
  readonly feeCapKobo: bigint
}

const INSERT: Statement = {
  name: 'merchants_insert',
  text: `insert into merchants (id, name, email, api_key, secret_sealed, secret_digest, allowed_addresses, requests_per_second,
    wallet_number, wallet_bank_code, transfer_otp, created_at, new_sub_account_wait_hours)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
}
const INSERT_CONTRACT: Statement = {
  name: 'contracts_insert',
  text: 'insert into contracts (code, merchant_id, name) values ($1, $2, $3)',
}
const INSERT_FEES: Statement = {
  name: 'fee_schedules_insert',
  text: 'insert into fee_schedules (id, merchant_id, basis_points, cap_kobo, valid_from, created_at) values ($1, $2, $3, $4, $5, $5)',
}

// A wallet's number is reserved in the list from which payments get theirs. The merchant's id stands where a
// transaction's would: ids are never given twice, so it leads to none.
const TAKE_NUMBER: Statement = {
  name: 'merchants_take_wallet_number',
  text: `insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at, connector)
    values ($2, $3, $1, $1, $4, 'infinity', $5::smallint)`,
}
export async function insert(t: Tx, row: NewMerchantRow): Promise<void> {
  await t.query(INSERT, [
    row.id,
    row.name,
    row.email,
    row.apiKey,
    row.secretSealed,
    row.secretDigest,
    row.allowedAddresses,
    row.requestsPerSecond,
    row.walletNumber,
    row.walletBankCode,
    row.transferOtp,
    t.now,
    row.newSubAccountWaitHours ?? NEW_SUB_ACCOUNT_WAIT_HOURS,
  ])
  await t.query(INSERT_CONTRACT, [row.contractCode, row.id, `${row.name}, default`])
  const { walletNumber, walletBankCode, walletConnector = FIRST_CONNECTOR_ID } = row
  await t.query(TAKE_NUMBER, [row.id, walletNumber, walletBankCode, t.now, walletConnector])
  await t.query(INSERT_FEES, [row.feeScheduleId, row.id, row.feeBasisPoints, row.feeCapKobo, t.now])
}

const INSERT_JOINED: Statement = {
  name: 'merchant_files_insert_joined',
  text: `insert into merchant_files (id, merchant_id, status, name, email, created_by, created_at)
    values ($1, $1, 'LIVE', $2, $3, 'joining', $4)`,
}
export const insertJoined = (t: Tx, id: bigint, { name, email }: { name: string; email: string }): Promise<unknown> =>
  t.query(INSERT_JOINED, [id, name, email, t.now])

const ADD_CONTRACT: Statement = {
  name: 'contracts_add',
  text: 'insert into contracts (code, merchant_id, name) values ($1, $2, $3) on conflict do nothing returning code',
}
/** False: the code is somebody's. */
export const addContract = async (t: Tx, merchantId: bigint, code: string, name: string): Promise<boolean> =>
  (await t.query(ADD_CONTRACT, [code, merchantId, name])).length === 1

const CONTRACTS: Statement = {
  name: 'contracts_of_merchant',
  text: 'select code, name from contracts where merchant_id = $1 order by code limit 1000',
}
export const contractsOf = (read: Read, merchantId: bigint): Promise<Pick<Rows['contracts'], 'code' | 'name'>[]> =>
  read.query(CONTRACTS, [merchantId])
