-- Four eyes that nobody thins out: who ever managed the others is remembered, a new or raised operator approves from a later day, and an invitation may open later.
alter table memberships
  add column managed boolean not null default false,
  add column approves_from timestamptz;  -- null: at once
update memberships set managed = true where role in ('owner', 'admin');
alter table invitations add column opens_at timestamptz;  -- null: at once
