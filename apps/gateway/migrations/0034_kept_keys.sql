-- A lost secret key takes the limited keys with it, but for those that the act names (docs/decisions/0052-administration-over-http.md).

alter table key_links add column kept_keys text[] not null default '{}'; -- API keys of the limited keys that go on
