-- An account number that nobody ever paid to rests hours and not months (docs/decisions/0007-virtual-accounts.md).

-- Whether a payment that had a number is over and no money ever came for it. Of an invoice the number stands on paper, so it rests as if somebody had paid.
create function nobody_paid(payment bigint, holder bigint) returns boolean language sql stable as $$
  select exists (
    select from transactions t
    where t.id = any (array[payment]) and t.merchant_id + 0 = holder and t.status in ('EXPIRED', 'CANCELLED', 'FAILED')
      and t.product_type is distinct from 'INVOICE'
  ) and not exists (select from inbound_credits c where c.transaction_id = payment)
$$;
revoke execute on function nobody_paid from public;
grant execute on function nobody_paid to cowrie_engine;

-- Of those that had the number before: false as soon as one of them may have been paid.
alter table former_holders add column unpaid boolean not null default false;
