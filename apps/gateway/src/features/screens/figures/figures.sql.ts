// The statements of the figures. Each reads the head of an index, counts to a limit, or reads a small table.

import { INQUIRE_DISBURSEMENT, INQUIRE_ORDER, SEND_DISBURSEMENT, SEND_ORDER } from '@cowrie/contract/kit/timers'
import { COUNTED_MOST } from '@cowrie/contract/screens/board'
import { cardReceivableIn } from '#core/ledger/chart.ts'
import { BALANCE_OF } from '#core/ledger/ledger.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

const one = async <Row>(read: Read, statement: Statement, values: readonly unknown[]): Promise<Row> =>
  (await read.query<Row>(statement, values))[0] as Row

const TIMERS: Statement = {
  name: 'figures_timers',
  text: `
-- all merchants: the operator looks at all of them
select kind, count(*)::int as due, min(due_at) as oldest from
  (select kind, due_at from agenda where due_at <= $1 order by due_at limit ${COUNTED_MOST}) as d group by 1`,
}
export const timers = (read: Read): Promise<{ due: number; oldest: Date; kind: Rows['agenda']['kind'] }[]> =>
  read.query(TIMERS, [read.now])

export type QueuesRow = {
  events: number
  oldest_event: Date | null
  deliveries: number
  oldest_delivery: Date | null
  resting: number
}
const QUEUES: Statement = {
  name: 'figures_queues',
  text: `
-- all merchants: the operator looks at all of them
select o.events, o.oldest_event, d.deliveries, d.oldest_delivery,
  (select count(*)::int from endpoints where status = 'ENABLED' and rest_until > $1) as resting
from (select count(*)::int as events, (select e.at from events e where e.id = min(event_id)) as oldest_event
    from (select event_id from outbox order by id limit ${COUNTED_MOST}) as w) as o,
  (select count(*)::int as deliveries, min(due_at) as oldest_delivery from (
    select w.due_at from endpoints e cross join lateral (
      select due_at from deliveries where endpoint_id = e.id and state = 'PENDING' and due_at <= $1 order by due_at limit ${COUNTED_MOST}
    ) as w where e.status = 'ENABLED' and (e.rest_until is null or e.rest_until <= $1) limit ${COUNTED_MOST}) as w) as d`,
}
export const queues = (read: Read): Promise<QueuesRow> => one(read, QUEUES, [read.now])

export type WaitsRow = { breaks: number; items: number; kobo: bigint }
const WAITS: Statement = {
  name: 'figures_waits',
  text: `
-- all merchants: the operator looks at all of them
select (select count(*)::int from recon_breaks where status = 'OPEN') as breaks, s.items, s.kobo
from (select count(*)::int as items, coalesce(sum(kobo), 0)::bigint as kobo from suspense_items where closed_at is null) as s`,
}
export const waits = (read: Read): Promise<WaitsRow> => one(read, WAITS, [])

export type PayoutsRow = { hour: number; day: number; more: number; oldest: Date | null }
// By their timers: payouts that wait are few among all that ever were, and each has one.
const PAYOUTS: Statement = {
  name: 'figures_payouts',
  text: `
-- all merchants: the operator looks at all of them
select (count(*) filter (where since > $2))::int as hour, (count(*) filter (where since <= $2 and since > $3))::int as day,
  (count(*) filter (where since <= $3))::int as more, min(since) as oldest
from (select coalesce(d.created_at, o.created_at) as since
  from (select kind, subject from agenda where kind = any($1) limit ${COUNTED_MOST}) as a
  left join disbursements d on a.kind in ('${SEND_DISBURSEMENT}', '${INQUIRE_DISBURSEMENT}') and d.id = a.subject and d.status = 'PENDING'
  left join bank_orders o on a.kind in ('${SEND_ORDER}', '${INQUIRE_ORDER}') and o.id = a.subject and o.status = 'SENT'
) as w where since is not null`,
}
export const payouts = (read: Read, hourAgo: Date, dayAgo: Date): Promise<PayoutsRow> =>
  one(read, PAYOUTS, [[SEND_DISBURSEMENT, INQUIRE_DISBURSEMENT, SEND_ORDER, INQUIRE_ORDER], hourAgo, dayAgo])

export type DisputesRow = { open: number; due: number }
const DISPUTES: Statement = {
  name: 'figures_disputes',
  text: `
-- all merchants: the operator looks at all of them
select count(*)::int as open, (count(*) filter (where state = 'OPENED' and due_at <= $1))::int as due
from card_disputes where state in ('OPENED', 'ANSWERED')`,
}
export const disputes = (read: Read, dueBy: Date): Promise<DisputesRow> => one(read, DISPUTES, [dueBy])

const UNANSWERED: Statement = {
  name: 'figures_unanswered_charges',
  text: `
-- all merchants: the operator looks at all of them
select count(*)::int as count from card_charges where asking_ended_at is not null and closed_at is null`,
}
/** Card charges that nobody is asked about any more. */
export const unansweredCharges = async (read: Read): Promise<number> =>
  (await one<{ count: number }>(read, UNANSWERED, [])).count

const ACQUIRERS: Statement = {
  name: 'figures_acquirers',
  text: `
-- all merchants: what acquirers owe is the house's
select c.name as connector, -(${BALANCE_OF(cardReceivableIn('c.id'))}) as kobo,
  coalesce((select max(h.booked_at) from house_bookings h where h.kind = 'CARD_SETTLEMENT' and coalesce(h.acquirer, ${FIRST_CONNECTOR_ID}) = c.id),
    (select min(p.created_at) from card_charges p where p.connector = c.id)) as since
from connectors c order by c.id`,
}
export type AcquirerRow = { connector: Rows['connectors']['name']; kobo: bigint; since: Date | null }
/** What each owes, and since when it has paid nothing. */
export const acquirers = (read: Read): Promise<AcquirerRow[]> => read.query(ACQUIRERS, [])

export type BooksRow = { violated: number; since: Date }
const BOOKS: Statement = {
  name: 'figures_books',
  text: `
select (select count(*)::int from books_results r where r.day = l.day and r.violations > 0) as violated,
  coalesce(l.finished_at, (select min(applied_at) from migrations)) as since
from (select max(day) as day, max(finished_at) as finished_at from books_runs where finished_at is not null) as l`,
}
export const books = (read: Read): Promise<BooksRow> => one(read, BOOKS, [])
