// The invariants of events, their numbers and their deliveries.

export const EVENT_INVARIANTS: Readonly<Record<string, string>> = {
  'an event is numbered or waits in the outbox, never both': `select e.id from events e
    where (select count(*) from event_numbers n where n.event_id = e.id) + (select count(*) from outbox o where o.event_id = e.id) <> 1`,
  'numbers of a merchant have no gaps': `select merchant_id from event_numbers group by merchant_id having max(number) <> count(*) or min(number) <> 1`,
  'the counter of a merchant is its last number': `select merchant_id from event_counters c
    full join (select merchant_id, max(number) as number from event_numbers group by 1) n using (merchant_id) where c.last_number is distinct from n.number`,
  'a delivery goes to the merchant of its event': `select d.event_id, d.endpoint_id from deliveries d join events e on e.id = d.event_id where d.merchant_id <> e.merchant_id`,
  'a delivery goes to an endpoint of its merchant': `select d.event_id, d.endpoint_id from deliveries d
    left join endpoints p on p.id = d.endpoint_id where p.merchant_id is distinct from d.merchant_id`,
  'what waits for an endpoint that was removed is given up': `select d.event_id, d.endpoint_id from deliveries d
    join endpoints p on p.id = d.endpoint_id where d.state = 'PENDING' and p.status = 'REMOVED'`,
  'an activity has one address': `select merchant_id from endpoints, unnest(activities) as activity where status <> 'REMOVED'
    group by merchant_id, activity having count(*) > 1`,
  'a delivered delivery has an attempt that was answered 200': `select d.event_id, d.endpoint_id from deliveries d where d.state = 'DELIVERED'
    and not exists (select from delivery_attempts a where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.status = 200)`,
}
