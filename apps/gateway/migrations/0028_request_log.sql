-- The request log: what merchants and people asked of us in the last days. Unlogged: it costs no WAL, and after a crash it is empty.

-- An id is the moment of the answer in milliseconds and 22 bits that tell lines of one millisecond apart, so ids are in the order of time
-- and processes need not agree on them. No body, no query, no header is here.
create unlogged table request_log (
  id bigint constraint request_log_pkey primary key,
  merchant_id bigint not null,           -- 0: no merchant's
  at timestamptz not null,
  method text not null,
  path text not null,
  route text not null,
  status integer not null,
  ms integer not null,
  key text,                              -- the public half of an API key, or a person's e-mail address
  request_id uuid not null,
  caller text not null,                  -- network address
  code text
);
create index request_log_by_merchant on request_log (merchant_id, id);
create index request_log_by_request on request_log (request_id);
call open_table('request_log', 'select', 'select, insert, delete');
