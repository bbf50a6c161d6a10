-- A transfer or batch above what the merchant chose waits for one of its people, and no code releases it.

alter table disbursement_settings
  add column approval_above_kobo bigint constraint disbursement_settings_approval_above check (approval_above_kobo >= 0); -- null: none waits

-- PERSON: it waits for one of the merchant's people. Whoever approves takes the mark away, so nothing is sent under it.
alter table disbursements
  drop constraint disbursements_approval_known,
  add constraint disbursements_approval_known check (approval in ('ASKED', 'GIVEN', 'REFUSED', 'PERSON'));

alter table batches add column needs_person boolean not null default false;
