-- What each acquirer owes us is an account of its own (docs/decisions/0098-accounting-that-follows.md). That of the first connector stays
-- account 1. Nothing here reads or rewrites a large table.
insert into accounts (id, merchant_id, kind) select c.id * 16::bigint + 1, 0, 'CARD_RECEIVABLE' from connectors c where c.id <> 1
on conflict do nothing;

-- Whoever acts for a merchant may post to the accounts of connectors, as to those of the house: a payer's card is charged in the merchant's name.
create or replace function acts_for_accounts(accounts bigint[]) returns boolean language sql stable parallel safe
  return not exists (
    select from unnest(accounts) account
    where account / 16 <> 0 and not (account / 16 <= 32767 and account % 16 in (0, 1)) and not acts_for_account(account));

-- Processes of the version before this one run beside it for a while, and post every charge to account 1. Here it gets to its own. To be
-- dropped when no such process can be left.
create function post_to_acquirer() returns trigger language plpgsql as $$
declare
  acquirer bigint;
begin
  if new.object = 'transaction' then
    select c.connector into acquirer from card_charges c where c.transaction_id = new.object_id and c.status = 'APPROVED';
  else
    select c.connector into acquirer from refunds r join card_charges c on c.reference = r.charge_reference where r.id = new.object_id;
  end if;
  if acquirer > 1 then
    new.accounts := array_replace(new.accounts, 1::bigint, acquirer * 16 + 1);
  end if;
  return new;
end $$;
create trigger transfers_of_acquirers before insert on transfers for each row
  when (new.kind in ('COLLECTION', 'REFUND', 'REFUND_REVERSAL') and 1 = any(new.accounts)) execute function post_to_acquirer();
-- The same: a connector that one of them is the first to use gets all of its accounts.
create function open_receivable() returns trigger language plpgsql as $$
begin
  insert into accounts (id, merchant_id, kind) values (new.id * 16::bigint + 1, 0, 'CARD_RECEIVABLE') on conflict do nothing;
  return null;
end $$;
create trigger connectors_receivable after insert on connectors for each row execute function open_receivable();

alter table statement_lines add column acquirer text;    -- of a card settlement: the connector that pays it, as the line names it
create or replace view statement_booked with (security_invoker = true) as
select l.* from statement_lines l -- a filter, not a join: the plans of what reads it must not change with the statistics of the days
where l.reading = (select d.reading from statement_days d where d.day = l.day and d.connector = l.connector and d.read_at is not null);

alter table house_bookings add column acquirer smallint; -- of a card settlement: whose debt it paid; null: the first connector's

-- Money that we move between two of our own banks: an account for what is on its way, and which lines belong together. Constraints
-- that only allow more are not held against old rows again.
insert into accounts (id, merchant_id, kind) select 14, 0, 'SWEEPS' where exists (select from accounts where id = 0) on conflict do nothing;
alter table house_bookings add column other_side bigint, -- of a sweep: the posting of its other side, once both were seen
  drop constraint house_bookings_kind_known,
  add constraint house_bookings_kind_known
    check (kind in ('FEE', 'TAX', 'LEVY', 'CARD_SETTLEMENT', 'SWEEP_OUT', 'SWEEP_IN')) not valid;
grant update (other_side) on house_bookings to cowrie_engine;
alter table recon_breaks drop constraint recon_breaks_class_known, add constraint recon_breaks_class_known
  check (class in ('MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'DUPLICATE', 'TIMING', 'REVERSAL', 'UNKNOWN_OWNER', 'BALANCE', 'TRANSIT')) not valid;
