// Faults for the invariants of customers' wallets and of statements, and a wallet for them to be planted in.
import { expect } from 'vitest'
import { fundedWallet } from '../../features/collections/customer-wallets.ts'
import { newMerchant, sent } from '../../features/payouts/disbursements.ts'
import { advance, type Harness } from '../../kit/harness.ts'

export type WalletScene = {
  /** A wallet that was topped up and paid out of. */
  customerWallet: bigint
  /** A payout from it. */
  fromCustomer: bigint
}

export async function walletScene(h: Harness): Promise<WalletScene> {
  const merchant = await newMerchant(h)
  const { accountNumber: sourceAccountNumber } = await fundedWallet(h, merchant, 5_000)
  const { reference } = await sent(h, merchant, { sourceAccountNumber })
  const bearing = { feeBearer: 'CUSTOM', feeSourceAccountNumber: merchant.walletNumber }
  const { accountNumber: other } = await fundedWallet(h, merchant, 1_000, bearing)
  expect((await sent(h, merchant, { sourceAccountNumber: other })).status).toBe('SUCCESS')
  await advance(h, 1)
  const [wallet] = await h.sql('01', 'select id from customer_wallets where account_number = $1', [sourceAccountNumber])
  const [payout] = await h.sql('01', 'select id from disbursements where reference = $1', [reference])
  return { customerWallet: BigInt(wallet.id), fromCustomer: BigInt(payout.id) }
}

type Plant = readonly [what: string, sql: (scene: WalletScene) => string]
const wallet = (set: string) => (s: WalletScene) => `update customer_wallets set ${set} where id = ${s.customerWallet}`
const line = (set: string, number: number) => (s: WalletScene) =>
  `update wallet_movements set ${set} where account_id = ${s.customerWallet * 16n + 9n} and number = ${number}`
const account = (set: string) => (s: WalletScene) =>
  `update accounts set ${set} where id = ${s.customerWallet * 16n + 9n}`
const numbers = (set: string) => (s: WalletScene) =>
  `update virtual_accounts set ${set} where reserved_id = ${s.customerWallet}`
const without = (number: number) => (s: WalletScene) =>
  `delete from wallet_movements where account_id = ${s.customerWallet * 16n + 9n} and number = ${number}`

export const WALLET_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  'a wallet holds what the last line of its statement says': [
    ['the last line is gone', without(2)],
    ['it says a kobo more', line('balance_kobo = balance_kobo + 1', 2)],
    ['the wallet holds a kobo less', account('balance_kobo = balance_kobo - 1')],
    ['a line was not counted', account('movements = movements - 1')],
    ['another time', account(`moved_at = moved_at - interval '1 second'`)],
    ['another month', account('moved_id = moved_id + 1')],
  ],
  'lines of a statement follow each other, and each says what the wallet holds after it': [
    ['the first is gone', without(1)],
    ['a gap', line('number = 3', 2)],
    ['a kobo from nowhere', line('kobo = kobo + 1', 1)],
    ['another balance', line('balance_kobo = balance_kobo + 1', 1)],
    ['time goes back', line(`at = at - interval '1 year'`, 2)],
    ['a month goes back', line('line_id = 1', 2)],
  ],
  'every entry of a wallet is a line of its statement, once': [
    ['it has none', without(2)],
    ['of another amount', line('kobo = kobo - 1', 2)],
    ['of another merchant', line('merchant_id = merchant_id + 1', 2)],
    ['a line without an entry', line('transfer_id = 1', 2)],
    ['an entry is gone', (s) => `delete from entries where account_id = ${s.customerWallet * 16n + 9n}`],
  ],
  "a customer's wallet has its accounts, of the same merchant": [
    ['no hold', (s) => `delete from accounts where id = ${s.customerWallet * 16n + 10n}`],
    ['of another merchant', account('merchant_id = merchant_id + 1')],
    ['without a balance', account('balance_kobo = null')],
  ],
  "the numbers of a customer's wallet are two, and taken for ever": [
    ['another number', wallet(`top_up_number = '0000000000'`)],
    ['free one day', numbers('expires_at = opened_at')],
    ['of nobody', numbers('reserved_id = 1')],
  ],
  "of a wallet's customer rest four digits, a digest and what is sealed": [
    ['more digits', wallet(`bvn_tail = '22222'`)],
    ['in clear', wallet(`bvn_sealed = '22222222222'`)],
    ['no digest', wallet(`bvn_digest = ''`)],
  ],
  "a payout from a customer's wallet names it and its number, and who bears its fees": [
    ['no such wallet', (s) => `update disbursements set wallet_id = 1 where id = ${s.fromCustomer}`],
    ["called the merchant's own", (s) => `update disbursements set wallet_id = null where id = ${s.fromCustomer}`],
    ['another number', (s) => `update disbursements set source_account = '0000000000' where id = ${s.fromCustomer}`],
    ['another bearer', (s) => `update disbursements set fee_owner = merchant_id where id = ${s.fromCustomer}`],
  ],
}
