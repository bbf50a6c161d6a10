-- The trace of a request that named one, for each event that it caused, so that notifications carry it (docs/decisions/0075-traces-and-logs.md).
-- Unlogged: it costs no WAL, and after a crash it is empty. An event that no traced request caused has no row.
create unlogged table event_traces (
  event_id bigint constraint event_traces_pkey primary key,
  merchant_id bigint not null,
  traceparent text not null
);
call open_table('event_traces', 'select, insert', 'select, insert, delete');
