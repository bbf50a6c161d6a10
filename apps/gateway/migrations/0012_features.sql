-- What a merchant may use is granted by the operator, and the record says who did, when and why.

create table feature_grants ( -- never edited; the newest row of a feature is in force, none: not granted
  id bigint generated always as identity constraint feature_grants_pkey primary key,
  merchant_id bigint not null constraint feature_grants_merchant_fkey references merchants,
  feature text not null constraint feature_grants_feature_known check (feature in
    ('TRANSFERS', 'SUB_ACCOUNTS', 'WALLETS', 'BILLS', 'VERIFICATION', 'INSTANT_SETTLEMENT', 'PAYCODE')),
  granted boolean not null,              -- false: withdrawn
  granted_by text not null constraint feature_grants_by_somebody check (granted_by <> ''),
  reason text not null constraint feature_grants_for_a_reason check (reason <> ''),
  granted_at timestamptz not null
);
create index feature_grants_merchant on feature_grants (merchant_id, feature, id);
call open_table('feature_grants', 'select', 'select, insert');
create trigger feature_grants_changed after insert or update or delete on feature_grants
  for each statement execute function raise_merchant_revision();
