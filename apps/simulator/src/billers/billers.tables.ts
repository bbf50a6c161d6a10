// The tables of the vends.

export const BILLER_TABLES = `
-- What became of every vend that was ordered or barred. turns_to is what it becomes at turns_at, sandbox time.
-- One that was barred before it arrived has no product, no customer and no amount.
create table if not exists vends (
  session_id text primary key constraint vend_session_form check (session_id ~ '^\\d{30}$'),
  status text not null constraint vend_status_known check (status in ('SUCCESS', 'FAILED', 'PENDING')),
  response_code text not null,
  product_code text,
  customer_id text,
  kobo int8 constraint vend_positive check (kobo > 0),
  payable_kobo int8 constraint vend_payable check (payable_kobo > 0 and payable_kobo <= kobo),
  asked int not null,
  ordered_at timestamptz,
  barred_at timestamptz,
  turns_to text constraint vend_turn_known check (turns_to in ('SUCCESS', 'FAILED')),
  turns_at timestamptz,
  constraint vend_turn_whole check ((turns_to is null) = (turns_at is null)),
  constraint vend_barred_for_ever check (barred_at is null or (status = 'FAILED' and turns_to is null)),
  constraint vend_delivered_is_ordered check (status <> 'SUCCESS' or payable_kobo is not null)
);

-- The billers' account of us: a session is charged at most once, because the key says so.
create table if not exists vend_charges (
  session_id text primary key references vends,
  kobo int8 not null constraint vend_charge_positive check (kobo > 0),
  charged_at timestamptz not null
);
`
