-- A refund above what the merchant chose waits for one of its people, as a transfer does, and no code releases it.

-- PERSON: it waits for one of the merchant's people, or did in vain. Whoever approves takes the mark away; under it nothing is completed.
alter table refunds
  drop constraint refunds_approval_known,
  add constraint refunds_approval_known check (approval in ('ASKED', 'GIVEN', 'REFUSED', 'PERSON')),
  add constraint refunds_person_has_a_day check (approval is distinct from 'PERSON' or (authorize_by is not null) = (status = 'PENDING'));
