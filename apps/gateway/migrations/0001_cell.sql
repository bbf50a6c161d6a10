-- The baseline begins here: files 0001 to 0011 lay the whole schema of a cell, one part each, and replace every migration before
-- the first release. From the first release on they are frozen, and a change is a new file.
--
-- The cell: its two roles, its numbers, and how a table is opened to them.
--
-- Two roles use the tables (docs/decisions/0005-two-roles.md): cowrie_app acts for one merchant and sees that merchant's
-- rows only; cowrie_engine runs batches and timers across merchants. Neither may change what is insert-only.
--
-- Tables on the path of a payment carry no foreign keys: a key check locks the parent row, and every payment would queue
-- for the same merchant and account rows. The books check what the keys would have held.

do $$
begin
  if not exists (select from pg_roles where rolname = 'cowrie_app') then create role cowrie_app nologin; end if;
  if not exists (select from pg_roles where rolname = 'cowrie_engine') then create role cowrie_engine nologin; end if;
exception when duplicate_object or unique_violation then null; -- another database of the cluster made them just now
end $$;
grant usage on schema public to cowrie_app, cowrie_engine;
grant select on migrations to cowrie_app, cowrie_engine;

-- The merchant that the row-level policies of this database transaction are for.
create function acting_merchant() returns bigint language sql stable parallel safe
  return nullif(current_setting('cowrie.merchant', true), '')::bigint;

-- Opens a table to the two roles: the engine sees every row, the app those of the merchant it acts for. What each may do is named.
create procedure open_table(name text, app text, engine text, owner text default 'merchant_id') language plpgsql as $$
begin
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
  execute format('create policy own_rows on %I to cowrie_app using (%2$I = acting_merchant()) with check (%2$I = acting_merchant())', name, owner);
  execute format('create policy all_rows on %I to cowrie_engine using (true) with check (true)', name);
  execute format('grant %s on %I to cowrie_app', app, name);
  execute format('grant %s on %I to cowrie_engine', engine, name);
end $$;
revoke execute on procedure open_table from public;

-- Serials of ids. An id is the West African month in which it was given out and twelve digits of serial: 202611000000010000 (kit/ids.ts).
-- So a range of ids is a month. Each process takes serials in blocks of ten thousand, so that an answer is known before its commit. They
-- begin again after a million million, which no month uses up.
create sequence ids minvalue 10000 maxvalue 999999990000 start 10000 increment 10000 cycle;
grant usage, select on sequence ids to cowrie_app, cowrie_engine;

-- Months ----------------------------------------------------------------------------------------------------------------

-- A table that grows with every payment is partitioned by ranges of an id, and so by months: a month that is over can leave as a whole
-- (docs/decisions/0029-months.md). A partition is made as a table of its own and attached then, so that nobody waits for it; a worker
-- does that ahead of time, or whoever needs the first id of the month. Ids of no month (below the year 2000) have a partition too.
create table month_tables (
  name text constraint month_tables_pkey primary key,
  options text not null,                 -- storage parameters of each partition
  uniques text[] not null                -- columns whose values say when they were made: unique within the month, and so for ever
);
create table months ( -- those that have their partitions
  month integer constraint months_pkey primary key constraint months_of_a_year check (month between 200001 and 999912 and month % 100 between 1 and 12), -- 202611
  attempts_forgotten boolean not null default false -- the attempts to deliver its events were deleted
);
grant select on month_tables, months to cowrie_app, cowrie_engine;

create procedure add_partition(part month_tables, suffix text, first_id text, past_id text) language plpgsql as $$
declare
  made text := part.name || '_' || suffix;
  single text;
begin
  execute format('create table %I (like %I including all) %s', made, part.name, 'with (' || nullif(part.options, '') || ')');
  foreach single in array part.uniques loop
    execute format('create unique index %I on %I (%I)', made || '_' || single, made, single);
  end loop;
  execute format('alter table %I attach partition %I for values from (%s) to (%s)', part.name, made, first_id, past_id);
end $$;
revoke execute on procedure add_partition from public;

-- Has a table partitioned by months from now on; called before its indexes are made.
create procedure by_months(name text, options text default '', uniques text[] default '{}') language plpgsql as $$
declare
  part month_tables;
begin
  insert into month_tables values (name, options, uniques) returning * into part;
  call add_partition(part, 'other', 'minvalue', '200001000000000000');
end $$;
revoke execute on procedure by_months from public;

-- Makes the partitions of a month, unless they are there.
create function open_month(wanted integer) returns void language plpgsql security definer set search_path = public as $$
declare
  part month_tables;
  following integer := wanted + case when wanted % 100 = 12 then 89 else 1 end;
begin
  if exists (select from months where month = wanted) then return; end if;
  perform pg_advisory_xact_lock(hashtext('cowrie.months'));
  if exists (select from months where month = wanted) then return; end if;
  insert into months values (wanted);
  for part in select * from month_tables order by name loop
    call add_partition(part, wanted::text, (wanted * 1000000000000::bigint)::text, (following * 1000000000000::bigint)::text);
  end loop;
end $$;
revoke execute on function open_month from public;
grant execute on function open_month to cowrie_engine;

create table settings (
  name text constraint settings_pkey primary key,
  value text not null
);
grant select on settings to cowrie_app;
grant select, insert on settings to cowrie_engine;

create table connectors ( -- whom the gateway talks to: a bank, an acquirer, a scheme
  id smallint constraint connectors_pkey primary key,
  name text not null constraint connectors_name_key unique
);
insert into connectors values (1, 'bank');
grant select on connectors to cowrie_app, cowrie_engine;

create table sandbox_clock (
  single boolean constraint sandbox_clock_pkey primary key default true constraint sandbox_clock_single check (single),
  offset_ms bigint not null
);
grant select on sandbox_clock to cowrie_app;
grant select, insert, update on sandbox_clock to cowrie_engine;
