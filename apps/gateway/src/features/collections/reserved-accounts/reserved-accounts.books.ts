// The invariants of reserved accounts: whose each number is, for ever; and what is stored of a person.
import type { Books } from '#core/books/invariants.ts'
import { isHere } from '#core/cells/departed.ts'

const IDENTITY = (kind: 'bvn' | 'nin') =>
  `(r.${kind}_tail ~ '^[0-9]{4}$' and octet_length(r.${kind}_digest) = 32 and r.${kind}_sealed like 'v1.%')`

const INVARIANTS: Readonly<Record<string, string>> = {
  'a reserved account has a number, at each issuing bank one at most, and for ever': `
    select r.id from reserved_accounts r
    cross join lateral (
      select count(*) as numbers, count(distinct v.bank_code) as banks,
        coalesce(bool_and(v.expires_at = 'infinity' and (
          exists (select from settings s where s.name = 'issuing_bank ' || v.bank_code)
          or exists (select from bank_numbers b where b.account_number = v.account_number and b.bank_code = v.bank_code and b.taken_at = 'infinity')
        )), false) as sound
      from virtual_accounts v
      where v.reserved_id = r.id
    ) v
    where v.numbers <> v.banks or not v.sound`,
  'numbers of accounts and numbers of payments have their own ranges': `
    select v.account_number from virtual_accounts v
    left join merchants m on m.id = v.transaction_id
    left join reserved_accounts r on r.id = v.reserved_id
    where m.id is null
      and not exists (
        select from bank_numbers n where n.account_number = v.account_number and n.bank_code = v.bank_code
      )
      and (
        (substr(v.account_number, 3, 7)::int >= 7000000) <> (v.reserved_id is not null)
        or left(v.account_number, 2) <> left(r.serial, 2)
      )`,
  'a credit to a reserved account names one of the same merchant': `
    select t.id from transactions t
    left join reserved_accounts r on (r.merchant_id, r.reference) = (t.merchant_id, t.product_reference)
    where t.product_type = 'RESERVED_ACCOUNT' and r.id is null`,
  'a reserved account is attached to a transaction of the same merchant': `
    select r.id from reserved_accounts r
    left join transactions t on (t.id, t.merchant_id) = (r.invoice_id, r.merchant_id)
    where r.invoice_id is not null and t.id is null and ${isHere('r.invoice_id')}`,
  'of a person rest four digits, a digest and what is sealed': `
    select r.id from reserved_accounts r
    where not coalesce(${IDENTITY('bvn')}, true)
      or not coalesce(${IDENTITY('nin')}, true)
      or (r.allowed_bvns = '{}') <> (r.allowed_bvns_sealed is null)
      or r.allowed_bvns_sealed not like 'v1.%'
      or exists (select from unnest(r.allowed_bvns) d where octet_length(d) <> 32)`,
  'an account that is restricted allows somebody': `
    select r.id from reserved_accounts r
    where r.restricted and r.allowed_bvns = '{}' and r.allowed_accounts = '[]' and r.allowed_names = '{}'`,
}

export const reservedAccountBooks: Books = { invariants: INVARIANTS }
