-- What a bank says of a payout beside its outcome (docs/decisions/0097-payouts-of-version-2.md). Of disbursements and of bank orders: both have sessions.
create table payout_details (
  session_id text constraint payout_details_pkey primary key,
  merchant_id bigint not null constraint payout_details_merchant_fkey references merchants,
  connector smallint not null constraint payout_details_connector_fkey references connectors,
  network_reference text constraint payout_details_network_length check (length(network_reference) between 1 and 60),
  fee_kobo bigint constraint payout_details_fee_known check (fee_kobo >= 0), -- what the bank charges us; booked by its statement, not by this
  reported_at timestamptz not null,
  constraint payout_details_say_something check (num_nonnulls(network_reference, fee_kobo) > 0)
);
create index payout_details_network on payout_details (network_reference, connector) where network_reference is not null;
call open_table('payout_details', 'select', 'select, insert, update');

-- Disputes of card charges, as connectors report them. They move no money.
create table card_disputes (
  connector smallint not null constraint card_disputes_connector_fkey references connectors,
  reference text not null constraint card_disputes_reference_length check (length(reference) between 1 and 60), -- the acquirer's
  merchant_id bigint not null constraint card_disputes_merchant_fkey references merchants,
  transaction_id bigint not null,
  charge_reference text not null,
  kobo bigint not null constraint card_disputes_kobo_known check (kobo >= 0),
  state text not null constraint card_disputes_state_known check (state in ('OPENED', 'ANSWERED', 'WON', 'LOST', 'CLOSED')),
  reason_code text,
  reason text,
  due_at timestamptz,
  said_at timestamptz not null, -- when it happened at the acquirer; what happened later counts
  reported_at timestamptz not null,
  changed_at timestamptz not null,
  constraint card_disputes_pkey primary key (connector, reference)
);
create index card_disputes_open on card_disputes (reported_at) where state in ('OPENED', 'ANSWERED');
create index card_disputes_transaction on card_disputes (transaction_id);
call open_table('card_disputes', 'select', 'select, insert, update');
