// The statements of the board. Each reads the head of an index, or counts to a limit.

import { BANK_SAMPLE_MOST, COUNTED_MOST } from '@cowrie/contract/screens/board'
import { cardReceivableIn } from '#core/ledger/chart.ts'
import { BALANCE_OF } from '#core/ledger/ledger.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const one = async <Row>(read: Read, statement: Statement, values: readonly unknown[]): Promise<Row | null> =>
  (await read.query<Row>(statement, values))[0] ?? null

export type QueueRow = { due: number; oldest: Date | null }
const NOTHING: QueueRow = { due: 0, oldest: null }

const TIMERS: Statement = {
  name: 'board_timers',
  text: `
-- all merchants: the operator looks at all of them
select count(*)::int as due, min(due_at) as oldest from (select due_at from agenda where due_at <= $1 order by due_at limit ${COUNTED_MOST}) as d`,
}
export const timers = async (read: Read): Promise<QueueRow> =>
  (await one<QueueRow>(read, TIMERS, [read.now])) ?? NOTHING

// Endpoint by endpoint, since deliveries are indexed by it; one that is paused or disabled is not late.
const DELIVERIES: Statement = {
  name: 'board_deliveries',
  text: `
-- all merchants: the operator looks at all of them
select count(*)::int as due, min(d.due_at) as oldest from (
  select d.due_at from endpoints e cross join lateral (
    select due_at from deliveries where endpoint_id = e.id and state = 'PENDING' and due_at <= $1 order by due_at limit ${COUNTED_MOST}
  ) as d where e.status = 'ENABLED' and (e.rest_until is null or e.rest_until <= $1) limit ${COUNTED_MOST}
) as d`,
}
export const deliveries = async (read: Read): Promise<QueueRow> =>
  (await one<QueueRow>(read, DELIVERIES, [read.now])) ?? NOTHING

const EVENTS: Statement = {
  name: 'board_events',
  text: `
-- all merchants: the operator looks at all of them
select count(*)::int as due, (select e.at from events e where e.id = min(o.event_id)) as oldest
from (select event_id from outbox order by id limit ${COUNTED_MOST}) as o`,
}
export const events = async (read: Read): Promise<QueueRow> => (await one<QueueRow>(read, EVENTS, [])) ?? NOTHING

const NEXT: Statement = {
  name: 'board_next_timer',
  text: `
-- all merchants: the timer is of the house
select min(due_at) as at from agenda where kind = $1`,
}
export const nextTimer = async (read: Read, kind: string): Promise<Date | null> =>
  (await one<{ at: Date | null }>(read, NEXT, [kind]))?.at ?? null

export type StatementRow = { compared_day: string | null; compared_at: Date | null; waiting_day: string | null }
const STATEMENT: Statement = {
  name: 'board_statement',
  text: `
select max(day) filter (where matched_at is not null)::text as compared_day, max(matched_at) as compared_at,
  min(day) filter (where matched_at is null)::text as waiting_day from statement_days`,
}
export const statement = (read: Read): Promise<StatementRow | null> => one(read, STATEMENT, [])

export type WaitsRow = {
  breaks: number
  oldest_break: Date | null
  items: number
  kobo: bigint
  oldest_item: Date | null
  held: number
  applicants: number
}
const WAITS: Statement = {
  name: 'board_waits',
  text: `
-- all merchants: the operator looks at all of them
select b.breaks, b.oldest_break, s.items, s.kobo, s.oldest_item, (select count(*)::int from settlement_holds) as held,
  (select count(*)::int from merchant_files where status in ('APPLIED', 'IN_REVIEW')) as applicants
from (select count(*)::int as breaks, min(opened_at) as oldest_break from recon_breaks where status = 'OPEN') as b,
  (select count(*)::int as items, coalesce(sum(kobo), 0)::bigint as kobo, min(created_at) as oldest_item from suspense_items where closed_at is null) as s`,
}
export const waits = (read: Read): Promise<WaitsRow | null> => one(read, WAITS, [])

export type ClaimsRow = { acquirers_kobo: bigint; disputes: number; due_at: Date | null }
const CLAIMS: Statement = {
  name: 'board_claims',
  text: `
-- all merchants: the operator looks at all of them
select coalesce((select sum(-(${BALANCE_OF(cardReceivableIn('c.id'))})) from connectors c), 0)::bigint as acquirers_kobo, d.disputes, d.due_at
from (select count(*)::int as disputes, min(due_at) filter (where state = 'OPENED') as due_at from card_disputes where state in ('OPENED', 'ANSWERED')) as d`,
}
export const claims = (read: Read): Promise<ClaimsRow | null> => one(read, CLAIMS, [])

export type BankRow = {
  sent: number
  paid: number
  failed: number
  unanswered: number
  half_ms: number | null
  bank_code: Rows['disbursements']['bank_code']
}
// Merchant by merchant, since payouts are indexed by it.
const BANKS: Statement = {
  name: 'board_banks',
  text: `
-- all merchants: the operator looks at all of them
select p.bank_code, count(*)::int as sent, (count(*) filter (where p.status = 'SUCCESS'))::int as paid,
  (count(*) filter (where p.status in ('FAILED', 'REVERSED')))::int as failed, (count(*) filter (where p.status = 'PENDING'))::int as unanswered,
  (1000 * percentile_disc(0.5) within group (order by extract(epoch from p.completed_at - p.created_at)))::int as half_ms
from merchants m cross join lateral (
  select d.bank_code, d.status, d.created_at, d.completed_at from disbursements d
  where d.merchant_id = m.id and d.created_at > $1 and d.session_id is not null order by d.created_at desc limit ${BANK_SAMPLE_MOST}
) as p group by 1 order by 2 desc, 1`,
}
export const banks = (read: Read, since: Date): Promise<BankRow[]> => read.query(BANKS, [since])

const APPLIED: Statement = {
  name: 'board_migrations',
  text: 'select name, applied_at from migrations order by name',
}
export const migrations = (read: Read): Promise<Pick<Rows['migrations'], 'name' | 'applied_at'>[]> =>
  read.query(APPLIED, [])
