// The invariants of transactions: their states and times, and the account numbers that lead to them.
import { EXPIRE_TRANSACTION } from '@cowrie/contract/kit/timers'
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'
import type { LostTimers } from '#core/books/sweeper.ts'
import { isHere } from '#core/cells/departed.ts'

/** The amount, and the fee where the payer bears it. */
const PAYABLE = '(kobo + coalesce(quoted_fee_kobo, 0))'

const INVARIANTS: Readonly<Record<string, string>> = {
  'status fits the amounts': `
    select id from transactions
    where (status = 'PAID' and abs(paid_kobo - ${PAYABLE}) > least(tolerance_kobo, kobo / 10))
      or (status = 'OVERPAID' and paid_kobo <= ${PAYABLE})
      or (status = 'PARTIALLY_PAID' and not (paid_kobo > 0 and paid_kobo < ${PAYABLE}))
      or (status in ('PENDING', 'EXPIRED', 'FAILED', 'CANCELLED') and paid_kobo <> 0)`,
  'a transaction takes money until it is closed': `
    select id from transactions
    where case status
      when 'PENDING' then closed_at is not null
      when 'PARTIALLY_PAID' then false
      else closed_at is null
    end`,
  'a waiting transaction has its timer': `
    select t.id from transactions t
    where (t.status = 'PENDING' or (t.status = 'PARTIALLY_PAID' and t.closed_at is null))
      and t.product_type is distinct from 'DIRECT_DEBIT'
      and not exists (select from agenda a where a.kind = '${EXPIRE_TRANSACTION}' and a.subject = t.id)`,
  'a transaction holds its payment reference': `
    select t.id from transactions t
    left join payment_references p
      on p.merchant_id = t.merchant_id and p.payment_reference = t.payment_reference
    where p.transaction_id is distinct from t.id`,
  'a payment reference names a transaction of its merchant': `
    select p.merchant_id, p.payment_reference from payment_references p
    left join transactions t on t.id = p.transaction_id and t.merchant_id = p.merchant_id
    where t.payment_reference is distinct from p.payment_reference
      and ${isHere('p.transaction_id')}`,
  'an account number leads to a transaction or a reserved account of the same merchant': `
    select v.account_number from virtual_accounts v
    left join transactions t on t.id = v.transaction_id and t.merchant_id = v.merchant_id
    left join merchants m
      on (m.id, m.id, m.wallet_number, m.wallet_bank_code)
        = (v.transaction_id, v.merchant_id, v.account_number, v.bank_code)
    left join reserved_accounts r on r.id = v.reserved_id and r.merchant_id = v.merchant_id
    left join customer_wallets w
      on (w.id, w.merchant_id, w.bank_code) = (v.reserved_id, v.merchant_id, v.bank_code)
        and v.account_number in (w.account_number, w.top_up_number)
    where t.id is null and m.id is null and r.id is null and w.id is null and ${isHere('v.transaction_id')}`,
}

export const transactionBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'status fits the amounts': by('transactions', 'id'),
    'a transaction takes money until it is closed': by('transactions', 'id'),
    'a transaction holds its payment reference': by('transactions', 'id'),
    'a payment reference names a transaction of its merchant': by(
      'payment_references',
      'merchant_id',
      'payment_reference',
    ),
    'an account number leads to a transaction or a reserved account of the same merchant': by(
      'virtual_accounts',
      'account_number',
      'bank_code',
    ),
  },
}

export const transactionTimers: LostTimers = {
  [EXPIRE_TRANSACTION]: {
    due: 'o.expires_at',
    where: `o.product_type is distinct from 'DIRECT_DEBIT' and o.closed_at is null`,
  },
}
