// The statements of security events. They are written by core with what they tell of (core/acts/security.ts).
import type { SecurityKindName } from '@cowrie/contract/access/security'
import type { Actor } from '#core/access/actor.ts'
import type { Sink } from '#core/acts/security.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type EventRow = Readonly<
  Pick<
    Rows['security_events'],
    | 'id'
    | 'merchant_id'
    | 'concerns'
    | 'at'
    | 'severity'
    | 'person'
    | 'actor_name'
    | 'address'
    | 'request_id'
    | 'details'
  >
> & {
  readonly kind: SecurityKindName
  readonly actor_kind: Actor['kind'] | 'nobody'
  readonly actor_side: Actor['side']
}
const COLUMNS = `e.id, e.merchant_id, e.concerns, e.at, e.kind, e.severity, e.person, e.actor_kind, e.actor_side, e.actor_name, e.address,
  e.request_id, e.details`
const PAGE = 'e.id < $1 and e.severity >= $2 order by e.id desc limit $3'

// ---- as people read them

/** Below an id, and that matter at least so much. */
export type Page = { readonly below: bigint | null; readonly severity: number; readonly limit: number }
const valuesOf = ({ below, severity, limit }: Page) => [below ?? 2n ** 62n, severity, limit]

const OF_MERCHANT: Statement = {
  name: 'security_events_of_merchant',
  text: `select ${COLUMNS} from security_events e where e.merchant_id = $4 and ${PAGE}`,
}
export const listOfMerchant = (r: Read, merchantId: bigint, page: Page): Promise<EventRow[]> =>
  r.query<EventRow>(OF_MERCHANT, [...valuesOf(page), merchantId])

const CONCERNING: Statement = {
  name: 'security_events_concerning',
  text: `select ${COLUMNS} from security_events e where e.merchant_id = 0 and e.concerns = $4 and ${PAGE}`,
}
/** Of its people: those are kept with nobody's. */
export const listConcerning = (r: Read, apiKey: string, page: Page): Promise<EventRow[]> =>
  r.query<EventRow>(CONCERNING, [...valuesOf(page), apiKey])

const ALL: Statement = {
  name: 'security_events_all',
  text: `
-- all merchants: the operator looks at all of them
select ${COLUMNS} from security_events e where ${PAGE}`,
}
export const listAll = (r: Read, page: Page): Promise<EventRow[]> => r.query<EventRow>(ALL, valuesOf(page))

const OF_PERSON: Statement = {
  name: 'security_events_of_person',
  text: `
select ${COLUMNS} from security_events e
where (e.person = $4 or e.actor_kind = 'person' and e.actor_name = $4) and ($5::bigint is null or e.merchant_id = $5) and ${PAGE}`,
}
/** What happened to a person and what they did; of one merchant where it says so. */
export const listOfPerson = (r: Read, email: string, merchantId: bigint | null, page: Page): Promise<EventRow[]> =>
  r.query<EventRow>(OF_PERSON, [...valuesOf(page), email, merchantId])

// ---- who is still to be told

const CLAIM: Statement = {
  name: 'security_outbox_claim',
  text: `
-- all merchants: what happened to any of them is told here
with due as (
  select event_id from security_outbox where sink = $1 and try_at <= $2 order by event_id limit $4 for update skip locked
), claimed as (
  update security_outbox o set try_at = $3 from due where o.event_id = due.event_id and o.sink = $1 returning o.event_id
)
select ${COLUMNS} from claimed c join security_events e on e.id = c.event_id order by e.id`,
}
/** Those that are due; nobody else tells them before `againAt`. */
export const claim = (t: Tx, sink: Sink, againAt: Date, limit: number): Promise<EventRow[]> =>
  t.query<EventRow>(CLAIM, [sink, t.now, againAt, limit])

const TOLD: Statement = {
  name: 'security_outbox_told',
  text: `
-- all merchants: what happened to any of them is told
delete from security_outbox where sink = $1 and event_id = any($2::bigint[])`,
}
export const setTold = (t: Tx, sink: Sink, ids: readonly bigint[]) => t.query(TOLD, [sink, ids])

const NOBODY: Statement = {
  name: 'security_outbox_nobody',
  text: `
-- all merchants: what happened to any of them is told
delete from security_outbox where sink = $1 and event_id in (select event_id from security_outbox where sink = $1 order by event_id limit 5000)`,
}
/** Nobody listens there: nothing waits for a day when somebody does. */
export const dropAll = (t: Tx, sink: Sink) => t.query(NOBODY, [sink])

const OLDEST: Statement = {
  name: 'security_outbox_oldest',
  text: `
-- all merchants: what happened to any of them is told
select sink, min(at) as at from security_outbox group by sink`,
}
export const oldest = (r: Read): Promise<{ sink: string; at: Date }[]> => r.query(OLDEST, [])

const TOLD_SINCE: Statement = {
  name: 'security_events_told_since',
  text: `
-- all merchants: a person belongs to several
select exists (select from security_events where person = $1 and kind = $2 and at > $3 and id < $4) as found`,
}
/** Whether the same has happened to a person not long before. */
export const happenedSince = async (
  r: Read,
  person: string,
  kind: string,
  since: Date,
  below: bigint,
): Promise<boolean> => (await r.query<{ found: boolean }>(TOLD_SINCE, [person, kind, since, below]))[0]?.found ?? false
