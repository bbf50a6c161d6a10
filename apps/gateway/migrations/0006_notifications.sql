-- Notifications: endpoints with how they are doing, deliveries by event and endpoint, two secret keys that overlap.

create table endpoints ( -- where events are sent; a removed one stays, because deliveries name it
  id bigint constraint endpoints_pkey primary key,
  merchant_id bigint not null constraint endpoints_merchant_fkey references merchants,
  url text not null,
  activities text[] not null,           -- whose address it is; their kinds are named by the contract
  event_types text[] not null,          -- kinds it chose beside them
  description text not null,
  status text not null default 'ENABLED' constraint endpoints_status_known check (status in ('ENABLED', 'DISABLED', 'REMOVED')),
  version integer not null default 1,
  disabled_reason text constraint endpoints_reason_known check (disabled_reason in ('GONE', 'FAILING', 'BY_MERCHANT')),
  answered boolean not null default false, -- has ever answered 200
  failing_since timestamptz,               -- the first failure since the last 200
  window_from timestamptz,                 -- failures are counted over a minute; these three are that minute
  window_tries integer not null default 0,
  window_failures integer not null default 0,
  rest_until timestamptz,                  -- nothing is sent before; then one event, to see
  rests integer not null default 0,        -- how many rests in a row
  created_at timestamptz not null,
  constraint endpoints_disabled_for_a_reason check ((status = 'DISABLED') = (disabled_reason is not null))
);
create unique index endpoints_address on endpoints (merchant_id, url) where status <> 'REMOVED'; -- an event goes to one address once

grant select, insert, update on endpoints to cowrie_app, cowrie_engine;
alter table endpoints enable row level security;
alter table endpoints force row level security;
create policy own_rows on endpoints to cowrie_app using (merchant_id = acting_merchant()) with check (merchant_id = acting_merchant());
create policy all_rows on endpoints to cowrie_engine using (true) with check (true);

-- Addresses in use become endpoints; addresses that only old deliveries name become removed ones.
insert into endpoints (id, merchant_id, url, activities, event_types, description, created_at)
  select nextval('ids'), u.merchant_id, u.url, u.activities, '{}', '', m.created_at
  from (select merchant_id, url, array_agg(kind order by kind) as activities from webhook_urls group by 1, 2) u join merchants m on m.id = u.merchant_id;
insert into endpoints (id, merchant_id, url, activities, event_types, description, status, version, created_at)
  select nextval('ids'), d.merchant_id, d.url, '{}', '{}', '', 'REMOVED', 2, m.created_at
  from (select distinct merchant_id, url from deliveries) d join merchants m on m.id = d.merchant_id
  where not exists (select from endpoints e where e.merchant_id = d.merchant_id and e.url = d.url);
insert into state_changes (object, object_id, version, merchant_id, action, from_state, to_state, at)
  select 'endpoint', id, 2, merchant_id, 'remove', 'ENABLED', 'REMOVED', created_at from endpoints where status = 'REMOVED';
drop table webhook_urls;

-- A delivery is an event on its way to an endpoint; the address is read when it is sent. Nobody leases a delivery: a
-- worker holds the endpoint (a lock of its session), and with it everything on its way there.
alter table deliveries add column endpoint_id bigint, add column tries integer not null default 0, -- since it was last sent anew
  add column round integer not null default 0; -- how often it was sent anew: what comes of an attempt before says nothing of the next
update deliveries d set tries = attempts, endpoint_id = (
  select e.id from endpoints e where e.merchant_id = d.merchant_id and e.url = d.url);
alter table delivery_attempts add column event_id bigint, add column endpoint_id bigint;
update delivery_attempts a set event_id = d.event_id, endpoint_id = d.endpoint_id from deliveries d where d.id = a.delivery_id;
alter table delivery_attempts drop column delivery_id, alter column event_id set not null, alter column endpoint_id set not null,
  add constraint delivery_attempts_pkey primary key (event_id, endpoint_id, attempt);
alter table deliveries drop column id, drop column url, drop column endpoint, drop column lease_until, alter column endpoint_id set not null,
  add constraint deliveries_pkey primary key (event_id, endpoint_id);
update deliveries d set state = 'GIVEN_UP' from endpoints e where e.id = d.endpoint_id and e.status = 'REMOVED' and d.state = 'PENDING';
drop index deliveries_object;
create index deliveries_due on deliveries (endpoint_id, due_at, number) where state = 'PENDING';
create index deliveries_object on deliveries (endpoint_id, object_id, number) where state = 'PENDING';
create index deliveries_tried on deliveries (endpoint_id, due_at) where state = 'PENDING' and tries > 0; -- what an endpoint that rested is looked at with
create index deliveries_given_up on deliveries (merchant_id, number) where state = 'GIVEN_UP';
grant insert, update on deliveries to cowrie_app; -- a merchant sends its own events again

-- A second secret key beside the first, until the overlap ends.
alter table merchants add column next_secret_sealed text, add column next_secret_digest bytea, add column overlap_until timestamptz,
  add constraint merchants_next_secret_whole check (num_nulls(next_secret_sealed, next_secret_digest, overlap_until) in (0, 3));
