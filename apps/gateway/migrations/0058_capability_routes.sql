-- In which order connectors are asked for what is not a payout (docs/decisions/0100-routes-by-capability.md): a version for each change, never edited.
-- A table of its own, because a process of the version before takes every row of payout_routes for a route of payouts.
create table capability_routes (
  id bigint constraint capability_routes_pkey primary key,
  capability text not null constraint capability_routes_capability_known check (capability in ('numbers', 'card', 'identity')),
  connectors text[] not null, -- none: this route is withdrawn
  valid_from timestamptz not null,
  created_at timestamptz not null,
  constraint capability_routes_one_per_instant unique (capability, valid_from)
);
grant select, insert on capability_routes to cowrie_engine;
