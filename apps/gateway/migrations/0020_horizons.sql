-- Horizons that survive a logical restore: a transfer's number is that of its transaction plus an offset of the cell. A dump
-- that is restored in another cluster keeps its numbers, while that cluster counts from anew; the operator's command
-- (tools/horizons.ts) then replaces this function. Replaced, not stored: a constant costs a payment nothing
-- (docs/decisions/0021-horizons.md).

create function ledger_offset() returns bigint language sql immutable parallel safe return 0::bigint;

alter table transfers alter column xid set default pg_current_xact_id()::text::bigint + ledger_offset();

-- Who holds a horizon back. The engine may not look at everybody's sessions; this much of one it may, as far as the owner of this
-- function may. What it cannot see is missing in a warning, and nothing else.
create function horizon_holder(out who text, out database text, out since timestamptz) returns setof record
language sql stable security definer set search_path = pg_catalog as $$
  with oldest as (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint % 4294967296 as xid)
  select 'process ' || a.pid || ' of ' || coalesce(a.usename, '?') || coalesce(' (' || nullif(a.application_name, '') || ')', ''),
    a.datname::text, a.xact_start
  from pg_stat_activity a, oldest where a.backend_xid::text::bigint = oldest.xid and a.pid <> pg_backend_pid()
  union all
  select 'prepared transaction ' || p.gid || ' of ' || p.owner, p.database::text, p.prepared
  from pg_prepared_xacts p, oldest where p.transaction::text::bigint = oldest.xid
  limit 1
$$;
revoke execute on function horizon_holder() from public;
grant execute on function horizon_holder() to cowrie_engine;
