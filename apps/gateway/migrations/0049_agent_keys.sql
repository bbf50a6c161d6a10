-- A scope of limited keys for agents: they read, and propose what people decide about. Each of their calls is a line of the audit trail, so
-- what people did is found without them, and they without the rest (docs/decisions/0085-agents-propose.md). Both tables are small.
alter table api_keys drop constraint api_keys_scope_known;
alter table api_keys add constraint api_keys_scope_known check (scope in ('READ', 'COLLECTIONS', 'PAYOUTS', 'AGENT'));
create index trail_done on trail (merchant_id, number) where actor_role is distinct from 'AGENT' or approval_id is not null;
create index trail_of_agents on trail (merchant_id, number) where actor_role = 'AGENT';
