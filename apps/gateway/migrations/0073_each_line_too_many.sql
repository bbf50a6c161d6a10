-- A bank that books a credit three times has booked two too many: each is a break of its own.
alter table recon_breaks add column place smallint not null default 1;  -- of the lines of a session that came after the first: which
alter table recon_breaks drop constraint recon_breaks_once,
  add constraint recon_breaks_once unique (class, kind, session_id, connector, place);
