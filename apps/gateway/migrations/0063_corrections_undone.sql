-- Two people may undo a correction, once: its mirror is posted, and its break is open again.
create table corrections_undone (
  correction_id bigint constraint corrections_undone_pkey primary key, -- the transfer that is undone
  transfer_id bigint not null constraint corrections_undone_transfer_key unique, -- its mirror
  merchant_id bigint not null,
  break_id bigint not null
);
call open_table('corrections_undone', 'select', 'select, insert');
