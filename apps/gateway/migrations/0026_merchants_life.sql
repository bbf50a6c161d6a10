-- A merchant's life from application to closing (docs/decisions/0046-merchants-life.md): its file, its documents, and the one-time
-- links by which an owner gets the keys.

create table merchant_files ( -- one for every merchant, also before it has a key and after it is closed; id is the merchant's
  id bigint constraint merchant_files_pkey primary key,
  merchant_id bigint not null constraint merchant_files_own check (merchant_id = id),
  status text not null constraint merchant_files_status_known
    check (status in ('APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'LIVE', 'SUSPENDED', 'CLOSED', 'REJECTED')),
  version integer not null default 1,
  name text not null,
  email text not null,                   -- of the owner
  registration_number text,              -- null, with the rest: it joined without an application
  address text,
  website text,
  contact text,
  expected_monthly_naira bigint,
  created_by text not null,
  created_at timestamptz not null,
  constraint merchant_files_applied check (status not in ('APPLIED', 'IN_SANDBOX', 'IN_REVIEW', 'REJECTED')
    or num_nulls(registration_number, address, contact, expected_monthly_naira) = 0)
);
call open_table('merchant_files', 'select', 'select, insert, update');
insert into merchant_files (id, merchant_id, status, name, email, created_by, created_at)
  select id, id, 'LIVE', name, email, 'joining', created_at from merchants;

-- Read with everything else that a request needs to know of its merchant. The books hold it against the file.
alter table merchants add column suspended boolean not null default false; -- suspended or closed

create table merchant_documents ( -- what was recorded of each document; the newest of a kind counts. The files are kept elsewhere
  id bigint constraint merchant_documents_pkey primary key,
  merchant_id bigint not null constraint merchant_documents_file_fkey references merchant_files,
  kind text not null,
  state text not null constraint merchant_documents_state_known check (state in ('MISSING', 'RECEIVED', 'ACCEPTED', 'REFUSED')),
  note text,
  digest text,                           -- SHA-256 of the file
  recorded_by text not null,
  recorded_at timestamptz not null
);
create index merchant_documents_merchant on merchant_documents (merchant_id, kind, id);
call open_table('merchant_documents', 'select', 'select, insert');

create table key_links ( -- one-time links by which an owner gets a secret key
  id bigint constraint key_links_pkey primary key,
  merchant_id bigint not null constraint key_links_merchant_fkey references merchants,
  purpose text not null constraint key_links_purpose_known check (purpose in ('FIRST_KEY', 'LOST_KEY')),
  digest bytea constraint key_links_digest_key unique, -- keyed, of the token that was mailed last; null: none was
  expires_at timestamptz not null,
  mailed_at timestamptz,                 -- the mail server has taken it
  used_at timestamptz,
  ended_at timestamptz,                  -- another link took its place
  created_by text not null,
  created_at timestamptz not null,
  constraint key_links_used_once_in_time check (used_at is null or (used_at < expires_at and ended_at is null and digest is not null))
);
create index key_links_merchant on key_links (merchant_id, id);
create unique index key_links_one_open on key_links (merchant_id) where used_at is null and ended_at is null;
call open_table('key_links', 'select', 'select, insert, update');
