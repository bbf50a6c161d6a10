-- What an operator may repair: a break has somebody who sees to it, and postings that two people decided on name their approval.

alter table recon_breaks add column assigned_to text; -- the operator who sees to it
alter table recon_breaks add column approval_id bigint; -- of the correction that ended it

create table approved_postings ( -- postings that two people decided on: the approval of each; insert-only
  transfer_id bigint constraint approved_postings_pkey primary key,
  merchant_id bigint not null,
  approval_id bigint not null constraint approved_postings_approval_fkey references approvals
);
call open_table('approved_postings', 'select', 'select, insert');

-- Money in suspense may be given to a wallet.
alter table suspense_items drop constraint suspense_items_status_known;
alter table suspense_items add constraint suspense_items_status_known check (status in ('HELD', 'RETURNING', 'RETURNED', 'REASSIGNED'));
alter table suspense_items drop constraint suspense_items_returned;
alter table suspense_items add constraint suspense_items_returned check ((status = 'RETURNED') = (return_session_id is not null)
  and (status in ('RETURNED', 'REASSIGNED')) = (closed_at is not null));

-- A cell with merchants has its house already; elsewhere the first merchant opens it.
alter table accounts no force row level security;
insert into accounts (id, merchant_id, kind) select 5, 0, 'DIFFERENCES' where exists (select from accounts where id = 0) on conflict do nothing;
alter table accounts force row level security;
