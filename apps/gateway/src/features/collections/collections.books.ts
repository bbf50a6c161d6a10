// The invariants of money that comes in: transactions, credits, suspense, top-ups, account numbers.

export const COLLECTION_INVARIANTS: Readonly<Record<string, string>> = {
  'a paid transaction has exactly its money': `select t.id from transactions t where t.paid_kobo <> coalesce((select sum(c.kobo) from inbound_credits c
    where c.transaction_id = t.id and c.outcome = 'COUNTED'), 0) + coalesce((select sum(c.kobo) from card_charges c
    where c.transaction_id = t.id and c.status = 'APPROVED'), 0) + coalesce((select d.kobo from debits d where d.id = t.id and t.status = 'PAID'), 0)`,
  // The ledger is added up once: a look at it per transaction has no index to go by.
  'the money of a transaction is in the ledger, less its fee': `select t.id from transactions t
    left join (select f.object_id, f.merchant_id, sum(e.kobo) as kobo from transfers f join entries e on e.transfer_id = f.id
      join accounts a on a.id = e.account_id and a.merchant_id = f.merchant_id and a.kind in ('PENDING', 'SHARE')
      where f.object = 'transaction' group by 1, 2) m on m.object_id = t.id and m.merchant_id = t.merchant_id
    where t.paid_kobo - t.fee_kobo - coalesce((select sum(r.kobo - r.fee_kobo) from credit_reversals r
      where r.transaction_id = t.id and r.outcome = 'COUNTED'), 0) <> coalesce(m.kobo, 0)`,
  'a share goes to a sub account that the split names, and none is below zero': `select f.id from transfers f
    join entries e on e.transfer_id = f.id and e.account_id % 16 = 11 join transactions t on t.id = f.object_id
    where f.object = 'transaction' group by f.id, t.id, e.account_id
    having bool_and(not coalesce(t.split::jsonb @> jsonb_build_array(jsonb_build_object('id', (e.account_id / 16)::text)), false))
    union all select t.id from transactions t join transfers f on f.object = 'transaction' and f.object_id = t.id
    join entries e on e.transfer_id = f.id and e.account_id % 16 in (8, 11) group by t.id, e.account_id having sum(e.kobo) < 0`,
  'status fits the amounts': `select id from transactions where (status = 'PAID' and abs(paid_kobo - kobo) > least(tolerance_kobo, kobo / 10)) or (status = 'OVERPAID' and paid_kobo <= kobo)
    or (status = 'PARTIALLY_PAID' and not (paid_kobo > 0 and paid_kobo < kobo)) or (status in ('PENDING', 'EXPIRED', 'FAILED', 'CANCELLED') and paid_kobo <> 0)`,
  'every credit is posted once, with its amount': `select c.bank_reference from inbound_credits c where c.kobo is distinct from (
    select -sum(e.kobo) from transfers t join entries e on e.transfer_id = t.id and e.account_id = 0 where t.id = c.transfer_id)`,
  'every suspended credit has its item, and every item its credit': `select coalesce(c.bank_reference, s.bank_reference)
    from (select * from inbound_credits where outcome = 'SUSPENDED') c full join suspense_items s using (bank_reference)
    where c.bank_reference is null or s.bank_reference is null or c.kobo <> s.kobo`,
  'suspense holds what its items say': `select 1 where coalesce((select sum(kobo) from entries where account_id = 3), 0)
    <> coalesce((select sum(kobo) from suspense_items where status <> 'RETURNED'), 0)`,
  'an item in suspense holds its money until it is returned, and nothing after': `select s.id from suspense_items s
    where case s.status when 'RETURNED' then 0 else s.kobo end <> coalesce((select sum(e.kobo) from transfers t
    join entries e on e.transfer_id = t.id and e.account_id = 3 where t.object = 'suspense_item' and t.object_id = s.id), 0)`,
  'an item in suspense has the timer of its day, and one that goes back a timer that asks': `select s.id from suspense_items s
    where (s.status <> 'RETURNED' and not exists (select from agenda a where a.kind = 'suspense.overdue' and a.subject = s.id))
    or (s.status = 'RETURNING' and not exists (select from agenda a where a.kind = 'suspense.return' and a.subject = s.id))`,
  'every suspended credit was told': `select transaction_id from suspense_items s where merchant_id <> 0 group by transaction_id, merchant_id having count(*) <> (
    select count(*) from events e where e.object_id = s.transaction_id and e.type = 'REJECTED_PAYMENT' and e.merchant_id = s.merchant_id)`,
  'a transaction takes money until it is closed': `select id from transactions where case status when 'PENDING' then closed_at is not null
    when 'PARTIALLY_PAID' then false else closed_at is null end`,
  'a waiting transaction has its timer': `select t.id from transactions t where (t.status = 'PENDING' or (t.status = 'PARTIALLY_PAID' and t.closed_at is null))
    and t.product_type is distinct from 'DIRECT_DEBIT' and not exists (select from agenda a where a.kind = 'transactions.expire' and a.subject = t.id)`,
  'an account number leads to a transaction or a reserved account of the same merchant': `select v.account_number from virtual_accounts v
    left join transactions t on t.id = v.transaction_id and t.merchant_id = v.merchant_id
    left join merchants m on (m.id, m.id, m.wallet_number, m.wallet_bank_code) = (v.transaction_id, v.merchant_id, v.account_number, v.bank_code)
    left join reserved_accounts r on r.id = v.reserved_id and r.merchant_id = v.merchant_id
    where t.id is null and m.id is null and r.id is null`,
  'the number of a wallet is taken for ever': `select m.id from merchants m left join virtual_accounts v
    on (v.account_number, v.bank_code, v.transaction_id) = (m.wallet_number, m.wallet_bank_code, m.id) where v.expires_at is distinct from 'infinity'`,
  'a top-up is in the wallet whose number it names, and nothing else is posted as one': `select coalesce(c.bank_reference, f.id::text)
    from (select * from inbound_credits where outcome = 'TOPPED_UP') c full join (select * from transfers where kind = 'TOP_UP') f on f.id = c.transfer_id
    left join merchants m on m.id = c.merchant_id left join entries e on e.transfer_id = f.id and e.account_id = m.id * 16 + 9
    where (f.merchant_id, m.wallet_number, m.wallet_bank_code, e.kobo) is distinct from (c.merchant_id, c.account_number, c.bank_code, c.kobo)`,
  'a top-up was told once': `select c.bank_reference from inbound_credits c where c.outcome = 'TOPPED_UP' and 1 <> (select count(*) from events e
    where e.type = 'ACCOUNT_ACTIVITY' and (e.object_id, e.object, e.merchant_id) = (c.transfer_id, c.bank_reference, c.merchant_id))`,
}
