-- Verification of identities: what the registers were asked for a merchant, and what that cost (docs/decisions/0035-verification.md).

create table verifications ( -- every question that a register has answered
  id bigint constraint verifications_pkey primary key,
  merchant_id bigint not null constraint verifications_merchant_fkey references merchants,
  product text not null constraint verifications_product_known check (product in ('BVN_DETAILS', 'BVN_ACCOUNT', 'NIN_DETAILS')),
  outcome text not null constraint verifications_outcome_known check (outcome in ('ANSWERED', 'NOT_FOUND')),
  subject_digest bytea not null constraint verifications_digest check (octet_length(subject_digest) = 32), -- keyed; the number is nowhere
  consent_reference text,                -- the merchant's name of the person's consent
  matches text,                          -- what matched and how well; nothing that says who it is
  fee_kobo bigint not null constraint verifications_fee check (fee_kobo >= 0),
  created_at timestamptz not null,
  constraint verifications_answers_are_charged check ((outcome = 'ANSWERED') = (fee_kobo > 0))
);
create index verifications_newest on verifications (merchant_id, created_at, id);
call open_table('verifications', 'select, insert', 'select');
