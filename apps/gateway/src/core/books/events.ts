// The invariants of events and their numbers.
import { ALL_LEFT, isAfter, lastLeft } from '../cells/departed.ts'

export const EVENT_INVARIANTS: Readonly<Record<string, string>> = {
  'an event is numbered or waits in the outbox, never both': `
    select e.id from events e
    where (select count(*) from event_numbers n where n.event_id = e.id)
      + (select count(*) from outbox o where o.event_id = e.id) <> 1`,
  'numbers of a merchant have no gaps': `
    select n.merchant_id
    from (
      select e.merchant_id, e.number, coalesce(x.events, 0) as gone from event_numbers e
      left join ${ALL_LEFT} x using (merchant_id)
    ) n
    where ${isAfter('n.number', 'n.gone')}
    group by n.merchant_id, n.gone having max(n.number) - n.gone <> count(*) or min(n.number) <> n.gone + 1`,
  'the counter of a merchant is its last number': `
    select merchant_id from event_counters c
    full join (select merchant_id, max(number) as number from event_numbers group by 1) n using (merchant_id)
    where c.last_number is distinct from greatest(n.number, nullif(${lastLeft('events', 'c.merchant_id')}, 0))`,
}
