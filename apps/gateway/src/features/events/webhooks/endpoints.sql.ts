// The statements of endpoints.

import { lockKey } from '#core/cells/holding.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type EndpointRow = Pick<
  Rows['endpoints'],
  | 'id'
  | 'url'
  | 'activities'
  | 'event_types'
  | 'description'
  | 'status'
  | 'disabled_reason'
  | 'failing_since'
  | 'rest_until'
  | 'created_at'
> & {
  waiting: bigint
}

const COLUMNS =
  'e.id, e.url, e.activities, e.event_types, e.description, e.status, e.disabled_reason, e.failing_since, e.rest_until, e.created_at'

const LIST: Statement = {
  name: 'endpoints_list',
  text: `select ${COLUMNS},
    (select count(*) from deliveries d where d.endpoint_id = e.id and d.state = 'PENDING' and d.merchant_id = $1) as waiting
  from endpoints e where e.merchant_id = $1 and e.status <> 'REMOVED' order by e.id`,
}
/** Every endpoint of a merchant that was not removed. */
export const list = (read: Read, merchantId: bigint): Promise<EndpointRow[]> =>
  read.query<EndpointRow>(LIST, [merchantId])

const ALONE: Statement = {
  name: 'endpoints_alone',
  text: `select pg_advisory_xact_lock(${lockKey('endpoints', '$1')})`,
}
const LOCK: Statement = {
  name: 'endpoints_lock',
  text: `select ${COLUMNS}, 0::bigint as waiting from endpoints e where e.merchant_id = $1 and e.status <> 'REMOVED' order by e.id for update`,
}
/** The same, held until the transaction ends: changes of one merchant's endpoints come one after the
 *  other. */
export async function lock(t: Tx, merchantId: bigint): Promise<EndpointRow[]> {
  await t.query(ALONE, [merchantId])
  return t.query<EndpointRow>(LOCK, [merchantId])
}

export type Writable = Pick<EndpointRow, 'id' | 'url' | 'activities' | 'event_types' | 'description'>

const PUT: Statement = {
  name: 'endpoints_put',
  text: `insert into endpoints (id, merchant_id, url, activities, event_types, description, created_at) values ($2, $1, $3, $4, $5, $6, $7)
    on conflict (id) do update set url = excluded.url, activities = excluded.activities, event_types = excluded.event_types,
      description = excluded.description`,
}
/** A new endpoint, or what has changed of one. */
export const put = (t: Tx, merchantId: bigint, row: Writable): Promise<unknown> =>
  t.query(PUT, [merchantId, row.id, row.url, row.activities, row.event_types, row.description, t.now])

const TAKE_ALONG: Statement = {
  name: 'endpoints_take_along',
  text: `
with gone as (
  update deliveries d set state = 'GIVEN_UP' from events e
  where d.merchant_id = $1 and d.endpoint_id = $2 and d.state = 'PENDING' and e.id = d.event_id and e.merchant_id = $1 and e.type = any($4::text[])
  returning d.event_id, d.number, d.object_id
)
insert into deliveries (event_id, endpoint_id, merchant_id, number, object_id, state, due_at)
select event_id, $3, $1, number, object_id, 'PENDING', $5 from gone on conflict (event_id, endpoint_id) do nothing`,
}
/** What waits for one address, of some kinds, goes to another. */
export const takeAlong = (t: Tx, merchantId: bigint, from: bigint, to: bigint, types: readonly string[]) =>
  t.query(TAKE_ALONG, [merchantId, from, to, types, t.now])

const FORGIVE: Statement = {
  name: 'endpoints_forgive',
  text: `update endpoints set failing_since = null, window_from = null, window_tries = 0, window_failures = 0, rest_until = null, rests = 0
    where merchant_id = $1 and id = $2`,
}
/** Its failures are forgotten; what waits is tried at once. */
export const forgive = (t: Tx, merchantId: bigint, id: bigint): Promise<unknown> => t.query(FORGIVE, [merchantId, id])

const HASTEN: Statement = {
  name: 'endpoints_hasten',
  text: `update deliveries set due_at = $3 where endpoint_id = $2 and merchant_id = $1 and state = 'PENDING'`,
}
/** All of it is due now, so that it goes out in the order of its numbers. */
export const hasten = (t: Tx, merchantId: bigint, id: bigint): Promise<unknown> =>
  t.query(HASTEN, [merchantId, id, t.now])

const GIVE_UP: Statement = {
  name: 'endpoints_give_up',
  text: `update deliveries set state = 'GIVEN_UP' where endpoint_id = $2 and merchant_id = $1 and state = 'PENDING'`,
}
export const giveUp = (t: Tx, merchantId: bigint, id: bigint): Promise<unknown> => t.query(GIVE_UP, [merchantId, id])
