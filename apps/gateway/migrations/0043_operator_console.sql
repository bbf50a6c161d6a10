-- The operator finds anything over all merchants (docs/decisions/0064-search-and-view-as.md): a break by the session of the bank.
create index recon_breaks_session on recon_breaks (session_id);

-- One of the operator's people sees a merchant's screens, read only. What they saw is counted; who, when and why is in the audit trail.
create table view_grants (
  id bigint constraint view_grants_pkey primary key,
  merchant_id bigint not null constraint view_grants_merchant_fkey references merchants (id),
  person_id bigint not null,             -- in the database of identities
  role text not null,                    -- of the merchant's: whose screens
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,                  -- before it expired
  views integer not null default 0 constraint view_grants_views check (views >= 0),
  constraint view_grants_an_hour check (expires_at > created_at and expires_at <= created_at + interval '1 hour')
);
create index view_grants_person on view_grants (merchant_id, person_id, id);
call open_table('view_grants', 'select', 'select, insert, update');
