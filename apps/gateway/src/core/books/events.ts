// The invariants of events and their numbers.

export const EVENT_INVARIANTS: Readonly<Record<string, string>> = {
  'an event is numbered or waits in the outbox, never both': `
    select e.id from events e
    where (select count(*) from event_numbers n where n.event_id = e.id)
      + (select count(*) from outbox o where o.event_id = e.id) <> 1`,
  'numbers of a merchant have no gaps': `
    select merchant_id from event_numbers
    group by merchant_id having max(number) <> count(*) or min(number) <> 1`,
  'the counter of a merchant is its last number': `
    select merchant_id from event_counters c
    full join (select merchant_id, max(number) as number from event_numbers group by 1) n using (merchant_id)
    where c.last_number is distinct from n.number`,
}
