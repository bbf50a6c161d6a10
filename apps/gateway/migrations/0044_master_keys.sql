-- The master key has versions (docs/decisions/0068-versions-of-keys.md). Each database knows the fingerprint of every version that ever
-- sealed something in it, so that a wrong or missing key is named at the start, and refuses what a retired version sealed.

create table master_keys (
  version integer not null,
  fingerprint text not null,
  -- the keys that outlive their master key, sealed with this version; gone once it is retired
  lasting text,
  -- the public key of statements that were signed under it
  statement_key_id text not null,
  statement_key text not null,
  known_at timestamptz not null,
  present_at timestamptz,
  retired_at timestamptz,
  constraint master_keys_pkey primary key (version),
  constraint master_keys_fingerprint_key unique (fingerprint),
  constraint master_keys_version_from_one check (version >= 1),
  constraint master_keys_lasting_until_retired check ((lasting is null) = (retired_at is not null))
);
grant select, insert, update (present_at, retired_at, lasting) on master_keys to cowrie_engine;

-- A process that still seals with a version that was retired is refused: nobody could open what it wrote. The lock is shared among
-- those that seal; whoever retires the version takes it alone, so that none is between the last look and the mark.
create function refuse_retired_key() returns trigger language plpgsql security definer set search_path = public as $$
declare
  records text[];
  record text;
begin
  case tg_table_name
    when 'merchants' then records := array[new.secret_sealed, new.next_secret_sealed];
    when 'reserved_accounts' then records := array[new.bvn_sealed, new.nin_sealed, new.allowed_bvns_sealed];
    when 'customer_wallets' then records := array[new.bvn_sealed];
    when 'paycodes' then records := array[new.code_sealed];
    when 'people' then records := array[new.totp_sealed, new.totp_next_sealed];
    when 'people_mails' then records := array[new.text_sealed];
    when 'requests' then records := array[new.answer];
  end case;
  foreach record in array records loop
    if record like 'v1.%.%' then
      perform pg_advisory_xact_lock_shared(hashtextextended('cowrie.master_key ' || split_part(record, '.', 2), 0));
      if exists (select from master_keys where fingerprint = split_part(record, '.', 2) and retired_at is not null) then
        raise exception 'sealed with a version of the master key that is retired: %', split_part(record, '.', 2);
      end if;
    end if;
  end loop;
  return new;
end $$;
revoke execute on function refuse_retired_key from public;

create trigger merchants_sealed before insert or update of secret_sealed, next_secret_sealed on merchants
  for each row execute function refuse_retired_key();
create trigger reserved_accounts_sealed before insert or update of bvn_sealed, nin_sealed, allowed_bvns_sealed on reserved_accounts
  for each row execute function refuse_retired_key();
create trigger customer_wallets_sealed before insert or update of bvn_sealed on customer_wallets
  for each row execute function refuse_retired_key();
create trigger paycodes_sealed before insert or update of code_sealed on paycodes
  for each row execute function refuse_retired_key();
create trigger people_sealed before insert or update of totp_sealed, totp_next_sealed on people
  for each row execute function refuse_retired_key();
create trigger people_mails_sealed before insert or update of text_sealed on people_mails
  for each row execute function refuse_retired_key();
-- Most answers that are kept for a repeated request are not sealed: the condition spares those the call.
create trigger requests_sealed before insert or update of answer on requests
  for each row when (new.answer like 'v1.%') execute function refuse_retired_key();
