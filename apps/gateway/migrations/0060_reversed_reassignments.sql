-- A bank may reverse money that was held first and then given to a wallet: its merchant owes it (docs/decisions/0022-receivables.md).
alter table suspense_items add column reassign_transfer_id bigint, -- the posting that gave it to a wallet
  add constraint suspense_items_reassigned check (reassign_transfer_id is null or status = 'REASSIGNED');
alter table credit_reversals drop constraint credit_reversals_outcome_known,
  add constraint credit_reversals_outcome_known check (outcome in ('COUNTED', 'SUSPENDED', 'TOPPED_UP', 'REASSIGNED')),
  drop constraint credit_reversals_of_a_transaction,
  -- What was given to a wallet is of the merchant who has the wallet, and may have been nobody's before.
  add constraint credit_reversals_of_a_transaction check (case outcome
    when 'COUNTED' then transaction_id is not null when 'TOPPED_UP' then transaction_id is null when 'REASSIGNED' then merchant_id <> 0
    else transaction_id is not null or merchant_id = 0 end);
