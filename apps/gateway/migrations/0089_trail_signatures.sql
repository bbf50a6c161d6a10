-- The heads of the audit trail, signed every hour by a key that no database holds, so that whoever rewrites a chain is found out (docs/decisions/0041-acts-approvals-and-the-audit-trail.md).
create table trail_signatures (
  number bigint constraint trail_signatures_pkey primary key constraint trail_signatures_from_one check (number > 0),
  at timestamptz not null,
  document text not null,                -- JSON: which heads, with the signature over their digest
  published_at timestamptz               -- null: not yet in the log, the folder and the mail
);
create index trail_signatures_unpublished on trail_signatures (number) where published_at is null;
grant select, insert, update on trail_signatures to cowrie_engine;
