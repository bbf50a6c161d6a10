-- Money that does not fit: a merchant's policy for it, and suspense items that go back to their senders.

create table payment_policies ( -- dated rows, never edited; the newest is in force
  id bigint constraint payment_policies_pkey primary key,
  merchant_id bigint not null constraint payment_policies_merchant_fkey references merchants,
  less text not null constraint payment_policies_less_known check (less in ('COMPLETE', 'TOP_UP', 'RETURN', 'HOLD')),
  more text not null constraint payment_policies_more_known check (more in ('COMPLETE', 'RETURN', 'HOLD')),
  extra text not null constraint payment_policies_extra_known check (extra in ('RETURN', 'HOLD')),
  tolerance_kobo bigint not null constraint payment_policies_tolerance check (tolerance_kobo between 0 and 100000),
  barred_payers text not null,
  valid_from timestamptz not null
);
create index payment_policies_merchant on payment_policies (merchant_id, valid_from);
create trigger payment_policies_changed after insert or update or delete on payment_policies
  for each statement execute function raise_merchant_revision();
grant select, insert on payment_policies to cowrie_app, cowrie_engine;
alter table payment_policies enable row level security;
alter table payment_policies force row level security;
create policy own_rows on payment_policies to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on payment_policies to cowrie_engine using (true) with check (true);

-- The difference that was forgiven is within the tolerance that was in force then, which the row keeps. Rows from before
-- passed the stricter check, so they are not read again.
alter table transactions add column tolerance_kobo bigint not null default 0;
alter table transactions drop constraint transactions_status_fits_amount;
alter table transactions add constraint transactions_status_fits_amount check (case status
  when 'PAID' then abs(paid_kobo - kobo) <= tolerance_kobo
  when 'OVERPAID' then paid_kobo > kobo
  when 'PARTIALLY_PAID' then paid_kobo > 0 and paid_kobo < kobo
  else paid_kobo = 0 end) not valid;
alter table transactions add constraint transactions_tolerance_small
  check (tolerance_kobo >= 0 and tolerance_kobo <= kobo / 10) not valid;

alter table suspense_items
  add column status text not null default 'HELD'
    constraint suspense_items_status_known check (status in ('HELD', 'RETURNING', 'RETURNED')),
  add column version integer not null default 1,
  add column attempts integer not null default 0, -- at sending it back
  add column refusal text,                        -- why the bank would not take it back
  add column return_session_id text,              -- the bank's reference of the return
  add column closed_at timestamptz,
  add constraint suspense_items_returned check ((status = 'RETURNED') = (return_session_id is not null)
    and (status = 'RETURNED') = (closed_at is not null));
create index suspense_items_transaction on suspense_items (transaction_id);
grant update on suspense_items to cowrie_engine;
