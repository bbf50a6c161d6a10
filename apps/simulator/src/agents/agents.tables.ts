// The table of the agents: what they paid out.

export const AGENT_TABLES = `
-- Every redemption that an agent began, and what became of it. The code itself is not here: it belongs to the beneficiary.
create table if not exists agent_redemptions (
  session_id text primary key constraint redemption_session_form check (session_id ~ '^\\d{30}$'),
  agent_id text not null,
  code_tail text not null,
  kobo int8 not null constraint redemption_positive check (kobo > 0),
  status text not null constraint redemption_status_known check (status in ('UNKNOWN', 'PAID', 'REFUSED')),
  reason text,
  beneficiary_name text,
  asked int not null default 0,
  begun_at timestamptz not null,
  changed_at timestamptz not null
);
create index if not exists redemptions_by_time on agent_redemptions (begun_at);
`
