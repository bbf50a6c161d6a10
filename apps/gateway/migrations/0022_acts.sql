-- What people do: the queue of what needs two of them, and the audit trail.

create table approvals ( -- an act that one person asked for and another must approve
  id bigint constraint approvals_pkey primary key,
  merchant_id bigint not null,           -- 0: it is about no merchant of this cell
  concerns text,                         -- API key of the merchant it is about
  side text not null constraint approvals_side_known check (side in ('merchant', 'operator')),
  act text not null,
  input text not null,                   -- canonical JSON, as it is done when it is approved
  digest bytea not null constraint approvals_digest_whole check (octet_length(digest) = 32), -- of act, merchant, input and reason
  status text not null constraint approvals_status_known check (status in ('WAITING', 'EXECUTED', 'REJECTED', 'EXPIRED')),
  version integer not null default 1,
  requester_kind text not null constraint approvals_requester_known check (requester_kind in ('person', 'key', 'command', 'timer')),
  requester_id bigint,                   -- of a person
  requester_name text not null,
  requester_role text,
  reason text not null,
  request_proof text,                    -- JSON: what is kept of a passkey's assertion over the digest
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decider_kind text,
  decider_id bigint,
  decider_name text,
  decided_at timestamptz,
  decision_reason text,
  decision_proof text,
  constraint approvals_requester_is_somebody check (requester_kind <> 'person' or requester_id is not null),
  constraint approvals_ended check ((status = 'WAITING') = (decided_at is null)),
  constraint approvals_decided_by_somebody check ((status in ('EXECUTED', 'REJECTED')) = (decider_name is not null)
    and (decider_name is null) = (decider_kind is null) and (decider_kind <> 'person' or decider_id is not null)),
  constraint approvals_two_people check (status <> 'EXECUTED'
    or (decider_id is not null and decider_id is distinct from requester_id and lower(decider_name) <> lower(requester_name))),
  constraint approvals_executed_in_time check (status <> 'EXECUTED' or decided_at < expires_at)
);
create index approvals_waiting on approvals (id) where status = 'WAITING';
create index approvals_of_merchant on approvals (merchant_id, id);
call open_table('approvals', 'select, insert', 'select, insert, update');

-- One chain per merchant: each line's hash is over the hash of the line before and the line itself, so none can be changed, left out or
-- put in between without breaking all that follow (docs/decisions/0041-acts-approvals-and-the-audit-trail.md). Insert-only.
create table trail (
  merchant_id bigint not null,           -- 0: of no merchant of this cell
  number bigint not null constraint trail_number_from_one check (number > 0),
  at timestamptz not null,
  actor_kind text not null constraint trail_actor_known check (actor_kind in ('person', 'key', 'command', 'timer')),
  actor_side text not null constraint trail_side_known check (actor_side in ('merchant', 'operator')),
  actor_id bigint,
  actor_name text not null,
  actor_role text,
  what text not null,
  reason text not null,
  before text,                           -- canonical JSON, masked
  after text,
  address text,
  request_id text,
  approval_id bigint,
  concerns text,                         -- API key of the merchant, where the line is kept with no merchant of this cell
  previous bytea not null,
  hash bytea not null constraint trail_hash_whole check (octet_length(hash) = 32),
  constraint trail_pkey primary key (merchant_id, number)
);
create index trail_of_approval on trail (approval_id) where approval_id is not null;
create index trail_concerns on trail (concerns, number) where concerns is not null;
call open_table('trail', 'select, insert', 'select, insert');

create table trail_heads ( -- the last line of each chain
  merchant_id bigint constraint trail_heads_pkey primary key,
  number bigint not null,
  hash bytea not null
);
call open_table('trail_heads', 'select, insert, update', 'select, insert, update');
