-- Limited API keys of merchants: a scope, and where wanted only some contracts and some networks. The pair in merchants stays the full one.

create table api_keys (
  id bigint constraint api_keys_pkey primary key,
  merchant_id bigint not null constraint api_keys_merchant_fkey references merchants,
  number integer not null constraint api_keys_number_positive check (number > 0), -- 1, 2, 3 … per merchant; tokens carry it
  api_key text not null constraint api_keys_api_key unique,
  secret_digest bytea not null,          -- keyed; the secret key itself is kept nowhere, as it signs nothing
  name text not null,
  scope text not null constraint api_keys_scope_known check (scope in ('READ', 'COLLECTIONS', 'PAYOUTS')),
  contracts text[] constraint api_keys_contracts_some check (cardinality(contracts) > 0),  -- null: all
  addresses text[] constraint api_keys_addresses_some check (cardinality(addresses) > 0),  -- null: those of the merchant
  created_at timestamptz not null,
  created_by text not null,              -- an API key, or a person's e-mail address
  ended_at timestamptz,
  ended_by text,
  constraint api_keys_number unique (merchant_id, number),
  constraint api_keys_contracts_of_collections check (contracts is null or scope = 'COLLECTIONS'),
  constraint api_keys_end_whole check (num_nulls(ended_at, ended_by) in (0, 2))
);
call open_table('api_keys', 'select', 'select, insert, update');
create trigger api_keys_changed after insert or update or delete on api_keys
  for each statement execute function raise_merchant_revision();

-- A key that ended never opens again, and what a key may is never changed: another one is made.
create function api_keys_only_end() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null or (to_jsonb(new) - 'ended_at' - 'ended_by') is distinct from (to_jsonb(old) - 'ended_at' - 'ended_by') then
    raise exception 'a limited API key can only be ended, once';
  end if;
  return new;
end $$;
create trigger api_keys_only_end before update on api_keys for each row execute function api_keys_only_end();
