-- Security events: what happens to people, rights, keys and destinations, written with what it tells of, and who is still to be told (docs/decisions/0108-security-events.md).
create table security_events (
  id bigint generated always as identity constraint security_events_pkey primary key,
  merchant_id bigint not null,           -- 0: of no merchant of this cell
  concerns text,                         -- API key of the merchant, where the event is kept with no merchant of this cell
  at timestamptz not null,
  kind text not null,
  severity smallint not null constraint security_events_severity_known check (severity between 1 and 5),
  person text,                           -- e-mail address of whom it is about
  actor_kind text not null constraint security_events_actor_known check (actor_kind in ('person', 'key', 'command', 'timer', 'nobody')),
  actor_side text not null constraint security_events_side_known check (actor_side in ('merchant', 'operator')),
  actor_name text not null,
  address text,
  request_id text,
  details text                           -- canonical JSON, masked
);
create index security_events_of_merchant on security_events (merchant_id, id);
create index security_events_concerns on security_events (concerns, id) where concerns is not null;
create index security_events_person on security_events (person, id) where person is not null;
create index security_events_actor on security_events (actor_name, id) where actor_kind = 'person';
call open_table('security_events', 'select, insert', 'select, insert');

create table security_outbox ( -- who is still to be told
  event_id bigint not null constraint security_outbox_event_fkey references security_events,
  sink text not null constraint security_outbox_sink_known check (sink in ('MAIL', 'FILE', 'POST')),
  merchant_id bigint not null,
  at timestamptz not null,               -- of the event
  try_at timestamptz not null,
  constraint security_outbox_pkey primary key (event_id, sink)
);
create index security_outbox_due on security_outbox (sink, try_at);
call open_table('security_outbox', 'select, insert', 'select, insert, update, delete');

-- Wrong codes since the last right one: on the person, so that no process forgets them and none counts alone.
alter table people add column wrong_factors integer not null default 0 constraint people_wrong_factors_counted check (wrong_factors >= 0);
