// The tables of refunds to cards.

export const CARD_REFUND_TABLES = `
-- What became of every refund that was ordered or barred; as the payouts.
create table if not exists card_refunds (
  session_id text primary key constraint card_refund_session_form check (session_id ~ '^\\d{30}$'),
  charge_reference text,
  status text not null constraint card_refund_status_known check (status in ('SUCCESS', 'FAILED', 'PENDING', 'REVERSED')),
  response_code text not null,
  kobo int8 constraint card_refund_positive check (kobo > 0),
  narration text,
  asked int not null,
  ordered_at timestamptz,
  changed_at timestamptz not null,
  barred_at timestamptz,
  turns_to text constraint card_refund_turn_known check (turns_to in ('SUCCESS', 'FAILED', 'REVERSED')),
  turns_at timestamptz,
  constraint card_refund_turn_whole check ((turns_to is null) = (turns_at is null)),
  constraint card_refund_barred_for_ever check (barred_at is null or (status = 'FAILED' and turns_to is null)),
  constraint card_refund_ordered_whole check ((kobo is null) = (charge_reference is null))
);
create index if not exists card_refunds_by_charge on card_refunds (charge_reference);

-- The book of refunds: a session is refunded at most once and reversed at most once, because the key says so.
create table if not exists card_refund_money (
  session_id text not null references card_refunds,
  kind text not null constraint card_refund_money_kind_known check (kind in ('REFUNDED', 'RETURNED')),
  kobo int8 not null constraint card_refund_money_positive check (kobo > 0),
  booked_at timestamptz not null,
  primary key (session_id, kind)
);

-- A notice may be of a refund too, and \`said\` is the status it reports; or of a charge, of which it says nothing.
alter table notices add column if not exists card_refund_session_id text references card_refunds;
alter table notices add column if not exists charge_reference text references card_charges;
alter table notices drop constraint if exists notice_of_one,
  add constraint notice_of_one check (num_nonnulls(session_id, payout_session_id, debit_session_id, mandate_code, card_refund_session_id, charge_reference) = 1);
create index if not exists notices_of_card_refund on notices (card_refund_session_id);
`
