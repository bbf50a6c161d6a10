// The statements behind the page of one payment. Each finds its rows by a key of the payment or of what
// belongs to it, and reads a few of them; `total` counts all.

import { SHOWN_MAX } from '@cowrie/contract/screens/payments'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement } from '#kit/ctx.ts'

const FEW = `limit ${SHOWN_MAX}`
const TOTAL = '(count(*) over ())::int as total'

export type PaymentRow = Pick<
  Rows['transactions'],
  | 'id'
  | 'kobo'
  | 'paid_kobo'
  | 'fee_kobo'
  | 'quoted_fee_kobo'
  | 'created_at'
  | 'expires_at'
  | 'closed_at'
  | 'flagged'
  | 'status'
  | 'product_type'
  | 'product_reference'
> & {
  account_number: string | null
  bank_code: string | null
  opened_at: Date | null
  /** The page that opened it. */
  page: { origin: string; path: string; namedAmount: boolean } | null
}
const FIND: Statement = {
  name: 'payments_find',
  text: `
select t.id, t.kobo, t.paid_kobo, t.fee_kobo, t.quoted_fee_kobo, t.created_at, t.expires_at, t.closed_at, t.flagged, t.status, t.product_type,
  t.product_reference, v.account_number, v.bank_code, v.opened_at,
  (select json_build_object('origin', o.origin, 'path', o.path, 'namedAmount', o.by_page) from page_openings o
    where o.transaction_id = t.id and o.merchant_id = t.merchant_id) as page
from transactions t left join virtual_accounts v on v.transaction_id = t.id and v.merchant_id = t.merchant_id
where t.merchant_id = $1 and t.reference = $2`,
}
export const find = async (read: Read, merchantId: bigint, reference: string): Promise<PaymentRow | null> =>
  (await read.query<PaymentRow>(FIND, [merchantId, reference]))[0] ?? null

type Counted = { total: number }
const ofTransaction =
  <Row>(name: string, select: string, order: string) =>
  (read: Read, merchantId: bigint, transactionId: bigint): Promise<(Row & Counted)[]> =>
    read.query<Row & Counted>(
      {
        name: `payments_${name}`,
        text: `select ${select}, ${TOTAL} from ${name} where merchant_id = $1 and transaction_id = $2 order by ${order} ${FEW}`,
      },
      [merchantId, transactionId],
    )

export type CreditRow = {
  transfer_id: bigint
  bank_reference: string
  outcome: 'COUNTED' | 'SUSPENDED' | 'TOPPED_UP'
  kobo: bigint
  sender_name: string
  sender_account_number: string
  sender_bank_code: string
  received_at: Date
}
export const credits = ofTransaction<CreditRow>(
  'inbound_credits',
  'transfer_id, bank_reference, outcome, kobo, sender_name, sender_account_number, sender_bank_code, received_at',
  'received_at desc, transfer_id desc',
)

export type ReversalRow = {
  transfer_id: bigint | null
  reversal_reference: string
  bank_reference: string
  kobo: bigint
  fee_kobo: bigint
  reason: string
  taken_at: Date
}
export const reversals = ofTransaction<ReversalRow>(
  'credit_reversals',
  'transfer_id, reversal_reference, bank_reference, kobo, fee_kobo, reason, taken_at',
  'taken_at desc, reversal_reference',
)

export type ChargeRow = {
  reference: string
  status: string
  kobo: bigint
  scheme: string | null
  last4: string
  bank_name: string | null
  code: string | null
  message: string | null
  created_at: Date
  closed_at: Date | null
}
export const charges = ofTransaction<ChargeRow>(
  'card_charges',
  `reference, status, kobo, scheme, coalesce(last4, '') as last4, bank_name, code, message, created_at, closed_at`,
  'created_at desc, id desc',
)

export type HeldRow = { id: bigint; status: string; kobo: bigint; reason: string; created_at: Date }
export const held = ofTransaction<HeldRow>(
  'suspense_items',
  'id, status, kobo, reason, created_at',
  'created_at desc, id desc',
)

export type RefundRow = {
  id: bigint
  reference: string
  refund_reference: string
  status: string
  kobo: bigint
  fee_kobo: bigint
  reason: string
  created_at: Date
  completed_at: Date | null
}
export const refunds = ofTransaction<RefundRow>(
  'refunds',
  'id, reference, refund_reference, status, kobo, fee_kobo, reason, created_at, completed_at',
  'created_at desc, id desc',
)

export type StateRow = Counted &
  Pick<Rows['state_changes'], 'object_id' | 'transfer_id' | 'at' | 'version' | 'action' | 'from_state' | 'to_state'> & {
    object: 'transaction' | 'refund' | 'suspense_item'
  }
const STATES: Statement = {
  name: 'payments_states',
  text: `
select object, object_id, transfer_id, at, version, action, from_state, to_state, ${TOTAL} from state_changes
where merchant_id = $1 and object_id = any($2::bigint[]) and object in ('transaction', 'refund', 'suspense_item')
order by at desc, version desc ${FEW}`,
}
export const states = (read: Read, merchantId: bigint, objects: readonly bigint[]): Promise<StateRow[]> =>
  read.query<StateRow>(STATES, [merchantId, numbers(objects)])

export type TransferRow = Pick<Rows['transfers'], 'id' | 'kind' | 'object' | 'at'> & {
  accounts: string[]
  amounts: string[]
}
const TRANSFERS: Statement = {
  name: 'payments_transfers',
  text: `
select id, kind, object, at, accounts::text[] as accounts, amounts::text[] as amounts from transfers
where merchant_id = $1 and id = any($2::bigint[]) order by id desc`,
}
export const transfers = (read: Read, merchantId: bigint, ids: readonly bigint[]): Promise<TransferRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : read.query<TransferRow>(TRANSFERS, [merchantId, numbers(ids)])

const SUB_ACCOUNTS: Statement = {
  name: 'payments_sub_accounts',
  text: 'select id, code from sub_accounts where merchant_id = $1 and id = any($2::bigint[])',
}
export const subAccounts = (
  read: Read,
  merchantId: bigint,
  ids: readonly bigint[],
): Promise<Pick<Rows['sub_accounts'], 'id' | 'code'>[]> =>
  ids.length === 0 ? Promise.resolve([]) : read.query(SUB_ACCOUNTS, [merchantId, numbers(ids)])

export type SettledRow = {
  kobo: bigint
  reference: string | null
  status: string | null
  created_at: Date | null
  account_id: Rows['settlement_lines']['account_id']
  completed_at: Rows['settlements']['completed_at']
}
const SETTLED: Statement = {
  name: 'payments_settled',
  text: `
select l.account_id, l.kobo, s.reference, s.status, s.created_at, s.completed_at
from (
  select account_id, settlement_id, sum(kobo)::bigint as kobo from settlement_lines
  where merchant_id = $1 and object = 'transaction' and object_id = $2 group by account_id, settlement_id
) l left join settlements s on s.id = l.settlement_id and s.merchant_id = $1
order by l.account_id, s.created_at nulls first ${FEW}`,
}
export const settled = (read: Read, merchantId: bigint, transactionId: bigint): Promise<SettledRow[]> =>
  read.query<SettledRow>(SETTLED, [merchantId, transactionId])

// ---- events

export type EventRow = Pick<Rows['events'], 'id' | 'type' | 'object' | 'at'> & {
  number: bigint | null
  body: string
  receipt_sent_at: Rows['receipts']['sent_at']
}
/** The id of an event is taken with that of its posting, and is among the next few; events have no index by
 *  their object, which every payment would pay for. Once in ten thousand times a block of ids ends between
 *  the two, and the look goes on into later blocks. */
const EVENTS: Statement = {
  name: 'payments_events',
  text: `
select e.id, n.number, e.type, e.object, e.at, event_body(e.shape, e.body) as body, r.sent_at as receipt_sent_at
from unnest($2::bigint[], $3::bigint[]) as p(id, object_id)
cross join lateral (
  select * from events e where e.id > p.id and e.id <= p.id + $4 and e.merchant_id = $1 and e.object_id = p.object_id order by e.id limit 8
) e
left join event_numbers n on n.event_id = e.id and n.merchant_id = $1
left join receipts r on r.event_id = e.id and r.merchant_id = $1
order by e.id desc`,
}
/** A posting, and what it is about. */
export type Posted = { readonly posting: bigint; readonly object: bigint }
export async function eventsNear(
  read: Read,
  merchantId: bigint,
  near: readonly Posted[],
  ids: number,
): Promise<EventRow[]> {
  if (near.length === 0) return []
  const [postings, objects] = [near.map(({ posting }) => posting), near.map(({ object }) => object)]
  return read.query<EventRow>(EVENTS, [merchantId, numbers(postings), numbers(objects), ids])
}

export type DeliveryRow = Pick<Rows['deliveries'], 'event_id' | 'state' | 'due_at'> & {
  url: Rows['endpoints']['url']
}
const DELIVERIES: Statement = {
  name: 'payments_deliveries',
  text: `
select d.event_id, p.url, d.state, d.due_at from deliveries d join endpoints p on p.id = d.endpoint_id and p.merchant_id = $1
where d.merchant_id = $1 and d.event_id = any($2::bigint[]) order by d.event_id desc, d.endpoint_id ${FEW}`,
}
export const deliveries = (read: Read, merchantId: bigint, events: readonly bigint[]): Promise<DeliveryRow[]> =>
  events.length === 0 ? Promise.resolve([]) : read.query<DeliveryRow>(DELIVERIES, [merchantId, numbers(events)])

export type AttemptRow = Counted &
  Pick<Rows['delivery_attempts'], 'event_id' | 'attempt' | 'at' | 'url' | 'status' | 'duration_ms' | 'error' | 'answer'>
const ATTEMPTS: Statement = {
  name: 'payments_attempts',
  text: `
select event_id, attempt, at, url, status, duration_ms, error, answer, ${TOTAL} from delivery_attempts
where merchant_id = $1 and event_id = any($2::bigint[]) order by at desc, attempt desc ${FEW}`,
}
export const attempts = (read: Read, merchantId: bigint, events: readonly bigint[]): Promise<AttemptRow[]> =>
  events.length === 0 ? Promise.resolve([]) : read.query<AttemptRow>(ATTEMPTS, [merchantId, numbers(events)])

// ---- requests and people

export type RequestRow = Counted & {
  at: Date
  method: string
  path: string
  route: string
  status: number
  ms: number
  request_id: string
  code: string | null
}
/** Neither log has an index by what a line is about: so many lines are looked at. */
const LOOK = 5_000
const REQUESTS: Statement = {
  name: 'payments_requests',
  text: `
with found as (
  select * from (select * from request_log where merchant_id = $1 and id >= $2 order by id limit ${LOOK}) l where strpos(path, $3) > 0
  union select * from request_log where merchant_id = $1 and request_id = any($4::uuid[])
)
select at, method, path, route, status, ms, request_id::text, code, ${TOTAL} from found order by id desc ${FEW}`,
}
/** Those that name it in their path, among the first lines since it was made; and those with these ids. */
export const requests = (
  read: Read,
  merchantId: bigint,
  since: bigint,
  reference: string,
  ids: readonly string[],
): Promise<RequestRow[]> => read.query<RequestRow>(REQUESTS, [merchantId, since, reference, ids])

export type PersonRow = Counted &
  Pick<Rows['trail'], 'number' | 'at' | 'actor_name' | 'actor_role' | 'what' | 'request_id'>
const PERSONS: Statement = {
  name: 'payments_persons',
  text: `
select number, at, actor_name, actor_role, what, request_id, ${TOTAL} from (
  select * from trail where merchant_id = $1 order by number desc limit ${LOOK}
) l where at >= $2 and exists (select from unnest($3::text[]) as x(name) where strpos(coalesce(after, ''), x.name) > 0)
order by number desc ${FEW}`,
}
/** Lines of the audit trail that name it, or one of its refunds, among the newest. */
export const persons = (read: Read, merchantId: bigint, since: Date, names: readonly string[]): Promise<PersonRow[]> =>
  read.query<PersonRow>(PERSONS, [merchantId, since, names])
