-- What the nightly run of the invariants found, for the operator; and how far a run is.

create table books_runs (
  day date constraint books_runs_pkey primary key, -- the West African day on whose morning it runs
  started_at timestamptz,
  finished_at timestamptz,
  constraint books_runs_in_order check (finished_at is null or started_at is not null)
);
create unique index books_runs_open on books_runs ((true)) where finished_at is null; -- one at a time

create table books_results (
  day date not null constraint books_results_day_fkey references books_runs on delete cascade,
  invariant text not null,
  state text not null constraint books_results_state_known check (state in ('RUNNING', 'DONE', 'UNFINISHED')), -- UNFINISHED: it took longer than it may
  steps integer not null,               -- statements it took so far
  position text[],                      -- the key that the next slice begins after
  violations bigint not null,
  examples text[] not null,
  ms bigint not null,
  checked_at timestamptz not null,
  constraint books_results_pkey primary key (day, invariant)
);

grant select, insert, update, delete on books_runs, books_results to cowrie_engine;
