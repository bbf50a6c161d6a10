-- A default share is kept to six decimals of a percent: default_split stays its first four, in millionths of the whole, and this is the other two.
alter table sub_accounts
  add column default_split_rest smallint not null default 0,
  add constraint sub_accounts_default_split_rest check (default_split_rest between 0 and 99 and (default_split_rest = 0 or default_split < 1000000));
