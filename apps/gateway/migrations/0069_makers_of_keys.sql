-- A key counts as whoever made it, and as whoever approved that it was made: neither is the second person of what the key asks for.
alter table api_keys add column approved_by text;
alter table approvals add column requester_makers text[];
alter table approvals drop constraint approvals_two_people;
alter table approvals add constraint approvals_two_people check (
  status <> 'EXECUTED'
  or decider_id is not null and decider_id is distinct from requester_id and lower(decider_name) <> lower(requester_name)
    and lower(decider_name) <> all(coalesce(requester_makers, '{}'))
);
