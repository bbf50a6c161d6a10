-- Refunds to other accounts than the payer's wait for a code; and wrong codes are counted per merchant, not only per code.

alter table refunds add column elsewhere boolean not null default false, -- to an account that did not pay: counted as a payout is
  add column authorize_by timestamptz, -- it waits for its code until then; null: nothing to authorise
  add constraint refunds_waits_while_pending check (authorize_by is null or status = 'PENDING');

create table code_guards ( -- wrong codes of a merchant, whatever they were for; no row: none yet
  merchant_id bigint constraint code_guards_pkey primary key constraint code_guards_merchant_fkey references merchants,
  wrong_at timestamptz[] not null default '{}', -- since the last release, those of the last day
  locked_at timestamptz                         -- nothing is authorised until the secret key releases it
);
grant select, insert, update on code_guards to cowrie_app, cowrie_engine;
alter table code_guards enable row level security;
alter table code_guards force row level security;
create policy own_rows on code_guards to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on code_guards to cowrie_engine using (true) with check (true);
