-- Accounts that receive a merchant's money without a further act: who added each, from when on it receives, who confirmed it, and who stopped it.
create table destinations (
  id bigint constraint destinations_pkey primary key,
  merchant_id bigint not null constraint destinations_merchant_fkey references merchants,
  kind text not null constraint destinations_kind_known check (kind in ('SETTLEMENT_RULE', 'SUB_ACCOUNT', 'SUB_ACCOUNT_BANK')),
  subject bigint not null,             -- the settlement rule, the sub account, or the later bank account of one
  bank_code text not null,
  account_number text not null,
  account_name text not null,
  added_by text not null,
  added_at timestamptz not null,
  in_force_from timestamptz not null,
  needs_person boolean not null,       -- receives nothing before a second person has confirmed it
  confirmed_by text,
  confirmed_at timestamptz,
  digest bytea,                        -- of the token of its stop link, once that was mailed
  mailed_at timestamptz,
  stopped_by text,
  stopped_at timestamptz,
  constraint destinations_subject unique (kind, subject),
  constraint destinations_digest unique (digest),
  constraint destinations_confirmed_whole check (num_nulls(confirmed_by, confirmed_at) in (0, 2)),
  constraint destinations_stopped_whole check (num_nulls(stopped_by, stopped_at) in (0, 2)),
  constraint destinations_two_people check (confirmed_by is null or lower(confirmed_by) <> lower(added_by))
);
create index destinations_of_merchant on destinations (merchant_id, account_number);
call open_table('destinations', 'select, insert', 'select, insert, update');
