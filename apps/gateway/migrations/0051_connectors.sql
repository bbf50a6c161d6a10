-- Several banks at once (docs/decisions/0090-several-connectors.md). A connector gets its number in a cell with the first route that names it.
grant insert on connectors to cowrie_engine;

-- Which connectors a payout may go through, the preferred one first: a version for each change, never edited.
create table payout_routes (
  id bigint constraint payout_routes_pkey primary key,
  bank_code text,             -- of the account that is paid; null: any
  above_kobo bigint not null constraint payout_routes_above_known check (above_kobo >= 0),
  connectors text[] not null, -- none: this route is withdrawn
  valid_from timestamptz not null,
  created_at timestamptz not null,
  constraint payout_routes_one_per_instant unique nulls not distinct (bank_code, above_kobo, valid_from)
);
grant select, insert on payout_routes to cowrie_engine;
