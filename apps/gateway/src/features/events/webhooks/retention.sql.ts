// The statements of what leaves.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const OLD: Statement = {
  name: 'attempts_old_months',
  text: 'select month from months where not attempts_forgotten and month < $1 order by month',
}
export const oldMonths = (read: Read, before: bigint): Promise<Pick<Rows['months'], 'month'>[]> =>
  read.query(OLD, [before])

const FORGET: Statement = { name: 'attempts_forget', text: 'select forget_attempts($1)' }
export const forgetAttempts = (t: Tx, month: number): Promise<unknown> => t.query(FORGET, [month])

const FORGET_TRACES: Statement = {
  name: 'event_traces_forget',
  text: `
-- all merchants: the traces of old months leave together
delete from event_traces where event_id = any (array(select event_id from event_traces where event_id < $1 order by event_id limit $2))`,
}
/** Those of events before an id, some of them. */
export const forgetTraces = (t: Tx, before: bigint, most: number): Promise<unknown> =>
  t.query(FORGET_TRACES, [before, most])

// ---- bodies of events

export type Range = { readonly from: bigint; readonly past: bigint }

const WITH_BODIES: Statement = {
  name: 'bodies_old_months',
  text: `select month from months where bodies = 'KEPT' and month < $1 order by month`,
}
export const monthsWithBodies = (read: Read, before: bigint): Promise<Pick<Rows['months'], 'month'>[]> =>
  read.query(WITH_BODIES, [before])

/** Whoever sends events again holds it shared, so a month is marked before they look or after their
 *  deliveries can be seen. */
const RESENDING = `hashtext('cowrie.resending')`
const RESEND: Statement = { name: 'bodies_resend', text: `select pg_advisory_xact_lock_shared(${RESENDING})` }
const KEEP: Statement = { name: 'bodies_keep', text: `select pg_advisory_xact_lock(${RESENDING})` }
export const holdBodies = (t: Tx): Promise<unknown> => t.query(RESEND, [])
export const keepFromResending = (t: Tx): Promise<unknown> => t.query(KEEP, [])

const MARK: Statement = {
  name: 'bodies_mark',
  text: `
-- all merchants: the bodies of a month leave together
update months set bodies = 'LEAVING' where month = $1
  and not exists (select from deliveries where event_id >= $2 and event_id < $3 and state = 'PENDING')
  and not exists (select from outbox where event_id >= $2 and event_id < $3)`,
}
/** Unless something of the month waits to be delivered. */
export const markLeaving = (t: Tx, month: number, { from, past }: Range): Promise<unknown> =>
  t.query(MARK, [month, from, past])

const LEAVING: Statement = {
  name: 'bodies_leaving',
  text: `select month from months where bodies = 'LEAVING' order by month`,
}
export const monthsLeaving = (read: Read): Promise<Pick<Rows['months'], 'month'>[]> => read.query(LEAVING, [])

const EMPTY: Statement = {
  name: 'bodies_empty',
  text: `
-- all merchants: the bodies of a month leave together
with x as materialized (select id, body <> '' as there from events where id > $1 and id < $2 order by id limit $3),
emptied as (
  update events e set shape = null, body = '' where e.id in (select id from x where there) and e.id > $1 and e.id < $2
    and not exists (select from deliveries d where d.event_id = e.id and d.state = 'PENDING')
  returning 1
)
select max(id) as last, (count(*) filter (where there) - (select count(*) from emptied))::int as waiting from x`,
}
export type Emptied = { readonly last: bigint | null; readonly waiting: number }
/** The next so many after an id: the last of them, null when there is none, and how many keep their body
 *  because they wait to be delivered. */
export const emptyBodies = async (
  t: Tx,
  { after, past }: { readonly after: bigint; readonly past: bigint },
  limit: number,
): Promise<Emptied> => (await t.query<Emptied>(EMPTY, [after, past, limit]))[0] as Emptied

const GONE: Statement = { name: 'bodies_gone', text: `update months set bodies = 'GONE' where month = $1` }
export const markGone = (t: Tx, month: number): Promise<unknown> => t.query(GONE, [month])
