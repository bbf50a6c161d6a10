-- Searching: the newest transactions first, by any filter, with exact totals, also for a merchant with millions of them.
-- docs/decisions/0008-search.md says why it is made this way.

-- Whole values are searched regardless of case. 64 bits of MD5: nobody can make an address that is taken for somebody
-- else's, and an entry of an index stays small. The collation folds letters of every script, whatever the cluster's is.
create function search_key(value text) returns bigint language sql immutable strict parallel safe
  return ('x' || left(md5(lower(value collate "und-x-icu")), 16))::bit(64)::bigint;

-- Old transactions of a merchant in consecutive runs, ordered by (created_at, id): a run holds the keys after
-- (after_at, after_id) up to and with (last_at, last_id). What is younger than the last run has none.
create table search_blocks (
  merchant_id bigint not null,
  number integer not null,
  after_at timestamptz not null,
  after_id bigint not null,
  last_at timestamptz not null,
  last_id bigint not null,
  sealed boolean not null default false, -- its parts are true; a row that comes late, or changes, takes this away
  rows integer not null default 0,
  constraint search_blocks_pkey primary key (merchant_id, number),
  constraint search_blocks_run_forward check ((after_at, after_id) < (last_at, last_id))
);
create index search_blocks_newest on search_blocks (last_at); -- every insert asks whether it is late: one look
create index search_blocks_unsealed on search_blocks (merchant_id, number) where not sealed;
call open_table('search_blocks', 'select, update (sealed)', 'select, insert, update');

create table search_parts ( -- the rows of a sealed block in one state, by amount
  merchant_id bigint not null,
  number integer not null,
  status text not null,
  rows integer not null,
  amounts bigint[] not null,             -- kobo, ascending: a binary search counts a range
  ids bigint[] not null,                 -- in the same order
  places integer[] not null,             -- in the same order: the place of the row in its block, the oldest is 1
  constraint search_parts_pkey primary key (merchant_id, number, status),
  constraint search_parts_block_fkey foreign key (merchant_id, number) references search_blocks,
  constraint search_parts_of_one_length
    check (cardinality(amounts) = rows and cardinality(ids) = rows and cardinality(places) = rows)
);
-- Compressing saves a third and costs every count the reading.
alter table search_parts alter amounts set storage external, alter ids set storage external, alter places set storage external;
call open_table('search_parts', 'select', 'select, insert, delete');

create table search_values ( -- e-mail addresses and names that many rows of a sealed block share, and how many
  merchant_id bigint not null,
  kind text not null constraint search_values_kind_known check (kind in ('email', 'name')),
  key bigint not null,
  number integer not null,
  rows integer not null,
  constraint search_values_pkey primary key (merchant_id, kind, key, number),
  constraint search_values_block_fkey foreign key (merchant_id, number) references search_blocks
);
call open_table('search_values', 'select', 'select, insert, delete');
