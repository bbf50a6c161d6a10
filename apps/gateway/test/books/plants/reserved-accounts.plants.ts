// Faults for the invariants of reserved accounts, and accounts for them to be planted in.

import { reserve } from '../../features/collections/reserved-accounts.ts'
import type { Harness } from '../../kit/harness.ts'
import { initialise, paid } from '../../kit/harness.ts'

export type ReservedScene = {
  /** An account with four numbers, restricted, that has taken a transfer. */
  account: bigint
  reservedReference: string
  /** A number issued for a payment. */
  issued: string
  /** A transaction of another merchant. */
  foreign: bigint
}

export async function reservedScene(h: Harness): Promise<ReservedScene> {
  const { main, other } = h.merchants
  const made = await reserve(h, main, {
    restrictPaymentSource: true,
    allowedPaymentSource: { bvns: ['22222222224'], accountNames: ['KEMI BALOGUN'] },
  })
  await h.pay(made.accounts[0].accountNumber, 500, { senderAccountName: 'KEMI BALOGUN' })
  const { accountNumber } = await paid(h, main)
  const theirs = await initialise(h, other)
  const id = async (text: string, value: string) => BigInt((await h.sql('01', text, [value]))[0].id)
  return {
    account: await id('select id from reserved_accounts where reference = $1', made.accountReference),
    reservedReference: made.accountReference,
    issued: accountNumber,
    foreign: await id('select id from transactions where reference = $1', theirs.transactionReference),
  }
}

const account = (set: string) => (s: ReservedScene) => `update reserved_accounts set ${set} where id = ${s.account}`
const numbers = (set: string) => (s: ReservedScene) =>
  `update virtual_accounts set ${set} where reserved_id = ${s.account}`

export const RESERVED_PLANTS: Readonly<
  Record<string, readonly (readonly [what: string, sql: (scene: ReservedScene) => string])[]>
> = {
  'a reserved account has a number, at each issuing bank one at most, and for ever': [
    ['none', (s) => `delete from virtual_accounts where reserved_id = ${s.account}`],
    [
      'two at a bank',
      (s) => `insert into virtual_accounts (account_number, bank_code, merchant_id, reserved_id, opened_at, expires_at)
        select left(account_number, 9) || (right(account_number, 1)::int + 1) % 10, bank_code, merchant_id, reserved_id, opened_at, expires_at
        from virtual_accounts where reserved_id = ${s.account} and bank_code = '035'`,
    ],
    ['one will be given again', numbers(`expires_at = '2030-01-01'`)],
    ['at a bank that issues none', (s) => `${numbers(`bank_code = '044'`)(s)} and bank_code = '058'`],
  ],
  'numbers of accounts and numbers of payments have their own ranges': [
    [
      'an account has one of payments',
      numbers(`account_number = left(account_number, 2) || '0' || substr(account_number, 4)`),
    ],
    [
      'a payment has one of accounts',
      (s) =>
        `update virtual_accounts set account_number = left(account_number, 2) || '9' || substr(account_number, 4) where account_number = '${s.issued}'`,
    ],
    ['of another cell', numbers(`account_number = '02' || substr(account_number, 3)`)],
  ],
  'a credit to a reserved account names one of the same merchant': [
    ['it names none', account(`reference = reference || 'x'`)],
    [
      'of another merchant',
      (s) => `update transactions set merchant_id = (select merchant_id from transactions where id = ${s.foreign})
        where product_reference = '${s.reservedReference}'`,
    ],
  ],
  'a reserved account is attached to a transaction of the same merchant': [
    ['to that of another', (s) => account(`type = 'INVOICE', invoice_id = ${s.foreign}`)(s)],
    ['to none', account(`type = 'INVOICE', invoice_id = 1`)],
  ],
  'of a person rest four digits, a digest and what is sealed': [
    ['the whole number', account(`bvn_tail = '22222222222'`)],
    ['the number for a digest', account(`bvn_digest = '22222222222'`)],
    ['it is not sealed', account(`bvn_sealed = '22222222222'`)],
    ['nor is a nin', account(`nin_sealed = '2', nin_digest = bvn_digest, nin_tail = '2222'`)],
    ['allowed ones without what is sealed', account('allowed_bvns_sealed = null')],
    ['allowed ones in clear', account(`allowed_bvns_sealed = '["22222222224"]'`)],
    ['an allowed one for a digest', account(`allowed_bvns = array['22222222224'::bytea]`)],
  ],
  'an account that is restricted allows somebody': [
    ['nobody', account(`allowed_bvns = '{}', allowed_bvns_sealed = null, allowed_names = '{}'`)],
  ],
}
