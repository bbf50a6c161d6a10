-- The merchant's server is asked before money leaves: where, and what it said of each transfer and refund.

alter table disbursement_settings add column approval_url text; -- asked before a transfer is sent; null: nobody is

-- Asked before it is sent; null: it needs no approval, or waits for something else first. Nothing is sent under a session without
-- the approval it needs.
alter table disbursements
  add column approval text constraint disbursements_approval_known check (approval in ('ASKED', 'GIVEN', 'REFUSED')),
  drop constraint disbursements_sent_under_a_session,
  add constraint disbursements_sent_under_a_session check (status not in ('PENDING', 'SUCCESS', 'REVERSED') or session_id is not null
    or (status = 'PENDING' and approval is not null)),
  add constraint disbursements_sent_with_approval check (session_id is null or approval is null or approval = 'GIVEN');

alter table refunds
  add column approval text constraint refunds_approval_known check (approval in ('ASKED', 'GIVEN', 'REFUSED')),
  add constraint refunds_completed_with_approval check (status <> 'COMPLETED' or approval is null or approval = 'GIVEN');
