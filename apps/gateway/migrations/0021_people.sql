-- People: who they are, where they belong, how they come in (docs/decisions/0042-people.md). These tables are used in one database, that of
-- identities; in every other cell they are empty. No merchant owns a row, so row-level security has nothing to go by: only the engine may.

create table people (
  id bigint constraint people_pkey primary key,
  email text not null constraint people_email_key unique constraint people_email_lower check (email = lower(email)),
  name text not null,
  password_digest text,                  -- scrypt$N$r$p$salt$digest; null: comes in another way
  totp_sealed text,                      -- the seed of the authenticator app; sealed for this person
  totp_last_step bigint,                 -- of the last code that was taken: none is taken twice
  totp_next_sealed text,                 -- a seed of which no code was seen yet
  has_passkey boolean not null default false,
  created_at timestamptz not null,
  constraint people_totp_whole check (num_nulls(totp_sealed, totp_last_step) in (0, 2))
);

create table memberships ( -- of a merchant, or of the operator where no merchant is named
  id bigint constraint memberships_pkey primary key,
  person_id bigint not null constraint memberships_person_fkey references people,
  merchant_cell text,
  member_of bigint,                      -- the merchant's id, in its cell
  role text not null,
  created_at timestamptz not null,
  created_by text not null,
  ended_at timestamptz,
  constraint memberships_merchant_whole check (num_nulls(merchant_cell, member_of) in (0, 2))
);
create unique index memberships_open on memberships (person_id, coalesce(merchant_cell, ''), coalesce(member_of, 0)) where ended_at is null;
create index memberships_of_merchant on memberships (member_of, merchant_cell) where ended_at is null;

create table sessions (
  id bigint constraint sessions_pkey primary key,
  person_id bigint not null constraint sessions_person_fkey references people,
  membership_id bigint not null constraint sessions_membership_fkey references memberships,
  side text not null constraint sessions_side_known check (side in ('merchant', 'operator')),
  digest bytea not null constraint sessions_digest_key unique, -- SHA-256 of the token
  half boolean not null,                 -- the password was right, the code is missing
  created_at timestamptz not null,
  used_at timestamptz not null,
  proved_at timestamptz,                 -- with a second factor
  ends_at timestamptz not null,          -- at the latest
  device text not null,
  address text not null,
  ended_at timestamptz
);
create index sessions_of_person on sessions (person_id) where ended_at is null;
create index sessions_by_end on sessions (ends_at);

create table invitations (
  id bigint constraint invitations_pkey primary key,
  email text not null constraint invitations_email_lower check (email = lower(email)),
  name text not null,
  merchant_cell text,
  member_of bigint,
  role text not null,
  resets boolean not null,               -- to a member, who sets another password with it
  digest bytea not null constraint invitations_digest_key unique, -- SHA-256 of the token in the link
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint invitations_merchant_whole check (num_nulls(merchant_cell, member_of) in (0, 2))
);
create index invitations_by_email on invitations (email) where used_at is null;

create table recovery_codes (
  person_id bigint not null constraint recovery_codes_person_fkey references people,
  digest bytea not null,                 -- keyed
  used_at timestamptz,
  constraint recovery_codes_pkey primary key (person_id, digest)
);

create table devices ( -- browsers and command lines that a person has come in from
  person_id bigint not null constraint devices_person_fkey references people,
  digest bytea not null,                 -- SHA-256 of what its cookie holds
  name text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  trusted boolean not null,              -- a second factor was seen on it
  constraint devices_pkey primary key (person_id, digest)
);

create table people_mails ( -- to people; the text is sealed, because it may hold a one-time link
  id bigint constraint people_mails_pkey primary key,
  recipient text not null,
  subject text not null,
  text_sealed text not null,
  created_at timestamptz not null,
  try_at timestamptz not null,           -- when it is sent, or sent again
  sent_at timestamptz,
  refused_at timestamptz                 -- by its server for good
);
create index people_mails_unsent on people_mails (try_at) where sent_at is null and refused_at is null;

grant select, insert, update on people, memberships, sessions, invitations, devices, people_mails to cowrie_engine;
grant select, insert, update, delete on recovery_codes to cowrie_engine;
grant delete on sessions, people_mails to cowrie_engine;
