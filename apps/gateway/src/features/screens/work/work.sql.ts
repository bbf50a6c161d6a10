// The statements of what waits, kind by kind, whatever feature it belongs to: a new kind joins by one more
// entry here.
import * as timers from '@cowrie/contract/kit/timers'
import type { WorkKind } from '@cowrie/contract/screens/work'
import { referenceOfMoneyIn } from '#core/routing/names.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

type Source = {
  /** select id, merchant_id, reference, state, kobo, since, questions, question_at, session_id, of what
   *  waits. */
  readonly waits: string
  /** The machine whose history it has. */
  readonly machine: string
  /** The timers that end its wait. */
  readonly timers: readonly string[]
  /** The table that keeps when the next question is asked, if one does. */
  readonly asks?: 'disbursements' | 'bank_orders' | 'debits' | 'bills'
}

export const SOURCES: Readonly<Record<WorkKind, Source>> = {
  PAYOUT: {
    waits: `select id, merchant_id, reference, status as state, kobo, created_at as since, questions, question_at, session_id
      from disbursements where status in ('AWAITING_PROCESSING', 'PENDING')`,
    machine: 'disbursement',
    timers: [timers.SEND_DISBURSEMENT, timers.APPROVE_DISBURSEMENT, timers.INQUIRE_DISBURSEMENT],
    asks: 'disbursements',
  },
  ORDER: {
    waits: `select id, merchant_id, id::text as reference, status as state, kobo, created_at as since, questions, question_at, session_id
      from bank_orders where status in ('AWAITING', 'SENT')`,
    machine: 'bank_order',
    timers: [timers.SEND_ORDER, timers.INQUIRE_ORDER],
    asks: 'bank_orders',
  },
  REFUND: {
    waits: `select id, merchant_id, refund_reference as reference, status as state, kobo, created_at as since, null::int as questions,
      null::timestamptz as question_at, null::text as session_id from refunds where status = 'PENDING'`,
    machine: 'refund',
    timers: [timers.APPROVE_REFUND],
  },
  CARD_CHARGE: {
    waits: `select id, merchant_id, reference, status as state, kobo, created_at as since, null::int as questions, null::timestamptz as question_at,
      null::text as session_id from card_charges where status in ('SENT', 'OTP', 'CHALLENGE', 'INPUT', 'REVERSING') and closed_at is null`,
    machine: 'card_charge',
    timers: [timers.INQUIRE_CHARGE],
  },
  DISPUTE: {
    waits: `select 0::bigint as id, merchant_id, reference, state, kobo, reported_at as since, null::int as questions, null::timestamptz as question_at,
      null::text as session_id from card_disputes where state in ('OPENED', 'ANSWERED')`,
    machine: 'card_dispute',
    timers: [],
  },
  DEBIT: {
    waits: `select d.id, d.merchant_id, t.payment_reference as reference, t.status as state, d.kobo, t.created_at as since, d.questions, d.question_at,
      d.session_id from debits d join transactions t on t.id = d.id and t.merchant_id = d.merchant_id where t.status = 'PENDING'`,
    machine: 'transaction',
    timers: [timers.SEND_DEBIT, timers.INQUIRE_DEBIT],
    asks: 'debits',
  },
  MANDATE: {
    waits: `select id, merchant_id, code as reference, status as state, kobo, created_at as since, null::int as questions,
      null::timestamptz as question_at, null::text as session_id from mandates
      where (status = 'INITIATED' and authorization_link is null) or (status = 'ACTIVE' and cancel_asked_at is not null)`,
    machine: 'mandate',
    timers: [timers.REGISTER_MANDATE, timers.CLOSE_MANDATE],
  },
  BILL: {
    waits: `select id, merchant_id, reference, status as state, kobo, created_at as since, questions, question_at, null::text as session_id
      from bills where status = 'IN_PROGRESS'`,
    machine: 'bill',
    timers: [timers.INQUIRE_BILL],
    asks: 'bills',
  },
  RETURN: {
    waits: `select id, merchant_id, ${referenceOfMoneyIn('bank_reference')} as reference, status as state, kobo, created_at as since, attempts as questions,
      null::timestamptz as question_at, ${referenceOfMoneyIn('bank_reference')} as session_id from suspense_items where status = 'RETURNING'`,
    machine: 'suspense_item',
    timers: [timers.RETURN_SUSPENSE],
  },
}

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

const ALL = Object.entries(SOURCES)
  .map(
    ([kind, { waits, timers: own }]) =>
      `select '${kind}'::text as kind, w.*, array[${own.map((timer) => `'${timer}'`).join(', ')}]::text[] as timers from (${waits}) as w`,
  )
  .join('\nunion all\n')
const SHOWN = `w.kind, w.id, w.merchant_id, m.api_key, w.reference, w.state, w.kobo, w.since, w.questions, w.session_id,
  coalesce(w.question_at, (select min(a.due_at) from agenda a where a.subject = w.id and a.merchant_id = w.merchant_id and a.kind = any(w.timers))) as next_at`

const LIST: Statement = {
  name: 'work_list',
  text: `
-- all merchants: the operator looks at all of them
with w as materialized (select * from (${ALL}) as w where w.since <= $1 order by w.since, w.id limit $2)
select ${SHOWN} from w left join merchants m on m.id = w.merchant_id order by w.since, w.id`,
}
/** What has waited since before a moment, the oldest first. */
export const list = (read: Read, before: Date, limit: number): Promise<WorkRow[]> => read.query(LIST, [before, limit])

const FIND: Statement = {
  name: 'work_find',
  text: `
select ${SHOWN} from (${ALL}) as w left join merchants m on m.id = w.merchant_id
where w.merchant_id = $1 and w.kind = $2 and w.reference = $3 limit 1`,
}
export const find = async (
  read: Read,
  merchantId: bigint,
  kind: WorkKind,
  reference: string,
): Promise<WorkRow | null> => (await read.query<WorkRow>(FIND, [merchantId, kind, reference]))[0] ?? null

const PATH: Statement = {
  name: 'work_path',
  text: `select action, from_state, to_state, at from state_changes where object = $1 and object_id = $2 and merchant_id = $3 order by version`,
}
export type StepRow = { action: string; from_state: string; to_state: string; at: Date }
export const path = (read: Read, machine: string, id: bigint, merchantId: bigint): Promise<StepRow[]> =>
  read.query(PATH, [machine, id, merchantId])

const OVERDUE: Statement = {
  name: 'work_overdue',
  text: `
-- all merchants: the operator looks at all of them
select a.kind, m.api_key, a.subject, a.due_at, a.attempts from agenda a left join merchants m on m.id = a.merchant_id
where a.due_at < $1 order by a.due_at, a.id limit $2`,
}
export type OverdueRow = { kind: string; api_key: string | null; subject: bigint; due_at: Date; attempts: number }
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
export type GivenUpRow = { api_key: string; endpoint_id: bigint; given_up: number; first_event: bigint; last_at: Date }
export const listGivenUp = (read: Read, limit: number): Promise<GivenUpRow[]> => read.query(GIVEN_UP, [limit])

const FORWARD: Statement = {
  name: 'work_forward',
  text: `update agenda set due_at = $4 where merchant_id = $1 and subject = $2 and kind = any($3::text[]) and due_at > $4
    and (lease_until is null or lease_until <= $4) returning kind`,
}
const askNow = (table: string): Statement => ({
  name: `work_ask_${table}`,
  text: `update ${table} set question_at = $3 where merchant_id = $1 and id = $2 and question_at > $3`,
})
/** The timer that asks falls due now. Its row says so too: an inquiry that finds a later time there leaves it
 *  to another. False when no timer waits: somebody is at it. */
export async function bringForward(t: Tx, row: WorkRow): Promise<boolean> {
  const { timers: kinds, asks } = SOURCES[row.kind]
  const moved = await t.query(FORWARD, [row.merchant_id, row.id, kinds, t.now])
  if (moved.length > 0 && asks) await t.query(askNow(asks), [row.merchant_id, row.id, t.now])
  return moved.length > 0
}
