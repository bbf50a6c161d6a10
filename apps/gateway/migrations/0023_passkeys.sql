-- Passkeys, and log-ins that somebody else vouches for (docs/decisions/0043-passkeys-and-openid-connect.md). Used in the database of
-- identities only; no merchant owns a row, so only the engine may.

create table passkeys (
  id bigint constraint passkeys_pkey primary key,
  person_id bigint not null constraint passkeys_person_fkey references people,
  credential_id bytea not null constraint passkeys_credential_key unique, -- for ever: one that was ended is not taken again
  public_key bytea not null,             -- COSE
  counter bigint not null constraint passkeys_counter_positive check (counter >= 0), -- 0 for ever where the authenticator has none
  name text not null,
  transports text[] not null,            -- how the browser reaches it
  created_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz
);
create index passkeys_of_person on passkeys (person_id) where ended_at is null;

create table challenges ( -- that were used, until they expire: none is taken twice
  digest bytea constraint challenges_pkey primary key, -- SHA-256
  purpose text not null constraint challenges_purpose_known check (purpose in ('register', 'log-in', 'step-up', 'act', 'oidc')),
  person_id bigint constraint challenges_person_fkey references people,
  expires_at timestamptz not null
);
create index challenges_by_expiry on challenges (expires_at);

create table oidc_links (
  person_id bigint not null constraint oidc_links_person_fkey references people,
  issuer text not null,
  subject text not null,
  created_at timestamptz not null,
  constraint oidc_links_pkey primary key (issuer, subject),
  constraint oidc_links_person_key unique (person_id, issuer)
);

grant select, insert, update on passkeys to cowrie_engine;
grant select, insert, delete on challenges to cowrie_engine;
grant select, insert on oidc_links to cowrie_engine;
