// What must be over before a month leaves: each is a question about its rows, and its name says what is still
// open. They are asked on one snapshot with the books. $1 and $2 are the first id of the month and the first
// after it, $3 is the first day after it.
import { MACHINES } from '@cowrie/contract'

const within = (id: string): string => `${id} >= $1::bigint and ${id} < $2::bigint`
const ENDED = `('SUCCESS', 'FAILED', 'REVERSED', 'EXPIRED')`

/** Objects that leave; those of the other machines stay, and so do their histories. */
const LEAVING: ReadonlySet<string> = new Set(['transactions', 'disbursements', 'bills'])
export const STAYING: readonly string[] = MACHINES.filter(({ table }) => !LEAVING.has(table)).map(({ name }) => name)

export const OPEN_QUESTIONS: Readonly<Record<string, string>> = {
  'a transaction waits, or takes money': `
    select t.id from transactions t where ${within('t.id')} and (t.status = 'PENDING' or t.closed_at is null)`,
  'a payout has not come to its end': `
    select d.id from disbursements d where ${within('d.id')} and d.status not in ${ENDED}`,
  'a bill has not come to its end': `
    select b.id from bills b where ${within('b.id')} and b.status = 'IN_PROGRESS'`,
  'a batch has rows that have not come to their end': `
    select b.id from batches b where ${within('b.id')} and b.status not in ('COMPLETED', 'EXPIRED')`,
  'an event has no number': `select o.event_id from outbox o where ${within('o.event_id')}`,
  'an event is on its way to an endpoint': `
    select d.event_id from deliveries d where ${within('d.event_id')} and d.state = 'PENDING'`,
  // Lines that cancel each other out are paid by no settlement, and owed to nobody: they may leave together.
  'money is not settled': `
    select l.account_id, sum(l.kobo) as kobo from settlement_lines l
    where ${within('l.transfer_id')} and l.settlement_id is null
    group by l.account_id having sum(l.kobo) <> 0`,
  'a posting is not in the roll-ups': `
    select t.id from transfers t where ${within('t.id')} and t.xid >= (select upto_xid from rollup_horizon)`,
  'a posting was not looked at by the settlements': `
    select t.id from transfers t where ${within('t.id')} and t.xid >= (select upto_xid from settlement_horizon)`,
  'a settlement of its money is on its way to a bank': `
    select s.id from settlements s
    where s.status = 'PAYING'
      and (${within('s.id')}
        or exists (select from settlement_lines l where l.settlement_id = s.id and ${within('l.transfer_id')}))`,
  'a refund is not over': `
    select r.id from refunds r where r.status = 'PENDING' and (${within('r.id')} or ${within('r.transaction_id')})`,
  'a paycode is not over': `
    select p.id from paycodes p where p.status = 'PENDING' and ${within('p.id')}`,
  'money is in suspense': `
    select i.id from suspense_items i
    left join bank_sessions n on n.bank_reference = i.bank_reference
    where i.status not in ('RETURNED', 'REASSIGNED') and (${within('i.id')} or ${within('i.transaction_id')} or ${within('n.transfer_id')})`,
  'an order to a bank is not over': `
    select o.id from bank_orders o
    where o.status in ('AWAITING', 'SENT') and (${within('o.id')} or ${within('o.subject')})`,
  'a card charge is not over': `
    select c.id from card_charges c
    where c.closed_at is null and c.status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING') and ${within('c.transaction_id')}`,
  'a timer is about something that would leave': `
    select a.subject from agenda a
    where ${within('a.subject')}
      and (exists (select from transactions t where t.id = a.subject)
        or exists (select from disbursements d where d.id = a.subject)
        or exists (select from bills b where b.id = a.subject))`,
  "the bank's statement of its last days is not compared": `
    select d.day from statement_days d where d.matched_at is null and d.day <= $3::date`,
  // A process may have been late to begin with the ids of the next month. What is here must not be about less
  // than is here.
  'a row is about something of a later month': `
    select t.id from transfers t where ${within('t.id')} and t.object_id >= $2::bigint
    union all
    select e.id from events e where ${within('e.id')} and e.object_id >= $2::bigint
    union all
    select c.transfer_id from inbound_credits c where ${within('c.transfer_id')} and c.transaction_id >= $2::bigint
    union all
    select d.id from disbursements d where ${within('d.id')} and d.batch_id >= $2::bigint`,
}

/** The last places of batches and invoices of the month; those of payouts and events are in its
 *  partitions. */
export const LAST_PLACES = `
select merchant_id, max(batches), max(invoices)
from (
  select b.merchant_id, b.place as batches, 0 as invoices from batches b where ${within('b.id')}
  union all
  select i.merchant_id, 0, i.place from invoices i where ${within('i.id')}
) x
group by 1`
