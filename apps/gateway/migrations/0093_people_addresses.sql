-- From where a merchant's people come in, owners apart (docs/decisions/0042-people.md). Empty: from anywhere.
alter table merchants add column people_addresses text[] not null default '{}';
