-- Personal data: what a payer's data becomes when it is erased, and that nothing else becomes of it. The books keep their rows, amounts
-- and references (docs/decisions/0031-personal-data.md).

-- What stands in place of a value: an address stays an address, an object an object, and what was empty stays empty.
create function erased(value text) returns text language sql immutable strict parallel safe
  return case when value = '' then value when left(value, 1) = '{' then '{}'
    when position('@' in value) > 0 then 'erased@erased.invalid' else 'erased' end;

-- Tables that are otherwise insert-only are opened to the engine by the column, and the database itself refuses every change of such a
-- column but erasing: a fault of the program can lose a name there, and cannot forge one.
create function refuse_all_but_erasing() returns trigger language plpgsql as $$
declare
  changed text;
begin
  foreach changed in array tg_argv loop
    if to_jsonb(new) ->> changed is distinct from to_jsonb(old) ->> changed and coalesce(to_jsonb(new) ->> changed, 'erased') <> 'erased' then
      raise exception '%.% can be erased, and not changed', tg_table_name, changed using errcode = 'restrict_violation';
    end if;
  end loop;
  return new;
end $$;

grant update (sender_name) on inbound_credits to cowrie_engine;
create trigger inbound_credits_erased before update of sender_name on inbound_credits
  for each row execute function refuse_all_but_erasing('sender_name');
grant update (sender_name, says) on statement_lines to cowrie_engine;
create trigger statement_lines_erased before update of sender_name, says on statement_lines
  for each row execute function refuse_all_but_erasing('sender_name', 'says');
grant update (answer) on delivery_attempts to cowrie_engine;
create trigger delivery_attempts_erased before update of answer on delivery_attempts
  for each row execute function refuse_all_but_erasing('answer');

-- Bodies of events leave by the month, when they are kept for a limited time: marked first, from when on nothing of the month is sent again,
-- and emptied in steps after that.
alter table months add bodies text not null default 'KEPT' constraint months_bodies_known check (bodies in ('KEPT', 'LEAVING', 'GONE'));
grant update (bodies) on months to cowrie_engine;

-- Of an event each value may be erased, where it stands. A body that was stored whole is first stored as its shape and what varies.
create function refuse_all_but_erasing_values() returns trigger language plpgsql as $$
begin
  if event_body(new.shape, new.body) = event_body(old.shape, old.body) then return new; end if;
  if new.shape = old.shape and not exists (
    select from unnest(string_to_array(old.body, E'\x1d')) with ordinality as o(value, n)
    full join unnest(string_to_array(new.body, E'\x1d')) with ordinality as w(value, n) using (n)
    where w.value is distinct from o.value and w.value is distinct from erased(o.value)) then return new;
  end if;
  if new.shape is null and new.body = '' and exists (select from months where month = new.id / 1000000000000 and bodies <> 'KEPT') then
    return new;
  end if;
  raise exception 'values of an event can be erased, and not changed' using errcode = 'restrict_violation';
end $$;
grant update (shape, body) on events to cowrie_engine;
create trigger events_erased before update of shape, body on events for each row execute function refuse_all_but_erasing_values();

grant delete on card_tokens to cowrie_engine;

create table erasures ( -- insert-only: that it happened can be shown to whoever knows the address
  id bigint constraint erasures_pkey primary key,
  merchant_id bigint not null constraint erasures_merchant_fkey references merchants,
  digest bytea not null,                 -- SHA-256 of this id, a colon, and the address in lower case or the reference of the transaction
  counts text not null,                  -- JSON: how many rows of which table
  at timestamptz not null
);
create index erasures_merchant on erasures (merchant_id);
call open_table('erasures', 'select', 'select, insert');
