-- Exports too large to be waited for are written by a worker and kept for a week; filters of lists are saved under a name (docs/decisions/0063).

create table exports (
  id bigint constraint exports_pkey primary key,
  merchant_id bigint not null constraint exports_merchant_fkey references merchants,
  asked_by text not null,
  query text not null,                   -- JSON: the search, with its upper bound
  masked boolean not null,               -- whoever asked may not see personal data
  file_name text not null,
  rows_expected bigint not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  attempt integer not null default 0,    -- whoever writes says which one it is: of two only the later keeps anything
  lease_until timestamptz,               -- somebody writes it
  rows_written bigint not null default 0,
  bytes bigint not null default 0,
  pieces integer,                        -- of the whole file
  ready_at timestamptz,
  failed_at timestamptz,
  constraint exports_whole check ((ready_at is null) = (pieces is null)),
  constraint exports_one_end check (num_nonnulls(ready_at, failed_at) <= 1)
) with (fillfactor = 50);
create index exports_by_merchant on exports (merchant_id, id);
create index exports_by_end on exports (expires_at);
call open_table('exports', 'select', 'select, insert, update, delete');

-- One gzip stream, cut anywhere. Pieces of an attempt that was given up are deleted by the next.
create table export_pieces (
  export_id bigint not null constraint export_pieces_export_fkey references exports on delete cascade,
  attempt integer not null,
  number integer not null,
  merchant_id bigint not null,
  bytes bytea not null,
  constraint export_pieces_pkey primary key (export_id, attempt, number)
);
alter table export_pieces alter column bytes set storage external; -- they are compressed already
call open_table('export_pieces', 'select', 'select, insert, delete');

create table saved_views (
  merchant_id bigint not null constraint saved_views_merchant_fkey references merchants,
  owner_id bigint not null,              -- the person, as known in the database of identities; 0: everybody at the merchant
  list text not null,
  title text not null,
  filter text not null,                  -- as in the address of the screen
  saved_by_id bigint not null,
  saved_by text not null,
  saved_at timestamptz not null,
  constraint saved_views_pkey primary key (merchant_id, owner_id, list, title)
);
call open_table('saved_views', 'select', 'select, insert, update, delete');
