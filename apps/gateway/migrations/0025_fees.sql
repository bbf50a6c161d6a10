-- Fees by method with a flat part, for payouts, refunds and verification too, and limits of a merchant (docs/decisions/0045-fees-and-limits.md).

alter table fee_schedules
  add column method text not null default 'ANY' constraint fee_schedules_method_known check (method in
    ('ANY', 'ACCOUNT_TRANSFER', 'USSD', 'CARD', 'DIRECT_DEBIT', 'PAYOUT', 'REFUND', 'VERIFICATION')),
  add column flat_kobo bigint not null default 0 constraint fee_schedules_flat check (flat_kobo >= 0),
  add column bearer text not null default 'MERCHANT' constraint fee_schedules_bearer_known check (bearer = 'MERCHANT'),
  add column created_at timestamptz,     -- null: made before this was kept
  drop constraint fee_schedules_one_per_instant,
  add constraint fee_schedules_one_per_instant unique (merchant_id, method, valid_from),
  -- A fee is never changed for what has been paid already.
  add constraint fee_schedules_not_in_the_past check (valid_from >= created_at);

-- The schedule that what leaves was priced by when it was accepted; null: the tariff for all. Its postings name it too.
alter table disbursements add column fee_schedule_id bigint;
alter table refunds add column fee_schedule_id bigint;
alter table paycodes add column fee_schedule_id bigint;
-- A merchant may be charged nothing for an answer.
alter table verifications
  drop constraint verifications_answers_are_charged,
  add constraint verifications_answers_are_charged check (outcome = 'ANSWERED' or fee_kobo = 0);

create table merchant_limits ( -- dated rows, never edited; the newest of a kind is in force, none: no limit
  id bigint constraint merchant_limits_pkey primary key,
  merchant_id bigint not null constraint merchant_limits_merchant_fkey references merchants,
  kind text not null constraint merchant_limits_kind_known check (kind in ('COLLECTIONS', 'PAYOUTS')),
  per_payment_kobo bigint constraint merchant_limits_payment check (per_payment_kobo > 0), -- null: none
  per_day_kobo bigint constraint merchant_limits_day check (per_day_kobo >= coalesce(per_payment_kobo, 1)), -- of West Africa Time; null: none
  valid_from timestamptz not null,
  constraint merchant_limits_payouts_whole check (kind <> 'PAYOUTS' or num_nulls(per_payment_kobo, per_day_kobo) = 0)
);
create index merchant_limits_merchant on merchant_limits (merchant_id, kind, valid_from);
call open_table('merchant_limits', 'select', 'select, insert');
create trigger merchant_limits_changed after insert or update or delete on merchant_limits
  for each statement execute function raise_merchant_revision();
