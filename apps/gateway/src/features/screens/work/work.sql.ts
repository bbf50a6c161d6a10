// The statements of what waits, kind by kind, whatever feature it belongs to: each declares its own
// (Feature.waiting).

import type { WorkKind } from '@cowrie/contract/screens/work'
import { schedule } from '#core/agenda.ts'
import { type Declarations, merged, type Waiting } from '#core/declarations.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type WorkRow = {
  kind: WorkKind
  id: bigint
  merchant_id: bigint
  api_key: string | null
  reference: string
  state: string
  kobo: bigint | null
  since: Date
  questions: number | null
  session_id: string | null
  next_at: Date | null
}

const SHOWN = `w.kind, w.id, w.merchant_id, m.api_key, w.reference, w.state, w.kobo, w.since, w.questions, w.session_id,
  coalesce(w.question_at, (select min(a.due_at) from agenda a where a.subject = w.id and a.merchant_id = w.merchant_id and a.kind = any(w.timers))) as next_at`

/** All kinds of all features, and the statements that are made of them. */
export type Works = {
  readonly sources: Readonly<Record<string, Waiting>>
  readonly list: Statement
  readonly find: Statement
}
export function gatherWork(features: readonly Declarations[]): Works {
  const sources = merged<Waiting>(
    'what waits as',
    features.map(({ waiting = {} }) => waiting),
  )
  const all = Object.entries(sources)
    .map(
      ([kind, { waits, timers }]) =>
        `select '${kind}'::text as kind, w.*, array[${timers.map((timer) => `'${timer}'`).join(', ')}]::text[] as timers from (${waits}) as w`,
    )
    .join('\nunion all\n')
  return {
    sources,
    list: {
      name: 'work_list',
      text: `
-- all merchants: the operator looks at all of them
with w as materialized (select * from (${all}) as w where w.since <= $1 order by w.since, w.id limit $2)
select ${SHOWN} from w left join merchants m on m.id = w.merchant_id order by w.since, w.id`,
    },
    find: {
      name: 'work_find',
      text: `
select ${SHOWN} from (${all}) as w left join merchants m on m.id = w.merchant_id
where w.merchant_id = $1 and w.kind = $2 and w.reference = $3 limit 1`,
    },
  }
}

/** What has waited since before a moment, the oldest first. */
export const list = (read: Read, works: Works, before: Date, limit: number): Promise<WorkRow[]> =>
  read.query(works.list, [before, limit])

export const find = async (
  read: Read,
  works: Works,
  merchantId: bigint,
  kind: WorkKind,
  reference: string,
): Promise<WorkRow | null> => (await read.query<WorkRow>(works.find, [merchantId, kind, reference]))[0] ?? null

const PATH: Statement = {
  name: 'work_path',
  text: `select action, from_state, to_state, at from state_changes where object = $1 and object_id = $2 and merchant_id = $3 order by version`,
}
export type StepRow = Pick<Rows['state_changes'], 'action' | 'from_state' | 'to_state' | 'at'>
export const path = (read: Read, machine: string, id: bigint, merchantId: bigint): Promise<StepRow[]> =>
  read.query(PATH, [machine, id, merchantId])

const OVERDUE: Statement = {
  name: 'work_overdue',
  text: `
-- all merchants: the operator looks at all of them
select a.kind, m.api_key, a.subject, a.due_at, a.attempts from agenda a left join merchants m on m.id = a.merchant_id
where a.due_at < $1 order by a.due_at, a.id limit $2`,
}
export type OverdueRow = Pick<Rows['agenda'], 'kind' | 'subject' | 'due_at' | 'attempts'> & { api_key: string | null }
/** Timers that a worker should have done before a moment. */
export const listOverdue = (read: Read, before: Date, limit: number): Promise<OverdueRow[]> =>
  read.query(OVERDUE, [before, limit])

const GIVEN_UP: Statement = {
  name: 'work_given_up',
  text: `
-- all merchants: the operator looks at all of them
select m.api_key, d.endpoint_id, count(*)::int as given_up, min(d.event_id) as first_event, max(d.due_at) as last_at
from deliveries d join merchants m on m.id = d.merchant_id where d.state = 'GIVEN_UP' group by 1, 2 order by 3 desc limit $1`,
}
export type GivenUpRow = {
  given_up: number
  first_event: bigint
  last_at: Date
  api_key: Rows['merchants']['api_key']
  endpoint_id: Rows['deliveries']['endpoint_id']
}
export const listGivenUp = (read: Read, limit: number): Promise<GivenUpRow[]> => read.query(GIVEN_UP, [limit])

const FORWARD: Statement = {
  name: 'work_forward',
  text: `update agenda set due_at = $4 where merchant_id = $1 and subject = $2 and kind = any($3::text[]) and due_at > $4
    and (lease_until is null or lease_until <= $4) returning kind`,
}
/** The timer that asks falls due now. Its row says so too: an inquiry that finds a later time there leaves it
 *  to another. False when no timer waits: somebody is at it. */
export async function bringForward(t: Tx, { timers, ask, askAnew }: Waiting, row: WorkRow): Promise<boolean> {
  const moved = await t.query(FORWARD, [row.merchant_id, row.id, timers, t.now])
  if (moved.length > 0 && ask) await t.query(ask, [row.merchant_id, row.id, t.now])
  if (moved.length > 0) return true
  const [timer] = timers
  if (askAnew === undefined || timer === undefined) return false
  if ((await t.query(askAnew, [row.merchant_id, row.id])).length === 0) return false
  await schedule(t, timer, row.merchant_id, row.id, t.now)
  return true
}
