-- One payment on the bare engine: the same tables and the same rows as the gateway writes, three commits, one statement
-- each, the values made by the database itself. `+ 0` and `any` as in the gateway: rows are found by their own key.
\set m :base + :step * random(0, :merchants - 1)
with x as (select nextval('bare_ids') as id, :m::bigint as merchant_id),
named as (
  insert into payment_references (merchant_id, payment_reference, transaction_id) select merchant_id, 'm' || merchant_id || '-' || id, id from x
  on conflict do nothing returning transaction_id
), made as (
  insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
    description, methods, redirect_url, meta_data, status, created_at, expires_at, email_key, name_key)
  select id, merchant_id, 'CWRY|01|20260101000000|' || id, 'm' || merchant_id || '-' || id, '0112345678', 150000, 'Ngozi Bello', 'ngozi@example.com',
    'Two yards of adire', 'TC', null, '{}', 'PENDING', now(), now() + interval '40 min',
    search_key('ngozi@example.com'), search_key('Ngozi Bello')
  from x where id in (select transaction_id from named) returning id, merchant_id
), timed as (
  insert into agenda (kind, merchant_id, subject, due_at) select 'transactions.expire', merchant_id, id, now() + interval '40 min' from made
)
select id as tid, merchant_id as mid from made \gset
with t as (select id, merchant_id, status, expires_at, methods from transactions where reference = any (array['CWRY|01|20260101000000|' || :tid::text]) and merchant_id + 0 = :mid::bigint),
issued as (
  insert into virtual_accounts (account_number, bank_code, merchant_id, transaction_id, opened_at, expires_at)
  select '01' || lpad((id % 100000000)::text, 8, '0'), '50515', merchant_id, id, now(), expires_at from t
  where status = 'PENDING' and expires_at > now() and strpos(methods, 'T') > 0
    and not exists (select from virtual_accounts v where v.transaction_id = t.id and v.merchant_id + 0 = t.merchant_id)
  on conflict on constraint virtual_accounts_pkey do nothing returning account_number
)
select account_number as account from issued \gset
with p as (
  select t.id, t.merchant_id, t.reference, t.payment_reference, t.kobo, t.description, t.meta_data, t.customer_name, t.customer_email
  from virtual_accounts v join transactions t on t.id = any (array[v.transaction_id]) and t.merchant_id + 0 = v.merchant_id
  left join bank_sessions c on c.bank_reference = '000013260101000000' || lpad((:tid::bigint % 1000000000000)::text, 12, '0')
  where v.account_number = :account::text and v.bank_code = '50515' and c.bank_reference is null
), x as (select p.*, nextval('bare_ids') as transfer_id, nextval('bare_ids') as event_id from p),
moved as (
  update transactions t set status = 'PAID', version = t.version + 1, paid_kobo = x.kobo, fee_kobo = 2250, payment_method = 'ACCOUNT_TRANSFER', closed_at = now()
  from x where t.id = any (array[x.id]) and t.merchant_id + 0 = x.merchant_id and t.status = 'PENDING'
  returning t.version, x.*
), history as (
  insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, transfer_id, at)
  select 'transaction', id, version, merchant_id, 'pay', 'PENDING', 'PAID', transfer_id, now() from moved
), posted as (
  insert into transfers (id, merchant_id, kind, object, object_id, fee_schedule_id, at, accounts, amounts)
  select transfer_id, merchant_id, 'COLLECTION', 'transaction', id, 1, now(), array[0, merchant_id * 16 + 8, 2], array[-kobo, kobo - 2250, 2250] from moved
), emitted as (
  insert into events (id, merchant_id, type, object, object_id, object_version, body, at)
  select event_id, merchant_id, 'SUCCESSFUL_TRANSACTION', reference, id, version,
    '{"eventData":{"product":{"reference":"' || payment_reference || '","type":"API_NOTIFICATION"},"transactionReference":"' || reference
    || '","paymentReference":"' || payment_reference || '","paidOn":"2026-01-01 00:00:00.0","paymentDescription":"' || description || '","metaData":' || meta_data
    || ',"paymentSourceInformation":[{"bankCode":"058","amountPaid":1500,"accountName":"BOLA ADE BALOGUN","sessionId":"000013260101000000' || lpad((:tid::bigint % 1000000000000)::text, 12, '0')
    || '","accountNumber":"2034454417"}],"destinationAccountInformation":{"bankCode":"50515","bankName":"Moniepoint Microfinance Bank","accountNumber":"' || :account::text
    || '"},"amountPaid":1500,"totalPayable":1500,"cardDetails":{},"paymentMethod":"ACCOUNT_TRANSFER","currency":"NGN","settlementAmount":"1477.50","paymentStatus":"PAID","customer":{"name":"'
    || customer_name || '","email":"' || customer_email || '"}},"eventType":"SUCCESSFUL_TRANSACTION"}', now()
  from moved
), queued as (
  insert into outbox (event_id, merchant_id) select event_id, merchant_id from moved
), named as (
  insert into bank_sessions (bank_reference, merchant_id, transfer_id)
  select '000013260101000000' || lpad((:tid::bigint % 1000000000000)::text, 12, '0'), merchant_id, transfer_id from moved
)
insert into inbound_credits (bank_reference, merchant_id, transaction_id, transfer_id, outcome, kobo, account_number, bank_code, sender_name, sender_account_number, sender_bank_code, received_at)
select '000013260101000000' || lpad((:tid::bigint % 1000000000000)::text, 12, '0'), merchant_id, id, transfer_id, 'COUNTED', kobo, :account::text, '50515', 'BOLA ADE BALOGUN', '2034454417', '058', now() from moved;
