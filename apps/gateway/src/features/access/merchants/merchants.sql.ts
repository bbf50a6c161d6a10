import { insertInto } from '#core/insert-into.ts'
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

// A wallet's number is reserved in the list from which payments get theirs. The merchant's id stands where a
// transaction's would: ids are never given twice, so it leads to none.
const TAKE_NUMBER: Statement = {
  name: 'merchants_take_wallet_number',
  text: `insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at, connector)
    values ($2, $3, $1, $1, $4, 'infinity', $5::smallint)`,
}
export async function insert(t: Tx, row: NewMerchantRow): Promise<void> {
  await insertInto('merchants', t, {
    id: row.id,
    name: row.name,
    email: row.email,
    api_key: row.apiKey,
    secret_sealed: row.secretSealed,
    secret_digest: row.secretDigest,
    allowed_addresses: row.allowedAddresses,
    people_addresses: [],
    requests_per_second: row.requestsPerSecond,
    wallet_number: row.walletNumber,
    wallet_bank_code: row.walletBankCode,
    transfer_otp: row.transferOtp,
    created_at: t.now,
    new_sub_account_wait_hours: row.newSubAccountWaitHours ?? NEW_SUB_ACCOUNT_WAIT_HOURS,
  })
  await insertInto('contracts', t, { code: row.contractCode, merchant_id: row.id, name: `${row.name}, default` })
  const { walletNumber, walletBankCode, walletConnector = FIRST_CONNECTOR_ID } = row
  await t.query(TAKE_NUMBER, [row.id, walletNumber, walletBankCode, t.now, walletConnector])
  await insertInto('fee_schedules', t, {
    id: row.feeScheduleId,
    merchant_id: row.id,
    basis_points: row.feeBasisPoints,
    cap_kobo: row.feeCapKobo,
    valid_from: t.now,
    created_at: t.now,
  })
}

export const insertJoined = (t: Tx, id: bigint, { name, email }: { name: string; email: string }): Promise<unknown> =>
  insertInto('merchant_files', t, {
    id,
    merchant_id: id,
    status: 'LIVE',
    name,
    email,
    created_by: 'joining',
    created_at: t.now,
  })

/** False: the code is somebody's. */
export const addContract = async (t: Tx, merchantId: bigint, code: string, name: string): Promise<boolean> =>
  (await insertInto('contracts', t, { code, merchant_id: merchantId, name }, 'on conflict do nothing returning code'))
    .length === 1

const CONTRACTS: Statement = {
  name: 'contracts_of_merchant',
  text: 'select code, name from contracts where merchant_id = $1 order by code limit 1000',
}
export const listContracts = (read: Read, merchantId: bigint): Promise<Pick<Rows['contracts'], 'code' | 'name'>[]> =>
  read.query(CONTRACTS, [merchantId])
