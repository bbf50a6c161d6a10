// The invariants of customers' wallets: their accounts, their numbers, and what is stored of a person.
import type { Books } from '#core/books/invariants.ts'
import { accountIn } from '#core/ledger/chart.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  "a customer's wallet has its accounts, of the same merchant": `
    select w.id from customer_wallets w
    where 2 <> (
      select count(*) from accounts a
      where a.id in (${accountIn('w.id', 'WALLET')}, ${accountIn('w.id', 'PAYOUT_HOLD')})
        and a.merchant_id = w.merchant_id
        and a.balance_kobo is not null
    )`,
  "the numbers of a customer's wallet are two, and taken for ever": `
    select w.id from customer_wallets w
    where 2 <> (
      select count(*) from virtual_accounts v
      where v.reserved_id = w.id
        and (v.merchant_id, v.bank_code, v.expires_at) = (w.merchant_id, w.bank_code, 'infinity')
        and v.account_number in (w.account_number, w.top_up_number)
    )
      or w.account_number = w.top_up_number`,
  "of a wallet's customer rest four digits, a digest and what is sealed": `
    select w.id from customer_wallets w
    where not (w.bvn_tail ~ '^[0-9]{4}$' and octet_length(w.bvn_digest) = 32 and w.bvn_sealed like 'v1.%')`,
}

export const customerWalletBooks: Books = { invariants: INVARIANTS }
