// The invariants of endpoints and deliveries.
import type { Books } from '#core/books/invariants.ts'
import { by } from '#core/books/slices.ts'

const INVARIANTS: Readonly<Record<string, string>> = {
  'a delivery goes to the merchant of its event': `
    select d.event_id, d.endpoint_id from deliveries d
    join events e on e.id = d.event_id
    where d.merchant_id <> e.merchant_id`,
  'a delivery goes to an endpoint of its merchant': `
    select d.event_id, d.endpoint_id from deliveries d
    left join endpoints p on p.id = d.endpoint_id
    where p.merchant_id is distinct from d.merchant_id`,
  'what waits for an endpoint that was removed is given up': `
    select d.event_id, d.endpoint_id from deliveries d
    join endpoints p on p.id = d.endpoint_id
    where d.state = 'PENDING' and p.status = 'REMOVED'`,
  'an activity has one address': `
    select merchant_id from endpoints, unnest(activities) as activity
    where status <> 'REMOVED'
    group by merchant_id, activity having count(*) > 1`,
  'a delivered delivery has an attempt that was answered 200': `
    select d.event_id, d.endpoint_id from deliveries d
    where d.state = 'DELIVERED'
      and not exists (
        select from delivery_attempts a
        where a.event_id = d.event_id and a.endpoint_id = d.endpoint_id and a.status = 200
      )
      and not exists (select from months where month = d.event_id / 1000000000000 and attempts_forgotten)`,
}

export const webhookBooks: Books = {
  invariants: INVARIANTS,
  slices: {
    'a delivery goes to the merchant of its event': by('deliveries', 'event_id', 'endpoint_id'),
    'a delivery goes to an endpoint of its merchant': by('deliveries', 'event_id', 'endpoint_id'),
    'what waits for an endpoint that was removed is given up': by('deliveries', 'event_id', 'endpoint_id'),
    'a delivered delivery has an attempt that was answered 200': by('deliveries', 'event_id', 'endpoint_id'),
  },
}
