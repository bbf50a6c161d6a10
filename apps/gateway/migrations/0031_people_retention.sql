-- Invitations that ended and devices that nobody uses are forgotten after a time; until now the program could not delete them.
grant delete on invitations, devices to cowrie_engine;
create index invitations_by_end on invitations (expires_at);
create index devices_by_use on devices (last_seen);
