-- History, events and work: the path of every object, what merchants are notified of, and what is due later.

create table state_changes ( -- the path every object took through its state machine; insert-only
  object_id bigint not null,
  merchant_id bigint not null,
  transfer_id bigint,
  at timestamptz not null,
  version integer not null,
  object text not null,
  action text not null,
  from_state text not null,
  to_state text not null,
  constraint state_changes_pkey primary key (object_id, object, version)
) partition by range (object_id);
call by_months('state_changes');
call open_table('state_changes', 'select, insert', 'select, insert');

-- What bodies of events have in common, kept once: an event keeps what varies (apps/gateway/src/kit/shape.ts). Parts and values are
-- separated by a control character, which no JSON text holds.
create table event_shapes ( -- insert-only
  id smallint generated always as identity constraint event_shapes_pkey primary key,
  shape text not null
);
create unique index event_shapes_once on event_shapes (md5(shape));
grant select on event_shapes to cowrie_app;
grant select, insert on event_shapes to cowrie_engine;

-- The exact bytes of a body, as they are sent and signed.
create function event_body(shape_id smallint, body text) returns text language sql stable
  return case when shape_id is null then body else (
    select string_agg(p.part || coalesce(v.value, ''), '' order by n)
    from event_shapes s cross join lateral unnest(string_to_array(s.shape, E'\x1d')) with ordinality as p(part, n)
    left join unnest(string_to_array(body, E'\x1d')) with ordinality as v(value, n) using (n)
    where s.id = shape_id) end;

create table events ( -- insert-only
  id bigint constraint events_pkey primary key,
  merchant_id bigint not null,
  object_id bigint not null,
  at timestamptz not null,
  object_version integer not null,
  shape smallint,                        -- null: the body is whole
  type text not null,
  object text not null,                  -- the reference a person knows it by
  body text not null                     -- event_body(shape, body) is the exact bytes that are sent and signed
) partition by range (id);
call by_months('events');
call open_table('events', 'select, insert', 'select, insert');

create table outbox ( -- events that have no number and no deliveries yet, in the order they came about
  id bigint generated always as identity constraint outbox_pkey primary key,
  event_id bigint not null,
  merchant_id bigint not null
);
call open_table('outbox', 'select, insert', 'select, insert, delete');

create table event_numbers ( -- given after the commit: per merchant 1, 2, 3 … without gaps
  merchant_id bigint not null,
  number bigint not null,
  event_id bigint constraint event_numbers_pkey primary key
) partition by range (event_id);
call by_months('event_numbers');
create index event_numbers_in_order on event_numbers (merchant_id, number); -- event_counters gives each once
call open_table('event_numbers', 'select', 'select, insert');

create table event_counters ( -- the last number of each merchant
  merchant_id bigint constraint event_counters_pkey primary key,
  last_number bigint not null
);
call open_table('event_counters', 'select', 'select, insert, update');

create table endpoints ( -- where events are sent; a removed one stays, because deliveries name it
  id bigint constraint endpoints_pkey primary key,
  merchant_id bigint not null constraint endpoints_merchant_fkey references merchants,
  url text not null,
  activities text[] not null,            -- whose address it is; their kinds are named by the contract
  event_types text[] not null,           -- kinds it chose beside them
  description text not null,
  status text not null default 'ENABLED' constraint endpoints_status_known check (status in ('ENABLED', 'DISABLED', 'REMOVED')),
  version integer not null default 1,
  disabled_reason text constraint endpoints_reason_known check (disabled_reason in ('GONE', 'FAILING', 'BY_MERCHANT')),
  answered boolean not null default false, -- has ever answered 200
  failing_since timestamptz,             -- the first failure since the last 200
  window_from timestamptz,               -- failures are counted over a minute; these three are that minute
  window_tries integer not null default 0,
  window_failures integer not null default 0,
  rest_until timestamptz,                -- nothing is sent before; then one event, to see
  rests integer not null default 0,      -- how many pauses in a row
  created_at timestamptz not null,
  constraint endpoints_disabled_for_a_reason check ((status = 'DISABLED') = (disabled_reason is not null))
);
create unique index endpoints_address on endpoints (merchant_id, url) where status <> 'REMOVED'; -- an event goes to one address once
call open_table('endpoints', 'select, insert, update', 'select, insert, update');

-- An event on its way to an endpoint; the address is read when it is sent. Nobody leases a delivery: a worker holds the endpoint (a
-- lock of its session), and with it everything on its way there.
create table deliveries (
  merchant_id bigint not null,
  event_id bigint not null,
  endpoint_id bigint not null,
  number bigint not null,
  object_id bigint not null,
  state text not null constraint deliveries_state_known check (state in ('PENDING', 'DELIVERED', 'GIVEN_UP')),
  attempts integer not null default 0,
  tries integer not null default 0,      -- since it was last sent anew
  round integer not null default 0,      -- how often it was sent anew: what comes of an attempt before says nothing of the next
  due_at timestamptz not null,
  constraint deliveries_pkey primary key (event_id, endpoint_id)
) partition by range (event_id);
call by_months('deliveries');
create index deliveries_due on deliveries (endpoint_id, due_at, number) where state = 'PENDING';
create index deliveries_object on deliveries (endpoint_id, object_id, number) where state = 'PENDING';
create index deliveries_tried on deliveries (endpoint_id, due_at) where state = 'PENDING' and tries > 0; -- what an endpoint that rested is looked at with
create index deliveries_given_up on deliveries (merchant_id, number) where state = 'GIVEN_UP';
call open_table('deliveries', 'select, insert, update', 'select, insert, update'); -- a merchant sends its own events again

create table delivery_attempts ( -- insert-only
  event_id bigint not null,
  endpoint_id bigint not null,
  attempt integer not null,
  merchant_id bigint not null,
  at timestamptz not null,
  url text not null,
  status integer,
  duration_ms integer not null,
  error text,
  answer text,                           -- the first kB
  constraint delivery_attempts_pkey primary key (event_id, endpoint_id, attempt)
) partition by range (event_id);
call by_months('delivery_attempts');
call open_table('delivery_attempts', 'select', 'select, insert');

-- Deletes the attempts of a month at once. Whoever reads them is waited for a moment, or it is tried another time.
create function forget_attempts(wanted integer) returns void language plpgsql security definer set search_path = public set lock_timeout = '2s' as $$
begin
  update months set attempts_forgotten = true where month = wanted and not attempts_forgotten;
  if found then execute format('truncate %I', 'delivery_attempts_' || wanted); end if;
end $$;
revoke execute on function forget_attempts from public;
grant execute on function forget_attempts to cowrie_engine;

create table agenda ( -- what is to be done, and when
  id bigint generated always as identity constraint agenda_pkey primary key,
  kind text not null,
  merchant_id bigint not null,
  subject bigint not null,
  due_at timestamptz not null,
  lease_until timestamptz,
  attempts integer not null default 0
);
create index agenda_due on agenda (due_at, id);
call open_table('agenda', 'select, insert, update', 'select, insert, update, delete');

create table requests ( -- Idempotency-Keys, with the response that a repeat gets
  merchant_id bigint not null,
  key text not null,
  method text not null,
  path text not null,
  fields text not null,                  -- a keyed digest per top-level field: enough to name what differs, nothing to read
  status integer,
  answer text,
  created_at timestamptz not null,
  completed_at timestamptz,
  constraint requests_pkey primary key (merchant_id, key)
);
create index requests_age on requests (created_at); -- keys are forgotten by age
call open_table('requests', 'select, insert, update, delete', 'select, insert, update, delete');

create table mails (
  id bigint constraint mails_pkey primary key,
  merchant_id bigint not null,
  recipient text not null,
  subject text not null,
  text text not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  refused_at timestamptz                 -- by its server for good: customers' addresses are not ours to trust
);
-- Mails to customers have a daily limit per recipient and per merchant; both are counted when an invoice is made.
create index mails_by_recipient on mails (merchant_id, lower(recipient), created_at);
create index mails_by_day on mails (merchant_id, created_at);
call open_table('mails', 'select, insert, update', 'select, insert, update');
