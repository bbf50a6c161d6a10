-- Limit profiles: how much a reserved account takes in one transfer and in a day (docs/decisions/0033-limit-profiles.md).

create table limit_profiles ( -- what each account under it may take
  id bigint constraint limit_profiles_pkey primary key,
  merchant_id bigint not null constraint limit_profiles_merchant_fkey references merchants,
  code text not null,                    -- twelve letters and digits
  name text not null,
  single_kobo bigint not null constraint limit_profiles_single check (single_kobo >= 0),
  day_payments integer not null constraint limit_profiles_payments check (day_payments > 0),
  day_kobo bigint not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  constraint limit_profiles_of_merchant unique (merchant_id, id),
  constraint limit_profiles_code_key unique (merchant_id, code),
  constraint limit_profiles_name_key unique (merchant_id, name),
  constraint limit_profiles_day check (day_kobo >= single_kobo)
);
call open_table('limit_profiles', 'select, insert, update', 'select');

-- Null: it takes what comes. The profile is one of the same merchant.
alter table reserved_accounts add column limit_profile_id bigint;
alter table reserved_accounts add constraint reserved_accounts_limit_profile_fkey
  foreign key (merchant_id, limit_profile_id) references limit_profiles (merchant_id, id);

-- One row for each account under a profile. Whoever counts a credit of it has the lock of this row, and begins it anew on another day,
-- so it does not grow with time.
create table limit_uses ( -- what an account took on the last day on which it took something
  reserved_id bigint constraint limit_uses_pkey primary key,
  merchant_id bigint not null,
  day date not null,                     -- of West Africa Time
  payments integer not null constraint limit_uses_payments check (payments >= 0),
  kobo bigint not null constraint limit_uses_kobo check (kobo >= 0)
) with (fillfactor = 50);
call open_table('limit_uses', 'select, insert', 'select, insert, update');
