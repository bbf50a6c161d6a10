-- BREAK, by breaks: one merchant's by none; anybody's by 1 ours
-- PAYMENT, by transactions: one merchant's by 3 named, 1 number; anybody's by 2 ours, 1 theirs, 1 number
-- SUSPENSE, by credits: one merchant's by none; anybody's by 1 ours
-- RESERVED_ACCOUNT, by reserved-accounts: one merchant's by 2 named, 1 number; anybody's by 1 ours, 1 theirs, 1 number
-- MANDATE, by direct-debit: one merchant's by 2 named; anybody's by 1 ours, 1 theirs
-- INVOICE, by invoices: one merchant's by 1 named; anybody's by 1 theirs
-- PAYMENT_LINK, by payment-links: one merchant's by 1 named; anybody's by 1 ours
-- PAYOUT, by disbursements: one merchant's by 3 named; anybody's by 3 ours, 1 theirs
-- BATCH, by disbursements: one merchant's by 2 named; anybody's by 1 ours, 1 theirs
-- REFUND, by refunds: one merchant's by 2 named; anybody's by 3 ours, 1 theirs
-- SETTLEMENT, by settlements: one merchant's by 1 named; anybody's by 3 ours

-- finding_named
select 'PAYMENT' as kind, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from payment_references p join transactions t on t.id = p.transaction_id where t.merchant_id = $1 and p.merchant_id = $1 and p.payment_reference = $2
union
select 'PAYMENT' as kind, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from transactions t where t.merchant_id = $1 and t.reference = $2
union
select 'PAYMENT' as kind, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from transactions t where t.merchant_id = $1 and t.id = (select c.transaction_id from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id and c.merchant_id = $1
  where s.merchant_id = $1 and s.bank_reference in (select case id when 1 then $2::text else id || ' ' || $2::text end from connectors))
union
select 'RESERVED_ACCOUNT' as kind, a.reference as reference, a.customer_name as name, null::bigint as kobo, a.status as state, a.created_at as at
 from reserved_accounts a where a.merchant_id = $1 and a.reference = $2
union
select 'RESERVED_ACCOUNT' as kind, a.reference as reference, a.customer_name as name, null::bigint as kobo, a.status as state, a.created_at as at
 from reserved_accounts a where a.merchant_id = $1 and a.reservation_reference = $2
union
select 'MANDATE' as kind, m.reference as reference, m.customer_name as name, m.kobo as kobo, m.status as state, m.created_at as at
 from mandates m where m.merchant_id = $1 and m.reference = $2
union
select 'MANDATE' as kind, m.reference as reference, m.customer_name as name, m.kobo as kobo, m.status as state, m.created_at as at
 from mandates m where m.merchant_id = $1 and m.code = $2
union
select 'INVOICE' as kind, i.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, i.created_at as at
 from invoices i join transactions t on t.id = i.id and t.merchant_id = $1 where i.merchant_id = $1 and i.reference = $2
union
select 'PAYMENT_LINK' as kind, l.code as reference, l.title as name, l.kobo as kobo, case when l.paused_at is null then 'ACTIVE' else 'PAUSED' end as state, l.created_at as at
 from payment_links l where l.merchant_id = $1 and l.code = $2
union
select 'PAYOUT' as kind, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from payout_references p join disbursements d on d.id = p.disbursement_id where d.merchant_id = $1 and p.merchant_id = $1 and p.reference = $2
union
select 'PAYOUT' as kind, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from disbursements d where d.merchant_id = $1 and d.transaction_reference = $2
union
select 'PAYOUT' as kind, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from disbursements d where d.merchant_id = $1 and d.session_id = $2
union
select 'BATCH' as kind, b.reference as reference, null::text as name, b.kobo as kobo, b.status as state, b.created_at as at
 from batches b where b.merchant_id = $1 and b.reference = $2
union
select 'BATCH' as kind, b.reference as reference, null::text as name, b.kobo as kobo, b.status as state, b.created_at as at
 from batches b where b.merchant_id = $1 and b.transaction_reference = $2
union
select 'REFUND' as kind, r.refund_reference as reference, r.account_name as name, r.kobo as kobo, r.status as state, r.created_at as at
 from refunds r where r.merchant_id = $1 and r.refund_reference = $2
union
select 'REFUND' as kind, r.refund_reference as reference, r.account_name as name, r.kobo as kobo, r.status as state, r.created_at as at
 from refunds r where r.merchant_id = $1 and r.reference = $2
union
select 'SETTLEMENT' as kind, x.reference as reference, null::text as name, x.kobo as kobo, x.status as state, x.created_at as at
 from settlements x where x.merchant_id = $1 and x.reference = $2;

-- finding_number
select 'PAYMENT' as kind, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from virtual_accounts v join transactions t on t.id = v.transaction_id where t.merchant_id = $1 and v.merchant_id = $1 and v.account_number = $2
union
select 'RESERVED_ACCOUNT' as kind, a.reference as reference, a.customer_name as name, null::bigint as kobo, a.status as state, a.created_at as at
 from virtual_accounts v join reserved_accounts a on a.id = v.reserved_id where a.merchant_id = $1 and v.merchant_id = $1 and v.account_number = $2;

-- everywhere_ours
-- all merchants: the operator looks through all of them
select f.kind, f.id, f.reference, f.name, f.kobo, f.state, f.at, m.api_key, m.name as merchant_name
from (select 'BREAK' as kind, k.id::text as id, k.merchant_id as merchant_id, k.session_id as reference, null::text as name, coalesce(k.bank_kobo, k.our_kobo) as kobo, k.status as state, k.opened_at as at
 from recon_breaks k where k.session_id = $1
union
select 'PAYMENT' as kind, null::text as id, t.merchant_id as merchant_id, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from transactions t where t.reference = $1
union
select 'PAYMENT' as kind, null::text as id, t.merchant_id as merchant_id, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from transactions t where t.id = (
   -- all merchants: a session is of one credit
   select c.transaction_id from bank_sessions s join inbound_credits c on c.transfer_id = s.transfer_id where s.bank_reference in (select case id when 1 then $1::text else id || ' ' || $1::text end from connectors))
union
select 'SUSPENSE' as kind, i.id::text as id, i.merchant_id as merchant_id, substr(i.bank_reference, strpos(i.bank_reference, ' ') + 1) as reference, null::text as name, i.kobo as kobo, i.status as state, i.created_at as at
 from suspense_items i where i.bank_reference in (select case id when 1 then $1::text else id || ' ' || $1::text end from connectors)
union
select 'RESERVED_ACCOUNT' as kind, null::text as id, a.merchant_id as merchant_id, a.reference as reference, a.customer_name as name, null::bigint as kobo, a.status as state, a.created_at as at
 from reserved_accounts a where a.reservation_reference = $1
union
select 'MANDATE' as kind, null::text as id, m.merchant_id as merchant_id, m.reference as reference, m.customer_name as name, m.kobo as kobo, m.status as state, m.created_at as at
 from mandates m where m.code = $1
union
select 'PAYMENT_LINK' as kind, null::text as id, l.merchant_id as merchant_id, l.code as reference, l.title as name, l.kobo as kobo, case when l.paused_at is null then 'ACTIVE' else 'PAUSED' end as state, l.created_at as at
 from payment_links l where l.code = $1
union
select 'PAYOUT' as kind, null::text as id, d.merchant_id as merchant_id, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from disbursements d where d.transaction_reference = $1
union
select 'PAYOUT' as kind, null::text as id, d.merchant_id as merchant_id, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from disbursements d where d.session_id = $1
union
select 'PAYOUT' as kind, null::text as id, d.merchant_id as merchant_id, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from payout_details n join disbursements d on d.session_id = n.session_id where n.network_reference = $1
union
select 'BATCH' as kind, null::text as id, b.merchant_id as merchant_id, b.reference as reference, null::text as name, b.kobo as kobo, b.status as state, b.created_at as at
 from batches b where b.transaction_reference = $1
union
select 'REFUND' as kind, null::text as id, r.merchant_id as merchant_id, r.refund_reference as reference, r.account_name as name, r.kobo as kobo, r.status as state, r.created_at as at
 from refunds r where r.reference = $1
union
select 'REFUND' as kind, null::text as id, r.merchant_id as merchant_id, r.refund_reference as reference, r.account_name as name, r.kobo as kobo, r.status as state, r.created_at as at
 from refunds r where r.id = (
   -- all merchants: a session is of one order
   select o.subject from bank_orders o where o.session_id = $1 and o.purpose = 'REFUND')
union
select 'REFUND' as kind, null::text as id, r.merchant_id as merchant_id, r.refund_reference as reference, r.account_name as name, r.kobo as kobo, r.status as state, r.created_at as at
 from refunds r where r.id in (
   -- all merchants: a network names an order of any of them
   select o.subject from payout_details n join bank_orders o on o.session_id = n.session_id where n.network_reference = $1 and o.purpose = 'REFUND')
union
select 'SETTLEMENT' as kind, null::text as id, x.merchant_id as merchant_id, x.reference as reference, null::text as name, x.kobo as kobo, x.status as state, x.created_at as at
 from settlements x where x.reference = $1
union
select 'SETTLEMENT' as kind, null::text as id, x.merchant_id as merchant_id, x.reference as reference, null::text as name, x.kobo as kobo, x.status as state, x.created_at as at
 from settlements x where x.id = (
   -- all merchants: a session is of one order
   select o.subject from bank_orders o where o.session_id = $1 and o.purpose = 'SETTLEMENT')
union
select 'SETTLEMENT' as kind, null::text as id, x.merchant_id as merchant_id, x.reference as reference, null::text as name, x.kobo as kobo, x.status as state, x.created_at as at
 from settlements x where x.id in (
   -- all merchants: a network names an order of any of them
   select o.subject from payout_details n join bank_orders o on o.session_id = n.session_id where n.network_reference = $1 and o.purpose = 'SETTLEMENT')) f left join merchants m on m.id = f.merchant_id order by f.at desc limit $2;

-- everywhere_theirs
-- all merchants: the operator looks through all of them
select f.kind, f.id, f.reference, f.name, f.kobo, f.state, f.at, m.api_key, m.name as merchant_name
from (select 'PAYMENT' as kind, null::text as id, t.merchant_id as merchant_id, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from merchants o cross join lateral (select * from payment_references p where p.merchant_id = o.id and p.payment_reference = $1 limit 1) k join transactions t on t.id = k.transaction_id where t.merchant_id = o.id
union
select 'RESERVED_ACCOUNT' as kind, null::text as id, a.merchant_id as merchant_id, a.reference as reference, a.customer_name as name, null::bigint as kobo, a.status as state, a.created_at as at
 from merchants o cross join lateral (select * from reserved_accounts p where p.merchant_id = o.id and p.reference = $1 limit 1) a where true
union
select 'MANDATE' as kind, null::text as id, m.merchant_id as merchant_id, m.reference as reference, m.customer_name as name, m.kobo as kobo, m.status as state, m.created_at as at
 from merchants o cross join lateral (select * from mandates p where p.merchant_id = o.id and p.reference = $1 limit 1) m where true
union
select 'INVOICE' as kind, null::text as id, i.merchant_id as merchant_id, i.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, i.created_at as at
 from merchants o cross join lateral (select * from invoices p where p.merchant_id = o.id and p.reference = $1 limit 1) i join transactions t on t.id = i.id where true
union
select 'PAYOUT' as kind, null::text as id, d.merchant_id as merchant_id, d.reference as reference, coalesce(d.account_name, d.given_name) as name, d.kobo as kobo, d.status as state, d.created_at as at
 from merchants o cross join lateral (select * from payout_references p where p.merchant_id = o.id and p.reference = $1 limit 1) k join disbursements d on d.id = k.disbursement_id where d.merchant_id = o.id
union
select 'BATCH' as kind, null::text as id, b.merchant_id as merchant_id, b.reference as reference, null::text as name, b.kobo as kobo, b.status as state, b.created_at as at
 from merchants o cross join lateral (select * from batches p where p.merchant_id = o.id and p.reference = $1 limit 1) b where true
union
select 'REFUND' as kind, null::text as id, r.merchant_id as merchant_id, r.refund_reference as reference, r.account_name as name, r.kobo as kobo, r.status as state, r.created_at as at
 from merchants o cross join lateral (select * from refunds p where p.merchant_id = o.id and p.refund_reference = $1 limit 1) r where true) f left join merchants m on m.id = f.merchant_id order by f.at desc limit $2;

-- everywhere_number
-- all merchants: the operator looks through all of them
select f.kind, f.id, f.reference, f.name, f.kobo, f.state, f.at, m.api_key, m.name as merchant_name
from (select 'PAYMENT' as kind, null::text as id, t.merchant_id as merchant_id, t.reference as reference, t.customer_name as name, t.kobo as kobo, t.status as state, t.created_at as at
 from virtual_accounts v join transactions t on t.id = v.transaction_id where v.account_number = $1
union
select 'RESERVED_ACCOUNT' as kind, null::text as id, a.merchant_id as merchant_id, a.reference as reference, a.customer_name as name, null::bigint as kobo, a.status as state, a.created_at as at
 from virtual_accounts v join reserved_accounts a on a.id = v.reserved_id where v.account_number = $1) f left join merchants m on m.id = f.merchant_id order by f.at desc limit $2;
