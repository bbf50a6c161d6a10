-- Paycodes: money that a beneficiary takes as cash at an agent, and the account of the agents in the ledger.

create table paycodes ( -- cash at an agent, for whoever has the code
  id bigint constraint paycodes_pkey primary key,
  merchant_id bigint not null constraint paycodes_merchant_fkey references merchants,
  reference text not null constraint paycodes_reference_key unique, -- ours
  paycode_reference text not null,       -- the merchant's own
  status text not null constraint paycodes_status_known check (status in ('PENDING', 'COMPLETED', 'EXPIRED', 'CANCELLED')),
  version integer not null default 1,
  kobo bigint not null constraint paycodes_kobo_least check (kobo >= 100),
  fee_kobo bigint not null constraint paycodes_fee check (fee_kobo >= 0),
  beneficiary_name text not null,
  code_sealed text,                      -- encrypted; gone with its end, when nobody needs it any more
  code_digest bytea not null constraint paycodes_code_key unique, -- keyed: what an agent's code is looked up by; no code is given twice
  code_tail text not null constraint paycodes_tail check (code_tail ~ '^\d\d$'), -- all that is shown of it
  expires_at timestamptz not null,
  created_by text not null,
  modified_by text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  session_id text constraint paycodes_session_key unique, -- of the redemption: a session redeems one code, a code is redeemed once
  agent_id text,
  constraint paycodes_paycode_reference_key unique (merchant_id, paycode_reference),
  constraint paycodes_ended check ((status = 'PENDING') = (ended_at is null)),
  constraint paycodes_code_while_pending check ((status = 'PENDING') = (code_sealed is not null)),
  constraint paycodes_redeemed_under_a_session check ((status = 'COMPLETED') = (session_id is not null) and (session_id is null) = (agent_id is null)),
  constraint paycodes_redeemed_in_time check (status <> 'COMPLETED' or ended_at < expires_at)
) with (fillfactor = 80);
create index paycodes_time on paycodes (merchant_id, created_at desc, id desc);
call open_table('paycodes', 'select', 'select, insert, update');

create table paycode_guards ( -- wrong codes of an agent; no row: none yet
  agent_id text constraint paycode_guards_pkey primary key,
  wrong_at timestamptz[] not null default '{}' -- those of the last minutes
);
grant select, insert, update on paycode_guards to cowrie_engine;

-- A cell with merchants has its house already; elsewhere the first merchant opens it.
alter table accounts no force row level security;
insert into accounts (id, merchant_id, kind) select 7, 0, 'AGENTS' where exists (select from accounts where id = 0) on conflict do nothing;
alter table accounts force row level security;
