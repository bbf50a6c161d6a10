-- Months that leave: one that is over is exported, detached, and can be attached again (docs/decisions/0029-months.md). Only the owner
-- of the tables can do that (npm run months). Months leave oldest first and return newest first, so that one id is the boundary:
-- what is below it has left, except ids of no month. A detached month stays as tables of its own, which no role may read.

create table departed_months ( -- those that have left
  month integer constraint departed_months_pkey primary key,
  past_id bigint not null,               -- the first id after it; the highest of these is the boundary
  past_day date not null,                -- the first day after it
  manifest text not null,                -- the hash of the manifest of its export
  attempts_forgotten boolean not null,   -- these two as in months
  bodies text not null,
  left_at timestamptz not null
);
grant select on departed_months to cowrie_app, cowrie_engine;

-- The owner writes the next two, and unseals blocks of the search: policies do not hold for it there.
create table departed_numbers ( -- the last number of each kind that left with a month; a merchant's lists begin after the highest
  month integer not null constraint departed_numbers_month_fkey references departed_months on delete cascade,
  merchant_id bigint not null,
  transfers bigint not null,
  singles bigint not null,
  batches bigint not null,
  invoices bigint not null,
  events bigint not null,
  constraint departed_numbers_pkey primary key (merchant_id, month)
);
call open_table('departed_numbers', 'select', 'select');
create table departed_settlements ( -- lines of settlements that left with a month: such a settlement has no statement any more
  month integer not null constraint departed_settlements_month_fkey references departed_months on delete cascade,
  settlement_id bigint not null,
  merchant_id bigint not null,
  lines bigint not null,
  kobo bigint not null,
  amount_kobo bigint not null,
  fee_kobo bigint not null,
  constraint departed_settlements_pkey primary key (settlement_id, month)
);
call open_table('departed_settlements', 'select', 'select');
alter table departed_numbers no force row level security;
alter table departed_settlements no force row level security;
alter table search_blocks no force row level security;

-- In which order tables are locked: first those that somebody may hold for long, so that who pays does not wait behind us meanwhile.
create function leaving_order() returns setof month_tables language sql stable as $$
  select * from month_tables
  order by name in ('transactions', 'transfers', 'events', 'inbound_credits', 'state_changes'), name
$$;
revoke execute on function leaving_order from public;

-- Guarding ----------------------------------------------------------------------------------------------------------------

-- What a month holds is compared with its export before it leaves, which takes minutes. A change meanwhile is not refused; it is noted,
-- and the month does not leave.
create table month_changes (
  month integer constraint month_changes_pkey primary key
);
grant select on month_changes to cowrie_engine;
create function note_month_change() returns trigger language plpgsql security definer set search_path = public as $$
begin
  insert into month_changes values (tg_argv[0]::integer) on conflict do nothing;
  return null;
end $$;
revoke execute on function note_month_change from public;

-- Histories of what stays (mandates, refunds, settlements …) stay and may grow: those are in `staying`.
create procedure guard_month(wanted integer, staying text[]) language plpgsql as $$
declare
  part month_tables;
begin
  delete from month_changes where month = wanted;
  for part in select * from leaving_order() loop
    execute format('create or replace trigger month_guard after %s execute function note_month_change(%s)', format(case part.name
      when 'state_changes' then 'insert on %I for each row when (new.object <> all (%L::text[]))' -- its rows never change
      else 'insert or update or delete on %I for each row' end, part.name || '_' || wanted, staying), wanted);
  end loop;
end $$;
revoke execute on procedure guard_month from public;

create procedure unguard_month(wanted integer) language plpgsql as $$
declare
  part month_tables;
begin
  if not exists (select from months where month = wanted) then raise exception 'the month is not here' using errcode = 'CM001'; end if;
  execute format('drop table if exists %I', 'state_changes_' || wanted || '_kept'); -- prepared, and in nobody's use
  for part in select * from leaving_order() loop
    execute format('drop trigger if exists month_guard on %I', part.name || '_' || wanted);
  end loop;
end $$;
revoke execute on procedure unguard_month from public;

-- Leaving -----------------------------------------------------------------------------------------------------------------

-- When the transactions of each merchant were made: the blocks of the search between are unsealed when the month leaves or returns.
create procedure span_month(wanted integer) language plpgsql as $$
begin
  drop table if exists pg_temp.month_span;
  create temporary table month_span (merchant_id bigint, first_at timestamptz, last_at timestamptz);
  commit;
  execute format('insert into month_span select merchant_id, min(created_at), max(created_at) from %I group by 1', 'transactions_' || wanted);
  commit;
end $$;
revoke execute on procedure span_month from public;

-- Computes ahead what is written when a month leaves, and the partition of the histories that stay. Nobody waits for it: the guard says
-- whether the month has changed since. It commits often, because a transaction holds the horizons back from its first row on
-- (docs/decisions/0021-horizons.md), and that is written when the reading is done.
create procedure prepare_leaving(wanted integer, staying text[], merchants bigint[], batches bigint[], invoices bigint[]) language plpgsql as $$
declare
  kept text := 'state_changes_' || wanted || '_kept';
begin
  drop table if exists pg_temp.leaving_transfers, pg_temp.leaving_numbers, pg_temp.leaving_settlements;
  create temporary table leaving_transfers (merchant_id bigint, funding boolean, xid bigint, place bigint, accounts bigint[], amounts bigint[]);
  create temporary table leaving_numbers (merchant_id bigint, transfers bigint, singles bigint, batches bigint, invoices bigint, events bigint);
  create temporary table leaving_settlements (settlement_id bigint, merchant_id bigint, lines bigint, kobo bigint, amount_kobo bigint, fee_kobo bigint);
  execute format('drop table if exists %I', kept);
  execute format('create table %I (like state_changes including all)', kept);
  commit;
  -- One posting for each merchant: it stands for all of the month. Money that a sandbox gave is counted apart, by its kind.
  execute format('insert into leaving_transfers
    select merchant_id, funding, max(xid), row_number() over (order by merchant_id, funding) - 1,
      array_agg(account_id order by account_id), array_agg(kobo order by account_id)
    from (
      select t.merchant_id, t.kind = ''FUNDING'' as funding, e.account_id, max(t.xid) as xid, sum(e.kobo)::bigint as kobo
      from %I t cross join lateral unnest(t.accounts, t.amounts) as e(account_id, kobo) group by 1, 2, 3 having sum(e.kobo) <> 0
    ) e group by 1, 2', 'transfers_' || wanted);
  commit;
  execute format('insert into leaving_numbers
    select merchant_id, max(transfers), max(singles), max(batches), max(invoices), max(events)
    from (
      select merchant_id, max(place) as transfers, coalesce(max(single_place), 0) as singles, 0 as batches, 0 as invoices, 0 as events from %I group by 1
      union all select merchant_id, 0, 0, 0, 0, max(number) from %I group by 1
      union all select m.id, 0, 0, m.batches, m.invoices, 0 from unnest($1, $2, $3) as m(id, batches, invoices)
    ) n group by 1', 'disbursements_' || wanted, 'event_numbers_' || wanted) using merchants, batches, invoices;
  commit;
  execute format('insert into leaving_settlements
    select settlement_id, merchant_id, count(*), sum(kobo), sum(amount_kobo), sum(fee_kobo)
    from %I where settlement_id is not null group by 1, 2', 'settlement_lines_' || wanted);
  commit;
  execute format('insert into %I select * from %I where object = any ($1)', kept, 'state_changes_' || wanted) using staying;
  commit;
  call span_month(wanted);
end $$;
revoke execute on procedure prepare_leaving from public;

-- Detaches a month that was guarded and prepared by the same connection. The caller gives a limit for waiting: whoever uses a table
-- waits behind whoever waits for all of it.
create procedure detach_month(wanted integer, staying text[], manifest text, at timestamptz) language plpgsql as $$
declare
  part month_tables;
  following integer := wanted + case when wanted % 100 = 12 then 89 else 1 end;
  first_id bigint := wanted * 1000000000000::bigint;
  past_id bigint := following * 1000000000000::bigint;
  past_day date := to_date(following::text, 'YYYYMM');
  kept text := 'state_changes_' || wanted || '_kept';
begin
  perform pg_advisory_xact_lock(hashtext('cowrie.months'));
  if wanted is distinct from (select min(month) from months) then raise exception 'only the oldest month can leave' using errcode = 'CM001'; end if;
  perform set_config('enable_seqscan', 'off', true); -- whatever is known of its tables: nothing is read whole under these locks
  for part in select * from leaving_order() loop
    execute format('lock table only %I in access exclusive mode', part.name);
  end loop;
  if exists (select from month_changes where month = wanted) then raise exception 'the month has changed' using errcode = 'CM001'; end if;
  insert into departed_months select wanted, past_id, past_day, manifest, m.attempts_forgotten, m.bodies, at from months m where m.month = wanted;
  delete from months where month = wanted;
  for part in select * from month_tables order by name loop
    execute format('alter table %I detach partition %I', part.name, part.name || '_' || wanted);
    execute format('drop trigger month_guard on %I', part.name || '_' || wanted);
  end loop;
  execute format('insert into %I select * from %I where object = any ($1) on conflict do nothing', kept, 'state_changes_' || wanted) using staying;
  execute format('alter table state_changes attach partition %I for values from (%s) to (%s)', kept, first_id, past_id);
  insert into transfers_other (id, merchant_id, kind, object, object_id, xid, at, accounts, amounts)
    select wanted * 100000000000::bigint + t.place, t.merchant_id, case when t.funding then 'FUNDING' else 'CARRIED' end, 'month', wanted, t.xid,
      past_day::timestamp at time zone 'Africa/Lagos', t.accounts, t.amounts
    from leaving_transfers t;
  insert into departed_numbers select wanted, n.* from leaving_numbers n;
  insert into departed_settlements select wanted, s.* from leaving_settlements s;
  update search_blocks b set sealed = false from month_span s
    where b.merchant_id = s.merchant_id and b.sealed and b.after_at <= s.last_at and b.last_at >= s.first_at;
end $$;
revoke execute on procedure detach_month from public;

-- Returning -------------------------------------------------------------------------------------------------------------

-- Proves ahead that the rows of each table belong to the month, so that attaching reads none of them.
create procedure prepare_return(wanted integer, staying text[]) language plpgsql as $$
declare
  part month_tables;
  following integer := wanted + case when wanted % 100 = 12 then 89 else 1 end;
  gone text;
  key text;
begin
  for part in select * from month_tables order by name loop
    gone := part.name || '_' || wanted;
    select a.attname into key from pg_partitioned_table p join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
      where p.partrelid = part.name::regclass;
    execute format('alter table %I drop constraint if exists month_range', gone);
    execute format('alter table %1$I add constraint month_range check (%2$I is not null and %2$I >= %3$s and %2$I < %4$s)', gone, key,
      wanted * 1000000000000::bigint, following * 1000000000000::bigint);
    commit;
  end loop;
  call span_month(wanted);
  -- Histories of what stayed have grown.
  execute format('delete from %I where object = any ($1)', 'state_changes_' || wanted) using staying;
  execute format('insert into %I select * from %I', 'state_changes_' || wanted, 'state_changes_' || wanted || '_kept');
end $$;
revoke execute on procedure prepare_return from public;

create procedure attach_month(wanted integer) language plpgsql as $$
declare
  part month_tables;
  following integer := wanted + case when wanted % 100 = 12 then 89 else 1 end;
  kept text := 'state_changes_' || wanted || '_kept';
begin
  perform pg_advisory_xact_lock(hashtext('cowrie.months'));
  if wanted is distinct from (select max(month) from departed_months) then raise exception 'only the month that left last can return' using errcode = 'CM001'; end if;
  perform set_config('enable_seqscan', 'off', true);
  lock table only state_changes in access exclusive mode;
  execute format('alter table state_changes detach partition %I', kept);
  execute format('insert into %I select * from %I on conflict do nothing', 'state_changes_' || wanted, kept);
  execute format('drop table %I', kept);
  for part in select * from month_tables order by name loop
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', part.name, part.name || '_' || wanted,
      wanted * 1000000000000::bigint, following * 1000000000000::bigint);
    execute format('alter table %I drop constraint month_range', part.name || '_' || wanted);
  end loop;
  delete from transfers_other where id >= wanted * 100000000000::bigint and id < (wanted + 1) * 100000000000::bigint;
  insert into months (month, attempts_forgotten, bodies) select month, attempts_forgotten, bodies from departed_months where month = wanted;
  delete from departed_months where month = wanted;
  update search_blocks b set sealed = false from month_span s
    where b.merchant_id = s.merchant_id and b.sealed and b.after_at <= s.last_at and b.last_at >= s.first_at;
end $$;
revoke execute on procedure attach_month from public;
