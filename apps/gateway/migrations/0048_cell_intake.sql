-- Whether a cell takes new merchants is an operator's decision, made while everything runs (docs/decisions/0082-cells-as-an-act.md).
create table cell_intake (
  single boolean constraint cell_intake_pkey primary key default true constraint cell_intake_single check (single),
  state text not null constraint cell_intake_state_known check (state in ('NEW', 'OPEN', 'DRAINING', 'CLOSED')),
  since timestamptz, -- when somebody decided it; null: nobody has
  constraint cell_intake_decided check ((state = 'NEW') = (since is null))
);
insert into cell_intake (state) values ('NEW');
grant select, update on cell_intake to cowrie_engine;
